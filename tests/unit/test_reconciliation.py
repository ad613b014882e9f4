"""Exports as they come: encodings, decimal and thousands marks, preambles, totals, versions, currencies."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.errors import BadInput
from core.workflows.reconciliation.compare import check_files, compare
from core.workflows.reconciliation.figures import find_decimal, read_figure, say
from core.workflows.reconciliation.letters import decode
from core.workflows.reconciliation.records import approved_of, control_figures, exported_of
from core.workflows.reconciliation.table import Table, read_table

HEAD = "Campaign ID,Campaign,Currency,Cost,Impr.,Clicks\n"
APPROVED = "campaign_id,name,currency,approved_budget\n"


def table(text: str, decimal: str = "") -> Table:
    return read_table(text.encode(), decimal)


def findings(approved: str, export: str, **policy: object) -> dict[str, str]:
    found = compare(table(APPROVED + approved), table(HEAD + export), policy)
    return {one.id: one.says for one in found}


@pytest.mark.case("D02")
@pytest.mark.parametrize(
    ("cell", "decimal", "value"),
    [
        ("1,204,551", ".", "1204551"),
        ("3,998.40", ".", "3998.40"),
        ("1.234,50", ",", "1234.50"),
        ("12 345", ".", "12345"),
        ("12\u00a0345", ".", "12345"),
        ("12\u202f345,5", ",", "12345.5"),
        ("1'234.50", ".", "1234.50"),
        ("€ 1,250.00", ".", "1250.00"),
        ("1.250,00 EUR", ",", "1250.00"),
        ("144.", ".", "144"),
        ("299.995", ".", "299.995"),
        ("-12.50", ".", "-12.50"),
        ("(12.50)", ".", "-12.50"),
    ],
)
def test_a_figure_is_read_exactly(cell: str, decimal: str, value: str) -> None:
    assert read_figure(cell, decimal) == Decimal(value)


@pytest.mark.parametrize("cell", ["", " ", "--", "-", "–", "n/a"])
def test_a_blank_is_no_figure_and_no_zero(cell: str) -> None:
    assert read_figure(cell, ".") is None


@pytest.mark.parametrize("cell", ["< 10%", "abc", "1.2.3.4e5x", "NaN", "Infinity"])
def test_what_is_no_figure_is_refused(cell: str) -> None:
    with pytest.raises(BadInput, match="no figure"):
        read_figure(cell, ".")


@pytest.mark.case("D04")
@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1,020", "3,998.40"], "."),
        (["1.020", "3.998,40"], ","),
        (["0,99"], ","),
        (["1.204.551", "7"], ","),
        (["1,204,551"], "."),
        (["0.995"], "."),
        (["1,020"], "."),
    ],
)
def test_the_decimal_mark_is_found_in_the_figures(cells: list[str], mark: str) -> None:
    assert find_decimal(cells, ".") == mark


def test_two_decimal_marks_in_one_file_are_refused_with_both() -> None:
    with pytest.raises(BadInput, match=r"12\.50 and 3,75"):
        find_decimal(["12.50", "3,75"], ".")


def test_the_mark_that_was_found_can_be_overridden() -> None:
    text = HEAD + "C-1,One,EUR,1.020,1,1\n"
    assert exported_of(table(text))["C-1"].cost == {"EUR": Decimal("1.020")}
    assert exported_of(table(text, ","))["C-1"].cost == {"EUR": Decimal(1020)}


@pytest.mark.case("D03")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_name_is_never_garbled_whatever_the_encoding(encoding: str) -> None:
    text = APPROVED + "C-1,Café Mira – spring,EUR,1.00\n"
    read, said = decode(text.encode(encoding))
    assert read.removeprefix("\ufeff") == text
    assert said in (encoding, "utf-8-sig")


@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01\x02abc", b"\xff\xfea"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput):
        decode(content)


@pytest.mark.case("D01")
def test_a_preamble_and_a_totals_row_are_no_campaigns() -> None:
    rows = "C-1,One,EUR,10.00,5,1\nC-2,Two,EUR,2.50,5,1\nTotal: account,,EUR,12.50,10,2\n"
    read = table(f"Report\n1 July - 31 July\n\n{HEAD}{rows}")
    assert list(exported_of(read)) == ["C-1", "C-2"]
    assert control_figures(read)["cost"] == (Decimal("12.50"), Decimal("12.50"))


def test_a_campaign_that_is_called_total_is_a_campaign() -> None:
    assert list(exported_of(table(HEAD + "C-1,Total Recall,EUR,1.00,1,1\n"))) == ["C-1"]


def test_control_figures_that_do_not_agree_are_a_discrepancy_of_their_own() -> None:
    found = findings("C-1,One,EUR,20.00\n", "C-1,One,EUR,10.00,5,1\nTotal,,EUR,11.00,5,1\n")
    assert found == {"d_00": "cost: the totals row says 11.00, the rows add up to 10.00"}


def test_ids_stay_text() -> None:
    read = table(HEAD + "1700252260223815,One,EUR,1.00,1,1\n007,Two,EUR,1.00,1,1\n")
    assert list(exported_of(read)) == ["1700252260223815", "007"]


def test_the_latest_version_of_a_campaign_counts() -> None:
    rows = "7,2022-08-01T10:00:00,Old,5.00\n7,2022-08-17T12:09:49,New,9.00\n7,2021-01-01,Older,1\n"
    (one,) = approved_of(table(f"id,updated_at,name,budget\n{rows}")).values()
    assert (one.name, one.budget) == ("New", Decimal("9.00"))


def test_case_blanks_and_the_form_of_accents_are_no_discrepancy() -> None:
    assert findings("C-1,Café  Mira,EUR,5.00\n", "C-1, CAFE\u0301 mira ,EUR,1.00,1,1\n") == {}
    assert findings("C-1,Café Mira,EUR,5.00\n", "C-1,Cafe Mira,EUR,1.00,1,1\n") == {
        "d_01": "name 'Café Mira' approved, 'Cafe Mira' exported"
    }
    assert findings("C-1,Café Mira,EUR,5.00\n", "C-1,Cafe Mira,EUR,1.00,1,1\n", compare_names=False) == {}


def test_amounts_of_different_currencies_are_neither_compared_nor_added() -> None:
    assert findings("C-1,One,USD,1.00\n", "C-1,One,EUR,900.00,1,1\n") == {"d_01": "currency USD approved, EUR exported"}
    assert findings("C-1,One,EUR,1.00\n", "C-1,One,EUR,1.00,1,1\nC-1,One,USD,1.00,1,1\n") == {
        "d_01": "exported in more than one currency: EUR, USD"
    }


@pytest.mark.parametrize(("cost", "over"), [("300.00", None), ("300.005", "0.005"), ("462.75", "162.75")])
def test_over_budget_is_over_by_exactly_so_much(cost: str, over: str | None) -> None:
    found = findings("C-1,One,EUR,300.00\n", f"C-1,One,EUR,{cost},1,1\n")
    assert found == ({} if over is None else {"d_01": f"over budget by {over} EUR"})


def test_the_policys_tolerance_is_used() -> None:
    assert findings("C-1,One,EUR,300.00\n", "C-1,One,EUR,304.00,1,1\n", tolerance="5.00") == {}


def test_what_is_missing_on_either_side_is_named_by_its_place() -> None:
    found = findings("C-1,One,EUR,1.00\nC-2,Two,EUR,1.00\n", "C-2,Two,EUR,1.00,1,1\nC-9,Nine,EUR,1.00,1,1\n")
    assert found == {"d_01": "approved, not in export", "d_03": "in export, not approved"}


def test_the_door_says_how_both_files_are_read_or_which_one_is_wrong() -> None:
    approved, export = (APPROVED + "C-1,One,EUR,1.00\n").encode(), (HEAD + "C-1,One,EUR,1.00,1,1\n").encode()
    assert check_files(approved, export, "") == (
        "approved: 1 campaigns, utf-8, comma between columns, decimal point; "
        "export: 1 campaigns, utf-8, comma between columns, decimal point"
    )
    with pytest.raises(BadInput, match="The export file: No line of the file names its columns"):
        check_files(approved, b"hello\n", "")
    with pytest.raises(BadInput, match=r"The export file: Record 1, column cost: 'lots' is no figure"):
        check_files(approved, (HEAD + "C-1,One,EUR,lots,1,1\n").encode(), "")


@pytest.mark.parametrize(
    ("value", "text"), [("162.750", "162.75"), ("5", "5.00"), ("0.005", "0.005"), ("1E+3", "1000.00")]
)
def test_an_amount_is_said_with_every_decimal_it_has(value: str, text: str) -> None:
    assert say(Decimal(value)) == text
