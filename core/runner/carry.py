"""Carry effects out: plan, gate, journal, deliver, settle (contract C3).

    plan      one transaction for the group; a key that is done answers at once
    prepare   no transaction; what fails here certainly did not leave
    gate      one transaction; `sending` is committed before any byte leaves
    journal   one flush for the group
    deliver   no transaction
    settle    one transaction; a result settles by key and attempt, lease or not

Effects of adapters that do not honour keys pass the gate, leave and settle singly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.audit.note import Note, note
from core.effects.gate import NOT_YET, pass_gate
from core.effects.journal import Line
from core.effects.plan import Entry, Wanted, attempt_again, plan
from core.effects.settle import settle_done, settle_not_sent, settle_unknown
from core.errors import DaybookError, EffectNotSent, OutcomeRefused
from core.ports import Delivery, EffectAdapter, Envelope, NotSent, Prepared, Sent, Unknown
from core.runner.parts import Parts
from core.runner.perform import Failed, Wants, failed
from core.runner.run import Run
from core.steps import Effect, Receipt
from core.threads.claim import count_progress

PUT_BACK = ("not_approved", "person_may_not_decide")


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
    """The gate found that the decision no longer stands; the thread goes back to its question."""

    run: Run
    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The lease is another's; nothing more is done with this run."""

    run: Run


Trouble = Failed | PutBack | Lost


def carry_out(parts: Parts, wants: Sequence[Wants], now: datetime, mark: Callable[[Run], None]) -> list[Trouble]:
    """Carry out what steps of one tenant want, and answer what went wrong, a run at most once.

    Receipts land in each run. `mark` notes whose effect is in hand, in case this process dies of it.
    """
    trouble: dict[str, Trouble] = {}
    leaving = _plan(parts, wants, trouble, now)
    leaving = _resolve_doubts(parts, leaving, trouble, now)
    prepared = [one for one in (_prepare(one, trouble, mark) for one in leaving) if one is not None]
    together = [one for one in prepared if one.adapter.honours_keys]
    batches = [together, *([one] for one in prepared if not one.adapter.honours_keys)]
    for batch in batches:
        if batch:
            _send(parts, batch, trouble, now, mark)
    return list(trouble.values())


def _plan(parts: Parts, wants: Sequence[Wants], trouble: dict[str, Trouble], now: datetime) -> list[Leaving]:
    asked = [one for want in wants for one in _asked(parts, want, trouble)]
    if not asked:
        return []
    wanted = [Wanted(run.keys, effect, needs_approval) for run, effect, _, needs_approval in asked]
    with parts.write() as tx:
        entries = plan(tx, wanted, now)
        for entry in entries:
            if isinstance(entry, Entry) and entry.status == "planned":
                note(tx, _noted(entry, "effect_planned", now))
    leaving = []
    for (run, effect, adapter, _), entry in zip(asked, entries, strict=True):
        if isinstance(entry, Exception):
            trouble[run.thread.id] = failed(run, entry)
        elif entry.status == "done":
            run.receipts[entry.key] = Receipt(entry.key, entry.done_at, entry.result_ref)
        elif entry.status == "unknown":
            trouble[run.thread.id] = _unknown(run, entry)
        else:
            leaving.append(Leaving(run, effect, entry, adapter))
    return leaving


def _asked(parts: Parts, want: Wants, trouble: dict[str, Trouble]) -> list[tuple[Run, Effect, EffectAdapter, bool]]:
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


def _unknown(run: Run, entry: Entry) -> Failed:
    return Failed(run, "effect_unknown", f"Nobody knows whether {entry.key} was sent; settle it by hand.", parks=True)


def _resolve_doubts(
    parts: Parts, leaving: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime
) -> list[Leaving]:
    """Deal with what an earlier process left in sending: send the same key again, ask, or leave it to a person."""
    clear = [one for one in leaving if one.entry.status != "sending"]
    for one in leaving:
        if one.entry.status != "sending":
            continue
        if one.adapter.honours_keys:
            clear.append(one)
            continue
        said = _ask(one, trouble)
        again = None if said is None else _settle_one(parts, one, said, trouble, now)
        if again is not None:
            clear.append(again)
    return clear


def _ask(one: Leaving, trouble: dict[str, Trouble]) -> Delivery | None:
    """Ask what became of a key; None where there is no answer now: it stays in doubt and is asked again later."""
    if not one.adapter.can_be_asked:
        return Unknown("process_died")
    try:
        return one.adapter.ask(_envelope(one))
    except Exception as error:  # noqa: BLE001 - an outside that cannot be reached has said nothing
        trouble[one.run.thread.id] = failed(one.run, error)
        return None


def _settle_one(
    parts: Parts, one: Leaving, said: Delivery, trouble: dict[str, Trouble], now: datetime
) -> Leaving | None:
    with parts.write() as tx:
        match said:
            case Sent(result_ref):
                settle_done(tx, [(one.entry, result_ref)], now)
                note(tx, _noted(one.entry, "effect_done", now))
                one.run.receipts[one.entry.key] = Receipt(one.entry.key, now, result_ref)
                return None
            case NotSent(why):
                entry = attempt_again(tx, one.entry, why, now)
                return Leaving(one.run, one.effect, entry, one.adapter)
            case Unknown(why):
                settle_unknown(tx, one.entry, why)
                note(tx, _noted(one.entry, "effect_unknown", now, why=why))
                trouble[one.run.thread.id] = _unknown(one.run, one.entry)
                return None


def _prepare(one: Leaving, trouble: dict[str, Trouble], mark: Callable[[Run], None]) -> Leaving | None:
    mark(one.run)
    try:
        prepared = one.adapter.prepare(_envelope(one))
    except Exception as error:  # noqa: BLE001 - whatever prepare raises, nothing has left
        trouble[one.run.thread.id] = failed(one.run, error)
        return None
    return Leaving(one.run, one.effect, one.entry, one.adapter, prepared)


def _envelope(one: Leaving) -> Envelope:
    entry = one.entry
    return Envelope(entry.tenant_id, entry.key, entry.kind, one.effect.payload, entry.payload_hash)


def _send(
    parts: Parts, batch: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime, mark: Callable[[Run], None]
) -> None:
    let_out = _pass(parts, batch, trouble, now)
    if not let_out:
        return
    parts.journal.append([_line(one, "sending") for one in let_out], flush=True)
    delivered = [(one, _deliver(one, mark)) for one in let_out]
    _settle(parts, delivered, trouble, now)
    parts.journal.append([_line(one, _PHASE[type(said)]) for one, said in delivered], flush=False)


_PHASE: dict[type, str] = {Sent: "done", NotSent: "not_sent", Unknown: "unknown"}


def _pass(parts: Parts, batch: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime) -> list[Leaving]:
    again = [one for one in batch if one.entry.status == "sending"]
    planned = [one for one in batch if one.entry.status == "planned"]
    with parts.write() as tx:
        passed = pass_gate(tx, [(one.entry, one.run.thread) for one in planned], now)
        for answer in passed:
            act = "effect_sending" if answer.held_back is None else "effect_held_back"
            detail = {} if answer.held_back is None else {"why": answer.held_back}
            note(tx, _noted(answer.entry, act, now, **detail))
    for one, answer in zip(planned, passed, strict=True):
        if answer.held_back is None:
            again.append(one)
        else:
            _hold_back(one, answer.held_back, trouble)
    return again


def _hold_back(one: Leaving, reason: str, trouble: dict[str, Trouble]) -> None:
    run, key = one.run, one.entry.key
    if reason == "lease_lost":
        trouble[run.thread.id] = Lost(run)
    elif reason in PUT_BACK:
        trouble[run.thread.id] = PutBack(run, one.entry, reason)
    elif reason in NOT_YET:
        trouble[run.thread.id] = Failed(run, reason, f"{key} is held at the gate: {reason}.", parks=False)
    else:
        run.receipts[key] = Receipt(key, None, held_back=reason)


def _deliver(one: Leaving, mark: Callable[[Run], None]) -> Delivery:
    assert one.prepared is not None  # noqa: S101 - only prepared effects come here
    mark(one.run)
    try:
        return one.adapter.deliver(one.prepared)
    except EffectNotSent as error:
        return NotSent(error.code)
    except DaybookError as error:
        return Unknown(error.code)
    except Exception as error:  # noqa: BLE001 - whatever a send raises, it may have left
        return Unknown(type(error).__name__)


def _settle(
    parts: Parts, delivered: Sequence[tuple[Leaving, Delivery]], trouble: dict[str, Trouble], now: datetime
) -> None:
    with parts.write() as tx:
        sent = [(one.entry, said.result_ref) for one, said in delivered if isinstance(said, Sent)]
        settle_done(tx, sent, now)
        for entry, _ in sent:
            note(tx, _noted(entry, "effect_done", now))
        for one, said in delivered:
            if isinstance(said, NotSent):
                settle_not_sent(tx, one.entry, said.why, now)
            elif isinstance(said, Unknown) and not one.adapter.honours_keys:
                settle_unknown(tx, one.entry, said.why)
                note(tx, _noted(one.entry, "effect_unknown", now, why=said.why))
        if sent:
            count_progress(tx, sent[0][0].tenant_id, [entry.thread_id for entry, _ in sent])
    for one, said in delivered:
        _hand_over(one, said, trouble, now)


def _hand_over(one: Leaving, said: Delivery, trouble: dict[str, Trouble], now: datetime) -> None:
    run, key = one.run, one.entry.key
    match said:
        case Sent(result_ref):
            run.receipts[key] = Receipt(key, now, result_ref)
        case NotSent(why):
            trouble[run.thread.id] = Failed(run, "effect_not_sent", f"{key} was not sent: {why}.", parks=False)
        case Unknown(why) if one.adapter.honours_keys:
            trouble[run.thread.id] = Failed(run, "effect_in_doubt", f"{key} is sent again: {why}.", parks=False)
        case Unknown():
            trouble[run.thread.id] = _unknown(run, one.entry)


def _line(one: Leaving, phase: str) -> Line:
    entry = one.entry
    return Line(entry.tenant_id, entry.key, entry.payload_hash, entry.attempt, phase)


def _noted(entry: Entry, act: str, now: datetime, **detail: object) -> Note:
    content = {"key": entry.key, "attempt": entry.attempt, "payload": entry.payload_hash[:16], **detail}
    return Note(entry.tenant_id, now, "worker", act, entry.thread_id, content)
