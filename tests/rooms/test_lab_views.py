"""The third seed's schema: its own tables take the rows of our views, tenant by tenant."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta

import pytest

from core.bootstrap import open_tenant
from core.clock import FIXTURE_START
from core.db.store import Tx
from core.memory.memory import remember
from core.steps import Record, Rule
from tests.homes import Home, open_home

# The specification's own statements, word for word.
SEED = """
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ready','running','awaiting_review','completed','rejected','failed')),
  goal TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE TABLE effects (
  job_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  result_ref TEXT NOT NULL,
  completed_at TEXT NOT NULL,
  PRIMARY KEY (job_id, idempotency_key)
);

CREATE TABLE approvals (
  job_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending','approved','rejected')),
  reviewer_id TEXT,
  version INTEGER NOT NULL,
  decided_at TEXT,
  PRIMARY KEY (job_id, subject_id)
);

CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  source_ref TEXT NOT NULL,
  content TEXT NOT NULL,
  confidence REAL NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  deleted_at TEXT
);
"""
TABLES = ("jobs", "effects", "approvals", "memories")
INVITED, DECLINED, ASKING, ERASED, PARKED = (f"role-14/app-{number:04d}" for number in range(1, 6))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Two tenants: five threads of `home`, each in another state, and one of `other`."""
    home = open_home(tmp_path_factory.mktemp("lab") / "home")
    home.add_role()
    for name in "abcde":
        home.apply(f"{name.upper()} Example", f"{name}@example.com")
    home.run()
    home.decide(INVITED)
    home.decide(DECLINED, "reject")
    home.run()
    with home.app.write() as tx:
        owner = open_tenant(tx, "other", "Other", FIXTURE_START)
        tx.conn.exec_driver_sql("UPDATE threads SET status = 'erased' WHERE id = ?", (ERASED,))
        tx.conn.exec_driver_sql("UPDATE threads SET status = 'parked' WHERE id = ?", (PARKED,))
    assert owner.tenant_id == "other"
    other = Home(home.app, "other")
    other.add_role()
    other.apply("A Example", "a@example.com")
    yield home
    home.app.close()


def filled(home: Home, tenant_id: str) -> sqlite3.Connection:
    """The seed's database with that tenant's rows of our views."""
    lab = sqlite3.connect(":memory:")
    lab.executescript(SEED)
    with home.app.read() as conn:
        for table in TABLES:
            columns = [row[1] for row in lab.execute(f"PRAGMA table_info({table})")]
            rows = conn.exec_driver_sql(
                f"SELECT {', '.join(columns)} FROM lab_{table} WHERE tenant_id = ?", (tenant_id,)
            )
            marks = ", ".join("?" * len(columns))
            lab.executemany(f"INSERT INTO {table} VALUES ({marks})", [tuple(row) for row in rows])
    return lab


@pytest.mark.seed("atlas.number.schema")
def test_each_tenants_rows_fit_the_seeds_own_tables(home: Home):
    counts = {
        tenant: [filled(home, tenant).execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in TABLES]
        for tenant in ("home", "other")
    }

    assert counts == {"home": [4, 2, 4, 1], "other": [1, 0, 0, 0]}


def test_a_waiting_thread_awaits_review_a_parked_one_failed_and_an_erased_one_is_left_out(home: Home):
    jobs = dict(filled(home, "home").execute("SELECT id, status FROM jobs").fetchall())

    assert jobs == {
        INVITED: "awaiting_review",
        DECLINED: "rejected",
        ASKING: "awaiting_review",
        PARKED: "failed",
    }
    assert filled(home, "other").execute("SELECT status FROM jobs").fetchall() == [("ready",)]


def test_only_what_happened_is_an_effect_of_the_seed(home: Home):
    effects = filled(home, "home").execute("SELECT job_id, idempotency_key, kind FROM effects ORDER BY 1").fetchall()

    assert effects == [(INVITED, f"{INVITED}/invite", "mail"), (DECLINED, f"{DECLINED}/decline", "mail")]


def test_an_approval_names_its_reviewer_only_where_somebody_decided(home: Home):
    rows = filled(home, "home").execute("SELECT job_id, subject_id, status, reviewer_id FROM approvals").fetchall()
    reviewer = home.actor.member.id

    assert sorted(rows, key=str) == [
        (INVITED, "invite", "approved", reviewer),
        (DECLINED, "invite", "rejected", reviewer),
        (ASKING, "invite", "pending", None),
        (PARKED, "invite", "pending", None),
    ]


@pytest.mark.parametrize("status", ["expired", "withdrawn", "superseded"])
def test_a_question_that_nobody_answered_counts_as_rejected(home: Home, status: str):
    with home.app.store.engine.connect() as conn, conn.begin() as undone:
        home.app.store.dialect.begin(conn, is_write=True)
        conn.exec_driver_sql("UPDATE approvals SET status = ? WHERE thread_id = ?", (status, ASKING))
        shown = conn.exec_driver_sql("SELECT status FROM lab_approvals WHERE job_id = ?", (ASKING,)).scalars().all()
        undone.rollback()

    assert shown == ["rejected"]


def test_of_two_approvals_of_one_subject_the_newest_is_shown(home: Home):
    with home.app.store.engine.connect() as conn, conn.begin() as undone:
        home.app.store.dialect.begin(conn, is_write=True)
        conn.exec_driver_sql(
            "INSERT INTO approvals (tenant_id, id, thread_id, step, kind, about, status, version, question, basis,"
            " asked_hash, asked_at, due_at) SELECT tenant_id, 'apr-older', thread_id, step, kind, about, 'superseded',"
            " 7, question, basis, asked_hash, '2026-08-19T09:00:00.000Z', due_at FROM approvals WHERE thread_id = ?",
            (ASKING,),
        )
        shown = conn.exec_driver_sql("SELECT status FROM lab_approvals WHERE job_id = ?", (ASKING,)).scalars().all()
        undone.rollback()

    assert shown == ["pending"]


def test_sealed_text_shows_as_the_id_of_its_row(home: Home):
    (row,) = filled(home, "home").execute("SELECT id, content, owner_id, deleted_at FROM memories").fetchall()

    assert row == (row[0], f"sealed:{row[0]}", "home", None)


def test_another_tenants_memory_is_in_its_own_database_only(home: Home):
    other = Home(home.app, "other")
    with home.app.store.engine.connect() as conn, conn.begin() as undone:
        home.app.store.dialect.begin(conn, is_write=True)
        keys = home.app.vault.keys("other", "role-14/app-0001")
        record = Record("application", "a@example.com", "applied in August", 1.0, Rule.CLOSE_6_MONTHS)
        planted = remember(Tx(conn), home.app.vault, keys, record, source_ref="test", now=FIXTURE_START + timedelta(1))
        shown = conn.exec_driver_sql("SELECT tenant_id FROM lab_memories WHERE id = ?", (planted,)).scalars().all()
        undone.rollback()

    assert shown == [other.tenant_id]


def test_the_views_are_for_reading(home: Home):
    with home.app.read() as conn, pytest.raises(Exception, match="cannot modify"):
        conn.exec_driver_sql("UPDATE lab_jobs SET status = 'completed'")
