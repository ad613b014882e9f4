"""Whatever records there are, nothing hands out one that is expired, forgotten, foreign, superseded or quarantined: no
read, no packet, no list, no search, no page, no tool, the second time as little as the first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.claude_memory import ClaudeMemory, ToolError
from core.context.memory_files import Asker, RowFiles, open_memory_files
from core.context.show import Files, build_now
from core.errors import NotFound
from core.memory.reading import show_memory
from core.steps import MemoryKey, Packet, Sources, Workflow
from core.threads.rows import get_thread
from core.views.memories import MemoryFilters, find_memories, list_found
from tests.contracts.remembering import change, look, remember, texts
from tests.contracts.tiny import Slip, done, workflow
from tests.homes import Home
from tests.pages.conftest import Open, drawn
from tests.pages.test_memory_page import listed

OTHER, THREAD = "other", "tiny/everywhere"
HOW = ("live", "expired", "forgotten", "quarantined", "superseded", "foreign", "other-owner")
UNREADABLE = {"expired", "forgotten", "foreign"}
KIND = "observation"
Planted = list[tuple[str, str, str]]
FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_NUMBERS = count()


@pytest.fixture
def peopled(home: Home) -> Home:
    """A home with another tenant, another person and a run that may ask memory."""
    home.add_tenant(OTHER)
    home.add_person("ben@example.com")
    home.with_code(agent("none")).begin(agent("none"), THREAD, Slip())
    return home


def agent(key: str) -> Workflow:
    def context(rows: Sources, _state: object) -> Packet:
        return Packet("think", required=(), optional=rows.memory("memory", KIND, [key]))

    return workflow(done, slots=("memory",), context=context, may_ask_memory=True)


def plant(home: Home, how: str, key: str, text: str) -> str:
    """Write one record in that condition, and answer its id."""
    who = {"foreign": replace(home, tenant_id=OTHER), "other-owner": home.acted_by("ben@example.com")}.get(how, home)
    origin = "model" if how == "quarantined" else "person"
    line = remember(who, text, key=key, kind=KIND, origin=origin, is_own=how == "other-owner")
    if how in ("expired", "forgotten"):
        change(home, {"expired": "expire", "forgotten": "forget"}[how], line.id)
    if how == "superseded":
        new = remember(home, f"Instead of: {text[::-1]}", key=key, kind=KIND)
        change(home, "supersede", line.id, new.id)
        change(home, "forget", new.id)
    return line.id


@pytest.mark.seed("atlas.boundary.7")
@FEW
@given(planted=st.lists(st.sampled_from(HOW), min_size=1, max_size=5))
@pytest.mark.case("M01", "M05", "M07", "M10", "M12")
def test_only_what_may_be_read_is_handed_out_by_anything(peopled: Home, open_page: Open, planted: list[str]) -> None:
    number = next(_NUMBERS)  # each example writes under a key of its own
    key, word = f"key/{number}", f"example{number}x"
    records = [(plant(peopled, how, key, text), how, text) for how, text in told(planted, word)]
    for _ in range(2):  # what was found once is kept nowhere
        used_by_runs(peopled, key, records)
        shown_to_people(peopled, open_page, word, records)
    for memory_id, how, _ in records:
        if how == "live":
            change(peopled, "forget", memory_id)
    gone = [(one, "forgotten" if how == "live" else how, text) for one, how, text in records]
    used_by_runs(peopled, key, gone)
    shown_to_people(peopled, open_page, word, gone)


def told(planted: list[str], word: str) -> list[tuple[str, str]]:
    return [(how, f"{word} number {place}.") for place, how in enumerate(planted)]


def used_by_runs(home: Home, key: str, records: Planted) -> None:
    """Hold a read, a packet and the tool against what may be read: the one live record, or none of several."""
    live = [text for _, how, text in records if how == "live"]
    expected = live if len(live) == 1 else []
    assert texts(look(home, key=key, kind=KIND)) == expected
    assert packet(home, key) == expected
    assert asked(home, key) == expected


def packet(home: Home, key: str) -> list[str]:
    flow, vault = agent(key), home.app.vault
    with home.app.read() as conn:
        thread = get_thread(conn, home.tenant_id, THREAD)
        built = build_now(conn, vault, thread, flow, home.actor.now, Files(home.app.parts.blobs, home.app.parts.reader))
    return [one.text.partition(": ")[2] for one in built.admitted.items]


def asked(home: Home, key: str) -> list[str]:
    files = files_of(home, key)
    with suppress(ToolError):
        said = ClaudeMemory(files).call({"command": "view", "path": "/memories/known"})
        return [said.partition("\t")[2]]
    return []


def files_of(home: Home, key: str) -> RowFiles:
    asker = Asker(home.app.vault.keys(home.tenant_id, THREAD), None, f"{THREAD}#1", home.actor.now)
    return open_memory_files(home.app.read, home.app.vault, asker, agent(key), [MemoryKey("known", KIND, key)], 1_000)


def shown_to_people(home: Home, open_page: Open, word: str, records: Planted) -> None:
    """Hold the search, the record and the page against what a person may still see, and as what."""
    for memory_id, how, text in records:
        assert (text in shown(home, memory_id)) == (how not in UNREADABLE)
    by_state = {state: found(home, word, state) for state in (None, "live", "contested", "quarantined", "superseded")}
    of = {how: {one for one, its, _ in records if its == how} for how in HOW}
    assert by_state[None] == {one for one, how, _ in records if how not in UNREADABLE}
    assert by_state["live"] | by_state["contested"] == of["live"] | of["other-owner"]
    assert (by_state["quarantined"], by_state["superseded"]) == (of["quarantined"], of["superseded"])
    on_page = listed(open_page("memory", text=word))
    assert {text for _, _, text in records if text in on_page} == {t for _, how, t in records if how not in UNREADABLE}
    for memory_id, how, text in records[:1]:
        assert (text in drawn(open_page("memory", id=memory_id))) == (how not in UNREADABLE)


def shown(home: Home, memory_id: str) -> str:
    try:
        with home.app.read() as conn:
            return show_memory(conn, home.app.vault, home.tenant_id, memory_id, home.actor.now)[1]
    except NotFound:
        return ""


def found(home: Home, word: str, state: str | None) -> set[str]:
    vault, now = home.app.vault, home.actor.now
    with home.app.read() as conn:
        whole = find_memories(conn, vault, home.tenant_id, MemoryFilters(state=state, find=word), now)
        return {one.line.id for one in list_found(conn, vault, home.tenant_id, whole, now, 1)}
