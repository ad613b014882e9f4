"""A run explains itself on its page: silence, tries, history with causes, what the model saw, what comes, acts."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from core.clock import FIXTURE_START
from core.views.history import read_history
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_around_pages import MOST_STATEMENTS, counted

ASKED = "role-14/app-0001"
HOUR = timedelta(hours=1)


@pytest.fixture
def asked(home: Home) -> str:
    """A run whose question stands."""
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    return thread_id


@pytest.fixture
def invited(home: Home, asked: str) -> str:
    """A run whose invite has left."""
    home.decide(asked)
    home.release(asked)
    home.run()
    return asked


# --- the golden difference -------------------------------------------------------------------------------------------


def test_each_change_of_a_screened_run_names_what_it_came_from(home: Home, invited: str) -> None:
    with home.app.read() as conn:
        thread = home.thread(invited).thread
        moments = read_history(conn, home.app.vault, thread, home.app.desk.workflows["screening"])

    golden = {
        moment.number: [
            (".".join(one.difference.path), [cause.source for cause in one.causes]) for one in moment.changes
        ]
        for moment in moments
    }
    step, scored = ["step"], ["step", "model", "version"]
    assert golden[1] == [("page_count", step)]
    assert golden[2][0] == ("rule_results.right-to-work", step) or golden[2][0][0].startswith("rule_results.")
    assert golden[3] == []
    assert [path for path, _ in golden[4]] == [
        "rubric_version", "scores.1", "scores.2", "scores.3", "scores.4", "scores.5", "scored_by",
    ]  # fmt: skip
    assert all(causes == scored for _, causes in golden[4])
    assert golden[5] == [(name, ["step", "version"]) for name in ("total", "max_total", "band", "proposal")]
    assert golden[7] == [("verdict", ["step", "person"]), ("decided_at", ["step", "person"])]
    assert [path for path, _ in golden[8]] == ["invite_key", "sent_at", "deadline"]
    assert [one.words for one in moments[7].causes] == ["Ask the reviewer", "Owner: approved (invite)"]


def test_the_scrubber_shows_the_state_at_one_checkpoint_and_what_was_new_there(invited: str, open_page: Open) -> None:
    app = open_page("run", id=invited, view="History")
    app.select_slider(key="at").set_value("5 · route").run()

    shown = drawn(app)

    assert "Checkpoint 5 of 9: route, step settled" in shown
    assert "<code><bdi>total</bdi></code>" in shown
    assert "rubric@1" in shown
    assert "<bdi>invite_key</bdi>" not in shown  # that came later
    assert "<dt><code>total</code></dt>" in shown


def test_a_checkpoint_whose_key_is_gone_says_so_and_shows_no_value(home: Home, asked: str, open_page: Open) -> None:
    import sqlite3  # noqa: PLC0415

    with sqlite3.connect(home.app.home / "keys" / "keys.sqlite") as keys:
        keys.execute("DELETE FROM section_keys")

    shown = drawn(open_page("run", id=asked, view="History"))

    assert "cannot be opened any more" in shown
    assert "page_count" not in shown


# --- silence and tries -----------------------------------------------------------------------------------------------


def test_silence_is_a_row_with_what_ends_it(
    home: Home, asked: str, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAYBOOK_NOW", "2026-08-21T00:58:00Z")

    shown = drawn(open_page("run", id=asked))

    assert "asleep as a row, 15 h 58 min, 0 processes; next: you" in shown


def test_tries_stack_into_one_sentence_with_what_the_ledger_answered(home: Home, invited: str, open_page: Open) -> None:
    checkpoint = home.ledger(invited)["invite"].checkpoint
    home.change(
        "INSERT INTO attempts (tenant_id, thread_id, step, checkpoint, lease_no, result, code, worker_id, at)"
        " VALUES ('home', :id, 'invite', :at, 1, 'died', 'process_died', 'w-1', '2026-08-20T09:00:01.000Z')",
        id=invited, at=checkpoint,
    )  # fmt: skip

    shown = drawn(open_page("run", id=invited))

    assert "2 tries; the first died between send and save; the ledger answered: already sent" in shown


def test_a_receipt_stands_beside_the_step_that_left_it(invited: str, open_page: Open) -> None:
    shown = drawn(open_page("run", id=invited))

    (invite,) = re.findall(r'<li class="p-done">(?:(?!</li><li class="p-).)*Send the invite.*?</ul>', shown)[:1]
    assert "<code>invite</code> <small>done</small>" in invite


# --- the model, what comes, forks ------------------------------------------------------------------------------------


def test_what_the_model_saw_shows_each_row_with_its_version_and_size(asked: str, open_page: Open) -> None:
    app = open_page("run", id=asked, view="What the model saw")
    app.selectbox(key="run.model.step").set_value("score").run()

    app.button(key="run.model.look").click().run()

    shown = drawn(app)
    assert "score, as sent at checkpoint 4" in shown
    assert "@1</bdi></code>" in shown
    assert shown.count("word for word as now") == 5
    assert "Nothing was considered and left out." in shown


def test_what_happens_next_is_told_by_a_press_and_changes_no_row(home: Home, asked: str, open_page: Open) -> None:
    app = open_page("run", id=asked, view="What happens next")
    before = home.look("SELECT COUNT(*) FROM audit_entries")

    app.button(key="run.next.tell").click().run()

    shown = drawn(app)
    assert "Will act" in shown
    assert f"<bdi>{asked}/invite</bdi>" in shown
    assert home.look("SELECT COUNT(*) FROM audit_entries") == before


def test_a_fork_lists_what_had_left_and_opens_a_sandbox(home: Home, invited: str, open_page: Open) -> None:
    app = open_page("run", id=invited, view="Fork")
    shown = drawn(app)
    assert "Would send again" in shown
    assert "so it is asked anew" in shown

    (button,) = [one for one in app.button if one.label == "Open a sandbox"]
    button.click().run()

    assert "A sandbox: nothing leaves it, whatever is answered." in drawn(app)
    assert home.thread(f"{invited}.fork-1").thread.is_sandbox
    assert len(home.letters()) == 1


def test_two_runs_stand_side_by_side_where_they_differ(home: Home, asked: str, open_page: Open) -> None:
    other = home.apply("Ben Example", "ben@example.com", cv="{name}\n{email}\nRight to work in the UK: no\n")
    home.run()

    shown = drawn(open_page("run", id=asked, view="Compare", **{"with": other}))

    assert "<bdi>total</bdi>" in shown
    assert "No such run" not in shown


# --- acts ------------------------------------------------------------------------------------------------------------


def choose(app: object, what: str) -> None:
    app.selectbox(key="run.act.what").set_value(what).run()  # type: ignore[attr-defined]


def test_a_booking_by_phone_is_recorded_in_the_persons_name(home: Home, invited: str, open_page: Open) -> None:
    app = open_page("run", id=invited)
    choose(app, "Record an event by hand")

    app.button(key="run.act.event").click().run()
    home.run()

    assert home.ending(invited) == ("completed", "booked")
    (noted,) = home.audit("event_received")
    assert (noted["actor"], noted["by"]) == (home.actor.member.id, "page")


def test_a_deadline_is_moved_on_the_page_and_the_reminder_follows(home: Home, invited: str, open_page: Open) -> None:
    app = open_page("run", id=invited)
    choose(app, "Move the deadline")
    day = app.date_input(key="run.act.deadline.day")

    day.set_value(day.value + timedelta(days=1)).run()
    app.button(key="run.act.deadline").click().run()
    home.run()

    thread = home.thread(invited).thread
    assert thread.until_at == FIXTURE_START + timedelta(days=3)
    assert thread.wake_at == FIXTURE_START + timedelta(days=2)


@pytest.mark.parametrize(("what", "status"), [("Park", "parked"), ("Cancel", "failed")])
def test_a_repair_acts_on_the_version_that_was_shown(
    home: Home, asked: str, open_page: Open, what: str, status: str
) -> None:
    app = open_page("run", id=asked)
    choose(app, what)
    seen = home.thread(asked).thread.version

    app.button(key=f"run.act.{what}").click().run()

    assert home.thread(asked).thread.status == status
    assert home.audit({"Park": "parked", "Cancel": "cancelled"}[what])[0]["version"] == seen


def test_a_repair_of_a_run_that_moved_since_is_refused_with_its_sentence(
    home: Home, asked: str, open_page: Open
) -> None:
    app = open_page("run", id=asked)
    choose(app, "Cancel")
    home.park(asked)

    app.button(key="run.act.Cancel").click().run()

    assert home.thread(asked).thread.status == "parked"
    assert any("Look again" in one.value for one in app.toast)


def test_each_act_can_be_copied_as_a_command(asked: str, open_page: Open) -> None:
    app = open_page("run", id=asked)
    choose(app, "Park")

    assert [one.value for one in app.code] == [f"python -m core park {asked} --as EMAIL"]


def test_a_draft_stays_when_the_runs_rows_move(home: Home, invited: str, open_page: Open) -> None:
    app = open_page("run", id=invited)
    choose(app, "Record an event by hand")
    app.selectbox(key="run.act.event.name").set_value("withdraw").run()
    app.text_input(key="run.act.event.reason").set_value("Rang to say so").run()
    home.change("UPDATE threads SET version = version + 1")

    app.run()

    assert app.text_input(key="run.act.event.reason").value == "Rang to say so"


def test_a_viewer_is_offered_no_act(home: Home, asked: str, open_page: Open, sign_in: SignIn) -> None:
    viewer = home.add_person("viewer@example.com", "viewer")
    page = open_page("run", id=asked)
    sign_in(viewer)

    page.run()

    assert "You may look. Owners and reviewers act on a run." in drawn(page)
    assert [one.key for one in page.selectbox] == []


@pytest.mark.parametrize("view", ["Plan", "History", "What the model saw", "What happens next", "Fork"])
def test_each_view_of_a_run_is_drawn_from_a_few_statements(
    home: Home, invited: str, open_page: Open, view: str
) -> None:
    app = open_page("run", id=invited, view=view)

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_the_list_is_drawn_from_a_few_statements(home: Home, invited: str, open_page: Open) -> None:
    app = open_page("runs", role="role-14", sort="opened")

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements
