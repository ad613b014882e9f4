"""A role's times changed later: what is asked from then on goes by them, what has left keeps its own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.desk.role_times import set_times
from core.desk.versions import Saved, read_newest
from core.errors import BadInput, NotAllowed, StaleVersion
from core.views.sentence import sentence
from tests.contracts.command_line import AS, CommandLine
from tests.homes import ROLE, Home, open_home


def change(home: Home, **changed: int) -> Saved:
    """Change a role's times as the command and the page do."""
    actor = home.actor
    with home.app.read() as conn:
        after = read_newest(conn, home.tenant_id, ROLE, "role").version
    return home.app.act(actor, "role times", lambda tx: set_times(tx, actor, ROLE, changed, after=after))


def invite(home: Home, *names: str) -> list[str]:
    ids = [home.apply(f"{name} Example", f"{name.lower()}@example.com") for name in names]
    home.run()
    for one in ids:
        home.decide(one)
    home.run()
    return ids


@pytest.fixture
def home(tmp_path: Path) -> Home:
    opened = open_home(tmp_path / "home")
    opened.add_role()
    return opened


@pytest.mark.case("R12")
def test_letter_page_and_deadline_say_the_same_window_once_it_was_changed(home: Home) -> None:
    (before,) = invite(home, "Ann")
    change(home, window_hours=36)
    (after,) = invite(home, "Ben")
    now = home.actor.now

    said = {one: " ".join(str(home.mail(one)["invite"].get_content()).split()) for one in (before, after)}
    assert "within 48 hours" in said[before]
    assert "within 36 hours" in said[after]
    untils = {one: home.thread(one).thread.until_at for one in (before, after)}
    assert untils == {before: now + timedelta(hours=48), after: now + timedelta(hours=36)}
    assert "until Fri 21 Aug 22:00 BST" in sentence(home.thread(after).thread, home.app.zone)


@pytest.mark.case("R05")
def test_reminders_that_are_set_already_go_once_each_whatever_the_offset_is_changed_to(home: Home) -> None:
    ids = invite(home, "Ann", "Ben", "Cleo")

    saved = change(home, reminder_hours=12)
    for hours in (24, 30, 36, 47):
        home = home.at(home.actor.now.replace(day=20, hour=9) + timedelta(hours=hours))
        home.run()

    assert (saved.version, saved.kept, saved.undecided) == (2, 3, 0)
    assert [sorted(home.mail(one)) for one in ids] == [["invite", "reminder"]] * 3
    assert len(home.letters()) == 6


def test_a_question_that_stands_comes_back_with_the_new_times(home: Home) -> None:
    asked = home.apply()
    home.run()
    before = home.question(asked)

    change(home, window_hours=36)
    home.run()

    after = home.question(asked)
    assert (after.version > before.version, after.status) == (True, "pending")
    assert any("36 hours" in str(one.payload) for one in after.choices)


def test_what_is_no_time_and_who_is_no_owner_is_refused(home: Home) -> None:
    for changed in ({"window_hours": 0}, {"windows": 3}, {"reminder_hours": -1}, {"window_hours": 48}):
        with pytest.raises(BadInput):
            change(home, **changed)
    with pytest.raises(NotAllowed):
        change(home.add_person("rae@example.com"), window_hours=36)
    actor = home.actor
    with pytest.raises(StaleVersion):
        home.app.act(actor, "role times", lambda tx: set_times(tx, actor, ROLE, {"window_hours": 36}, after=7))
    assert home.look("SELECT count(*) FROM configs WHERE kind = 'role'") == [(1,)]


def test_times_are_shown_and_saved_only_on_a_word(at: CommandLine) -> None:
    words = ("role", "times", ROLE, "--set", "window_hours=36")
    shown = at.read(*words)
    assert (shown["window_hours"], shown["saved"], at.read("role", "times", ROLE)["window_hours"]) == (36, None, 48)
    assert at.read(*words, "--yes", *AS)["saved"] == 2
    assert at.read("role", "times", ROLE)["window_hours"] == 36
    assert at.run("role", "times", ROLE, "--set", "window_hours=soon").code == "bad_input"
