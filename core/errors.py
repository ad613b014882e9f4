"""Every way Daybook says no.

DaybookError
├── Refused              a command was understood and not carried out; `code` is a contract
│   ├── NotFound AlreadyDecided StaleVersion AlreadyReleased NotAllowed BadInput
│   ├── PayloadMismatch EffectRefused
│   ├── RoleClosed AlreadyApplied UnreadableFile
│   └── ClockIsReal SealedForErased
├── SettingsWrong        the start stops: name, bound, fix
├── LeaseLost            a late worker; nothing of its step is kept
├── StepFailed           a step broke its contract (parked after retries, never lost)
│   └── UnknownStep StateUnreadable OutcomeRefused ContextOverBudget
└── EffectNotSent        an adapter is certain that nothing left; tried again later

The class docstring's first line is the default sentence; arguments replace it with one that names the thing.
"""

from __future__ import annotations


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


class ClockIsReal(Refused):
    """This tenant runs on the real clock, which nobody can move."""

    code = "clock_is_real"


class SealedForErased(Refused):
    """This subject was erased; nothing more is written about them."""

    code = "erased"


class SettingsWrong(DaybookError):
    """A setting has a value that Daybook cannot run with."""

    code = "settings_wrong"


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


class EffectNotSent(DaybookError):
    """The adapter is certain that nothing left; it is tried again later."""

    code = "effect_not_sent"
