"""What later threads may recall of this one: a line about the application, a line about an override.

No name stands in either. The key is exact and only its keyed hash is stored.
"""

from __future__ import annotations

from core.steps import Decided, Kit, Recalled, Record, Rule
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


def remember_override(kit: Kit, state: Screening, answer: Decided) -> None:
    """Keep how a person read the model's points and total under this rubric version, where they gave their own.

    The line is a list such as `criterion 3: 2 read as 4; total 15 read as 17`.
    """
    own = {one.number: answer.points[one.number] for one in state.scores if one.number in answer.points}
    read = [
        f"criterion {one.number}: {one.score} read as {own[one.number]}" for one in state.scores if one.number in own
    ]
    total = answer.total
    if total is None and own:
        total = sum(own.get(one.number, one.score) for one in state.scores)
    if total is not None and state.total is not None and total != state.total:
        read.append(f"total {state.total} read as {total}")
    if read:
        kit.remember(Record("override", override_key(kit), "; ".join(read), 1.0, Rule.NEXT_RUBRIC))


def override_key(kit: Kit) -> str:
    """Answer the key of the overrides of the pinned rubric version: `role-14/rubric@1`."""
    return f"{kit.thread_id.rsplit('/', 1)[0]}/rubric@{kit.config('rubric').version}"


def as_line(recalled: Recalled | None) -> RecallLine | None:
    """Answer a memory as the one line that state keeps."""
    if recalled is None:
        return None
    text = " ".join(recalled.text.split())[:_LINE_LENGTH]
    return RecallLine(recalled.id, recalled.version, text, recalled.source, recalled.created_at)
