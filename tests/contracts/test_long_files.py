"""A file that is longer than one model call may be is accepted, and never cut in silence (issue D, case P25)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.clock import FIXTURE_START
from core.desk.intake import Incoming, accept
from core.errors import StaleVersion
from core.steps import estimate_tokens
from core.views.costs import list_calls
from tests import messages_api as api
from tests.homes import CV, ROLE, Home, open_home
from tests.messages_api import MessagesApi, messages_api

PAGES = 60
LINE = "Set type and labels for Harrow Mill and its mills; wrote down what was learnt in week {} of page {}."
LAST = "Ran the relation with the largest client for nine years."


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def home(tmp_path: Path, server: MessagesApi) -> Home:
    opened = open_home(tmp_path / "home").with_model(server.model())
    opened.add_role()
    return opened


def long_cv(pages: int = PAGES, lines: int = 45) -> str:
    written = ["\n".join(LINE.format(week, page) for week in range(lines)) for page in range(1, pages + 1)]
    written[0] = CV.format(name="Ann Example", email="ann@example.com") + written[0]
    written[-1] += f"\n{LAST}"
    return "\f".join(written)


def apply(home: Home, cv: str, *, cover: str | None = None) -> str:
    note = None if cover is None else cover.encode()
    incoming = Incoming("cv.txt", cv.encode(), name="Ann Example", email="ann@example.com", cover=note)
    (outcome,) = accept(home.app.write, home.app.desk, home.actor, ROLE, [incoming])
    assert outcome.thread_id is not None, outcome.reason
    home.run()
    return outcome.thread_id


def spent(home: Home, thread_id: str) -> int:
    with home.app.read() as conn:
        return len(list_calls(conn, home.tenant_id, thread_id))


def sent_of(server: MessagesApi) -> str:
    return "\n".join(api.documents(server.asked[-1]).values())


def left_out(home: Home, thread_id: str) -> list[dict[str, Any]]:
    rows = home.look("SELECT filtered FROM manifests WHERE thread_id = :id", id=thread_id)
    return [one for row in rows for one in json.loads(str(row[0]))]


def test_p25_a_file_over_the_budget_stops_before_the_call_and_its_pages_are_named(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    asked = home.question(thread_id)

    assert (asked.kind, asked.status, home.ending(thread_id)[0]) == ("length", "pending", "awaiting_review")
    first = int(asked.facts["left out"].split()[1].split("\u2013")[0])
    assert asked.facts["left out"] == f"pages {first}\u2013{PAGES} of {PAGES} of the CV"
    assert asked.facts["left out"] in asked.title
    assert 20 < first < PAGES
    assert (server.asked, spent(home, thread_id), home.audit("model_asked")) == ([], 0, [])


def test_p25_an_approve_scores_without_those_pages_and_says_so_everywhere(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    named = home.question(thread_id).facts["left out"]
    first = int(named.split()[1].split("\u2013")[0])
    home.decide(thread_id)
    home.run()

    asked, said = home.question(thread_id), sent_of(server)
    assert (asked.kind, asked.facts["left_out"], spent(home, thread_id)) == ("review", named, 1)
    assert f"week 44 of page {first - 1}." in said
    assert (f"of page {first}." in said, LAST in said) == (False, False)
    (left,) = left_out(home, thread_id)
    assert (left["source"], left["reason"]) == ("receipts", "over-budget")
    assert f"{left['part']} of the CV" == named
    assert home.verify() == []


def test_p25_no_point_rests_on_a_page_that_was_left_out(home: Home, server: MessagesApi):
    points = [(number, 5, LAST) for number in range(1, 6)]
    server.say(api.scores(*points))
    thread_id = apply(home, long_cv())
    home.decide(thread_id)
    home.run()

    found = {(one["score"], one["note"]) for one in home.question(thread_id).facts["scores"]}
    assert found == {(0, "The quote does not stand in the visible text.")}


def test_p25_a_reject_asks_no_model_and_a_person_reads_it(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    named = home.question(thread_id).facts["left out"]
    home.decide(thread_id, "reject")
    home.run()

    asked = home.question(thread_id)
    assert (asked.kind, asked.facts["scores"], asked.facts["total"]) == ("review", [], None)
    assert named in asked.facts["unscored"]
    assert (server.asked, spent(home, thread_id), left_out(home, thread_id)) == ([], 0, [])


def test_a_file_that_fits_is_sent_whole_and_nobody_is_asked(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv(pages=30))

    assert (home.question(thread_id).kind, len(server.asked)) == ("review", 1)
    assert LAST in sent_of(server)
    assert home.question(thread_id).facts["left_out"] == ""


def test_one_page_that_is_too_long_by_itself_is_named_by_its_lines(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv(pages=1, lines=3_000))

    assert home.question(thread_id).facts["left out"].startswith("lines ")
    assert " of page 1 of 1 of the CV" in home.question(thread_id).facts["left out"]


def test_a_cover_letter_that_is_too_long_leaves_a_short_cv_whole(home: Home, server: MessagesApi):
    thread_id = apply(home, CV.format(name="Ann Example", email="ann@example.com"), cover=long_cv())
    named = home.question(thread_id).facts["left out"]
    home.decide(thread_id)
    home.run()

    assert named.endswith(f"of {PAGES} of the cover letter")
    assert "Mentor one junior designer." in sent_of(server)


def test_an_answer_in_its_hold_asks_no_model_and_can_be_undone(tmp_path: Path, server: MessagesApi):
    home = open_home(tmp_path / "held", hold_seconds=900).with_model(server.model())
    home.add_role()
    thread_id = apply(home, long_cv())
    home.decide(thread_id)
    home.run()
    assert server.asked == []
    home.undo(thread_id)
    home.run()

    assert (home.question(thread_id).kind, home.question(thread_id).status, server.asked) == ("length", "pending", [])
    home.decide(thread_id)
    later = home.at(FIXTURE_START + timedelta(minutes=15)).with_model(server.model())
    later.run()
    assert (later.question(thread_id).kind, len(server.asked)) == ("review", 1)


def test_whoever_withdraws_meanwhile_is_asked_about_no_more(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    home.tell(thread_id, "withdraw")
    home.run()

    assert (home.ending(thread_id), server.asked) == (("completed", "withdrawn"), [])


def test_an_amended_person_is_asked_about_anew_and_the_old_answer_refused(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    home.amend(thread_id, name="Anna Example")
    with pytest.raises(StaleVersion):
        home.decide(thread_id)
    home.run()
    home.decide(thread_id)
    home.run()

    assert (home.question(thread_id).kind, len(server.asked)) == ("review", 1)


def test_what_is_sent_fits_the_budget(home: Home, server: MessagesApi):
    thread_id = apply(home, long_cv())
    home.decide(thread_id)
    home.run()

    ((items, budget),) = home.look("SELECT items, budget_tokens FROM manifests WHERE thread_id = :id", id=thread_id)
    whole = sum(one["tokens"] for one in json.loads(str(items)))
    assert 0.9 * int(str(budget)) < whole <= int(str(budget))
    assert estimate_tokens(long_cv()) > int(str(budget))
