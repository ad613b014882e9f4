"""What later threads may recall of this one: a line about the application, a line about an override.

No name stands in either. The key is exact and only its keyed hash is stored.
"""

from __future__ import annotations

from core.steps import Kit, Recalled, Record, Rule
from core.workflows.screening.state import RecallLine, Screening

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_LINE_LENGTH = 200


def remember_application(kit: Kit, state: Screening, outcome: str) -> None:
    """Keep how this application ended, for the day the same address applies again."""
    if kit.person.email:
        text = f"applied in {_MONTHS[state.applied_at.month - 1]}, {outcome}"
        kit.remember(Record("application", kit.person.email, text, 1.0, Rule.CLOSE_6_MONTHS))


def remember_override(kit: Kit, state: Screening, total: int) -> None:
    """Keep that a person read the model's total differently under this rubric version."""
    text = f"total {state.total} read as {total}"
    kit.remember(Record("override", override_key(kit), text, 1.0, Rule.NEXT_RUBRIC))


def override_key(kit: Kit) -> str:
    """Answer the key of the overrides of the pinned rubric version: `role-14/rubric@1`."""
    return f"{kit.thread_id.rsplit('/', 1)[0]}/rubric@{kit.config('rubric').version}"


def as_line(recalled: Recalled | None) -> RecallLine | None:
    """Answer a memory as the one line that state keeps."""
    if recalled is None:
        return None
    text = " ".join(recalled.text.split())[:_LINE_LENGTH]
    return RecallLine(recalled.id, recalled.version, text, recalled.source, recalled.created_at)
