"""A second look holds what a hurried or surprising verdict releases, until it is answered or the sitting ends."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.desk.decisions import Answer
from core.desk.sittings import Look, decide_in_sitting, end_sitting, look_again, release_in_sitting
from core.errors import BadInput, NotFound
from core.steps import Verdict
from tests.homes import Home, open_home

THREAD = "role-14/app-0001"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_role()
    home.apply()
    home.run()
    return home


def decide(home: Home, took_ms: int, verdict: Verdict = "approve") -> str:
    actor, one = home.actor, home.question(THREAD)
    given = Answer(verdict, one.version)
    home.app.act(actor, "decide", lambda tx: decide_in_sitting(tx, home.app.desk, actor, one.id, given, Look(took_ms)))
    return one.id


def again(home: Home, approval_id: str, verdict: Verdict) -> bool:
    actor = home.actor
    return home.app.act(actor, "look", lambda tx: look_again(tx, home.app.desk, actor, approval_id, verdict))


def sent(home: Home) -> list[str]:
    home.run()
    return list(home.mail(THREAD))


def test_a_verdict_in_under_three_seconds_is_held_until_the_second_look_says_the_same(home: Home) -> None:
    approval_id = decide(home, 2999)
    before = sent(home)

    is_same = again(home, approval_id, "approve")

    assert (before, is_same, sent(home)) == ([], True, ["invite"])


def test_a_second_look_that_says_otherwise_sends_nothing_and_the_question_stands_again_with_both(home: Home) -> None:
    approval_id = decide(home, 100)

    is_same = again(home, approval_id, "reject")

    one = home.question(THREAD)
    assert (is_same, sent(home), one.status) == (False, [], "pending")
    assert "the second look (approve, then reject)" in (one.came_back or {})["moved"]


def test_the_end_of_the_sitting_lets_it_go(home: Home) -> None:
    decide(home, 100)
    before = sent(home)
    actor = home.actor
    home.app.act(actor, "end", lambda tx: end_sitting(tx, actor))

    assert (before, sent(home)) == ([], ["invite"])


def test_thirty_idle_minutes_let_it_go_and_not_a_minute_less(home: Home) -> None:
    decide(home, 100)

    before = sent(home.at(FIXTURE_START + timedelta(minutes=29)))
    after = sent(home.at(FIXTURE_START + timedelta(minutes=30)))

    assert (before, after) == ([], ["invite"])


def test_release_on_the_page_waits_for_the_second_look_and_by_command_line_does_not(home: Home) -> None:
    approval_id = decide(home, 100)
    actor = home.actor

    with pytest.raises(BadInput, match="second look"):
        home.app.act(actor, "release", lambda tx: release_in_sitting(tx, home.app.desk, actor, approval_id))
    home.release(THREAD)

    assert sent(home) == ["invite"]


def test_a_decision_by_command_line_is_never_held_by_one(home: Home) -> None:
    home.decide(THREAD)

    assert sent(home) == ["invite"]


def test_nobody_else_answers_a_second_look(home: Home) -> None:
    approval_id = decide(home, 100)

    with pytest.raises(NotFound):
        again(home.add_person("rev@example.com"), approval_id, "approve")

    assert sent(home) == []


def test_a_second_look_goes_with_the_verdict_that_asked_for_it_and_not_with_the_next_at_the_same_instant(
    home: Home,
) -> None:
    decide(home, 100)
    home.undo(THREAD)
    approval_id = decide(home, 5000)
    actor = home.actor

    home.app.act(actor, "release", lambda tx: release_in_sitting(tx, home.app.desk, actor, approval_id))

    assert sent(home) == ["invite"]
