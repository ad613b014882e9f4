"""What a person reads in a terminal: names, scores, letters and repairs in words, times in one zone that is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.contracts.command_line import AS, HELD, PARKED, UNKNOWN, WAITS, CommandLine
from tests.homes import CV, ROLE


def test_the_queue_tells_who_it_is_about_what_they_scored_and_what_leaves(at: CommandLine) -> None:
    (told,) = [one for one in at.say("queue").out.split("\n\napr-") if WAITS in one]
    assert "Ann Example" in told
    assert "total 14 of 25" in told
    assert "proposed: review" in told
    assert told.count("To: ann@example.com") == 3
    assert "Subject: " in told
    assert "due Sat 22 Aug 10:00 BST" in told


def test_a_thread_tells_its_scores_and_the_letters_that_were_asked_about(at: CommandLine) -> None:
    told = at.say("thread", WAITS).out
    assert "Ann Example" in told
    assert told.count("/5 ") == 5
    assert told.count("To: ann@example.com") == 3
    assert "T09:00:00Z" not in told


def test_what_an_applicant_wrote_moves_no_cursor(at: CommandLine) -> None:
    hostile = CV.format(name="Fay \x1b[31mExample\u202e", email="fay@example.com")
    cv = at.write("cv.txt", hostile)
    at.read("apply", ROLE, "--cv", cv, "--name", "Fay \x1b]0;x\x07Example")
    at.read("worker", "--until-idle")
    told = at.say("queue").out + at.say("thread", f"{ROLE}/app-0006").out
    assert "Fay" in told
    assert not any(character in told for character in "\x1b\x07\u202e")


def test_a_decision_is_told_in_the_zone_that_times_are_shown_in(at: CommandLine) -> None:
    assert at.say(*at.decide()).out.endswith("approved, leaves Thu 20 Aug 10:15 BST.\n")
    at.set(DAYBOOK_TIMEZONE="Asia/Tokyo")
    assert at.say("release", at.approvals[HELD][0], *AS).out.endswith("leaves Thu 20 Aug 18:00 JST.\n")


def test_a_home_holds_as_its_row_says_whichever_process_decides_and_the_settings_win(at: CommandLine) -> None:
    at.patch.delenv("DAYBOOK_HOLD_SECONDS")
    with closing(sqlite3.connect(at.folder / "daybook.sqlite")) as database, database:
        database.execute("UPDATE tenants SET hold_seconds = 10 WHERE id = 'home'")
    assert at.read(*at.decide())["release_at"] == "2026-08-20T09:00:10Z"
    at.read("undo", at.approvals[WAITS][0], *AS)
    at.read("worker", "--until-idle")
    (asked,) = [one for one in at.read("queue") if one["thread"] == WAITS]
    at.set(DAYBOOK_HOLD_SECONDS="60")
    words = ("decide", asked["approval"], "approve", "--seen-version", str(asked["version"]), *AS)
    assert at.read(*words)["release_at"] == "2026-08-20T09:01:00Z"


def test_the_demo_writes_a_hold_where_none_stands_and_changes_none_that_does(at: CommandLine, tmp_path: Path) -> None:
    at.set(DAYBOOK_HOME=str(tmp_path / "new"))
    for given in ("10", "20"):
        at.read("demo", "--hold-seconds", given)
    with closing(sqlite3.connect(tmp_path / "new" / "daybook.sqlite")) as database:
        assert database.execute("SELECT id, hold_seconds FROM tenants").fetchall() == [("home", 10)]


def test_an_amendment_says_which_field_changed(at: CommandLine) -> None:
    at.read("amend", WAITS, "--name", "Anne Example", *AS)
    at.read("worker", "--until-idle")
    (asked,) = [one for one in at.read("queue") if one["thread"] == WAITS]
    assert asked["came_back"]["moved"] == ["the name", "person 1 → 2"]
    assert "came back; changed: the name, person 1 → 2" in at.say("queue").out


def test_a_parked_thread_names_the_command_that_repairs_it(at: CommandLine) -> None:
    assert f"`retry {PARKED} --as EMAIL`" in at.read("thread", PARKED)["sentence"]
    assert "`effects settle`" in at.read("thread", UNKNOWN)["sentence"]
    assert at.run("retry", PARKED, *AS).exit == 0
