"""Admit a packet before any money is spent, and keep its manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert

from core.context.tables import ManifestRow
from core.db.store import Tx
from core.errors import ContextOverBudget, OutcomeRefused
from core.steps import Item, Json, LeftOut, Packet, estimate_tokens
from core.vault.sealing import Keys

_manifests = ManifestRow.__table__  # type: ignore[attr-defined]
_ADD = insert(_manifests)

# Of an approval or an effect: somebody has yet to answer, or it has yet to happen. What is built on it would be wrong.
UNRESOLVED = frozenset({"pending", "planned", "sending", "unknown"})


@dataclass(frozen=True, slots=True)
class Admitted:
    """A packet that fits: the items that go, and what was left out of it and why."""

    packet: Packet
    items: tuple[Item, ...]
    filtered: tuple[Mapping[str, Json], ...] = ()


def admit(packet: Packet, slots: Sequence[str], thread_id: str) -> Admitted:
    """Answer what of a packet goes.

    Raises OutcomeRefused for an undeclared slot, ContextOverBudget where what must stay cannot fit: the required items,
    and among the optional ones whatever is unresolved.
    """
    for item in (*packet.required, *packet.optional):
        if item.slot not in slots:
            raise OutcomeRefused(f"{thread_id} would fill slot {item.slot!r}, which its workflow does not declare.")
    left = [_left_out(one) for one in packet.left_out]
    room = packet.budget_tokens - estimate_tokens(packet.instructions)
    room -= sum(estimate_tokens(item.text) for item in packet.required)
    if room < 0:
        raise ContextOverBudget(
            f"{thread_id}: what must be sent for {packet.purpose!r} is {packet.budget_tokens - room} tokens, "
            f"the budget is {packet.budget_tokens}. Nothing was sent."
        )
    going = list(packet.optional)
    # In the declared order, and never one that was declared earlier for the sake of a smaller one behind it.
    for item in sorted(packet.optional, key=lambda one: slots.index(one.slot), reverse=True):
        if sum(estimate_tokens(one.text) for one in going) <= room:
            break
        if item.value in UNRESOLVED:
            raise ContextOverBudget(
                f"{thread_id}: {item.source} {item.id} is {item.value} and would be dropped from {packet.purpose!r} to "
                f"fit {packet.budget_tokens} tokens. Nothing was sent; require it, or raise the budget."
            )
        going.remove(item)
        left.append({"source": item.source, "id": item.id, "reason": "over-budget"})
    return Admitted(packet, (*packet.required, *going), tuple(left))


def _left_out(one: LeftOut) -> dict[str, Json]:
    part = {"part": one.part} if one.part else {}
    return {"source": one.source, "id": one.id, "reason": one.reason} | part


@dataclass(frozen=True, slots=True)
class Manifest:
    """One call's manifest, to be written when its step settles."""

    admitted: Admitted
    step: str
    model: str


def write_manifests(tx: Tx, rows: Sequence[tuple[Keys, int, Sequence[Manifest]]], now: datetime) -> None:
    """Write the manifests of settled steps: for each thread its keys, its checkpoint's number, its calls."""
    written = [
        {
            "tenant_id": keys.tenant_id,
            "thread_id": keys.thread_id,
            "checkpoint": number,
            "n": n,
            "step": manifest.step,
            "purpose": manifest.admitted.packet.purpose,
            "model": manifest.model,
            "budget_tokens": manifest.admitted.packet.budget_tokens,
            "items": [_item(keys, item) for item in manifest.admitted.items],
            "filtered": list(manifest.admitted.filtered),
            "at": now,
        }
        for keys, number, manifests in rows
        for n, manifest in enumerate(manifests, 1)
    ]
    if written:
        tx.conn.execute(_ADD, written)


def _item(keys: Keys, item: Item) -> dict[str, Json]:
    kept: dict[str, Json] = {} if item.value is None else {"value": item.value}
    return kept | {
        "slot": item.slot,
        "source": item.source,
        "id": item.id,
        "version": item.version,
        "tokens": estimate_tokens(item.text),
        "hash": keys.hash(item.text)[:16],
    }
