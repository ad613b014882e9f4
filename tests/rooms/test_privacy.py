"""Nothing personal lies open: a canary goes through a whole screening, and then every file of the home is read."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.threads.load import load_changes, load_fields
from tests.homes import CV, Home, open_home

NAME = "Quillon Zabrevski"
EMAIL = "quillon.zabrevski@canary-post.example.com"
LINE = "Hand-lettered the Ostrich & Vellichor almanac in copperplate."
FORM_WORDS = ("zabrevski", "Zabrevski", "ZABREVSKI", "quillon", "Quillon", EMAIL, LINE, "Vellichor", "canary-post")
OUTBOX = "outbox"
SURE = 8  # letters; fewer could stand in sealed bytes by chance


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home where the canary applied, was invited, reminded and booked; nobody closed it yet, so the WAL is there."""
    home = open_home(tmp_path_factory.mktemp("privacy") / "home")
    home.add_role()
    thread = home.apply(NAME, EMAIL, cv=f"{CV}\n{LINE}\n")
    home.run()
    home.decide(thread)
    home.run()
    day_3 = home.at(FIXTURE_START + timedelta(hours=24))
    day_3.run()
    day_3.book(thread)
    day_3.run()
    again = day_3.apply("Quillon Zabrevski", "other.zabrevski@canary-post.example.com", cv=f"{CV}\n{LINE}\n")
    day_3.run()
    day_3.decide(again, "reject")
    day_3.run()
    yield day_3
    day_3.app.close()


def spellings(text: str) -> Iterator[bytes]:
    """A text as it could lie in a file: UTF-8, UTF-16, base64 at each of its three offsets, JSON's escapes."""
    yield text.encode()
    yield text.encode("utf-16-le")
    yield text.encode("utf-16-be")
    for offset in range(3):
        # What surrounds the text changes its first and last letters; those between stay the same.
        core = base64.b64encode(b"\0" * offset + text.encode())[4:-4]
        if len(core) >= SURE:
            yield core
    yield text.encode("unicode_escape")


def hits(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(folder)}: {word}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for word in FORM_WORDS
        if any(spelling in path.read_bytes() for spelling in spellings(word))
    ]


@pytest.mark.seed("atlas.boundary.5")
def test_no_file_of_the_home_but_the_outbox_holds_a_word_of_the_applicant(home: Home):
    assert [hit for hit in hits(home.app.home) if not hit.startswith(f"{OUTBOX}/")] == []


def test_the_outbox_holds_the_address_so_the_search_does_find_it(home: Home):
    found = hits(home.app.home / OUTBOX)

    assert len(home.letters()) == 3
    assert sum(EMAIL in hit for hit in found) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_a_planted_word_is_found_in_whatever_form_it_lies(tmp_path: Path, encoding: str):
    (tmp_path / "plain").write_bytes(b"x" * 7 + LINE.encode(encoding) + b"y")
    (tmp_path / "coded").write_bytes(base64.b64encode(b"..." + LINE.encode() + b"."))

    assert {hit.split(":")[0] for hit in hits(tmp_path)} == {"plain", "coded"}


def test_the_files_that_are_read_are_those_that_could_hold_it(home: Home):
    names = {path.name for path in home.app.home.rglob("*") if path.is_file()}

    assert {"daybook.sqlite", "daybook.sqlite-wal", "keys.sqlite", "audit-heads.log", "effect-journal.log"} <= names
    assert len(list((home.app.home / "blobs").glob("*/*/*"))) == 2


@pytest.mark.seed("screen.kind.working")
@pytest.mark.case("B08")
def test_the_cv_text_lies_in_no_row_and_no_log_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    home = open_home(tmp_path / "home")
    home.add_role()
    thread = home.apply(NAME, EMAIL, cv=f"{CV}\n{LINE}\n")
    home.run()
    home.decide(thread)
    home.run()
    home.app.close()

    said = "".join(capfd.readouterr()) + caplog.text
    assert [word for word in FORM_WORDS if word in said] == []
    assert "worker started" in said


@pytest.mark.case("B08")
@pytest.mark.seed("screen.retention.decisions")
def test_the_saved_state_keeps_quotes_and_never_the_whole_text(home: Home):
    with home.app.read() as conn:
        keys = home.app.vault.keys("home", "role-14/app-0001")
        saved = [load_fields(conn, "home", {keys.thread_id: keys})[keys.thread_id], *load_changes(conn, keys).values()]
    text = b"\n".join(value for fields in saved for value in fields.values()).decode()

    assert "Led the rebrand of Harrow Mill Bakery" in text
    assert LINE not in text
    assert EMAIL not in text
    assert NAME not in text
