"""A run that a model leads, on its page: the plan as it grew, and what a call reads beside a transcript."""

from __future__ import annotations

import re

import pytest

from core.cli.demo_migration import THREAD, seed_migration
from tests.contracts.agents import Script, plan, use
from tests.homes import Home
from tests.pages.conftest import Open, drawn


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
