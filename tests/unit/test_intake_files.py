from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BadInput, NotFound
from core.intake_files import MAX_FILE_BYTES, Application, list_applications, read_one


def taken(path: Path) -> list[Application]:
    return list(list_applications(path))


def write(path: Path, content: object) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return path


def test_each_file_of_a_folder_is_one_application_in_order(tmp_path: Path) -> None:
    write(tmp_path / "b.txt", "Bea")
    write(tmp_path / "a.txt", "Ada")

    assert taken(tmp_path) == [Application("a.txt", b"Ada"), Application("b.txt", b"Bea")]


def test_hidden_files_and_folders_are_left_out_with_a_sentence(tmp_path: Path) -> None:
    write(tmp_path / ".hidden", "x")
    (tmp_path / "inner").mkdir()
    write(tmp_path / "a.txt", "Ada")

    assert [(one.file, one.problem is None) for one in taken(tmp_path)] == [
        (".hidden", False),
        ("a.txt", True),
        ("inner", False),
    ]


def test_a_manifest_inside_a_folder_is_a_file_like_the_others(tmp_path: Path) -> None:
    write(tmp_path / "forms.csv", "name,note\nNora,hello\n")

    assert [one.file for one in taken(tmp_path)] == ["forms.csv"]


def test_a_csv_manifest_names_files_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "nora.txt", "Nora Quist")
    write(tmp_path / "note.txt", "Dear all")
    rows = "cv,name,email,cover,right_to_work\nnora.txt,Nora Quist,nora@example.com,note.txt,yes\n"

    assert taken(write(tmp_path / "all.csv", rows)) == [
        Application("nora.txt", b"Nora Quist", "Nora Quist", "nora@example.com", b"Dear all", {"right_to_work": "yes"})
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_csv_manifest_is_read_in_usual_forms(tmp_path: Path, encoding: str, mark: str) -> None:
    rows = f"Name{mark}E-Mail{mark}Note\r\nZoë{mark}zoe@example.com{mark}hello\r\n"

    found = taken(write(tmp_path / "all.csv", rows.encode(encoding)))

    assert [(one.name, one.email, one.form) for one in found] == [("Zoë", "zoe@example.com", {"note": "hello"})]


def test_a_form_without_a_file_is_its_own_text(tmp_path: Path) -> None:
    forms = [{"name": "Nora", "note": "Led a brand.", "notice_weeks": 4, "agreed": True, "phone": None}]

    [found] = taken(write(tmp_path / "forms.json", json.dumps(forms)))

    assert (found.content.decode(), found.form) == (
        "note: Led a brand.\nnotice_weeks: 4\nagreed: true",
        {"note": "Led a brand.", "notice_weeks": "4", "agreed": "true"},
    )


def test_a_cover_that_names_no_file_is_the_note_itself(tmp_path: Path) -> None:
    [found] = taken(write(tmp_path / "f.json", json.dumps([{"name": "Nora", "cover": "Dear all,\nhello"}])))

    assert found.cover == b"Dear all,\nhello"


def test_a_bad_row_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    write(tmp_path / "nora.txt", "Nora Quist")
    rows = "cv,name\nmissing.txt,Ada\nnora.txt,Nora\n,Bea\na,b,c\n"

    found = taken(write(tmp_path / "all.csv", rows))

    assert [(one.file, one.problem is None) for one in found] == [
        ("missing.txt", False),
        ("nora.txt", True),
        ("all.csv#3", False),
        ("all.csv#4", False),
    ]


def test_a_bad_entry_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    entries = [7, {"note": "nobody"}, {"name": "Ra\x00moun", "note": "\ud83d odd"}, {"cv": "a\x00b"}, []]

    found = taken(write(tmp_path / "forms.json", json.dumps(entries)))

    assert [one.problem is None for one in found] == [False, False, True, False, False]
    assert (found[2].name, found[2].form["note"]) == ("Ramoun", "\ufffd odd")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "[{broken"),
        ("a.json", "[" * 100_000),
        ("a.csv", "campaign,cost\nA,1\n"),
        ("a.csv", ""),
        ("a.csv", '"cv,name\n'),
    ],
)
def test_a_list_that_is_none_is_refused_as_one(tmp_path: Path, name: str, content: str) -> None:
    [found] = taken(write(tmp_path / name, content))

    assert (found.file, found.problem is None) == (name, False)


@pytest.mark.parametrize("content", ["{}", "5", "null", '"text"', '{"name": "Nora"}'])
def test_json_that_is_no_list_is_nobody_s_application(tmp_path: Path, content: str) -> None:
    [found] = taken(write(tmp_path / "cv.json", content))

    assert (found.content, found.problem) == (
        b"", "This JSON is no list of forms; write it as a list, one form an entry.",
    )  # fmt: skip


def test_a_table_of_other_names_is_no_list_of_applications(tmp_path: Path) -> None:
    [found] = taken(write(tmp_path / "approved-campaigns.csv", "campaign_id,name,budget\n7,Spring,100\n"))

    assert (found.content, found.problem is None) == (b"", False)


def test_a_link_in_a_folder_is_not_followed_and_the_files_beside_it_are_taken(tmp_path: Path) -> None:
    folder = tmp_path / "batch"
    folder.mkdir()
    write(folder / "a.txt", "Ada")
    (folder / "link.txt").symlink_to(write(tmp_path / "elsewhere.txt", "Bea"))
    (folder / "nowhere.txt").symlink_to(tmp_path / "missing")

    found = taken(folder)

    assert [(one.file, one.content) for one in found] == [("a.txt", b"Ada"), ("link.txt", b""), ("nowhere.txt", b"")]
    assert all("link" in str(one.problem) for one in found[1:])


@pytest.fixture(params=["pipe", "socket", "device", "endless", "folder"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """What can be named and is no ordinary file."""
    path = tmp_path / "thing"
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        match request.param:
            case "pipe":
                os.mkfifo(path)
            case "socket":
                listening.bind(str(path))
            case "device":
                path = Path("/dev/null")
            case "endless":
                path = Path("/dev/zero")
            case "folder":
                path.mkdir()
        yield path


def test_what_is_no_ordinary_file_is_refused_and_never_waited_for(no_file: Path) -> None:
    with pytest.raises(BadInput) as refused:
        read_one(no_file)

    assert (str(no_file) in refused.value.sentence, refused.value.sentence.count(".")) == (True, 1)


def test_a_link_that_a_person_names_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(write(tmp_path / "cv.txt", "Ada"))

    assert read_one(link) == b"Ada"


def test_a_file_of_the_largest_size_is_read_and_a_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "cv.txt"
    write(path, b"x" * MAX_FILE_BYTES)
    assert len(read_one(path)) == MAX_FILE_BYTES
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(BadInput, match="25 MB"):
        read_one(path)


def test_a_file_alone_is_one_application(tmp_path: Path) -> None:
    assert taken(write(tmp_path / "nora.txt", "Nora")) == [Application("nora.txt", b"Nora")]


def test_a_file_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    with (tmp_path / "large.pdf").open("wb") as file:
        file.truncate(26 * 1024 * 1024)

    [found] = taken(tmp_path)

    assert (found.content, found.problem is None) == (b"", False)


def test_nothing_at_a_path_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        taken(tmp_path / "nowhere")
