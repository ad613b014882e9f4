"""A home's rows moved into another database: all of them, as they are stored, and work goes on there."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.bootstrap import move_rows, open_app
from core.bootstrap.wiring import open_store
from core.clock import FIXTURE_START
from core.db.base import Base
from core.errors import BadInput, HomeMoved
from core.settings import Settings
from tests.databases import POSTGRES, SQLITE, chosen, empty_database
from tests.homes import Home, open_home

ROOT = Path(__file__).parents[2]


@pytest.fixture
def other(tmp_path: Path) -> str:
    """An empty database of the other kind."""
    return empty_database(tmp_path, POSTGRES if chosen() == SQLITE else SQLITE)


def there(home: Home, address: str | None) -> Home:
    """Open the same home's folder with its rows in another database."""
    settings: dict[str, Any] = {"home": home.app.home, "now": home.app.settings.now, "database_url": address}
    return Home(open_app(Settings(hold_seconds=900, _env_file=None, **settings)))  # type: ignore[call-arg]


def begin(folder: Path) -> tuple[Home, str, str]:
    """A home with an answer that is held and an invite that left."""
    home = open_home(folder / "home", hold_seconds=900)
    home.add_role()
    invited, held = (home.apply(f"{name} Žofia", f"{name}@example.com") for name in ("ann", "ben"))
    home.run()
    for one in (invited, held):
        home.decide(one)
    home.release(invited)
    home.run()
    return home, invited, held


def kill_a_move(home: Home, address: str) -> None:
    """Begin a move in a process of its own, which is killed when half of the tables are there."""
    words = ("-m", "tests.contracts.moving_killed", str(home.app.home), home.app.settings.database_url or "", address)
    died = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()


def test_every_row_is_there_and_work_goes_on(tmp_path: Path, other: str) -> None:
    home, invited, held = begin(tmp_path)
    question, thread = home.question(held), home.thread(invited)
    names = [one.name for one in Base.metadata.sorted_tables if one.name not in ("workers", "nudges", "engines")]
    stored = {name: home.look(f"SELECT count(*) FROM {name}")[0][0] for name in names}

    counts = move_rows(home.app, other)

    moved = there(home, other)
    assert moved.verify() == []
    assert counts == stored
    assert {name: moved.look(f"SELECT count(*) FROM {name}")[0][0] for name in names} == stored
    assert moved.question(held) == question
    assert question.status == "approved"
    assert moved.thread(invited) == thread
    home.app.close()
    moved.release(held)
    moved.run()
    moved.book(invited)
    moved.run()
    assert (moved.ending(invited), moved.ending(held)) == (("completed", "booked"), ("waiting", None))
    assert sorted(moved.mail(invited)) == ["invite"]
    assert sorted(moved.mail(held)) == ["invite"]
    assert moved.verify() == []
    moved.app.close()


def test_a_process_that_stayed_on_the_database_that_was_left_neither_reads_nor_writes(
    tmp_path: Path, other: str
) -> None:
    home, _, held = begin(tmp_path)
    stayed = there(home, home.app.settings.database_url)
    before = stayed.question(held)

    move_rows(home.app, other)

    with pytest.raises(HomeMoved, match="Set DAYBOOK_DATABASE_URL"):
        stayed.question(held)
    with pytest.raises(HomeMoved):
        stayed.release(held)
    with pytest.raises(HomeMoved):
        there(home, home.app.settings.database_url)
    stayed.app.close()
    moved = there(home, other)
    assert moved.question(held) == before
    assert len(moved.letters()) == 1
    moved.app.close()


def test_a_home_that_moved_back_is_open_where_it_is_and_nowhere_else(tmp_path: Path, other: str) -> None:
    home, invited, _ = begin(tmp_path)
    move_rows(home.app, other)
    moved = there(home, other)
    (tmp_path / "again").mkdir()
    third = empty_database(tmp_path / "again", chosen())

    move_rows(moved.app, third)

    with pytest.raises(HomeMoved):
        moved.thread(invited)
    with pytest.raises(HomeMoved):
        there(home, home.app.settings.database_url)
    back = there(home, third)
    assert back.verify() == []
    for one in (home, moved, back):
        one.app.close()


def test_a_move_that_was_killed_goes_on_and_loses_nothing(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    seen = {table: home.look(f"SELECT count(*) FROM {table}") for table in ("threads", "audit_entries")}
    kill_a_move(home, other)
    assert home.verify() == []  # it is still where it was

    counts = move_rows(home.app, other)

    moved = there(home, other)
    assert moved.verify() == []
    assert {table: moved.look(f"SELECT count(*) FROM {table}") for table in seen} == seen
    assert counts["threads"] == 2
    assert not (home.app.home / "moving.json").exists()
    moved.app.close()


def test_a_move_is_not_carried_on_over_rows_that_changed_meanwhile(tmp_path: Path, other: str) -> None:
    home, invited, _ = begin(tmp_path)
    kill_a_move(home, other)
    home.book(invited)
    home.run()

    with pytest.raises(BadInput, match="went on since that move was begun"):
        move_rows(home.app, other)

    assert home.verify() == []
    assert not (home.app.home / "moved.json").exists()
    (tmp_path / "again").mkdir()
    third = empty_database(tmp_path / "again", chosen())
    move_rows(home.app, third)
    moved = there(home, third)
    assert moved.ending(invited) == ("completed", "booked")
    moved.app.close()


def test_a_row_that_changed_on_its_way_is_named_and_the_home_stays_where_it_was(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    kill_a_move(home, other)
    target = open_store(home.app.settings.model_copy(update={"database_url": other}))
    with target.write() as tx:
        tx.conn.execute(text("UPDATE threads SET step = 'elsewhere'"))

    with pytest.raises(BadInput, match="rows in threads that are not this home's"):
        move_rows(home.app, other)

    assert not (home.app.home / "moved.json").exists()
    assert home.verify() == []
    target.close()


def test_a_damaged_row_moves_as_damaged(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    home.change("UPDATE audit_entries SET detail = 'x' WHERE act = 'applied'")

    damage = home.verify()
    assert damage != []

    move_rows(home.app, other)

    moved = there(home, other)
    assert moved.look("SELECT DISTINCT detail FROM audit_entries WHERE act = 'applied'") == [("x",)]
    assert moved.verify() == damage
    moved.app.close()


def test_what_cannot_be_moved_is_refused_and_writes_nothing(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    engine = home.app.engine("test")
    with pytest.raises(BadInput, match="stop the app and every worker"):
        move_rows(home.app, other)
    engine.stop()
    with pytest.raises(BadInput, match="That is no database"):
        move_rows(home.app, "mysql://db.example.com/daybook")

    with pytest.raises(BadInput, match="the database the rows are in"):
        move_rows(home.app, home.app.settings.database_url or f"sqlite:///{home.app.settings.database_path}")
    taken = open_home(tmp_path / "taken")
    with pytest.raises(BadInput, match="has rows already"):
        move_rows(home.app, taken.app.settings.database_url or f"sqlite:///{taken.app.settings.database_path}")
    assert not list(home.app.home.glob("mov*.json"))

    move_rows(home.app, other)
    with pytest.raises(HomeMoved):
        move_rows(home.app, other)

    moved = there(home, other)
    with moved.app.read() as conn:
        assert conn.execute(text("SELECT count(*) FROM threads")).scalar_one() == 2
    assert moved.actor.now == FIXTURE_START
    moved.app.close()
