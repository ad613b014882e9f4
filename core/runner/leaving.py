"""What is on its way out, and what may become of the run that wanted it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.audit.note import Note
from core.effects.journal import Line
from core.effects.plan import Entry
from core.errors import OutcomeRefused
from core.ports import Delivery, EffectAdapter, Envelope, Prepared, Sent, Unknown
from core.receipts.keep import Keeping, Kept, keep
from core.runner.parts import Parts
from core.runner.perform import Failed, Wants, failed
from core.runner.run import Run
from core.steps import Effect


@dataclass(frozen=True, slots=True)
class Leaving:
    """One effect on its way."""

    run: Run
    effect: Effect
    entry: Entry
    adapter: EffectAdapter
    prepared: Prepared | None = None


@dataclass(frozen=True, slots=True)
class PutBack:
    """The decision no longer stands; the thread goes back to its question. `otherwise` is for one that cannot.

    It cannot where nobody was asked, or where something else that the answer released has left.
    """

    run: Run
    entry: Entry
    reason: str
    otherwise: Failed


@dataclass(frozen=True, slots=True)
class Stalled:
    """Nothing leaves while sending is off; the thread waits for the switch, and no try is used up."""

    run: Run
    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The lease is another's; nothing more is done with this run."""

    run: Run


Trouble = Failed | PutBack | Stalled | Lost


def asked_of(parts: Parts, want: Wants, trouble: dict[str, Trouble]) -> list[tuple[Run, Effect, EffectAdapter, bool]]:
    """Answer each effect of a run with its adapter and what that declares; one that has none is its run's trouble."""
    try:
        found = [(effect, _adapter(parts, effect)) for effect in want.effects]
        return [(want.run, effect, adapter, adapter.needs_approval(effect.payload)) for effect, adapter in found]
    except Exception as error:  # noqa: BLE001 - whatever one adapter raises is the trouble of one thread
        trouble[want.run.thread.id] = failed(want.run, error)
        return []


def _adapter(parts: Parts, effect: Effect) -> EffectAdapter:
    adapter = parts.adapters.get(effect.kind)
    if adapter is None:
        raise OutcomeRefused(f"No adapter carries out effects of kind {effect.kind!r}.")
    return adapter


def left_in_doubt(run: Run, entry: Entry) -> Failed:
    """Answer the trouble of a run whose effect is for a person to settle."""
    return Failed(run, "effect_unknown", f"Nobody knows whether {entry.key} was sent; settle it by hand.", parks=True)


def turned_down(run: Run, entry: Entry, why: str, said: str) -> PutBack:
    """Answer the trouble of a run whose effect the outside refused for good: a person looks, nothing is tried again."""
    return PutBack(run, entry, why, Failed(run, "turned_down", said, parks=True))


def envelope(one: Leaving) -> Envelope:
    """Answer an effect as its adapter is handed it."""
    entry = one.entry
    return Envelope(entry.tenant_id, entry.key, entry.kind, one.effect.payload, entry.payload_hash)


def make_lasting(said: Sequence[Delivery]) -> list[Delivery]:
    """Do what remains for results to outlive the machine; where that fails, nobody knows."""
    wanted = {one.make_lasting for one in said if isinstance(one, Sent)} - {None}
    failed_ones = {one: code for one in wanted if one is not None and (code := _try(one)) is not None}
    return [
        Unknown(failed_ones[one.make_lasting]) if isinstance(one, Sent) and one.make_lasting in failed_ones else one
        for one in said
    ]


def _try(lasting: Callable[[], None]) -> str | None:
    try:
        lasting()
    except OSError:
        return "disk"
    return None


Delivered = tuple[Leaving, Delivery, Kept | None]


def keep_brought(parts: Parts, keeping: Keeping, one: Leaving, said: Delivery) -> Delivered:
    """Keep what a read brought; its receipt is its reference in the ledger."""
    if not isinstance(said, Sent) or said.content is None:
        return one, said, None
    keeping.begin()
    kept = keep(parts.blobs, one.run.keys, said.content, said.media_type)
    return one, Sent(kept.ref, said.sent_at), kept


def line(one: Leaving, phase: str) -> Line:
    """Answer the journal's line of a phase."""
    entry = one.entry
    return Line(entry.tenant_id, entry.key, entry.payload_hash, entry.attempt, phase)


def noted(entry: Entry, act: str, now: datetime, **detail: object) -> Note:
    """Answer the audit log's note of what became of an effect."""
    content = {"key": entry.key, "attempt": entry.attempt, "payload": entry.payload_hash[:16], **detail}
    return Note(entry.tenant_id, now, "worker", act, entry.thread_id, content)
