"""Add a role: its text, pasted or dropped, and beside it what was understood of it, before anything is saved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.catalog.role_text import RoleDraft, read_role
from core.catalog.roles import free_id
from core.desk.roles import open_role
from core.errors import BadInput, Refused
from core.identity import storable
from core.limits import ROLE_TEXT
from pages.parts import identity, role_preview, wording
from pages.parts.untrusted import draw, tag

VERSION, REFUSED, CHOSEN = "applications.role.version", "applications.role.refused", "role"
_KINDS = ["md", "markdown", "txt", "toml"]


@dataclass(frozen=True, slots=True)
class RoleText:
    """A role's text as it was given; the name decides the layout."""

    name: str
    text: str


def role_form(*, opened: bool, taken: Collection[str]) -> None:
    """Draw the form and the preview. Saving is one command; whatever is refused stays as it was typed.

    A text whose id is among those `taken` is offered under the next free one, and says so before it is saved.
    """
    version = int(st.session_state.setdefault(VERSION, 0))
    fold = f"applications.role.{version}"
    with st.expander("Add a role", icon=":material/add:", expanded=opened, key=fold):
        _form(version, taken)


def _form(version: int, taken: Collection[str]) -> None:
    left, right = st.columns([1, 1], gap="large")
    with left:
        given = _given(version)
    with right:
        draft = _understand(given, taken)
        st.button(
            "Save role", key=f"applications.role.save.{version}", type="primary", icon=":material/save:",
            disabled=draft is None, on_click=_save, args=(version, given, draft and draft.id),
        )  # fmt: skip
        refused = st.session_state.get(REFUSED)
        if refused is not None and refused[0] == given:
            draw(tag("p", refused[1], cls="turned-down", role="alert"))


def _given(version: int) -> RoleText | BadInput | None:
    file, text = _keys(version)
    dropped = st.file_uploader(
        "Drop its file", type=_KINDS, max_upload_size=1, key=file,
        help="Markdown or TOML, UTF-8, at most 1 MB.",
    )  # fmt: skip
    st.text_area(
        "Or paste its text", height=420, max_chars=ROLE_TEXT, key=text,
        placeholder="# Role 14: senior brand designer\n\nRules checked before scoring: …", disabled=dropped is not None,
    )  # fmt: skip
    return _standing(version)


def _keys(version: int) -> tuple[str, str]:
    return f"applications.role.file.{version}", f"applications.role.text.{version}"


def _standing(version: int) -> RoleText | BadInput | None:
    """Answer what stands in the form, or None."""
    file, text = _keys(version)
    dropped = st.session_state.get(file)
    if dropped is not None:
        return _read(dropped.name, dropped.getvalue())
    typed = storable(st.session_state.get(text) or "")
    if not typed.strip():
        return None
    return RoleText("pasted.toml" if _is_toml(typed) else "pasted.md", typed)


def _read(name: str, content: bytes) -> RoleText | BadInput:
    label = storable(name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return BadInput(f"{label} cannot be read as UTF-8 text.")
    return RoleText(label, storable(text))


def _is_toml(text: str) -> bool:
    """Say whether pasted text is TOML: its first line that says anything is a key or a table."""
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return (first.startswith("[") and first.endswith("]")) or first.partition("=")[0].strip().isidentifier()


def _understand(given: RoleText | BadInput | None, taken: Collection[str]) -> RoleDraft | None:
    if given is None:
        draw(tag("p", wording.ROLE_TEXT, cls="empty"))
        return None
    try:
        if isinstance(given, BadInput):
            raise given
        draft = read_role(given.text, given.name)
    except BadInput as wrong:
        draw(tag("p", wording.refusal(wrong), cls="turned-down", role="alert"))
        return None
    shown = replace(draft, id=free_id(draft.id, taken))
    draw(role_preview.preview(shown))
    if shown.id != draft.id:
        draw(tag("p", wording.OTHER_ID.format(wanted=draft.id, given=shown.id), cls="note", role="status"))
    return shown


def _save(version: int, given: Any, role_id: str) -> None:
    """Save what was shown, as whoever is here now."""
    if version != st.session_state[VERSION]:
        return  # a second click: the first one saved it
    if _standing(version) != given:  # typed and pressed at once: what was shown is no longer what stands there
        st.toast(wording.ROLE_MOVED, icon=":material/visibility:")
        return
    here = identity.require("reviewer")
    try:
        draft = replace(read_role(given.text, given.name), id=role_id)
        here.app.act(here.actor, "role add", lambda tx: open_role(tx, here.actor, draft))
    except Refused as refused:
        st.session_state[REFUSED] = (given, wording.refusal(refused))
        return
    st.session_state[VERSION] = version + 1
    st.session_state[CHOSEN] = role_id
    st.toast("The role is saved.", icon=":material/check:")
