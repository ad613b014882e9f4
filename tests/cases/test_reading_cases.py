"""What the public cases of groups E, P and F say about reading, for the formats that are read here."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from core.adapters.readers import ApplicationReader
from core.errors import UnreadableFile
from core.identity import display_name, fold_words, guess_email
from core.intake_files import list_applications
from core.names import guess_name
from core.steps import Document

READ = ["F01", "F02", "F03", "F04", "F05", "F06", "F11", "F19", "F20", "F26", "F27", "F32"]
REFUSED = {
    "F07": "role",
    "F13": "no readable text",
    "F16": "password",
    "F23": "unpacks",
    "F25": "macros",
    "F28": "empty",
    "F30": "damaged",
    "F35": "not an application",
    "F37": "not an application",
    "F38": "not an application",
    "F40": "not an application",
}


def case(cases: Path, number: str) -> dict[str, Any]:
    entries = json.loads((cases / "EXPECTED.json").read_text())
    return next(entry for entry in entries if entry["id"] == number)


def read(cases: Path, number: str) -> Document:
    path = cases / case(cases, number)["file"]
    return ApplicationReader().read(path.read_bytes(), path.name)


@pytest.mark.parametrize("number", READ)
def test_an_application_is_read_as_expected(cases: Path, number: str) -> None:
    expect = case(cases, number)["expect"]
    document = read(cases, number)
    assert document.usable
    hidden = "\n".join(one.text for one in document.hidden)

    assert (guess_name(document.visible), guess_email(document.visible)) == (expect["name"], expect["email"])
    assert [text for text in expect.get("contains", []) if text not in document.visible] == []
    assert [text for text in expect.get("together", []) if text not in document.visible] == []
    assert [text for text in expect.get("once", []) if document.visible.count(text) != 1] == []
    assert [text for text in expect.get("absent", []) if text in document.visible] == []
    assert [text for text in expect.get("hidden", []) if text not in hidden] == []
    assert [text for text in expect.get("hidden", []) if text in document.visible] == []
    assert len(document.pages) == expect.get("pages", len(document.pages))


@pytest.mark.parametrize("number", sorted(REFUSED))
def test_what_is_no_readable_application_is_refused_in_one_sentence(cases: Path, number: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        read(cases, number)

    assert (REFUSED[number] in refused.value.sentence, len(refused.value.sentence) <= 160) == (True, True)


@pytest.mark.case("P13", "P14")
def test_a_right_to_left_cv_keeps_its_digits_and_is_flagged(cases: Path) -> None:
    document = read(cases, "F33")

    assert [text for text in case(cases, "F33")["expect"]["contains"] if text not in document.visible] == []
    assert (guess_email(document.visible), len(document.doubts)) == ("yasmin.khatib@example.com", 1)


def test_a_file_that_unpacks_far_takes_little_memory(cases: Path) -> None:
    tracemalloc.start()
    with pytest.raises(UnreadableFile):
        read(cases, "F23")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 100 * 1024 * 1024


def test_twelve_odd_forms_are_twelve_applications(cases: Path) -> None:
    found = list(list_applications(cases / case(cases, "F35")["file"]))
    texts = [ApplicationReader().read(one.content, one.file) for one in found if one.problem is None]

    assert (len(found), len(texts)) == (12, 12)
    assert fold_words(found[2].name or "") == ("paul", "kruger")
    assert display_name(found[4].name or "").endswith("gpj.exe")
    assert (found[9].name, found[11].name) == (None, "Null")


def test_a_folder_of_everything_loses_nothing(cases: Path) -> None:
    found = list(list_applications(cases / "files"))

    assert len(found) == len(list((cases / "files").iterdir()))
