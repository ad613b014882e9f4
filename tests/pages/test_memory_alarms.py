"""A passed bound is said where people look: on Today and on the Memory page; and nothing is said where none was."""

from __future__ import annotations

import pytest

from core.memory.alarms import Bounds
from core.web import current_app
from tests.contracts.remembering import remember
from tests.homes import Home
from tests.pages.conftest import Open, drawn
from tests.pages.test_around_pages import MOST_STATEMENTS, counted


@pytest.fixture
def tight(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Pages of a home with a bound of two records."""
    monkeypatch.setattr("core.bootstrap.wiring.read_bounds", lambda _: Bounds(2, 2))
    return home


@pytest.mark.parametrize("page", ["today", "memory"])
@pytest.mark.parametrize(("count", "is_said"), [(2, False), (3, True)])
def test_a_source_that_writes_too_much_is_named(
    tight: Home, open_page: Open, page: str, count: int, is_said: bool
) -> None:
    for number in range(count):
        remember(tight, f"Fact {number}.", key=str(number), source="invoices")
    shown = drawn(open_page(page))
    assert ("<bdi>invoices</bdi> writes much" in shown, "the bound is 2" in shown) == (is_said, is_said)


@pytest.mark.parametrize("page", ["today", "memory"])
@pytest.mark.parametrize(("readers", "is_said"), [(2, False), (3, True)])
def test_a_record_that_reaches_too_many_people_is_named(
    tight: Home, open_page: Open, page: str, readers: int, is_said: bool
) -> None:
    line = remember(tight)
    tight.add_role()
    for number in range(readers):
        thread = tight.apply(f"Ann Example{number}", f"ann{number}@example.com")
        tight.change(
            "INSERT INTO memory_reads (tenant_id, thread_id, memory_id, at)"
            " VALUES ('home', :thread, :memory, '2026-08-20T09:00:00.000Z')",
            thread=thread, memory=line.id,
        )  # fmt: skip
    shown = drawn(open_page(page))
    assert (f"{line.id}</code> reaches many people" in shown, "of 3 people" in shown) == (is_said, is_said)


def test_today_says_that_records_wait_for_a_person(home: Home, open_page: Open) -> None:
    assert "Nothing is wrong." not in drawn(open_page("today"))  # no worker runs
    assert "/memory?state=" not in drawn(open_page("today"))
    remember(home)
    remember(home, "Harbour is billed by the month.")
    remember(home, "Heard in a letter.", key="heard", origin="document")
    shown = drawn(open_page("today"))
    assert ("/memory?state=Contested" in shown, "/memory?state=Quarantined" in shown) == (True, True)


def test_today_is_drawn_from_a_few_statements_with_an_alarm(tight: Home, open_page: Open) -> None:
    for number in range(3):
        remember(tight, f"Fact {number}.", key=str(number), source="invoices")
    app = open_page("today")
    with counted() as statements:
        app.run()
    assert 0 < len(statements) <= MOST_STATEMENTS, statements
    assert current_app().bounds == Bounds(2, 2)
