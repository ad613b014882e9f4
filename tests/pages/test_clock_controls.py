"""The clock of a fixture tenant is moved from any page, by its owner."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.people.tenants import get_tenant
from core.web import close_app
from tests.contracts.test_clock import on_fixture_clock
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn

CONTROLS = ["Jump to the next due time", "+1 h", "+1 day"]


@pytest.fixture
def unheld(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose pages run without DAYBOOK_NOW, on a fixture clock."""
    monkeypatch.delenv("DAYBOOK_NOW")
    close_app()
    return on_fixture_clock(home)


def controls(app: AppTest) -> list[str]:
    return [one.label for one in app.button if (one.key or "").startswith("clock.")]


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [one for one in app.button if one.label == label]
    return button.click().run()


def clock(home: Home) -> str:
    with home.app.read() as conn:
        return f"{get_tenant(conn, home.tenant_id).now(None):%d %H:%M}"


@pytest.mark.parametrize("page", ["today", "review", "runs", "applications", "memory", "costs", "settings"])
def test_an_owner_has_the_controls_on_every_page(unheld: Home, open_page: Open, page: str) -> None:
    assert controls(open_page(page)) == CONTROLS


def test_a_press_moves_the_clock_and_the_page_shows_the_new_time(unheld: Home, open_page: Open) -> None:
    app = press(open_page("today"), "+1 h")
    an_hour = clock(unheld)
    press(app, "+1 day")

    assert (an_hour, clock(unheld)) == ("20 10:00", "21 10:00")
    assert "It is Fri 21 Aug 11:00 BST here until an owner moves the clock." in drawn(app)
    assert app.toast[0].value == "It is Fri 21 Aug 11:00 BST now."


def test_a_jump_leads_to_what_is_due_next_and_says_so_where_nothing_is(unheld: Home, open_page: Open) -> None:
    app = press(open_page("today"), CONTROLS[0])
    stood = app.toast[0].value
    unheld.add_role()
    thread_id = unheld.apply("Ann Example")
    unheld.run()
    unheld.decide(thread_id)  # held for a quarter of an hour
    press(app, CONTROLS[0])

    assert stood.startswith("It is still Thu 20 Aug")
    assert clock(unheld) == "20 09:15"


def test_a_real_clock_has_no_controls(unheld: Home, open_page: Open) -> None:
    unheld.change("UPDATE tenants SET clock = 'real', clock_start_at = NULL")

    assert controls(open_page("today")) == []


def test_a_held_clock_has_no_controls(home: Home, open_page: Open) -> None:
    on_fixture_clock(home)

    assert controls(open_page("today")) == []


@pytest.mark.parametrize("access", ["reviewer", "viewer"])
def test_nobody_but_an_owner_has_the_controls(unheld: Home, open_page: Open, sign_in: SignIn, access: str) -> None:
    sign_in(unheld.add_person("ana@example.com", access))  # type: ignore[arg-type]

    assert controls(open_page("today")) == []


def test_a_page_drawn_for_an_owner_moves_nothing_for_one_who_is_no_owner_now(unheld: Home, open_page: Open) -> None:
    app = open_page("today")
    unheld.change("UPDATE people SET access = 'reviewer'")
    press(app, "+1 h")

    assert clock(unheld) == "20 09:00"
    assert controls(app) == []
