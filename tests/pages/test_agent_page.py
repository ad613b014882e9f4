"""A run that a model leads, on its page: the plan as it grew, and what a call reads beside a transcript."""

from __future__ import annotations

import re

import pytest

from core.cli.demo_migration import THREAD, seed_migration
from core.views.receipt import open_receipt
from tests.contracts.agents import Script, plan, use
from tests.homes import Home
from tests.pages.conftest import Open, drawn
from tests.pages.reviewing import laid_over
from tests.pages.test_run_history import choose


@pytest.fixture
def begun(home: Home) -> Home:
    seed_migration(home.app, home.actor, scale=60)
    return home


@pytest.mark.seed("agent.page.plan")
def test_the_page_says_who_revised_the_plan_and_why(begun: Home, open_page: Open) -> None:
    begun.run()
    shown = drawn(open_page("run", id=THREAD))

    assert "by practice model" in shown
    assert "orders has no column cst_" in shown
    assert "Migrated orders table; 3 columns renamed" in shown
    assert "Drop orders_import_2019 from shop.db" in shown


def test_the_page_says_what_the_next_call_reads_and_what_a_transcript_would(begun: Home, open_page: Open) -> None:
    begun.run()
    found = re.search(r"next call reads ([\d,]+) tokens; a replayed transcript would read ([\d,]+)\.",
                      drawn(open_page("run", id=THREAD)))  # fmt: skip

    assert found is not None
    reads, would = (int(one.replace(",", "")) for one in found.groups())
    (size,) = begun.look("SELECT sum(size) FROM receipts WHERE thread_id = :id", id=THREAD)[0]
    assert 1_000 < reads < 6_000
    assert would == reads + round(int(str(size)) / 2.8)


def test_what_a_model_wrote_is_drawn_as_text(begun: Home, open_page: Open) -> None:
    title, reason = "**Look** <img src=x onerror=alert(1)>", "[click](javascript:alert(1)) <b>now</b>"
    begun.with_model(Script(plan(title, reason=reason), use("drop_table", database="shop.db", table="t"))).run()
    shown = drawn(open_page("run", id=THREAD))

    assert "<img" not in shown
    assert "<b>now</b>" not in shown
    assert "**Look** &lt;img" in shown or "&#42;" in shown


def test_a_run_of_another_tenant_is_not_shown(home: Home, open_page: Open) -> None:
    other = home.add_tenant("other")
    seed_migration(other.app, other.actor, scale=60)
    other.run()
    shown = drawn(open_page("run", id=THREAD))

    assert "No such run" in shown
    assert "Look at both databases" not in shown


def test_the_plan_ahead_is_written_by_hand_and_says_who_did_and_why(begun: Home, open_page: Open) -> None:
    begun.run()
    app = open_page("run", id=THREAD)
    choose(app, "Write the plan ahead")
    assert app.text_area(key="run.replan.steps").value.split("\n")
    app.text_area(key="run.replan.steps").set_value("Count orders\n\nWrite the report of the migration").run()
    app.text_input(key="run.replan.why").set_value("The rest was done by hand").run()
    app.button(key="run.act.replan").click().run()

    shown = drawn(app)
    assert "The rest was done by hand" in shown
    assert "by Owner: 2 steps" in shown
    assert begun.audit("plan_written")


def test_a_plan_that_moved_since_it_was_shown_is_not_written_over(begun: Home, open_page: Open) -> None:
    begun.run()
    app = open_page("run", id=THREAD)
    choose(app, "Write the plan ahead")
    app.text_input(key="run.replan.why").set_value("Mine").run()
    begun.change("UPDATE plan_revisions SET n = n + 100 WHERE thread_id = :id", id=THREAD)
    app.button(key="run.act.replan").click().run()

    assert begun.audit("plan_written") == []


def test_a_receipt_opens_a_slice_at_a_time_and_as_text(begun: Home, open_page: Open) -> None:
    begun.run()
    line = next(one for one in begun.thread(THREAD).plan if one.receipts)
    assert f"receipt={line.receipts[0]}" in drawn(open_page("run", id=THREAD))
    shown = laid_over(open_page("run", id=THREAD, receipt=line.receipts[0]))
    assert line.summary in shown
    assert f"of {size_of(begun, line.receipts[0]):,}" in shown


def size_of(home: Home, ref: str) -> int:
    with home.app.read() as conn:
        app = home.app
        return open_receipt(conn, app.vault, app.desk.blobs, home.tenant_id, THREAD, ref).size


def test_a_receipt_of_another_run_is_not_shown(begun: Home, open_page: Open) -> None:
    begun.run()
    begun.add_role()
    thread_id = begun.apply()
    ref = begun.look("SELECT id FROM receipts WHERE thread_id = :id", id=thread_id)[0][0]
    assert f"keeps nothing under {ref}" in laid_over(open_page("run", id=THREAD, receipt=str(ref)))


def test_the_fork_says_that_it_works_on_a_copy_and_opens_a_sandbox(begun: Home, open_page: Open) -> None:
    begun.run()
    app = open_page("run", id=THREAD, view="Fork")
    assert "folder as it is now, not as it was at an earlier checkpoint" in drawn(app)
    number = begun.thread(THREAD).thread.checkpoint
    app.button(key=f"run.fork.open.{number}").click().run()

    assert begun.thread(f"{THREAD}.fork-1").thread.is_sandbox
    assert len(list((begun.app.home / "sandboxes").iterdir())) == 1
