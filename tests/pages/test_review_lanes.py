"""Lanes of the review page: what was put aside, and what was decided today."""

from __future__ import annotations

from datetime import timedelta

from core.clock import FIXTURE_START, write_instant
from core.views.sitting import Head, rank
from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, press, statuses
from tests.pages.test_around_pages import MOST_STATEMENTS, counted


def labels(app: object) -> list[str]:
    return [one.label for one in app.button if one.key and one.key.startswith("review.lane.")]  # type: ignore[attr-defined]


def test_a_snoozed_question_leaves_every_lane_but_its_own_and_comes_back_by_itself(
    home: Home, two_asked: list[str], look: Look
) -> None:
    app = press(press(look(), "snooze"), "aside.1")
    aside = labels(app)
    shown = drawn(app)
    home.change("UPDATE snoozes SET until_at = :now", now=write_instant(FIXTURE_START))
    back = labels(look())

    assert ("All · 1" in aside, "Snoozed · 1" in aside, "Ben Example</bdi></h2>" in shown) == (True, True, True)
    assert ("All · 2" in back, "Snoozed · 1" in back) == (True, False)
    assert statuses(home, two_asked) == ["pending", "pending"]


def test_a_snooze_is_the_persons_own(home: Home, two_asked: list[str], look: Look) -> None:
    home.add_person("rev@example.com")
    press(press(look(), "snooze"), "aside.2")

    others = labels(look("rev@example.com"))

    assert ("All · 2" in others, any("Snoozed" in label for label in others)) == (True, False)


def test_a_snooze_never_lasts_past_the_due_time(home: Home, two_asked: list[str], look: Look) -> None:
    due = write_instant(FIXTURE_START + timedelta(minutes=20))
    home.change("UPDATE approvals SET due_at = :due", due=due)

    press(press(look(), "snooze"), "aside.4")

    with home.app.read() as conn:
        assert conn.exec_driver_sql("SELECT until_at FROM snoozes").scalar_one() == due


def test_a_snoozed_question_is_brought_back_by_hand_from_its_lane(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(press(look(), "snooze"), "aside.1")
    app = press(look(lane="snoozed"), "snooze")

    assert labels(app)[0] == "All · 2"


def test_a_question_that_was_decided_meanwhile_is_not_snoozed(home: Home, two_asked: list[str], look: Look) -> None:
    app = press(look(), "snooze")
    home.decide(two_asked[0])

    app.button(
        key=next(one.key for one in app.button if one.key and one.key.startswith("review.aside.1"))
    ).click().run()

    with home.app.read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM snoozes").scalar_one() == 0


def test_what_was_decided_today_is_walked_with_the_same_keys_held_and_released(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    for thread in two_asked:
        home.decide(thread)
    home.release(two_asked[0])
    home.run()

    app = look(lane="decided")
    first = drawn(app)
    second = drawn(press(app, "next"))

    assert "Decided today · 2" in labels(app)
    seen = [name for name in ("Ann", "Ben") for page in (first, second) if f"{name} Example</bdi></h2>" in page]
    assert sorted(seen) == ["Ann", "Ben"]
    assert ["Released" in page for page in (first, second)].count(True) == 1
    assert not has(app, "approve")


def test_what_was_decided_yesterday_is_not_among_todays(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])
    home.change("UPDATE approvals SET decided_at = '2026-08-19T12:00:00.000Z' WHERE decided_at IS NOT NULL")

    app = look(lane="decided")

    assert "Decided today · 0" in labels(app)


def test_the_decided_lane_is_drawn_from_a_few_statements(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])
    app = look(lane="decided")

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def head(name: str, **more: object) -> Head:
    asked = FIXTURE_START - timedelta(hours=1)
    given = {"version": 1, "kind": "review", "lane": "look", "name": None, "total": 15, "band": None, "edge": 1}
    given |= {"recalls": False, "asked_at": asked, "due_at": asked + timedelta(hours=48), **more}
    return Head(name, name, **given)  # type: ignore[arg-type]


def test_order_is_by_time_left_then_what_came_back_then_the_band_edge_then_age_and_never_by_score() -> None:
    heads = [
        head("aside", until_at=FIXTURE_START + timedelta(hours=1), due_at=FIXTURE_START),
        head("young", asked_at=FIXTURE_START),
        head("old", total=3),
        head("far", edge=5, total=25),
        head("back", version=3, edge=9),
        head("due", due_at=FIXTURE_START + timedelta(hours=24), edge=9),
    ]

    ordered = [one.approval_id for one in sorted(heads, key=lambda one: rank(one, FIXTURE_START))]

    assert ordered == ["due", "back", "old", "young", "far", "aside"]
