"""The morning digest from rows: what waits, which interviews are ahead, what fires next, what happened, what is wrong.

It names runs by their ids and nobody by name, for a letter is kept where no retention rule reaches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection, select

from core.threads.load import load_fields
from core.threads.rows import threads
from core.vault.sealing import Vault
from core.views.sentence import say_time
from core.views.today import Place, Today, read_today
from core.views.today_rows import AHEAD, SHOWN

# A booking lies no longer ahead than that; whoever booked earlier has had their interview.
BOOKED_WITHIN = timedelta(days=60)
MOST_BOOKED = 500


@dataclass(frozen=True, slots=True)
class Interview:
    """A booked slot that lies ahead."""

    at: datetime
    thread_id: str


@dataclass(frozen=True, slots=True)
class Letter:
    """What a digest says."""

    subject: str
    body: str


def write_digest(
    conn: Connection, vault: Vault, tenant_id: str, now: datetime, zone: ZoneInfo, base_url: str
) -> Letter:
    """Write the digest of a tenant at an instant; its links only show."""
    today = read_today(conn, vault, tenant_id, now, Place())
    ahead = list_interviews(conn, vault, tenant_id, now)
    count = today.figures.waiting
    subject = f"{now.astimezone(zone):%a %-d %b}: {_plural(count, 'question waits', 'questions wait')} for you"
    if not count:
        subject = f"{now.astimezone(zone):%a %-d %b}: nothing waits for you"
    parts = [
        _waits(today, zone, base_url), _interviews(ahead, zone, base_url), _fires(today, zone, base_url),
        _lately(today), _wrong(today), [f"Everything, as it is now: {base_url}/"],
        ["The links only show; nothing is decided by opening them."],
    ]  # fmt: skip
    return Letter(subject, "\n\n".join("\n".join(part) for part in parts) + "\n")


def list_interviews(conn: Connection, vault: Vault, tenant_id: str, now: datetime) -> list[Interview]:
    """Answer the slots that were booked and lie ahead within 48 hours, of the MOST_BOOKED newest bookings."""
    t = threads.c
    booked = select(t.id).where(
        t.tenant_id == tenant_id, t.status == "completed", t.outcome == "booked", ~t.is_sandbox,
        t.since_at > now - BOOKED_WITHIN,
    ).order_by(t.since_at.desc()).limit(MOST_BOOKED)  # fmt: skip
    ids = list(conn.execute(booked).scalars())
    fields = load_fields(conn, tenant_id, vault.keys_of(tenant_id, ids))
    slots = [
        Interview(msgspec.json.decode(one["slot"], type=datetime), thread_id)
        for thread_id, one in fields.items()
        if one.get("slot", b"null") != b"null"
    ]
    return sorted((one for one in slots if now < one.at <= now + AHEAD), key=lambda one: (one.at, one.thread_id))


def _waits(today: Today, zone: ZoneInfo, base_url: str) -> list[str]:
    figures = today.figures
    if not figures.waiting:
        return ["Nothing waits for you."]
    more = f", {figures.past_due} past due" if figures.past_due else ""
    head = f"{_plural(figures.waiting, 'question waits', 'questions wait')} for you{more}: {base_url}/review"
    lines = [f"due {say_time(one.at, zone)}  {_run(one.thread_id, base_url)}" for one in today.waiting]
    return [head, *_lines(lines, figures.waiting)]


def _interviews(ahead: Sequence[Interview], zone: ZoneInfo, base_url: str) -> list[str]:
    if not ahead:
        return ["No interview is booked within 48 hours."]
    lines = [f"{say_time(one.at, zone)}  {_run(one.thread_id, base_url)}" for one in ahead[:SHOWN]]
    return [f"{_plural(len(ahead), 'interview', 'interviews')} within 48 hours:", *_lines(lines, len(ahead))]


def _fires(today: Today, zone: ZoneInfo, base_url: str) -> list[str]:
    if not today.fires:
        return ["Nothing fires by itself within 48 hours."]
    lines = [
        f"{say_time(one.at, zone)}  {_what(one.what, one.detail)}  {_run(one.thread_id, base_url)}"
        for one in today.fires
    ]
    head = f"{_plural(today.figures.fires, 'timer fires', 'timers fire')} within 48 hours:"
    return [head, *_lines(lines, today.figures.fires)]


def _what(what: str, detail: str | None) -> str:
    if what == "retry":
        return "the step is tried again"
    return f"the wait for {detail} ends" if what == "window" else detail or "it goes on"


def _lately(today: Today) -> list[str]:
    counted = ", ".join(f"{count} {_DONE.get(what, what)}" for what, count in sorted(today.figures.lately.items()))
    return [f"In the last 24 hours: {counted.replace('_', ' ') or 'nothing left and nothing ended'}."]


_DONE = {"mail": "sent"}


def _wrong(today: Today) -> list[str]:
    said = ", ".join(_wrongs(today))
    return [f"What is wrong: {said}." if said else "Nothing is wrong."]


def _wrongs(today: Today) -> Iterator[str]:
    figures = today.figures
    if figures.unknown:
        yield f"{figures.unknown} of which nobody knows whether it was sent"
    if figures.parked:
        yield f"{figures.parked} parked"
    if figures.overdue:
        yield f"{figures.overdue} overdue"


def _run(thread_id: str, base_url: str) -> str:
    return f"{thread_id}  {base_url}/run?id={quote(thread_id)}"


def _lines(lines: Sequence[str], of: int) -> list[str]:
    rest = of - len(lines)
    return [*(f"  {line}" for line in lines), *([f"  and {rest} more"] if rest else [])]


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
