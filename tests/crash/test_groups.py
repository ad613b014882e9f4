"""Threads run in groups; one thread's trouble is no other's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import core.runner.runner
from core.effects.journal import Journal
from core.ports import ModelReply, Request
from tests.crash.acts import engine_of
from tests.crash.errands import open_errand
from tests.crash.records import assert_clean, attempts, letters, thread
from tests.homes import Home

Apply = Callable[[int], list[str]]


@pytest.fixture
def applied(home: Home) -> Apply:
    """Take so many applications that nobody has looked at."""
    return lambda count: [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(count)]


def statuses(home: Home, ids: list[str]) -> list[str]:
    return [thread(home, one).status for one in ids]


def test_a_thread_whose_rows_are_refused_takes_no_other_with_it(home: Home, applied: Apply) -> None:
    ids = applied(5)
    home.change(
        "INSERT INTO checkpoints SELECT tenant_id, thread_id, 3, step, next_step, cause, at"
        " FROM checkpoints WHERE thread_id = :id",
        id=ids[2],
    )

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["ready"] + ["awaiting_review"] * 2
    assert (thread(home, ids[2]).checkpoint, thread(home, ids[2]).tries) == (2, 1)
    assert attempts(home) == [(ids[2], "error", "IntegrityError")]
    home.change("DELETE FROM checkpoints WHERE thread_id = :id AND number = 3", id=ids[2])
    assert_clean(home)


def test_a_thread_whose_lease_went_takes_no_other_with_it(
    home: Home, applied: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = applied(5)
    on_scoring(home, monkeypatch, 3, lambda: home.park(ids[2]))

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["parked"] + ["awaiting_review"] * 2
    assert (thread(home, ids[2]).checkpoint, attempts(home)) == (3, [])
    steps = Counter(home.look("SELECT thread_id FROM audit_entries WHERE act = 'step_settled'"))
    assert [steps[(one,)] for one in ids] == [6, 6, 3, 6, 6]
    assert_clean(home)


def on_scoring(home: Home, monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[], Any]) -> None:
    """Let something happen while the so-manyth packet is answered."""
    model, calls = type(home.app.parts.model), 0
    answer = model.answer

    def wrapped(self: Any, request: Request) -> ModelReply:
        nonlocal calls
        calls += 1
        if calls == number:
            act()
        return answer(self, request)

    monkeypatch.setattr(model, "answer", wrapped)


@pytest.mark.parametrize("table", ["thread_sections", "subject_fields"])
def test_a_thread_whose_saved_fields_are_damaged_takes_no_other_with_it(table: str, home: Home, applied: Apply) -> None:
    ids = applied(5)
    home.change(f"UPDATE {table} SET sealed = :nothing WHERE thread_id = :id", id=ids[2], nothing=bytes(64))

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["parked"] + ["awaiting_review"] * 2
    assert thread(home, ids[2]).parked_why == "state_unreadable"


def test_a_group_that_breaks_off_in_the_middle_of_a_result_is_driven_on_though_somebody_wrote_meanwhile(
    home: Home, applied: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = applied(3)
    home.change("UPDATE thread_sections SET sealed = :nothing WHERE thread_id = :id", id=ids[1], nothing=bytes(64))
    still_held = core.runner.runner.list_held

    def write_elsewhere(*held: Any) -> Any:
        with home.app.read() as another, home.app.write() as tx:  # two connections, whichever the group had
            another.exec_driver_sql("SELECT 1 FROM threads").all()
            tx.conn.exec_driver_sql("UPDATE threads SET version = version")
        return still_held(*held)

    monkeypatch.setattr(core.runner.runner, "list_held", write_elsewhere)
    home.run()

    assert statuses(home, ids) == ["awaiting_review", "parked", "awaiting_review"]


def test_an_outcome_that_cannot_be_written_takes_no_other_thread_with_it(home: Home) -> None:
    names = [open_errand(home, f"errand-{n}") for n in range(4)]
    Path(f"{home.app.home.parent / names[1]}.odd").touch()

    engine_of(home.app).run_until_idle()

    assert statuses(home, names) == ["completed", "ready", "completed", "completed"]
    assert attempts(home) == [(names[1], "error", "AttributeError")]


def test_what_breaks_a_whole_group_is_tried_again_later(
    home: Home, approved: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = approved(3)

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", full)
        home.run()
    assert attempts(home) == [(one, "error", "OSError") for one in ids]
    assert [thread(home, one).lease_holder for one in ids] == [None] * 3

    later = home.at(home.actor.now + timedelta(seconds=10))
    later.run()

    assert letters(later) == {f"{one}/invite": 1 for one in ids}
    assert_clean(later)


def test_a_worker_that_could_not_even_write_its_failure_takes_the_threads_again(
    home: Home, approved: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = approved(3)
    engine = home.app.engine("test")

    def broken(*_: object, **__: object) -> None:
        raise OSError("disk I/O error")

    with monkeypatch.context() as breaking:
        breaking.setattr("core.runner.runner.load", broken)
        breaking.setattr("core.runner.runner.save_failure", broken)
        with pytest.raises(OSError, match="disk"):
            engine.run_until_idle()
    assert {thread(home, one).lease_holder for one in ids} == {engine.worker_id}

    engine.run_until_idle()
    engine.stop()

    assert (letters(home), attempts(home)) == ({f"{one}/invite": 1 for one in ids}, [])
    assert_clean(home)
