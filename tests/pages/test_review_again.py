"""Second looks on the page: they come at the end of the sitting, without the first verdict."""

from __future__ import annotations

from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, press, said, statuses
from tests.pages.test_around_pages import MOST_STATEMENTS, counted


def hurried(look: Look, pulse: Pulse):  # type: ignore[no-untyped-def]
    """Decide the second question within a second, and ask to end the sitting."""
    app = press(look(), "next")
    pulse.wait(1)
    app = press(app, "approve")
    pulse.wait(1)
    app = press(app, "end")
    pulse.wait(1)
    return app


def test_the_end_of_a_sitting_shows_a_second_look_first_and_without_the_first_verdict(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    shown = drawn(hurried(look, pulse))

    assert [word in shown for word in ("Second look.", "Ben Example</bdi></h2>")] == [True, True]
    assert [word in shown for word in ("Decided, held", "It can be undone", "<b>Invite</b>")] == [False] * 3


def test_what_was_read_before_an_undo_was_read_and_what_was_glanced_at_was_not(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    ann, ben = two_asked
    app = press(look(), "approve")
    for act in ("undo.newest", "approve", "approve"):  # Ben's card for a second, Ann's again, Ben's for another one
        pulse.wait(1)
        app = press(app, act)

    why = home.look("SELECT thread_id, look_why FROM sitting_verdicts ORDER BY n")
    assert why == [(ann, None), (ann, None), (ben, "fast")]


def test_a_second_look_is_drawn_from_a_few_statements(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = hurried(look, pulse)

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_the_same_answer_stands_and_another_one_makes_the_question_stand_again(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = hurried(look, pulse)
    press(app, "decline")

    assert "First: Approved. Then: Declined." in said(app)
    assert statuses(home, two_asked) == ["pending", "pending"]
    pulse.wait(1)
    app = hurried_again(look, pulse)
    assert "Both times: Approved." in said(app)
    assert "approved" in statuses(home, two_asked)


def hurried_again(look: Look, pulse: Pulse):  # type: ignore[no-untyped-def]
    return press(hurried(look, pulse), "approve")


def test_ending_once_more_ends_the_sitting_with_its_second_looks(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = hurried(look, pulse)

    assert "This sitting</h2>" in drawn(press(app, "end"))


def test_ten_equal_verdicts_in_a_minute_ask_once_to_pause_and_the_next_press_counts(
    home: Home, look: Look, pulse: Pulse
) -> None:
    home.add_role()
    threads = [home.apply(f"Person {number} Example", f"p{number}@example.com") for number in range(12)]
    home.run()
    app = look()
    for _ in range(10):
        pulse.wait(4)
        app = press(app, "approve")
    pulse.wait(4)
    braked = statuses(home, threads).count("approved"), "Pause" in said(press(app, "approve"))
    pulse.wait(4)
    press(app, "approve")

    assert (braked, statuses(home, threads).count("approved")) == ((10, True), 11)


def test_ten_equal_verdicts_in_their_own_time_are_not_braked(home: Home, look: Look, pulse: Pulse) -> None:
    home.add_role()
    threads = [home.apply(f"Person {number} Example", f"p{number}@example.com") for number in range(11)]
    home.run()
    app = look()
    for _ in range(11):
        pulse.wait(7)
        app = press(app, "approve")

    assert statuses(home, threads).count("approved") == 11


def test_a_second_look_asked_for_by_hand_holds_the_verdict_and_comes_back_at_the_end(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    ann, _ = two_asked
    app = look()
    pulse.wait(10)
    app = press(app, "twice")
    assert "second look wanted" in drawn(app)
    app = press(app, "approve")

    assert home.look("SELECT thread_id, look_why FROM sitting_verdicts") == [(ann, "by_hand")]
    assert home.question(ann).is_held
    pulse.wait(1)
    shown = drawn(press(app, "end"))
    assert ["Second look." in shown, "Ann Example</bdi></h2>" in shown] == [True, True]
    assert home.letters() == []


def test_a_second_look_that_was_let_go_again_is_none(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    ann, _ = two_asked
    app = look()
    pulse.wait(10)
    app = press(press(app, "twice"), "twice")
    press(app, "approve")

    assert home.look("SELECT thread_id, look_why FROM sitting_verdicts") == [(ann, None)]
