"""What the record holds of one thread, as far as anybody may ask after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Connection

from core.clock import iso
from core.effects.plan import Entry, find_entries
from core.keys import effect_key
from core.people.people import names_of
from core.review.read import Approval, list_readable, of_threads
from core.steps import Json
from core.threads.codec import Fields
from core.threads.load import StoredEvent, load_events, load_fields
from core.threads.rows import Thread
from core.vault.sealing import Vault
from core.views.sentence import sentence
from core.views.threads import questions_of, read_people_of

LETTERS = ("invite", "reminder", "decline")
DECISION = "review"


@dataclass(frozen=True, slots=True)
class Facts:
    """One thread's rows. `letters` are effects by the word that ends their key; `decisions` the newest one first."""

    thread: Thread
    name: str | None
    fields: Fields
    letters: Mapping[str, Entry]
    decisions: Sequence[Approval]
    asked: Sequence[str]
    bookings: Sequence[StoredEvent]
    people: Mapping[str, str]
    zone: ZoneInfo
    now: datetime

    def field(self, name: str) -> Json:
        """Answer one saved field as JSON, or None where it is not there."""
        return msgspec.json.decode(self.fields[name]) if name in self.fields else None

    @property
    def decision(self) -> Approval | None:
        """The newest question whose answer stands."""
        return next((one for one in self.decisions if one.is_decided), None)

    @property
    def rubric(self) -> Json:
        """The rubric's version: the one decided on, else the one scored under, else the one pinned."""
        under = self.decision.basis.get("rubric") if self.decision else None
        return under or self.field("rubric_version") or self.thread.configs.get("rubric")

    def decider(self) -> str:
        """Name who decided."""
        return self.people.get((self.decision and self.decision.decided_by) or "", "nobody")

    def row(self) -> dict[str, Json]:
        """Answer the row as JSON."""
        invite, decision = self.letters.get("invite"), self.decision
        return {
            "thread": self.thread.id,
            "name": self.name,
            "status": self.thread.status,
            "outcome": self.thread.outcome,
            "sentence": sentence(self.thread, self.zone, asked=self.asked),
            "applied_at": iso(self.thread.created_at),
            "total": self.field("total"),
            "rubric_version": self.rubric,
            "verdict": decision and decision.verdict,
            "decided_by": decision and self.decider(),
            "decided_at": decision and iso(decision.decided_at),
            "release_at": decision and iso(decision.release_at),
            "letters": {
                name: {"key": one.key, "status": one.status, "at": iso(one.done_at)}
                for name, one in self.letters.items()
            },
            "invited": invite is not None and invite.status == "done",
            "slot": self.field("slot"),
        }


def read_facts(
    conn: Connection, vault: Vault, tenant_id: str, threads: Sequence[Thread], zone: ZoneInfo, now: datetime
) -> list[Facts]:
    """Answer the facts of these threads of one tenant, in their order."""
    ids = [thread.id for thread in threads]
    keys = vault.keys_of(tenant_id, ids)
    fields = load_fields(conn, tenant_id, keys)
    names = read_people_of(conn, vault, tenant_id, ids)
    events = load_events(conn, tenant_id, keys, unconsumed=False)
    entries = find_entries(conn, tenant_id, [effect_key(one, name) for one in ids for name in LETTERS])
    approvals = list_readable(conn, vault, tenant_id, of_threads(ids))
    asked, people = questions_of(approvals), names_of(conn, tenant_id)
    return [
        Facts(
            thread=thread,
            name=names.get(thread.id),
            fields=fields.get(thread.id, {}),
            letters={name: entries[key] for name in LETTERS if (key := effect_key(thread.id, name)) in entries},
            decisions=_newest_first(approvals, thread.id),
            asked=asked.get(thread.id, ()),
            bookings=[one for one in events.get(thread.id, ()) if one.happened.name == "booking"],
            people=people,
            zone=zone,
            now=now,
        )
        for thread in threads
    ]


def _newest_first(approvals: Sequence[Approval], thread_id: str) -> list[Approval]:
    own = [one for one in approvals if one.thread_id == thread_id]
    return sorted(own, key=lambda one: (one.asked_at, one.id), reverse=True)
