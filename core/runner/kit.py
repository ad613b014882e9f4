"""What a step is handed: its kit. It reads under the lease and collects what is to be written when the step settles."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from core.clock import FixedClock, read_instant
from core.context.memory_files import Asker, RowFiles, open_memory_files
from core.context.packets import Admitted, Manifest, admit
from core.context.show import build_packet
from core.context.sources import RowSources
from core.errors import EffectRefused, OutcomeRefused, PayloadMismatch
from core.keys import canonical, effect_key
from core.memory.door import check_record
from core.receipts.keep import Keeping, keep, read_bytes
from core.review.read import decided_of, list_standing
from core.runner.calls import ask_model
from core.runner.parts import Parts
from core.runner.run import Run
from core.steps import (
    Config,
    Document,
    Effect,
    Happened,
    Json,
    Noted,
    Packet,
    Person,
    Recalled,
    Receipt,
    Record,
    Reply,
    State,
)
from core.threads.links import Link, find_token, make_token
from core.threads.load import only
from core.threads.notes import find_latest
from core.threads.pinned import get_pinned
from core.threads.rows import Thread
from core.vault.subjects import amended


class EffectsWanted(Exception):  # noqa: N818 - no error: the step stops here until they are carried out
    """A step asks for effects that are not settled yet."""

    def __init__(self, effects: Sequence[Effect]) -> None:
        super().__init__()
        self.effects = tuple(effects)


class ConfigCache:
    """Configuration versions, kept because they never change."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._held: dict[tuple[str, str, str, int], Config] = {}

    def get(self, thread: Thread, kind: str, conn: Connection | None = None) -> Config:
        """Answer the version that a thread pins, read in a snapshot that is open or in one of its own.

        Raises OutcomeRefused where it pins none.
        """
        owner = thread.workflow if thread.role_id is None else thread.role_id
        name = (thread.tenant_id, owner, kind, thread.configs.get(kind, 0))
        if name not in self._held:
            with self._parts.store.read() if conn is None else nullcontext(conn) as reading:
                self._held[name] = get_pinned(reading, thread, kind)
        return self._held[name]


class StepKit:
    """One performance's kit; satisfies core.steps.Kit."""

    def __init__(self, parts: Parts, run: Run, configs: ConfigCache, now: datetime, keeping: Keeping) -> None:
        self._parts, self._run, self._configs, self._keeping = parts, run, configs, keeping
        self.thread_id = run.thread.id
        self.step = run.thread.step
        self.clock = FixedClock(now)
        approval = None if run.budget_answer(now) is not None else run.answer(now)
        self.answer = None if approval is None else decided_of(approval)
        self.answers = tuple(decided_of(one) for one in run.answers(now))

    @property
    def person(self) -> Person:
        """The subject's fields, with what this step amended."""
        return self._run.left.person or self._run.person

    def config(self, kind: str) -> Config:
        """Answer the pinned version of a kind."""
        return self._configs.get(self._run.thread, kind)

    def event(self, *names: str, before: datetime | None = None) -> Happened | None:
        """Take the next unconsumed event of these names."""
        left = self._run.left
        for event in only(self._run.events, names):
            in_time = before is None or event.happened.received_at < before
            if in_time and event not in left.consumed:
                left.consumed.append(event)
                return event.happened
        return None

    def has_event(self, *names: str) -> bool:
        """Say whether such an event is there."""
        return bool(only(self._run.events, names))

    def amend(self, *, name: str | None = None, email: str | None = None) -> None:
        """Write a new version of the person's fields when this step settles."""
        self._run.left.person = amended(self._run.person, name=name, email=email)

    def ask(self, packet: Packet) -> Reply:
        """Send one packet, once it fits its slots and its budget."""
        assert self._run.workflow is not None  # noqa: S101 - admitted before it is performed
        admitted = admit(packet, self._run.workflow.slots, self.thread_id)
        files = self._memory_files(admitted)
        reply = ask_model(self._parts, self._run, admitted, self.clock.now(), files)
        if files is not None:
            admitted = files.added_to(admitted)
            self._run.left.files.append(files)
        self._run.left.manifests.append(Manifest(admitted, self._run.thread.step, reply.model))
        fault = reply.fault
        return Reply(reply.content, reply.model, fault.sentence if fault else "", fault is not None and fault.is_final)

    def _memory_files(self, admitted: Admitted) -> RowFiles | None:
        """Open memory for a model that may ask it by itself, as far as the packet's budget leaves room."""
        run, packet = self._run, admitted.packet
        if not packet.memory or run.workflow is None:
            return None
        thread = run.thread
        asker = Asker(run.keys, thread.owner_id, f"{thread.id}#{thread.checkpoint + 1}", self.clock.now())
        room = packet.budget_tokens - admitted.tokens
        return open_memory_files(self._parts.store.read, self._parts.vault, asker, run.workflow, packet.memory, room)

    def note(self) -> Noted | None:
        """Answer the latest approved note."""
        with self._parts.store.read() as conn:
            return find_latest(conn, self._run.keys)

    def build(self, state: State) -> Packet:
        """Build the workflow's packet from one snapshot."""
        run = self._run
        if run.workflow is None or run.workflow.context is None:
            raise OutcomeRefused(
                f"Workflow {run.thread.workflow} declares nothing to build a packet of {run.thread.id}."
            )
        with self._parts.store.read() as conn:
            sources = self._sources(conn)
            packet = build_packet(sources, run.workflow, state)
        run.left.reads += sources.reads
        return packet

    def recall(self, kind: str, key: str, *, owner_id: str | None = None) -> Recalled | None:
        """Read memory by exact key."""
        with self._parts.store.read() as conn:
            sources = self._sources(conn)
            found = sources.recall(kind, key, owner_id)
        self._run.left.reads += sources.reads
        return found

    def _sources(self, conn: Connection) -> RowSources:
        run = self._run
        now = self.clock.now()
        pinned = partial(self._configs.get, run.thread, conn=conn)
        return RowSources(
            conn, self._parts.vault, run.thread, run.keys, self.person, now, self.read_file, pinned, self.read
        )

    def remember(self, record: Record) -> None:
        """Keep a memory when this step settles; what may not be kept is refused here already."""
        check_record(record, source_ref=self.thread_id, now=self.clock.now())
        self._run.left.records.append(record)

    def answer_link(self, name: str) -> str:
        """Answer the address of a letter's own page; its token is the one in the letter that stands, else a new one."""
        token = find_token(self._standing_letters(name))
        if token is None:
            token = make_token()
            hashed = self._parts.vault.token_hash(self._run.thread.tenant_id, token)
            self._run.left.link = Link(name, hashed)
        return self._parts.answer_address(token)

    def _standing_letters(self, name: str) -> list[Json]:
        thread = self._run.thread
        with self._parts.store.read() as conn:
            asked = list_standing(conn, self._parts.vault, thread.tenant_id, thread.id)
        key = effect_key(thread.id, name)
        return [choice.payload for one in asked for choice in one.choices if choice.key == key and choice.payload]

    def approved(self, name: str) -> Effect:
        """Answer the effect of that name as a person chose it."""
        for approval in self._run.decided:
            for effect in approval.effects(approval.verdict or "approve"):
                if effect.name == name and effect.payload:
                    return effect
        raise EffectRefused(f"Nobody approved {effect_key(self.thread_id, name)}.")

    def once(self, effect: Effect) -> Receipt:
        """Carry out an effect once in the life of its key."""
        return self.once_each([effect])[0]

    def once_each(self, effects: Sequence[Effect]) -> tuple[Receipt, ...]:
        """Carry out several effects, each once."""
        keys = [effect_key(self.thread_id, effect.name) for effect in effects]
        self._take_over(keys, effects)
        known, asked = self._run.receipts, self._run.asked
        wanted: dict[str, Effect] = {}
        for key, effect in zip(keys, effects, strict=True):
            if wanted.get(key, effect) != effect:
                raise PayloadMismatch(f"{key} was asked for twice at once, with different payloads.")
            if key not in known or asked.get(key) != effect:  # the ledger says whether the same key may be used again
                wanted[key] = _checked(effect, key)
        if wanted:
            asked.update(wanted)
            raise EffectsWanted(list(wanted.values()))
        return tuple(known[key] for key in keys)

    def _take_over(self, keys: Sequence[str], effects: Sequence[Effect]) -> None:
        """Let what the thread that this one was forked from has read already stand for reading it again."""
        run = self._run
        for key, effect in zip(keys, effects, strict=True):
            at, ref, asked = (run.thread.reuses or {}).get(effect.name, ("", "", None))
            if asked is not None and asked == run.keys.hash(dict(effect.payload)):
                run.receipts[key], run.asked[key] = Receipt(key, read_instant(at), ref), effect

    def read(self, receipt_ref: str) -> bytes:
        """Answer the kept bytes behind a receipt."""
        with self._parts.store.read() as conn:
            return read_bytes(conn, self._parts.blobs, self._run.keys, receipt_ref)[0]

    def read_file(self, receipt_ref: str) -> Document:
        """Answer a kept file as a person would read it; read once while the lease is held."""
        if receipt_ref not in self._run.documents:
            with self._parts.store.read() as conn:
                content, name = read_bytes(conn, self._parts.blobs, self._run.keys, receipt_ref)
            self._run.documents[receipt_ref] = self._parts.reader.read(content, name)
        return self._run.documents[receipt_ref]

    def keep(self, content: bytes, media_type: str) -> str:
        """Keep bytes; their row is written when this step settles."""
        self._keeping.begin()
        kept = keep(self._parts.blobs, self._run.keys, content, media_type)
        self._run.left.kept.append(kept)
        return kept.ref


def _checked(effect: Effect, key: str) -> Effect:
    try:
        canonical(dict(effect.payload))
    except (TypeError, ValueError) as error:
        raise OutcomeRefused(f"{key} carries what JSON cannot hold: {error}.") from error
    return effect
