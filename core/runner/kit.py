"""What a step is handed: its kit. It reads under the lease and collects what is to be written when the step settles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.catalog.configs import get_config
from core.clock import FixedClock
from core.context.packets import Manifest, admit
from core.errors import EffectRefused, OutcomeRefused, PayloadMismatch
from core.keys import canonical, effect_key
from core.memory.memory import recall
from core.ports import Request
from core.receipts.keep import Keeping, keep, read_bytes
from core.review.read import Approval
from core.runner.parts import Parts
from core.runner.run import Run
from core.steps import (
    Config,
    Decided,
    Document,
    Effect,
    Happened,
    Packet,
    Person,
    Recalled,
    Receipt,
    Record,
    Reply,
)
from core.threads.load import only
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

    def get(self, tenant_id: str, role_id: str, kind: str, version: int) -> Config:
        """Answer one version."""
        name = (tenant_id, role_id, kind, version)
        if name not in self._held:
            with self._parts.store.read() as conn:
                self._held[name] = get_config(conn, *name)
        return self._held[name]


class StepKit:
    """One performance's kit; satisfies core.steps.Kit."""

    def __init__(self, parts: Parts, run: Run, configs: ConfigCache, now: datetime, keeping: Keeping) -> None:
        self._parts, self._run, self._configs, self._keeping = parts, run, configs, keeping
        self.thread_id = run.thread.id
        self.clock = FixedClock(now)
        approval = run.answer(now)
        self.answer = None if approval is None else _decided(approval)

    @property
    def person(self) -> Person:
        """The subject's fields, with what this step amended."""
        return self._run.left.person or self._run.person

    def config(self, kind: str) -> Config:
        """Answer the pinned version of a kind."""
        thread = self._run.thread
        if thread.role_id is None or kind not in thread.configs:
            raise OutcomeRefused(f"{thread.id} pins no version of {kind!r}.")
        return self._configs.get(thread.tenant_id, thread.role_id, kind, thread.configs[kind])

    def event(self, *names: str) -> Happened | None:
        """Take the first unconsumed event of these names."""
        left = self._run.left
        for event in only(self._run.events, names):
            if event not in left.consumed:
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
        answer = self._parts.model.answer(Request(packet.purpose, admitted.items, packet.schema))
        label = self._parts.model.label
        self._run.left.manifests.append(Manifest(admitted, self._run.thread.step, label))
        return Reply(answer.content, label)

    def recall(self, kind: str, key: str) -> Recalled | None:
        """Read memory by exact key."""
        with self._parts.store.read() as conn:
            tenant_id = self._run.thread.tenant_id
            used, _ = recall(conn, self._parts.vault, tenant_id, kind, key, self.clock.now())
        return used

    def remember(self, record: Record) -> None:
        """Keep a memory when this step settles."""
        self._run.left.records.append(record)

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


def _decided(approval: Approval) -> Decided:
    assert approval.verdict and approval.decided_by and approval.decided_at  # noqa: S101, PT018 - a CHECK holds it
    remark = approval.remark
    return Decided(
        approval_id=approval.id,
        kind=approval.kind,
        about=approval.about,
        verdict=approval.verdict,
        version=approval.version,
        decided_by=approval.decided_by,
        decided_at=approval.decided_at,
        answer=remark.get("answer") or {},
        reason=remark.get("reason"),
        total=remark.get("total"),
        effects=approval.effects(approval.verdict),
    )
