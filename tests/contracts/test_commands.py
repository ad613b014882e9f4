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
    AS,
    CLOSED,
    HELD,
    INVITED,
    KEY,
    OWNER,
    PARKED,
    WAITS,
    CommandLine,
)
from tests.homes import CV, ROLE, ROLE_FILE

ROOT = Path(__file__).parents[2]

THREAD = {"id", "workflow", "status", "outcome", "goal", "waits_for", "since", "until"}
DECIDED = {"approval", "status", "version", "release_at"}
REPAIRED = {"thread", "status", "outcome"}
CLOCK = {"tenant", "clock", "now", "frozen"}
PERSON = {"email", "name", "access"}


MEMORY = {"id", "kind", "owner", "source", "confidence", "state", "created_at", "expires_at"}


def memory_of(at: CommandLine, state: str) -> str:
    """Answer a record in this state; a home that only names commands has none."""
    deleted = ("--deleted",) if state == "deleted" else ()
    (found,) = at.read("memory", "list", "--state", state, *deleted)
    return str(found["id"])


def token_of(at: CommandLine) -> str:
    return str(at.read("token", WAITS)["token"])


def words_of(at: CommandLine) -> dict[str, tuple[tuple[str, ...], set[str]]]:
    """Answer, for every command, words that it carries out and the keys of what it answers."""
    role = at.write("role.md", ROLE_FILE.read_text().replace("# Role 14", "# Role 15"))
    cv = at.write("cv.txt", CV.format(name="Fay Example", email="fay@example.com"))
    held = at.approvals[HELD][0]
    approved = at.write("approved.csv", "Campaign ID,Budget\nC-1,10.00\n")
    export = at.write("export.csv", "Campaign ID,Cost\nC-1,9.50\n")
    kept, doubtful, gone = (memory_of(at, state) for state in ("live", "quarantined", "deleted"))
    rubric = at.write(
        "rubric.md", ROLE_FILE.read_text().replace("Below 12", "Below 10").replace("12 to 17", "10 to 17")
    )
    return {
        "role add": (("role", "add", role), {"role", "title", "criteria", "rules"}),
        "role letters": (("role", "letters", ROLE), {"role", "version", "letters", "preview", "saved"}),
        "role booking": (
            ("role", "booking", ROLE),
            {"role", "version", "way", "time_zone", "slots", "address", "saved"},
        ),
        "role times": (("role", "times", ROLE), {"role", "version", "window_hours", "reminder_hours", "saved"}),
        "retract": (("retract", INVITED, *AS), {"thread", "asked"}),
        "key add": (("key", "add", "careers-page", "--may", "apply", *AS), {"id", "name", "may", "key"}),
        "key list": (("key", "list"), {"id", "name", "may", "created_at", "revoked_at"}),
        "key revoke": (("key", "revoke", "calendar", *AS), {"id", "name", "revoked_at"}),
        "role list": (("role", "list"), {"id", "title", "status"}),
        "role show": (("role", "show", ROLE), {"id", "title", "status", "closed_at", "versions", "rubrics"}),
        "role rubric": (
            ("role", "rubric", ROLE, rubric, *AS),
            {"role", "saved", "version", "rescored", "kept", "came_back", "cost", "sample", "changes"},
        ),
        "role close": (("role", "close", ROLE, *AS), {"role", "status", "undecided", "held", "reminders", "bookings"}),
        "role open": (("role", "open", CLOSED, *AS), {"role", "status"}),
        "apply": (("apply", ROLE, "--cv", cv), {"accepted", "refused"}),
        "worker": (("worker", "--until-idle"), {"claimed"}),
        "threads": (("threads",), THREAD),
        "thread": (("thread", WAITS), {*THREAD, "version", "plan", "checkpoints", "effects", "approvals", "calls"}),
        "queue": (
            ("queue",),
            {"approval", "thread", "kind", "version", "status", "asked_at", "due_at", "total", "band", "options"},
        ),
        "ask": (("ask", "Did we invite Cleo Example?"), {"answer", "text", "rows", "offers"}),
        "decide": (at.decide(), DECIDED),
        "undo": (("undo", held, *AS), DECIDED),
        "release": (("release", held, *AS), DECIDED),
        "amend": (("amend", WAITS, "--name", "Anne Example", *AS), {"thread", "version"}),
        "seen": (("seen", INVITED, *AS), {"thread", "seen"}),
        "event": (("event", INVITED, "booking", "--data", '{"slot": "2026-08-27T10:00:00Z"}'), {"thread", "event"}),
        "context": (("context", WAITS), {"thread", "step", "budget_tokens", "items", "filtered"}),
        "agent": (
            ("agent", "run-1", "--goal", "Look", "--folder", str(Path(role).parent), "--case", "research", *AS),
            {"thread"},
        ),
        "reconcile": (
            ("reconcile", "job_1", "--approved", approved, "--export", export, *AS),
            {"thread", "read_as"},
        ),
        "token": (("token", WAITS), {"thread", "token"}),
        "resume": (("resume", token_of(at), *AS), {"thread", "status", "checkpoint"}),
        "memory list": (("memory", "list"), MEMORY),
        "memory show": (("memory", "show", kept), {*MEMORY, "text"}),
        "memory remember": (
            ("memory", "remember", "fact", "k-3", "It rained.", "--confidence", "0.5", *AS),
            MEMORY,
        ),
        "memory allow": (("memory", "allow", doubtful, *AS), MEMORY),
        "memory refuse": (("memory", "refuse", doubtful, *AS), MEMORY),
        "memory forget": (("memory", "forget", kept, *AS), MEMORY),
        "memory restore": (("memory", "restore", gone, *AS), MEMORY),
        "memory expire": (("memory", "expire", kept, *AS), MEMORY),
        "memory purge": (("memory", "purge", gone, *AS), {"id", "state"}),
        "memory supersede": (
            ("memory", "supersede", kept, "--text", "It snowed.", "--confidence", "0.5", *AS),
            MEMORY,
        ),
        "move": (
            ("move", "--to", f"sqlite:///{at.files / 'other.sqlite'}", *AS),
            {"database", "rows", "tables"},
        ),
        "duty list": (("duty", "list"), {"duty", "next", "last"}),
        "duty next": (("duty", "next", "memory-sweep", "--at", "03:30"), {"duty", "next"}),
        "duty set": (("duty", "set", "memory-sweep", "--at", "03:30", *AS), {"duty", "at", "zone", "weekday", "next"}),
        "duty off": (("duty", "off", "memory-sweep", *AS), {"duty", "next", "was_on"}),
        "duty runs": (("duty", "runs", "memory-sweep"), {"duty", "runs"}),
        "note add": (("note", "add", WAITS, "Ask about the notice.", *AS), {"thread", "version"}),
        "note approve": (("note", "approve", WAITS, *AS), {"thread", "version"}),
        "note list": (("note", "list", WAITS), {"version", "author", "text", "approved_by"}),
        "fork": (
            ("fork", WAITS, "--at", "3", *AS),
            {"thread", "sandbox", "at", "begins_at", "step", "effects", "void"},
        ),
        "next": (("next", WAITS), {"step", "title", "mark", "at", "until", "says", "keys", "if"}),
        "compare": (("compare", WAITS, INVITED), {"left", "right", "rows", "state"}),
        "ask-again": (("ask-again", WAITS, *AS), {"thread", "approvals"}),
        "deadline": (("deadline", INVITED, "--to", "2026-08-21T10:00:00Z", *AS), {"thread", "until"}),
        "resend": (("resend", INVITED, *AS), {"thread", "asked"}),
        "fixture": (("fixture", WAITS), {"workflow", "checkpoints"}),
        "retry": (("retry", PARKED, *AS), REPAIRED),
        "park": (("park", WAITS, *AS), REPAIRED),
        "cancel": (("cancel", WAITS, *AS), REPAIRED),
        "effects": (
            ("effects",),
            {"key", "kind", "status", "thread", "attempts", "planned_at", "done_at", "result_ref"},
        ),
        "effects settle": (("effects", "settle", KEY, "--happened", "seen in the box", *AS), {"key", "status"}),
        "costs": (("costs", "--role", ROLE), {"recorded_usd", "estimated_usd", "unpriced_calls", "calls"}),
        "verify": (("verify", "--tenant", "atlas"), {"ok", "checked", "problems"}),
        "preflight": (("preflight",), {"blocked"}),
        "doctor": (("doctor",), {"home", "workers", "mail", "sending"}),
        "sending": (("sending", "off", *AS), {"sending"}),
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
SEEN_ELSEWHERE = {"demo", "memory alarms", "replan"}
MOVES_A_CLOCK = {"clock advance", "clock next"}
OF_EVERY_TENANT = {"tenant list", "move"}


def test_every_command_is_tried_here(at: CommandLine) -> None:
    assert set(EVERY) - SEEN_ELSEWHERE == set(words_of(at))


@pytest.mark.parametrize("command", [one for one in EVERY if one not in SEEN_ELSEWHERE])
def test_a_command_answers_one_line_of_json_with_its_keys(at: CommandLine, command: str) -> None:
    words, keys = words_of(at)[command]
    if command in MOVES_A_CLOCK:
        at.patch.delenv("DAYBOOK_NOW")
    answer = at.read(*words)
    rows = answer if isinstance(answer, list) else [answer]
    assert rows
    assert all(keys <= set(row) for row in rows)


@pytest.mark.parametrize("command", [one for one in EVERY if one not in {*SEEN_ELSEWHERE, "tenant list", "move"}])
def test_a_command_refuses_a_tenant_that_is_not_there(still: CommandLine, command: str) -> None:
    words, _ = words_of(still)[command]
    if "--tenant" in words:
        words = words[: words.index("--tenant")]
    before = still.rows()
    said = still.run(*words, "--tenant", "nowhere")
    assert (said.exit, said.broke, said.code) == (3, None, "not_found")
    assert said.sentence == "There is no tenant 'nowhere'. Known: atlas, home."
    assert still.rows() == before


@pytest.mark.parametrize("command", [one for one in EVERY if one not in SEEN_ELSEWHERE])
def test_a_command_answers_a_person_in_words(at: CommandLine, command: str) -> None:
    words, _ = words_of(at)[command]
    if command in MOVES_A_CLOCK:
        at.patch.delenv("DAYBOOK_NOW")
    said = at.say(*words)
    assert (said.exit, said.broke) == (0, None)
    assert said.out.strip()
    assert not said.out.startswith(("{", "["))


# What the answers say


@pytest.mark.seed(
    "agent.kind.execution", "agent.checkpoint.run-id", "agent.checkpoint.step", "agent.checkpoint.plan",
    "agent.checkpoint.completed", "agent.checkpoint.next-action",
)  # fmt: skip
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


@pytest.mark.seed("atlas.number.fixture-time")
def test_a_fixture_clock_stands_at_the_fixture_time_until_it_is_moved(at: CommandLine) -> None:
    at.patch.delenv("DAYBOOK_NOW")
    assert at.read("clock", "show", "--tenant", "atlas")["now"] == "2026-08-20T09:00:00Z"
    assert at.read("clock", "advance", "1h30m", "--tenant", "atlas")["now"] == "2026-08-20T10:30:00Z"
    assert at.read("clock", "show", "--tenant", "atlas")["now"] == "2026-08-20T10:30:00Z"
    assert at.read("clock", "show")["clock"] == "real"


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


def test_ask_offers_names_that_are_near_and_answers_none_of_them(at: CommandLine) -> None:
    near = at.read("ask", "Did we invite Cleo Exampel?")

    assert near == {"answer": None, "text": "No row says so.", "rows": [], "offers": ["Cleo Example"]}
    assert "ask 'Did we invite Cleo Example?'" in at.say("ask", "Did we invite Cleo Exampel?").out
    assert at.read("ask", "Did we invite Cleo Example?")["offers"] == []


def test_threads_are_narrowed(at: CommandLine) -> None:
    assert [one["id"] for one in at.read("threads", "--status", "awaiting_review")] == [WAITS]
    assert [one["id"] for one in at.read("threads", "--find", "cleo")] == [INVITED]
    assert len(at.read("threads", "--workflow", "screening")) == 5
    assert at.run("threads", "--workflow", "screning").sentence.endswith("Did you mean screening?")
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
    assert ran.stderr == (
        "Refused: There is no thread 'role-14/app-9999' in tenant home; `threads` lists those there are.\n"
    )


def test_a_process_given_bytes_that_are_no_text_has_no_traceback(at: CommandLine) -> None:
    ran = process(at, b"thread", b"role-\xff\xfe", b"--json")
    assert (ran.returncode, json.loads(ran.stdout)["refused"]["code"]) == (3, "bad_input")
    assert "Traceback" not in ran.stderr


def test_a_process_without_words_shows_what_there_is(at: CommandLine) -> None:
    ran = process(at)
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
    assert all(word in ran.stdout + ran.stderr for word in ("decide", "worker", "verify"))


def test_doctor_says_whether_sending_is_on(at: CommandLine) -> None:
    assert at.read("doctor")["sending"] == "on"
    at.read("sending", "off", *AS)
    assert at.read("doctor")["sending"] == "off"
    at.read("sending", "on", *AS)
    assert at.read("doctor")["sending"] == "on"


def test_doctor_names_the_mail_server_and_never_its_password(at: CommandLine) -> None:
    at.set(DAYBOOK_MAIL="smtp://jobs:hunter2@mail.example.com")
    said = at.run("doctor")
    assert said.json["mail"] == "smtp://mail.example.com:587"
    assert "hunter2" not in said.out + said.err


def test_a_wrong_mail_setting_stops_every_command_without_its_password(at: CommandLine) -> None:
    at.set(DAYBOOK_MAIL="smtp://jobs:hunter2@mail.example.com:port")
    said = at.run("queue")
    assert (said.exit, said.code) == (3, "settings_wrong")
    assert said.sentence.startswith("DAYBOOK_MAIL is set, but must be ")
    assert "hunter2" not in said.out + said.err


def test_the_ledger_says_where_a_letter_went_and_what_to_look_for(at: CommandLine) -> None:
    entry = next(one for one in at.read("effects") if one["key"] == KEY)
    assert (entry["status"], entry["via"]) == ("unknown", "outbox")
    assert entry["trace"].startswith("<")
    assert entry["sending_at"] == "2026-08-20T09:00:00Z"
