"""A person writes what lies ahead of an agent run while it stands still, and the next call goes by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.replanning import Ahead, Replanned, replan
from core.errors import BadInput, NotAllowed, StaleVersion
from core.workflows.agent.inward import fact_key
from tests.contracts.agents import END, LOOK, RUN, plan, running, text_of, use
from tests.contracts.remembering import remember, replace_text
from tests.homes import Home

COUNT = use("count_rows", database="a.db", table="t")
DROP = use("drop_table", database="a.db", table="t")


def stopped(folder: Path, *said: object) -> tuple[Home, object]:
    """A run with a plan of three steps that stands at the first, for a person is asked whether it may drop a table."""
    home, _, script = running(folder, plan("Drop t", "Count", "Report"), DROP, *(said or (COUNT, END)))
    home.run()
    assert home.ending(RUN)[0] == "awaiting_review"
    return home, script


def write(home: Home, *titles: str, reason: str = "The figures are not needed.", seen: int | None = None) -> Replanned:
    actor = home.actor
    return home.app.act(actor, "replan", lambda tx: replan(tx, home.app.desk, actor, RUN, Ahead(titles, reason, seen)))


def ahead(home: Home) -> list[tuple[str, str]]:
    return [(one.step, one.title) for one in home.thread(RUN).plan if one.status not in ("done", "skipped")]


def test_steps_are_added_put_in_another_order_and_struck_and_the_next_call_carries_it(tmp_path: Path) -> None:
    home, script = stopped(tmp_path)
    assert write(home, "Look again", "Count") == Replanned(2, "step/1")
    assert ahead(home) == [
        ("step/1", "Drop t"), ("step/4", "Look again"), ("step/2", "Count"), ("close", "Close the run"),
    ]  # fmt: skip
    assert [(one.step, one.status) for one in home.thread(RUN).plan if one.status == "skipped"] == [
        ("step/3", "skipped")
    ]
    home.decide(RUN, "reject")
    home.run()
    plans = [text_of(one, "plan") for one in script.asked]  # type: ignore[attr-defined]
    assert "Written by a person as revision 2: The figures are not needed." in plans[2]
    assert plans[2].index("Look again") < plans[2].index("Count")
    versions = [item.version for item in script.asked[2].items if item.slot == "plan"]  # type: ignore[attr-defined]
    assert versions == [2]
    assert home.verify() == []


def test_who_wrote_it_why_and_when_stands_in_the_plan_and_in_the_log(tmp_path: Path) -> None:
    home, _ = stopped(tmp_path)
    write(home, "Count")
    (_, mine) = home.thread(RUN).revisions
    assert (mine.by, mine.reason, mine.added_count, mine.dropped_count) == (
        "Owner", "The figures are not needed.", 0, 1,
    )  # fmt: skip
    assert home.audit("plan_written")[0]["revision"] == 2


def test_a_question_that_is_asked_stands_as_it_was(tmp_path: Path) -> None:
    home, _ = stopped(tmp_path)
    before = home.question(RUN)
    write(home, "Count")
    assert (home.question(RUN).id, home.question(RUN).version) == (before.id, before.version)
    home.decide(RUN)
    home.run()
    assert "step/1" in [one.step for one in home.thread(RUN).plan if one.status == "done"]


def test_a_run_that_only_had_its_end_left_goes_on_with_what_is_added(tmp_path: Path) -> None:
    stray = [use("launch_rocket")] * 5
    home, _, _ = running(tmp_path, plan("Look"), LOOK, *stray, LOOK, END)
    home.run()
    assert (home.question(RUN).kind, home.thread(RUN).thread.step) == ("stuck", "close")
    assert write(home, "Look once more").step == "step/2"
    home.run()
    assert home.ending(RUN) == ("completed", "done")
    assert (home.question(RUN).status, home.verify()) == ("withdrawn", [])


@pytest.mark.parametrize(
    ("titles", "reason", "said"),
    [
        (("Count", ""), "Why", "no title"),
        (("Count", "\x00\u200b"), "Why", "no title"),
        (("Count", "Count"), "Why", "same title"),
        (("Count",), " \n", "Say why"),
        (tuple(f"Step {n}" for n in range(41)), "Why", "at most 40"),
    ],
)
def test_what_is_no_plan_is_refused_and_nothing_changes(
    tmp_path: Path, titles: tuple[str, ...], reason: str, said: str
) -> None:
    home, _ = stopped(tmp_path)
    before = ahead(home)
    with pytest.raises(BadInput, match=said):
        write(home, *titles, reason=reason)
    assert (ahead(home), len(home.thread(RUN).revisions)) == (before, 1)


def test_who_saw_an_older_plan_is_told_so(tmp_path: Path) -> None:
    home, _ = stopped(tmp_path)
    write(home, "Count", seen=1)
    with pytest.raises(StaleVersion, match="You saw plan 1"):
        write(home, "Report", seen=1)


def test_who_may_only_look_writes_no_plan(tmp_path: Path) -> None:
    home, _ = stopped(tmp_path)
    with pytest.raises(NotAllowed):
        write(home.add_person("vic@example.com", "viewer"), "Count")


def test_a_run_that_has_not_begun_is_at_work_or_has_ended_is_left_alone(tmp_path: Path) -> None:
    home, _, _ = running(tmp_path, plan("Look"), LOOK, END)
    with pytest.raises(BadInput, match="no plan yet"):
        write(home, "Count")
    home.change("UPDATE threads SET lease_holder = 'w-1', lease_no = lease_no + 1")
    with pytest.raises(BadInput, match="at work"):
        write(home, "Count")
    home.change("UPDATE threads SET lease_holder = NULL")
    home.run()
    with pytest.raises(BadInput, match="has ended"):
        write(home, "Count")


def test_a_plan_that_a_workflow_fixes_is_nobodys_to_write(tmp_path: Path) -> None:
    home, _ = stopped(tmp_path)
    home.add_role()
    thread_id = home.apply()
    actor = home.actor
    with pytest.raises(BadInput, match="fixed by its workflow"):
        home.app.act(actor, "replan", lambda tx: replan(tx, home.app.desk, actor, thread_id, Ahead(["x"], "Why")))


def test_a_fact_that_a_person_replaces_while_the_run_waits_is_in_the_next_call_with_its_source(tmp_path: Path) -> None:
    home, script = stopped(tmp_path)
    old = remember(home, "This code base uses npm.", key=fact_key("home", "package-manager"))
    new = replace_text(home, old.id, "This code base uses pnpm.")
    home.decide(RUN, "reject")
    home.run()
    (item,) = [one for one in script.asked[2].items if one.slot == "memory"]  # type: ignore[attr-defined]
    assert (item.id, "uses pnpm" in item.text, "uses npm" in item.text) == (new.id, True, False)
