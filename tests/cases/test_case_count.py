"""Every public case of the groups that this covers has a test that names it, or stands here with the reason why not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
GROUPS = "TJRXISLBC"
NOT_YET = {
    "B09": "a purge by retention is not there yet",
    "B11": "a purge by retention is not there yet",
    "B14": "an erasure with its proof is not there yet",
    "B15": "an erasure with its proof is not there yet",
    "R10": "a reminder's offset is whole hours: one hour is tried, ten minutes cannot be said",
}


def listed(cases: Path) -> set[str]:
    """Answer the cases that are listed."""
    page = (cases / "CASES.md").read_text()
    return {one for one in re.findall(r"^\| ([A-Z]\d\d) \|", page, re.MULTILINE) if one[0] in GROUPS}


def named() -> Iterator[tuple[str, str]]:
    """Yield each case that a test's mark names, and the test."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.case":
                        yield from ((str(ast.literal_eval(one)), node.name) for one in mark.args)


def test_every_case_has_a_test_that_names_it_or_a_reason(cases: Path):
    wanted, found = listed(cases), {case for case, _ in named()}

    assert sorted(wanted - found - set(NOT_YET)) == []
    assert sorted(set(NOT_YET) & found) == []


def test_no_test_names_a_case_that_is_not_listed(cases: Path):
    assert sorted({case for case, _ in named() if case[0] in GROUPS} - listed(cases)) == []
