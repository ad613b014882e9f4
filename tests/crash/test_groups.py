"""Threads run in groups; one thread's trouble is no other's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from core.desk.repairs import park_thread
from core.ports import ModelReply, Request
from tests.crash.records import assert_clean, attempts, change, letters, rows, thread
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
    change(
        home,
        "INSERT INTO checkpoints SELECT tenant_id, thread_id, 3, step, next_step, cause, at"
        " FROM checkpoints WHERE thread_id = :id",
        id=ids[2],
    )

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["ready"] + ["awaiting_review"] * 2
    assert (thread(home, ids[2]).checkpoint, thread(home, ids[2]).tries) == (2, 1)
    assert attempts(home) == [(ids[2], "error", "IntegrityError")]
    change(home, "DELETE FROM checkpoints WHERE thread_id = :id AND number = 3", id=ids[2])
    assert_clean(home)


def test_a_thread_whose_lease_went_takes_no_other_with_it(
    home: Home, applied: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = applied(5)
    on_scoring(home, monkeypatch, 3, lambda: park(home, ids[2]))

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["parked"] + ["awaiting_review"] * 2
    assert (thread(home, ids[2]).checkpoint, attempts(home)) == (3, [])
    steps = Counter(rows(home, "SELECT thread_id FROM audit_entries WHERE act = 'step_settled'"))
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


def park(home: Home, thread_id: str) -> None:
    actor = home.actor
    home.app.act(actor, "park", lambda tx: park_thread(tx, actor, thread_id))


@pytest.mark.parametrize("table", ["thread_sections", "subject_fields"])
def test_a_thread_whose_saved_fields_are_damaged_takes_no_other_with_it(table: str, home: Home, applied: Apply) -> None:
    ids = applied(5)
    change(home, f"UPDATE {table} SET sealed = zeroblob(64) WHERE thread_id = :id", id=ids[2])

    home.run()

    assert statuses(home, ids) == ["awaiting_review"] * 2 + ["parked"] + ["awaiting_review"] * 2
    assert thread(home, ids[2]).parked_why == "state_unreadable"


def test_a_time_that_cannot_be_read_takes_no_other_thread_with_it(home: Home, applied: Apply) -> None:
    ids = applied(5)
    change(home, "UPDATE threads SET wake_at = '2026-08-2X' WHERE id = :id", id=ids[2])

    home.run()

    assert statuses(home, [one for one in ids if one != ids[2]]) == ["awaiting_review"] * 4


def test_a_group_that_breaks_off_holds_none_of_its_threads_for_ever(
    home: Home, approved: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = approved(3)

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    engine = home.app.engine("test")
    with monkeypatch.context() as broken:
        broken.setattr(home.app.parts.journal.__class__, "append", full)
        with pytest.raises(OSError, match="no space"):
            engine.run_until_idle()
    assert [thread(home, one).lease_holder for one in ids] == [None] * 3

    engine.run_until_idle()
    engine.stop()

    assert letters(home) == {f"{one}/invite": 1 for one in ids}
    assert_clean(home)
