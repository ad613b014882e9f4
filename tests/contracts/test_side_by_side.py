"""A worker has several model calls out at once: no more than are set, none twice, and none in another's way."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.adapters.outbox import Outbox
from core.ports import Delivery, Prepared
from core.threads.claim import ALONE_AFTER_DEATHS
from tests import messages_api as api
from tests.homes import Home, open_home
from tests.messages_api import MessagesApi, messages_api

WITHIN = 20.0


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def home(tmp_path: Path, server: MessagesApi) -> Home:
    opened = open_home(tmp_path / "home").with_model(server.model())
    opened.add_role()
    return opened


def applied(home: Home, count: int) -> list[str]:
    return [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(count)]


@dataclass
class Together:
    """Answers only once so many calls are out, and counts how many were out at most."""

    wanted: int
    out: int = 0
    most: int = 0
    lock: threading.Condition = field(default_factory=threading.Condition)
    met: int = 0

    def __call__(self, body: Mapping[str, Any]) -> api.Answer:
        with self.lock:
            self.out += 1
            self.met += 1
            self.most = max(self.most, self.out)
            due = (self.met - 1) // self.wanted * self.wanted + self.wanted
            self.lock.notify_all()
            came = self.lock.wait_for(lambda: self.met >= due, WITHIN)
            self.out -= 1
        return api.by_evidence()(body) if came else api.BAD_REQUEST


def calls_by_thread(home: Home) -> dict[object, list[object]]:
    found: dict[object, list[object]] = {}
    for thread_id, status in home.look("SELECT thread_id, status FROM model_calls"):
        found.setdefault(thread_id, []).append(status)
    return found


def test_eight_calls_are_out_at_once_and_each_is_made_once(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 16)
    together = Together(8)
    server.say(together)

    home.run()

    assert together.most == 8
    assert calls_by_thread(home) == {thread_id: ["answered"] for thread_id in ids}
    assert {home.question(thread_id).facts["total"] for thread_id in ids} == {15}
    assert home.verify() == []


def test_no_more_calls_are_out_than_are_set(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 6)
    together = Together(2)
    server.say(together)

    home.with_calls(2).run()

    assert together.most == 2
    assert calls_by_thread(home) == {thread_id: ["answered"] for thread_id in ids}


def test_one_call_at_a_time_is_possible_too(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 3)
    together = Together(1)
    server.say(together)

    home.with_calls(1).run()

    assert (together.most, len(server.asked)) == (1, 3)
    assert {home.ending(thread_id)[0] for thread_id in ids} == {"awaiting_review"}


def test_an_answer_is_settled_while_another_call_is_still_out(home: Home, server: MessagesApi) -> None:
    slow, quick = applied(home, 2)
    seen: list[str] = []

    def answer(body: Mapping[str, Any]) -> api.Answer:
        if "Example0" in api.documents(body)["cv"]:
            for _ in range(int(WITHIN * 100)):
                if home.ending(quick)[0] == "awaiting_review":
                    break
                pause.wait(0.01)
            seen.extend((home.ending(slow)[0], home.ending(quick)[0]))
        return api.by_evidence()(body)

    pause = threading.Event()
    server.say(answer)
    home.run()

    assert seen == ["running", "awaiting_review"]
    assert home.ending(slow)[0] == "awaiting_review"


def test_a_call_that_fails_is_no_others_trouble(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 4)
    server.say(lambda body: api.BAD_REQUEST if "Example2" in api.documents(body)["cv"] else api.by_evidence()(body))

    home.run()

    statuses = [home.ending(thread_id)[0] for thread_id in ids]
    assert statuses == ["awaiting_review", "awaiting_review", "parked", "awaiting_review"]
    assert home.verify() == []


def test_what_moves_during_one_call_discards_that_answer_only(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 3)
    together, moved = Together(3), threading.Event()

    def answer(body: Mapping[str, Any]) -> api.Answer:
        said = together(body)
        if "Example1" in api.documents(body)["cv"] and not moved.is_set():
            moved.set()
            home.amend(ids[1], name="Bea Example1")
        return said

    together_again = api.by_evidence()
    server.say(answer, answer, answer, together_again)
    home.run()

    assert {thread_id: len(made) for thread_id, made in calls_by_thread(home).items()} == dict(
        zip(ids, (1, 2, 1), strict=True)
    )
    assert {home.ending(thread_id)[0] for thread_id in ids} == {"awaiting_review"}


def test_what_killed_its_process_again_and_again_is_taken_beside_nobody(home: Home, server: MessagesApi) -> None:
    ids = applied(home, 3)
    home.change("UPDATE threads SET deaths = :many WHERE id = :id", many=ALONE_AFTER_DEATHS, id=ids[0])
    out: list[int] = []

    def answer(body: Mapping[str, Any]) -> api.Answer:
        if "Example0" in api.documents(body)["cv"]:
            ((held,),) = home.look("SELECT count(*) FROM threads WHERE lease_holder IS NOT NULL")
            out.append(int(str(held)))
        return api.by_evidence()(body)

    server.say(answer)
    home.run()

    assert out == [1]
    assert {home.ending(thread_id)[0] for thread_id in ids} == {"awaiting_review"}


class OneAtATime(Outbox):
    """An outbox that counts how many letters are handed to it at once."""

    inside, most = 0, 0

    def deliver(self, prepared: Prepared) -> Delivery:
        self.inside += 1
        self.most = max(self.most, self.inside)
        threading.Event().wait(0.01)
        said = super().deliver(prepared)
        self.inside -= 1
        return said


def test_letters_leave_one_after_another_however_many_threads_are_carried_on(home: Home) -> None:
    ids = applied(home, 5)
    home.run()
    for thread_id in ids:
        home.decide(thread_id)
    outbox = OneAtATime(home.app.home / "outbox", "Daybook <daybook@example.com>")

    home.with_code(mail=outbox).run()

    assert (outbox.most, len(home.letters())) == (1, 5)
    assert {home.ending(thread_id)[0] for thread_id in ids} == {"waiting"}
    assert home.verify() == []
