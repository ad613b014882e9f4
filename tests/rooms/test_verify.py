"""Verify names exactly what is broken: one thing is damaged at a time, and nothing else may be named."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from core.bootstrap import open_tenant
from core.clock import FIXTURE_START
from core.db.base import Base
from core.db.types import Sealed
from core.retention import tables_of_rooms
from core.steps import Rule
from core.views.checks.seals import SEALS
from core.views.verify import verify
from tests.homes import open_home

assert tables_of_rooms.__all__
INVITED, DECLINED, ASKING, BOOKED = (f"role-14/app-{number:04d}" for number in (1, 2, 3, 4))
DAY_2 = FIXTURE_START + timedelta(hours=1)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one thread invited, one declined, one asking and one booked."""
    home = open_home(tmp_path_factory.mktemp("story") / "home")
    home.add_role()
    for name in ("Ann Example", "Bo Example", "Cy Example", "Di Example"):
        home.apply(name, f"{name.split()[0].lower()}@example.com")
    home.run()
    home.decide(INVITED)
    home.decide(DECLINED, "reject")
    home.decide(BOOKED)
    home.run()
    home.book(BOOKED)
    home.run()
    home.app.close()
    return home.app.home


@pytest.fixture
def folder(story: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(story, tmp_path / "home"))


@pytest.fixture
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    """The home's database with every guard off."""
    conn = sqlite3.connect(folder / "daybook.sqlite", isolation_level=None)
    conn.execute("PRAGMA ignore_check_constraints = ON")
    yield conn
    conn.close()


def problems(folder: Path, tenant_id: str | None = None) -> list[str]:
    home = open_home(folder, now=DAY_2)
    try:
        return list(verify(home.app.parts, tenant_id).problems)
    finally:
        home.app.close()


def only(database: sqlite3.Connection, query: str) -> str:
    (found,) = database.execute(query).fetchone()
    return str(found)


def test_a_whole_home_has_no_problem_and_much_was_looked_at(folder: Path):
    home = open_home(folder, now=DAY_2)
    report = verify(home.app.parts)
    home.app.close()

    assert (report.ok, report.problems) == (True, ())
    assert report.checked > 300


def test_a_home_in_every_state_that_people_can_bring_it_to_has_no_problem(tmp_path: Path):
    home = open_home(tmp_path / "home", hold_seconds=900)
    home.add_role()
    undone, held, parked, fresh = (home.apply(f"{name} Example", f"{name}@example.com") for name in "abcd")
    home.run()
    home.decide(undone)
    home.decide(held)
    home.undo(undone)
    home.run()
    with home.app.write() as tx:
        tx.conn.exec_driver_sql(
            "UPDATE threads SET step = 'gone', wake_at = ? WHERE id = ?", ("2026-08-20T09:00:00.000Z", parked)
        )
        tx.conn.exec_driver_sql(
            "UPDATE plan_steps SET step = 'gone' WHERE step = 'review' AND thread_id = ?", (parked,)
        )
    home.run()

    with home.app.read() as conn:
        statuses = set(conn.exec_driver_sql("SELECT status FROM threads").scalars())
    assert statuses == {"awaiting_review", "waiting", "parked"}
    assert verify(home.app.parts).problems == ()
    home.app.close()
    assert fresh


def test_every_sealed_column_is_opened_but_those_that_say_why_not():
    sealed = {
        (table.name, column.name)
        for table in Base.metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Sealed)
    }

    assert {(one.table, one.column) for one in SEALS} == sealed


def test_a_changed_audit_entry_is_named_by_its_link(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE audit_entries SET actor = 'somebody' WHERE link = 3 AND n = 1")

    assert problems(folder) == ["audit chain of home: link 3 does not fit its entries or the link before it."]


def test_a_cut_tail_of_the_audit_log_is_named(folder: Path, database: sqlite3.Connection):
    last = int(only(database, "SELECT MAX(link) FROM audit_links"))
    database.execute("DELETE FROM audit_entries WHERE link = ?", (last,))
    database.execute("DELETE FROM audit_links WHERE link = ?", (last,))

    assert problems(folder) == [
        f"audit chain of home: ends at link {last - 1}, but link {last} was published; its tail is cut."
    ]


def test_a_heads_file_that_lags_is_no_damage(folder: Path):
    heads = folder / "audit-heads.log"
    heads.write_text("".join(heads.read_text().splitlines(keepends=True)[:-2]))

    assert problems(folder) == []


def test_a_missing_checkpoint_is_named_by_its_number(folder: Path, database: sqlite3.Connection):
    for table in ("checkpoint_sections", "checkpoints"):
        database.execute(f"DELETE FROM {table} WHERE thread_id = ? AND number = 3", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: checkpoint 3 is missing."]


def test_a_checkpoint_beyond_the_thread_is_named(folder: Path, database: sqlite3.Connection):
    last = int(only(database, f"SELECT checkpoint FROM threads WHERE id = '{ASKING}'"))
    database.execute("UPDATE checkpoints SET number = 99 WHERE thread_id = ? AND number = ?", (ASKING, last))

    assert problems(folder) == [
        f"thread {ASKING}: checkpoint {last} is missing.",
        f"thread {ASKING}: stands at checkpoint {last}, but checkpoint 99 is there.",
    ]


def test_a_damaged_section_is_named(folder: Path, database: sqlite3.Connection):
    database.execute(
        "UPDATE thread_sections SET sealed = sealed || x'00' WHERE thread_id = ? AND rule = 'close_6_months'", (ASKING,)
    )

    assert problems(folder) == [
        f"thread_sections.sealed of {ASKING} (close_6_months): is damaged, its seal does not fit."
    ]


def test_another_threads_sealed_row_is_named_as_damaged(folder: Path, database: sqlite3.Connection):
    database.execute(
        "UPDATE subject_fields SET sealed = (SELECT sealed FROM subject_fields WHERE thread_id = ?)"
        " WHERE thread_id = ?",
        (BOOKED, ASKING),
    )

    assert problems(folder) == [
        f"subject_fields.sealed of {ASKING} (close_6_months): is damaged, its seal does not fit."
    ]


def test_a_section_that_its_checkpoints_do_not_add_up_to_is_named(folder: Path):
    home = open_home(folder, now=DAY_2)
    keys = home.app.vault.keys("home", ASKING)
    with home.app.store.write() as tx:
        sealed = tx.conn.exec_driver_sql(
            "SELECT sealed FROM thread_sections WHERE thread_id = ? AND rule = 'close_6_months'", (ASKING,)
        ).scalar_one()
        rule = Rule.CLOSE_6_MONTHS
        fields = msgspec.json.decode(keys.open(rule, "thread_sections", ASKING, sealed)) | {"total": 25}
        tx.conn.exec_driver_sql(
            "UPDATE thread_sections SET sealed = ? WHERE thread_id = ? AND rule = 'close_6_months'",
            (keys.seal(rule, "thread_sections", ASKING, msgspec.json.encode(fields)), ASKING),
        )
    home.app.close()

    assert problems(folder) == [
        f"thread {ASKING}: its current close_6_months section is not what its checkpoints add up to."
    ]


def test_a_done_effect_without_plan_is_named_by_its_key(folder: Path, database: sqlite3.Connection):
    database.execute(
        "INSERT INTO effects (tenant_id, key, thread_id, kind, needs_approval, payload_hash, status, attempt,"
        " planned_at, sending_at, done_at, result_ref) VALUES ('home', ?, ?, 'mail', 0, 'x', 'done', 1,"
        " '2026-08-20T09:00:00.000Z', '2026-08-20T09:00:00.000Z', '2026-08-20T09:00:00.000Z', 'outbox:x.eml')",
        (f"{ASKING}/extra", ASKING),
    )

    assert problems(folder) == [f"effect {ASKING}/extra: is done, but the audit log has no plan of it."]


def test_a_done_effect_that_never_passed_the_gate_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE effects SET sending_at = NULL WHERE key = ?", (f"{INVITED}/invite",))

    assert problems(folder) == [f"effect {INVITED}/invite: is done, but it never passed the gate."]


def test_a_letter_whose_approval_froze_another_payload_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE approval_options SET payload_hash = 'other' WHERE effect_key = ?", (f"{INVITED}/invite",))

    assert problems(folder) == [f"effect {INVITED}/invite: is done, but no released approval names its payload."]


def test_a_letter_whose_approval_was_not_released_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE approvals SET released_at = NULL WHERE thread_id = ?", (DECLINED,))

    assert problems(folder) == [f"effect {DECLINED}/decline: is done, but no released approval names its payload."]


def test_a_letter_the_journal_does_not_know_is_named(folder: Path):
    journal = folder / "effect-journal.log"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(line for line in lines if f"{INVITED}/invite" not in line))

    assert problems(folder) == [f"effect {INVITED}/invite: is done, but the effect journal has no line of attempt 1."]


def test_a_lost_attempt_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE effects SET attempt = 2 WHERE key = ?", (f"{INVITED}/invite",))

    assert problems(folder) == [f"effect {INVITED}/invite: stands at attempt 2, but 0 earlier ones are kept."]


@pytest.mark.parametrize("decided_by", [None, "person-of-nowhere"])
def test_a_decision_without_person_is_named(folder: Path, database: sqlite3.Connection, decided_by: str | None):
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{INVITED}'")
    database.execute("UPDATE approvals SET decided_by = ? WHERE id = ?", (decided_by, approval))

    assert problems(folder) == [
        f"approval {approval} of {INVITED}: is approved, but no person of this tenant decided it."
    ]


def test_a_decision_by_another_tenants_person_is_named(folder: Path, database: sqlite3.Connection):
    home = open_home(folder, now=DAY_2)
    with home.app.write() as tx:
        stranger = open_tenant(tx, "other", "Other", DAY_2)
    home.app.close()
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{INVITED}'")
    database.execute("UPDATE approvals SET decided_by = ? WHERE id = ?", (stranger.id, approval))

    expected = [f"approval {approval} of {INVITED}: is approved, but no person of this tenant decided it."]
    assert (problems(folder), problems(folder, "other")) == (expected, [])


def test_a_pending_question_that_carries_an_answer_is_named(folder: Path, database: sqlite3.Connection):
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{ASKING}'")
    database.execute("UPDATE approvals SET verdict = 'approve' WHERE id = ?", (approval,))

    assert problems(folder) == [f"approval {approval} of {ASKING}: is pending, but carries an answer."]


def test_an_answer_released_inside_its_hold_is_named(folder: Path, database: sqlite3.Connection):
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{INVITED}'")
    database.execute("UPDATE approvals SET release_at = '2026-08-20T09:15:00.000Z' WHERE id = ?", (approval,))

    assert problems(folder) == [f"approval {approval} of {INVITED}: was released before its hold ended."]


def test_a_question_without_options_is_named(folder: Path, database: sqlite3.Connection):
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{ASKING}'")
    database.execute("DELETE FROM approval_options WHERE approval_id = ?", (approval,))

    assert problems(folder) == [f"approval {approval} of {ASKING}: has no option for any answer."]


def test_an_answer_taken_up_by_no_checkpoint_is_named(folder: Path, database: sqlite3.Connection):
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{INVITED}'")
    database.execute("UPDATE approvals SET consumed_by = 99 WHERE id = ?", (approval,))

    assert problems(folder) == [f"approval {approval} of {INVITED}: was taken up by checkpoint 99, which there is not."]


def test_a_question_that_stands_in_an_ended_thread_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE threads SET status = 'failed', wake_at = NULL WHERE id = ?", (ASKING,))
    database.execute("UPDATE plan_steps SET status = 'stopped' WHERE thread_id = ? AND status = 'later'", (ASKING,))
    approval = only(database, f"SELECT id FROM approvals WHERE thread_id = '{ASKING}'")

    assert problems(folder) == [f"approval {approval} of {ASKING}: still asks, but its thread has ended."]


def test_a_column_the_map_does_not_know_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("ALTER TABLE threads ADD COLUMN mood TEXT")

    assert problems(folder) == ["column threads.mood: is not on the data map."]


def test_a_table_the_map_does_not_know_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("CREATE TABLE moods (mood TEXT)")

    assert problems(folder) == ["column moods.mood: is not on the data map."]


def test_a_row_that_belongs_to_nothing_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE effect_attempts SET key = 'gone'")
    database.execute(
        "INSERT INTO effect_attempts VALUES ('home', 'gone', 1, 'x', 'void', NULL, NULL, '2026-08-20T09:00:00.000Z')"
    )

    assert problems(folder) == ["effect_attempts: row 1 belongs to a row of effects that is not there."]


def orphan(folder: Path, *, written: float) -> str:
    path = folder / "blobs" / "0" / "a" / "0a0b0c0d0e0f"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"sealed")
    os.utime(path, (written, written))
    return path.name


def test_an_orphan_blob_older_than_the_newest_worker_is_named(folder: Path):
    started = (folder / "locks" / "last-sweep").stat().st_mtime
    name = orphan(folder, written=started - 60)

    assert problems(folder) == [f"blob {name}: no receipt refers to it."]


def test_an_orphan_blob_that_no_worker_has_started_since_is_not_named_and_the_next_worker_removes_it(folder: Path):
    started = (folder / "locks" / "last-sweep").stat().st_mtime
    name = orphan(folder, written=started + 60)

    assert problems(folder) == []
    home = open_home(folder, now=DAY_2)
    home.run()
    assert name not in home.app.parts.blobs.list_ids()
    home.app.close()


def test_a_receipt_whose_bytes_are_gone_is_named(folder: Path, database: sqlite3.Connection):
    ref = only(database, f"SELECT id FROM receipts WHERE thread_id = '{ASKING}'")
    (file,) = (folder / "blobs").glob(f"*/*/{ref.removeprefix('blob:')}")
    file.unlink()

    assert problems(folder) == [f"receipt {ref} of {ASKING}: its bytes are missing."]


def test_a_receipt_whose_bytes_are_damaged_is_named(folder: Path, database: sqlite3.Connection):
    ref = only(database, f"SELECT id FROM receipts WHERE thread_id = '{ASKING}'")
    (file,) = (folder / "blobs").glob(f"*/*/{ref.removeprefix('blob:')}")
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))

    assert problems(folder) == [f"receipt {ref} of {ASKING}: its bytes are damaged."]


def test_a_step_behind_its_thread_that_is_not_settled_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE plan_steps SET status = 'later' WHERE thread_id = ? AND step = 'score'", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: stands at review, but step score of its plan is later."]


def test_a_step_ahead_of_its_thread_that_is_settled_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE plan_steps SET status = 'done' WHERE thread_id = ? AND step = 'invite'", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: stands at review, but step invite of its plan is done."]


def test_a_lost_step_of_a_plan_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("DELETE FROM plan_steps WHERE thread_id = ? AND step = 'rules'", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: a step of its plan is missing."]


@pytest.mark.parametrize(
    ("thread", "change", "sentence"),
    [
        (INVITED, "wake_at = NULL", "is waiting, but nothing wakes it."),
        (BOOKED, "wake_at = since_at", "has ended, but a timer of it stands."),
        (ASKING, "status = 'running'", "is running, but no worker holds its lease."),
        (ASKING, "lease_holder = 'w-1'", "is awaiting_review, but a worker holds its lease."),
        (ASKING, "step = 'gone'", "stands at gone, which is no step of its plan."),
    ],
)
def test_a_thread_out_of_step_with_itself_is_named(
    folder: Path, database: sqlite3.Connection, thread: str, change: str, sentence: str
):
    database.execute(f"UPDATE threads SET {change} WHERE id = ?", (thread,))

    assert problems(folder) == [f"thread {thread}: {sentence}"]


def test_a_thread_that_waits_for_a_person_and_asks_nothing_is_named(folder: Path, database: sqlite3.Connection):
    database.execute("UPDATE approvals SET status = 'withdrawn' WHERE thread_id = ?", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: waits for a person, but asks nothing."]


def destroy_keys(folder: Path, where: str) -> None:
    keys = sqlite3.connect(folder / "keys" / "keys.sqlite", isolation_level=None)
    keys.execute(f"DELETE FROM section_keys WHERE {where}")
    keys.close()


def test_rows_whose_key_is_gone_are_named_by_thread_and_rule(folder: Path):
    destroy_keys(folder, f"thread_id = '{ASKING}' AND rule = 'role_close'")

    assert problems(folder) == [
        f"thread {ASKING}: its key for role_close is gone, but thread_sections, checkpoint_sections, approval_options "
        "holds what it sealed."
    ]


OF_THREAD = (
    "subject_fields", "lookups", "thread_sections", "checkpoint_sections", "plan_steps", "events", "receipts",
    "memories", "checkpoints", "attempts", "effects", "manifests",
)  # fmt: skip


def erase(folder: Path, database: sqlite3.Connection, thread: str, *, but: str = "", keep_keys: bool = False) -> None:
    """Erase a thread's subject by hand, but for one table."""
    subject = only(database, f"SELECT subject_id FROM threads WHERE id = '{thread}'")
    for (ref,) in database.execute("SELECT id FROM receipts WHERE thread_id = ?", (thread,)).fetchall():
        (file,) = (folder / "blobs").glob(f"*/*/{ref.removeprefix('blob:')}")
        file.unlink()
    database.execute(
        "DELETE FROM approval_options WHERE approval_id IN (SELECT id FROM approvals WHERE thread_id = ?)", (thread,)
    )
    database.execute("DELETE FROM approvals WHERE thread_id = ?", (thread,))
    for table in OF_THREAD:
        if table != but:
            database.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread,))
    database.execute("UPDATE threads SET status = 'erased', wake_at = NULL WHERE id = ?", (thread,))
    database.execute("INSERT INTO tombstones VALUES ('home', ?, '2026-08-20T10:00:00.000Z')", (subject,))
    if not keep_keys:
        destroy_keys(folder, f"thread_id = '{thread}'")


def test_a_subject_erased_to_the_last_row_is_no_problem(folder: Path, database: sqlite3.Connection):
    erase(folder, database, ASKING)

    assert problems(folder) == []


@pytest.mark.parametrize(
    ("table", "count"),
    [("subject_fields", 1), ("lookups", 5), ("thread_sections", 3), ("plan_steps", 5), ("receipts", 1)],
)
def test_what_is_left_of_an_erased_subject_is_named(folder: Path, database: sqlite3.Connection, table: str, count: int):
    erase(folder, database, ASKING, but=table)

    left = f"{table}: {count} row(s) of {ASKING} are left, whose subject was erased."
    assert problems(folder) == [left]


def test_an_erased_subjects_key_that_still_opens_is_named(folder: Path, database: sqlite3.Connection):
    erase(folder, database, ASKING, keep_keys=True)

    assert problems(folder) == [f"thread {ASKING}: its subject was erased, but its keys are there."]


def test_a_thread_of_an_erased_subject_that_goes_on_is_named(folder: Path, database: sqlite3.Connection):
    erase(folder, database, ASKING)
    database.execute("UPDATE threads SET status = 'ready' WHERE id = ?", (ASKING,))

    assert problems(folder) == [f"thread {ASKING}: its subject was erased, but it is ready."]


def test_another_tenants_damage_is_not_named_where_one_tenant_is_asked_for(folder: Path, database: sqlite3.Connection):
    home = open_home(folder, now=DAY_2)
    with home.app.write() as tx:
        open_tenant(tx, "other", "Other", DAY_2)
    home.app.close()
    database.execute("UPDATE threads SET wake_at = NULL WHERE id = ?", (INVITED,))

    assert problems(folder, "other") == []
    assert len(problems(folder, "home")) == 1
