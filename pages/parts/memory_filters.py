"""The Memory page's filters. The address holds each of them, so that what is seen can be shared and found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode

import streamlit as st

from core.memory.kinds import KINDS
from core.people.people import Member
from core.views.memories import MemoryFilters
from pages.parts import memory_words as words

T = TypeVar("T")
ANY_KIND, ANYONE, TENANT, ANY_TRUST = "Any kind", "Any owner", "The tenant", "Any trust"
_STATES = {words.ALL: None} | {word: state for state, word in words.STATE.items()}
_TRUST = {ANY_TRUST: None} | {word.capitalize(): trust for trust, word in words.TRUST.items()}
PAGE, ID = "page", "id"


def find_box() -> str:
    """Draw the search box, and answer what is looked for."""
    typed = st.text_input(
        "Find", key="text", bind="query-params", placeholder="Words of a record", icon=":material/search:",
        label_visibility="collapsed", width=280, max_chars=200, on_change=_first_page,
    )  # fmt: skip
    return typed.strip()


def state_choice() -> str | None:
    """Draw the states, and answer the chosen one."""
    word = st.segmented_control(
        "State", list(_STATES), default=words.ALL, required=True, key="state", bind="query-params",
        label_visibility="collapsed", on_change=_first_page,
    )  # fmt: skip
    return _STATES.get(word or words.ALL)


def filters(tenant_id: str, people: Sequence[Member], state: str | None, find: str) -> MemoryFilters:
    """Draw the other filters in a row, and answer all of them."""
    owners = {ANYONE: None, TENANT: tenant_id} | {one.email: one.id for one in people}
    with st.container(horizontal=True, gap="small", key="memory-filters"):
        return MemoryFilters(
            state=state,
            kind=_pick("Kind", "kind", {ANY_KIND: None} | {name: name for name in KINDS}),
            owner_id=_pick("Owner", "owner", owners),
            source=_source(),
            trust=_pick("Trust", "trust", _TRUST),
            confidence=_pick("Confidence", "sure", words.SURE),
            created_within=_pick("Created", "created", words.CREATED),
            expires_within=_pick("Expires", "expires", words.WITHIN),
            find=find,
        )


def address(**changed: str | None) -> str:
    """Answer this page's address with some of its values changed; None takes one out."""
    kept = {**st.query_params.to_dict(), **changed}
    query = urlencode({name: value for name, value in kept.items() if value is not None}, safe="/")
    return f"/memory?{query}" if query else "/memory"


def _pick(label: str, key: str, options: Mapping[str, T]) -> T:
    chosen = st.selectbox(
        label, list(options), key=key, bind="query-params", label_visibility="collapsed", width=146,
        on_change=_first_page,
    )  # fmt: skip
    return options.get(chosen, next(iter(options.values())))


def _source() -> str | None:
    typed = st.text_input(
        "Source", key="source", bind="query-params", placeholder="Source begins with", width=146,
        label_visibility="collapsed", max_chars=120, on_change=_first_page,
    )  # fmt: skip
    return typed.strip() or None


def _first_page() -> None:
    """Another filter has other pages: the number of the old one would show nothing."""
    st.session_state[PAGE] = 1
