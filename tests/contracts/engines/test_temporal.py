"""Temporal's own: nudges and their relay, workflows that are reset or terminated, what stands in histories."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import ResetWorkflowExecutionRequest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowHistory
from temporalio.worker import Replayer

from core.engines.temporal.line import NAMESPACE, answers, quiet_runtime
from core.engines.temporal.relay import workflow_id
from core.engines.temporal.workflow import LONGEST_HISTORY, ThreadWorkflow
from core.errors import AlreadyDecided, BadInput
from core.steps import Advance, Finish, Kit, Outcome, Wait
from tests.contracts.engines.record import RECORDED
from tests.contracts.engines.world import World, driven_by_temporal, opened
from tests.contracts.tiny import Slip
from tests.databases import POSTGRES, SQLITE
from tests.temporal_server import run_apart, shared_server

T = TypeVar("T")
CANARY = "Harrow Mill Bakery"


@pytest.fixture(scope="module", params=[SQLITE, POSTGRES])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with opened(tmp_path_factory.mktemp("world"), "temporal", request.param) as made:
        yield made


def test_whoever_runs_a_loop_may_ask_whether_the_server_answers() -> None:
    async def ask_beside_it(address: str) -> bool:
        return answers(address)

    assert run_apart(ask_beside_it(shared_server().address))
    assert not run_apart(ask_beside_it("127.0.0.1:1"))


def nudges(world: World) -> list[object]:
    return [row[0] for row in world.home.look("SELECT thread_id FROM nudges ORDER BY thread_id")]


def name_of(world: World, thread_id: str) -> str:
    ((home_id,),) = world.home.look("SELECT home_id FROM engines")
    return workflow_id(str(home_id), world.home.tenant_id, thread_id)


def ask(world: World, question: Callable[[Client], Coroutine[Any, Any, T]]) -> T:
    """Ask the server something."""

    async def asking() -> T:
        address = world.home.app.settings.temporal
        return await question(await Client.connect(address, namespace=NAMESPACE, runtime=quiet_runtime()))

    return run_apart(asking())


def status_of(world: World, thread_id: str) -> WorkflowExecutionStatus | None:
    async def look(client: Client) -> WorkflowExecutionStatus | None:
        return (await client.get_workflow_handle(name_of(world, thread_id)).describe()).status

    return ask(world, look)


def history_of(world: World, thread_id: str) -> WorkflowHistory:
    return ask(world, lambda client: client.get_workflow_handle(name_of(world, thread_id)).fetch_history())


@pytest.fixture(params=[SQLITE, POSTGRES])
def untold(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A home that Temporal drives and whose worker has told the server nothing yet."""
    with opened(tmp_path, "local", request.param) as made:
        made.threads = [made.invited(), made.held(), made.asked()]
        worker = driven_by_temporal(made.home, shared_server().address).app.engine("test")
        try:
            assert nudges(made) == sorted(made.threads)  # whatever has not ended is told at the beginning
            made.home.change("DELETE FROM nudges")
            yield made
        finally:
            worker.stop()


def test_what_makes_a_thread_due_is_a_nudge_in_the_same_transaction_and_what_is_refused_is_none(untold: World) -> None:
    waiting, held, asked = untold.threads
    untold.home.decide(asked)
    assert nudges(untold) == [asked]
    with pytest.raises(AlreadyDecided):
        untold.home.decide(asked)
    assert nudges(untold) == [asked]
    untold.home.book(waiting)
    untold.home.undo(held)
    new = untold.home.apply("Bea Example", "bea@example.com")
    assert nudges(untold) == sorted([asked, waiting, held, new])


def test_a_moved_clock_nudges_what_it_makes_due_and_nothing_else(untold: World) -> None:
    _, held, _ = untold.threads
    untold.home.change("UPDATE tenants SET clock_offset_ms = clock_offset_ms + 1000 WHERE id = :id", id="home")
    assert nudges(untold) == []
    untold.home.change("UPDATE tenants SET clock_offset_ms = clock_offset_ms + 899000 WHERE id = :id", id="home")
    assert nudges(untold) == [held]


def test_while_the_local_engine_drives_there_are_no_nudges(untold: World) -> None:
    untold.home.app.engine("local").stop()
    untold.home.release(untold.threads[1])
    assert nudges(untold) == []


def test_back_from_the_local_engine_every_thread_is_told_anew(world: World) -> None:
    thread_id = world.held()
    local = replace(world.home.app, settings=world.home.app.settings.model_copy(update={"engine": "local"}))
    local.engine("local").stop()
    world.home.release(thread_id)
    world.home.app.engine("temporal").stop()  # from its start on the server is told again
    world.run()
    assert (world.letters(thread_id), nudges(world)) == (["invite"], [])


def test_a_terminated_workflow_begins_anew_and_repeats_no_effect(world: World) -> None:
    thread_id = world.invited()
    ask(world, lambda client: client.get_workflow_handle(name_of(world, thread_id)).terminate())
    assert status_of(world, thread_id) is WorkflowExecutionStatus.TERMINATED
    world.home.change("UPDATE tenants SET clock_offset_ms = clock_offset_ms + 86400000 WHERE id = :id", id="home")
    world.run()
    assert (world.letters(thread_id), status_of(world, thread_id)) == (
        ["invite", "reminder"], WorkflowExecutionStatus.RUNNING
    )  # fmt: skip


def test_what_nobody_took_for_two_rounds_is_nudged_again(world: World) -> None:
    thread_id = world.held()
    ask(world, lambda client: client.get_workflow_handle(name_of(world, thread_id)).terminate())
    with world.home.app.store.write() as tx:
        tx.conn.exec_driver_sql("UPDATE tenants SET clock_offset_ms = clock_offset_ms + 900000 WHERE id = 'home'")
        tx.conn.exec_driver_sql("DELETE FROM nudges")  # as by a server that lost what it was told
    world.engine._nudge_overdue()  # type: ignore[attr-defined]
    assert nudges(world) == []
    world.engine._nudge_overdue()  # type: ignore[attr-defined]
    world.run()
    assert world.letters(thread_id) == ["invite"]


def test_a_reset_workflow_is_answered_what_was_recorded_and_repeats_no_effect(world: World) -> None:
    thread_id = world.invited()
    before = [(one.number, one.step) for one in world.home.thread(thread_id).checkpoints]

    async def reset(client: Client) -> None:
        handle = client.get_workflow_handle(name_of(world, thread_id))
        run_id = (await handle.describe()).run_id
        begun = WorkflowExecution(workflow_id=handle.id, run_id=run_id)
        await client.workflow_service.reset_workflow_execution(
            ResetWorkflowExecutionRequest(
                namespace=NAMESPACE, workflow_execution=begun, reason="a test", workflow_task_finish_event_id=4,
                request_id=thread_id,
            )
        )  # fmt: skip

    ask(world, reset)
    world.home.change("UPDATE tenants SET clock_offset_ms = clock_offset_ms + 3600000 WHERE id = :id", id="home")
    world.home.book(thread_id)
    world.run()
    assert world.letters(thread_id) == ["invite"]
    after = [(one.number, one.step) for one in world.home.thread(thread_id).checkpoints]
    assert (after[: len(before)], world.home.ending(thread_id)) == (before, ("completed", "booked"))


def test_histories_hold_ids_and_numbers_and_the_name_of_an_error(world: World) -> None:
    thread_id = world.invited()

    def breaks(_kit: Kit, _state: Slip) -> Outcome:
        raise ValueError(f"{CANARY} of Ann Example")

    broken = world.play("secret", breaks)
    world.run()
    for one in (thread_id, broken):
        said = history_of(world, one).to_json()
        inputs = [json.loads(part) for part in payloads(said)]
        assert {key for value in inputs if isinstance(value, dict) for key in value} <= {
            "tenant", "thread", "checkpoint", "sleep_ms", "has_ended"
        }  # fmt: skip
    stored = shared_server().stored()
    assert [word for word in (CANARY, "Ann Example", "ann1@example.com") if word.encode() in stored] == []


def payloads(history: str) -> list[str]:
    """Answer what stands in a history's payloads."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "data" in value and "metadata" in value:
                found.append(b64decode(value["data"]).decode())
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(history))
    return found


def test_a_long_thread_continues_as_new_and_performs_each_step_once(world: World) -> None:
    performed: list[int] = []
    most = LONGEST_HISTORY // 5

    def play(_kit: Kit, state: Slip) -> Outcome:
        performed.append(len(state.lines))
        if len(state.lines) < most:
            return Advance(Slip((*state.lines, "on")), "On.", to="play")
        return Finish(state, "done", "completed", "Done.")

    thread_id = world.play("long", play)
    world.run()
    assert performed == list(range(most + 1))
    first = ask(world, lambda client: _first_run(client, name_of(world, thread_id)))
    assert first is WorkflowExecutionStatus.CONTINUED_AS_NEW


async def _first_run(client: Client, name: str) -> WorkflowExecutionStatus | None:
    runs = [one async for one in client.list_workflows(f'WorkflowId = "{name}"')]
    return min(runs, key=lambda one: one.start_time).status


def test_a_step_of_a_thread_that_killed_three_times_runs_beside_nobody(world: World) -> None:
    at_once: list[int] = []
    hands = world.engine._worker.runner.hands  # type: ignore[attr-defined]

    def play(_kit: Kit, state: Slip) -> Outcome:
        at_once.append(hands._together)
        return Finish(state, "done", "completed", "Done.")

    beside = [world.play(f"beside {n}", lambda _, state: Finish(state, "done", "completed", "Done.")) for n in range(6)]
    thread_id = world.play("deadly", play)
    world.home.change("UPDATE threads SET deaths = 3 WHERE id = :id", id=thread_id)
    world.run()
    assert at_once == [1]
    assert {world.home.ending(one) for one in beside} == {("completed", "done")}


def test_one_tenant_alone_is_refused(world: World) -> None:
    with pytest.raises(BadInput):
        world.home.app.engine("test", tenant_id="home")


def test_a_timer_of_the_server_wakes_a_thread_on_the_real_clock(tmp_path: Path) -> None:
    with opened(tmp_path, "temporal", SQLITE) as world:
        world.home.change("UPDATE tenants SET clock = 'real', clock_start_at = NULL WHERE id = :id", id="home")

        def play(kit: Kit, state: Slip) -> Outcome:
            if state.lines:
                return Finish(state, "woken", "completed", "Woken.")
            at = kit.clock.now() + timedelta(milliseconds=300)
            return Wait(Slip(("waited",)), (), at, at, "it ends")

        thread_id = world.play("timer", play)
        while world.row(thread_id).status != "completed":
            world.run()
        assert world.home.ending(thread_id) == ("completed", "woken")
        fired = [one["eventType"] for one in json.loads(history_of(world, thread_id).to_json())["events"]]
        assert "EVENT_TYPE_TIMER_FIRED" in fired or "EVENT_TYPE_TIMER_STARTED" in fired


def test_recorded_histories_replay_over_the_workflow() -> None:
    histories = sorted(RECORDED.glob("*.json"))
    assert len(histories) == 3

    async def replay() -> None:
        replayer = Replayer(workflows=[ThreadWorkflow], runtime=quiet_runtime())
        for one in histories:
            await replayer.replay_workflow(WorkflowHistory.from_json(one.stem, one.read_text()))

    run_apart(replay())


def test_a_history_that_the_workflow_would_not_write_is_named() -> None:
    said = json.loads((RECORDED / "booked.json").read_text())
    scheduled = [one for one in said["events"] if one["eventType"] == "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED"]
    scheduled[0]["activityTaskScheduledEventAttributes"]["activityType"]["name"] = "another"

    async def replay() -> None:
        await Replayer(workflows=[ThreadWorkflow], runtime=quiet_runtime()).replay_workflow(
            WorkflowHistory.from_json("booked", json.dumps(said))
        )

    with pytest.raises(Exception, match=r"[Nn]ondeterminism|TMPRL1100"):
        run_apart(replay())
