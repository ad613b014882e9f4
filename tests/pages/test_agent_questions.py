"""What a run asks on the review page: an act that cannot be undone, and what to do where it gets no further."""

from __future__ import annotations

from core.cli.demo_migration import THREAD, seed_migration
from tests.contracts.agents import Script, plan, use
from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.reviewing import Look, has, press


def test_an_act_that_cannot_be_undone_is_shown_with_its_arguments_and_answered(home: Home, look: Look) -> None:
    seed_migration(home.app, home.actor, scale=60)
    home.run()
    app = look()

    assert "drop_table (database shop.db, table orders_import_2019)?" in drawn(app)
    press(app, "approve")
    home.run()
    assert home.ending(THREAD) == ("completed", "done")


def test_a_run_that_got_stuck_says_why_and_can_be_ended(home: Home, look: Look) -> None:
    seed_migration(home.app, home.actor, scale=60)
    home.with_model(Script(plan("Look"), use("launch_rocket"))).run()
    app = look()

    assert "The same action was chosen 5 times" in drawn(app)
    assert has(app, "decline")
