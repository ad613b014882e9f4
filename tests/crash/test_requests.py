"""Several servers, each a process of its own, that are sent one request under one Idempotency-Key."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.desk.api_keys import add_api_key
from tests.crash.processes import KILLED, Nursery, Signals
from tests.homes import CV, ROLE, Home

SERVERS = 4
Answer = tuple[int, dict[str, Any]]
pytestmark = pytest.mark.crash


def application(email: str = "ann@example.com") -> dict[str, str]:
    cv = base64.b64encode(CV.format(name="Ann Example", email=email).encode()).decode()
    return {"role": ROLE, "name": "Ann Example", "email": email, "cv": cv, "file": "cv.txt"}


def count(home: Home, table: str) -> int:
    ((found,),) = home.look(f"SELECT count(*) FROM {table}")
    return int(str(found))


@pytest.fixture
def key(home: Home) -> str:
    actor = home.actor
    return home.app.act(actor, "key add", lambda tx: add_api_key(tx, actor, "careers-page", ["apply"]))[1]


@pytest.fixture
def send(home: Home, key: str, nursery: Nursery, signals: Signals, tmp_path: Path) -> Callable[..., list[Answer]]:
    """Send each application to a server of its own, all at once, and answer what they said."""

    def send(*sent: dict[str, str], idempotency: str | None = "k-1", place: str | None = None) -> list[Answer]:
        said = [tmp_path / f"said-{number}" for number in range(len(sent))]
        servers = [
            nursery.start(
                "request", home, key=key, sent=one, idempotency=idempotency, said=str(path),
                signals=str(signals.folder), place=place,
            )
            for one, path in zip(sent, said, strict=True)
        ]  # fmt: skip
        signals.wait_reached(len(servers))
        signals.let_go()
        for server in servers:
            server.finish()
        return [tuple(json.loads(path.read_text())) for path in said]  # type: ignore[misc]

    return send


@pytest.mark.parametrize("place", [None, "asked", "kept"])
def test_one_request_at_several_servers_makes_one_application(
    home: Home, send: Callable[..., list[Answer]], place: str | None
) -> None:
    answers = send(*[application()] * SERVERS, place=place)

    statuses = Counter(status for status, _ in answers)
    assert statuses[201] >= 1
    assert set(statuses) <= {201, 409}
    ((thread_id,),) = home.look("SELECT id FROM threads")
    assert {said["accepted"][0]["thread"] for status, said in answers if status == 201} == {thread_id}
    assert {said["error"]["code"] for status, said in answers if status == 409} <= {"busy"}
    assert [count(home, table) for table in ("threads", "api_requests", "subjects")] == [1, 1, 1]
    assert home.verify() == []


def test_of_two_requests_under_one_key_one_is_carried_out_and_the_other_is_a_mismatch(
    home: Home, send: Callable[..., list[Answer]]
) -> None:
    emails = [f"ann{number}@example.com" for number in range(SERVERS)]

    answers = send(*[application(email) for email in emails], place="asked")

    carried_out = [said for status, said in answers if status == 201]
    refused = [(status, said["error"]["code"]) for status, said in answers if status != 201]
    assert len(carried_out) == 1
    assert set(refused) <= {(422, "payload_mismatch"), (409, "busy")}
    assert (count(home, "threads"), count(home, "api_requests")) == (1, 1)
    assert home.verify() == []


def test_a_request_without_a_key_of_its_own_makes_nothing_at_any_server(
    home: Home, send: Callable[..., list[Answer]]
) -> None:
    answers = send(*[application()] * 2, idempotency=None)

    assert [status for status, _ in answers] == [400, 400]
    assert (count(home, "threads"), count(home, "api_requests")) == (0, 0)


def test_a_server_that_died_on_the_way_leaves_the_request_to_be_sent_again(
    home: Home, key: str, nursery: Nursery, signals: Signals, tmp_path: Path
) -> None:
    more = {"key": key, "sent": application(), "idempotency": "k-1"}
    dying = nursery.start(
        "request", home, said=str(tmp_path / "never"), signals=str(signals.folder), place="kept", **more
    )
    signals.wait_reached()
    dying.kill()
    assert dying.wait() == KILLED
    again = [tmp_path / "first", tmp_path / "second"]
    for path in again:
        nursery.start("request", home, said=str(path), **more).finish()

    answers = [json.loads(path.read_text()) for path in again]
    assert [status for status, _ in answers] == [201, 201]
    assert answers[0] == answers[1]
    assert count(home, "threads") == 1
