"""One commit for a group of outcomes: checkpoints, plan, questions, timers, receipts, manifests, memories, audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.audit.note import Note, note
from core.clock import iso
from core.context.freshness import find_moved
from core.context.memory_files import keep_files
from core.context.packets import write_manifests
from core.db.store import Tx
from core.effects.plan import void_planned
from core.errors import ContextMoved, DaybookError, LeaseLost, OutcomeRefused
from core.memory.memory import note_reads, remember
from core.receipts.keep import write_receipts
from core.review.ask import Asked
from core.review.decide import close_all, close_open, consume
from core.review.read import Approval
from core.runner.asking import ask_all, left_behind, noted, taken_by, wait_for_answers
from core.runner.leaving import Lost, Trouble
from core.runner.parts import Parts
from core.runner.perform import Answered, failed
from core.runner.run import Run
from core.steps import Advance, Finish, Interrupt, Outcome, Rule, Wait, Workflow
from core.threads.codec import Fields, codec_of
from core.threads.growing import grow, list_ahead, write_tried
from core.threads.links import write_links
from core.threads.repair import rename_ahead
from core.threads.save import PlanMark, Save, Waiting, save
from core.vault.findable import write_findable


@dataclass(frozen=True, slots=True)
class Ready:
    """An outcome made ready to be written: its state encoded, its question, its row."""

    run: Run
    outcome: Outcome
    fields: Fields
    changed: Fields
    lets_go: bool


def settle(
    parts: Parts, answered: Sequence[Answered], now: datetime, *, lets_go: bool = False
) -> tuple[list[Run], list[Trouble]]:
    """Write a group of outcomes of one tenant, and answer the runs that go on and what went wrong.

    The group is one savepoint; if it fails, each is written in a savepoint of its own. With `lets_go` no run goes on
    here: each gives its lease back as it settles, and is due where another step follows.
    """
    trouble: list[Trouble] = []
    ready = [one for one in (_make_ready(answer, trouble, lets_go=lets_go) for answer in answered) if one is not None]
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
    going_on = [] if lets_go else [one for one in kept if isinstance(one.outcome, Advance)]
    return [_move_on(one, now) for one in going_on], trouble


def _make_ready(answer: Answered, trouble: list[Trouble], *, lets_go: bool) -> Ready | None:
    run = answer.run
    assert run.workflow is not None  # noqa: S101 - it was admitted
    try:
        fields = codec_of(run.workflow.state).encode(answer.outcome.state, run.state)
    except Exception as error:  # noqa: BLE001 - whatever a step answers becomes a row, never a crash of the worker
        trouble.append(failed(run, error))
        return None
    changed = {name: written for name, written in fields.items() if run.fields.get(name) != written}
    return Ready(run, answer.outcome, fields, changed, lets_go)


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
    _refuse_moved(tx, ready, now)
    _write_plans(tx, ready, now)
    asked = ask_all(tx, [(one.run, one.outcome) for one in ready], now)
    answers = {one.run.thread.id: answer for one in ready if (answer := taken_by(one.run, asked, now)) is not None}
    saves = [_save_of(one, asked.get(one.run.thread.id, []), answers.get(one.run.thread.id)) for one in ready]
    save(tx, saves, now)
    tenant_id = saves[0].thread.tenant_id
    taken = [
        (answer.id, one.number, not answer.effects(answer.verdict or "approve"))
        for one in saves
        if (answer := answers.get(one.thread.id)) is not None
    ]
    consume(tx, tenant_id, taken, now)
    write_manifests(
        tx,
        [(one.keys, one.number, item.run.left.manifests) for item, one in zip(ready, saves, strict=True)],
        now,
    )
    for item, one in zip(ready, saves, strict=True):
        _write_left(parts, tx, item, one, now)
        note(tx, _noted(item, one, asked.get(one.thread.id, []), now))
    write_links(tx, [(item.run.thread, item.run.left.link) for item in ready if item.run.left.link is not None], now)
    ended = [one.thread.id for one in saves if one.waiting is None and not one.goes_on]
    close_open(tx, tenant_id, left_behind((one.run, one.outcome) for one in ready), now)
    close_all(tx, tenant_id, ended, now)
    void_planned(tx, tenant_id, ended, "thread_ended")


def _write_plans(tx: Tx, ready: Sequence[Ready], now: datetime) -> None:
    """Write what steps planned anew and what they tried in vain, before anything is read off their plans."""
    for item in ready:
        run, outcome = item.run, item.outcome
        grows = run.workflow is not None and run.workflow.grows
        if isinstance(outcome, Finish) and grows:
            run.left.ahead = list_ahead(tx, run.thread)
        if not isinstance(outcome, Advance) or run.workflow is None:
            continue
        if grows:
            run.left.goes_to = grow(tx, run.keys, run.thread, run.workflow, outcome, now)
        if outcome.tried is not None:
            write_tried(tx, run.keys, run.thread, outcome.tried, now)


def _refuse_moved(tx: Tx, ready: Sequence[Ready], now: datetime) -> None:
    """Refuse an outcome whose packet was built from what no longer stands; its step runs anew."""
    built = {
        one.run.thread.id: [item for manifest in one.run.left.manifests for item in manifest.admitted.items]
        for one in ready
        if one.run.left.manifests
    }
    moved = find_moved(tx.conn, ready[0].run.thread.tenant_id, built, now) if built else {}
    if moved:
        thread_id, names = next(iter(moved.items()))
        raise ContextMoved(f"What the model was sent for {thread_id} changed while it answered: {', '.join(names)}.")


def _refuse_past(one: Ready, now: datetime) -> None:
    """Refuse a wait that is over before it begins: its step would run again at once, and for ever."""
    at: datetime | None
    match one.outcome:
        case Wait(wake_at=wake_at):
            at = wake_at
        case Interrupt() as asks:
            at = min((one.expires_at for one in asks.questions if one.expires_at), default=None)
        case _:
            return
    if at is not None and at <= now:
        thread = one.run.thread
        raise OutcomeRefused(
            f"Step {thread.step} of {thread.id} waits until {iso(at)}, which has passed; go on without waiting then."
        )


def _save_of(one: Ready, asked: Sequence[Asked], taken: Approval | None) -> Save:
    run, outcome = one.run, one.outcome
    assert run.workflow is not None  # noqa: S101 - it was admitted
    next_step, waiting = _where_next(run.workflow, run, outcome, asked)
    stays = next_step == run.thread.step and run.thread.waits_for is not None
    settled_something = bool(one.changed or taken or run.left.consumed or run.left.person or run.left.kept)
    return Save(
        thread=run.thread,
        keys=run.keys,
        step=run.thread.step,
        next_step=next_step,
        status=_status(outcome, waiting, lets_go=one.lets_go),
        writes_checkpoint=not stays or settled_something or isinstance(outcome, Advance | Finish),
        changed=codec_of(run.workflow.state).sections(one.changed),
        current=_current(run.workflow, one),
        outcome=outcome.outcome if isinstance(outcome, Finish) else None,
        waiting=waiting,
        goes_on=isinstance(outcome, Advance),
        lets_go=one.lets_go,
        marks=_marks(run.workflow, run, outcome, next_step),
        consumed=tuple(run.left.consumed),
    )


def _current(workflow: Workflow, one: Ready) -> dict[Rule, bytes]:
    codec = codec_of(workflow.state)
    touched = {codec.rules[name] for name in one.changed}
    return codec.sections({name: text for name, text in one.fields.items() if codec.rules[name] in touched})


def _where_next(workflow: Workflow, run: Run, outcome: Outcome, asked: Sequence[Asked]) -> tuple[str, Waiting | None]:
    step = run.thread.step
    match outcome:
        case Advance(to=to):
            to = run.left.goes_to if workflow.grows else to
            following = workflow.step(to) if to else workflow.after(step)
            if following is None:
                raise DaybookError(
                    f"Step {step} of {run.thread.id} would go on to {to or 'nothing'}, which is no step."
                )
            return to if to and following.repeats else following.name, None
        case Interrupt():
            return step, wait_for_answers(outcome, asked)
        case Wait():
            kind = "event" if outcome.events else "time"
            return step, Waiting(kind, outcome.events, outcome.until, outcome.wake_at, outcome.then)
        case Finish():
            return step, None


def _status(outcome: Outcome, waiting: Waiting | None, *, lets_go: bool) -> str:
    if isinstance(outcome, Finish):
        return outcome.status
    if waiting is None:
        return "ready" if lets_go else "running"
    return "awaiting_review" if waiting.for_ == "person" else "waiting"


def _marks(workflow: Workflow, run: Run, outcome: Outcome, next_step: str) -> tuple[PlanMark, ...]:
    match outcome:
        case Advance():
            return _advanced(workflow, run, outcome, next_step)
        case Finish():
            names = [one.name for one in workflow.steps]
            ahead = run.left.ahead if workflow.grows else names[names.index(workflow.base(run.thread.step)) + 1 :]
            left = "stopped" if outcome.status == "failed" else "skipped"
            return (
                PlanMark(run.thread.step, "done", outcome.summary),
                *(PlanMark(name, left) for name in ahead),
            )
        case Interrupt() | Wait():
            return ()


def _advanced(workflow: Workflow, run: Run, outcome: Advance, next_step: str) -> tuple[PlanMark, ...]:
    done = PlanMark(run.thread.step, "done", outcome.summary, outcome.receipts)
    if workflow.grows and "/" in run.thread.step:
        # A row that its step stays at is not done; one whose plan was written anew is what that plan says of it.
        return (done,) if outcome.plan is None and next_step != run.thread.step else ()
    names = [one.name for one in workflow.steps]
    step, following = workflow.base(run.thread.step), workflow.base(next_step)
    ahead = names[names.index(step) + 1 :]
    if following not in ahead:  # back to an earlier step: what lies between is ahead again
        return tuple(PlanMark(name, "later") for name in names[names.index(following) : names.index(step) + 1])
    return (done, *(PlanMark(name, "skipped") for name in ahead[: ahead.index(following)]))


def _write_left(parts: Parts, tx: Tx, item: Ready, one: Save, now: datetime) -> None:
    left = item.run.left
    write_receipts(tx, one.keys, left.kept, now)
    if left.person is not None:
        write_findable(tx, parts.vault, one.keys, left.person)
    _write_reads(tx, item, now)
    for record in () if item.run.thread.is_sandbox else left.records:  # what was only tried is no memory
        source = f"{one.thread.id}#{one.number}"
        anchor = one.thread.role_id
        remember(tx, parts.vault, one.keys, record, source_ref=source, now=now, anchor_id=anchor)
    for files in left.files:
        keep_files(tx, parts.vault, files, step=one.step, is_tried_only=item.run.thread.is_sandbox)


def _write_reads(tx: Tx, item: Ready, now: datetime) -> None:
    """Write which records were considered for this step, which were used, and why the others were not."""
    thread = item.run.thread
    considered = [read for read in item.run.left.reads if read.considered]
    for read in considered:
        note(tx, Note(thread.tenant_id, now, "worker", "memory_read", thread.id, {"step": thread.step, **read.noted()}))
    used = [one.id for read in considered for one in read.used]
    if used:
        note_reads(tx, thread.tenant_id, thread.id, used, now)


def _noted(item: Ready, one: Save, asked: Sequence[Asked], now: datetime) -> Note:
    detail: dict[str, object] = {
        "step": one.step,
        "outcome": type(item.outcome).__name__.lower(),
        "checkpoint": one.number,
    }
    detail |= noted(asked)
    return Note(one.thread.tenant_id, now, "worker", "step_settled", one.thread.id, detail)


def _move_on(one: Ready, now: datetime) -> Run:
    run, outcome = one.run, one.outcome
    assert run.workflow is not None  # noqa: S101 - it was admitted
    next_step, _ = _where_next(run.workflow, run, outcome, ())
    answer = run.answer(now)
    if answer is not None:
        taken_by = run.thread.checkpoint + 1
        run.decided = [replace(one, consumed_by=taken_by) if one.id == answer.id else one for one in run.decided]
    run.thread = replace(
        run.thread, step=next_step, checkpoint=run.thread.checkpoint + 1, waits_for=None, wait_events=None,
        until_at=None, since_at=now, tries=0, deaths=0,
    )  # fmt: skip
    taken = {event.n for event in run.left.consumed}
    run.events = [event for event in run.events if event.n not in taken]
    run.person = run.left.person or run.person
    run.fields, run.state = one.fields, outcome.state
    return run
