from __future__ import annotations

import re

import pytest

from tests.homes import Home
from tests.pages.conftest import Open, drawn

PAGE = 50


def test_an_empty_home_says_how_a_run_begins(open_page: Open) -> None:
    shown = drawn(open_page("runs"))

    assert "No runs yet" in shown
    assert "No run matches" not in shown


def test_a_filter_that_finds_nothing_says_so_and_does_not_call_the_home_empty(home: Home, open_page: Open) -> None:
    home.add_role()
    home.apply()

    shown = [drawn(open_page("runs", find="nobody")), drawn(open_page("runs", status="Parked"))]

    assert ["No run matches" in one for one in shown] == [True, True]
    assert ["No runs yet" in one for one in shown] == [False, False]


def test_a_run_leads_to_its_page_and_says_what_it_waits_for(home: Home, open_page: Open) -> None:
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()

    shown = drawn(open_page("runs"))

    assert f'href="/run?id={thread_id}"' in shown
    assert "Ann Example" in shown
    assert "Waits for a person since Thu 20 Aug 10:00 BST" in shown


def test_every_status_that_there_is_has_its_count_and_its_word(home: Home, open_page: Open) -> None:
    home.add_role()
    home.apply("Ann Example", "ann@example.com")
    home.run()
    home.apply("Ben Example", "ben@example.com")

    shown = drawn(open_page("runs"))

    assert "<b>1</b> ready" in shown
    assert "<b>1</b> waiting for a person" in shown
    assert "parked" not in shown


def test_the_address_holds_status_and_name(home: Home, open_page: Open) -> None:
    home.add_role()
    home.apply("Ann Example", "ann@example.com")
    home.run()
    home.apply("Ben Example", "ben@example.com")

    by_status = drawn(open_page("runs", status="Ready"))
    by_name = drawn(open_page("runs", find="ann"))

    assert ("Ben Example" in by_status, "Ann Example" in by_status) == (True, False)
    assert ("Ben Example" in by_name, "Ann Example" in by_name) == (False, True)


def test_a_status_that_is_none_is_left_out_of_the_filter(home: Home, open_page: Open) -> None:
    home.add_role()
    home.apply()

    app = open_page("runs", status="Nonsense")

    assert app.session_state["status"] == "All"
    assert "Ann Example" in drawn(app)


def test_what_ended_stands_below_what_goes_on(home: Home, open_page: Open) -> None:
    home.add_role()
    ended = home.apply("Ann Example", "ann@example.com")
    home.run()
    home.decide(ended, "reject")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE threads SET status = 'completed', since_at = '2026-01-01T00:00:00.000Z'")
    open_one = home.apply("Ben Example", "ben@example.com")

    shown = drawn(open_page("runs"))

    assert shown.index(open_one) < shown.index(ended)


@pytest.fixture
def many(home: Home) -> Home:
    """Fifty-one runs, one more than a page."""
    home.add_role()
    for number in range(PAGE + 1):
        home.apply(f"Ann {number}", f"ann-{number}@example.com")
    return home


def test_a_page_holds_fifty_runs_and_the_next_the_rest(many: Home, open_page: Open) -> None:
    app = open_page("runs")
    first = drawn(app)

    app.button(key="runs.after").click().run()
    second = drawn(app)
    app.button(key="runs.before").click().run()

    assert (first.count("<tr>"), second.count("<tr>")) == (1 + PAGE, 1 + 1)
    assert drawn(app) == first


def test_no_run_is_shown_on_two_pages_and_none_on_no_page(many: Home, open_page: Open) -> None:
    app = open_page("runs", sort="opened", desc="1")
    shown = drawn(app)

    app.button(key="runs.after").click().run()

    ids = re.findall(r'href="/run\?id=(role-14/app-\d+)"', shown + drawn(app))
    assert sorted(ids) == [f"role-14/app-{number:04d}" for number in range(1, PAGE + 2)]


def test_another_filter_begins_at_its_first_page(many: Home, open_page: Open) -> None:
    app = open_page("runs")
    app.button(key="runs.after").click().run()

    app.text_input(key="find").set_value("ann").run()

    assert "at" not in app.query_params
    assert drawn(app).count("<tr>") == 1 + PAGE


def test_an_address_that_names_no_place_shows_the_first_page(many: Home, open_page: Open) -> None:
    assert drawn(open_page("runs", at="+~9~nonsense")).count("<tr>") == 1 + PAGE
