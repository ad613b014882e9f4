"""A sitting on the page: opened by the first verdict, its pace, its end with held effects, and its receipt."""

from __future__ import annotations

from datetime import timedelta

from core.clock import FIXTURE_START
from core.review.sittings import sit
from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, press, statuses


def sittings(home: Home) -> list[tuple[str | None, str | None]]:
    with home.app.read() as conn:
        rows = conn.exec_driver_sql("SELECT ended_at, ended_why FROM sittings ORDER BY opened_at, id").all()
    return [(row.ended_at, row.ended_why) for row in rows]


def test_looking_opens_no_sitting_and_the_first_verdict_opens_one(home: Home, two_asked: list[str], look: Look) -> None:
    app = look()
    before = sittings(home)
    press(app, "approve")

    assert (before, sittings(home)) == ([], [(None, None)])


def test_a_decision_by_command_line_belongs_to_no_sitting(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])

    assert sittings(home) == []


def test_ending_a_sitting_shows_its_verdicts_and_what_is_held_and_releases_nothing(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)

    shown = drawn(press(app, "end"))

    assert [word in shown for word in ("This sitting", "Ann Example", "1 verdict", "looked for 4.0 s")] == [True] * 4
    assert sittings(home) == [("2026-08-20T09:00:00.000Z", "by hand")]
    assert home.question(two_asked[0]).released_at is None
    home.run()
    assert home.letters() == []


def test_release_now_at_the_end_lets_out_what_is_held_and_keep_holding_does_not(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)
    app = press(app, "end")
    kept = press(app, "keep.all")
    home.run()
    sent_before = len(home.letters())
    sitting = drawn(kept).count("Verdicts")

    app = look(sitting=_id(home))
    pulse.wait(1)
    press(app, "release.all")
    home.run()

    assert (sitting, sent_before, list(home.mail(two_asked[0]))) == (0, 0, ["invite"])


def _id(home: Home) -> str:
    with home.app.read() as conn:
        return str(conn.exec_driver_sql("SELECT id FROM sittings").scalar_one())


def test_what_was_taken_back_is_said_to_be_so_at_the_end(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)
    app = press(app, "undo.newest")
    pulse.wait(1)

    shown = drawn(press(app, "end"))

    assert "0 verdicts · 1 taken back" in shown
    assert statuses(home, two_asked) == ["pending", "pending"]


def test_thirty_idle_minutes_end_a_sitting_and_the_next_verdict_opens_another(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    press(look(), "approve")
    at_29 = (FIXTURE_START - timedelta(minutes=29)).isoformat()
    at_30 = (FIXTURE_START - timedelta(minutes=30)).isoformat()
    home.change("UPDATE sittings SET opened_at = :at, seen_at = :at", at=_stored(at_29))
    still_open = has_end(look())
    home.change("UPDATE sittings SET opened_at = :at, seen_at = :at", at=_stored(at_30))
    app = look()
    over = has_end(app)
    press(app, "approve")

    assert (still_open, over) == (True, False)
    assert sittings(home) == [("2026-08-20T09:00:00.000Z", "idle"), (None, None)]


def has_end(app: object) -> bool:
    return not next(button for button in app.button if button.key == "review.end.sitting").disabled  # type: ignore[attr-defined]


def _stored(at: str) -> str:
    return f"{at[:19]}.000Z"


def test_another_tenants_sitting_answers_like_a_missing_one(home: Home, two_asked: list[str], look: Look) -> None:
    other = home.add_tenant("other")
    with other.app.write() as tx:
        foreign = sit(tx, "other", other.actor.member.id, other.actor.now)

    shown = [drawn(look(sitting=one)) for one in (foreign, "sit-none")]

    assert ["There is no such sitting here." in page for page in shown] == [True, True]
    assert [has(look(sitting=foreign), what) for what in ("receipt", "release.all")] == [False, False]


def test_the_strip_says_the_pace_after_three_verdicts_and_not_before(home: Home, look: Look, pulse: Pulse) -> None:
    home.add_role()
    for number in range(6):
        home.apply(f"Person {number} Example", f"p{number}@example.com")
    home.run()
    app = look()
    said = []
    for _ in range(3):
        said.append("at your pace" in drawn(app))
        pulse.wait(40)
        press(app, "approve")

    assert said == [False] * 3
    assert "about 2 min at your pace" in drawn(app)


def test_the_strip_counts_what_changed_since_it_was_looked_at(home: Home, two_asked: list[str], look: Look) -> None:
    app = look()
    before = "changed since you looked" in drawn(app)
    home.amend(two_asked[1], name="Benjamin Example")
    home.run()
    app.run()
    meanwhile = "<b>1</b> changed since you looked" in drawn(app)
    press(app, "previous")

    assert (before, meanwhile, "changed since you looked" in drawn(app)) == (False, True, False)
