"""Applications and events by program: whose key, how often, how large, and what a refusal says."""

from __future__ import annotations

import base64
import json
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.clock import real_now
from core.desk.api_keys import add_api_key, revoke_api_key
from core.people.requests import KEPT
from core.web import middleware, routes
from core.web.api_body import MOST_APPLICATION_BYTES, MOST_EVENT_BYTES
from tests.databases import POSTGRES, SQLITE
from tests.homes import CV, ROLE, Home
from tests.pages.test_http import client

APPLICATIONS = "/api/applications"
BOOKED = {"data": {"slot": "2026-08-25T10:00:00Z"}}
ANN = CV.format(name="Ann Example", email="ann@example.com")
pytestmark = pytest.mark.parametrize("database", [SQLITE, POSTGRES], indirect=True)


@pytest.fixture
def role(home: Home) -> Home:
    home.add_role()
    return home


def key_of(home: Home, *verbs: str, name: str = "careers-page") -> str:
    actor = home.actor
    wanted = verbs or ("apply", "events")
    return home.app.act(actor, "key add", lambda tx: add_api_key(tx, actor, name, wanted))[1]


def application(email: str = "ann@example.com", **fields: Any) -> dict[str, Any]:
    content = base64.b64encode(CV.format(name="Ann Example", email=email).encode()).decode()
    form = {"right_to_work": "yes", "notice_weeks": 4}
    return {
        "role": ROLE,
        "name": "Ann Example",
        "email": email,
        "form": form,
        "cv": content,
        "file": "cv.txt",
        **fields,
    }


def post(
    path: str, key: str | None, idempotency: str | None = "k-1", server: TestClient | None = None, **sent: Any
) -> Any:
    headers = dict(sent.pop("headers", {}))
    headers |= {} if key is None else {"authorization": f"Bearer {key}"}
    headers |= {} if idempotency is None else {"idempotency-key": idempotency}
    return (server or client()).post(path, headers=headers, **sent)


def error(answer: Any) -> tuple[int, str]:
    """Answer status and code; every error is one sentence."""
    said = answer.json()["error"]
    assert said["sentence"].endswith(".")
    assert "\n" not in said["sentence"]
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, said["code"]


def count(home: Home, table: str) -> int:
    ((number,),) = home.look(f"SELECT count(*) FROM {table}")
    return int(str(number))


def test_an_application_by_program_is_one_by_any_door(role: Home) -> None:
    answer = post(APPLICATIONS, key_of(role), json=application())
    role.run()

    thread_id = f"{ROLE}/app-0001"
    assert answer.status_code == 201
    assert answer.json() == {"accepted": [{"file": "cv.txt", "thread": thread_id}], "refused": []}
    assert role.ending(thread_id)[0] == "awaiting_review"
    assert role.thread(thread_id).name == "Ann Example"
    assert [one["by"] for one in role.audit("applied")] == ["api key careers-page"]
    assert role.verify() == []


def test_a_form_with_files_is_the_same_application(role: Home) -> None:
    key = key_of(role)
    fields = {"role": ROLE, "name": "Ann Example", "email": "ann@example.com", "form": '{"notice_weeks": 4}'}
    files = {"cv": ("cv.txt", ANN.encode()), "cover": ("cover.txt", b"I make brands.")}

    first = post(APPLICATIONS, key, data=fields, files=files)
    again = post(APPLICATIONS, key, data=fields, files=files)

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert count(role, "threads") == 1


def test_the_same_request_again_answers_the_same_and_makes_nothing(role: Home) -> None:
    key = key_of(role)
    first = post(APPLICATIONS, key, json=application())

    again = post(APPLICATIONS, key, json=application())

    assert (again.status_code, again.json()) == (201, first.json())
    assert (count(role, "threads"), count(role, "api_requests")) == (1, 1)


def test_another_request_under_the_same_key_is_a_mismatch(role: Home) -> None:
    key = key_of(role)
    post(APPLICATIONS, key, json=application())

    assert error(post(APPLICATIONS, key, json=application("ben@example.com"))) == (422, "payload_mismatch")
    assert count(role, "threads") == 1


def test_keys_of_two_programs_do_not_meet(role: Home) -> None:
    first, second = key_of(role), key_of(role, name="another-page")

    answers = [
        post(APPLICATIONS, first, json=application()),
        post(APPLICATIONS, second, json=application("ben@example.com")),
    ]

    assert [one.status_code for one in answers] == [201, 201]


def test_an_answer_is_kept_for_a_day_as_ids_only(role: Home) -> None:
    key = key_of(role)
    post(APPLICATIONS, key, json=application())
    (row,) = role.look("SELECT * FROM api_requests")
    assert not [cell for cell in row if "ann" in str(cell).lower() or "cv" in str(cell).lower()]
    old = (real_now() - KEPT - timedelta(seconds=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    role.change("UPDATE api_requests SET answered_at = :at", at=old)

    again = post(APPLICATIONS, key, json=application())
    other = post(APPLICATIONS, key, "k-2", json=application("ben@example.com"))

    assert (error(again), other.status_code) == ((409, "already_applied"), 201)
    assert count(role, "api_requests") == 1


DIES = {
    SQLITE: ["CREATE TRIGGER dies BEFORE INSERT ON api_requests BEGIN SELECT RAISE(ABORT, 'died'); END"],
    POSTGRES: [
        "CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'died'; END $$",
        "CREATE TRIGGER dies BEFORE INSERT ON api_requests FOR EACH ROW EXECUTE FUNCTION dies()",
    ],
}


def test_the_row_and_what_it_guards_are_made_together_or_not_at_all(role: Home, database: str) -> None:
    key = key_of(role)
    for one in DIES[database]:
        role.change(one)

    died = post(APPLICATIONS, key, json=application())
    role.change("DROP TRIGGER dies" + (" ON api_requests" if database == POSTGRES else ""))

    assert error(died) == (500, "error")
    assert [count(role, table) for table in ("threads", "subjects", "lookups", "api_requests")] == [0, 0, 0, 0]
    assert post(APPLICATIONS, key, json=application()).status_code == 201
    assert count(role, "threads") == 1


@pytest.mark.parametrize("idempotency", [None, "", "   ", "x" * 201, "a\tb"])
def test_a_request_needs_its_key(role: Home, idempotency: str | None) -> None:
    assert error(post(APPLICATIONS, key_of(role), idempotency, json=application()))[0] == 400
    assert count(role, "threads") == 0


@pytest.mark.parametrize("wrong", ["", "key-000000000000.x", "Basic abc", "{id}", "{id}.", "{id}.{other}", "{key}x"])
def test_a_wrong_key_opens_nothing_and_its_body_is_not_read(role: Home, wrong: str) -> None:
    key, other = key_of(role), key_of(role, name="another-page")
    presented = wrong.format(id=key.split(".")[0], other=other.split(".")[1], key=key)

    answer = post(APPLICATIONS, presented, content=_unread(), headers={"content-type": "application/json"})

    assert error(answer) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"] == 'Bearer realm="Daybook"'


def _unread() -> Iterator[bytes]:
    yield b"{"


def test_a_revoked_key_opens_nothing(role: Home) -> None:
    key, actor = key_of(role), role.actor
    role.app.act(actor, "key revoke", lambda tx: revoke_api_key(tx, actor, "careers-page"))

    assert error(post(APPLICATIONS, key, json=application())) == (401, "not_authenticated")


def test_a_key_does_what_it_is_for_and_nothing_else(role: Home) -> None:
    apply, tell = key_of(role, "apply"), key_of(role, "events", name="calendar")
    thread_id = role.apply()

    assert error(post(APPLICATIONS, tell, json=application("ben@example.com"))) == (403, "not_allowed")
    assert error(post(f"/api/threads/{thread_id}/events/booking", apply, json=BOOKED)) == (403, "not_allowed")
    assert (count(role, "threads"), count(role, "events")) == (1, 0)


def test_the_key_itself_is_stored_nowhere(role: Home) -> None:
    key = key_of(role)

    held = [one for one in role.app.home.rglob("*") if one.is_file() and key.split(".")[1].encode() in one.read_bytes()]

    assert held == []


def test_an_event_by_program_books(role: Home) -> None:
    key, thread_id = key_of(role), role.apply()
    role.run()
    role.with_hold(0).decide(thread_id)
    role.run()

    answer = post(f"/api/threads/{thread_id}/events/booking", key, json=BOOKED)
    again = post(f"/api/threads/{thread_id}/events/booking", key, json=BOOKED)
    role.run()

    assert (answer.status_code, answer.json()) == (again.status_code, again.json())
    facts = {"event": "booking", "repeated": False, "late": False, "received_at": "2026-08-20T09:00:00Z"}
    assert answer.json() == {"thread": thread_id, **facts}
    assert role.ending(thread_id) == ("completed", "booked")
    assert [one["by"] for one in role.audit("event_received")] == ["api key careers-page"]


@pytest.mark.parametrize(
    ("name", "sent", "status"),
    [
        ("booking", {"data": {"slot": "tomorrow"}}, 422),
        ("booking", {"slot": "2026-08-25T10:00:00Z"}, 422),
        ("retract", {}, 422),
        ("nothing", {}, 422),
        ("booking", [1], 422),
        ("booking", b'{"data": {"slot": "\\ud800"}}', 422),
    ],
)
def test_an_event_that_does_not_fit_is_refused(role: Home, name: str, sent: Any, status: int) -> None:
    key, thread_id = key_of(role), role.apply()

    content = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    headers = {"content-type": "application/json"}
    assert error(post(f"/api/threads/{thread_id}/events/{name}", key, content=content, headers=headers))[0] == status
    assert (count(role, "events"), count(role, "api_requests")) == (0, 0)


def test_a_foreign_thread_is_not_there(role: Home) -> None:
    other = role.add_tenant("atlas")
    other.add_role("role-21")
    theirs = other.apply(role_id="role-21")
    key = key_of(role)

    foreign = post(f"/api/threads/{theirs}/events/booking", key, json=BOOKED)
    missing = post(f"/api/threads/{theirs}9/events/booking", key, "k-2", json=BOOKED)
    closed = post(APPLICATIONS, key, "k-3", json=application(role="role-21"))

    assert [error(one) for one in (foreign, missing, closed)] == [(404, "not_found")] * 3
    assert foreign.json()["error"]["sentence"] == missing.json()["error"]["sentence"].replace("00019", "0001")
    assert count(role, "events") == 0


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"json": {"role": ROLE}}, 422),
        ({"json": application(cv="%%%")}, 422),
        ({"json": application(cv="")}, 422),
        ({"json": application(email="nobody")}, 422),
        ({"json": application(form={"a": {"b": 1}})}, 422),
        ({"json": application(salary=1)}, 422),
        ({"json": application(role="role-99")}, 404),
        ({"json": application(name=4)}, 422),
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 422),
        ({"content": b"[" * 100_000, "headers": {"content-type": "application/json"}}, 422),
        ({"content": b"x", "headers": {"content-type": "text/plain"}}, 415),
        ({"content": b"x", "headers": {"content-type": "multipart/form-data"}}, 422),
        ({"content": b"x", "headers": {"content-type": "multipart/form-data; boundary=b"}}, 422),
    ],
)
def test_an_application_that_does_not_fit_is_refused_in_a_sentence(role: Home, sent: Any, status: int) -> None:
    assert error(post(APPLICATIONS, key_of(role), **sent))[0] == status
    assert (count(role, "threads"), count(role, "api_requests")) == (0, 0)


@pytest.mark.parametrize(
    ("path", "most"),
    [(APPLICATIONS, MOST_APPLICATION_BYTES), ("/api/threads/x/events/booking", MOST_EVENT_BYTES)],
)
def test_a_body_over_its_limit_is_never_read_whole(role: Home, path: str, most: int) -> None:
    key = key_of(role)

    with running(role) as address:
        sent = send_without_end(address, path, key, most * 2 + 64 * 1024 * 1024)

    assert most < sent < most * 2 + 32 * 1024 * 1024
    assert error(post(path, key, content=_blanks(most), headers={"content-type": "application/json"}))[0] == 413


def _blanks(over: int) -> Iterator[bytes]:
    """Yield a little more than so many bytes, whose number nobody states."""
    for _ in range(over // 65_536 + 1):
        yield b" " * 65_536


def send_without_end(address: str, path: str, key: str, most: int) -> int:
    """Send chunk after chunk until the server answers or hangs up, and answer how much it was sent by then."""
    host = address.removeprefix("http://")
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nIdempotency-Key: k\r\n"
    chunk, sent = b"10000\r\n" + b" " * 65_536 + b"\r\n", 0
    with socket.create_connection(host.split(":"), 30) as line:
        line.sendall(f"{head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        with suppress(ConnectionError):
            while sent < most and not select.select([line], [], [], 0)[0]:
                line.sendall(chunk)
                sent += 65_536
    return sent


def test_what_states_a_size_over_the_limit_is_refused_before_a_byte(role: Home) -> None:
    headers = {"content-type": "application/json", "content-length": str(MOST_APPLICATION_BYTES + 1)}

    assert error(post(APPLICATIONS, key_of(role), content=b"{}", headers=headers))[0] == 413


@pytest.mark.parametrize("path", ["/api/", "/api/threads", "/api/applications/x", "/api/threads/x/events"])
def test_nothing_else_is_below_api(role: Home, path: str) -> None:
    assert error(client().get(path)) == (404, "not_found")


def test_another_page_cannot_use_a_key(role: Home) -> None:
    answer = post(APPLICATIONS, key_of(role), json=application(), headers={"origin": "https://evil.example.org"})

    assert answer.status_code == 403
    assert count(role, "threads") == 0


class running:  # noqa: N801 - reads as the statement it is
    """A real server in this process, on a port of its own."""

    def __init__(self, home: Home) -> None:
        app = Starlette(routes=routes, middleware=middleware)
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self) -> str:
        self.thread.start()
        until = time.monotonic() + 10
        while not self.server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.01)
        return f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    def __exit__(self, *_error: object) -> None:
        self.server.should_exit = True
        self.thread.join(10)


def race(address: str, path: str, key: str, idempotency: str, **sent: Any) -> tuple[int, Any]:
    headers = {"authorization": f"Bearer {key}", "idempotency-key": idempotency, **sent.pop("headers", {})}
    answer = httpx2.post(f"{address}{path}", headers=headers, timeout=30, **sent)
    return answer.status_code, answer.json()


def test_one_request_sent_by_many_at_once_is_carried_out_once(role: Home) -> None:
    key, answers = key_of(role), list[tuple[int, Any]]()
    ready = threading.Barrier(8)

    def send(address: str) -> None:
        ready.wait()
        answers.append(race(address, APPLICATIONS, key, "k-1", json=application()))

    with running(role) as address:
        senders = [threading.Thread(target=send, args=(address,)) for _ in range(8)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(30)

    statuses = Counter(status for status, _ in answers)
    assert statuses[201] >= 1
    assert set(statuses) <= {201, 409}
    assert {said["accepted"][0]["thread"] for status, said in answers if status == 201} == {f"{ROLE}/app-0001"}
    assert {said["error"]["code"] for status, said in answers if status == 409} <= {"busy"}
    assert (count(role, "threads"), count(role, "api_requests"), len(answers)) == (1, 1, 8)
