from __future__ import annotations

from datetime import timedelta

import pytest

from core.clock import FIXTURE_START, iso
from core.review.sittings import end, sit
from core.web import close_app
from pages.parts import identity
from tests.homes import Home
from tests.messages_api import MODEL, messages_api
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_around_pages import MOST_STATEMENTS, counted
from tests.pages.test_foreign_text import EVIL

NO_RIGHT = "Right to work in the UK: yes\n{email}\n"


@pytest.fixture
def screened(home: Home) -> str:
    """A run that waits for a person."""
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    return thread_id


def ask(app, question: str):  # type: ignore[no-untyped-def]
    """Type a question and press the button."""
    app.text_input(key="today.ask.question").set_value(question)
    (button,) = [one for one in app.button if one.label == "Ask"]
    return button.click().run()


def test_today_is_the_front_page(open_page: Open, screened: str) -> None:
    app = open_page("today")

    assert "<h1>Today</h1>" in drawn(app)
    assert "Thu 20 Aug 10:00 BST" in drawn(app)


def test_what_waits_is_counted_with_its_nearest_due_and_a_way_to_review(
    home: Home, open_page: Open, screened: str
) -> None:
    shown = drawn(open_page("today"))

    assert "1 question waits for you" in shown
    assert "Sat 22 Aug 10:00 BST" in shown
    assert 'href="/review"' in shown
    assert f'href="/review?item={home.question(screened).id}"' in shown
    assert f'href="/run?id={screened}"' in shown
    assert "due in 2 d" in shown


def test_with_nothing_waiting_it_says_what_is_next(home: Home, open_page: Open, screened: str) -> None:
    home.decide(screened, "approve")

    shown = drawn(open_page("today"))

    assert "Nothing waits for you." in shown
    assert "Next is " in shown
    assert "the decision is carried out" in shown
    assert "No timer is set" not in shown


def test_with_nothing_at_all_it_says_that_no_timer_is_set(open_page: Open) -> None:
    shown = drawn(open_page("today"))

    assert "Nothing waits for you." in shown
    assert "No timer is set for the next two days either." in shown
    assert "Next is" not in shown


def test_what_fires_next_stands_under_its_day_in_the_homes_zone(home: Home, open_page: Open, screened: str) -> None:
    home.decide(screened, "approve")
    home.release(screened)
    home.run()

    shown = drawn(open_page("today"))

    assert "Tomorrow · Fri 21 Aug, BST" in shown
    assert 'datetime="2026-08-21T09:00:00Z"' in shown
    assert "a reminder goes" in shown
    assert "the wait for booking or withdraw ends" in shown
    assert "1 sent" in shown


def test_nothing_wrong_is_said_only_with_a_worker(home: Home, open_page: Open, screened: str) -> None:
    alone = drawn(open_page("today"))
    engine = home.app.engine("separate")
    heard = drawn(open_page("today"))
    engine.stop()

    assert ("Nothing is wrong" in alone, "Nobody carries runs on" in alone) == (False, True)
    assert ("Nothing is wrong" in heard, "Nobody carries runs on" in heard) == (True, False)


def test_a_parked_run_shows_its_sentence(home: Home, open_page: Open, screened: str) -> None:
    home.park(screened)

    assert f"a person parked it. `retry {screened} --as EMAIL`." in drawn(open_page("today"))


def test_an_effect_nobody_knows_of_shows_its_key(home: Home, open_page: Open, screened: str) -> None:
    home.decide(screened, "approve")
    home.release(screened)
    home.run()
    home.change("UPDATE effects SET status = 'unknown', result_ref = NULL, done_at = NULL WHERE status = 'done'")

    shown = drawn(open_page("today"))

    assert "Nobody knows whether it happened" in shown
    assert f"{screened}/invite" in shown


@pytest.mark.case("T19")
def test_an_overdue_run_shows_its_age(home: Home, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    home.add_role()
    home.apply("Ann Example")
    close_app()
    monkeypatch.setenv("DAYBOOK_NOW", str(iso(FIXTURE_START + timedelta(minutes=12))))

    shown = drawn(open_page("today"))

    assert "Overdue" in shown
    assert "12 min" in shown


def test_asking_answers_from_rows_and_links_to_them(home: Home, open_page: Open, screened: str) -> None:
    app = ask(open_page("today"), "Did we invite Ann Example?")

    shown = drawn(app)
    assert "No. Waits for a person" in shown
    assert "No model is involved" in shown
    assert shown.count(f'href="/run?id={screened}"') == 2  # what waits, and the row of the answer


def test_asking_after_nobody_says_that_no_row_says_so(open_page: Open, screened: str) -> None:
    assert "No row says so." in drawn(ask(open_page("today"), "Did we invite Zoe Nobody?"))


def test_a_name_nobody_has_is_offered_the_near_one_and_pressing_it_asks_that_name(
    open_page: Open, screened: str
) -> None:
    app = ask(open_page("today"), "Did we invite Anne Exampel?")
    near = drawn(app)

    (offer,) = [one for one in app.button if one.label == "Ann Example"]
    exact = drawn(offer.click().run())

    assert "No row says so." in near
    assert "Only a name as it is written answers. Spelt nearly so, of every name:" in near
    assert f'href="/run?id={screened}" class="lead">' not in near.partition('class="told')[2].partition("</section>")[0]
    assert app.text_input(key="today.ask.question").value == "Did we invite Ann Example?"
    assert "No. Waits for a person" in exact
    assert "Spelt nearly so" not in exact


def test_where_no_name_is_near_none_is_offered(open_page: Open, screened: str) -> None:
    app = ask(open_page("today"), "Did we invite Zoe Nobody?")

    assert "No name is spelt nearly so, of every name." in drawn(app)
    assert [one.key for one in app.button if (one.key or "").startswith("today.ask.near")] == []


def test_an_answer_says_when_rows_have_moved_since(home: Home, open_page: Open, screened: str) -> None:
    app = ask(open_page("today"), "Did we invite Ann Example?")
    home.decide(screened, "approve")

    before, after = drawn(app), drawn(app.run())

    assert ("rows have moved since" in before, "rows have moved since" in after) == (False, True)


def test_what_is_typed_and_the_answer_stay_while_the_page_redraws(home: Home, open_page: Open, screened: str) -> None:
    app = ask(open_page("today"), "Ann Example")
    home.decide(screened, "approve")

    app.run()

    assert app.text_input(key="today.ask.question").value == "Ann Example"
    assert 'class="told' in drawn(app)


def test_the_loaded_code_is_tried_only_when_asked(home: Home, open_page: Open, screened: str) -> None:
    home.change("UPDATE threads SET step = 'gone'")
    app = open_page("today")
    before = drawn(app)

    app.button(key="today.preflight.try").click().run()

    assert "has no step" not in before
    assert "workflow screening has no step &#x27;gone&#x27;" in drawn(app)


def test_the_loaded_code_that_can_resume_everything_says_so(open_page: Open, screened: str) -> None:
    app = open_page("today")

    app.button(key="today.preflight.try").click().run()

    assert "The loaded code can resume every run that goes on." in drawn(app)


def test_today_is_drawn_from_a_few_statements(home: Home, open_page: Open, screened: str) -> None:
    home.decide(screened, "approve")
    home.release(screened)
    home.run()
    parked = home.apply("Ben Example", "ben@example.com")
    home.park(parked)
    app = ask(open_page("today"), "Ann Example")

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_what_happened_is_told_since_the_last_sitting_and_for_a_day_where_there_was_none(
    home: Home, open_page: Open, screened: str
) -> None:
    assert "Lately" in drawn(open_page("today"))

    with home.app.write() as tx:
        sit(tx, home.tenant_id, home.actor.member.id, FIXTURE_START - timedelta(hours=2))
        end(tx, home.tenant_id, home.actor.member.id, FIXTURE_START - timedelta(hours=2))
    shown = drawn(open_page("today"))

    assert "Since your last sitting" in shown
    assert "Nothing left and nothing ended since " in shown
    assert "Lately" not in shown


def test_another_tenants_people_are_not_shown_and_not_answered_for(home: Home, open_page: Open) -> None:
    other = home.add_tenant("other")
    other.add_role()
    other.apply("Otto Elsewhere", "otto@example.com")
    other.run()

    app = ask(open_page("today"), "Did we invite Otto Elsewhere?")

    assert "No row says so." in drawn(app)
    assert 'class="lead"' not in drawn(app)


def test_who_was_signed_out_is_answered_nothing(
    open_page: Open, screened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page("today")
    monkeypatch.setattr(identity, "presented_token", lambda: None)

    shown = drawn(ask(app, "Did we invite Ann Example?"))

    assert "You are signed out" in shown
    assert "Ann Example" not in shown


def test_a_viewer_sees_today(home: Home, open_page: Open, sign_in: SignIn, screened: str) -> None:
    sign_in(home.add_person("vi@example.com", "viewer"))

    assert "Ann Example" in drawn(open_page("today"))


@pytest.mark.parametrize("name", EVIL)
def test_a_name_is_text_everywhere_on_the_page(home: Home, open_page: Open, name: str) -> None:
    home.add_role()
    thread_id = home.apply(name, "ann@example.com", cv=NO_RIGHT)
    home.run()

    shown = drawn(ask(open_page("today"), thread_id))

    assert thread_id in shown
    assert [one for one in ("<script", "<img", 'onmouseover="') if one in shown] == []


@pytest.mark.parametrize(("model", "said"), [("claude-nobody-9", "1 model call has no price"), (MODEL, "")])
def test_calls_of_a_model_without_a_price_are_among_what_is_wrong(
    home: Home, open_page: Open, model: str, said: str
) -> None:
    home.add_role()
    home.apply()
    with messages_api() as api:
        home.with_model(api.model(model)).run()
    other = home.add_tenant("other")
    other.run()

    shown = drawn(open_page("today"))
    assert ("Unpriced" in shown, said in shown) == (bool(said), True)
