"""Edit a letter of a role; how a sample person would get it, and which questions come back with it, are shown first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from core.catalog.letters import LETTERS, check_typed
from core.desk.letters import Preview, preview_letter, save_letter
from core.errors import Refused
from core.identity import storable
from core.limits import LETTER_BODY, LETTER_HEAD
from core.steps import Json
from core.views.letters import LettersShown
from core.views.of_role import Standing
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.letters import paper
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, inline, join, tag

TRIED = "settings.letter.tried"
_HEADS = (
    ("subject", "Subject", None),
    ("sender", "Sender", "The name before the home's own address."),
    ("reply_to", "Reply to", "Where answers go; empty: to the sender."),
    ("language", "Language", "A tag such as en or pt-BR."),
)


@dataclass(frozen=True, slots=True)
class Edited:
    """A letter as it was typed, for a role whose newest version was `after`."""

    role_id: str
    after: int
    name: str
    fields: tuple[tuple[str, str], ...]

    def read(self) -> dict[str, str]:
        """Answer the letter as it would be kept, or raise BadInput."""
        return check_typed(self.name, dict(self.fields))


def letter_form(here: Here, role_id: str, shown: LettersShown) -> None:
    """Draw the letter's fields, the preview and the button that saves. Only what was previewed can be saved."""
    version = shown.letters.version
    key = f"settings.letter.{role_id}.{version}"
    with st.expander("Edit a letter", icon=":material/edit:", key=f"{key}.fold"):
        left, right = st.columns([1.2, 1], gap="large")
        with left:
            name = st.segmented_control(
                "Letter", LETTERS, default=LETTERS[0], key=f"{key}.name", required=True, format_func=str.capitalize
            )
            edited = Edited(role_id, version, name, _fields(f"{key}.{name}", shown.letters.content[name]))
            press("Preview", _try, edited, key=f"{key}.preview", icon=":material/visibility:")
        with right:
            _result(here, edited, key)


def _fields(key: str, letter: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    typed: list[tuple[str, str]] = []
    for row in (_HEADS[:1], _HEADS[1:]):
        for place, (head, label, said) in zip(st.columns(len(row)), row, strict=True):
            value = place.text_input(
                label, value=letter.get(head, ""), max_chars=LETTER_HEAD, key=f"{key}.{head}", help=said
            )
            typed.append((head, storable(value or "")))
    body = st.text_area(
        "Text", value=letter["body"].rstrip("\n"), height=320, max_chars=LETTER_BODY, key=f"{key}.body",
        help=wording.LETTER_FIELDS,
    )  # fmt: skip
    return (*typed, ("body", storable(body or "")))


def _result(here: Here, edited: Edited, key: str) -> None:
    tried = st.session_state.get(TRIED)
    if tried is None or tried[0] != (here.tenant_id, edited):
        draw(tag("p", wording.LETTER_TEXT, cls="empty"))
        return
    found, filled = tried[1:]
    if not isinstance(found, Preview):
        draw(tag("p", found, cls="turned-down", role="alert"))
        return
    draw(_preview(found, edited.name, filled))
    label = inline(f"Save version {found.letters.version}")
    st.button(label, key=f"{key}.save", type="primary", icon=":material/save:", on_click=_save, args=(edited,))


def _preview(found: Preview, name: str, filled: Mapping[str, Json]) -> Html:
    would = tag(
        "section",
        tag("h3", f"Version {found.letters.version} would do this"),
        tag("ul", *(tag("li", line) for line in _lines(found.standing))),
        cls="would",
        aria_label="What saving would do",
    )
    said = f", version {found.letters.version}, not saved"
    language = found.letters.content[name].get("language")
    foot = tag("p", tag("b", name), said, f", in {language}" if language else None, cls="id")
    return join(would, tag("div", paper(filled, foot), cls="papers"))


def _lines(standing: Standing) -> Iterator[Html]:
    yield _line(
        standing.asked, "question that stands comes back", "questions that stand come back", "with the new text."
    )
    yield _line(standing.held, "held answer comes back", "held answers come back", "to be given again.")
    later = max(0, standing.undecided - standing.asked - standing.held)
    yield _line(later, "run that is not asked about yet goes by it", "runs that are not asked about yet go by it", "")
    yield _line(standing.kept, "run keeps its letters:", "runs keep their letters:", "what left stays as it was.")


def _line(count: int, one: str, many: str, then: str) -> Html:
    return join(tag("b", str(count)), f" {one if count == 1 else many} {then}".rstrip().rstrip("."), ".")


def _try(edited: Edited) -> None:
    """Read what was typed and fill it for a sample person, now that it is asked for; no page run does."""
    here = require("viewer")
    filled: Mapping[str, Json] = {}
    try:
        letter = edited.read()
        found: Preview | str = here.app.look(
            here.actor,
            "role letters",
            lambda conn: preview_letter(conn, here.actor, edited.role_id, edited.name, letter),
        )
        assert isinstance(found, Preview)  # noqa: S101 - what is refused is raised
        filled = here.app.preview_changed(here.tenant_id, edited.role_id, found.letters)[edited.name]
    except Refused as refused:
        found = wording.refusal(refused)
    st.session_state[TRIED] = ((here.tenant_id, edited), found, filled)


def _save(edited: Edited) -> None:
    """Save what was previewed, as whoever is here now."""
    here, letter = require("viewer"), edited.read()
    if act(
        here,
        "role letters",
        lambda tx: save_letter(tx, here.actor, edited.role_id, edited.name, letter, after=edited.after),
    ):
        st.session_state.pop(TRIED, None)
        st.toast("The new version is saved.", icon=":material/check:")
