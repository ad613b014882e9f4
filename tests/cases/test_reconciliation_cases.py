"""The public exports: each is read to the very figures that stand in the cases."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.workflows.reconciliation.compare import compare
from core.workflows.reconciliation.records import approved_of, control_figures, exported_of
from core.workflows.reconciliation.table import Table, read_table


def case(cases: Path, case_id: str) -> tuple[Table, dict[str, Any]]:
    """Answer a case's file as a table, and what is expected of it."""
    found = next(one for one in json.loads((cases / "EXPECTED.json").read_text()) if one["id"] == case_id)
    return read_table((cases / found["file"]).read_bytes()), found["expect"]


def test_f08_costs_in_millionths_are_added_up_by_campaign(cases: Path) -> None:
    table, expected = case(cases, "F08")
    (one,) = exported_of(table).values()
    assert (one.id, one.rows, one.clicks, one.impressions) == (
        expected["campaign"], expected["rows"], expected["clicks"], expected["impressions"],
    )  # fmt: skip
    assert list(one.cost.values()) == [Decimal(expected["cost"])]


def test_f09_the_latest_of_ten_versions_counts_and_the_others_make_no_discrepancy(cases: Path) -> None:
    table, expected = case(cases, "F09")
    (one,) = approved_of(table).values()
    assert (len(table.rows), one.updated_at) == (expected["rows"], expected["current_updated_at"])
    assert compare(table, case(cases, "F08")[0], {}) == ()


def test_f10_spend_is_exact_and_ids_are_text(cases: Path) -> None:
    table, expected = case(cases, "F10")
    found = exported_of(table).values()
    assert sum(amount for one in found for amount in one.cost.values()) == Decimal(expected["spend"])
    assert sum(one.impressions for one in found) == expected["impressions"]
    assert all(one.id.isdecimal() and len(one.id) == 13 for one in found)


def test_f37_names_are_exact_with_quotes_and_comma(cases: Path) -> None:
    table, expected = case(cases, "F37")
    names = [one.name for one in approved_of(table).values()]
    assert len(names) == expected["rows"]
    assert {'Spring Line "Bold"', "Lantern, Phase 2", "Café Étoile"} <= set(names)


def test_f38_has_exactly_four_discrepancies_and_its_control_figures_agree(cases: Path) -> None:
    export, expected = case(cases, "F38")
    assert control_figures(export) == {
        name: (Decimal(str(expected[f"total_{name}"])),) * 2 for name in ("cost", "impressions", "clicks")
    }
    found = {one.campaign_id: one.says for one in compare(case(cases, "F37")[0], export, {})}
    assert found.keys() == expected["discrepancies"].keys()
    for campaign, says in expected["discrepancies"].items():
        assert found[campaign].startswith(says)


@pytest.mark.parametrize("case_id", ["F08", "F09", "F10", "F37", "F38"])
def test_how_a_file_was_read_is_said(cases: Path, case_id: str) -> None:
    assert "decimal point" in case(cases, case_id)[0].read_as
