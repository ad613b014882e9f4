"""A role's table: what people wrote stays text in a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from core.views.export import HEAD, export_role, plain_cell
from tests.homes import ROLE, Home, open_home


def table(home: Home, role_id: str = ROLE) -> list[list[str]]:
    with home.app.read() as conn:
        content = export_role(conn, home.app.vault, home.tenant_id, role_id)
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    opened = open_home(tmp_path / "home")
    opened.add_role()
    return opened


def test_each_application_is_a_row_with_its_person_and_its_total(home: Home) -> None:
    home.apply("Anna Wiśniewska", "anna@example.com")
    home.run()

    [head, row] = table(home)
    assert head == list(HEAD)
    assert row[:5] == [f"{ROLE}/app-0001", "Anna Wiśniewska", "anna@example.com", "awaiting_review", ""]
    assert (row[6].isdigit(), row[7]) == (True, "25")


@pytest.mark.parametrize("name", ['=HYPERLINK("http://example.com")', "+1", "-2", "@SUM(A1)", "\uff1dcmd", " =1"])
def test_a_name_that_begins_a_formula_is_text(home: Home, name: str) -> None:
    home.apply(name, "ann@example.com")

    assert table(home)[1][1] == f"'{name.strip()}"


@pytest.mark.parametrize("name", ["Etta", "O'Neil", "Null", "山田太郎", 'A, "B"', "5 = five", ""])
def test_a_name_that_begins_none_is_left_as_it_is(name: str) -> None:
    assert plain_cell(name) == name


def test_another_tenants_role_has_no_rows(home: Home) -> None:
    home.apply()
    north = home.add_tenant("north")

    assert table(north) == [list(HEAD)]
