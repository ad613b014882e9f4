"""A home that remembered something before memory had its dates and roles keeps it, under its role's rules."""

from __future__ import annotations

import importlib
from pathlib import Path

from core.clock import FIXTURE_START
from core.memory.expiry import months_after
from tests.contracts.remembering import DAY, look, remember, texts
from tests.homes import Home, close_homes, open_home

revision = importlib.import_module("core.db.migrations.versions.0009_memory")
COLUMNS = ("origin", "trust", "drawn_from", "latest_at", "anchor_id", "superseded_by", "deleted_why", "changed_by")


def put_back(home: Home) -> None:
    """Take the database back to the revision before, as if the rows had been written under it."""
    for column in COLUMNS:
        home.change(f"ALTER TABLE memories DROP COLUMN {column}")
    for table in ("memory_reads", "notes", "policies", "duty_runs", "duties"):
        home.change(f"DROP TABLE {table}")
    home.change("UPDATE alembic_version SET version_num = :before", before=revision.down_revision)


def test_what_was_remembered_before_goes_on_and_its_role_s_close_dates_it(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    about = remember(home, thread_id=home.apply())
    office = remember(home, key="office")
    put_back(home)
    close_homes()

    later = open_home(tmp_path / "home", now=FIXTURE_START + DAY)
    assert (len(texts(look(later))), later.verify()) == (1, [])
    later.close_role()

    ends = dict(later.look("SELECT id, expires_at FROM memories"))
    assert ends[about.id].startswith(months_after(FIXTURE_START + DAY, 6).date().isoformat())
    assert ends[office.id].startswith(office.expires_at.date().isoformat())
