"""Verify names damage that hides: lost rows, a dropped guard, altered hashes, values nobody can read."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.effects.tables import GUARD_NAME
from core.views.queue import list_queue
from core.views.threads import Filters, list_threads
from core.views.verify import verify
from tests.contracts.command_line import CommandLine, stand_at
from tests.databases import POSTGRES, homes_on
from tests.homes import Home, close_homes, open_home

INVITED, DECLINED, ASKING, BOOKED, HELD = (f"role-14/app-{number:04d}" for number in range(1, 6))
DAY_2 = FIXTURE_START + timedelta(hours=1)
SETTLED = f"{BOOKED}/invite"


def build(folder: Path) -> Home:
    home = open_home(folder)
    home.add_role()
    for name in ("Ann Example", "Bo Example", "Cy Example", "Di Example", "Ed Example"):
        home.apply(name, f"{name.split()[0].lower()}@example.com")
    home.run()
    home.decide(INVITED)
    home.decide(DECLINED, "reject")
    home.decide(BOOKED)
    home.run()
    home.book(BOOKED)
    home.run()
    home.with_hold(90_000).decide(HELD)
    return home


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one thread invited, one declined, one asking, one booked and one decided and held."""
    home = build(tmp_path_factory.mktemp("story") / "home")
    home.app.close()
    return home.app.home


@pytest.fixture
def folder(story: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(story, tmp_path / "home"))


@pytest.fixture
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    """The home's database with every guard off."""
    with closing(sqlite3.connect(folder / "daybook.sqlite", isolation_level=None)) as conn:
        conn.execute("PRAGMA ignore_check_constraints = ON")
        yield conn


def problems(folder: Path) -> list[str]:
    home = open_home(folder, now=DAY_2)
    try:
        return list(verify(home.app.parts).problems)
    finally:
        home.app.close()


def test_the_whole_story_has_no_problem(folder: Path) -> None:
    assert problems(folder) == []


# Each statement damages one thing; exactly that one is named.
NAMED = {
    "a done effect is deleted": (
        f"DELETE FROM effects WHERE key = '{INVITED}/invite'",
        f"effect {INVITED}/invite: attempt 1 stands in the effect journal, but not in the ledger.",
    ),
    "a done effect is planned again": (
        f"UPDATE effects SET status = 'planned', result_ref = NULL, done_at = NULL WHERE key = '{INVITED}/invite'",
        f"effect {INVITED}/invite: attempt 1 stands in the effect journal,"
        " but the ledger stands at attempt 1, planned.",
    ),
    "a result is altered": (
        f"UPDATE effects SET result_ref = 'outbox:other.eml' WHERE key = '{INVITED}/invite'",
        f"effect {INVITED}/invite: its result is not the one that the audit log recorded.",
    ),
    "a rubric is deleted": (
        "DELETE FROM configs WHERE kind = 'rubric'",
        "rubric version 1 of role-14: is not there, but 5 thread(s) rest on it.",
    ),
    "a config is deleted": (
        "DELETE FROM configs WHERE kind = 'letters'",
        "letters version 1 of role-14: is not there, but 5 thread(s) rest on it.",
    ),
    "an applicant's look-up is deleted": (
        f"DELETE FROM lookups WHERE thread_id = '{ASKING}' AND kind = 'applicant'",
        f"thread {ASKING}: is not found by its applicant any more.",
    ),
    "look-ups are deleted": (
        f"DELETE FROM lookups WHERE thread_id = '{ASKING}'",
        f"thread {ASKING}: is not found by its applicant, name word, address any more.",
    ),
    "the trigger is dropped": (
        f"DROP TRIGGER {GUARD_NAME}",
        f"trigger {GUARD_NAME}: is not in the database, or is switched off.",
    ),
    "since_at is garbage": (
        f"UPDATE threads SET since_at = 'garbage' WHERE id = '{ASKING}'",
        f"threads.since_at of {ASKING}: is not a time that can be read.",
    ),
    "since_at is nearly a time": (
        f"UPDATE threads SET since_at = '2026-13-41T09:00:00.000Z' WHERE id = '{ASKING}'",
        f"threads.since_at of {ASKING}: is not a time that can be read.",
    ),
    "until_at is garbage": (
        f"UPDATE threads SET until_at = '' WHERE id = '{INVITED}'",
        f"threads.until_at of {INVITED}: is not a time that can be read.",
    ),
    "since_at is a number": (
        f"UPDATE threads SET since_at = 17 WHERE id = '{ASKING}'",
        f"threads.since_at of {ASKING}: is not a time that can be read.",
    ),
    "configs are garbage": (
        f"UPDATE threads SET configs = '{{' WHERE id = '{ASKING}'",
        f"threads.configs of {ASKING}: is not JSON that can be read.",
    ),
    "configs are no object": (
        f"UPDATE threads SET configs = '[1]' WHERE id = '{ASKING}'",
        f"threads.configs of {ASKING}: is not JSON that can be read.",
    ),
    "configs are no text": (
        f"UPDATE threads SET configs = x'ff00' WHERE id = '{ASKING}'",
        f"threads.configs of {ASKING}: is not JSON that can be read.",
    ),
    "a question's due time is garbage": (
        f"UPDATE approvals SET due_at = 'soon' WHERE thread_id = '{ASKING}'",
        "approvals.due_at of {approval}: is not a time that can be read.",
    ),
}


@pytest.mark.parametrize("damage", NAMED)
def test_one_damaged_thing_is_named_and_nothing_else(folder: Path, database: sqlite3.Connection, damage: str) -> None:
    statement, sentence = NAMED[damage]
    (approval,) = database.execute("SELECT id FROM approvals WHERE thread_id = ?", (ASKING,)).fetchone()
    assert database.execute(statement).rowcount != 0

    assert problems(folder) == [sentence.format(approval=approval)]


@pytest.mark.parametrize("thread", [ASKING, HELD])
def test_an_altered_hash_of_what_may_still_leave_is_named(
    folder: Path, database: sqlite3.Connection, thread: str
) -> None:
    (approval,) = database.execute("SELECT id FROM approvals WHERE thread_id = ?", (thread,)).fetchone()
    database.execute(
        "UPDATE approval_options SET payload_hash = 'f00d' WHERE approval_id = ? AND effect_key = ?",
        (approval, f"{thread}/invite"),
    )

    assert problems(folder) == [
        f"approval {approval} of {thread}: the hash of its option approve ({thread}/invite) is not that of its payload."
    ]


def test_a_trigger_that_says_something_else_is_named(folder: Path, database: sqlite3.Connection) -> None:
    database.execute(f"DROP TRIGGER {GUARD_NAME}")
    database.execute(f"CREATE TRIGGER {GUARD_NAME} BEFORE UPDATE OF status ON effects BEGIN SELECT 1; END")

    assert problems(folder) == [f"trigger {GUARD_NAME}: does not say what it was made to say."]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (f"DROP TRIGGER {GUARD_NAME} ON effects", "is not in the database, or is switched off."),
        (f"ALTER TABLE effects DISABLE TRIGGER {GUARD_NAME}", "is not in the database, or is switched off."),
        (
            f"CREATE OR REPLACE FUNCTION {GUARD_NAME}() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN RETURN NEW; END $$",
            "does not say what it was made to say.",
        ),
    ],
)
def test_the_guard_of_a_postgres_database_is_looked_at_too(tmp_path: Path, change: str, sentence: str) -> None:
    with homes_on(POSTGRES):
        home = open_home(tmp_path / "home")
        assert home.verify() == []
        home.change(change)
        assert home.verify() == [f"trigger {GUARD_NAME}: {sentence}"]
        close_homes()


# Verify never breaks


@pytest.mark.parametrize("size", [0, 1, 4, 7, 12, 13, 20])
def test_a_seal_cut_short_is_damage_and_no_crash(folder: Path, database: sqlite3.Connection, size: int) -> None:
    database.execute(
        "UPDATE thread_sections SET sealed = SUBSTR(sealed, 1, ?) WHERE thread_id = ? AND rule = 'close_6_months'",
        (size, ASKING),
    )

    assert problems(folder) == [
        f"thread_sections.sealed of {ASKING} (close_6_months): is damaged, its seal does not fit."
    ]


@pytest.mark.parametrize("size", [0, 1, 5, 12, 30])
def test_a_blob_cut_short_is_damage_and_no_crash(folder: Path, database: sqlite3.Connection, size: int) -> None:
    (ref,) = database.execute("SELECT id FROM receipts WHERE thread_id = ?", (ASKING,)).fetchone()
    (file,) = (folder / "blobs").glob(f"*/*/{ref.removeprefix('blob:')}")
    file.write_bytes(file.read_bytes()[:size])

    assert problems(folder) == [f"receipt {ref} of {ASKING}: its bytes are damaged."]


def test_an_unknown_rule_is_damage_and_no_crash(folder: Path, database: sqlite3.Connection) -> None:
    database.execute(
        "UPDATE thread_sections SET rule = 'sometime' WHERE thread_id = ? AND rule = 'role_close'", (ASKING,)
    )

    assert problems(folder) == [f"thread_sections.sealed of {ASKING} (sometime): is damaged, its seal does not fit."]


@pytest.mark.parametrize("garbage", [b"\xff\xfe\x00\n", b"home one two\n", b"\xff"])
def test_heads_that_cannot_be_read_are_named_by_their_line(folder: Path, garbage: bytes) -> None:
    heads = folder / "audit-heads.log"
    lines = heads.read_bytes().count(b"\n")
    heads.write_bytes(heads.read_bytes() + garbage)

    assert problems(folder) == [f"audit heads: line {lines + 1} cannot be read; what it published is not held against."]


def test_a_head_that_a_crash_cut_short_is_no_damage_even_once_others_follow(folder: Path) -> None:
    heads = folder / "audit-heads.log"
    heads.write_bytes(heads.read_bytes() + b"home 99 ab")
    assert problems(folder) == []
    home = open_home(folder, now=DAY_2)
    home.amend(ASKING, name="Cyd Example")
    home.app.close()

    assert problems(folder) == []


def test_a_check_that_breaks_off_is_a_problem_and_the_others_go_on(folder: Path, database: sqlite3.Connection) -> None:
    database.execute("UPDATE checkpoints SET at = 'never' WHERE thread_id = ? AND number = 1", (ASKING,))
    database.execute("UPDATE threads SET checkpoint = 'many' WHERE id = ?", (ASKING,))
    found = problems(folder)

    assert f"checkpoints.at of {ASKING}#1: is not a time that can be read." in found
    assert [one for one in found if one.startswith("checkpoints of home: could not be looked at to the end")] != []


@pytest.mark.parametrize(("damage", "code"), [(None, 0), ("DELETE FROM configs WHERE kind = 'rubric'", 3)])
def test_verify_exits_with_the_contracts_codes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: sqlite3.Connection, damage: str | None,
    code: int,
) -> None:  # fmt: skip
    if damage is not None:
        database.execute(damage)
    at: CommandLine = stand_at(tmp_path, monkeypatch) if (tmp_path / "files").mkdir() is None else NotImplemented
    said = at.run("verify")

    assert (said.exit, said.broke, set(said.json)) == (code, None, {"ok", "checked", "problems"})
    assert (said.json["ok"], len(said.json["problems"])) == (code == 0, int(code != 0))


# One damaged row is no other's trouble

HURT = {
    "since_at": f"UPDATE threads SET since_at = 'garbage' WHERE id = '{ASKING}'",
    "until_at": f"UPDATE threads SET until_at = 'garbage' WHERE id = '{ASKING}'",
    "created_at": f"UPDATE threads SET created_at = 'garbage' WHERE id = '{ASKING}'",
    "configs": f"UPDATE threads SET configs = 'garbage' WHERE id = '{ASKING}'",
    "configs of another shape": f"UPDATE threads SET configs = '[]' WHERE id = '{ASKING}'",
    "person": f"UPDATE subject_fields SET sealed = x'00' WHERE thread_id = '{ASKING}'",
    "state": f"UPDATE thread_sections SET sealed = x'00' WHERE thread_id = '{ASKING}'",
    "question": f"UPDATE approvals SET question = x'00' WHERE thread_id = '{ASKING}'",
    "due time": f"UPDATE approvals SET due_at = 'garbage' WHERE thread_id = '{ASKING}'",
    "payload": "UPDATE approval_options SET payload = x'00' WHERE approval_id IN"
    f" (SELECT id FROM approvals WHERE thread_id = '{ASKING}')",
}


@pytest.mark.parametrize("hurt", HURT)
@pytest.mark.case("T17")
def test_one_damaged_row_breaks_no_list_and_no_worker_for_the_others(
    folder: Path, database: sqlite3.Connection, hurt: str
) -> None:
    assert database.execute(HURT[hurt]).rowcount >= 1
    home = open_home(folder, now=DAY_2)
    assert home.verify() != []
    other = home.apply("Flo Example", "flo@example.com")
    home.change("UPDATE threads SET wake_at = :at, signals = signals + 1 WHERE id = :id", at="2026-08-20T09:00:00.000Z",
                id=ASKING)  # fmt: skip
    home.run()

    with home.app.read() as conn:
        listed = [line.thread.id for line in list_threads(conn, home.app.vault, "home", Filters())]
        heads = [head.thread_id for head in home.app.queue.list_heads(conn, home.actor.member, DAY_2)]
        asked = [one.thread_id for one in list_queue(conn, home.app.vault, "home")]
    assert set(listed) == {INVITED, DECLINED, ASKING, BOOKED, HELD, other}
    assert other in heads
    assert other in asked
    assert {thread for thread, _, _ in home.blocked()} <= {ASKING}
    assert home.ending(other)[0] == "awaiting_review"
    home.app.close()
