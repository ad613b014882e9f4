"""One applicant of role 14 at the question, built once for the run and copied for each test."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from core.views.queue import list_queue
from tests.databases import chosen, copy_home
from tests.homes import CV, ROLE, Home, built, open_home

APPLIED = datetime(2026, 8, 18, 17, 0, tzinfo=UTC)
APPROVED = datetime(2026, 8, 19, 9, 0, tzinfo=UTC)
REMINDER = APPROVED + timedelta(hours=24)
DEADLINE = APPROVED + timedelta(hours=48)
HOLD = timedelta(minutes=15)
SECOND = timedelta(seconds=1)
THREAD = f"{ROLE}/app-0001"
FIFTEEN = CV + "Selected projects: labels, menus, a shop front.\n"
NAMELESS = "Ann Example\n" + FIFTEEN.removeprefix("{name}\n{email}\n")


def day_one(folder: Path, *, hold_seconds: int = 0, cv: str = FIFTEEN, email: str = "ann@example.com") -> Home:
    """Open a home in which one person has applied and the thread has been driven to its question."""
    copy_home(_day_one(chosen(), cv, email), folder / "home")
    return open_home(folder / "home", now=APPLIED, hold_seconds=hold_seconds)


@cache
def _day_one(_database: str, cv: str, email: str) -> Path:
    def build(folder: Path) -> Home:
        home = open_home(folder, now=APPLIED)
        home.add_role()
        home.apply(cv=cv, email=email)
        home.run()
        return home

    return built("day-one", build)


def day_two(folder: Path) -> Home:
    """Open that home on day two at 09:00, where an answer is held for 15 minutes."""
    return day_one(folder, hold_seconds=900).at(APPROVED)


def invited(folder: Path) -> Home:
    """Open a home in which the invite has left on day two at 09:00."""
    home = day_one(folder).at(APPROVED)
    home.decide(THREAD)
    home.run()
    return home


def letters_of(home: Home) -> list[str]:
    """Answer which letters stand in the outbox."""
    return sorted(home.mail(THREAD))


def sent_at(home: Home, letter: str) -> datetime | None:
    """Answer when the ledger says that a letter left."""
    return home.ledger(THREAD)[letter].done_at


def pending(home: Home) -> list[str]:
    """Answer the threads that the queue holds a question of."""
    with home.app.read() as conn:
        return [one.thread_id for one in list_queue(conn, home.app.vault, home.tenant_id)]
