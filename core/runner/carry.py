"""Carry effects out: plan, gate, journal, deliver, settle (contract C3).

    plan      one transaction for the group; a key that is done answers at once, one that only the journal knows is
              unknown
    prepare   no transaction; what fails here certainly did not leave
    gate      one transaction; `sending` is committed before any byte leaves
    journal   one flush for the group
    deliver   no transaction; then what makes results lasting, once for the group
    settle    one transaction; a result settles by key and attempt, lease or not

Effects of adapters that do not honour keys are prepared, pass the gate, leave and settle singly: what is opened for
one is used at once, and a death leaves one in doubt. While sending is off nothing is prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeGuard

from core.audit.note import note
from core.db.store import Tx
from core.effects.ahead import heed_ahead, hold_against_journal
from core.effects.gate import NOT_YET, OFF, Passing, pass_gate, turn_away
from core.effects.plan import JOURNAL_AHEAD, Entry, Wanted, plan
from core.effects.settle import settle_done, settle_not_sent, settle_unknown
from core.effects.switch import read_sending
from core.errors import DaybookError, EffectNotSent, EffectRefused, EffectTurnedDown, PayloadMismatch
from core.ports import Delivery, NotSent, Sent, Unknown
from core.receipts.keep import Keeping, write_receipts
from core.runner.doubts import resolve_doubts
from core.runner.leaving import (
    Delivered,
    Leaving,
    Lost,
    PutBack,
    Stalled,
    Trouble,
    asked_of,
    envelope,
    keep_brought,
    left_in_doubt,
    line,
    make_lasting,
    noted,
    turned_down,
)
from core.runner.parts import Parts
from core.runner.perform import Failed, Wants, failed
from core.runner.run import Run
from core.steps import Receipt
from core.threads.claim import count_progress

PUT_BACK = ("not_approved", "person_may_not_decide")


def carry_out(parts: Parts, wants: Sequence[Wants], now: datetime, mark: Callable[[Run], None]) -> list[Trouble]:
    """Carry out what steps of one tenant want, and answer what went wrong, a run at most once.

    Receipts land in each run. `mark` notes whose effect is in hand, in case this process dies of it.
    """
    trouble: dict[str, Trouble] = {}
    leaving = _plan(parts, wants, trouble, now)
    leaving = resolve_doubts(parts, leaving, trouble, now)
    together = [one for one in leaving if one.adapter.honours_keys]
    for batch in [together, *([one] for one in leaving if not one.adapter.honours_keys)]:
        prepared = [one for one in (_prepare(one, trouble, mark) for one in batch) if one is not None]
        try:
            if prepared:
                _send(parts, prepared, trouble, now, mark)
        finally:
            _close(prepared)
    return list(trouble.values())


def _plan(parts: Parts, wants: Sequence[Wants], trouble: dict[str, Trouble], now: datetime) -> list[Leaving]:
    asked = [one for want in wants for one in asked_of(parts, want, trouble)]
    if not asked:
        return []
    wanted = [
        Wanted(run.keys, effect, needs_approval, run.thread.checkpoint) for run, effect, _, needs_approval in asked
    ]
    with parts.write() as tx:
        entries = _write_plan(parts, tx, wanted, now)
        leaving = [
            Leaving(run, effect, entry, adapter)
            for (run, effect, adapter, _), entry in zip(asked, entries, strict=True)
            if _may_leave(entry, run, trouble)
        ]
        if not read_sending(tx.conn).is_on:
            return _turn_away(tx, leaving, trouble, now)
        real = [one for one in leaving if not one.run.thread.is_sandbox or _acts_in_a_copy(parts, one, trouble)]
        tried = [one for one in leaving if one not in real and one.run.thread.id not in trouble]
        return [*real, *_turn_away(tx, tried, trouble, now)]


def _acts_in_a_copy(parts: Parts, one: Leaving, trouble: dict[str, Trouble]) -> bool:
    """Say whether a sandbox's effect is a tool's, which acts in a copy made for it; anywhere else it is turned down."""
    if one.effect.kind != "tool":
        return False
    folder = Path(str(one.effect.payload.get("folder"))).resolve()
    if parts.sandboxes.resolve() in folder.parents:
        return True
    wrong = EffectRefused(f"{one.entry.key} would act outside of the copy that was made for this sandbox.")
    trouble[one.run.thread.id] = failed(one.run, wrong)
    return False


def _write_plan(parts: Parts, tx: Tx, wanted: Sequence[Wanted], now: datetime) -> list[Entry | Exception]:
    tenant_id = wanted[0].keys.tenant_id
    hold_against_journal(tx, parts.journal, tenant_id, now)
    entries = plan(tx, wanted, now)
    planned = [entry for entry in entries if isinstance(entry, Entry) and entry.status == "planned"]
    for entry in planned:
        note(tx, noted(entry, "effect_planned", now))
    in_doubt = heed_ahead(tx, tenant_id, planned, now)
    return [in_doubt.get(entry.key, entry) if isinstance(entry, Entry) else entry for entry in entries]


def _may_leave(entry: Entry | Exception, run: Run, trouble: dict[str, Trouble]) -> TypeGuard[Entry]:
    """Say whether an effect is still to leave; where it is not, the run gets its receipt or its trouble."""
    if isinstance(entry, Exception):
        trouble[run.thread.id] = failed(run, entry)
    elif entry.status == "done":
        run.receipts[entry.key] = Receipt(entry.key, entry.done_at, entry.result_ref)
    elif entry.status == "unknown":
        trouble[run.thread.id] = left_in_doubt(run, entry)
    else:
        return True
    return False


def _turn_away(tx: Tx, leaving: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime) -> list[Leaving]:
    """Hold back what is planned, before anything is prepared for it; what may have been sent already goes on."""
    going_on = []
    for one in leaving:
        reason = turn_away(tx, one.entry, one.run.thread, now) if one.entry.status == "planned" else None
        if reason is None:
            going_on.append(one)
        else:
            _note_held_back(tx, one.entry, reason, now)
            _hold_back(one, reason, trouble)
    return going_on


def _prepare(one: Leaving, trouble: dict[str, Trouble], mark: Callable[[Run], None]) -> Leaving | None:
    mark(one.run)
    try:
        prepared = one.adapter.prepare(envelope(one))
    except EffectTurnedDown as error:
        trouble[one.run.thread.id] = turned_down(one.run, one.entry, error.why, error.sentence)
        return None
    except Exception as error:  # noqa: BLE001 - whatever prepare raises, nothing has left
        trouble[one.run.thread.id] = failed(one.run, error)
        return None
    return Leaving(one.run, one.effect, one.entry, one.adapter, prepared)


def _send(
    parts: Parts, batch: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime, mark: Callable[[Run], None]
) -> None:
    let_out = _pass(parts, batch, trouble, now)
    if not let_out:
        return
    parts.journal.append([line(one, "sending") for one in let_out], flush=True)
    with Keeping(parts.blobs_folder) as keeping:
        said = make_lasting([_deliver(one, mark) for one in let_out])
        delivered = [keep_brought(parts, keeping, *one) for one in zip(let_out, said, strict=True)]
        _settle(parts, delivered, trouble, now)
    parts.journal.append([line(one, _PHASE[type(said)]) for one, said, _ in delivered], flush=False)


_PHASE: dict[type, str] = {Sent: "done", NotSent: "not_sent", Unknown: "unknown"}


def _pass(parts: Parts, batch: Sequence[Leaving], trouble: dict[str, Trouble], now: datetime) -> list[Leaving]:
    again = [one for one in batch if one.entry.status == "sending"]
    planned = [one for one in batch if one.entry.status == "planned"]
    with parts.write() as tx:
        hold_against_journal(tx, parts.journal, batch[0].entry.tenant_id, now)
        passed = pass_gate(tx, [_passing(one) for one in planned], now)
        for answer in passed:
            if answer.held_back is None:
                note(tx, noted(answer.entry, "effect_sending", now))
            else:
                _note_held_back(tx, answer.entry, answer.held_back, now)
    for one, answer in zip(planned, passed, strict=True):
        if answer.held_back is None:
            again.append(one)
        else:
            _hold_back(one, answer.held_back, trouble)
    return again


def _passing(one: Leaving) -> Passing:
    assert one.prepared is not None  # noqa: S101 - only prepared effects come here
    return Passing(one.entry, one.run.thread, one.prepared.via, one.prepared.trace)


def _note_held_back(tx: Tx, entry: Entry, reason: str, now: datetime) -> None:
    note(tx, noted(entry, "effect_held_back", now, why=reason))


def _hold_back(one: Leaving, reason: str, trouble: dict[str, Trouble]) -> None:
    run, key = one.run, one.entry.key
    if reason == "lease_lost":
        trouble[run.thread.id] = Lost(run)
    elif reason == JOURNAL_AHEAD:
        trouble[run.thread.id] = left_in_doubt(run, one.entry)
    elif reason in PUT_BACK:
        otherwise = Failed(run, reason, f"{key} is held at the gate: {reason}.", parks=True)
        trouble[run.thread.id] = PutBack(run, one.entry, reason, otherwise)
    elif reason == OFF:
        trouble[run.thread.id] = Stalled(run, reason)
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
    except PayloadMismatch as error:
        return Unknown(error.code, repeats=True)
    except DaybookError as error:
        return Unknown(error.code)
    except Exception as error:  # noqa: BLE001 - whatever a send raises, it may have left
        return Unknown(type(error).__name__)


def _settle(parts: Parts, delivered: Sequence[Delivered], trouble: dict[str, Trouble], now: datetime) -> None:
    with parts.write() as tx:
        sent = [(one.entry, said.result_ref) for one, said, _ in delivered if isinstance(said, Sent)]
        settle_done(tx, sent, now)
        for one, said, kept in delivered:
            write_receipts(tx, one.run.keys, [kept] if kept else [], now)
            if isinstance(said, Sent):
                note(tx, noted(one.entry, "effect_done", now, result=one.run.keys.hash(said.result_ref)))
            elif isinstance(said, NotSent):
                settle_not_sent(tx, one.entry, said.why, now)
            elif isinstance(said, Unknown) and _is_for_a_person(one, said):
                settle_unknown(tx, one.entry, said.why)
                note(tx, noted(one.entry, "effect_unknown", now, why=said.why))
        if sent:
            count_progress(tx, sent[0][0].tenant_id, [entry.thread_id for entry, _ in sent])
    for one, said, _ in delivered:
        _hand_over(one, said, trouble, now)


def _is_for_a_person(one: Leaving, said: Unknown) -> bool:
    """Say whether sending the same key again would not tell."""
    return said.repeats or not one.adapter.honours_keys


def _hand_over(one: Leaving, said: Delivery, trouble: dict[str, Trouble], now: datetime) -> None:
    run, key = one.run, one.entry.key
    match said:
        case Sent(result_ref=result_ref):
            run.receipts[key] = Receipt(key, now, result_ref)
        case NotSent(why, is_final=True):
            trouble[run.thread.id] = turned_down(run, one.entry, why, f"{key} was refused for good: {why}.")
        case NotSent(why):
            trouble[run.thread.id] = Failed(run, "effect_not_sent", f"{key} was not sent: {why}.", parks=False)
        case Unknown(why=why) if not _is_for_a_person(one, said):
            trouble[run.thread.id] = Failed(run, "effect_in_doubt", f"{key} is sent again: {why}.", parks=False)
        case Unknown():
            trouble[run.thread.id] = left_in_doubt(run, one.entry)


def _close(prepared: Sequence[Leaving]) -> None:
    """Give up what was opened, whatever became of it; the facts stand in rows by now."""
    for one in prepared:
        if one.prepared is not None:
            with suppress(Exception):
                one.prepared.close()
