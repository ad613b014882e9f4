"""The address of a resume token: sign-in, then the run's page; it changes nothing (contract C12)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from core.desk.people import set_access
from core.desk.tokens import make_token
from core.web import COOKIE
from tests.homes import Home
from tests.pages.conftest import session_of
from tests.pages.test_http import client


@pytest.fixture
def thread(home: Home) -> str:
    home.add_role()
    thread = home.apply()
    home.run()
    return thread


def address(home: Home, thread: str) -> str:
    with home.app.read() as conn:
        return f"/resume/{make_token(conn, home.app.vault, home.tenant_id, thread)[0]}"


def test_a_visitor_is_led_to_sign_in_and_back(home: Home, thread: str) -> None:
    there = address(home, thread)
    answer = client().get(there)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/login?next={quote(there, safe='')}")


def test_whoever_may_decide_is_led_to_the_runs_page_and_nothing_changes(home: Home, thread: str) -> None:
    before = home.look("SELECT * FROM threads"), home.look("SELECT COUNT(*) FROM audit_links")
    answer = client(cookies={COOKIE: session_of(home)}).get(address(home, thread))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/run?id={quote(thread)}")
    assert (home.look("SELECT * FROM threads"), home.look("SELECT COUNT(*) FROM audit_links")) == before


def test_a_foreign_person_a_viewer_and_a_moved_thread_are_refused_and_logged(home: Home, thread: str) -> None:
    there = address(home, thread)
    other, viewer = home.add_tenant("other"), home.add_person("vic@example.com", "viewer")
    home.with_hold(0).decide(thread)
    answers = {}
    for who, name in ((other, "foreign"), (viewer, "viewer")):
        answers[name] = client(cookies={COOKIE: session_of(who)}).get(there)
    home.run()
    answers["moved"] = client(cookies={COOKIE: session_of(home)}).get(there)
    assert {name: one.status_code for name, one in answers.items()} == {"foreign": 404, "viewer": 403, "moved": 409}
    assert thread not in answers["foreign"].text
    assert [one["code"] for one in home.audit("refused")] == ["not_allowed", "stale_version"]
    assert [one["code"] for one in other.audit("refused")] == ["not_found"]


def test_a_leaver_is_asked_to_sign_in(home: Home, thread: str) -> None:
    leaver = home.add_person("lee@example.com")
    session, there, actor = session_of(leaver), address(home, thread), home.actor
    home.app.act(actor, "person access", lambda tx: set_access(tx, actor, "lee@example.com", None))
    answer = client(cookies={COOKIE: session}).get(there)
    assert answer.headers["location"].startswith("/login")


def test_what_is_no_token_is_refused(home: Home, tmp_path: Path) -> None:
    answer = client(cookies={COOKIE: session_of(home)}).get("/resume/letmein")
    assert (answer.status_code, "no resume token" in answer.text) == (400, True)
