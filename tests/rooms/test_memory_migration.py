"""A home that remembered something before memory had its dates and roles keeps it, under its role's rules."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from core.clock import FIXTURE_START
from core.db.schema import MIGRATIONS
from core.memory.expiry import months_after
from tests.contracts.remembering import DAY, look, remember, texts
from tests.homes import close_homes, open_home

BEFORE = "0008"


def put_back(database: Path) -> None:
    """Write a database's rows again as the revision before has them: in its tables, as far as they have the columns."""
    old = database.with_name("old.sqlite")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with create_engine(f"sqlite:///{old}").begin() as conn:
        config.attributes["connection"] = conn
        command.upgrade(config, BEFORE)
    with sqlite3.connect(old) as conn:
        conn.execute("ATTACH ? AS new", (str(database),))
        for (table,) in conn.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
            if table != "alembic_version":
                names = ", ".join(sorted(_columns(conn, "main", table) & _columns(conn, "new", table)))
                conn.execute(f"INSERT OR REPLACE INTO main.{table} ({names}) SELECT {names} FROM new.{table}")
    for left in database.parent.glob(f"{database.name}-*"):
        left.unlink()
    old.replace(database)


def _columns(conn: sqlite3.Connection, schema: str, table: str) -> set[str]:
    return {str(row[1]) for row in conn.execute(f"PRAGMA {schema}.table_info({table})")}


def test_what_was_remembered_before_goes_on_and_its_role_s_close_dates_it(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    about = remember(home, thread_id=home.apply())
    office = remember(home, key="office")
    close_homes()
    put_back(home.app.settings.database_path)

    later = open_home(tmp_path / "home", now=FIXTURE_START + DAY)
    assert (len(texts(look(later))), later.verify()) == (1, [])
    later.close_role()

    ends = dict(later.look("SELECT id, expires_at FROM memories"))
    assert ends[about.id].startswith(months_after(FIXTURE_START + DAY, 6).date().isoformat())
    assert ends[office.id].startswith(office.expires_at.date().isoformat())
