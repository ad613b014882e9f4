"""What a model is sent is built from rows, bounded, and accounted for (contract C6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.context.stale import states_status
from core.steps import Finish, Item, Kit, Outcome, Packet, Sources
from tests.contracts.remembering import KEY, TEXT, change, remember
from tests.contracts.tiny import ONE, Slip, begun, why_of, workflow
from tests.homes import Home

SLOTS = ("goal", "records", "memory", "pointers")


def item(slot: str, name: str, size: int = 10) -> Item:
    return Item(slot, "checkpoints", name, 1, "x" * round(size * 2.8))


def asks(kit: Kit, state: Slip) -> Outcome:
    """Ask a model once, with the packet that the workflow builds."""
    reply = kit.ask(kit.build(state))
    return Finish(state, "done", "completed", str(reply.content["line"]))


def home_with(folder: Path, packet: Any, slots: tuple[str, ...] = SLOTS) -> Home:
    return begun(folder, workflow(asks, slots=slots, context=packet))


def manifest(home: Home) -> dict[str, Any]:
    ((items, filtered),) = home.look("SELECT items, filtered FROM manifests WHERE thread_id = :id", id=ONE)
    return {"items": json.loads(str(items)), "filtered": json.loads(str(filtered))}


def test_optional_items_go_in_the_declared_order_the_last_slot_first(tmp_path: Path) -> None:
    def packet(_rows: Sources, _state: Slip) -> Packet:
        optional = (item("pointers", "p", 5), item("memory", "m", 10))
        return Packet("close", (item("goal", "g"),), optional, budget_tokens=20)

    home = home_with(tmp_path, packet)
    home.run()
    sent = manifest(home)
    assert [one["id"] for one in sent["items"]] == ["g", "m"]
    assert sent["filtered"] == [{"source": "checkpoints", "id": "p", "reason": "over-budget"}]


def with_status(source: str, value: str) -> Any:
    """Declare a packet whose one optional item is a row with a status, in a budget that it does not fit."""

    def packet(_rows: Sources, _state: Slip) -> Packet:
        row = Item("memory", source, "row-1", 1, "x" * 100, value)
        return Packet("close", (item("goal", "g"),), (row,), budget_tokens=20)

    return packet


@pytest.mark.seed("atlas.F4.inspect")
@pytest.mark.parametrize(
    ("source", "value"),
    [("approvals", "pending"), ("effects", "planned"), ("effects", "sending"), ("effects", "unknown")],
)
def test_a_packet_that_would_drop_what_is_unresolved_is_not_sent(tmp_path: Path, source: str, value: str) -> None:
    home = home_with(tmp_path, with_status(source, value))
    home.run()
    assert (why_of(home)[0], home.look("SELECT count(*) FROM manifests")) == ("context_over_budget", [(0,)])


@pytest.mark.parametrize(("source", "value"), [("approvals", "rejected"), ("effects", "done"), ("effects", "void")])
def test_what_is_resolved_may_go(tmp_path: Path, source: str, value: str) -> None:
    home = home_with(tmp_path, with_status(source, value))
    home.run()
    assert manifest(home)["filtered"] == [{"source": source, "id": "row-1", "reason": "over-budget"}]


def test_an_item_is_not_dropped_for_the_sake_of_a_smaller_one_behind_it(tmp_path: Path) -> None:
    def packet(_rows: Sources, _state: Slip) -> Packet:
        optional = (item("memory", "m", 30), item("pointers", "p", 5))
        return Packet("close", (item("goal", "g"),), optional, budget_tokens=20)

    home = home_with(tmp_path, packet)
    home.run()
    assert [one["id"] for one in manifest(home)["items"]] == ["g"]


def test_what_must_be_sent_and_does_not_fit_is_an_error_and_no_call(tmp_path: Path) -> None:
    home = home_with(tmp_path, lambda _rows, _state: Packet("close", (item("goal", "g", 30),), budget_tokens=20))
    home.run()
    assert (why_of(home)[0], home.look("SELECT * FROM manifests")) == ("context_over_budget", [])


def test_a_slot_that_was_not_declared_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, lambda _rows, _state: Packet("close", (item("rules", "r"),)))
    home.run()
    code, said = why_of(home)
    assert (code, "'rules'" in said) == ("outcome_refused", True)


def test_memory_fills_its_slot_as_quoted_evidence_with_its_source_and_age(tmp_path: Path) -> None:
    texts: list[str] = []

    def packet(rows: Sources, _state: Slip) -> Packet:
        found = rows.memory("memory", "fact", [KEY, KEY])
        texts.extend(one.text for one in found)
        return Packet("close", (item("goal", "g"),), found)

    home = home_with(tmp_path, packet)
    gone = remember(home, "Gone.")
    change(home, "forget", gone.id)
    known = remember(home, source="kick-off meeting")
    home.run()
    sent = manifest(home)
    assert [(one["source"], one["id"], one["version"]) for one in sent["items"][1:]] == [("memories", known.id, 1)]
    assert texts == [f"kick-off meeting said on 2026-08-20: {TEXT}"]
    assert sent["filtered"] == [{"source": "memories", "id": gone.id, "reason": "deleted"}]


def test_a_manifest_keeps_no_word_of_what_was_sent(tmp_path: Path) -> None:
    home = home_with(
        tmp_path, lambda rows, _state: Packet("close", (item("goal", "g"),), rows.memory("memory", "fact", [KEY]))
    )
    remember(home)
    home.run()
    assert "Harbour" not in json.dumps(manifest(home))


@pytest.mark.parametrize(
    "line",
    [
        "d_08 was found; approval pending.",
        "The operator approved it.",
        "Rejected at review.",
        "The export was already fetched.",
        "Status: completed.",
        "The invite was sent.",
        "Still awaiting sign-off.",
    ],
)
def test_a_summary_that_states_what_a_row_states_is_stale(line: str) -> None:
    assert states_status(line)


@pytest.mark.parametrize(
    "line",
    ["1 discrepancy: d_08.", "Export 44: 8 campaigns, utf-8, decimal comma.", "Migrated orders; 3 columns renamed."],
)
def test_a_summary_that_says_what_was_found_is_none(line: str) -> None:
    assert not states_status(line)
