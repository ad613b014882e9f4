"""When a record expires: its rule's event sets the date anew, never beyond its kind's longest life (contract C7)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.memory.expiry import months_after, role_closed, rubric_changed
from core.memory.kinds import KINDS
from core.memory.memory import remember as remember_in
from core.steps import Record, Rule
from tests.contracts.remembering import DAY, KEY, TEXT, look, reasons, remember, texts
from tests.homes import ROLE, Home, open_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path / "home")


@pytest.fixture
def anchored(home: Home) -> Home:
    home.add_role()
    thread = home.apply()
    keys = home.app.vault.keys("home", thread)
    with home.app.write() as tx:
        for kind, rule in (("application", Rule.CLOSE_6_MONTHS), ("override", Rule.NEXT_RUBRIC)):
            record = Record(kind, KEY, TEXT, 1.0, rule)
            remember_in(tx, home.app.vault, keys, record, source_ref="x", now=FIXTURE_START, anchor_id=ROLE)
    return home


@pytest.mark.seed("screen.retention.earlier")
def test_a_closed_role_sets_its_records_to_expire_six_months_later(anchored: Home) -> None:
    closed = FIXTURE_START + 10 * DAY
    with anchored.app.write() as tx:
        assert (role_closed(tx, "home", ROLE, closed), role_closed(tx, "other", ROLE, closed)) == (1, 0)
    assert look(anchored, kind="application").used[0].expires_at == months_after(closed, 6)
    assert look(anchored, kind="override").used[0].expires_at == FIXTURE_START + KINDS["override"].longest


@pytest.mark.seed("screen.retention.overrides")
def test_a_new_rubric_ends_what_was_remembered_of_the_version_before(anchored: Home) -> None:
    with anchored.app.write() as tx:
        rubric_changed(tx, "home", ROLE, FIXTURE_START + DAY)
    after = anchored.at(FIXTURE_START + DAY)
    assert (look(after, kind="override").used, texts(look(after, kind="application"))) == ((), [TEXT])


def test_a_rules_event_never_lengthens_a_life_beyond_its_kind(anchored: Home) -> None:
    late = FIXTURE_START + KINDS["application"].longest - DAY
    with anchored.app.write() as tx:
        role_closed(tx, "home", ROLE, late)
    expires = look(anchored, kind="application").used[0].expires_at
    assert expires == FIXTURE_START + KINDS["application"].longest


# By the acts themselves


@pytest.fixture
def about(home: Home) -> Home:
    """One record about an applicant of the role, and one about nobody's thread, under the same key."""
    home.add_role()
    remember(home, thread_id=home.apply())
    remember(home, key="office", expires_at=FIXTURE_START + 100 * DAY)
    return home


CLOSED_AT = FIXTURE_START + 10 * DAY


def dates(home: Home) -> tuple[datetime, datetime]:
    return look(home).used[0].expires_at, look(home, key="office").used[0].expires_at


def test_closing_a_role_dates_what_is_known_of_its_applicants_and_nothing_else(about: Home) -> None:
    home = about.at(CLOSED_AT)
    home.close_role()
    assert dates(home) == (months_after(CLOSED_AT, 6), FIXTURE_START + 100 * DAY)


def test_a_role_that_opens_again_gives_its_records_their_date_back_until_it_closes_again(about: Home) -> None:
    about.at(CLOSED_AT).close_role()
    about.at(CLOSED_AT + DAY).reopen_role()
    assert dates(about)[0] == FIXTURE_START + KINDS["fact"].longest
    again = CLOSED_AT + 60 * DAY
    about.at(again).close_role()
    assert dates(about)[0] == months_after(again, 6)


def test_a_role_that_opens_again_brings_no_expired_record_back(about: Home) -> None:
    about.at(CLOSED_AT).close_role()
    late = about.at(months_after(CLOSED_AT, 6))
    late.reopen_role()
    assert (look(late).used, reasons(look(late)).popitem()[1]) == ((), "expired")


def test_a_record_that_was_to_end_sooner_keeps_its_date_whatever_becomes_of_the_role(home: Home) -> None:
    home.add_role()
    soon = FIXTURE_START + 30 * DAY
    remember(home, thread_id=home.apply(), expires_at=soon)
    home.at(CLOSED_AT).close_role()
    assert look(home).used[0].expires_at == soon
    home.at(CLOSED_AT).reopen_role()
    assert look(home).used[0].expires_at == soon


@pytest.mark.parametrize(
    ("at", "then"), [("2026-08-31", "2027-02-28"), ("2026-01-15", "2026-07-15"), ("2027-08-30", "2028-02-29")]
)
def test_six_months_end_on_the_same_day_or_the_last_of_the_month(at: str, then: str) -> None:
    assert months_after(datetime.fromisoformat(f"{at}T00:00:00+00:00"), 6).date().isoformat() == then
