"""A fixture tenant's clock: moved by an owner alone, forward alone, and never where it would show nowhere."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START, iso
from core.desk.clock import advance_clock, jump_clock
from core.desk.duties import set_duty_time
from core.duties.calendar import read_rule
from core.errors import ClockIsHeld, ClockIsReal, NotAllowed
from core.people.tenants import get_tenant
from tests.contracts.command_line import CommandLine
from tests.homes import Home, open_home

HOUR = timedelta(hours=1)


@pytest.fixture
def real(tmp_path: Path) -> Home:
    """A tenant on the real clock."""
    return open_home(tmp_path / "home")


@pytest.fixture
def fixture(real: Home) -> Home:
    """A tenant on a fixture clock."""
    return on_fixture_clock(real)


def on_fixture_clock(home: Home) -> Home:
    home.change(
        "UPDATE tenants SET clock = 'fixture', clock_start_at = '2026-08-20T09:00:00.000Z', clock_offset_ms = 0"
        f" WHERE id = '{home.tenant_id}'"
    )
    return home


def advance(home: Home, span: timedelta, held_at: datetime | None = None) -> datetime:
    actor = home.actor
    return home.app.act(actor, "clock advance", lambda tx: advance_clock(tx, actor, span, held_at=held_at))


def jump(home: Home, held_at: datetime | None = None) -> datetime:
    actor = home.actor
    return home.app.act(actor, "clock next", lambda tx: jump_clock(tx, actor, held_at=held_at))


def stands_at(home: Home) -> datetime:
    with home.app.read() as conn:
        return get_tenant(conn, home.tenant_id).now(None)


def test_every_press_counts_also_from_a_page_that_was_drawn_before_the_last_one(fixture: Home) -> None:
    actor = fixture.actor
    for _ in range(2):  # the actor knows the clock as it stood before
        fixture.app.act(actor, "clock advance", lambda tx: advance_clock(tx, actor, HOUR, held_at=None))

    assert stands_at(fixture) == FIXTURE_START + 2 * HOUR


def test_each_move_is_in_the_audit_log_with_who_and_from_where_to_where(fixture: Home) -> None:
    advance(fixture, HOUR)

    (moved,) = fixture.audit("clock_moved")
    assert (moved["actor"], moved["before"], moved["to"]) == (
        fixture.actor.member.id, "2026-08-20T09:00:00Z", "2026-08-20T10:00:00Z",
    )  # fmt: skip
    assert fixture.verify() == []


@pytest.mark.parametrize("access", ["reviewer", "viewer"])
def test_nobody_but_an_owner_moves_a_clock(fixture: Home, access: str) -> None:
    other = fixture.add_person("ana@example.com", access)  # type: ignore[arg-type]

    for move in (lambda: advance(other, HOUR), lambda: jump(other)):
        with pytest.raises(NotAllowed):
            move()
    assert stands_at(fixture) == FIXTURE_START


def test_a_real_clock_is_moved_by_nobody(real: Home) -> None:
    for move in (lambda: advance(real, HOUR), lambda: jump(real)):
        with pytest.raises(ClockIsReal):
            move()


def test_a_clock_that_is_held_is_moved_by_nobody(fixture: Home) -> None:
    for move in (lambda: advance(fixture, HOUR, FIXTURE_START), lambda: jump(fixture, FIXTURE_START)):
        with pytest.raises(ClockIsHeld, match="DAYBOOK_NOW holds every clock at 2026-08-20T09:00:00Z"):
            move()
    assert stands_at(fixture) == FIXTURE_START


def test_a_jump_leads_to_the_next_due_time_of_a_duty_too_and_stands_where_nothing_is_due(fixture: Home) -> None:
    nowhere = jump(fixture)
    actor, rule = fixture.actor, read_rule("11:30", "UTC", None)
    fixture.app.act(actor, "duty set", lambda tx: set_duty_time(tx, actor, "memory-sweep", rule))

    assert (nowhere, jump(fixture), jump(fixture)) == (
        FIXTURE_START, FIXTURE_START + 2.5 * HOUR, FIXTURE_START + 2.5 * HOUR,
    )  # fmt: skip


def test_the_command_refuses_to_move_what_would_not_show(at: CommandLine) -> None:
    said = at.run("clock", "advance", "1h", "--tenant", "atlas")

    assert (said.exit, said.code) == (3, "clock_is_held")
    at.patch.delenv("DAYBOOK_NOW")
    assert at.read("clock", "show", "--tenant", "atlas")["now"] == iso(FIXTURE_START)
