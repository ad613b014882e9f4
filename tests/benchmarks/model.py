"""What a slow model costs: applicants scored by the real client against a server that takes its time for each answer.

The server is on this machine and no model; each answer takes `delay` seconds. Timed from the first claim until every
applicant has a question.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.bootstrap import App, open_app
from core.clock import FIXTURE_START
from core.settings import Settings
from tests.benchmarks.screening import accept_all, add_demo_role, read_applicants, timed
from tests.messages_api import Answer, MessagesApi, by_evidence, messages_api


def run(applicants: int, delay: float, calls: int) -> dict[str, object]:
    """Score so many applicants, `calls` at once, and answer the line."""
    with tempfile.TemporaryDirectory() as folder, messages_api() as server:
        server.say(_slow(delay))
        app = _open(Path(folder) / "home", server, calls)
        accept_all(app, add_demo_role(app), read_applicants(Path(folder) / "files", applicants, as_text=True))
        engine = app.engine("benchmark")
        wall_s = timed(engine.run_until_idle)
        engine.stop()
        asked, doubled, waiting = _count(app)
        app.close()
    return {
        "peer": "daybook",
        "workload": "model",
        "threads": applicants,
        "delay_s": delay,
        "calls_at_once": calls,
        "calls": asked,
        "wall_s": round(wall_s, 2),
        "one_by_one_s": round(asked * delay, 2),  # the waiting alone
        "duplicates": doubled,
        "lost": applicants - waiting,
    }


def _slow(delay: float) -> Callable[[Mapping[str, Any]], Answer]:
    answer = by_evidence()

    def said(body: Mapping[str, Any]) -> Answer:
        time.sleep(delay)
        made = answer(body)
        assert isinstance(made, Answer)
        return made

    return said


def _open(home: Path, server: MessagesApi, calls: int) -> App:
    settings = Settings(home=home, now=FIXTURE_START, hold_seconds=0, model_calls=calls, _env_file=None)  # type: ignore[call-arg]
    app = open_app(settings)
    return replace(app, parts=replace(app.parts, model=server.model()))


def _count(app: App) -> tuple[int, int, int]:
    """Answer how many calls were made, how many of them beyond one a thread, how many threads have a question."""
    with app.read() as conn:
        calls = conn.exec_driver_sql("SELECT count(*), count(DISTINCT thread_id) FROM model_calls").one()
        waiting = conn.exec_driver_sql("SELECT count(*) FROM threads WHERE status = 'awaiting_review'").scalar_one()
    return int(calls[0]), int(calls[0] - calls[1]), int(waiting)
