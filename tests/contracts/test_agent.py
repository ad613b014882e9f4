"""An agent run from its goal to its end: the plan grows, acts happen once, a person is asked before what is final."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.tools import TOOLS, Tools
from core.cli.demo_migration import THREAD
from core.desk.agents import NewRun, open_run
from core.desk.decisions import Answer
from core.desk.memory import change_memory
from core.desk.notes import approve_written_note, write_note
from core.workflows.agent import agent_workflow
from tests.benchmarks.agent import measure
from tests.contracts.agents import (
    END,
    LOOK,
    RUN,
    ask,
    dump,
    migrated,
    migrating,
    plan,
    running,
    text_of,
    tried,
    use,
)

DROP = use("drop_table", database="a.db", table="t")


@pytest.mark.seed("agent.engine.model-chooses")
@pytest.mark.seed("agent.kind.execution")
def test_a_migration_ends_with_every_row_under_its_new_name(tmp_path: Path) -> None:
    home, target = migrated(tmp_path)

    assert home.ending(THREAD) == ("completed", "done")
    assert ask(target, "SELECT count(*), min(currency), count(customer_id) FROM orders") == [(156, "EUR", 156)]
    assert ask(target, "SELECT count(*) FROM sqlite_master WHERE name = 'orders_import_2019'") == [(0,)]
    assert "orders verified: yes" in (target.parent / "report.md").read_text()
    assert home.verify() == []


def test_nothing_is_dropped_before_a_person_has_answered(tmp_path: Path) -> None:
    home, target = migrating(tmp_path)
    home.run()

    assert home.ending(THREAD)[0] == "awaiting_review"
    assert "drop_table" in home.question(THREAD).title
    assert ask(target, "SELECT count(*) FROM orders_import_2019") == [(2,)]


def test_a_no_leaves_the_table_and_the_run_ends_without_it(tmp_path: Path) -> None:
    home, target = migrating(tmp_path)
    home.run()
    home.decide(THREAD, "reject")
    home.run()

    assert home.ending(THREAD) == ("completed", "done")
    assert ask(target, "SELECT count(*) FROM orders_import_2019") == [(2,)]
    assert "skipped" in [line.status for line in home.thread(THREAD).plan if line.title.startswith("Drop")]


@pytest.mark.seed("agent.receipt.summary")
@pytest.mark.seed("agent.page.summaries")
def test_each_step_leaves_one_line_and_the_reference_of_all_the_rest(tmp_path: Path) -> None:
    home, _ = migrated(tmp_path)
    lines = {line.title: line for line in home.thread(THREAD).plan}

    assert lines["Rename columns of orders"].summary == "Migrated orders table; 3 columns renamed"
    assert lines["Rename columns of orders"].receipts[0].startswith("blob:")
    assert (lines["Rename columns of orders"].attempts, lines["Rename columns of products"].attempts) == (2, 1)


def test_mistakes_are_rows_and_change_the_plan_for_a_reason(tmp_path: Path) -> None:
    home, _ = migrated(tmp_path)
    whole = home.thread(THREAD)

    assert [code for code, _ in tried(home, THREAD)] == ["bad_arguments", "no_such_column"]
    assert any("no column cst_" in one.reason and one.by == "practice model" for one in whole.revisions)
    assert len(whole.revisions) > 5


def test_an_act_has_a_readable_key_and_happens_once_under_it(tmp_path: Path) -> None:
    home, target = migrated(tmp_path)
    keys = [entry.key for entry in home.thread(THREAD).effects]

    assert f"{THREAD}/step/1/inspect_schema" in keys
    assert len(keys) == len(set(keys))
    assert {entry.status for entry in home.thread(THREAD).effects} == {"done"}
    copied = {row[0] for row in ask(target, "SELECT key FROM _daybook_keys WHERE key LIKE '%copy_rows'")}
    assert copied == {key for key in keys if key.endswith("copy_rows")}


def test_two_runs_of_one_migration_leave_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    assert dump(migrated(tmp_path / "a")[1]) == dump(migrated(tmp_path / "b")[1])


@pytest.mark.seed("agent.resume.render")
@pytest.mark.seed("agent.kind.working")
def test_a_call_reads_goal_plan_and_summaries_and_no_conversation(tmp_path: Path) -> None:
    home, _, script = running(
        tmp_path, plan("Look", "Look again"), LOOK, use("count_rows", database="a.db", table="t"), END
    )
    home.run()

    sent = script.asked[2]
    assert {item.slot for item in sent.items} == {"goal", "plan", "next", "facts", "summaries"}
    assert "Look: a.db holds t (details: blob:" in text_of(sent, "summaries")
    assert "[>] Look again" in text_of(sent, "plan")
    assert "Written by a script as revision 1: These are the steps." in text_of(sent, "plan")


@pytest.mark.seed("agent.receipt.re-read")
@pytest.mark.seed("agent.receipt.blob")
def test_a_receipt_is_read_again_a_slice_within_the_budget(tmp_path: Path) -> None:
    def again(request: object) -> dict[str, object]:
        ref = text_of(request, "summaries").partition("details: ")[2].partition(")")[0]  # type: ignore[arg-type]
        return use("read_receipt", ref=ref, offset=0)

    home, _, script = running(tmp_path, plan("Look", "End"), LOOK, again, END)
    home.run()

    assert "t(id INTEGER, word TEXT)" in text_of(script.asked[3], "receipt")
    assert "t(id INTEGER" not in "".join(text_of(script.asked[2], slot) for slot in ("summaries", "facts"))


def test_a_receipt_of_nobody_is_not_read(tmp_path: Path) -> None:
    home, _, _ = running(tmp_path, use("read_receipt", ref="blob:000000000000"), plan("Look"), LOOK, END)
    home.run()

    assert tried(home)[0][0] == "unknown_tool"  # before there is a plan there is nothing to read


def test_a_model_is_not_asked_again_for_an_act_that_was_chosen(tmp_path: Path) -> None:
    home, place, script = running(tmp_path, plan("Drop"), DROP, END)
    home.run()
    asked = len(script.asked)
    home.decide(RUN)
    home.run()

    assert asked == 2
    assert len(script.asked) == 3  # the one call more is the end's
    assert ask(place / "a.db", "SELECT count(*) FROM sqlite_master WHERE name = 't'") == [(0,)]


def test_a_plan_is_revised_without_losing_what_stays(tmp_path: Path) -> None:
    said = (plan("Look", "Count", "Drop"), plan("Look", "Count", reason="Dropping is not needed."), LOOK, END)
    home, _, _ = running(tmp_path, *said)
    home.run()
    rows = {line.title: (line.step, line.status) for line in home.thread(RUN).plan}

    assert rows["Drop"] == ("step/3", "skipped")
    assert rows["Look"] == ("step/1", "done")
    assert [(one.added_count, one.dropped_count) for one in home.thread(RUN).revisions] == [(3, 0), (0, 1)]


@pytest.mark.seed("agent.checkpoint.working-facts")
def test_facts_of_a_tool_are_kept_and_replaced_by_newer_ones(tmp_path: Path) -> None:
    count = use("count_rows", database="a.db", table="t")
    home, _, script = running(tmp_path, plan("Count", "Count again", "Look"), count, count, LOOK, END)
    home.run()

    assert '"a.db t rows": "20, highest rowid 20"' in text_of(script.asked[3], "facts")
    assert text_of(script.asked[3], "facts").count("a.db t rows") == 1


def test_lines_that_are_kept_stay_until_they_are_resolved(tmp_path: Path) -> None:
    keep = use("keep_line", kind="constraint", key="quiet", text="Touch nothing before the shop closes.")
    home, _, script = running(
        tmp_path, plan("Look", "Look again"), keep, LOOK, use("resolve_line", key="quiet"), LOOK, END
    )
    home.run()

    assert "constraint quiet (a script): Touch nothing" in text_of(script.asked[3], "lines")
    assert text_of(script.asked[4], "lines") == ""


@pytest.mark.seed("agent.kind.long-term")
def test_a_fact_is_quarantined_until_a_person_allows_it_and_then_recalled_with_its_source(tmp_path: Path) -> None:
    propose = use("propose_fact", topic="package-manager", text="This codebase uses pnpm.")
    home, place, script = running(tmp_path, plan("Look"), LOOK, propose, END)
    home.run()
    (row,) = home.look("SELECT id FROM memories")
    open_run(home.app.write, home.app.desk, home.actor, NewRun("second", "Tidy", "migration", place))
    script.left = [plan("Look"), LOOK, END]
    home.run()
    before = [text_of(one, "memory") for one in script.asked]
    actor = home.actor
    home.app.act(actor, "allow", lambda tx: change_memory(tx, actor, "allow", str(row[0])))
    open_run(home.app.write, home.app.desk, home.actor, NewRun("third", "Tidy", "migration", place))
    script.left = [plan("Look"), LOOK, END]
    home.run()

    assert set(before) == {""}
    assert f"{RUN}#" in text_of(script.asked[-1], "memory")
    assert "This codebase uses pnpm." in text_of(script.asked[-1], "memory")


def test_a_note_of_a_person_is_in_the_next_call_with_its_version(tmp_path: Path) -> None:
    home, _, script = running(tmp_path, plan("Drop", "Look"), DROP, LOOK, END)
    home.run()
    actor, desk = home.actor, home.app.desk
    home.app.act(actor, "note", lambda tx: write_note(tx, desk, actor, RUN, "Keep the old names."))
    home.app.act(actor, "note", lambda tx: approve_written_note(tx, desk, actor, RUN, None))
    home.answer(home.question(RUN).id, Answer("reject", home.question(RUN).version, {}))
    home.run()

    note = next(item for item in script.asked[2].items if item.slot == "note")
    assert (note.text, note.version) == ("Keep the old names.", 1)


@pytest.mark.seed("agent.receipt.small")
def test_a_checkpoint_stays_small_however_many_steps_came_before(tmp_path: Path) -> None:
    home, _ = migrated(tmp_path, scale=10)
    sizes = [len(bytes(row[0])) for row in home.look("SELECT sealed FROM checkpoint_sections")]  # type: ignore[call-overload]

    assert len(sizes) > 100
    assert max(sizes) < 4_000
    assert sum(sizes[-20:]) < 2 * sum(sizes[20:40]) + 4_000


def test_code_that_lost_a_tool_says_so_and_does_nothing(tmp_path: Path) -> None:
    home, place, script = running(tmp_path, plan("Drop", "Look"), DROP, LOOK, END)
    home.run()
    home.decide(RUN)
    fewer = [one for one in TOOLS if one.name != "drop_table"]
    script.left = [plan("Look", reason="It cannot be dropped."), LOOK, END]
    home = home.with_code(agent_workflow([one.spec for one in fewer]), tool=Tools(fewer))
    home.run()

    assert ("unknown_tool", "The loaded code has no tool drop_table any more.") in tried(home)
    assert ask(place / "a.db", "SELECT count(*) FROM t") == [(20,)]


GOLDEN = (("constraint", "quiet"), ("decision", "names"), ("blocker", "disk"))


@pytest.mark.seed("agent.resume.step-5-85")
def test_folding_of_older_steps_loses_no_line_that_is_not_resolved(tmp_path: Path) -> None:
    keeps = [use("keep_line", kind=kind, key=key, text=f"About {key}.") for kind, key in GOLDEN]
    rest = plan(*(f"Look {n}" for n in range(40)))
    looks = [use("inspect_schema", database="a.db"), use("count_rows", database="a.db", table="t")] * 20
    last = [use("resolve_line", key="disk"), END]
    home, _, script = running(tmp_path, rest, *keeps, *looks, *last)
    home.run()
    before, after = script.asked[-2], script.asked[-1]

    assert [f"{kind} {key} (a script): About {key}." for kind, key in GOLDEN] == text_of(before, "lines").split("\n")
    assert "blocker" not in text_of(after, "lines")
    assert len([item for item in before.items if item.slot == "summaries"]) == 24
    assert "All acts so far: 40 (count_rows 20, inspect_schema 20)" in text_of(before, "facts")
    assert home.ending(RUN) == ("completed", "done")


@pytest.mark.seed("agent.resume.no-replay")
def test_a_call_after_thousands_of_steps_reads_what_one_after_a_few_does() -> None:
    few, many = measure(30), measure(3_000)

    assert int(str(many["packet_tokens"])) < int(str(few["packet_tokens"])) * 1.05 + 20
    assert int(str(many["checkpoint_bytes"])) < 2_000
    assert int(str(many["transcript_tokens"])) > 50 * int(str(few["transcript_tokens"]))
