"""The command line at the machine's edges: odd bytes and homes, an output that nobody reads, times off the calendar."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.command_line import AS, INVITED, KEY, OWNER, WAITS, CommandLine
from tests.homes import CV, ROLE

ROOT = Path(__file__).parents[2]
VIEWER = "vic@example.com"


def start(at: CommandLine, *words: str | bytes, stdout: int | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m core` for real; with `stdout` its output goes there."""
    return subprocess.run(
        [sys.executable, "-m", "core", *words],
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        cwd=at.files,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def is_one_sentence(said: bytes) -> bool:
    return said.startswith(b"Refused: ") and said.endswith((b".\n", b"?\n")) and said.count(b"\n") == 1


# An output that nobody reads


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_an_output_without_room_is_told_in_one_sentence(at: CommandLine, as_json: tuple[str, ...]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    ran = start(at, "threads", *as_json, stdout=full)
    os.close(full)
    assert (ran.returncode, is_one_sentence(ran.stderr)) == (3, True), ran.stderr


def test_an_output_that_nobody_reads_is_told_in_one_sentence(at: CommandLine) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = start(at, "threads", "--json", stdout=writing)
    os.close(writing)
    assert (ran.returncode, is_one_sentence(ran.stderr)) == (3, True), ran.stderr


def test_an_output_that_is_closed_is_told_in_one_sentence(at: CommandLine) -> None:
    script = f'exec "{sys.executable}" -m core threads >&-'
    ran = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, cwd=at.files, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (ran.returncode, is_one_sentence(ran.stderr)) == (3, True), ran.stderr


# Bytes that are no text


@pytest.mark.parametrize(
    "words",
    [
        (b"thread", b"\xff"),
        (b"threads", b"--find", b"\xff"),
        (b"threads", b"--workflow", b"\xff"),
        (b"threads", b"--tenant", b"\xff"),
        (b"ask", b"\xff"),
        (b"apply", b"\xff", b"--batch", b"missing"),
        (b"apply", ROLE.encode(), b"--cv", b"\xff"),
        (b"role", b"add", b"\xff"),
        (b"amend", WAITS.encode(), b"--email", b"\xff@example.com", b"--as", OWNER.encode()),
        (b"cancel", WAITS.encode(), b"--as", b"\xff"),
    ],
)
def test_an_argument_that_is_no_text_is_refused_in_one_sentence(at: CommandLine, words: tuple[bytes, ...]) -> None:
    ran = start(at, *words)
    assert (ran.returncode, is_one_sentence(ran.stderr)) == (3, True), ran.stderr


@pytest.mark.parametrize("words", [(b"\xff",), (b"threads", b"--\xff"), (b"threads", b"--status", b"\xff")])
def test_a_word_that_is_no_text_is_a_usage_error(at: CommandLine, words: tuple[bytes, ...]) -> None:
    ran = start(at, *words)
    assert (ran.returncode, b"Traceback" in ran.stderr) == (2, False), ran.stderr


def test_a_file_whose_name_is_no_text_is_taken_and_shown_with_a_mark(at: CommandLine) -> None:
    at.write("cv.txt", CV.format(name="Fay Example", email="fay@example.com"))
    odd = os.fsencode(at.files) + b"/cv\xff.txt"
    os.rename(at.files / "cv.txt", odd)
    ran = start(at, "apply", ROLE, "--cv", odd)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode() == f"cv?.txt: {ROLE}/app-0006\n"


# Files that are none


def test_a_pipe_a_device_a_socket_and_a_folder_are_no_cv(at: CommandLine) -> None:
    os.mkfifo(at.files / "pipe")
    (at.files / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(at.files / "socket"))
        before = at.rows()
        for name in ("pipe", "folder", "socket", "/dev/zero", "/dev/null"):
            said = at.run("apply", ROLE, "--cv", name)
            assert (said.exit, said.broke, name in said.sentence) == (3, None, True)
        assert at.rows() == before


@pytest.mark.parametrize("how", ["--cv", "--batch"])
def test_a_table_of_campaigns_never_becomes_applicants(at: CommandLine, how: str) -> None:
    table = at.write("approved-campaigns.csv", "campaign_id,name,approved_budget\n7,Spring,100\n8,Autumn,90\n")
    before = at.rows()
    said = at.run("apply", ROLE, how, table)
    assert (said.exit, said.json["accepted"]) == (3, [])
    assert at.rows() == before


# Homes that are none


@pytest.mark.parametrize(
    "place", ["keys/keys.sqlite", "audit-heads.log", "effect-journal.log", "locks/home.lock", "daybook.sqlite", "locks"]
)
def test_a_home_with_something_else_in_a_files_place_is_refused_by_name(at: CommandLine, place: str) -> None:
    path = at.folder / place
    if path.exists():
        path.rename(at.files / "taken away")
    if place == "locks":
        path.write_text("a file")
    else:
        path.mkdir()
    said = at.run("queue")
    assert (said.exit, said.broke, said.code) == (3, None, "settings_wrong")
    assert str(path) in said.sentence


def test_a_key_store_that_is_none_is_refused_by_name(at: CommandLine) -> None:
    for left in (at.folder / "keys").glob("keys.sqlite-*"):
        left.unlink()
    (at.folder / "keys" / "keys.sqlite").write_bytes(b"this is no database, and it is long enough to look at" * 100)
    said = at.run("queue")
    assert (said.exit, said.broke, "keys.sqlite" in said.sentence) == (3, None, True)


def test_a_link_that_leads_nowhere_is_no_home(at: CommandLine) -> None:
    (at.files / "link").symlink_to(at.files / "nowhere")
    at.set(DAYBOOK_HOME=str(at.files / "link"))
    said = at.run("queue")
    assert (said.exit, said.broke, "DAYBOOK_HOME" in said.sentence) == (3, None, True)


def test_whatever_a_new_home_holds_is_for_its_user_alone(at: CommandLine, tmp_path: Path) -> None:
    home = tmp_path / "new"
    at.set(DAYBOOK_HOME=str(home))
    role = at.write("role.md", "# Designer\n\nDraw.\n")
    at.read("role", "add", role)
    at.read("apply", "role-designer", "--cv", at.write("cv.txt", CV.format(name="Fay", email="fay@example.com")))
    at.read("worker", "--until-idle")
    open_to_others = [path for path in (home, *home.rglob("*")) if path.stat().st_mode & 0o077]
    assert open_to_others == []


def test_files_left_open_to_others_are_closed(at: CommandLine) -> None:
    for path in (at.folder, at.folder / "daybook.sqlite", at.folder / "keys" / "keys.sqlite"):
        path.chmod(0o755)
    at.read("queue")
    assert oct((at.folder / "daybook.sqlite").stat().st_mode)[-3:] == "600"
    assert oct((at.folder / "keys" / "keys.sqlite").stat().st_mode)[-3:] == "600"
    assert oct(at.folder.stat().st_mode)[-3:] == "700"


# Settings


def test_an_empty_setting_is_one_that_nobody_set(at: CommandLine, tmp_path: Path) -> None:
    at.patch.chdir(tmp_path)
    at.set(DAYBOOK_HOME="", DAYBOOK_TENANT="", DAYBOOK_DATABASE_URL="", DAYBOOK_MAIL_FROM="", DAYBOOK_TIMEZONE="")
    assert at.read("doctor")["home"] == "data/var"
    assert not (tmp_path / "daybook.sqlite").exists()


def test_an_env_file_that_is_no_text_is_named(at: CommandLine) -> None:
    at.write(".env", b"DAYBOOK_TIMEZONE=\xff\n")
    said = at.run("queue")
    assert (said.exit, said.sentence) == (3, ".env is not UTF-8 text; save it as UTF-8.")


@pytest.mark.parametrize(
    "url", ["mysql://u:s3cret@host/x", "postgresql://u:s3cret@127.0.0.1:1/x", "postgresql://u:s3cret@host:port/x"]
)
def test_a_database_s_password_is_never_said(at: CommandLine, url: str) -> None:
    at.set(DAYBOOK_DATABASE_URL=url)
    for said in (at.run("queue"), at.say("doctor")):
        assert (said.exit, "s3cret" in said.out + said.err, "\n" in (said.out + said.err).strip()) == (3, False, False)


def test_no_setting_is_refused_in_the_words_of_a_library(at: CommandLine) -> None:
    for name, value in (("HOLD_SECONDS", "x"), ("NOW", "x"), ("TENANT", "A B"), ("ENGINE", "x"), ("MAIL_FROM", "x")):
        at.set(**{f"DAYBOOK_{name}": value})
        sentence = at.run("queue").sentence
        at.patch.delenv(f"DAYBOOK_{name}")
        assert not any(word in sentence for word in ("Value error", "Input should", "pattern", "valid string"))
        assert f"DAYBOOK_{name} is '{value}', but must be " in sentence


@pytest.mark.parametrize("command", [("worker", "--until-idle"), ("verify",), ("preflight",), ("doctor",)])
def test_a_tenant_named_by_the_settings_keeps_every_command_to_it(at: CommandLine, command: tuple[str, ...]) -> None:
    at.set(DAYBOOK_TENANT="typo")
    assert at.run(*command).code == "not_found"
    at.set(DAYBOOK_TENANT="home")
    assert at.run(*command).exit in (0, 1)


# Times off the calendar


@pytest.mark.parametrize("year", ["0001", "1969", "3000", "9999"])
@pytest.mark.parametrize("zone", ["Z", "+14:00", "-12:00"])
def test_a_slot_off_the_calendar_is_refused(still: CommandLine, year: str, zone: str) -> None:
    slot = f'{{"slot": "{year}-12-31T23:59:59{zone}"}}'
    assert still.run("event", INVITED, "booking", "--data", slot).code == "bad_input"


def test_a_clock_is_moved_up_to_the_calendar_s_end_and_no_further(at: CommandLine) -> None:
    at.patch.delenv("DAYBOOK_NOW")
    words = ("clock", "advance", "36500d", "--tenant", "atlas")
    codes = [at.run(*words).code for _ in range(12)]
    assert codes == [*[None] * 9, *["bad_input"] * 3]
    assert at.read("clock", "show", "--tenant", "atlas")["now"].startswith("29")


# Who may tell what happened


def test_a_viewer_tells_no_event_and_the_refusal_is_logged(at: CommandLine) -> None:
    at.read("person", "add", VIEWER, "--name", "Vic", "--access", "viewer", *AS)
    before = at.rows()["events"]
    said = at.run("event", INVITED, "withdraw", "--as", VIEWER)
    assert (said.exit, said.code, at.rows()["events"]) == (3, "not_allowed", before)
    at.read("person", "access", VIEWER, "reviewer", *AS)
    assert at.read("event", INVITED, "withdraw", "--as", VIEWER)["repeated"] is False


# Limits


@pytest.mark.parametrize(
    "words",
    [
        ("decide", "{waits}", "reject", "--seen-version", "{version}", *AS, "--reason", "x" * 501),
        ("amend", WAITS, *AS, "--name", "x" * 201),
        ("amend", WAITS, *AS, "--email", "x" * 250 + "@example.com"),
        ("ask", "x" * 1_001),
        ("effects", "settle", KEY, "--happened", "x" * 501, *AS),
        ("event", WAITS, "withdraw", "--data", '{"reason": "' + "x" * 501 + '"}'),
        ("person", "add", "x@example.com", "--name", "x" * 201, *AS),
    ],
)
def test_what_is_too_long_is_refused_with_its_limit(at: CommandLine, words: tuple[str, ...]) -> None:
    approval, version = at.approvals[WAITS]
    filled = [word.format(waits=approval, version=version) if word[:1] == "{" and "}" in word[:10] else word
              for word in words]  # fmt: skip
    before = at.rows()
    said = at.run(*filled)
    assert (said.exit, said.code, len(said.sentence) < 200) == (3, "bad_input", True)
    assert at.rows() == before


@pytest.mark.parametrize("form", ["k" * 101 + "=v", "k=" + "v" * 10_001])
def test_a_form_that_is_too_long_makes_no_thread(at: CommandLine, form: str) -> None:
    cv = at.write("cv.txt", CV.format(name="Fay Example", email="fay@example.com"))
    said = at.run("apply", ROLE, "--cv", cv, "--form", form)
    assert (said.exit, said.json["accepted"]) == (3, [])
    assert "at most" in said.json["refused"][0]["reason"]


# Numbers


def test_a_person_who_is_refused_as_known_takes_no_number(at: CommandLine) -> None:
    folder = at.files / "batch"
    folder.mkdir()
    for file, name in (("a", "Fay"), ("b", "Fay"), ("c", "Gus"), ("d", "Ann"), ("e", "Hal")):
        (folder / f"{file}.txt").write_text(CV.format(name=f"{name} Example", email=f"{name.lower()}@example.com"))
    said = at.read("apply", ROLE, "--batch", str(folder))
    assert [(one["file"], one["thread"][-4:]) for one in said["accepted"]] == [
        ("a.txt", "0006"), ("c.txt", "0007"), ("e.txt", "0008"),
    ]  # fmt: skip
    assert [(one["file"], WAITS in one["reason"], "app-0006" in one["reason"]) for one in said["refused"]] == [
        ("b.txt", False, True), ("d.txt", True, False),
    ]  # fmt: skip
    assert len(at.read("apply", ROLE, "--batch", str(folder), "--again")["accepted"]) == 5
