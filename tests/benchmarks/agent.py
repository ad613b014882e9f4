"""What one call of an agent run reads, and what a turn costs, at step 5, 85, 1,000 and 10,000.

The steps before are planted: rows of the plan, receipts and state as settled steps leave them. Then real turns are run
and timed, with a tool that does nothing and a model that answers at once. A replayed transcript is counted from
the same rows: the first packet, and since then each choice and each whole output once.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert

from core.adapters.tools import Tools
from core.adapters.tools.tool import Output, Place, Tool
from core.bootstrap import open_app
from core.clock import FIXTURE_START
from core.desk.agents import NewRun, open_run
from core.ports import ModelReply, Request
from core.runner import perform as performing
from core.runner import runner as running
from core.settings import Settings
from core.steps import Rule, estimate_tokens
from core.threads.codec import codec_of
from core.threads.save import seal_summary
from core.threads.tables import PlanStep
from core.workflows.agent import AgentRun, agent_workflow
from core.workflows.agent.state import Fact, Line
from tests.homes import Home

STEPS = (5, 85, 1_000, 10_000)
TURNS = 20
OUTPUT = b"a line of what the tool brought, as it stands\n" * 120  # 5,520 bytes, a small output
_plan = PlanStep.__table__  # type: ignore[attr-defined]


class Nothing(msgspec.Struct):
    """No arguments that matter."""

    n: int = 0


def _bring(_place: Place, asked: Nothing) -> Output:
    return Output(f"Copied 100 rows of orders (batch {asked.n})", OUTPUT, {"orders copied up to": str(asked.n)})


class Prompt:
    """Answers at once: the plan, then one act a turn."""

    label, leaves_machine, answers_within_s, output_limit = "a prompt answer", False, 1.0, 0

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.n = 0

    def answer(self, request: Request) -> ModelReply:
        """Choose, and note what was read."""
        told = json.dumps([tool.told for tool in request.tools])
        self.tokens.append(
            estimate_tokens(request.instructions + told) + sum(estimate_tokens(one.text) for one in request.items)
        )
        self.n += 1
        names = {tool.name for tool in request.tools}
        if "query" not in names:
            steps = [f"Copy orders, batch {self.n + at}" for at in range(40)]
            return ModelReply(_use("write_plan", reason="The next batches.", steps=steps), self.label)
        return ModelReply(_use("query", n=self.n), self.label)


def _use(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


def run() -> dict[str, object]:
    """Measure at each number of steps, and answer the line."""
    return {"peer": "daybook", "workload": "agent", "at": [measure(steps) for steps in STEPS]}


def measure(steps: int) -> dict[str, object]:
    """Plant so many steps, run a few turns behind them, and answer what they read and took."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder) / "home", now=FIXTURE_START, hold_seconds=0, _env_file=None)  # type: ignore[call-arg]
        app = open_app(settings)
        tool, model = Tool("query", "Copy a batch.", Nothing, _bring), Prompt()
        home = Home(app).with_code(agent_workflow([tool.spec]), tool=Tools([tool])).with_model(model)
        open_run(app.write, home.app.desk, home.actor, NewRun("run", "Move the shop", "migration", Path(folder)))
        _plant(home, steps)
        packets, settles, turns = _timed(home, model)
        (row,) = home.look("SELECT max(length(sealed)) FROM checkpoint_sections")
        app.close()
    chosen = estimate_tokens(json.dumps(_use("query", n=steps)))
    transcript = model.tokens[0] + steps * (estimate_tokens(OUTPUT.decode()) + chosen)
    return {
        "step": steps,
        "packet_tokens": max(model.tokens[1:]),
        "transcript_tokens": transcript,
        "packet_ms": round(packets, 2),
        "settle_ms": round(settles, 2),
        "turn_ms": round(turns, 2),
        "checkpoint_bytes": row[0],
    }


def _plant(home: Home, steps: int) -> None:
    """Write a plan of which so many steps are behind, and the state that they leave: full facts, full kept lines."""
    keys = home.app.vault.keys(home.tenant_id, "run")
    whose = {"tenant_id": home.tenant_id, "thread_id": "run"}
    rows = [
        {
            **whose, "position": 1 + at, "step": f"step/{at + 1}", "title": f"Step {at + 1}", "status": "done",
            "summary": seal_summary(keys, f"step/{at + 1}", f"Copied 100 rows of orders (batch {at + 1})"),
            "receipts": ["blob:a41f00000000"], "done_at": FIXTURE_START, "revision": 1,
        }
        for at in range(steps)
    ]  # fmt: skip
    state = AgentRun("migration", "", str(home.app.home), "shop", acts=steps, tally={"query": steps})
    facts = tuple(Fact(f"table {at} rows", f"{at * 100}, highest rowid {at * 100}", at) for at in range(30))
    lines = tuple(Line("constraint", f"c{at}", "Touch nothing before the shop closes.", "a model") for at in range(12))
    codec = codec_of(AgentRun)
    section = codec.sections(codec.encode(replace(state, facts=facts, lines=lines)))[Rule.CLOSE_6_MONTHS]
    with home.app.write() as tx:
        tx.conn.exec_driver_sql(f"UPDATE plan_steps SET position = {steps + 1} WHERE step = 'close'")
        tx.conn.exec_driver_sql("UPDATE plan_steps SET status = 'done' WHERE step = 'plan'")
        tx.conn.execute(insert(_plan), rows)
        for table, place in (("thread_sections", "run"), ("checkpoint_sections", "run#0")):
            sealed = keys.seal(Rule.CLOSE_6_MONTHS, table, place, section)
            tx.conn.exec_driver_sql(f"UPDATE {table} SET sealed = ? WHERE rule = 'close_6_months'", (sealed,))
        tx.conn.exec_driver_sql("UPDATE threads SET step = 'close'")
        tx.conn.exec_driver_sql(
            "INSERT INTO plan_revisions"
            " SELECT tenant_id, id, 1, 'plan', 'a model', ?, ?, 0, ?, created_at FROM threads",
            (keys.seal(Rule.CLOSE_6_MONTHS, "plan_revisions", "run#1", b"The first batches."), steps, steps),
        )


def _timed(home: Home, model: Prompt) -> tuple[float, float, float]:
    """Run so many turns, and answer the middle milliseconds of a packet, of a settle and of a turn."""
    packets: list[float] = []
    settles: list[float] = []
    turns: list[float] = []
    engine = home.app.engine("benchmark", tenant_id=home.tenant_id)
    build, settle, answer = performing.StepKit.build, running.settle, model.answer

    def counted(request: Request) -> ModelReply:
        turns.append(time.perf_counter())
        if len(turns) > TURNS:
            return ModelReply(_use("finish", outcome="given_up", line="Measured."), model.label)
        return answer(request)

    performing.StepKit.build = _watch(build, packets)  # type: ignore[method-assign, assignment]
    running.settle = _watch(settle, settles)  # type: ignore[assignment]
    model.answer = counted  # type: ignore[method-assign]
    try:
        engine.run_until_idle()
    finally:
        performing.StepKit.build, running.settle = build, settle  # type: ignore[method-assign]
        engine.stop()
    spans = [after - before for before, after in pairwise(turns[1:])]
    return tuple(1000 * statistics.median(one) for one in (packets[1:], settles[1:], spans))  # type: ignore[return-value]


def _watch(act: Callable[..., Any], took: list[float]) -> Callable[..., Any]:
    def watched(*given: Any, **named: Any) -> Any:
        begun = time.perf_counter()
        try:
            return act(*given, **named)
        finally:
            took.append(time.perf_counter() - begun)

    return watched
