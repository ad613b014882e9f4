"""Real commands in processes of their own, scored by the real client against a server on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.clock import pulse
from tests import messages_api as api
from tests.crash.processes import KILLED, ROOT
from tests.homes import CV, Home
from tests.messages_api import KEY, MODEL, MessagesApi, messages_api

pytestmark = pytest.mark.crash
ENDS_WITHIN = 100.0
THREAD = "role-14/app-0001"


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


class Shell:
    """The command line as a process of its own, in a home whose model is Claude."""

    def __init__(self, home: Home, server: MessagesApi, cwd: Path) -> None:
        settings = home.app.settings
        assert settings.now is not None
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("DAYBOOK_", "ANTHROPIC_"))}
        self.cwd = cwd
        self.environment = kept | {
            "DAYBOOK_HOME": str(settings.home.resolve()),
            "DAYBOOK_NOW": settings.now.isoformat(),
            "DAYBOOK_MODEL": MODEL,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": server.url,
            "PYTHONPATH": str(ROOT),
        }
        if settings.database_url is not None:
            self.environment["DAYBOOK_DATABASE_URL"] = settings.database_url

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "core", *words],
            cwd=self.cwd, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def read(self, *words: str) -> Any:
        process = self.start(*words, "--json")
        out, err = process.communicate(timeout=ENDS_WITHIN)
        assert process.returncode == 0, err
        return json.loads(out)

    def apply(self) -> str:
        (self.cwd / "cv.txt").write_text(CV.format(name="Ann Example", email="ann@example.com"))
        words = ("apply", "role-14", "--cv", "cv.txt", "--name", "Ann Example", "--email", "ann@example.com")
        return str(self.read(*words)["accepted"][0]["thread"])


@pytest.fixture
def shell(home: Home, server: MessagesApi, tmp_path: Path) -> Shell:
    (tmp_path / "files").mkdir()
    return Shell(home, server, tmp_path / "files")


def test_an_application_is_scored_by_commands_and_every_token_is_told(
    home: Home, shell: Shell, server: MessagesApi
) -> None:
    assert shell.apply() == THREAD

    shell.read("worker", "--until-idle")

    assert (home.ending(THREAD)[0], home.question(THREAD).facts["total"]) == ("awaiting_review", 15)
    (call,) = shell.read("thread", THREAD)["calls"]
    tokens = {
        "fresh": 3_700,
        "cache_write_5m": 10,
        "cache_write_1h": 20,
        "cache_read": 40,
        "output": 250,
        "thinking": 7,
    }
    assert (call["tokens"], call["usage"], call["model"], call["usd"]) == (tokens, "known", MODEL, "0.010009")
    costs = shell.read("costs", "--role", "role-14")
    told = [costs[name] for name in ("recorded_usd", "estimated_usd", "unpriced_calls", "calls")]
    assert told == ["0.010009", "0.00", 0, 1]
    assert home.verify() == []
    assert len(server.asked) == 1


def test_a_worker_killed_between_call_and_settle_leaves_unknown_usage_and_the_step_runs_anew(
    home: Home, shell: Shell, server: MessagesApi
) -> None:
    server.say(api.HANGING)
    assert home.apply() == THREAD
    worker = shell.start("worker", "--until-idle")
    assert server.reached.wait(ENDS_WITHIN)
    worker.kill()
    worker.communicate()
    assert worker.returncode == KILLED

    (left,) = shell.read("thread", THREAD)["calls"]
    assert (left["status"], left["usage"], left["tokens"], left["usd"]) == ("open", "unknown", None, None)
    server.say(api.by_evidence())
    shell.read("worker", "--until-idle")

    whole = home.thread(THREAD)
    assert whole.thread.status == "awaiting_review"
    assert [(one.status, one.is_usage_unknown) for one in whole.calls] == [("open", True), ("answered", False)]
    assert [(one.step, one.result) for one in whole.attempts] == [("score", "died")]
    costs = shell.read("costs")
    assert [costs[name] for name in ("recorded_usd", "calls", "unknown_calls")] == ["0.010009", 2, 1]
    assert Decimal(costs["estimated_usd"]) == Decimal(left["estimated_usd"]) > 0
    assert home.verify() == []


def test_a_worker_killed_with_several_calls_out_asks_each_anew_and_doubles_nothing(
    home: Home, shell: Shell, server: MessagesApi
) -> None:
    server.say(api.HANGING)
    ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(3)]
    worker = shell.start("worker", "--until-idle")
    until = pulse() + ENDS_WITHIN
    while len(server.asked) < len(ids) and pulse() < until:
        server.reached.wait(0.01)
    worker.kill()
    worker.communicate()

    server.let_go.set()
    server.say(api.by_evidence())
    shell.read("worker", "--until-idle")

    for thread_id in ids:
        whole = home.thread(thread_id)
        assert whole.thread.status == "awaiting_review"
        assert [one.status for one in whole.calls] == ["open", "answered"]
        assert [(one.step, one.result) for one in whole.attempts] == [("score", "died")]
    assert len(server.asked) == 2 * len(ids)
    assert home.verify() == []
