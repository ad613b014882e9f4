"""What a session lets in, and for how long: before the pages, and in every run of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from starlette.websockets import WebSocketDisconnect
from streamlit.testing.v1 import AppTest

from core.clock import real_now, write_instant
from core.desk.people import set_access
from core.desk.repairs import park_thread
from core.errors import NotAllowed
from core.people.people import Access
from core.people.sessions import close_session
from core.web import COOKIE
from core.web.signed_in import PUBLIC
from pages.parts import identity
from pages.parts.identity import Here
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn, session_of
from tests.pages.forms import is_let_in
from tests.pages.test_http import ORIGIN, client

SOCKET = "ws://127.0.0.1:8501/_stcore/stream"
PAGES = ["/", "/runs", "/run?id=role-14/app-0001", "/runs/role-14/app-0001", "/nowhere", "/act", "/_other", "/static"]
PARTS = [
    "/_stcore/stream",
    "/_stcore/health",
    "/runs/_stcore/health",
    "/media/x.pdf",
    "/component/x/y",
    "/_stcore/upload_file/a/b",
]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("cookie", [None, "", "nonsense"])
def test_a_page_asks_for_sign_in_and_comes_back_to_itself(home: Home, path: str, cookie: str | None) -> None:
    answer = client(cookies={} if cookie is None else {COOKIE: cookie}).get(path)
    back = (
        "" if path in ("/", "/static") else "?next=" + path.replace("/", "%2F").replace("?", "%3F").replace("=", "%3D")
    )

    assert (answer.status_code, answer.headers["location"]) == (303, f"/login{back}")


@pytest.mark.parametrize("path", PARTS)
def test_a_part_of_a_page_is_refused_without_sign_in(home: Home, path: str) -> None:
    assert (client().get(path).status_code, client().head(path).status_code) == (401, 401)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_what_acts_is_refused_without_sign_in(home: Home, method: str) -> None:
    assert client().request(method, "/act", headers={"origin": ORIGIN}).status_code == 401


def test_only_these_addresses_answer_without_sign_in() -> None:
    assert PUBLIC == ("/healthz", "/login", "/logout", "/team", "/team/", "/static/", "/book/", "/api/")


@pytest.mark.parametrize("path", ["/healthz/x", "/login/x", "/loginx", "/Login", "//login", "/staticx/y", "/logout/"])
def test_an_address_like_a_public_one_is_not_public(home: Home, path: str) -> None:
    answer = client().get(ORIGIN + path)

    assert (answer.status_code, answer.headers["location"].startswith("/login")) == (303, True)


@pytest.mark.parametrize("cookie", [None, "", "nonsense"])
def test_a_websocket_without_sign_in_is_closed(home: Home, cookie: str | None) -> None:
    visitor = client(cookies={} if cookie is None else {COOKIE: cookie})

    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect(SOCKET, headers={"origin": ORIGIN}):
        pass


def test_a_session_opens_pages_and_the_websocket_and_leaves_nothing_in_the_browsers_store(home: Home) -> None:
    visitor = client(cookies={COOKIE: session_of(home)})

    answer = visitor.get("/act")
    with visitor.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as socket:
        heard = socket.receive_text()

    assert (answer.status_code, answer.headers["cache-control"], heard) == (200, "no-store", "open")


def test_a_session_does_not_open_the_websocket_to_another_page(home: Home) -> None:
    visitor = client(cookies={COOKIE: session_of(home)})

    with (
        pytest.raises(WebSocketDisconnect),
        visitor.websocket_connect(SOCKET, headers={"origin": "https://evil.example"}),
    ):
        pass


@pytest.mark.parametrize(
    ("column", "ago", "lets_in"),
    [
        ("seen_at", timedelta(hours=11, minutes=59), True),
        ("seen_at", timedelta(hours=12, seconds=1), False),
        ("started_at", timedelta(days=6, hours=23), True),
        ("started_at", timedelta(days=7, seconds=1), False),
    ],
)
def test_a_session_ends_after_twelve_idle_hours_and_after_seven_days(
    home: Home, open_page: Open, sign_in: SignIn, column: str, ago: timedelta, lets_in: bool
) -> None:
    token = sign_in(home)
    home.change(f"UPDATE sessions SET {column} = :at", at=write_instant(real_now() - ago))

    assert is_let_in(token) == lets_in
    assert ("No runs yet" in drawn(open_page("runs"))) == lets_in


def end_session(home: Home, token: str) -> None:
    with home.app.write() as tx:
        close_session(tx, token)


def leave(home: Home, token: str) -> None:
    owner = home.actor
    home.app.act(owner, "access", lambda tx: set_access(tx, owner, "ana@example.com", None))


@pytest.mark.parametrize("go", [end_session, leave])
def test_whoever_is_out_sees_nothing_at_the_next_click(
    home: Home, ana: Home, open_page: Open, sign_in: SignIn, go: Callable[[Home, str], None]
) -> None:
    home.add_role()
    home.apply("Ann Example")
    token = sign_in(ana)
    app = open_page("runs", find="ann")
    before = drawn(app)
    go(home, token)

    after = drawn(app.run())

    assert ("Ann Example" in before, "Ann Example" in after, "home" in after) == (True, False, False)
    assert "You are signed out" in after
    assert is_let_in(token) is False


@pytest.fixture
def here(home: Home, ana: Home, sign_in: SignIn) -> Here:
    """What a page has in its hands, drawn for a reviewer."""
    sign_in(ana)
    app = AppTest.from_string(
        "import streamlit as st\nfrom pages.parts.identity import require\nst.session_state.here = require('reviewer')"
    ).run()
    found: Here = app.session_state.here
    return found


def test_who_is_signed_in_acts_under_their_name(home: Home, ana: Home, here: Here) -> None:
    home.add_role()
    thread_id = home.apply()

    here.app.act(here.actor, "park", lambda tx: park_thread(tx, here.actor, thread_id))

    assert home.thread(thread_id).thread.status == "parked"
    assert [(one["actor"], one["by"]) for one in home.audit("parked")] == [(ana.actor.member.id, "page")]


@pytest.mark.parametrize("go", [end_session, leave])
def test_a_click_on_a_page_drawn_before_signing_out_changes_nothing(
    home: Home, here: Here, go: Callable[[Home, str], None]
) -> None:
    home.add_role()
    thread_id = home.apply()
    go(home, here.app.token)

    with pytest.raises(NotAllowed, match="no longer signed in"):
        here.app.act(here.actor, "park", lambda tx: park_thread(tx, here.actor, thread_id))

    assert home.thread(thread_id).thread.status == "ready"
    assert [entry["wanted"] for entry in home.audit("refused")] == ["park"]


def test_a_click_on_a_page_drawn_under_other_access_changes_nothing(home: Home, here: Here) -> None:
    home.add_role()
    thread_id, owner = home.apply(), home.actor
    home.app.act(owner, "access", lambda tx: set_access(tx, owner, "ana@example.com", "viewer"))

    with pytest.raises(NotAllowed, match="was changed a moment ago"):
        here.app.act(here.actor, "park", lambda tx: park_thread(tx, here.actor, thread_id))

    assert home.thread(thread_id).thread.status == "ready"


@pytest.mark.parametrize("access", ["viewer", "reviewer", "owner"])
@pytest.mark.parametrize("asked", ["viewer", "reviewer", "owner"])
def test_a_page_is_for_its_access_and_those_above(home: Home, sign_in: SignIn, access: Access, asked: Access) -> None:
    sign_in(home.add_person("ben@example.com", access))
    ranks = ["viewer", "reviewer", "owner"]

    app = AppTest.from_string(
        f"import streamlit as st\nfrom pages.parts.identity import require\nrequire('{asked}')\nst.text('within')"
    ).run()

    assert (len(app.text) == 1) == (ranks.index(access) >= ranks.index(asked))


def test_a_viewer_looks_and_changes_nothing(home: Home, open_page: Open, sign_in: SignIn) -> None:
    home.add_role()
    thread_id = home.apply("Ann Example")
    viewer = home.add_person("vic@example.com", "viewer")
    sign_in(viewer)

    shown = drawn(open_page("runs"))
    with pytest.raises(NotAllowed, match="viewer and may not decide"):
        viewer.park(thread_id)

    assert "Ann Example" in shown


def test_a_session_shows_its_own_tenant_and_nothing_of_another(home: Home, open_page: Open, sign_in: SignIn) -> None:
    home.add_role()
    ours = home.apply("Ann Example")
    there = home.add_tenant("atlas")
    there.add_role("role-77")
    theirs = there.apply("Cara Example", "cara@example.org", role_id="role-77")
    sign_in(there)

    shown = {name: drawn(open_page(name, **address)) for name, address in (("runs", {}), ("run", {"id": theirs}))}
    foreign, missing = drawn(open_page("run", id=ours)), drawn(open_page("run", id="role-14/app-9999"))

    assert ["Cara Example" in one for one in shown.values()] == [True, True]
    assert ["Ann Example" in one for one in (*shown.values(), foreign)] == [False] * 3
    assert foreign.replace(ours, "ID") == missing.replace("role-14/app-9999", "ID")


@pytest.mark.parametrize(("ago", "is_touched"), [(59, False), (61, True)])
def test_a_click_keeps_a_session_awake_with_one_write_a_minute(
    home: Home, open_page: Open, ago: int, is_touched: bool
) -> None:
    app = open_page("runs")
    was = write_instant(real_now() - timedelta(seconds=ago))
    home.change("UPDATE sessions SET seen_at = :at", at=was)

    app.run()

    assert (home.look("SELECT seen_at FROM sessions") != [(was,)]) == is_touched


def test_a_page_that_redraws_itself_keeps_no_session_awake(home: Home, open_page: Open) -> None:
    app = open_page("runs")
    was = write_instant(real_now() - timedelta(hours=1))
    home.change("UPDATE sessions SET seen_at = :at", at=was)

    app.session_state[identity._UNASKED] = True
    app.run()

    assert home.look("SELECT seen_at FROM sessions") == [(was,)]
