"""docs/seeds.md says which test shows which row of the seeds, and never more than is there."""

from __future__ import annotations

from pathlib import Path

from tests.docs import seeds
from tests.docs.__main__ import ROOT, stale
from tests.docs.markers import claims
from tests.docs.rows import Seed, group

SMALL = (Seed("A seed", (group("Checks", "small", ("1", "It is shown.", "`thread`"), ("2", "It is not.")),)),)


def claimed_in(folder: Path, source: str) -> tuple[dict[str, list[str]], list[str]]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_small.py").write_text(source, encoding="utf-8")
    return claims(folder)


def test_a_marker_above_a_test_claims_its_rows(tmp_path: Path) -> None:
    source = '@pytest.mark.seed("small.1", "small.2")\ndef test_it(): ...\n'
    test = "tests/test_small.py::test_it"
    assert claimed_in(tmp_path, source) == ({"small.1": [test], "small.2": [test]}, [])


def test_a_test_inside_a_class_is_named_with_its_class(tmp_path: Path) -> None:
    source = 'class TestIt:\n    @pytest.mark.seed("small.1")\n    def test_one(self): ...\n'
    assert claimed_in(tmp_path, source)[0] == {"small.1": ["tests/test_small.py::TestIt::test_one"]}


def test_a_marker_on_a_helper_claims_nothing_and_is_reported(tmp_path: Path) -> None:
    claimed, problems = claimed_in(tmp_path, '@pytest.mark.seed("small.1")\ndef helper(): ...\n')
    assert claimed == {}
    assert problems == ["tests/test_small.py:1: a seed marker stands above a test and names its rows as plain text."]


def test_a_marker_with_a_computed_name_is_reported(tmp_path: Path) -> None:
    _, problems = claimed_in(tmp_path, "@pytest.mark.seed(NAME)\ndef test_it(): ...\n")
    assert len(problems) == 1


def test_a_claimed_name_that_is_no_row_is_reported() -> None:
    assert seeds.unknown(SMALL, {"small.1": ["t"], "small.9": ["tests/x.py::test_y"]}) == [
        "tests/x.py::test_y claims the seed row 'small.9', which there is not; rows stand in docs/seeds.md."
    ]


def test_a_row_without_a_test_or_a_place_says_not_yet() -> None:
    lines = seeds.page(SMALL, {"small.1": ["tests/x.py::test_y"]}).splitlines()
    assert "| small.1 | It is shown. | `tests/x.py::test_y` | `thread` |" in lines
    assert "| small.2 | It is not. | not yet | not yet |" in lines
    assert "1 of 2 rows have a test." in lines


def test_no_two_rows_share_a_name() -> None:
    names = [row.name for row in seeds.rows_of(seeds.SEEDS)]
    assert sorted(set(names)) == sorted(names)


def test_a_page_that_differs_from_its_source_is_named(tmp_path: Path) -> None:
    (tmp_path / "kept.md").write_text("same", encoding="utf-8")
    (tmp_path / "moved.md").write_text("old", encoding="utf-8")
    assert stale(tmp_path, {"kept.md": "same", "moved.md": "new", "gone.md": "x"}) == [
        "moved.md is out of date: run `make docs` and commit what it writes.",
        "gone.md is out of date: run `make docs` and commit what it writes.",
    ]


def test_every_marker_of_the_project_can_be_read_and_names_a_row() -> None:
    assert seeds.render(ROOT)[1] == []
