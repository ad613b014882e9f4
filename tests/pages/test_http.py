"""The routes beside the pages, and what every request must pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from core.bootstrap import App
from core.errors import SettingsWrong
from core.web import COOKIE, check_address, close_app, current_app, lifespan, middleware, routes
from tests.homes import Home
from tests.pages.conftest import session_of

ORIGIN = "http://127.0.0.1:8501"
HERE = ("127.0.0.1", 50000)


def _echo(_request: object) -> PlainTextResponse:
    return PlainTextResponse("done")


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("open")
    await socket.close()


BESIDE = [
    Route("/act", _echo, methods=["POST", "GET"]),
    Route("/_stcore/metrics", _echo),
    WebSocketRoute("/_stcore/stream", _socket),
]


def client(
    url: str = ORIGIN, caller: tuple[str, int] = HERE, cookies: dict[str, str] | None = None, **options: object
) -> TestClient:
    """Answer a client of the routes, with a route that acts and a websocket beside them."""
    app = Starlette(routes=[*routes, *BESIDE], middleware=middleware, **options)  # type: ignore[arg-type]
    return TestClient(app, base_url=url, client=caller, follow_redirects=False, cookies=cookies)


def guarded(url: str = ORIGIN, caller: tuple[str, int] = HERE) -> TestClient:
    """Answer a client of what stands behind the guard alone, whoever asks."""
    app = Starlette(routes=BESIDE, middleware=middleware[:1])
    return TestClient(app, base_url=url, client=caller, follow_redirects=False)


def test_health_tells_each_workers_silence_and_the_oldest_due_thread(home: Home) -> None:
    home.add_role()
    home.apply()
    engine = home.app.engine("separate")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE threads SET wake_at = '2026-08-20T08:59:00.000Z'")

    answer = client().get("/healthz")
    engine.stop()

    said = answer.json()
    assert answer.status_code == 200
    assert (said["ok"], said["oldest_due_s"]) == (True, 60.0)
    assert [(one["id"], one["kind"], one["silent_s"] < 30) for one in said["workers"]] == [
        (engine.worker_id, "separate", True)
    ]


def test_health_is_503_while_the_database_does_not_answer(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_app: App) -> None:
        raise OperationalError("SELECT 1", {}, Exception("disk"))

    monkeypatch.setattr(App, "read", broken)

    assert client().get("/healthz").status_code == 503


def test_a_permalink_leads_to_the_runs_page(home: Home) -> None:
    answer = client(cookies={COOKIE: session_of(home)}).get("/runs/role-14/app-0093")

    assert (answer.status_code, answer.headers["location"]) == (307, "/run?id=role-14/app-0093")


@pytest.mark.parametrize("path", ["/runs/x%26status=y", "/runs//evil.example.org"])
def test_a_permalink_stays_here_whatever_it_holds(home: Home, path: str) -> None:
    location = client(cookies={COOKIE: session_of(home)}).get(path).headers["location"]

    assert location.startswith("/run?id=")
    assert "&" not in location


def test_every_answer_carries_the_policy(home: Home) -> None:
    headers = client().get("/healthz").headers

    assert "script-src 'self' 'sha256-" in headers["content-security-policy"]
    assert "unsafe-eval" not in headers["content-security-policy"]
    assert {name: headers[name] for name in ("x-content-type-options", "referrer-policy", "x-frame-options")} == {
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "x-frame-options": "DENY",
    }


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (ORIGIN, 200),
        (None, 403),
        ("null", 403),
        ("http://127.0.0.1:9999", 403),
        ("http://localhost:8501", 403),
        ("https://evil.example.org", 403),
    ],
)
def test_what_acts_comes_from_our_own_page(origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"origin": origin}

    assert guarded().post("/act", headers=headers).status_code == status


def test_looking_needs_no_origin() -> None:
    assert guarded().get("/act").status_code == 200


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:9999", "https://evil.example.org"])
def test_a_websocket_from_another_page_is_closed(origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}

    with pytest.raises(WebSocketDisconnect), guarded().websocket_connect("ws://127.0.0.1:8501/_stcore/stream", headers):
        pass


def test_a_websocket_from_our_own_page_opens() -> None:
    with guarded().websocket_connect("ws://127.0.0.1:8501/_stcore/stream", headers={"origin": ORIGIN}) as socket:
        assert socket.receive_text() == "open"


@pytest.mark.parametrize("host", ["evil.example.org", "192.0.2.7:8501", "127.0.0.1.evil.example.org", "[::1", ""])
def test_another_host_name_is_refused(host: str) -> None:
    assert guarded().get("/act", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501"])
def test_this_machines_names_are_served(host: str) -> None:
    assert guarded().get("/act", headers={"host": host}).status_code == 200


def test_a_server_that_listens_elsewhere_serves_nobody_from_there() -> None:
    answer = guarded("http://192.0.2.7:8501").get("/act", headers={"host": "127.0.0.1:8501"})

    assert answer.status_code == 403


@pytest.mark.parametrize(("caller", "status"), [(HERE, 200), (("192.0.2.9", 50000), 404)])
def test_metrics_are_closed_to_other_machines(caller: tuple[str, int], status: int) -> None:
    assert guarded(caller=caller).get("/_stcore/metrics").status_code == status


NAMED = "https://daybook.example.com"


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that people reach by a name of its own."""
    monkeypatch.setenv("DAYBOOK_BASE_URL", f"{NAMED}:443/")


@pytest.mark.parametrize("url", [NAMED, "http://192.0.2.7:8501", "http://127.0.0.1:8501"])
def test_the_address_that_people_type_is_served(named: None, url: str) -> None:
    headers = {"host": "Daybook.example.com", "origin": NAMED}

    assert guarded(url).post("/act", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example.org", "192.0.2.7:8501", "daybook.example.com:8501", "127.0.0.1:8501", ""]
)
def test_a_server_with_a_name_answers_to_no_other(named: None, host: str) -> None:
    assert guarded("http://192.0.2.7:8501").get("/act", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://daybook.example.com", "https://evil.example.org", "https://example.com"])
def test_what_acts_comes_from_the_very_address_that_people_type(named: None, origin: str) -> None:
    headers = {"host": "daybook.example.com", "origin": origin}

    assert guarded(NAMED).post("/act", headers=headers).status_code == 403


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_the_app_starts_on_this_machine(address: str) -> None:
    check_address(address, ORIGIN, _never)


def _never() -> bool:
    pytest.fail("On this machine nobody asks for passwords.")


ELSEWHERE = [None, "", "0.0.0.0", "192.0.2.7", "example.org"]  # noqa: S104 - what is refused


@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize(
    ("base_url", "has_password", "missing"),
    [
        (ORIGIN, True, ["DAYBOOK_BASE_URL"]),
        (NAMED, False, ["person password"]),
        (ORIGIN, False, ["DAYBOOK_BASE_URL", "person password"]),
    ],
)
def test_the_app_starts_elsewhere_only_with_a_name_and_somebody_who_can_sign_in(
    address: str | None, base_url: str, has_password: bool, missing: list[str]
) -> None:
    with pytest.raises(SettingsWrong, match=r"server\.address .* Set it to 127\.0\.0\.1 ") as refused:
        check_address(address, base_url, lambda: has_password)

    assert [word for word in ("DAYBOOK_BASE_URL", "person password") if word in refused.value.sentence] == missing


@pytest.mark.parametrize("address", ELSEWHERE)
def test_the_app_starts_elsewhere_once_it_has_both(address: str | None) -> None:
    check_address(address, NAMED, lambda: True)


def test_the_server_opens_the_home_and_runs_its_worker(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.add_role()
    thread_id = home.apply()

    with client(lifespan=lifespan) as server:
        heard = [one["kind"] for one in server.get("/healthz").json()["workers"]]
        wait_until(lambda: _value(home, "SELECT status FROM threads WHERE id = ?", thread_id) == "awaiting_review")

    assert (heard, _value(home, "SELECT count(*) FROM workers")) == (["embedded"], 0)


def _value(home: Home, query: str, *values: str) -> object:
    with home.app.read() as conn:
        return conn.exec_driver_sql(query, values).scalar_one()


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Look again and again until a claim about another thread's work holds; fail after some seconds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not come about in time"
        time.sleep(0.02)


def test_the_server_runs_no_worker_where_it_is_off(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYBOOK_WORKER", "off")

    with client(lifespan=lifespan) as server:
        assert server.get("/healthz").json()["workers"] == []


def test_the_home_is_opened_once_and_again_after_it_was_closed(home: Home) -> None:
    first, again = current_app(), current_app()
    close_app()

    assert first is again
    assert current_app() is not first
