"""A fork of an agent run works on a copy of its folder: what it does there, the run that it was made of never sees."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.cli.demo_migration import THREAD
from core.desk.desk import Doors
from core.desk.forking import Forked, fork_thread
from core.errors import BadInput, NotAllowed
from tests.contracts.agents import END, LOOK, RUN, ask, dump, migrating, plan, running, use
from tests.homes import Home

FORK = f"{THREAD}.fork-1"
LEFTOVER = "SELECT name FROM sqlite_master WHERE name = 'orders_import_2019'"


@pytest.fixture
def asked(tmp_path: Path) -> tuple[Home, Path]:
    """A small migration that asks whether it may drop a table, and its target."""
    home, target = migrating(tmp_path)
    home.run()
    assert home.ending(THREAD)[0] == "awaiting_review"
    return home, target


def fork(home: Home, thread_id: str = THREAD, at: int | None = None, **how: Any) -> Forked:
    actor, app = home.actor, home.app
    number = home.thread(thread_id).thread.checkpoint if at is None else at
    doors = Doors(app.read, app.write)
    return app.attempt(actor, "fork", lambda: fork_thread(doors, app.desk, actor, thread_id, number, **how))


def copies(home: Home) -> list[Path]:
    place = home.app.home / "sandboxes"
    return sorted(place.iterdir()) if place.exists() else []


def test_what_is_approved_in_a_fork_is_done_to_the_copy_and_to_nothing_else(asked: tuple[Home, Path]) -> None:
    home, target = asked
    before = dump(target)
    fork(home)
    home.run()
    home.decide(FORK)
    home.run()

    (copy,) = copies(home)
    assert home.ending(FORK) == ("completed", "done")
    assert ask(copy / target.name, LEFTOVER) == []
    assert (dump(target), ask(target, LEFTOVER)) == (before, [("orders_import_2019",)])
    assert home.ending(THREAD)[0] == "awaiting_review"


def test_the_run_itself_goes_on_as_if_nobody_had_forked_it(asked: tuple[Home, Path]) -> None:
    home, target = asked
    fork(home)
    home.run()
    (copy,) = copies(home)
    before = dump(copy / target.name)
    home.decide(THREAD)
    home.run()

    assert home.ending(THREAD) == ("completed", "done")
    assert ask(target, LEFTOVER) == []
    assert dump(copy / target.name) == before
    assert home.verify() == []


def test_a_fork_has_the_plan_its_lines_and_who_revised_it_why(asked: tuple[Home, Path]) -> None:
    home, _ = asked
    fork(home)

    whole, forked = home.thread(THREAD), home.thread(FORK)
    assert [(one.step, one.title, one.summary) for one in forked.plan] == [
        (one.step, one.title, one.summary) for one in whole.plan
    ]
    assert [one.status for one in forked.plan].count("done") == [one.status for one in whole.plan].count("done") > 20
    assert [(one.n, one.by, one.reason) for one in forked.revisions] == [
        (one.n, one.by, one.reason) for one in whole.revisions
    ]
    receipts = {ref for one in forked.plan for ref in one.receipts}
    assert receipts
    assert receipts.isdisjoint({ref for one in whole.plan for ref in one.receipts})


def test_a_question_of_the_fork_is_asked_anew_about_the_copy(asked: tuple[Home, Path]) -> None:
    home, target = asked
    fork(home)
    home.run()

    assert home.question(FORK).status == "pending"
    assert str(home.question(FORK).facts["folder"]).startswith(str(copies(home)[0])[:40])
    assert str(target.parent) not in str(home.question(FORK).facts["folder"])


def test_it_is_forked_on_a_copy_only(asked: tuple[Home, Path]) -> None:
    home, _ = asked
    with pytest.raises(BadInput, match="on a copy of that only"):
        fork(home, sandbox=False)
    assert copies(home) == []


def test_it_is_forked_where_it_stands_and_nowhere_else(asked: tuple[Home, Path]) -> None:
    home, _ = asked
    with pytest.raises(BadInput, match="no copy of it as it was at checkpoint 2"):
        fork(home, at=2)
    assert copies(home) == []


def test_a_run_at_work_is_parked_first(tmp_path: Path) -> None:
    home, _, _ = running(tmp_path, plan("Look"), LOOK, END)
    with pytest.raises(BadInput, match="park it first"):
        fork(home, RUN)
    home.park(RUN)
    assert fork(home, RUN).thread_id == f"{RUN}.fork-1"


def test_a_run_that_ended_has_nothing_to_be_forked(tmp_path: Path) -> None:
    home, _, _ = running(tmp_path, plan("Look"), LOOK, END)
    home.run()
    with pytest.raises(BadInput, match="nothing comes after it"):
        fork(home, RUN)


def test_a_folder_that_is_gone_is_said_and_nothing_is_opened(tmp_path: Path) -> None:
    home, place, _ = running(tmp_path, plan("Look"), LOOK, END)
    home.park(RUN)
    place.rename(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="is not there"):
        fork(home, RUN)
    assert home.look("SELECT count(*) FROM threads") == [(1,)]


def test_who_may_only_look_forks_nothing(asked: tuple[Home, Path]) -> None:
    home, _ = asked
    viewer = home.add_person("vic@example.com", "viewer")
    with pytest.raises(NotAllowed):
        fork(viewer)
    assert copies(home) == []


def test_a_copy_has_what_a_database_had_not_written_back_and_no_link_out_of_the_folder(tmp_path: Path) -> None:
    home, place, _ = running(tmp_path, plan("Look"), LOOK, END)
    (tmp_path / "secret.txt").write_text("not of this folder")
    (place / "link.txt").symlink_to(tmp_path / "secret.txt")
    (place / "deep").mkdir()
    (place / "deep" / "note.txt").write_text("of this folder")
    home.park(RUN)
    conn = sqlite3.connect(place / "a.db", isolation_level=None)
    conn.execute("PRAGMA journal_mode=WAL")
    conn.execute("INSERT INTO t VALUES (99, 'in the log')")
    try:
        fork(home, RUN)
        (copy,) = copies(home)
        names = sorted(str(one.relative_to(copy)) for one in copy.rglob("*") if one.is_file())
        assert names == ["a.db", "deep/note.txt"]
        assert ask(copy / "a.db", "SELECT word FROM t WHERE id = 99") == [("in the log",)]
    finally:
        conn.close()


def test_a_fork_that_did_not_come_about_leaves_no_copy(
    asked: tuple[Home, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, _ = asked
    folders = home.app.desk.agents.folders
    copied = folders.copy

    def copy_while_it_is_parked(source: Path) -> Path:
        made = copied(source)
        home.park(THREAD)
        return made

    monkeypatch.setattr(type(folders), "copy", lambda _self, source: copy_while_it_is_parked(source))
    with pytest.raises(Exception, match="went on while its folder was copied"):
        fork(home)
    assert copies(home) == []


def test_a_sandbox_whose_folder_is_no_copy_does_nothing(tmp_path: Path) -> None:
    home, place, _ = running(tmp_path, plan("Write"), use("write_report", file="r.md", text="x"), END)
    home.change("UPDATE threads SET is_sandbox = true WHERE id = :id", id=RUN)
    home.run()

    assert not (place / "r.md").exists()
    assert home.ending(RUN)[0] == "parked"
    assert "outside of the copy" in home.thread(RUN).attempts[0].said


def test_a_fork_of_a_fork_works_on_a_copy_of_the_copy(asked: tuple[Home, Path]) -> None:
    home, _ = asked
    fork(home)
    home.run()
    fork(home, FORK)
    assert len(copies(home)) == 2
    assert os.access(copies(home)[1], os.R_OK)
