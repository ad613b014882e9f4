"""Every way Daybook says no.

DaybookError
├── Refused              a command was understood and not carried out; `code` is a contract
│   ├── NotFound AlreadyDecided StaleVersion AlreadyReleased NotAllowed BadInput
│   ├── PayloadMismatch EffectRefused
│   ├── RoleClosed AlreadyApplied UnreadableFile
│   ├── ClockIsReal ClockIsHeld SealedForErased MemoryRefused
│   └── EngineAway
├── SettingsWrong        the start stops: name, bound, fix
├── HomeUnusable         the start stops: a file of the home is not what the rest of it needs
│   └── HomeMoved        its rows are in another database
├── NotWritten           the answer found no reader; what was asked for may be done
├── LeaseLost            a late worker; nothing of its step is kept
├── StepFailed           a step broke its contract (parked after retries, never lost)
│   ├── UnknownStep StateUnreadable OutcomeRefused ContextOverBudget ContextMoved
│   └── ModelFailed      a model gave no answer; `code` says why
└── EffectNotSent        an adapter is certain that nothing left; tried again later
    └── EffectTurnedDown the outside refused it for good; a person looks

The class docstring's first line is the default sentence; arguments replace it with one that names the thing.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection

_MOST_LISTED = 12


def meant(wrong: str, known: Collection[str]) -> str:
    """Answer the sentence that helps after a name nobody knows: the nearest that is known, else those there are."""
    near = difflib.get_close_matches(wrong[:100], known, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"Known: {', '.join(sorted(known)[:_MOST_LISTED])}." if known else "There is none yet."


class DaybookError(Exception):
    """Something Daybook can explain went wrong."""

    code = "error"

    def __init__(self, sentence: str | None = None) -> None:
        self.sentence = sentence or (type(self).__doc__ or "").splitlines()[0]
        super().__init__(self.sentence)


class Refused(DaybookError):
    """This was not done."""

    code = "refused"


class NotFound(Refused):
    """There is nothing by that name here."""

    code = "not_found"


class AlreadyDecided(Refused):
    """Somebody decided this first."""

    code = "already_decided"


class StaleVersion(Refused):
    """This changed since you looked; look again and decide on what it is now."""

    code = "stale_version"


class AlreadyReleased(Refused):
    """This was released already, so it can no longer be undone."""

    code = "already_released"


class NotAllowed(Refused):
    """You may not do this."""

    code = "not_allowed"


class BadInput(Refused):
    """That does not fit what was asked for."""

    code = "bad_input"


class PayloadMismatch(Refused):
    """This key was used for something else; it cannot be used for this."""

    code = "payload_mismatch"


class EffectRefused(Refused):
    """The ledger does not let this effect out."""

    code = "effect_refused"


class RoleClosed(Refused):
    """This role is closed; open it again before you add to it."""

    code = "role_closed"


class AlreadyApplied(Refused):
    """This person has applied for this role already."""

    code = "already_applied"


class UnreadableFile(Refused):
    """This file cannot be read as an application."""

    code = "unreadable_file"


class NoReadableText(UnreadableFile):
    """This file holds no words, as a scan holds none."""


class ClockIsReal(Refused):
    """This tenant runs on the real clock, which nobody can move."""

    code = "clock_is_real"


class ClockIsHeld(Refused):
    """DAYBOOK_NOW holds every clock, so that moving one would show nowhere."""

    code = "clock_is_held"


class SealedForErased(Refused):
    """This subject was erased; nothing more is written about them."""

    code = "erased"


class MemoryRefused(Refused):
    """This is not kept as memory."""

    code = "memory_refused"


class SettingsWrong(DaybookError):
    """A setting has a value that Daybook cannot run with."""

    code = "settings_wrong"


class HomeUnusable(DaybookError):
    """This home cannot be opened as it is; nothing was changed."""

    code = "home_unusable"


class EngineAway(Refused):
    """The server of the engine does not answer; what is due stands in rows and waits for it."""

    code = "engine_away"


class HomeMoved(HomeUnusable):
    """The rows of this home moved to another database."""

    code = "home_moved"


class NotWritten(DaybookError):
    """The answer could not be written; ask again to see what stands now."""

    code = "not_written"


class LeaseLost(DaybookError):
    """Another worker holds this thread now; nothing of this step is kept."""

    code = "lease_lost"


class StepFailed(DaybookError):
    """A step could not be carried out."""

    code = "step_failed"


class UnknownStep(StepFailed):
    """The loaded code does not know this step."""

    code = "unknown_step"


class StateUnreadable(StepFailed):
    """A saved field cannot be read by the loaded code."""

    code = "state_unreadable"


class OutcomeRefused(StepFailed):
    """A step answered with something that cannot be saved."""

    code = "outcome_refused"


class ContextOverBudget(StepFailed):
    """What the model must be sent does not fit its budget; nothing was sent."""

    code = "context_over_budget"


class ContextMoved(StepFailed):
    """What a model was sent changed while it answered; the answer is dropped and the step runs anew."""

    code = "context_moved"


class ModelFailed(StepFailed):
    """A model gave no answer.

    `is_final`: asking again would meet the same, so the thread parks. `retry_after_s` is how many seconds the model's
    provider asked us to wait, if it did.
    """

    code = "model_failed"

    def __init__(self, code: str, sentence: str, *, is_final: bool, retry_after_s: float | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.is_final = is_final
        self.retry_after_s = retry_after_s


class EffectNotSent(DaybookError):
    """The adapter is certain that nothing left; it is tried again later."""

    code = "effect_not_sent"


class EffectTurnedDown(EffectNotSent):
    """The outside refused this for good; nothing left, and trying again would meet the same."""

    code = "turned_down"

    def __init__(self, sentence: str | None = None, *, why: str = "") -> None:
        super().__init__(sentence)
        self.why = why or self.code
