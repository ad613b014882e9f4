"""A home's rows moved into another database: all of them, as they are stored, and work goes on there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.bootstrap import move_rows, open_app
from core.clock import FIXTURE_START
from core.errors import BadInput
from core.settings import Settings
from tests.databases import POSTGRES, SQLITE, chosen, empty_database
from tests.homes import Home, open_home


@pytest.fixture
def other(tmp_path: Path) -> str:
    """An empty database of the other kind."""
    return empty_database(tmp_path, POSTGRES if chosen() == SQLITE else SQLITE)


def there(home: Home, address: str) -> Home:
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


def test_every_row_is_there_and_work_goes_on(tmp_path: Path, other: str) -> None:
    home, invited, held = begin(tmp_path)

    counts = move_rows(home.app, other)

    moved = there(home, other)
    assert moved.verify() == []
    assert counts["threads"] == 2
    for name in counts:
        assert moved.look(f"SELECT count(*) FROM {name}") == home.look(f"SELECT count(*) FROM {name}"), name
    assert moved.question(held).status == "approved"
    assert moved.question(held) == home.question(held)
    assert moved.thread(invited) == home.thread(invited)
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


def test_the_database_that_was_left_sends_nothing_again(tmp_path: Path, other: str) -> None:
    home, _, held = begin(tmp_path)
    move_rows(home.app, other)
    moved = there(home, other)
    moved.release(held)
    moved.run()
    moved.app.close()
    letters = len(home.letters())

    home.release(held)
    home.run()

    assert len(home.letters()) == letters == 2
    assert home.ledger(held)["invite"].status == "unknown"


def test_a_damaged_row_moves_as_damaged(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    home.change("UPDATE audit_entries SET detail = 'x' WHERE act = 'applied'")

    move_rows(home.app, other)

    moved = there(home, other)
    assert moved.look("SELECT DISTINCT detail FROM audit_entries WHERE act = 'applied'") == [("x",)]
    assert moved.verify() == home.verify() != []
    moved.app.close()


def test_what_cannot_be_moved_is_refused_and_writes_nothing(tmp_path: Path, other: str) -> None:
    home, *_ = begin(tmp_path)
    engine = home.app.engine("test")
    with pytest.raises(BadInput, match="stop the app and every worker"):
        move_rows(home.app, other)
    engine.stop()
    with pytest.raises(BadInput, match="That is no database"):
        move_rows(home.app, "mysql://db.example.com/daybook")

    move_rows(home.app, other)
    with pytest.raises(BadInput, match="has rows already"):
        move_rows(home.app, other)

    moved = there(home, other)
    with moved.app.read() as conn:
        assert conn.execute(text("SELECT count(*) FROM threads")).scalar_one() == 2
    assert moved.actor.now == FIXTURE_START
    moved.app.close()
