"""Many writers at one SQLite file, and what holds no transaction open."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.adapters.outbox import Outbox
from core.ports import ModelReply, Request
from core.views.queue import list_queue
from core.views.threads import Filters, list_threads
from tests.crash.processes import Nursery, Signals
from tests.crash.records import assert_clean, attempts, letters, thread
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]
WRITERS = 20
PATIENCE = 100


def work_one_at_a_time(home: Home) -> None:
    engine = home.app.engine("test")
    engine._worker.runner._group = 1
    engine.run_until_idle()
    engine.stop()


def read_until(home: Home, over: threading.Event) -> int:
    count = 0
    while not over.is_set():
        with home.app.read() as conn:
            list_threads(conn, home.app.vault, home.tenant_id, Filters())
            list_queue(conn, home.app.vault, home.tenant_id)
        count += 1
    return count


@pytest.mark.case("B04")
def test_twenty_writers_and_a_reader_never_meet_a_locked_database(home: Home) -> None:
    ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(2 * WRITERS)]
    over = threading.Event()
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        reading = pool.submit(read_until, home, over)
        try:
            for writing in [pool.submit(work_one_at_a_time, home) for _ in range(WRITERS)]:
                writing.result(PATIENCE)
        finally:
            over.set()
        assert reading.result(PATIENCE) > 0

    assert Counter(thread(home, one).status for one in ids) == {"awaiting_review": 2 * WRITERS}
    numbers = home.look("SELECT thread_id, max(number), count(*) FROM checkpoints GROUP BY thread_id")
    assert {(newest, count) for _, newest, count in numbers} == {(6, 7)}
    assert attempts(home) == []
    assert_clean(home)


@pytest.mark.case("B05")
def test_a_writer_waits_for_another_process_that_writes(
    home: Home, reviewed: Bring, nursery: Nursery, signals: Signals
) -> None:
    (one,) = reviewed(1)
    holder = nursery.start("hold a write", home, signals=str(signals.folder))
    signals.wait_reached()
    with ThreadPoolExecutor(1) as pool:
        deciding = pool.submit(home.decide, one)
        assert holder.lives_for(1.0)
        assert not deciding.done()

        signals.let_go()

        assert deciding.result(PATIENCE).verdict == "approve"
    holder.finish()


def _write_nothing(home: Home) -> bool:
    with home.app.store.write():
        return True


@pytest.mark.case("B06")
def test_no_write_transaction_is_open_while_a_model_or_a_letter_is_on_its_way(
    home: Home, reviewed: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []

    def free(name: str) -> None:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(_write_nothing, home).result(PATIENCE)
        called.append(name)

    for owner, name in ((type(home.app.parts.model), "answer"), (Outbox, "prepare"), (Outbox, "deliver")):
        monkeypatch.setattr(owner, name, _first(lambda name=name: free(name), getattr(owner, name)))

    ids = reviewed(3)
    for one in ids:
        home.decide(one)
    home.run()

    assert Counter(called) == {"answer": 3, "prepare": 3, "deliver": 3}
    assert attempts(home) == []


def _first(act: Callable[[], None], called: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        act()
        return called(*args, **kwargs)

    return wrapped


@pytest.mark.case("B13")
def test_a_step_that_comes_back_for_an_erased_subject_writes_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    erased, other = home.apply(), home.apply("Ben Example", "ben@example.com")
    model = type(home.app.parts.model)
    answer = model.answer

    def erase(self: Any, request: Request) -> ModelReply:
        home.change(
            "INSERT INTO tombstones SELECT tenant_id, subject_id, '2026-08-20T09:00:00.000Z'"
            " FROM threads WHERE id = :id ON CONFLICT DO NOTHING",
            id=erased,
        )
        return answer(self, request)

    monkeypatch.setattr(model, "answer", erase)
    home.run()

    checkpoints = "SELECT max(number) FROM checkpoints WHERE thread_id = :id"
    assert home.look(checkpoints, id=erased) == [(3,)]
    assert home.look("SELECT count(*) FROM approvals WHERE thread_id = :id", id=erased) == [(0,)]
    assert (thread(home, erased).status, thread(home, erased).parked_why) == ("parked", "erased")
    assert thread(home, other).status == "awaiting_review"


def test_a_letter_to_an_erased_subject_stays_in(home: Home, reviewed: Bring) -> None:
    (one,) = reviewed(1)
    home.decide(one)
    home.change("INSERT INTO tombstones SELECT tenant_id, subject_id, '2026-08-20T09:00:00.000Z' FROM threads")

    home.run()

    assert letters(home) == {}
