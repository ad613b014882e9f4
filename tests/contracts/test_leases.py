"""A worker that lives keeps what it holds, however slow a step is; only one that died is said to have died."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import core.engines.worker
from core.clock import pulse
from core.engines.local import LocalEngine
from core.steps import Finish, Kit, Outcome
from core.threads.claim import LEASE_SECONDS
from tests.contracts.tiny import ONE, Slip, begun, workflow
from tests.homes import Home

SOON = 30.0


def lease_age(home: Home) -> float:
    """Answer for how long the thread's lease was not renewed."""
    ((renewed,),) = home.look("SELECT lease_pulse FROM threads WHERE id = :id", id=ONE)
    return pulse() - float(str(renewed))


def let_lease_run_out(home: Home) -> None:
    home.change("UPDATE threads SET lease_pulse = :then", then=pulse() - LEASE_SECONDS - 1)


def another(home: Home) -> LocalEngine:
    return home.app.engine("another")


def drive_elsewhere(home: Home) -> int:
    """Let another worker do what is due, what it may take over included."""
    engine = another(home)
    try:
        return engine.run_until_idle()
    finally:
        engine.stop()


def died(home: Home) -> list[tuple[object, ...]]:
    return home.look("SELECT result, code FROM attempts WHERE thread_id = :id", id=ONE)


def test_a_slow_step_keeps_its_lease_and_is_performed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.engines.worker, "PULSE_SECONDS", 0.01)
    performed: list[int] = []

    def slow(_kit: Kit, _state: Slip) -> Outcome:
        let_lease_run_out(home)
        until = time.monotonic() + SOON
        while lease_age(home) > LEASE_SECONDS and time.monotonic() < until:
            pass
        performed.append(drive_elsewhere(home))
        return Finish(Slip(("slow",)), "done", "completed", "Done.")

    home = begun(tmp_path, workflow(slow))

    assert home.run() == 1
    assert (performed, home.ending(ONE), died(home)) == ([0], ("completed", "done"), [])


def test_a_step_that_gives_no_sign_loses_its_lease_and_nobody_is_said_to_have_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    performed: list[int] = []

    def hanging(_kit: Kit, _state: Slip) -> Outcome:
        if not performed:
            performed.append(0)
            monkeypatch.setattr(core.engines.worker, "LONGEST_STEP_SECONDS", 0.0)
            let_lease_run_out(home)
            engine._worker.beat()
            performed.append(drive_elsewhere(home))
        return Finish(Slip(("late",)), "done", "completed", "Done.")

    home = begun(tmp_path, workflow(hanging))
    engine = home.app.engine("test")
    engine.run_until_idle()
    engine.stop()

    assert (performed, home.ending(ONE), died(home)) == ([0, 1], ("completed", "done"), [])
    assert [one["died"] for one in home.audit("lease_taken_over")] == [False]
