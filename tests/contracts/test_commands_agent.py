"""The migration at the command line: begun, carried, decided, ended, and read by somebody who knows no tool."""

from __future__ import annotations

import pytest

from tests.contracts.command_line import AS, CommandLine


@pytest.mark.seed("agent.checkpoint.run-id")
def test_the_migration_is_begun_decided_and_ended_by_commands(at: CommandLine) -> None:
    begun = at.read("demo", "--migration", "--scale", "60")
    at.read("worker", "--until-idle")
    (asked,) = [one for one in at.read("queue") if one["thread"] == begun["thread"]]
    at.read("decide", asked["approval"], "approve", "--seen-version", str(asked["version"]), *AS)
    at.read("worker", "--until-idle")
    run = at.read("thread", begun["thread"])

    assert begun["target"].endswith("shop.db")
    assert (run["status"], run["outcome"]) == ("completed", "done")
    assert {"by", "reason", "added", "dropped"} <= set(run["revisions"][0])


def test_the_log_of_a_run_says_what_was_done_and_what_went_wrong(at: CommandLine) -> None:
    at.read("demo", "--migration", "--scale", "60")
    at.read("worker", "--until-idle")
    said = at.say("thread", "shop-migration").out

    assert "Migrated orders table; 3 columns renamed (details: blob:" in said
    assert "orders has no column cst_; it has id, cst, dt, st." in said
    assert "Plan written by practice model" in said
    assert "May this run do what cannot be undone: drop_table" in said


def test_a_plan_is_written_by_command_and_refused_where_it_moved_or_its_tenant_is_not_there(at: CommandLine) -> None:
    at.read("demo", "--migration", "--scale", "60")
    at.read("worker", "--until-idle")
    newest = len(at.read("thread", "shop-migration")["revisions"])
    words = ("replan", "shop-migration", "--step", "Write the report", "--reason", "The rest is done", *AS)
    done = at.read(*words, "--seen-revision", str(newest))
    assert done == {"thread": "shop-migration", "revision": newest + 1, "step": done["step"]}
    stale = at.run(*words, "--seen-revision", str(newest))
    assert (stale.exit, stale.code) == (3, "stale_version")
    nowhere = at.run(*words, "--tenant", "nowhere")
    assert (nowhere.exit, nowhere.code) == (3, "not_found")
