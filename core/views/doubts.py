"""What is known of effects of which nobody knows whether they happened, for the person who settles them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from core.effects.plan import Entry, read_payload
from core.review.read import approvals, list_approvals
from core.steps import Json
from core.vault.sealing import Vault


@dataclass(frozen=True, slots=True)
class Doubt:
    """One effect in doubt. `to` and `subject` are None where it has none, or where its keys are gone."""

    entry: Entry
    to: str | None
    subject: str | None


def read_doubts(conn: Connection, vault: Vault, entries: Sequence[Entry]) -> list[Doubt]:
    """Answer what is known of each unknown effect among these."""
    unknown = [entry for entry in entries if entry.status == "unknown"]
    return [_doubt(entry, _payload(conn, vault, entry)) for entry in unknown]


def _doubt(entry: Entry, payload: Mapping[str, Json]) -> Doubt:
    return Doubt(entry, payload.get("to"), payload.get("subject"))


def _payload(conn: Connection, vault: Vault, entry: Entry) -> Mapping[str, Json]:
    if entry.approval_id is not None:
        asked = list_approvals(conn, vault, entry.tenant_id, approvals.c.id == entry.approval_id)
        chosen = [one for approval in asked for one in approval.choices if one.key == entry.key]
        same = (one.payload for one in chosen if one.payload_hash == entry.payload_hash)
        return next(same, None) or {}
    keys = vault.keys_of(entry.tenant_id, [entry.thread_id]).get(entry.thread_id)
    return {} if keys is None else read_payload(conn, keys, entry)
