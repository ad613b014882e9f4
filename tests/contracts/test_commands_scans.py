"""A scan by command: read by OCR where that is switched on and there, labelled to its end; else refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.readers.reasons import NO_TEXT
from tests.contracts.command_line import CommandLine
from tests.homes import ROLE
from tests.unit.test_scans import READ, scan, stand_in


def test_an_application_read_by_ocr_says_so_in_state_card_and_manifest(
    at: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, f"{READ}\nRight to work in the UK yes.")
    at.set(DAYBOOK_OCR="eng")
    (taken,) = at.read("apply", ROLE, "--cv", at.write("scan.pdf", scan()))["accepted"]
    at.read("worker", "--until-idle")

    sent = {one["slot"]: one["value"] for one in at.read("context", taken["thread"], "--step", "score")["items"]}
    assert (sent["cv"], sent["form"]) == ("ocr", None)
    thread = at.read("thread", taken["thread"])
    assert thread["plan"][0]["summary"].startswith("Read the CV by OCR: 1 page")
    assert "read by OCR" in at.say("thread", taken["thread"]).out
    assert at.read("doctor")["ocr"] == "eng"


def test_a_scan_is_refused_in_the_same_sentence_where_ocr_is_off_or_not_there(
    at: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    words = ("apply", ROLE, "--cv", at.write("scan.pdf", scan()))
    off = at.run(*words)
    at.set(DAYBOOK_OCR="eng", PATH=str(tmp_path / "nowhere"))
    missing = at.run(*words)

    assert [said.json["refused"][0]["reason"] for said in (off, missing)] == [NO_TEXT, NO_TEXT]
    assert at.read("doctor")["ocr"] == "eng, but tesseract is not there"


@pytest.mark.parametrize("typed", ["yes", "eng;rm", "-l", "eng+", "/etc"])
def test_languages_that_are_none_are_refused_with_the_way_to_write_them(at: CommandLine, typed: str) -> None:
    at.set(DAYBOOK_OCR=typed)
    said = at.run("threads")

    assert (said.code, "such as eng or eng+deu" in said.sentence) == ("settings_wrong", True)
