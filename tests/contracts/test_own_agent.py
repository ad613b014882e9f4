"""The example of docs/agents.md: one file of tools, one goal."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.tools import TOOLS, Tools
from core.catalog import policies
from core.desk import agents
from core.desk.agents import NewRun, open_run
from core.workflows.agent import agent_workflow
from docs.examples.own_tools import COUNT_WORDS
from tests.contracts.agents import Script, plan, tried, use
from tests.homes import Home, open_home

SAID = (
    plan("Count the words of a.txt", "Write the report"),
    use("count_words", file="a.txt"),
    use("write_report", file="words.md", text="3 words"),
    use("finish", outcome="done", line="Counted."),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    policy = policies.read_policy("agent")
    policy["cases"]["words"] = {"tools": ["count_words", "write_report"]}
    monkeypatch.setattr(agents, "read_policy", lambda _name: policy)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("one two three")
    opened = open_home(tmp_path / "home")
    new = NewRun("words-1", "Count the words of every file", "words", tmp_path / "texts")
    open_run(opened.app.write, opened.app.desk, opened.actor, new)
    tools = [*TOOLS, COUNT_WORDS]
    return opened.with_code(agent_workflow([one.spec for one in tools]), tool=Tools(tools))


def test_a_tool_of_ones_own_carries_a_run_to_its_end(home: Home, tmp_path: Path) -> None:
    home.with_model(Script(*SAID)).run()

    assert home.ending("words-1") == ("completed", "done")
    assert home.summaries("words-1")["step/1"] == "a.txt has 3 words"
    assert (tmp_path / "texts" / "words.md").read_text() == "3 words"


def test_it_has_the_tools_of_its_case_and_no_others(home: Home) -> None:
    home.with_model(Script(SAID[0], use("drop_table", database="a.db", table="t"), *SAID[1:])).run()

    assert tried(home, "words-1") == [("unknown_tool", "drop_table: it is not offered at this step.")]
    assert home.ending("words-1") == ("completed", "done")
