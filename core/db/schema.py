"""Bring a database to the newest revision, under the home's own lock."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect

from core.db.locks import file_lock
from core.db.store import Store
from core.errors import HomeUnusable

MIGRATIONS = Path(__file__).parent / "migrations"


def newest_revision() -> str:
    """Answer the newest revision that the loaded code carries: the last file by name."""
    return max(path.stem.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def current_revision(store: Store) -> str | None:
    """Answer the revision the database is at, or None for an empty one."""
    with store.read() as conn:
        if not inspect(conn).has_table("alembic_version"):
            return None
        found: str | None = conn.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return found


def refuse_unknown(found: str | None) -> None:
    """Raise HomeUnusable for a revision that the loaded code does not carry: a newer code's, or a damaged one."""
    known = {path.stem.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")}
    if found is not None and found not in known:
        raise HomeUnusable(
            f"The database is at revision {found!r}, which this code does not know (its newest is "
            f"{newest_revision()}); run the code that wrote it."
        )


def upgrade(store: Store, lock: Path) -> bool:
    """Migrate to the newest revision if the database is behind, and say whether it was. Raises HomeUnusable."""
    found = current_revision(store)
    if found == newest_revision():
        return False
    refuse_unknown(found)
    with file_lock(lock):
        if current_revision(store) == newest_revision():
            return False
        _run(store)
    return True


def _run(store: Store) -> None:
    # Alembic takes a fifth of a second to import and is needed once in a home's life.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.write() as tx:
        config.attributes["connection"] = tx.conn
        command.upgrade(config, "head")
