"""Score a sample of undecided threads with a rubric that is not saved. It reads; it writes and sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from core.clock import FixedClock
from core.context.packets import admit
from core.context.show import build_packet
from core.context.sources import RowSources
from core.desk.desk import Actor, Desk, Reading
from core.errors import DaybookError, StepFailed
from core.ports import Request
from core.receipts.keep import read_bytes
from core.steps import Advance, Config, Document, Packet, Person, Reply, State
from core.threads.codec import codec_of
from core.threads.load import load_fields
from core.threads.pinned import get_pinned
from core.threads.rows import get_thread
from core.vault.sealing import Keys
from core.vault.subjects import read_people

SAMPLE = 20
_LOOKED_AT = 3 * SAMPLE


@dataclass(frozen=True, slots=True)
class Tried:
    """One thread of the sample: what its scores say now, and what they would say."""

    thread_id: str
    before: Reading
    after: Reading

    @property
    def changes_sides(self) -> bool:
        """Say whether something else would be proposed."""
        return self.before.proposal != self.after.proposal


class _Rows(RowSources):
    """A thread's rows as they stand, but for the rubric that is tried."""

    rubric: Config

    def config(self, kind: str) -> Config:
        """Answer the rubric that is tried, and else the pinned version."""
        return self.rubric if kind == self.rubric.kind else super().config(kind)


class _TryKit:
    """What the scoring steps ask a kit for, and no more: there is nothing here to send or remember by."""

    def __init__(self, rows: _Rows, desk: Desk, actor: Actor) -> None:
        self._rows, self._desk = rows, desk
        self.thread_id, self.person, self.clock = rows.thread_id, rows.person, FixedClock(actor.now)
        self.config, self.read_file = rows.config, rows.read_file

    def build(self, state: State) -> Packet:
        """Build the packet as a worker does, from the same rows."""
        return build_packet(self._rows, self._desk.applications.workflow, state)

    def ask(self, packet: Packet) -> Reply:
        """Ask the model, under the same budget as a worker does."""
        admitted = admit(packet, self._desk.applications.workflow.slots, self.thread_id)
        model = self._desk.model
        request = Request(packet.purpose, admitted.items, packet.schema, packet.instructions)
        return Reply(model.answer(request).content, model.label)


def try_rubric(
    conn: Connection, desk: Desk, actor: Actor, rubric: Config, thread_ids: Sequence[str]
) -> list[Tried] | None:
    """Score up to SAMPLE of these threads, spread over all of them; None where the model's answers cost money."""
    if desk.model.leaves_machine:
        return None
    chosen = _spread(thread_ids, _LOOKED_AT)
    keys = desk.vault.keys_of(actor.tenant_id, chosen)
    fields, people = load_fields(conn, actor.tenant_id, keys), read_people(conn, actor.tenant_id, keys)
    codec = codec_of(desk.applications.workflow.state)
    tried: list[Tried] = []
    for thread_id in [one for one in chosen if one in people]:
        if len(tried) == SAMPLE:
            break
        kit = _kit(conn, desk, actor, rubric, keys[thread_id], people[thread_id])
        try:
            state = codec.decode(fields[thread_id], thread_id)
            before = desk.applications.read(state)
            if before.total is not None:  # what a rule decided, or no file could be read of, is not scored anew either
                tried.append(Tried(thread_id, before, desk.applications.read(_scored(desk, kit, state))))
        except DaybookError:
            continue  # a file that is gone: the worker will say so, and nothing can be said of it here
    return tried


def _kit(conn: Connection, desk: Desk, actor: Actor, rubric: Config, keys: Keys, person: Person) -> _TryKit:
    def read_file(receipt_ref: str) -> Document:
        return desk.reader.read(*read_bytes(conn, desk.blobs, keys, receipt_ref))

    thread = get_thread(conn, actor.tenant_id, keys.thread_id)
    rows = _Rows(conn, desk.vault, thread, keys, person, actor.now, read_file, partial(get_pinned, conn, thread))
    rows.rubric = rubric
    return _TryKit(rows, desk, actor)


def _scored(desk: Desk, kit: _TryKit, state: State) -> State:
    for name in desk.applications.scoring:
        step = desk.applications.workflow.step(name)
        outcome = None if step is None else step.perform(kit, state)
        if not isinstance(outcome, Advance):
            raise StepFailed(f"Step {name} of {kit.thread_id} does not score.")
        state = outcome.state
    return state


def _spread(thread_ids: Sequence[str], most: int) -> list[str]:
    """Choose so many, as far apart as they can lie, so that early and late applicants are among them."""
    if len(thread_ids) <= most:
        return list(thread_ids)
    return [thread_ids[place * len(thread_ids) // most] for place in range(most)]
