"""How long what people write may be. Refused at the door, in one sentence, before anything is kept.

The limits are far above what is ordinary and far below what a packet can carry (60,000 tokens), so that no text of
one person stops the work of others.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import BadInput
from core.identity import display_name, storable

REASON = 500
REFERENCE = 500
ANSWER = 2_000
FORM_KEY = 100
FORM_VALUE = 10_000
FORM_FIELDS = 100
FORM_WHOLE = 40_000
ROLE_TEXT = 200_000
ROLE_TITLE = 200
ROLE_DESCRIPTION = 20_000
ROLE_RUBRIC = 20_000
LETTER_HEAD = 200
LETTER_BODY = 10_000
INVOICE_BYTES = 2_000_000


def check_length(text: str, most: int, what: str) -> str:
    """Answer the text, or raise BadInput where it has more than `most` characters; `what` begins the sentence."""
    if len(text) > most:
        raise BadInput(f"{what} has {len(text):,} characters; at most {most:,} are kept, so shorten it.")
    return text


def one_line(text: str | None, most: int, what: str) -> str | None:
    """Answer what stands in one line, without controls; None where nothing does. Raises BadInput as check_length."""
    if text is None:
        return None
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BadInput(f"{what} holds half a character; type it again.")
    return display_name(check_length(text, most, what)) or None


def check_form(form: Mapping[str, str]) -> dict[str, str]:
    """Answer a form as it is kept, or raise BadInput where it is no form a person filled in."""
    if len(form) > FORM_FIELDS:
        raise BadInput(f"The form has {len(form):,} answers; at most {FORM_FIELDS} are kept, so leave some out.")
    for key, value in form.items():
        check_length(key, FORM_KEY, f"The form's key {display_name(key[:40])}…")
        check_length(value, FORM_VALUE, f"The form's answer to {display_name(key)}")
    check_length("".join(form.values()), FORM_WHOLE, "The form")
    return {storable(key): storable(value) for key, value in form.items()}
