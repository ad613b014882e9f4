"""Memory: what is kept for later runs, whose, from where and until when; and what a person does about it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.errors import NotFound
from core.people.people import list_people
from core.views.memories import MemoryFilters, find_memories, list_found
from core.views.memory_record import read_record
from pages.parts import memory_filters, memory_list, memory_one, wording
from pages.parts import memory_words as words
from pages.parts.identity import Here, require
from pages.parts.live import stay_live
from pages.parts.memory_many import change_all
from pages.parts.memory_notices import notices
from pages.parts.untrusted import draw, foreign, tag

MEMORY = "pages/memory.py"


def page(here: Here, memory_id: str) -> None:
    """Draw one record where the address names one, else the table."""
    stay_live(here, mark=here.frame.mark)
    with here.app.read() as conn:
        people = list_people(conn, here.tenant_id)
    owners = {one.id: one.name for one in people}
    if memory_id:
        _record(here, memory_id, owners)
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("Memory", anchor=False, width="content")
        find = memory_filters.find_box()
    notices(here, owners)
    bar = st.container()
    filters = memory_filters.filters(here.tenant_id, people, memory_filters.state_choice(), find)
    _table(here, filters, owners, bar)


def _table(
    here: Here, filters: MemoryFilters, owners: Mapping[str, str], bar: st.delta_generator.DeltaGenerator
) -> None:
    vault, tenant_id = here.app.vault, here.tenant_id
    with here.app.read() as conn:
        found = find_memories(conn, vault, tenant_id, filters, here.now)
    if found.total == 0:
        draw(memory_list.empty() if found.is_empty else tag("p", words.NOTHING_FOUND, cls="empty"))
        return
    with bar:
        draw(memory_list.shares(found))
    place = st.container(key="memory-list")
    number = (
        st.pagination(found.page_count, key=memory_filters.PAGE, bind="query-params") if found.page_count > 1 else 1
    )
    with here.app.read() as conn:
        shown = list_found(conn, vault, tenant_id, found, here.now, number)
    with place:
        draw(memory_list.table(shown, owners, here))
    if here.may("reviewer") and filters.state not in ("expired", "deleted"):
        change_all(here, filters, found.total, shown)


def _record(here: Here, memory_id: str, owners: Mapping[str, str]) -> None:
    try:
        with here.app.read() as conn:
            record = read_record(conn, here.app.vault, here.tenant_id, memory_id, here.now)
    except NotFound as missing:
        draw(tag("h1", "No such record"))
        draw(tag("p", foreign(wording.refusal(missing)), cls="empty"))
        st.page_link(MEMORY, label="All records", icon=":material/arrow_back:")
        return
    memory_one.draw_record(here, record, owners)


page(require("viewer"), st.query_params.get(memory_filters.ID, ""))
