"""Edit a rubric as text; what saving would do is shown first: how many are scored anew, and who changes sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from core.catalog.role_text import RubricDraft, read_rubric
from core.catalog.rubric_text import write_rubric
from core.desk.rubrics import Preview, preview_rubric, save_rubric
from core.desk.trial import Tried
from core.errors import Refused
from core.identity import storable
from core.limits import ROLE_TEXT
from core.views.roles import RoleShown
from pages.parts import wording
from pages.parts.acting import act
from pages.parts.identity import Here, require
from pages.parts.pressing import press
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag

TRIED = "settings.rubric.tried"


@dataclass(frozen=True, slots=True)
class Edited:
    """A rubric's text as it was typed, for a role whose newest version was `after`."""

    role_id: str
    after: int
    name: str
    text: str

    def read(self) -> RubricDraft:
        """Answer what is understood of it, or raise BadInput."""
        return read_rubric(self.text, self.name)


def rubric_form(here: Here, shown: RoleShown) -> None:
    """Draw the text, the preview and the button that saves. Only what was previewed can be saved."""
    newest = shown.rubrics[-1]
    name, text = write_rubric(newest.content)
    key = f"settings.rubric.{shown.role.id}.{newest.version}"
    with st.expander("Edit as text", icon=":material/edit:", key=f"{key}.fold"):
        left, right = st.columns([1.2, 1], gap="large")
        with left:
            typed = st.text_area(
                "The rubric's text", value=text, height=420, max_chars=ROLE_TEXT, key=f"{key}.text",
                help="Criteria with their anchors, bands and notes. Saving writes a new version; the old ones stay.",
            )  # fmt: skip
            edited = Edited(shown.role.id, newest.version, name, storable(typed or ""))
            press("Preview", _try, edited, key=f"{key}.preview", icon=":material/visibility:")
        with right:
            _result(here, edited, key)


def _result(here: Here, edited: Edited, key: str) -> None:
    tried = st.session_state.get(TRIED)
    if tried is None or tried[0] != (here.tenant_id, edited):
        draw(tag("p", wording.RUBRIC_TEXT, cls="empty"))
        return
    found = tried[1]
    if not isinstance(found, Preview):
        draw(tag("p", found, cls="turned-down", role="alert"))
        return
    draw(_preview(found, tried[2]))
    label = inline(f"Save version {found.version}")
    st.button(label, key=f"{key}.save", type="primary", icon=":material/save:", on_click=_save, args=(edited,))


def _preview(found: Preview, noticed: tuple[str, ...]) -> Html:
    changes = [tag("li", foreign(change.sentence)) for change in found.changes]
    said = [tag("li", foreign(sentence)) for sentence in noticed]
    return tag(
        "section",
        tag("h3", f"Version {found.version} would do this"),
        tag("ul", *(tag("li", line) for line in _lines(found))),
        tag("h3", "What changes"),
        tag("ul", *changes),
        tag("div", tag("b", "Noticed, and not taken"), tag("ul", *said), cls="noticed") if said else None,
        cls="would",
        aria_label="What saving would do",
    )


def _lines(found: Preview) -> Iterator[Html]:
    standing = found.standing
    yield join(tag("b", str(standing.undecided)), " undecided are scored anew; their questions are asked anew.")
    yield join(tag("b", str(standing.kept)), " that are decided keep their version.")
    yield join(tag("b", str(standing.held)), " held answers come back as drafts.")
    yield join("Cost: ", foreign(found.cost.sentence), ".")
    if found.sample is None:
        yield join("No sample was scored: the model's answers cost money.")
        return
    changed = [one for one in found.sample if one.changes_sides]
    yield join("On a sample of ", tag("b", str(len(found.sample))), ", ", tag("b", str(len(changed))), " change sides",
               tag("ul", *(tag("li", _side(one)) for one in changed)) if changed else ".")  # fmt: skip


def _side(one: Tried) -> Html:
    before, after = one.before, one.after
    return join(
        tag("code", foreign(one.thread_id)),
        f" {before.total} of {before.max_total}, {before.proposal} → "
        f"{after.total} of {after.max_total}, {after.proposal}",
    )


def _try(edited: Edited) -> None:
    """Read what was typed and try it on a sample, now that it is asked for; no page run does."""
    here = require("viewer")
    noticed: tuple[str, ...] = ()
    try:
        draft = edited.read()
        noticed = draft.noticed
        found: Preview | str = here.app.look(
            here.actor,
            "role rubric",
            lambda conn: preview_rubric(conn, here.app.desk, here.actor, edited.role_id, draft.content),
        )
    except Refused as refused:
        found = wording.refusal(refused)
    st.session_state[TRIED] = ((here.tenant_id, edited), found, noticed)


def _save(edited: Edited) -> None:
    """Save what was previewed, as whoever is here now."""
    here = require("viewer")
    content = edited.read().content
    if act(here, "role rubric", lambda tx: save_rubric(tx, here.actor, edited.role_id, content, after=edited.after)):
        st.session_state.pop(TRIED, None)
        st.toast("The new version is saved.", icon=":material/check:")
