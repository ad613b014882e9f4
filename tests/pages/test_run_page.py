from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from core.bootstrap import open_tenant
from core.clock import FIXTURE_START
from core.desk.repairs import cancel_thread, park_thread
from core.views.frame import read_frame
from core.views.queue import list_left_over
from tests.homes import Home
from tests.messages_api import DROPPED, OVERLOADED, TRUNCATED, by_evidence, messages_api
from tests.pages.conftest import Open, SignIn, drawn


@pytest.fixture
def asked(home: Home) -> str:
    """A run whose question stands."""
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    return thread_id


def test_a_run_shows_its_goal_its_sentence_and_its_plan(asked: str, open_page: Open) -> None:
    shown = drawn(open_page("run", id=asked))

    assert "<bdi>Ann Example</bdi>" in shown
    assert f"Screen {asked} against the rubric" in shown
    assert "Waits for a person (invite) since Thu 20 Aug 10:00 BST; nothing happens by itself." in shown
    assert "5 of 9 steps done" in shown
    assert shown.count('class="p-done"') == 5
    assert 'class="p-waiting_person"' in shown
    assert ">Waiting for a person<" in shown


def test_a_held_answer_shows_who_gave_it_on_which_version_and_until_when_it_is_held(
    home: Home, asked: str, open_page: Open
) -> None:
    home.decide(asked, "approve")

    shown = drawn(open_page("run", id=asked))

    assert "Approved" in shown
    assert "<bdi>Owner</bdi>" in shown
    assert "version 2" in shown
    assert "Held for 15 min" in shown
    assert 'class="p-waiting_event"' in shown


def test_an_effect_stands_under_its_key_with_its_status(home: Home, asked: str, open_page: Open) -> None:
    home.decide(asked, "approve")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE approvals SET release_at = '2026-08-20T09:00:00.000Z'")
        tx.conn.exec_driver_sql("UPDATE threads SET wake_at = '2026-08-20T09:00:00.000Z'")
    home.run()

    shown = drawn(open_page("run", id=asked))

    assert f"<code>{asked}/invite</code>" in shown
    assert "Released" in shown
    assert "Waits for booking or withdraw" in shown


def test_an_event_shows_what_it_carried_and_who_took_it(home: Home, asked: str, open_page: Open) -> None:
    home.book(asked)

    shown = drawn(open_page("run", id=asked))

    assert "nobody took it" in shown
    assert "2026-08-27T10:00:00Z" in shown


@pytest.mark.parametrize(("repair", "word"), [(park_thread, "Parked"), (cancel_thread, "Failed: cancelled")])
def test_a_repair_shows_in_the_status(home: Home, asked: str, open_page: Open, repair: object, word: str) -> None:
    actor = home.actor
    home.app.act(actor, "repair", lambda tx: repair(tx, actor, asked))  # type: ignore[operator]

    assert word in drawn(open_page("run", id=asked))


def test_an_event_that_nothing_followed_from_is_taken_off_by_who_has_seen_it(
    home: Home, asked: str, open_page: Open
) -> None:
    home.book(asked)
    home.cancel(asked)
    page = open_page("run", id=asked)
    assert "nobody took it" in drawn(page)

    (button,) = [one for one in page.button if one.label.startswith("I have seen these")]
    button.click().run()

    assert "nobody took it · seen" in drawn(page)
    assert "Not needed any more" not in drawn(open_page("today"))


def test_an_event_that_came_after_the_page_was_drawn_is_not_taken_for_seen(
    home: Home, asked: str, open_page: Open
) -> None:
    home.book(asked)
    home.cancel(asked)
    page = open_page("run", id=asked)
    (button,) = [one for one in page.button if one.label.startswith("I have seen these")]
    home.book(asked, "2026-08-28T10:00:00Z")

    button.click().run()

    with home.app.read() as conn:
        assert [one.name for one in list_left_over(conn, home.tenant_id)] == ["booking"]


def test_a_viewer_is_not_asked_whether_they_have_seen_an_event(
    home: Home, asked: str, open_page: Open, sign_in: SignIn
) -> None:
    home.book(asked)
    home.cancel(asked)
    viewer = home.add_person("viewer@example.com", "viewer")
    page = open_page("run", id=asked)
    sign_in(viewer)
    page.run()

    assert [one.label for one in page.button if one.label.startswith("I have seen")] == []
    assert "nobody took it" in drawn(page)


def test_attempts_unfold_themselves_where_the_run_is_parked(home: Home, asked: str, open_page: Open) -> None:
    actor = home.actor
    home.app.act(actor, "park", lambda tx: park_thread(tx, actor, asked))
    with home.app.write() as tx:
        tx.conn.exec_driver_sql(
            "INSERT INTO attempts (tenant_id, thread_id, step, checkpoint, lease_no, result, code, worker_id, at)"
            " VALUES ('home', ?, 'score', 3, 1, 'error', 'step_failed', 'w-1', '2026-08-20T09:00:00.000Z')",
            (asked,),
        )

    app = open_page("run", id=asked)
    folds = {fold.label: fold.proto.expanded for fold in app.expander}

    assert folds == {"Score against the rubric: 1 try that did not settle": True}


def test_a_run_shows_what_each_model_call_used_and_cost(home: Home, open_page: Open) -> None:
    home.add_role()
    thread_id = home.apply("Ann Example")
    with messages_api() as server:
        server.say(OVERLOADED, DROPPED, TRUNCATED, by_evidence())
        for seconds in (0, 10, 70):
            home.with_model(server.model()).at(FIXTURE_START + timedelta(seconds=seconds)).run()

    app = open_page("run", id=thread_id)
    shown = drawn(app)

    fold = "Score against the rubric: 2 tries that did not settle, 4 model calls, at least 7,900 tokens"
    assert [one.label for one in app.expander] == [fold]
    assert shown.count("3,770 in, 250 out") == 2
    assert shown.count("<td>$0.010009</td>") == 2
    for words in ("<td>refused</td><td>none</td><td>not billed</td>", "<td>broke off</td><td>unknown usage</td>"):
        assert words in shown


def test_a_run_scored_by_the_practice_model_shows_no_model_calls(asked: str, open_page: Open) -> None:
    assert [fold for fold in open_page("run", id=asked).expander if "model call" in fold.label] == []


@pytest.mark.parametrize("thread_id", ["role-14/app-9999", "", "role-14/app-0001' OR '1'='1"])
def test_an_id_that_is_none_says_so(asked: str, open_page: Open, thread_id: str) -> None:
    assert "No such run" in drawn(open_page("run", id=thread_id))


def test_a_run_of_another_tenant_answers_like_a_missing_one(home: Home, open_page: Open) -> None:
    home.app.act(home.actor, "open", lambda tx: open_tenant(tx, "other", "Other", home.actor.now))
    other = Home(home.app, "other")
    other.add_role("role-77")
    foreign = other.apply("Cara Example", "cara@example.org", role_id="role-77")

    shown = drawn(open_page("run", id=foreign)), drawn(open_page("runs"))

    assert "No such run" in shown[0]
    assert "Cara Example" not in shown[0] + shown[1]


def test_a_run_whose_keys_are_gone_still_shows_its_plan(home: Home, asked: str, open_page: Open) -> None:
    with sqlite3.connect(home.app.home / "keys" / "keys.sqlite") as keys:
        keys.execute("DELETE FROM section_keys")

    shown = drawn(open_page("run", id=asked))

    assert "Ann Example" not in shown
    assert shown.count('class="p-done"') == 5


def test_a_mark_moves_with_the_run(home: Home, asked: str) -> None:
    with home.app.read() as conn:
        before = [read_frame(conn, "home", asked).mark, read_frame(conn, "home").mark]
    home.decide(asked, "approve")
    with home.app.read() as conn:
        after = [read_frame(conn, "home", asked).mark, read_frame(conn, "home").mark]

    assert [later > earlier for later, earlier in zip(after, before, strict=True)] == [True, True]


def test_an_invite_that_left_can_be_asked_back_and_nothing_leaves_before_the_answer(
    home: Home, asked: str, open_page: Open
) -> None:
    assert "run.retract" not in [one.key for one in open_page("run", id=asked).button]
    home.decide(asked)
    home.release(asked)
    home.run()

    open_page("run", id=asked).button("run.retract").click().run()
    home.run()

    question = home.question(asked)
    assert (question.kind, question.status) == ("retraction", "pending")
    assert len(home.letters()) == 1


def test_a_viewer_asks_no_invite_back(home: Home, asked: str, open_page: Open, sign_in: SignIn) -> None:
    home.decide(asked)
    home.release(asked)
    home.run()
    sign_in(home.add_person("viewer@example.com", "viewer"))

    assert "run.retract" not in [one.key for one in open_page("run", id=asked).button]
