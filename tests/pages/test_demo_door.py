"""The demo's owner comes in without a password: with the demo, on this machine, while nobody has one."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.desk.people import set_access
from tests.homes import ROLE_FILE, Home
from tests.pages.conftest import give_password
from tests.pages.forms import is_let_in, token_in
from tests.pages.test_http import HERE, NAMED, ORIGIN, client

BUTTON = "Continue as the demo"
OWNER = "owner@example.com"


@pytest.fixture
def demo(home: Home) -> Home:
    """A home whose role 14 the demo wrote."""
    contents = read_role(ROLE_FILE.read_text(), ROLE_FILE.name).contents
    marked = {**contents, "role": {**contents["role"], "demo": True}}
    actor = home.actor
    home.app.act(actor, "demo", lambda tx: add_role(tx, "home", "role-14", marked, by=actor.member.id, now=actor.now))
    return home


def ask(url: str = ORIGIN, caller: tuple[str, int] = HERE, **headers: str) -> tuple[bool, httpx2.Response]:
    """Answer whether the page offers the door, and what comes of pushing it."""
    visitor = client(url, caller)
    origin = headers.pop("origin", url)
    page = visitor.get("/login", headers=headers)
    return BUTTON in page.text, visitor.post(
        "/login", data={"demo": "yes", "next": "/runs"}, headers={**headers, "origin": origin}
    )


def test_the_page_offers_the_demos_owner_and_says_what_that_is(demo: Home) -> None:
    is_offered, answer = ask()

    assert (is_offered, answer.status_code, answer.headers["location"]) == (True, 303, "/runs")
    assert is_let_in(token_in(answer))
    assert (
        "A role and invented applicants. Its owner needs no password, on this machine only"
        in client().get("/login").text
    )
    assert [(one["actor"], one["by"]) for one in demo.audit("signed_in")] == [(demo.actor.member.id, "demo")]


def refused(asked: tuple[bool, httpx2.Response]) -> tuple[bool, int, bool]:
    is_offered, answer = asked
    return is_offered, answer.status_code, "set-cookie" in answer.headers


def test_without_a_demo_there_is_no_such_door(home: Home) -> None:
    assert refused(ask()) == (False, 404, False)


def test_a_role_14_that_somebody_wrote_is_no_demo(home: Home) -> None:
    home.add_role("role-14")

    assert refused(ask()) == (False, 404, False)


def test_another_tenant_has_no_demo_because_this_one_has(demo: Home) -> None:
    demo.add_tenant("atlas")

    answer = client().post("/login", data={"demo": "yes", "tenant": "atlas"}, headers={"origin": ORIGIN})

    assert (BUTTON in client().get("/login?tenant=atlas").text, answer.status_code) == (False, 404)


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"])
def test_through_a_proxy_the_door_is_shut(demo: Home, header: str) -> None:
    assert refused(ask(**{header: "192.0.2.9"})) == (False, 403, False)


def test_from_another_machine_the_door_is_shut(demo: Home) -> None:
    assert refused(ask(caller=("192.0.2.9", 50000))) == (False, 403, False)


@pytest.mark.parametrize("url", [NAMED, "http://127.0.0.1:8501", "http://192.0.2.7:8501"])
def test_where_others_have_an_address_to_type_the_door_is_shut(
    demo: Home, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DAYBOOK_BASE_URL", NAMED)
    headers: dict[str, Any] = {} if url == "http://127.0.0.1:8501" else {"host": "daybook.example.com", "origin": NAMED}

    assert refused(ask(url, **headers)) == (False, 403, False)


def test_once_somebody_has_a_password_everybody_needs_one(demo: Home) -> None:
    demo.add_person("ana@example.com")
    give_password(demo, "ana@example.com")

    assert refused(ask()) == (False, 403, False)


def test_an_owner_who_left_is_not_the_demos_owner(demo: Home) -> None:
    demo.add_person("another@example.com", "owner")
    by = demo.acted_by("another@example.com").actor
    demo.app.act(by, "access", lambda tx: set_access(tx, by, OWNER, None))

    ask()

    assert [one["actor"] for one in demo.audit("signed_in")] == [by.member.id]
