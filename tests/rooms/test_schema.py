"""The database is what the tables say, and each table is written in its own room only."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import Table
from sqlalchemy.exc import IntegrityError

from core.db.base import Base
from core.db.retired import Retirement
from core.db.schema import upgrade
from core.db.sqlite import open_sqlite
from core.db.store import Store
from core.effects.tables import GUARD_TRIGGER
from core.nudges.tables import NUDGE_TRIGGERS
from core.retention import tables_of_rooms
from core.views.lab import VIEWS
from tests.docs.schema import tables_of
from tests.homes import open_home

ROOT = Path(__file__).parents[2]
ROOM_OF = {schema.__tablename__: room for room in tables_of_rooms.__all__ for schema in tables_of(room)}

# Written elsewhere on purpose.
LET_IN = {
    ("core.effects.gate", "approvals"): "the gate releases an approval in the same breath as it lets its effect out",
    ("core.engines.worker", "workers"): "an engine says that it lives",
}
_WRITES = ("insert", "update", "delete", "upsert")
_SQL = re.compile(r"\b(?:UPDATE|INSERT INTO|DELETE FROM)\s+(\w+)")


def open_at(file: Path) -> Store:
    return open_sqlite(file, Retirement(file.parent, str(file)))


def dump(store: Store) -> dict[str, list[str]]:
    """Everything in a database by name, each as its clauses in alphabetical order."""
    with store.read() as conn:
        rows = conn.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all()
    return {name: sorted(clauses(sql)) for name, sql in rows if name != "alembic_version"}


def clauses(sql: str) -> Iterator[str]:
    """Split a statement at its outermost brackets and the commas in them."""
    depth, clause = 0, ""
    for character in " ".join(sql.split()):
        depth += (character == "(") - (character == ")")
        if (character == "," and depth == 1) or (character == ")" and depth == 0):
            yield clause.strip()
            clause = ""
        else:
            clause += character
    yield clause.strip()


def test_a_migrated_database_is_what_the_tables_say(tmp_path: Path):
    migrated, created = (open_at(tmp_path / f"{one}.sqlite") for one in ("migrated", "created"))
    upgrade(migrated, tmp_path / "lock")
    with created.write() as tx:
        Base.metadata.create_all(tx.conn)
        for trigger in (GUARD_TRIGGER["sqlite"], *NUDGE_TRIGGERS["sqlite"].values()):
            tx.conn.exec_driver_sql(trigger)
        for name, query in VIEWS.items():
            tx.conn.exec_driver_sql(f"CREATE VIEW {name} AS {query}")

    assert dump(migrated) == dump(created)
    migrated.close()
    created.close()


def test_two_statements_differ_by_a_clause_and_not_by_its_place():
    here = sorted(clauses("CREATE TABLE t (a TEXT, CHECK (b IN (1, 2)), b INTEGER, FOREIGN KEY (a) REFERENCES u (a))"))

    assert here == sorted(
        clauses("CREATE TABLE t (a TEXT, FOREIGN KEY (a) REFERENCES u (a), b INTEGER, CHECK (b IN (1, 2)))")
    )
    assert here != sorted(
        clauses("CREATE TABLE t (a TEXT, FOREIGN KEY (a) REFERENCES u (a), b INTEGER, CHECK (b IN (1, 3)))")
    )


def written(tree: ast.AST, module: ModuleType) -> Iterator[str]:
    """The tables that a module's source inserts into, updates or deletes from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from filter(None, [_table_of(node, module)])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (name for name in _SQL.findall(node.value) if name in ROOM_OF)


def _table_of(call: ast.Call, module: ModuleType) -> str | None:
    name = ast.unparse(call.func).rsplit(".", 1)
    if name[-1] not in _WRITES:
        return None
    target = name[0] if len(name) == 2 else ast.unparse(call.args[0]) if call.args else ""
    found = getattr(module, target, None)
    return found.name if isinstance(found, Table) else None


def modules() -> Iterator[str]:
    for path in sorted((ROOT / "core").rglob("*.py")):
        if "migrations" not in path.parts and path.name != "__main__.py":
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_every_table_is_written_only_in_its_own_room():
    strangers, seen = set(), set()
    for name in modules():
        tree = ast.parse((ROOT / Path(*name.split("."))).with_suffix(".py").read_text()) if _is_file(name) else None
        for table in written(tree, importlib.import_module(name)) if tree else ():
            seen.add(table)
            if name.split(".")[1] != ROOM_OF[table]:
                strangers.add((name, table))

    assert strangers == set(LET_IN)
    assert seen >= {"threads", "approvals", "effects", "subjects", "receipts", "memories", "audit_entries"}


def _is_file(name: str) -> bool:
    return (ROOT / Path(*name.split("."))).with_suffix(".py").exists()


@pytest.mark.parametrize(
    "source",
    [
        "tx.conn.execute(insert(threads).values(id='x'))",
        "tx.conn.execute(threads.delete())",
        'conn.exec_driver_sql("UPDATE threads SET goal = NULL")',
        'text(f"DELETE FROM threads WHERE {here}")',
    ],
)
def test_a_write_is_seen_however_it_is_said(source: str):
    assert list(written(ast.parse(source), importlib.import_module("core.threads.rows"))) == ["threads"]


def test_a_read_is_no_write():
    source = 'conn.execute(select(threads)); text("SELECT goal FROM threads"); names.update(threads=1)'

    assert list(written(ast.parse(source), importlib.import_module("core.threads.rows"))) == []


def test_a_time_that_nobody_could_read_is_refused_by_the_database(tmp_path: Path):
    home = open_home(tmp_path / "home")
    home.add_role()
    thread_id = home.apply()

    with pytest.raises(IntegrityError, match="ck_threads_wake_at"):
        home.change("UPDATE threads SET wake_at = 'tomorrow' WHERE id = :id", id=thread_id)

    home.change("UPDATE threads SET wake_at = '2026-08-20T09:00:00.000Z' WHERE id = :id", id=thread_id)
    home.app.close()
