"""A worker is killed between a letter and the server's reply: one letter is out there, and a person says so or not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from core.effects.plan import Entry, list_entries
from tests.crash.processes import KILLED, PATIENCE, Nursery
from tests.crash.records import assert_clean, ledger, thread
from tests.homes import Home
from tests.mail_servers import DROP, HANG, Scripted, scripted

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as running:
        yield running


def work(home: Home, nursery: Nursery, server: Scripted) -> None:
    nursery.start("work", home, mail=server.address).finish()


def die_at(stage: str, home: Home, nursery: Nursery, server: Scripted) -> None:
    """Let a worker send until the server has heard so much, and kill it while it waits for the reply."""
    reached = threading.Event()
    server.reached = lambda at: reached.set() if at == stage else None
    server.script[stage] = HANG
    worker = nursery.start("work", home, mail=server.address)
    assert reached.wait(PATIENCE), nursery.log.read_text()
    worker.kill()
    assert worker.wait() == KILLED
    del server.script[stage]


def entry_of(home: Home, key: str) -> Entry:
    with home.app.read() as conn:
        return next(entry for entry in list_entries(conn, home.tenant_id) if entry.key == key)


def left_in_doubt(home: Home, nursery: Nursery, server: Scripted) -> None:
    die_at("letter", home, nursery, server)
    assert len(server.accepted) == 1
    work(home, nursery, server)


@pytest.mark.case("X06")
def test_after_a_death_before_the_reply_nobody_knows_and_nothing_more_is_sent(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    left_in_doubt(home, nursery, server)
    calls = server.connections
    for _ in range(2):
        home.retry(one)
        work(home, nursery, server)

    entry = entry_of(home, f"{one}/invite")
    assert (entry.status, entry.why, thread(home, one).status) == ("unknown", "process_died", "parked")
    assert (len(server.accepted), server.connections) == (1, calls)
    assert (entry.via, str(entry.trace).encode() in server.accepted[0]) == (server.address, True)
    assert_clean(home)


def test_a_person_who_found_the_letter_lets_the_thread_go_on_and_nothing_is_sent(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    left_in_doubt(home, nursery, server)

    home.settle(f"{one}/invite", "4QX71")
    work(home, nursery, server)

    entry = entry_of(home, f"{one}/invite")
    assert (entry.status, entry.result_ref, len(server.accepted)) == ("done", "4QX71", 1)
    assert (thread(home, one).status, thread(home, one).waits_for) == ("waiting", "event")
    assert_clean(home)


def test_a_person_who_found_no_letter_has_it_sent_once_more(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    left_in_doubt(home, nursery, server)

    home.settle(f"{one}/invite", None)
    work(home, nursery, server)
    work(home, nursery, server)

    entry = entry_of(home, f"{one}/invite")
    assert (entry.status, entry.attempt, len(server.accepted)) == ("done", 2, 2)
    assert thread(home, one).status == "waiting"
    assert_clean(home)


@pytest.mark.parametrize("stage", ["hello", "MAIL", "RCPT"])
def test_after_a_death_before_the_gate_the_letter_is_sent_once(
    stage: str, home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    die_at(stage, home, nursery, server)
    assert ledger(home) == {f"{one}/invite": "planned"}

    work(home, nursery, server)

    assert (ledger(home), len(server.accepted)) == ({f"{one}/invite": "done"}, 1)
    assert_clean(home)


def test_after_a_death_at_data_nobody_knows_although_nothing_was_sent(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    die_at("DATA", home, nursery, server)
    work(home, nursery, server)
    assert (ledger(home), server.accepted) == ({f"{one}/invite": "unknown"}, [])


def test_a_death_leaves_one_letter_in_doubt_and_the_others_go_out(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    ids = approved(3)
    left_in_doubt(home, nursery, server)

    assert sorted(ledger(home).values()) == ["done", "done", "unknown"]
    assert len(server.accepted) == 3
    assert sorted(thread(home, one).status for one in ids) == ["parked", "waiting", "waiting"]
    assert_clean(home)


def test_a_reply_that_the_line_lost_is_told_apart_from_a_death(
    home: Home, approved: Bring, nursery: Nursery, server: Scripted
) -> None:
    (one,) = approved(1)
    server.script["letter"] = DROP
    work(home, nursery, server)
    entry = entry_of(home, f"{one}/invite")
    assert (entry.status, entry.why, len(server.accepted)) == ("unknown", "no reply to the letter", 1)
