"""Edit the message or the total in a drawer: fields typed by what is frozen, saved as a new version of the question."""

from __future__ import annotations

import streamlit as st

from core.desk.editing import edit_effects
from core.errors import Refused
from core.review.edit import fields_of
from core.review.read import Choice
from core.steps import Json
from core.views.card import Card
from pages.parts import deciding, identity, moving, wording
from pages.parts.deciding import Seen, close_drawer
from pages.parts.untrusted import Html, draw, foreign, inline, join, tag

EDITED = "review.edited"
_WORDS = {"subject": "Subject", "body": "Message"}


@st.dialog("Edit before you answer", width="large", on_dismiss=close_drawer)
def edit(card: Card, seen: Seen) -> None:
    """Draw the fields; saving writes a new version of the question, which is shown before it can be approved."""
    with st.form(f"review.edit.{seen.name}", border=False):
        total = _total(card)
        changes = {one.key: _fields(one) for one in card.approval.choices if one.key is not None and fields_of(one)}
        is_saved = st.form_submit_button("Save as a new version", type="primary")
    if not is_saved:
        return
    refused = _save(seen, changes)
    if refused is not None:
        draw(tag("p", foreign(refused), cls="refused", role="alert"))
        return
    deciding.keep_total(seen.approval_id, None if total == card.approval.facts.get("total") else total)
    close_drawer()
    st.rerun()


def _total(card: Card) -> int | None:
    most = card.approval.facts.get("max_total")
    if most is None:
        return None
    before = deciding.own_total(card.approval.id)
    scored = card.approval.facts.get("total")
    return st.number_input(
        f"Total, 0 to {most}", min_value=0, max_value=most, step=1, value=scored if before is None else before,
        help="Yours, beside the scored one; it is kept with your answer and sent to no scorer.",
        key=f"review.edit.total.{card.approval.id}",
    )  # fmt: skip


def _fields(one: Choice) -> dict[str, Json]:
    draw(tag("p", tag("code", one.key or ""), cls="id"))
    return {name: _field(f"review.edit.{one.key}.{name}", name, value) for name, value in fields_of(one).items()}


def _field(key: str, name: str, value: Json) -> Json:
    label = _WORDS.get(name, inline(name))
    if isinstance(value, bool):
        return st.checkbox(label, value, key=key)
    if isinstance(value, int):
        return st.number_input(label, value=value, step=1, key=key)
    if isinstance(value, float):
        return st.number_input(label, value=value, key=key)
    if name == "body":
        return st.text_area(label, value, height=260, key=key)
    return st.text_input(label, value, key=key)


def _save(seen: Seen, changes: dict[str, dict[str, Json]]) -> str | None:
    """Save, and answer the sentence of a refusal."""
    here = identity.require("viewer")
    try:
        here.app.act(
            here.actor, "edit",
            lambda tx: edit_effects(tx, here.app.desk, here.actor, seen.approval_id, seen.version, changes),
        )  # fmt: skip
    except Refused as refused:
        return wording.refusal(refused)
    st.session_state.pop(moving.SHOWN, None)
    return None


def own(card: Card) -> Html | None:
    """Say which total of their own the person gives with the answer, and that a message was edited."""
    total = deciding.own_total(card.approval.id)
    said = None
    if total is not None:
        scored = card.approval.facts.get("total")
        said = tag("p", tag("b", f"Your total: {total}."), f" Scored: {scored}. Yours goes with your answer.")
    return join(said and tag("div", said, cls="banner back"))
