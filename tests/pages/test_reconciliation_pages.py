"""A reconciliation's questions on the pages: each discrepancy is a card, answered one at a time."""

from __future__ import annotations

from core.desk.jobs import NewJob, open_job
from tests.homes import Home
from tests.pages.conftest import Open, drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, press

APPROVED = b"campaign_id,name,currency,approved_budget\nC-1,One & Co,EUR,100.00\nC-2,Two,EUR,100.00\n"
EXPORT = b"Campaign ID,Campaign,Currency,Cost\nC-1,One & Co,EUR,140.00\nC-2,Two,EUR,9100.00\n"


def begin(home: Home) -> None:
    open_job(home.app.write, home.app.desk, home.actor, NewJob("job_1", "Harbour", APPROVED, EXPORT, export_version=7))
    home.run()


def test_a_discrepancy_is_shown_with_its_findings_and_either_answer(home: Home, look: Look) -> None:
    begin(home)
    app = look()
    shown = drawn(app)
    assert "One &amp; Co (C-1): over budget by 40.00 EUR." in shown
    assert (has(app, "approve"), has(app, "decline")) == (True, True)


def test_answering_one_leaves_the_other_open_and_offers_only_what_its_question_does(
    home: Home, look: Look, pulse: Pulse
) -> None:
    begin(home)
    app = press(look(), "approve")
    statuses = {one.about: one.status for one in home.thread("job_1").approvals}
    assert statuses == {"d_01": "approved", "d_02": "pending"}
    assert "cannot be accepted" in drawn(app)
    assert (has(app, "approve"), has(app, "decline")) == (False, True)
    pulse.wait(1)
    press(app, "decline")
    pulse.wait(1)
    press(app, "reason.none")
    assert {one.status for one in home.thread("job_1").approvals} == {"approved", "rejected"}


def test_the_runs_page_shows_the_job_with_its_open_questions(home: Home, open_page: Open) -> None:
    begin(home)
    shown = drawn(open_page("run", id="job_1"))
    assert "d_01, d_02" in shown
    assert "job_1/export/7" in shown
