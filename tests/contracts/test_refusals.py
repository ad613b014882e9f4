"""Whatever is given to the command line, a refusal is one sentence, exit 3, and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts.command_line import (
    AS,
    HELD,
    INVITED,
    KEY,
    OWNER,
    WAITS,
    CommandLine,
)
from tests.homes import ROLE, ROLE_FILE


def refusals_of(at: CommandLine) -> dict[str, tuple[tuple[str, ...], str]]:
    """Answer words that are understood and refused, and the code of each refusal."""
    approval, version = at.approvals[WAITS]
    held, _ = at.approvals[HELD]
    released, _ = at.approvals[INVITED]
    seen = ("--seen-version", str(version))
    decide = ("decide", approval, "approve")
    booking = ("event", INVITED, "booking", "--data")
    text = at.write("text.txt", "Hello.")
    remember = ("memory", "remember")
    sure = ("fact", "k", "x", "--confidence", "1")
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
        "threads: no workflow": (("threads", "--workflow", "screning"), "not_found"),
        "threads: half a character": (("threads", "--find", "\udcff"), "bad_input"),
        "sending: nobody": (("sending", "off", "--as", "nobody@example.com"), "not_found"),
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
        "seen: none": (("seen", "role-14/app-9999", *AS), "not_found"),
        "settle: none": (("effects", "settle", "role-14/x", "--did-not-happen", *AS), "not_found"),
        "settle: done": (("effects", "settle", f"{INVITED}/invite", "--did-not-happen", *AS), "bad_input"),
        "settle: neither": (("effects", "settle", KEY, *AS), "bad_input"),
        "settle: both": (("effects", "settle", KEY, "--happened", "x", "--did-not-happen", *AS), "bad_input"),
        "settle: nothing seen": (("effects", "settle", KEY, "--happened", " ", *AS), "bad_input"),
        "context: none": (("context", "role-14/app-9999"), "not_found"),
        "context: no such step": (("context", WAITS, "--step", "lunch"), "not_found"),
        "token: none": (("token", "role-14/app-9999"), "not_found"),
        "resume: no token": (("resume", "letmein", *AS), "bad_input"),
        "resume: deep": (("resume", "W1tb.x", *AS), "bad_input"),
        "resume: forged": (("resume", "WyJqb2IiLDFd.0123456789abcdef01234567", *AS), "not_found"),
        "reconcile: no file": (("reconcile", "job_1", "--approved", "missing", "--export", text, *AS), "bad_input"),
        "reconcile: no table": (("reconcile", "job_1", "--approved", text, "--export", text, *AS), "bad_input"),
        "reconcile: no id": (("reconcile", "../x", "--approved", text, "--export", text, *AS), "bad_input"),
        "memory: none": (("memory", "forget", "mem-0", *AS), "not_found"),
        "memory: shown none": (("memory", "show", "mem-0"), "not_found"),
        "memory: no kind": ((*remember, "mood", "k", "x", "--confidence", "1", *AS), "memory_refused"),
        "memory: no confidence": ((*remember, "fact", "k", "x", *AS), "bad_input"),
        "memory: too sure": ((*remember, "fact", "k", "x", "--confidence", "1.5", *AS), "memory_refused"),
        "memory: no number": ((*remember, "fact", "k", "x", "--confidence", "nan", *AS), "memory_refused"),
        "memory: no text": ((*remember, "fact", "k", " ", "--confidence", "1", *AS), "memory_refused"),
        "memory: no key": ((*remember, "fact", " ", "x", "--confidence", "1", *AS), "memory_refused"),
        "memory: past": ((*remember, *sure, "--expires", "2020-01-01T00:00:00Z", *AS), "memory_refused"),
        "memory: no zone": ((*remember, *sure, "--expires", "2030-01-01T00:00:00", *AS), "bad_input"),
        "memory: no lineage": ((*remember, *sure, "--from", "mem-0", *AS), "memory_refused"),
        "memory: an address as source": ((*remember, *sure, "--source", "a@example.com", *AS), "bad_input"),
        "memory: no thread": ((*remember, *sure, "--thread", "role-14/app-9999", *AS), "not_found"),
        "memory: half a character": ((*remember, "fact", "k", "\udcff", "--confidence", "1", *AS), "memory_refused"),
        "memory: supersede by nothing": (("memory", "supersede", "mem-0", *AS), "bad_input"),
        "note: none": (("note", "add", "role-14/app-9999", "x", *AS), "not_found"),
        "note: blank": (("note", "add", WAITS, " ", *AS), "bad_input"),
        "note: a secret": (("note", "add", WAITS, "the password is tulip", *AS), "bad_input"),
        "note: none to approve": (("note", "approve", INVITED, *AS), "not_found"),
        "note: no such version": (("note", "approve", WAITS, "--version", "9", *AS), "not_found"),
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
    assert said.sentence.endswith((".", "?"))
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
        ("threads", "--status", "sleeping"),
        ("apply", ROLE, "--batch", ""),
        ("apply", ROLE, "--cv", ""),
        ("role", "add", " "),
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
        ("DAYBOOK_NOW", "9999-12-31T23:59:59Z", "DAYBOOK_NOW"),
        ("DAYBOOK_NOW", "0001-01-01T00:00:00+14:00", "DAYBOOK_NOW"),
        ("DAYBOOK_HOLD_SECONDS", "-1", "DAYBOOK_HOLD_SECONDS"),
        ("DAYBOOK_HOLD_SECONDS", "soon", "DAYBOOK_HOLD_SECONDS"),
        ("DAYBOOK_TIMEZONE", "Mars/Olympus", "an IANA time zone such as Europe/London"),
        ("DAYBOOK_TIMEZONE", "../etc/passwd", "DAYBOOK_TIMEZONE"),
        ("DAYBOOK_TENANT", "No Such Name", "DAYBOOK_TENANT"),
        ("DAYBOOK_TENANT", "nowhere", "There is no tenant 'nowhere'"),
        ("DAYBOOK_TENANT", "hoem", "Did you mean home?"),
        ("DAYBOOK_HOLD_SECONDS", "soon", "a whole number from 0 to 604800"),
        ("DAYBOOK_NOW", "tomorrow", "a time with its zone"),
        ("DAYBOOK_BASE_URL", "ftp://x", "http:// or https://"),
        ("DAYBOOK_MAIL_FROM", "Daybook", "one address that mail can come from"),
        ("DAYBOOK_MAIL_FROM", "a@example.com, b@example.com", "one address that mail can come from"),
        ("DAYBOOK_MAIL_FROM", "Daybook <daybook@example.com>\nBcc: x@example.com", "one address"),
        ("DAYBOOK_DATABASE_URL", "sqlite:///:memory:", "gone when the command ends"),
        ("DAYBOOK_DATABASE_URL", "sqlite:///", "gone when the command ends"),
        ("DAYBOOK_DATABASE_URL", "postgresql://u:pw@host:port/x", "postgresql://NAME:PASSWORD@HOST/DATABASE"),
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
