"""A packet's manifest, field by field: as it was sent at a step, or as it would be sent now.

The content is not kept. What a manifest names can be looked up again where it still stands: `stands` says whether what
is there now is word for word what was sent, whether it changed since, or is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal

from sqlalchemy import Connection, select

from core.context.packets import Admitted, admit
from core.context.sources import RowSources
from core.context.tables import ManifestRow
from core.errors import BadInput, NotFound
from core.memory.reading import Read
from core.steps import Document, Item, Json, Packet, Person, State, Workflow, estimate_tokens
from core.threads.codec import codec_of
from core.threads.load import load_fields
from core.threads.pinned import get_pinned
from core.threads.rows import Thread
from core.vault.sealing import Keys, Vault
from core.vault.subjects import read_people

_manifests = ManifestRow.__table__  # type: ignore[attr-defined]
_NOBODY = Person(name=None, email=None, form={}, version=0)
Stands = Literal["same", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item: what the manifest keeps of it. `stands` is None where it was not compared."""

    slot: str
    source: str
    id: str
    version: int
    tokens: int
    value: str | None
    stands: Stands | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A packet as a manifest has it. `checkpoint` is None where it is what would be sent now."""

    thread_id: str
    step: str
    checkpoint: int | None
    budget_tokens: int
    items: tuple[ShownItem, ...]
    filtered: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A packet as it would be sent now, and what was read of memory for it."""

    admitted: Admitted
    reads: tuple[Read, ...]

    def shown(self, thread: Thread) -> Shown:
        """Answer it as a manifest would have it."""
        items = tuple(
            ShownItem(one.slot, one.source, one.id, one.version, estimate_tokens(one.text), one.value)
            for one in self.admitted.items
        )
        return Shown(thread.id, thread.step, None, self.admitted.packet.budget_tokens, items, self.admitted.filtered)


def build_now(  # noqa: PLR0913 - a snapshot, of which thread, as of when
    conn: Connection,
    vault: Vault,
    thread: Thread,
    workflow: Workflow | None,
    now: datetime,
    read_file: Callable[[Keys, str], Document],
    supposed: Mapping[str, str | None] | None = None,
) -> Built:
    """Build what would be sent now, for an ended thread too; raises BadInput where its workflow sends nothing.

    `supposed` is as in core.memory.reading.Wanted: what would be sent if memory stood otherwise.
    """
    if workflow is None or workflow.context is None:
        raise BadInput(f"{thread.id} follows workflow {thread.workflow}, which sends nothing to a model.")
    keys = vault.keys(thread.tenant_id, thread.id)
    state: State = codec_of(workflow.state).decode(
        load_fields(conn, thread.tenant_id, {thread.id: keys})[thread.id], thread.id
    )
    person = read_people(conn, thread.tenant_id, {thread.id: keys}).get(thread.id, _NOBODY)
    sources = RowSources(
        conn, vault, thread, keys, person, now, lambda ref: read_file(keys, ref), partial(get_pinned, conn, thread),
        supposed,
    )  # fmt: skip
    packet = build_packet(sources, workflow, state)
    return Built(admit(packet, workflow.slots, thread.id), tuple(sources.reads))


def build_packet(sources: RowSources, workflow: Workflow, state: State) -> Packet:
    """Build a workflow's packet from a snapshot, with what was left out of it."""
    assert workflow.context is not None  # noqa: S101 - whoever calls has looked
    packet = workflow.context(sources, state)
    return replace(packet, left_out=(*packet.left_out, *sources.left_out))


def as_sent(conn: Connection, keys: Keys, thread: Thread, step: str, now: Admitted | None) -> Shown:
    """Answer the manifest of a step's newest call, named by the step or by the number of its checkpoint.

    `now` is what would be sent now, to hold what was sent against; raises NotFound where that step sent nothing.
    """
    rows = conn.execute(
        select(_manifests)
        .where(_manifests.c.tenant_id == thread.tenant_id, _manifests.c.thread_id == thread.id)
        .order_by(_manifests.c.checkpoint, _manifests.c.n)
    ).all()
    row = next((one for one in reversed(rows) if step in (one.step, str(one.checkpoint))), None)
    if row is None:
        known = ", ".join(dict.fromkeys(f"{one.checkpoint} ({one.step})" for one in rows)) or "none"
        raise NotFound(f"{thread.id} sent nothing to a model at step {step!r}; packets were sent at: {known}.")
    stands = _compared(keys, () if now is None else now.items)
    items = tuple(
        ShownItem(one["slot"], one["source"], one["id"], one["version"], one["tokens"], one.get("value"), stands(one))
        for one in row.items
    )
    return Shown(thread.id, row.step, row.checkpoint, row.budget_tokens, items, tuple(row.filtered))


def _compared(keys: Keys, items: Sequence[Item]) -> Callable[[Mapping[str, Json]], Stands]:
    hashes = {(one.source, one.id, one.slot): keys.hash(one.text)[:16] for one in items}

    def stands(sent: Mapping[str, Json]) -> Stands:
        found = hashes.get((sent["source"], sent["id"], sent["slot"]))
        return "gone" if found is None else "same" if found == sent["hash"] else "changed"

    return stands
