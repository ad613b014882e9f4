"""A role's letters as a sample person gets them, each with the version it is of. To read: a command changes them."""

from __future__ import annotations

from core.views.letters import LetterShown, LettersShown
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.letters import paper
from pages.parts.plan import heading
from pages.parts.times import when
from pages.parts.untrusted import Html, draw, foreign, tag


def role_letters(here: Here, role_id: str, shown: LettersShown) -> None:
    """Draw them, and the command that changes one."""
    draw(heading(f"Letters of {role_id}", f"version {shown.letters.version} is the newest"))
    draw(tag("p", wording.LETTERS, " ", tag("code", foreign(wording.HOW_TO_CHANGE_A_LETTER.format(role_id)))))
    draw(_letters(shown, here))


def _letters(shown: LettersShown, here: Here) -> Html:
    filled = here.app.preview_letters(shown.role, shown.letters, shown.booking)
    return tag("div", *(paper(filled[one.name], _foot(one, here)) for one in shown.each), cls="papers")


def _foot(one: LetterShown, here: Here) -> Html:
    by = foreign(one.by or "somebody")
    return tag(
        "p", tag("b", one.name), f", version {one.since}, ", when(one.changed_at, here.zone), " by ", by, cls="id"
    )
