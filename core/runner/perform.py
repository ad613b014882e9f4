"""Admit and perform one step."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import (
    ContextMoved,
    ContextOverBudget,
    DaybookError,
    EffectRefused,
    MemoryRefused,
    ModelFailed,
    OutcomeRefused,
    PayloadMismatch,
    SealedForErased,
    StateUnreadable,
    UnknownStep,
)
from core.receipts.keep import Keeping
from core.runner.budget import BudgetAsks
from core.runner.kit import ConfigCache, EffectsWanted, StepKit
from core.runner.overnight import LOOK_AGAIN_AFTER, WaitsForBatch
from core.runner.parts import Parts
from core.runner.run import Left, Run
from core.steps import Advance, Effect, Finish, Interrupt, Outcome, Step, Wait
from core.threads.codec import codec_of


@dataclass(frozen=True, slots=True)
class Wants:
    """The step stopped for effects."""

    run: Run
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The step answered with an outcome."""

    run: Run
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Failed:
    """The step did not get through. `parks` says that trying again would meet the same.

    `retry_after` is how long the outside asked to be left alone, if it did.
    """

    run: Run
    code: str
    frame: str
    parks: bool
    retry_after: timedelta | None = None


Performance = Wants | Answered | Failed

_PARKS = (
    UnknownStep, StateUnreadable, OutcomeRefused, ContextOverBudget, EffectRefused, PayloadMismatch, SealedForErased,
    MemoryRefused,
)  # fmt: skip


def perform(parts: Parts, configs: ConfigCache, run: Run, now: datetime, keeping: Keeping) -> Performance:
    """Perform a run's step once, with no transaction open."""
    run.left = Left()
    try:
        step = admit(run)
        return Answered(run, _accept(step.perform(StepKit(parts, run, configs, now, keeping), run.state), run))
    except EffectsWanted as wanted:
        return Wants(run, wanted.effects)
    except WaitsForBatch:
        run.left, later = Left(), now + LOOK_AGAIN_AFTER
        return Answered(run, Wait(run.state, (), later, later, "its batch is looked at"))
    except BudgetAsks as asks:
        run.left = Left()  # the step runs again from its top
        return Answered(run, Interrupt(run.state, asks.question))
    except Exception as error:  # noqa: BLE001 - whatever a step raises becomes a row, never a crash of the worker
        return failed(run, error)


def failed(run: Run, error: Exception) -> Failed:
    """Answer a failure as a row will hold it."""
    said = describe(error)
    return Failed(run, said.code, said.frame, said.parks, said.retry_after)


@dataclass(frozen=True, slots=True)
class Described:
    """An error as a row will hold it: its code, its frames, whether trying again would meet the same, and when to."""

    code: str
    frame: str
    parks: bool
    retry_after: timedelta | None = None


def describe(error: Exception) -> Described:
    """Describe an error."""
    code = error.code if isinstance(error, DaybookError) else type(error).__name__
    frame = "".join(traceback.format_exception(error))
    if isinstance(error, ModelFailed):
        after = None if error.retry_after_s is None else timedelta(seconds=error.retry_after_s)
        return Described(code, frame, error.is_final, after)
    if isinstance(error, ContextMoved):
        return Described(code, frame, parks=False, retry_after=timedelta(0))  # what it needs is there already
    return Described(code, frame, isinstance(error, _PARKS))


def admit(run: Run) -> Step:
    """Answer the step that is due, its state decoded; raises UnknownStep or StateUnreadable."""
    thread = run.thread
    if run.workflow is None:
        raise UnknownStep(f"{thread.id} follows workflow {thread.workflow!r}, which the loaded code does not have.")
    step = run.workflow.step(thread.step)
    if step is None:
        raise UnknownStep(
            f"{thread.id} waits at step {thread.step!r}, which workflow {thread.workflow} no longer has. Name its "
            "successor in the workflow's `renamed` and retry the thread."
        )
    if run.state is None:
        run.state = codec_of(run.workflow.state).decode(run.fields, thread.id)
    return step


def _accept(outcome: object, run: Run) -> Outcome:
    if isinstance(outcome, Advance | Interrupt | Wait | Finish):
        return outcome
    raise OutcomeRefused(
        f"Step {run.thread.step} of {run.thread.id} answered {type(outcome).__name__}; a step answers Advance, "
        "Interrupt, Wait or Finish."
    )
