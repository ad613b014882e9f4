"""The review page asks about an application that is longer than one call may be."""

from __future__ import annotations

from tests.contracts.test_long_files import apply, long_cv
from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, press


def test_the_pages_are_named_before_the_answer_and_on_the_card_after_it(home: Home, look: Look, pulse: Pulse) -> None:
    home.add_role()
    thread_id = apply(home, long_cv())
    named = home.question(thread_id).facts["left out"]
    page = look()
    before = drawn(page)
    pulse.wait(1)
    press(page, "approve")
    home.release(thread_id)
    home.run()

    assert (named in before, "No model is asked, and nothing is spent." in before) == (True, True)
    assert "It is scored without those pages" in before
    after = drawn(look())
    assert f"<b>Scored without </b><bdi>{named}" in after
    assert "If you decline" in after


def test_a_decline_says_that_it_is_not_scored_and_ends_nothing(home: Home, look: Look, pulse: Pulse) -> None:
    home.add_role()
    thread_id = apply(home, long_cv())
    page = look()
    before = drawn(page)
    pulse.wait(1)
    press(page, "decline")
    pulse.wait(1)
    press(page, "reason.none")
    home.release(thread_id)
    home.run()

    assert "It is not scored. The question about the message is asked next." in before
    assert (home.question(thread_id).kind, home.ending(thread_id)[0]) == ("review", "awaiting_review")
    assert "a person chose not to score without" in drawn(look())
