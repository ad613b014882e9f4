"""An invitation as the page of its letter shows it: what may be chosen, until when, and what stands already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import msgspec
from sqlalchemy import Connection

from core.catalog.configs import get_config, newest_versions
from core.catalog.roles import find_role
from core.effects.plan import find_entries
from core.errors import SealedForErased
from core.keys import effect_key
from core.steps import Happened, Json
from core.threads.codec import Fields
from core.threads.links import Found, list_taken
from core.threads.load import load_events, load_fields
from core.threads.rows import Thread, find_thread
from core.vault.sealing import Vault
from core.vault.subjects import refuse_erased

ANSWERS = ("booking", "withdraw")
_INSTANT = msgspec.json.Decoder(datetime | None)
Stands = Literal["open", "booked", "withdrawn", "over", "closed"]


@dataclass(frozen=True, slots=True)
class Invitation:
    """`stands` is `over` where the time passed or the run ended another way, `closed` where it is not open just now."""

    link: Found
    thread: Thread
    role_title: str
    booking: Mapping[str, Json]
    free: Sequence[datetime]
    deadline: datetime | None
    stands: Stands
    slot: datetime | None = None


def read_invitation(conn: Connection, vault: Vault, link: Found, now: datetime) -> Invitation | None:
    """Answer what a link's page shows, or None where nothing of it is left or its letter never left."""
    thread = find_thread(conn, link.tenant_id, link.thread_id)
    keys = vault.keys_of(link.tenant_id, [link.thread_id])
    if thread is None or thread.status == "erased" or thread.role_id is None or not keys or not _left(conn, link):
        return None
    try:
        refuse_erased(conn, link.tenant_id, thread.subject_id)
        fields = load_fields(conn, link.tenant_id, keys)[link.thread_id]
        events = [one.happened for one in load_events(conn, link.tenant_id, keys, unconsumed=False)[link.thread_id]]
    except (SealedForErased, KeyError):
        return None
    role = find_role(conn, link.tenant_id, thread.role_id)
    booking = _booking(conn, link.tenant_id, thread.role_id)
    deadline = _instant(fields, "deadline")
    stands, slot = _stands(thread, fields, events, deadline, now)
    taken = list_taken(conn, link.tenant_id, thread.role_id)
    return Invitation(
        link=link,
        thread=thread,
        role_title="" if role is None else role.title,
        booking=booking,
        free=[at for at in map(_read, booking["slots"]) if at > now and at not in taken],
        deadline=deadline,
        stands=stands,
        slot=slot,
    )


def _left(conn: Connection, link: Found) -> bool:
    key = effect_key(link.thread_id, link.letter)
    entry = find_entries(conn, link.tenant_id, [key]).get(key)
    return entry is not None and entry.status == "done"


def _booking(conn: Connection, tenant_id: str, role_id: str) -> Mapping[str, Json]:
    """Answer the newest word on how a time is chosen: the page shows what is free now, whatever the letter knew."""
    version = newest_versions(conn, tenant_id, role_id).get("booking", 0)
    return get_config(conn, tenant_id, role_id, "booking", version).content


def _stands(
    thread: Thread, fields: Fields, events: Sequence[Happened], deadline: datetime | None, now: datetime
) -> tuple[Stands, datetime | None]:
    if thread.has_ended:
        ended: dict[str | None, Stands] = {"booked": "booked", "withdrawn": "withdrawn"}
        return ended.get(thread.outcome, "over"), _instant(fields, "slot")
    if deadline is None:
        return "closed", None
    answer = next((one for one in events if one.name in ANSWERS and not one.late and one.received_at < deadline), None)
    if answer is not None:
        return ("booked", _read(answer.data["slot"])) if answer.name == "booking" else ("withdrawn", None)
    return ("over" if now >= deadline else "open"), None


def _instant(fields: Fields, name: str) -> datetime | None:
    return _INSTANT.decode(fields[name]) if name in fields else None


def _read(text: str) -> datetime:
    return datetime.fromisoformat(text.strip()).astimezone(UTC)
