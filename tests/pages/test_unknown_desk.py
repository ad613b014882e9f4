"""The unknown desk on a run's page: what is known, who may answer, and that each answer counts once."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import doubts
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import said

SERVER = "smtp://mail.example.com:587"


@pytest.fixture
def pulse(monkeypatch: pytest.MonkeyPatch) -> Pulse:
    pulse = Pulse()
    monkeypatch.setattr(doubts, "pulse", pulse)
    return pulse


@pytest.fixture
def unknown(home: Home) -> str:
    """A run whose invite may have been sent."""
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    home.with_hold(0).decide(thread_id)
    home.run()
    home.change(
        "UPDATE effects SET status = 'unknown', result_ref = NULL, done_at = NULL, why = 'process_died', via = :via",
        via=SERVER,
    )
    home.change("UPDATE threads SET status = 'parked', parked_why = 'effect_unknown', wake_at = NULL, step = 'invite'")
    for letter in home.letters():
        letter.unlink()
    return thread_id


def look(open_page: Open, pulse: Pulse, thread_id: str) -> AppTest:
    """Open the run's page and look at it for long enough to answer."""
    app = open_page("run", id=thread_id)
    pulse.wait(1)
    return app


def press(app: AppTest, what: str) -> AppTest:
    (found,) = [button for button in app.button if f"{button.key}".startswith(f"run.doubt.{what}.")]
    found.click().run()
    assert not app.exception, app.exception
    return app


def state(home: Home) -> tuple[str, int, str | None]:
    entry = home.ledger()["invite"]
    return entry.status, entry.attempt, entry.result_ref


@pytest.mark.case("X06")
def test_the_desk_shows_what_is_known_and_what_to_look_for(
    home: Home, unknown: str, open_page: Open, pulse: Pulse
) -> None:
    shown = drawn(look(open_page, pulse, unknown))
    entry = home.ledger()["invite"]
    for part in (
        "Nobody knows whether this was sent",
        f"<dt>Key</dt><dd><code><bdi>{unknown}/invite</bdi></code></dd>",
        "<dt>To</dt><dd><bdi>ann@example.com</bdi></dd>",
        f"<dt>Handed to</dt><dd><code><bdi>{SERVER}</bdi></code></dd>",
        "<dt>Began</dt><dd><time",
        "<dt>Why nobody knows</dt><dd>The worker&#x27;s process ended after it began to send",
    ):
        assert part in shown, part
    assert str(entry.trace).strip("<>") in shown


def test_a_run_without_a_doubt_has_no_desk(home: Home, unknown: str, open_page: Open, pulse: Pulse) -> None:
    home.settle(f"{unknown}/invite", "4QX71")
    app = look(open_page, pulse, unknown)
    assert "Nobody knows whether this was sent" not in drawn(app)
    assert [button.key for button in app.button if "doubt" in str(button.key)] == []


def test_it_was_sent_needs_a_reference_and_is_written_down_with_who_said_so(
    home: Home, unknown: str, open_page: Open, pulse: Pulse
) -> None:
    app = press(look(open_page, pulse, unknown), "sent")
    assert (state(home), "a reference cannot be blank" in said(app)) == (("unknown", 1, None), True)
    app.text_input[0].input(" 4QX71 ")
    app = press(app, "sent")
    assert (state(home), said(app)) == (("done", 1, "4QX71"), "Written down as sent. The run goes on.")
    (noted,) = home.audit("effect_settled_by_hand")
    assert (noted["actor"], noted["happened"], noted["by"]) == (home.actor.member.id, True, "page")
    home.run()
    assert home.letters() == []


def test_it_was_not_sent_sends_it_once_more(home: Home, unknown: str, open_page: Open, pulse: Pulse) -> None:
    app = press(look(open_page, pulse, unknown), "again")
    assert (state(home), said(app)) == (("planned", 2, None), "Written down as not sent. It is sent again.")
    home.run()
    home.run()
    assert (list(home.mail(unknown)), state(home)[:2]) == (["invite"], ("done", 2))


def test_a_viewer_sees_what_is_known_and_no_button(
    home: Home, unknown: str, open_page: Open, pulse: Pulse, sign_in: SignIn
) -> None:
    sign_in(home.add_person("vera@example.com", "viewer"))
    app = look(open_page, pulse, unknown)
    assert "Owners and reviewers say what became of it." in drawn(app)
    assert [button.key for button in app.button if "doubt" in str(button.key)] == []


def test_a_press_on_what_somebody_else_settled_is_told_and_changes_nothing(
    home: Home, unknown: str, open_page: Open, pulse: Pulse
) -> None:
    app = look(open_page, pulse, unknown)
    home.settle(f"{unknown}/invite", "4QX71")
    app = press(app, "again")
    assert (state(home), "is done, not unknown" in said(app)) == (("done", 1, "4QX71"), True)


def test_a_press_on_an_earlier_attempt_is_refused(home: Home, unknown: str, open_page: Open, pulse: Pulse) -> None:
    app = look(open_page, pulse, unknown)
    home.change("UPDATE effects SET attempt = 2")
    app = press(app, "again")
    assert (state(home), "attempt 2 is in doubt now" in said(app)) == (("unknown", 2, None), True)
    assert [entry["code"] for entry in home.audit("refused")] == ["stale_version"]


def test_a_press_before_anybody_could_read_does_not_count(
    home: Home, unknown: str, open_page: Open, pulse: Pulse
) -> None:
    app = press(open_page("run", id=unknown), "again")
    assert (state(home), "came too soon" in said(app)) == (("unknown", 1, None), True)


def test_a_person_whose_access_was_taken_settles_nothing(
    home: Home, unknown: str, open_page: Open, pulse: Pulse, sign_in: SignIn
) -> None:
    sign_in(home.add_person("ana@example.com", "reviewer"))
    app = look(open_page, pulse, unknown)
    home.change("UPDATE people SET access = 'viewer' WHERE email = 'ana@example.com'")
    app = press(app, "again")
    assert state(home) == ("unknown", 1, None)


def test_a_desk_whose_keys_are_gone_still_shows_the_rest(
    home: Home, unknown: str, open_page: Open, pulse: Pulse
) -> None:
    home.change("UPDATE approval_options SET payload = NULL")
    shown = drawn(look(open_page, pulse, unknown))
    assert ("<dt>To</dt>" in shown, "<dt>Key</dt>" in shown) == (False, True)


def test_today_counts_it_and_leads_to_its_page(home: Home, unknown: str, open_page: Open) -> None:
    shown = drawn(open_page("today"))
    assert "What is wrong<small>1 unknown · 1 parked</small>" in shown
    assert f'<a href="/run?id={unknown}">Settle it on its page</a>' in shown


@pytest.mark.parametrize("page", ["today", "runs", "run", "applications", "review"])
def test_every_page_says_that_sending_is_off_until_it_is_on_again(home: Home, open_page: Open, page: str) -> None:
    home.switch(on=False)
    assert "<b>Sending is off.</b>" in drawn(open_page(page))
    home.switch(on=True)
    assert "Sending is off" not in drawn(open_page(page))


def test_a_run_that_waits_for_sending_says_so(home: Home, open_page: Open) -> None:
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    home.with_hold(0).decide(thread_id)
    home.switch(on=False)
    home.run()
    shown = drawn(open_page("run", id=thread_id))
    assert "until sending is switched on again; then it goes on by itself." in shown
    assert "Waiting for sending" in shown
