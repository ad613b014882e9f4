"""The command line is a contract: keys, exit codes, one sentence for every refusal, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from core.cli.main import app
from tests.contracts.command_line import (
    HELD,
    INVITED,
    KEY,
    OWNER,
    PARKED,
    WAITS,
    CommandLine,
    copy_home,
    stand_at,
)
from tests.homes import CV, ROLE, ROLE_FILE

ROOT = Path(__file__).parents[2]
AS = ("--as", OWNER)
THREAD = {"id", "workflow", "status", "outcome", "goal", "waits_for", "since", "until"}
DECIDED = {"approval", "status", "version", "release_at"}
REPAIRED = {"thread", "status", "outcome"}
CLOCK = {"tenant", "clock", "now", "frozen"}
PERSON = {"email", "name", "access"}


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A home of the test's own."""
    return stand_at(copy_home(tmp_path), monkeypatch)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_home(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def still(shared: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A home shared by tests of commands that change nothing."""
    return stand_at(shared, monkeypatch)


def words_of(at: CommandLine) -> dict[str, tuple[tuple[str, ...], set[str]]]:
    """Answer, for every command, words that it carries out and the keys of what it answers."""
    role = at.write("role.md", ROLE_FILE.read_text().replace("# Role 14", "# Role 15"))
    cv = at.write("cv.txt", CV.format(name="Fay Example", email="fay@example.com"))
    held = at.approvals[HELD][0]
    return {
        "role add": (("role", "add", role), {"role", "title", "criteria", "rules"}),
        "role list": (("role", "list"), {"id", "title", "status"}),
        "apply": (("apply", ROLE, "--cv", cv), {"accepted", "refused"}),
        "worker": (("worker", "--until-idle"), {"claimed"}),
        "threads": (("threads",), THREAD),
        "thread": (("thread", WAITS), {*THREAD, "version", "plan", "checkpoints", "effects", "approvals"}),
        "queue": (
            ("queue",),
            {"approval", "thread", "kind", "version", "status", "asked_at", "due_at", "total", "band", "options"},
        ),
        "ask": (("ask", "Did we invite Cleo Example?"), {"answer", "text", "rows"}),
        "decide": (at.decide(), DECIDED),
        "undo": (("undo", held, *AS), DECIDED),
        "release": (("release", held, *AS), DECIDED),
        "amend": (("amend", WAITS, "--name", "Anne Example", *AS), {"thread", "version"}),
        "event": (("event", INVITED, "booking", "--data", '{"slot": "2026-08-27T10:00:00Z"}'), {"thread", "event"}),
        "retry": (("retry", PARKED, *AS), REPAIRED),
        "park": (("park", WAITS, *AS), REPAIRED),
        "cancel": (("cancel", WAITS, *AS), REPAIRED),
        "effects": (
            ("effects",),
            {"key", "kind", "status", "thread", "attempts", "planned_at", "done_at", "result_ref"},
        ),
        "effects settle": (("effects", "settle", KEY, "--happened", "seen in the box", *AS), {"key", "status"}),
        "verify": (("verify", "--tenant", "atlas"), {"ok", "checked", "problems"}),
        "preflight": (("preflight",), {"blocked"}),
        "doctor": (("doctor",), {"home", "workers"}),
        "clock show": (("clock", "show"), CLOCK),
        "clock advance": (("clock", "advance", "90m", "--tenant", "atlas"), CLOCK),
        "clock next": (("clock", "next", "--tenant", "atlas"), CLOCK),
        "person list": (("person", "list"), PERSON),
        "person add": (("person", "add", "ruth@example.com", "--name", "Ruth", *AS), PERSON),
        "person access": (("person", "access", OWNER, "owner", *AS), PERSON),
        "person password": (("person", "password", OWNER, "--password", "a long pass phrase", *AS), set()),
        "tenant list": (("tenant", "list"), {"id"}),
    }


def list_commands(group: Any, *path: str) -> Iterator[str]:
    """Yield every command by its words."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield " ".join((*path, name))
            yield from list_commands(command, *path, name)
        else:
            yield " ".join((*path, name))


EVERY = sorted(list_commands(typer.main.get_command(app)))
SEEN_ELSEWHERE = {"demo"}


def test_every_command_is_tried_here(at: CommandLine) -> None:
    assert set(EVERY) - SEEN_ELSEWHERE == set(words_of(at))


@pytest.mark.parametrize("command", [one for one in EVERY if one not in SEEN_ELSEWHERE])
def test_a_command_answers_one_line_of_json_with_its_keys(at: CommandLine, command: str) -> None:
    words, keys = words_of(at)[command]
    answer = at.read(*words)
    rows = answer if isinstance(answer, list) else [answer]
    assert rows
    assert all(keys <= set(row) for row in rows)


@pytest.mark.parametrize("command", [one for one in EVERY if one not in {*SEEN_ELSEWHERE, "tenant list"}])
def test_a_command_refuses_a_tenant_that_is_not_there(still: CommandLine, command: str) -> None:
    words, _ = words_of(still)[command]
    if "--tenant" in words:
        words = words[: words.index("--tenant")]
    before = still.rows()
    said = still.run(*words, "--tenant", "nowhere")
    assert (said.exit, said.broke, said.code) == (3, None, "not_found")
    assert said.sentence == "There is no tenant 'nowhere'."
    assert still.rows() == before


@pytest.mark.parametrize("command", [one for one in EVERY if one not in SEEN_ELSEWHERE])
def test_a_command_answers_a_person_in_words(at: CommandLine, command: str) -> None:
    said = at.say(*words_of(at)[command][0])
    assert (said.exit, said.broke) == (0, None)
    assert said.out.strip()
    assert not said.out.startswith(("{", "["))


# What the answers say


def test_ids_and_times_are_text_and_counts_are_numbers(at: CommandLine) -> None:
    thread = at.read("thread", INVITED)
    (effect,) = thread["effects"]
    (approval,) = thread["approvals"]
    assert (thread["status"], thread["since"], thread["until"]) == (
        "waiting", "2026-08-20T09:00:00Z", "2026-08-22T09:00:00Z",
    )  # fmt: skip
    assert (effect["key"], effect["status"], effect["attempts"]) == (f"{INVITED}/invite", "done", 1)
    assert effect["done_at"] == "2026-08-20T09:00:00Z"
    assert (approval["version"], approval["total"], approval["decided_by"]) == (3, 14, "Owner")
    assert [line["status"] for line in thread["plan"]] == [*["done"] * 7, "waiting_event", "later"]
    assert [set(line) >= {"step", "title", "status", "summary", "receipts", "attempts"} for line in thread["plan"]]
    assert all(set(one) >= {"number", "step", "at"} for one in thread["checkpoints"])


def test_the_queue_holds_what_nobody_decided(at: CommandLine) -> None:
    queue = at.read("queue")
    assert [one["thread"] for one in queue] == [WAITS, PARKED]
    assert {(one["verdict"], one["key"]) for one in queue[0]["options"]} == {
        ("approve", f"{WAITS}/invite"), ("approve", f"{WAITS}/reminder"), ("reject", f"{WAITS}/decline"),
    }  # fmt: skip
    assert all(one["payload_hash"] for one in queue[0]["options"])


def test_a_late_booking_shows_in_the_queue_and_is_no_refusal(at: CommandLine) -> None:
    at.set(DAYBOOK_NOW="2026-08-22T09:00:00Z")
    at.run("worker", "--until-idle")
    told = at.read("event", INVITED, "booking", "--data", '{"slot": "2026-08-27T10:00:00Z"}')
    assert (told["late"], told["repeated"]) == (True, False)
    assert (INVITED, "late_booking") in [(one["thread"], one["kind"]) for one in at.read("queue")]


def test_the_same_event_twice_is_no_refusal_and_another_under_its_key_is(at: CommandLine) -> None:
    words = ("event", INVITED, "booking", "--key", "calendar-7", "--data")
    assert [at.read(*words, '{"slot": "2026-08-27T10:00:00Z"}')["repeated"] for _ in range(2)] == [False, True]
    assert at.run(*words, '{"slot": "2026-08-28T10:00:00Z"}').code == "payload_mismatch"


@pytest.mark.seed("screen.check.asked", "screen.packet.search-refused")
def test_ask_answers_from_rows_and_says_when_none_does(at: CommandLine) -> None:
    answers = [at.read("ask", question)["answer"] for question in (
        "Did we invite Cleo Example?", "Did we invite Ann Example?", "Did we invite Nobody Atall?",
        "candidates like Cleo Example",
    )]  # fmt: skip
    assert answers == [True, False, None, None]


def test_threads_are_narrowed(at: CommandLine) -> None:
    assert [one["id"] for one in at.read("threads", "--status", "awaiting_review")] == [WAITS]
    assert [one["id"] for one in at.read("threads", "--find", "cleo")] == [INVITED]
    assert at.read("threads", "--workflow", "nothing") == []
    assert len(at.read("threads")) == 5


def test_a_decision_is_held_and_leaves_at_its_time(at: CommandLine) -> None:
    assert at.read(*at.decide())["release_at"] == "2026-08-20T09:15:00Z"
    at.set(DAYBOOK_NOW="2026-08-20T09:15:00Z")
    at.run("worker", "--until-idle")
    assert {one["key"]: one["status"] for one in at.read("effects", "--thread", WAITS)} == {f"{WAITS}/invite": "done"}
    assert at.run("undo", at.approvals[WAITS][0], *AS).code == "already_released"


def test_an_address_is_answered_as_json(at: CommandLine) -> None:
    cv = at.write("cv.txt", "Gus Example\nI write plainly.\nRight to work in the UK: yes\n")
    (taken,) = at.read("apply", ROLE, "--cv", cv, "--name", "Gus Example")["accepted"]
    at.run("worker", "--until-idle")
    (asked,) = [one for one in at.read("queue") if one["thread"] == taken["thread"]]
    words = ("decide", asked["approval"], "approve", "--seen-version", str(asked["version"]), *AS)
    assert asked["kind"] == "address"
    assert at.run(*words).code == "bad_input"
    assert at.run(*words, "--answer", '{"email": "nowhere"}').code == "bad_input"
    assert at.read(*words, "--answer", '{"email": "gus@example.org"}')["status"] == "approved"


def test_of_a_batch_the_good_files_go_through(at: CommandLine) -> None:
    folder = at.files / "batch"
    folder.mkdir()
    (folder / "good.txt").write_text(CV.format(name="Hal Example", email="hal@example.com"))
    (folder / "empty.pdf").write_bytes(b"")
    answer = at.read("apply", ROLE, "--batch", str(folder))
    assert [one["file"] for one in answer["accepted"]] == ["good.txt"]
    assert [(one["file"], bool(one["reason"])) for one in answer["refused"]] == [("empty.pdf", True)]


@pytest.mark.parametrize(("name", "content"), [("empty.pdf", b""), ("list.json", b"{"), ("list.csv", b"\xff\xfe\x00")])
def test_where_nothing_is_accepted_the_answer_is_the_same_object(still: CommandLine, name: str, content: bytes) -> None:
    said = still.run("apply", ROLE, "--batch", still.write(name, content))
    assert (said.exit, said.broke, said.json["accepted"]) == (3, None, [])
    assert [one["file"] for one in said.json["refused"]] == [name]


def test_the_same_person_again_is_pointed_to_their_thread(at: CommandLine) -> None:
    cv = at.write("cv.txt", CV.format(name="Ann Example", email="ANN@example.com "))
    said = at.run("apply", ROLE, "--cv", cv)
    assert (said.exit, WAITS in said.json["refused"][0]["reason"]) == (3, True)
    assert at.read("apply", ROLE, "--cv", cv, "--again")["accepted"]


# Refusals


def refusals_of(at: CommandLine) -> dict[str, tuple[tuple[str, ...], str]]:
    """Answer words that are understood and refused, and the code of each refusal."""
    approval, version = at.approvals[WAITS]
    held, _ = at.approvals[HELD]
    released, _ = at.approvals[INVITED]
    seen = ("--seen-version", str(version))
    decide = ("decide", approval, "approve")
    booking = ("event", INVITED, "booking", "--data")
    text = at.write("text.txt", "Hello.")
    return {
        "role: no file": (("role", "add", "missing.md"), "bad_input"),
        "role: a folder": (("role", "add", str(at.files)), "bad_input"),
        "role: bytes": (("role", "add", at.write("role.md", b"\xff\xfe\x00\x00")), "bad_input"),
        "role: broken toml": (("role", "add", at.write("role.toml", "title = ")), "bad_input"),
        "role: there already": (("role", "add", str(ROLE_FILE)), "bad_input"),
        "apply: no role": (("apply", "role-99", "--cv", text), "not_found"),
        "apply: no file": (("apply", ROLE, "--cv", "missing.txt"), "bad_input"),
        "apply: no cover": (("apply", ROLE, "--cv", text, "--cover", "missing.txt"), "bad_input"),
        "apply: nothing": (("apply", ROLE), "bad_input"),
        "apply: both": (("apply", ROLE, "--cv", text, "--batch", str(at.files)), "bad_input"),
        "apply: no batch": (("apply", ROLE, "--batch", "missing"), "not_found"),
        "apply: bad form": (("apply", ROLE, "--cv", text, "--form", "portfolio"), "bad_input"),
        "apply: nobody": (("apply", ROLE, "--cv", text, "--as", "nobody@example.com"), "not_found"),
        "thread: none": (("thread", "role-14/app-9999"), "not_found"),
        "thread: no id": (("thread", "../../etc/passwd"), "not_found"),
        "thread: a NUL": (("thread", "role\0"), "not_found"),
        "thread: half a character": (("thread", "role-\udcff"), "bad_input"),
        "threads: no status": (("threads", "--status", "sleeping"), "bad_input"),
        "threads: half a character": (("threads", "--find", "\udcff"), "bad_input"),
        "effects: no thread": (("effects", "--thread", "role-14/app-9999"), "not_found"),
        "decide: none": (("decide", "apr-0", "approve", *seen, *AS), "not_found"),
        "decide: stale": ((*decide, "--seen-version", "99", *AS), "stale_version"),
        "decide: huge": ((*decide, "--seen-version", str(10**40), *AS), "stale_version"),
        "decide: decided": (("decide", held, "reject", *seen, *AS), "already_decided"),
        "decide: nobody": ((*decide, *seen, "--as", "nobody@example.com"), "not_found"),
        "decide: no address": ((*decide, *seen, "--as", ""), "not_found"),
        "decide: no json": ((*decide, *seen, *AS, "--answer", "{"), "bad_input"),
        "decide: no object": ((*decide, *seen, *AS, "--answer", "[1]"), "bad_input"),
        "decide: no such field": ((*decide, *seen, *AS, "--answer", '{"x": 1}'), "bad_input"),
        "decide: total": ((*decide, *seen, *AS, "--total", "26"), "bad_input"),
        "decide: half a character": ((*decide, *seen, *AS, "--reason", "\udcff"), "bad_input"),
        "undo: none": (("undo", "apr-0", *AS), "not_found"),
        "undo: undecided": (("undo", approval, *AS), "bad_input"),
        "undo: released": (("undo", released, *AS), "already_released"),
        "release: undecided": (("release", approval, *AS), "bad_input"),
        "release: released": (("release", released, *AS), "already_released"),
        "amend: nothing": (("amend", WAITS, *AS), "bad_input"),
        "amend: no address": (("amend", WAITS, "--email", "nowhere", *AS), "bad_input"),
        "amend: none": (("amend", "role-14/app-9999", "--name", "X", *AS), "not_found"),
        "event: none": (("event", "role-14/app-9999", "booking", "--data", "{}"), "not_found"),
        "event: undeclared": (("event", INVITED, "lunch"), "bad_input"),
        "event: no json": ((*booking, "slot"), "bad_input"),
        "event: no object": ((*booking, '"2026-08-27T10:00:00Z"'), "bad_input"),
        "event: no slot": ((*booking, "{}"), "bad_input"),
        "event: no time": ((*booking, '{"slot": "Tuesday"}'), "bad_input"),
        "event: a NUL": ((*booking, '{"slot": "\\u0000"}'), "bad_input"),
        "event: no zone": ((*booking, '{"slot": "2026-08-27T10:00:00"}'), "bad_input"),
        "event: before all time": ((*booking, '{"slot": "0001-01-01T00:00:00+14:00"}'), "bad_input"),
        "event: no number": ((*booking, '{"slot": NaN}'), "bad_input"),
        "event: deep": ((*booking, "[" * 100_000), "bad_input"),
        "event: half a character": (("event", WAITS, "withdraw", "--data", '{"reason": "\\ud83d"}'), "bad_input"),
        "retry: not parked": (("retry", WAITS, *AS), "bad_input"),
        "park: none": (("park", "role-14/app-9999", *AS), "not_found"),
        "cancel: nobody": (("cancel", WAITS, "--as", "nobody@example.com"), "not_found"),
        "settle: none": (("effects", "settle", "role-14/x", "--did-not-happen", *AS), "not_found"),
        "settle: done": (("effects", "settle", f"{INVITED}/invite", "--did-not-happen", *AS), "bad_input"),
        "settle: neither": (("effects", "settle", KEY, *AS), "bad_input"),
        "settle: both": (("effects", "settle", KEY, "--happened", "x", "--did-not-happen", *AS), "bad_input"),
        "settle: nothing seen": (("effects", "settle", KEY, "--happened", " ", *AS), "bad_input"),
        "clock: real": (("clock", "advance", "1h"), "clock_is_real"),
        "clock: next on a real one": (("clock", "next"), "clock_is_real"),
        "clock: no span": (("clock", "advance", "soon", "--tenant", "atlas"), "bad_input"),
        "clock: beyond all time": (("clock", "advance", "99999999d", "--tenant", "atlas"), "bad_input"),
        "clock: beyond all counting": (("clock", "advance", "9" * 400 + "d", "--tenant", "atlas"), "bad_input"),
        "person: there already": (("person", "add", "Owner@Example.com", "--name", "O", *AS), "bad_input"),
        "person: no address": (("person", "add", "nowhere", "--name", "O", *AS), "bad_input"),
        "person: none": (("person", "access", "nobody@example.com", "viewer", *AS), "not_found"),
        "person: short": (("person", "password", OWNER, "--password", "short", *AS), "bad_input"),
    }


class _Nowhere:
    """Enough of a command line to name its refusals, for which no home is needed."""

    files = Path()

    def __init__(self) -> None:
        self.approvals = {name: ("apr-0", 1) for name in (WAITS, HELD, INVITED)}

    def write(self, name: str, _content: object) -> str:
        return name


@pytest.mark.parametrize("name", refusals_of(_Nowhere()))  # type: ignore[arg-type]
def test_what_is_refused_exits_three_with_one_sentence_and_changes_nothing(still: CommandLine, name: str) -> None:
    words, code = refusals_of(still)[name]
    before = still.rows()
    said = still.run(*words)
    assert (said.exit, said.broke) == (3, None)
    assert said.code == code
    assert said.sentence.endswith(".")
    assert "\n" not in said.sentence
    assert still.rows() == before


@pytest.mark.parametrize(
    "words",
    [
        ("decide", "apr-0", "maybe", "--seen-version", "1", "--as", OWNER),
        ("decide", "apr-0", "approve", "--seen-version", "one", "--as", OWNER),
        ("decide", "apr-0", "approve", "--seen-version", "1"),
        ("decide", "apr-0", "approve", "--as", OWNER),
        ("undo",),
        ("thread",),
        ("nonsense",),
        ("apply",),
        ("event", WAITS),
        ("threads", "--colour", "red"),
        ("clock", "advance"),
        ("effects", "settle", KEY),
        ("person", "access", OWNER, "emperor", "--as", OWNER),
    ],
)
def test_what_cannot_be_understood_exits_two(still: CommandLine, words: tuple[str, ...]) -> None:
    said = still.run(*words)
    assert (said.exit, said.out, said.broke) == (2, "", None)
    assert "Usage" in said.err


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("DAYBOOK_NOW", "tomorrow", "DAYBOOK_NOW"),
        ("DAYBOOK_NOW", "2026-08-20T09:00:00", "DAYBOOK_NOW"),
        ("DAYBOOK_NOW", "", "DAYBOOK_NOW"),
        ("DAYBOOK_NOW", "9999-12-31T23:59:59Z", "DAYBOOK_NOW"),
        ("DAYBOOK_NOW", "0001-01-01T00:00:00+14:00", "DAYBOOK_NOW"),
        ("DAYBOOK_HOLD_SECONDS", "-1", "DAYBOOK_HOLD_SECONDS"),
        ("DAYBOOK_HOLD_SECONDS", "soon", "DAYBOOK_HOLD_SECONDS"),
        ("DAYBOOK_TIMEZONE", "Mars/Olympus", "an IANA time zone such as Europe/London"),
        ("DAYBOOK_TIMEZONE", "../etc/passwd", "DAYBOOK_TIMEZONE"),
        ("DAYBOOK_TENANT", "No Such Name", "DAYBOOK_TENANT"),
        ("DAYBOOK_TENANT", "nowhere", "There is no tenant 'nowhere'"),
        ("DAYBOOK_ENGINE", "steam", "DAYBOOK_ENGINE"),
        ("DAYBOOK_HOLD_SECOND", "1", "Did you mean DAYBOOK_HOLD_SECONDS?"),
        ("DAYBOOK_HOLD", "1", "DAYBOOK_HOLD is not a setting."),
        ("DAYBOOK_DATABASE_URL", "mysql://x", "DAYBOOK_DATABASE_URL"),
    ],
)
def test_a_setting_that_is_wrong_is_named_with_what_would_be_right(
    still: CommandLine, name: str, value: str, hint: str
) -> None:
    still.set(**{name: value})
    said = still.run("queue")
    assert (said.exit, said.broke) == (3, None)
    assert hint in said.sentence


def test_a_setting_in_the_env_file_that_is_misspelled_is_named(at: CommandLine) -> None:
    at.write(".env", "DAYBOOK_TIMEZON=Europe/Berlin\nOTHER=1\n")
    said = at.run("queue")
    assert said.exit == 3
    assert "Did you mean DAYBOOK_TIMEZONE?" in said.sentence


def test_a_home_that_cannot_be_made_is_refused_in_one_sentence(at: CommandLine) -> None:
    at.set(DAYBOOK_HOME=at.write("occupied", "a file"))
    said = at.run("queue")
    assert (said.exit, said.broke) == (3, None)
    assert "occupied" in said.sentence


def test_a_database_that_is_none_is_refused_in_one_sentence(at: CommandLine) -> None:
    (at.folder / "daybook.sqlite").write_bytes(b"this is no database, and it is long enough to look at" * 100)
    said = at.run("queue")
    assert (said.exit, said.broke, said.code) == (3, None, "database")


def test_whatever_comes_first_makes_the_home_with_one_tenant_and_one_owner(at: CommandLine, tmp_path: Path) -> None:
    at.set(DAYBOOK_HOME=str(tmp_path / "new"))
    assert at.read("person", "list") == [{"email": OWNER, "name": "Owner", "access": "owner", "active": True}]
    assert [one["id"] for one in at.read("tenant", "list")] == ["home"]
    assert (at.read("queue"), at.read("threads"), at.read("effects")) == ([], [], [])


# A process of its own


def process(at: CommandLine, *words: str | bytes) -> subprocess.CompletedProcess[str]:
    """Run `python -m core` for real."""
    return subprocess.run(
        [sys.executable, "-m", "core", *words],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        cwd=at.files,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def test_a_process_answers_json_on_its_output_and_logs_beside_it(at: CommandLine) -> None:
    ran = process(at, "worker", "--until-idle", "--json")
    assert (ran.returncode, set(json.loads(ran.stdout))) == (0, {"claimed"})
    assert "worker started" in ran.stderr


def test_a_process_refuses_with_exit_three_and_one_sentence(at: CommandLine) -> None:
    ran = process(at, "thread", "role-14/app-9999")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == "Refused: There is no thread 'role-14/app-9999' in tenant home.\n"


def test_a_process_given_bytes_that_are_no_text_has_no_traceback(at: CommandLine) -> None:
    ran = process(at, b"thread", b"role-\xff\xfe", b"--json")
    assert (ran.returncode, json.loads(ran.stdout)["refused"]["code"]) == (3, "bad_input")
    assert "Traceback" not in ran.stderr


def test_a_process_without_words_shows_what_there_is(at: CommandLine) -> None:
    ran = process(at)
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
    assert all(word in ran.stdout + ran.stderr for word in ("decide", "worker", "verify"))
