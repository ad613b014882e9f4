"""The kit of a rehearsal: it reads what a worker's kit reads, writes nothing, and notes what would have left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from core.catalog.roles import get_role
from core.clock import FixedClock
from core.context.packets import admit
from core.context.show import build_packet
from core.context.sources import RowSources
from core.costs.budgets import QUESTION
from core.desk.desk import Desk
from core.effects.plan import list_entries
from core.effects.switch import read_sending
from core.errors import EffectRefused
from core.keys import effect_key
from core.ports import Request
from core.receipts.keep import read_bytes
from core.review.read import Approval, decided_of
from core.steps import (
    Config,
    Decided,
    Document,
    Effect,
    Happened,
    Noted,
    OnlyIf,
    Packet,
    Person,
    Recalled,
    Receipt,
    Record,
    Reply,
    State,
    Workflow,
)
from core.threads.notes import find_latest
from core.threads.pinned import get_pinned
from core.threads.rows import Thread
from core.vault.sealing import Keys
from core.vault.subjects import amended

_NOBODY = Person(name=None, email=None, form={}, version=0)
_LINK = "(the page of this letter)"


class Stops(Exception):  # noqa: N818 - no error: nobody can say from here on
    """The rehearsal ends here, and why."""


class Kit:
    """Satisfies core.steps.Kit. `acts` are the keys that would leave now, `kept_in` those that would not, and why."""

    def __init__(  # noqa: PLR0913 - whose rows, as of when, and how they are read
        self, conn: Connection, desk: Desk, thread: Thread, keys: Keys, person: Person | None, workflow: Workflow,
        now: datetime,
    ) -> None:  # fmt: skip
        self._conn, self._desk, self._thread, self._keys, self._workflow = conn, desk, thread, keys, workflow
        self._entries = {one.key: one for one in list_entries(conn, thread.tenant_id, thread.id)}
        self._events: list[Happened] = []
        self._held: tuple[Decided, datetime] | None = None
        self.thread_id, self.person, self.clock = thread.id, person or _NOBODY, FixedClock(now)
        self.answer: Decided | None = None
        self.decisions: list[Decided] = []
        self.acts: list[str] = []
        self.kept_in: dict[str, str] = {}
        self._done: dict[str, Receipt] = {}

    def take_rows(self, events: Sequence[Happened], decided: Sequence[Approval]) -> None:
        """Take what came and what was answered already."""
        self._events = list(events)
        self.decisions = [decided_of(one) for one in decided if one.kind != QUESTION]
        for one in decided:
            if (
                one.kind != QUESTION
                and one.consumed_by is None
                and one.step == self._thread.step
                and one.release_at is not None
            ):
                self._held = (decided_of(one), one.release_at)

    def next_answer(self) -> tuple[Decided, datetime] | None:
        """Answer the answer that is given and not taken yet, and when it is released."""
        return self._held

    def begin_step(self) -> None:
        """Forget what the step before would have done."""
        self.acts, self.kept_in = [], {}

    @property
    def answers(self) -> tuple[Decided, ...]:
        """Everything that was answered, oldest first."""
        return tuple(self.decisions)

    def config(self, kind: str) -> Config:
        """Answer the pinned version of a kind."""
        return self._rows().config(kind)

    def event(self, *names: str, before: datetime | None = None) -> Happened | None:
        """Take the next unconsumed event of these names."""
        for one in self._events:
            if one.name in names and (before is None or one.received_at < before):
                self._events.remove(one)
                return one
        return None

    def has_event(self, *names: str) -> bool:
        """Say whether such an event is there."""
        return any(one.name in names for one in self._events)

    def amend(self, *, name: str | None = None, email: str | None = None) -> None:
        """Amend the person for the steps that follow."""
        self.person = amended(self.person, name=name, email=email) or self.person

    def note(self) -> Noted | None:
        """Answer the latest approved note."""
        return find_latest(self._conn, self._keys)

    def build(self, state: State) -> Packet:
        """Build the packet as a worker does."""
        return build_packet(self._rows(), self._workflow, state)

    def ask(self, packet: Packet) -> Reply:
        """Ask a model that answers here and for nothing; stop at one that is paid."""
        admitted, model = admit(packet, self._workflow.slots, self.thread_id), self._desk.model
        if model.leaves_machine:
            raise Stops(f"It asks {model.label}, which costs money and is not done in a rehearsal.")
        request = Request(packet.purpose, admitted.items, packet.schema, packet.instructions)
        return Reply(model.answer(request).content, model.label)

    def recall(self, kind: str, key: str, *, owner_id: str | None = None) -> Recalled | None:
        """Read memory by exact key."""
        return self._rows().recall(kind, key, owner_id)

    def remember(self, record: Record) -> None:
        """Keep nothing."""

    def answer_link(self, name: str) -> str:  # noqa: ARG002 - a kit's shape
        """Answer words that stand for the letter's page."""
        return _LINK

    def approved(self, name: str) -> Effect:
        """Answer the effect of that name as it was chosen, or is taken for chosen."""
        for one in reversed(self.decisions):
            for effect in one.effects:
                if effect.name == name:
                    return effect
        raise EffectRefused(f"Nobody approved {effect_key(self.thread_id, name)}.")

    def once(self, effect: Effect) -> Receipt:
        """Note what would become of an effect, and answer its receipt."""
        key = effect_key(self.thread_id, effect.name)
        if key not in self._done:
            self._done[key] = self._receipt(key, effect)
        return self._done[key]

    def once_each(self, effects: Sequence[Effect]) -> tuple[Receipt, ...]:
        """Note what would become of each."""
        return tuple(self.once(one) for one in effects)

    def _receipt(self, key: str, effect: Effect) -> Receipt:
        entry = self._entries.get(key)
        if entry is not None and entry.status == "done":
            self.kept_in[key] = "the ledger has it as done"
            return Receipt(key, entry.done_at, entry.result_ref)
        if entry is not None and entry.status in ("sending", "unknown"):
            raise Stops(f"Nobody knows whether {key} left; that is settled first.")
        if not read_sending(self._conn).is_on:
            raise Stops(f"Sending is off: {key} waits at the gate.")
        why = self._why_not(effect)
        if why is not None:
            self.kept_in[key] = f"the gate keeps it in ({why})"
            return Receipt(key, None, held_back=why)
        self.acts.append(key)
        if effect.kind == "read":
            raise Stops(f"It reads {key} outside; what it finds there nobody knows.")
        return Receipt(key, self.clock.now(), "rehearsed")

    def _why_not(self, effect: Effect) -> str | None:
        role_id = self._thread.role_id
        if self._thread.is_sandbox and effect.kind != "read":
            return "sandbox"
        if OnlyIf.ROLE_OPEN in effect.only_if and role_id is not None:
            status = get_role(self._conn, self._thread.tenant_id, role_id).status
            return None if status == "open" else "role_closed"
        return None

    def read(self, receipt_ref: str) -> bytes:
        """Answer the kept bytes behind a receipt."""
        return read_bytes(self._conn, self._desk.blobs, self._keys, receipt_ref)[0]

    def read_file(self, receipt_ref: str) -> Document:
        """Answer a kept file as a person would read it."""
        return self._desk.reader.read(*read_bytes(self._conn, self._desk.blobs, self._keys, receipt_ref))

    def keep(self, content: bytes, media_type: str) -> str:  # noqa: ARG002 - a kit's shape
        """Keep nothing, and answer words that stand for a reference."""
        return "blob:rehearsed"

    def _rows(self) -> RowSources:
        pinned = partial(get_pinned, self._conn, self._thread)
        return RowSources(
            self._conn,
            self._desk.vault,
            self._thread,
            self._keys,
            self.person,
            self.clock.now(),
            self.read_file,
            pinned,
            self.read,
        )
