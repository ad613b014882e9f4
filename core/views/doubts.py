"""What is known of effects of which nobody knows whether they happened, for the person who settles them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import Connection, select

from core.effects.plan import Entry, effects
from core.review.read import PAYLOAD_RULE, approvals, list_approvals
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
    here = (effects.c.tenant_id == entry.tenant_id, effects.c.key == entry.key)
    sealed = conn.execute(select(effects.c.payload).where(*here)).scalar_one_or_none()
    keys = vault.keys_of(entry.tenant_id, [entry.thread_id]).get(entry.thread_id)
    if sealed is None or keys is None:
        return {}
    opened: Mapping[str, Json] = msgspec.json.decode(keys.open(PAYLOAD_RULE, "effects", entry.key, sealed))
    return opened
