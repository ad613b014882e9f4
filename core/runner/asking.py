"""What steps ask of people when they settle: questions written, answers taken, and what their threads wait for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from core.db.store import Tx
from core.errors import OutcomeRefused
from core.review.ask import Asked, Asking, ask
from core.review.read import Approval
from core.runner.run import Run
from core.steps import Advance, Interrupt, Outcome, Question
from core.threads.repair import CARRIED_OUT
from core.threads.save import Waiting

Questions = dict[str, list[Asked]]


def ask_all(tx: Tx, settling: Iterable[tuple[Run, Outcome]], now: datetime) -> Questions:
    """Write what the steps of a group ask, and answer by thread how each question stands."""
    askings = [
        Asking(run.keys, run.thread.step, question, run.answer(now))
        for run, outcome in settling
        if isinstance(outcome, Interrupt)
        for question in _told_apart(run.thread.id, outcome)
    ]
    asked: Questions = {}
    for asking, answer in zip(askings, ask(tx, askings, now), strict=True):
        asked.setdefault(asking.keys.thread_id, []).append(answer)
    return asked


def _told_apart(thread_id: str, asks: Interrupt) -> tuple[Question, ...]:
    names = [(one.kind, one.about) for one in asks.questions]
    if len(set(names)) < len(names):
        raise OutcomeRefused(f"{thread_id} asks two questions of one kind about the same; tell them apart by `about`.")
    return asks.questions


def taken_by(run: Run, asked: Questions, now: datetime) -> Approval | None:
    """Answer the approval whose answer an outcome used up; one that its step asks anew is not used."""
    answer = run.answer(now)
    if answer is None or any(again.approval_id == answer.id for again in asked.get(run.thread.id, ())):
        return None
    return answer


def left_behind(settling: Iterable[tuple[Run, Outcome]]) -> list[str]:
    """Answer the threads that went on from where they waited: what they asked there and took no answer to is left.

    One that went back to an earlier step comes to its questions again, which then get a new version.
    """
    return [
        run.thread.id
        for run, outcome in settling
        if isinstance(outcome, Advance) and run.thread.waits_for in ("person", "time") and not _goes_back(run, outcome)
    ]


def _goes_back(run: Run, outcome: Advance) -> bool:
    assert run.workflow is not None  # noqa: S101 - it was admitted
    names = [step.name for step in run.workflow.steps]
    here = run.workflow.base(run.thread.step)
    return outcome.to in names[: names.index(here) + 1]


def wait_for_answers(asks: Interrupt, asked: Sequence[Asked]) -> Waiting:
    """Wait for a person while any question is open; while all answers are held, for the first hold's end."""
    held = [one.release_at for one in asked if one.standing == "held" and one.release_at is not None]
    is_open = len(held) < len(asked)
    if not is_open:
        return Waiting("time", until=min(held), wake_at=min(held), then=CARRIED_OUT)
    expiries = [one.expires_at for one in asks.questions if one.expires_at is not None]
    return Waiting("person", until=min(expiries, default=None), wake_at=min([*expiries, *held], default=None))


def noted(asked: Sequence[Asked]) -> dict[str, object]:
    """Answer what the audit log keeps of the questions of one step."""
    lines: list[dict[str, object]] = [
        {"approval": one.approval_id, "version": one.version, "standing": one.standing} for one in asked
    ]
    return lines[0] if len(lines) == 1 else {"questions": lines} if lines else {}
