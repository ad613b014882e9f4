from __future__ import annotations

import pytest

from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, press, said, statuses


def test_an_approve_is_written_and_held_and_the_next_question_comes_up(
    home: Home, two_asked: list[str], look: Look
) -> None:
    app = press(look(), "approve")

    assert statuses(home, two_asked) == ["approved", "pending"]
    assert app.query_params["item"] == home.question(two_asked[1]).id
    shown = drawn(app)
    assert "Ben Example</bdi></h2>" in shown
    assert "leaves in 15 min" in shown
    home.run()
    assert home.letters() == []


def test_approve_undo_approve_again_and_release_sends_one_invite(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)
    press(app, "undo.newest")
    assert home.question(two_asked[0]).status == "pending"
    assert "Ann Example</bdi></h2>" in drawn(app)
    pulse.wait(4)
    press(app, "approve")
    pulse.wait(1)
    press(app, "release")
    home.run()

    assert list(home.mail(two_asked[0])) == ["invite"]
    assert home.letters() == [*home.letters()][:1]


def test_a_decline_asks_why_and_the_reason_can_be_left_out(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "decline")
    assert statuses(home, two_asked) == ["pending", "pending"]
    assert (has(app, "approve"), has(app, "next")) == (False, False)

    pulse.wait(1)
    press(app, "reason.2")
    pulse.wait(1)
    press(app, "decline")
    pulse.wait(1)
    press(app, "reason.none")

    assert statuses(home, two_asked) == ["rejected", "rejected"]
    assert [home.question(one).remark["reason"] for one in two_asked] == ["Evidence thin", None]


def test_a_reason_can_be_put_away(home: Home, two_asked: list[str], look: Look) -> None:
    app = press(press(look(), "decline"), "back")

    assert (has(app, "approve"), statuses(home, two_asked)) == (True, ["pending", "pending"])


@pytest.mark.parametrize(("seconds", "status"), [(0.39, "pending"), (0.41, "approved")])
def test_a_verdict_counts_from_400_ms_on(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse, seconds: float, status: str
) -> None:
    app = press(look(), "approve")
    pulse.wait(seconds)

    press(app, "approve")

    assert statuses(home, two_asked) == ["approved", status]
    assert ("too quick to count" in said(app)) == (status == "pending")


def test_a_press_that_was_too_quick_begins_the_time_anew(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    for _ in range(5):
        pulse.wait(0.3)
        press(app, "approve")

    assert statuses(home, two_asked) == ["approved", "pending"]


def test_a_conflict_shows_who_and_when_and_keeps_the_answer(home: Home, two_asked: list[str], look: Look) -> None:
    bea = home.add_person("bea@example.com")
    app = look()
    bea.decide(two_asked[0], "reject")

    press(app, "approve")

    shown = drawn(app)
    assert "<b>Decline</b> by <bdi>Bea</bdi>, <time" in shown
    assert "Thu 20 Aug 10:00 BST" in shown
    assert "<b>Invite Ann</b>" in shown
    assert "was decided already: reject by Bea" in said(app)
    assert home.question(two_asked[0]).status == "rejected"
    assert not has(app, "again")
    assert home.audit("refused")[-1]["code"] == "already_decided"


def test_a_conflict_names_what_moved_and_one_key_answers_on_the_new_version(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = look()
    home.amend(two_asked[0], email="ann.new@example.com")
    home.run()

    press(app, "approve")
    shown = drawn(app)
    assert "person 1 → 2" in shown
    assert "letter invite" in shown
    assert home.question(two_asked[0]).status == "pending"
    again = next(button for button in app.button if button.key and button.key.startswith("review.again."))
    assert again.proto.shortcut == "y"

    pulse.wait(1)
    press(app, "again")

    assert home.question(two_asked[0]).status == "approved"
    assert not any("did not count" in shown for shown in [drawn(app)])


def test_a_draft_can_be_let_go(home: Home, two_asked: list[str], look: Look) -> None:
    bea = home.add_person("bea@example.com")
    app = look()
    bea.decide(two_asked[0], "reject")

    app = press(press(app, "approve"), "drop")

    assert "did not count" not in drawn(app)


def test_undo_takes_back_ones_own_answers_newest_first_and_nobody_elses(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    bea = home.add_person("bea@example.com")
    bea.decide(two_asked[1])
    app = press(look(), "approve")

    for _ in range(2):
        pulse.wait(1)
        press(app, "undo.newest")

    assert statuses(home, two_asked) == ["pending", "approved"]
    assert "Nothing of yours is held." in said(app)


def test_undo_after_the_release_says_when_that_was(home: Home, two_asked: list[str], look: Look, pulse: Pulse) -> None:
    app = press(look(), "approve")
    pulse.wait(1)
    press(app, "release")
    home.run()
    pulse.wait(1)

    press(app, "undo.newest")

    assert f"{two_asked[0]} was released 10:00:00" in said(app)
    assert len(home.letters()) == 1


def test_two_quick_presses_of_undo_take_one_answer_back(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)
    press(app, "approve")
    pulse.wait(1)
    press(press(app, "undo.newest"), "undo.newest")

    assert statuses(home, two_asked).count("pending") == 1


def test_a_press_after_the_session_ended_decides_nothing(home: Home, two_asked: list[str], look: Look) -> None:
    app = look()
    home.change("DELETE FROM sessions")

    (approve,) = [button for button in app.button if f"{button.key}.".startswith("review.approve.")]
    approve.click().run()

    assert not app.exception
    assert statuses(home, two_asked) == ["pending", "pending"]
    assert "Ann Example" not in drawn(app)
    assert "You are signed out" in drawn(app)
