"""One commit for a group of outcomes: checkpoints, plan, questions, timers, receipts, manifests, memories, audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.audit.note import Note, note
from core.clock import iso
from core.context.packets import write_manifests
from core.db.store import Tx
from core.effects.plan import void_planned
from core.errors import DaybookError, LeaseLost, OutcomeRefused
from core.memory.memory import remember
from core.receipts.keep import write_receipts
from core.review.ask import Asked, Asking, ask
from core.review.decide import close_open, consume
from core.runner.carry import Lost, Trouble
from core.runner.parts import Parts
from core.runner.perform import Answered, failed
from core.runner.run import Run
from core.steps import Advance, Finish, Interrupt, Outcome, Question, Rule, Wait, Workflow
from core.threads.codec import Fields, codec_of
from core.threads.repair import CARRIED_OUT, rename_ahead
from core.threads.save import PlanMark, Save, Waiting, save
from core.vault.subjects import write_person


@dataclass(frozen=True, slots=True)
class Ready:
    """An outcome made ready to be written: its state encoded, its question, its row."""

    run: Run
    outcome: Outcome
    fields: Fields
    changed: Fields


def settle(parts: Parts, answered: Sequence[Answered], now: datetime) -> tuple[list[Run], list[Trouble]]:
    """Write a group of outcomes of one tenant, and answer the runs that go on and what went wrong.

    The group is one savepoint; if it fails, each is written in a savepoint of its own.
    """
    trouble: list[Trouble] = []
    ready = [one for one in (_make_ready(answer, trouble) for answer in answered) if one is not None]
    if not ready:
        return [], trouble
    kept: list[Ready] = []
    with parts.write() as tx:
        try:
            with tx.conn.begin_nested():
                _write(parts, tx, ready, now)
            kept = ready
        except Exception:  # noqa: BLE001 - each is written alone, and says for itself what is wrong with it
            tx.notes.clear()
            kept = [one for one in ready if _write_alone(parts, tx, one, trouble, now)]
    return [_move_on(one, now) for one in kept if isinstance(one.outcome, Advance)], trouble


def _make_ready(answer: Answered, trouble: list[Trouble]) -> Ready | None:
    run = answer.run
    assert run.workflow is not None  # noqa: S101 - it was admitted
    try:
        fields = codec_of(run.workflow.state).encode(answer.outcome.state, run.state)
    except Exception as error:  # noqa: BLE001 - whatever a step answers becomes a row, never a crash of the worker
        trouble.append(failed(run, error))
        return None
    changed = {name: written for name, written in fields.items() if run.fields.get(name) != written}
    return Ready(run, answer.outcome, fields, changed)


def _write_alone(parts: Parts, tx: Tx, one: Ready, trouble: list[Trouble], now: datetime) -> bool:
    noted = len(tx.notes)
    try:
        with tx.conn.begin_nested():
            _write(parts, tx, [one], now)
    except LeaseLost:
        trouble.append(Lost(one.run))
    except Exception as error:  # noqa: BLE001 - as above
        trouble.append(failed(one.run, error))
    else:
        return True
    del tx.notes[noted:]
    return False


def _write(parts: Parts, tx: Tx, ready: Sequence[Ready], now: datetime) -> None:
    for item in ready:
        _refuse_past(item, now)
        if item.run.workflow is not None and item.run.workflow.renamed:
            rename_ahead(tx, item.run.thread, item.run.workflow.renamed)
    asked = _ask(tx, ready, now)
    saves = [_save_of(one, asked.get(one.run.thread.id)) for one in ready]
    save(tx, saves, now)
    tenant_id = saves[0].thread.tenant_id
    taken = [
        (approval.id, one.number, not approval.effects(approval.verdict or "approve"))
        for item, one in zip(ready, saves, strict=True)
        if (approval := item.run.answer(now)) is not None and not _asks_the_same(item, approval.id, asked)
    ]
    consume(tx, tenant_id, taken, now)
    write_manifests(
        tx,
        [(one.keys, one.number, item.run.left.manifests) for item, one in zip(ready, saves, strict=True)],
        now,
    )
    for item, one in zip(ready, saves, strict=True):
        _write_left(parts, tx, item, one, now)
        note(tx, _noted(item, one, asked.get(one.thread.id), now))
    ended = [one.thread.id for one in saves if one.waiting is None and not one.keeps_lease]
    close_open(tx, tenant_id, [*ended, *_left_behind(ready, now)], now)
    void_planned(tx, tenant_id, ended, "thread_ended")


def _refuse_past(one: Ready, now: datetime) -> None:
    """Refuse a wait that is over before it begins: its step would run again at once, and for ever."""
    match one.outcome:
        case Wait(wake_at=at):
            pass
        case Interrupt(question=Question(expires_at=datetime() as at)):
            pass
        case _:
            return
    if at <= now:
        thread = one.run.thread
        raise OutcomeRefused(
            f"Step {thread.step} of {thread.id} waits until {iso(at)}, which has passed; go on without waiting then."
        )


def _left_behind(ready: Sequence[Ready], now: datetime) -> list[str]:
    """Answer the threads that went on from a question without an answer to it."""
    return [
        one.run.thread.id
        for one in ready
        if isinstance(one.outcome, Advance)
        and one.run.thread.waits_for in ("person", "time")
        and one.run.answer(now) is None
    ]


def _ask(tx: Tx, ready: Sequence[Ready], now: datetime) -> dict[str, Asked]:
    askings = [
        Asking(one.run.keys, one.run.thread.step, one.outcome.question, one.run.answer(now))
        for one in ready
        if isinstance(one.outcome, Interrupt)
    ]
    return dict(zip((one.keys.thread_id for one in askings), ask(tx, askings, now), strict=True))


def _asks_the_same(item: Ready, approval_id: str, asked: dict[str, Asked]) -> bool:
    """Say whether the question that woke this step was asked anew, so that its answer was not taken."""
    again = asked.get(item.run.thread.id)
    return again is not None and again.approval_id == approval_id


def _save_of(one: Ready, asked: Asked | None) -> Save:
    run, outcome = one.run, one.outcome
    assert run.workflow is not None  # noqa: S101 - it was admitted
    next_step, waiting = _where_next(run.workflow, run, outcome, asked)
    stays = next_step == run.thread.step and run.thread.waits_for is not None
    settled_something = bool(one.changed or run.left.consumed or run.left.person or run.left.kept)
    return Save(
        thread=run.thread,
        keys=run.keys,
        step=run.thread.step,
        next_step=next_step,
        status=_status(outcome, waiting),
        writes_checkpoint=not stays or settled_something or isinstance(outcome, Advance | Finish),
        changed=codec_of(run.workflow.state).sections(one.changed),
        current=_current(run.workflow, one),
        outcome=outcome.outcome if isinstance(outcome, Finish) else None,
        waiting=waiting,
        keeps_lease=isinstance(outcome, Advance),
        marks=_marks(run.workflow, run, outcome, next_step),
        consumed=tuple(run.left.consumed),
    )


def _current(workflow: Workflow, one: Ready) -> dict[Rule, bytes]:
    codec = codec_of(workflow.state)
    touched = {codec.rules[name] for name in one.changed}
    return codec.sections({name: text for name, text in one.fields.items() if codec.rules[name] in touched})


def _where_next(workflow: Workflow, run: Run, outcome: Outcome, asked: Asked | None) -> tuple[str, Waiting | None]:
    step = run.thread.step
    match outcome:
        case Advance(to=to):
            following = workflow.step(to) if to else workflow.after(workflow.renamed.get(step, step))
            if following is None:
                raise DaybookError(
                    f"Step {step} of {run.thread.id} would go on to {to or 'nothing'}, which is no step."
                )
            return following.name, None
        case Interrupt(question=question):
            if asked is not None and asked.standing == "held":
                held = Waiting("time", until=asked.release_at, wake_at=asked.release_at, then=CARRIED_OUT)
                return step, held
            return step, Waiting("person", until=question.expires_at, wake_at=question.expires_at)
        case Wait():
            kind = "event" if outcome.events else "time"
            return step, Waiting(kind, outcome.events, outcome.until, outcome.wake_at, outcome.then)
        case Finish():
            return step, None


def _status(outcome: Outcome, waiting: Waiting | None) -> str:
    if isinstance(outcome, Finish):
        return outcome.status
    if waiting is None:
        return "running"
    return "awaiting_review" if waiting.for_ == "person" else "waiting"


def _marks(workflow: Workflow, run: Run, outcome: Outcome, next_step: str) -> tuple[PlanMark, ...]:
    step = workflow.renamed.get(run.thread.step, run.thread.step)
    names = [one.name for one in workflow.steps]
    ahead = names[names.index(step) + 1 :]
    match outcome:
        case Advance():
            if next_step not in ahead:  # back to an earlier step: what lies between is ahead again
                return tuple(PlanMark(name, "later") for name in names[names.index(next_step) : names.index(step) + 1])
            done = PlanMark(run.thread.step, "done", outcome.summary, outcome.receipts)
            return (done, *(PlanMark(name, "skipped") for name in ahead[: ahead.index(next_step)]))
        case Finish():
            left = "stopped" if outcome.status == "failed" else "skipped"
            return (
                PlanMark(run.thread.step, "done", outcome.summary),
                *(PlanMark(name, left) for name in ahead),
            )
        case Interrupt() | Wait():
            return ()


def _write_left(parts: Parts, tx: Tx, item: Ready, one: Save, now: datetime) -> None:
    left = item.run.left
    write_receipts(tx, one.keys, left.kept, now)
    if left.person is not None:
        write_person(tx, one.keys, left.person)
    for record in left.records:
        remember(tx, parts.vault, one.keys, record, source_ref=f"{one.thread.id}#{one.number}", now=now)


def _noted(item: Ready, one: Save, asked: Asked | None, now: datetime) -> Note:
    detail: dict[str, object] = {
        "step": one.step,
        "outcome": type(item.outcome).__name__.lower(),
        "checkpoint": one.number,
    }
    if asked is not None:
        detail |= {"approval": asked.approval_id, "version": asked.version, "standing": asked.standing}
    return Note(one.thread.tenant_id, now, "worker", "step_settled", one.thread.id, detail)


def _move_on(one: Ready, now: datetime) -> Run:
    run, outcome = one.run, one.outcome
    assert run.workflow is not None  # noqa: S101 - it was admitted
    next_step, _ = _where_next(run.workflow, run, outcome, None)
    run.thread = replace(
        run.thread, step=next_step, checkpoint=run.thread.checkpoint + 1, waits_for=None, wait_events=None,
        until_at=None, since_at=now, tries=0, deaths=0,
    )  # fmt: skip
    taken = {event.n for event in run.left.consumed}
    run.events = [event for event in run.events if event.n not in taken]
    run.person = run.left.person or run.person
    run.fields, run.state = one.fields, outcome.state
    return run
