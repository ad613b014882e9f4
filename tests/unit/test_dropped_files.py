"""What is dropped on a page comes from anybody: names are labels, lists carry forms, and no path is followed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import BadInput
from core.intake_files import MAX_DROPPED, MAX_FILE_BYTES, Application, list_dropped

EVIL = ["../../etc/passwd", "/etc/passwd", "..\\..\\win.ini", "a\x00b.pdf", "", "a" * 500 + ".pdf"]


@pytest.mark.parametrize("name", EVIL)
def test_a_dropped_file_is_its_content_whatever_it_is_called(name: str) -> None:
    (found,) = list_dropped([(name, b"Ann Example")])

    assert (found.content, found.problem) == (b"Ann Example", None)
    assert "\x00" not in found.file


def test_a_single_list_is_a_manifest_of_forms() -> None:
    content = b"name,email,portfolio\nAnn,ann@example.com,example.org/ann\nBen,ben@example.com,example.org/ben\n"

    found = list_dropped([("list.csv", content)])

    assert [(one.file, one.name, one.email, one.form) for one in found] == [
        ("list.csv#1", "Ann", "ann@example.com", {"portfolio": "example.org/ann"}),
        ("list.csv#2", "Ben", "ben@example.com", {"portfolio": "example.org/ben"}),
    ]


def test_a_list_among_other_files_is_a_file_like_them() -> None:
    content = b"name,email\nAnn,ann@example.com\n"

    assert list_dropped([("list.csv", content), ("cv.txt", b"Ben")]) == [
        Application("list.csv", content),
        Application("cv.txt", b"Ben"),
    ]


@pytest.mark.parametrize("reference", ["secret.txt", "/etc/passwd", "../secret.txt"])
def test_a_dropped_lists_row_fetches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str) -> None:
    (tmp_path / "secret.txt").write_text("a secret")
    monkeypatch.chdir(tmp_path)
    content = json.dumps([{"name": "Ann", "email": "ann@example.com", "cv": reference}]).encode()

    (found,) = list_dropped([("list.json", content)])

    assert (found.content, found.cover) == (b"", None)
    assert found.problem == "This row names a file, and no file is fetched by its name; drop the files themselves."


def test_a_dropped_lists_cover_note_is_its_own_words_and_never_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.txt").write_text("a secret")
    monkeypatch.chdir(tmp_path)
    content = json.dumps([{"name": "Ann", "about": "I draw", "cover": "secret.txt"}]).encode()

    (found,) = list_dropped([("list.json", content)])

    assert found.cover == b"secret.txt"


def test_a_list_without_entries_says_so() -> None:
    assert [one.problem for one in list_dropped([("list.json", b"[]")])] == ["This list holds no application."]


def test_a_file_over_25_mb_is_refused_and_the_others_are_not() -> None:
    large, small = list_dropped([("large.pdf", b"x" * (MAX_FILE_BYTES + 1)), ("cv.txt", b"Ann")])

    assert large.problem == "This file is larger than 25 MB; ask for a smaller copy."
    assert (large.content, small.problem) == (b"", None)


def test_five_hundred_files_go_in_at_once_and_one_more_does_not() -> None:
    files = [(f"{number}.txt", b"Ann") for number in range(MAX_DROPPED + 1)]

    assert len(list_dropped(files[:MAX_DROPPED])) == MAX_DROPPED
    with pytest.raises(BadInput, match="more than 500"):
        list_dropped(files)


def test_a_list_of_more_than_five_hundred_is_refused_whole() -> None:
    content = ("name,email\n" + "Ann,ann@example.com\n" * (MAX_DROPPED + 1)).encode()

    with pytest.raises(BadInput, match="more than 500"):
        list_dropped([("list.csv", content)])
