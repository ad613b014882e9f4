"""Workflows of a few lines, for what screening never does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.ports import Delivery, Envelope
from core.steps import Effect, Finish, Kit, Outcome, Perform, Receipt, Rule, Step, Workflow, kept
from core.views.queue import list_queue
from tests.fakes import Died, FakeAdapter
from tests.homes import Home, open_home

ONE = "tiny/one"


@dataclass(frozen=True, slots=True)
class Slip:
    """What a tiny thread keeps: lines, in order."""

    lines: tuple[str, ...] = field(default=(), metadata=kept(Rule.CLOSE_6_MONTHS))


def workflow(*performs: Perform, **more: Any) -> Workflow:
    """Make a workflow whose steps are named as their functions are."""
    steps = tuple(Step(one.__name__, one.__name__.replace("_", " ").capitalize(), one) for one in performs)
    return Workflow(**{"name": "tiny", "version": 1, "state": Slip, "steps": steps, **more})


def begun(folder: Path, tiny: Workflow, *adapters: FakeAdapter, thread_id: str = ONE, state: Any = None) -> Home:
    """Open a home with this workflow loaded, its tools behind the given adapter, and one thread of it."""
    home = open_home(folder / "home").with_code(tiny, **({"tool": adapters[0]} if adapters else {}))
    home.begin(tiny, thread_id, Slip() if state is None else state)
    return home


def tool(name: str, **payload: Any) -> Effect:
    """Name an act of a tool."""
    return Effect(name, "tool", payload)


def done(_kit: Kit, state: Any) -> Outcome:
    """End the thread."""
    return Finish(state, "done", "completed", "Done.")


def said_of(receipts: tuple[Receipt, ...]) -> Mapping[str, str | None]:
    """Answer each key's last word with the outside's reference."""
    return {one.key.rsplit("/", 1)[-1]: one.result_ref for one in receipts}


TWO = "tiny/two"
SOON = timedelta(seconds=10)
LATER = [SOON, timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)]
ACT = f"{ONE}/act"


def acts(payload: dict[str, Any]) -> Callable[[Kit, Slip], Outcome]:
    """Make a step that acts once with what `payload` holds at the time."""

    def act(kit: Kit, state: Slip) -> Outcome:
        receipt = kit.once(tool("act", **payload))
        return Finish(Slip((str(receipt.result_ref),)), "done", "completed", f"Done: {receipt.result_ref}.")

    return act


def dying(home: Home) -> None:
    """Drive a home until its process ends."""
    with pytest.raises(Died):
        home.run()


def after_tries(home: Home, count: int) -> Home:
    """Let so many waits before the next try pass, driving after each."""
    now = home.actor.now
    for wait in LATER[:count]:
        now += wait
        home = home.at(now)
        home.run()
    return home


def raising(error: BaseException) -> Callable[[Envelope], Any]:
    """Answer an adapter's deed that raises."""

    def deed(_envelope: Envelope) -> Any:
        raise error

    return deed


def saying(*said: Delivery | None) -> Callable[[Envelope], Delivery | None]:
    """Answer a deed that says these things in turn, and then that it happened."""
    left = list(said)
    return lambda _envelope: left.pop(0) if left else None


def why_of(home: Home, thread_id: str = ONE) -> tuple[str | None, str]:
    """Answer why a thread is parked, and what its last attempt said."""
    whole = home.thread(thread_id)
    return whole.thread.parked_why, whole.attempts[-1].said


def asked(home: Home) -> list[tuple[str, str]]:
    """Answer what the queue holds: (thread, about)."""
    with home.app.read() as conn:
        return [(one.thread_id, one.about) for one in list_queue(conn, home.app.vault, home.tenant_id)]
