"""Mark and batch on the page."""

from __future__ import annotations

import pytest

from tests.contracts.test_batches import NO_RIGHT
from tests.homes import Home
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, laid_over, press, statuses


@pytest.fixture
def failing(home: Home) -> list[str]:
    home.add_role()
    threads = [home.apply(f"{name} Example", f"{name.lower()}@example.com", cv=NO_RIGHT) for name in ("Ann", "Ben")]
    home.run()
    return threads


def test_marked_questions_are_shown_with_every_effect_and_answered_with_own_results(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(press(look(), "mark"), "next")
    pulse.wait(1)
    app = press(press(app, "mark"), "batch.bar")
    shown = laid_over(app)
    home.decide(two_asked[1], "reject")
    pulse.wait(1)
    done = laid_over(press(app, "batch.approve"))

    assert [shown.count(f"{thread}/{name}") for thread in two_asked for name in ("invite", "reminder", "decline")] == [
        1, 1, 1, 1, 1, 1,
    ]  # fmt: skip
    assert "1 done · 1 skipped · 0 failed" in done
    assert statuses(home, two_asked) == ["approved", "rejected"]


def test_a_press_in_the_moment_the_bar_comes_up_decides_nothing(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(press(look(), "mark"), "batch.bar")

    press(app, "batch.reject")

    assert statuses(home, two_asked) == ["pending", "pending"]


def test_what_fails_a_rule_is_marked_and_declined_unopened_and_can_be_undone(
    home: Home, failing: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(press(look(lane="decline"), "mark-all"), "batch.bar")
    approvable = has(app, "batch.approve")
    pulse.wait(1)
    press(app, "batch.reject")

    assert (approvable, statuses(home, failing)) == (False, ["rejected", "rejected"])
    assert {home.question(thread).remark["reason"] for thread in failing} == {"Rule not met"}
    home.undo(failing[0])
    assert statuses(home, failing) == ["pending", "rejected"]


def test_there_is_no_marking_all_where_no_rule_failed(home: Home, two_asked: list[str], look: Look) -> None:
    assert not has(look(lane="decline"), "mark-all")
