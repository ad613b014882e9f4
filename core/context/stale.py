"""Which summaries state what only a row may state: an approval, an effect, a status.

Such a line was true when it was written, if ever. The row's own slot says what is true now.
"""

from __future__ import annotations

import re

_STATES = re.compile(
    r"\b(?:approv(?:al|als|e|ed|es|ing)|reject(?:ed|s|ing|ion)?|disapproved|pending|undecided|decided|declin(?:ed|es)|"
    r"awaiting|on hold|held|released|withdrawn|superseded|accepted|signed off|sign-off|go-ahead|"
    r"status|state is|completed|finished|failed|cancelled|closed|"
    r"was sent|were sent|has been sent|already sent|not sent|unsent|already (?:read|fetched|done)|fetched|delivered)\b",
    re.IGNORECASE,
)


def states_status(text: str) -> bool:
    """Say whether a summary states an approval, an effect or a status."""
    return _STATES.search(text) is not None
