"""What a forked process does."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

import core.desk.intake
import core.engines.worker
import core.web.api
from core.adapters.outbox import Outbox
from core.bootstrap import App
from core.cli.work import _serve
from core.desk.decisions import Answer, decide_approval
from core.engines.local import LocalEngine
from core.errors import Refused, StepFailed
from core.runner.runner import Runner
from core.web import middleware, routes
from tests.crash import errands, seams
from tests.crash.post import Post
from tests.homes import Home, open_home


def _open(home: str, now: str | None, hold: int | None) -> Home:
    return open_home(Path(home), now=None if now is None else datetime.fromisoformat(now), hold_seconds=hold)


def work(
    home: str,
    now: str | None,
    hold: int | None,
    *,
    seam: str | None = None,
    wait: str | None = None,
    signals: str | None = None,
    group: int | None = None,
    post: Mapping[str, Any] | None = None,
    deadly: str | None = None,
    zone: str | None = None,
    mail: str | None = None,
    reads: str | None = None,
) -> None:
    """Drive what is due; die at a seam or of one letter, or wait at a place; `reads` is where reads are counted."""
    _live_in(zone)
    if mail is not None:
        os.environ["DAYBOOK_MAIL"] = mail
    opened = _open(home, now, hold)
    if deadly is not None:
        seams.die_before((Outbox, "deliver"), lambda _, prepared: prepared.envelope.key == deadly)
    if reads is not None:
        seams.count_reads(Path(reads))
    if seam is not None:
        (seams.READ_SEAMS if seam in seams.READ_SEAMS else seams.EFFECT_SEAMS)[seam].install(opened.app)  # type: ignore[attr-defined]
    if wait is not None and signals is not None:
        core.engines.worker.PULSE_SECONDS = 3600  # whoever waits here was stopped whole, its pulse too
        WAITS[wait](opened.app, signals)
    engine = engine_of(opened.app, post)
    if group is not None:
        engine._worker.runner._group = group
    if wait is None and signals is not None:
        seams.meet(signals)
    engine.run_until_idle()
    engine.stop()


def engine_of(app: App, post: Mapping[str, Any] | None = None) -> LocalEngine:
    """Make a worker that also knows errands, and sends by another post where one is named."""
    adapters = app.parts.adapters if post is None else {"mail": Post(app.home / "post", **post)}
    workflows = {**app.parts.workflows, errands.ERRANDS.name: errands.ERRANDS}
    parts = replace(app.parts, adapters=adapters, workflows=workflows)
    return LocalEngine(parts, app.locks, "test", frozen=app.settings.frozen_now)


def _live_in(zone: str | None) -> None:
    if zone is not None:
        os.environ["TZ"] = zone
        time.tzset()


WAITS: dict[str, Callable[[App, str], None]] = {
    "scoring": lambda app, signals: seams.wait_at((type(app.parts.model), "answer"), signals),
    "scoring, then failing": lambda app, signals: _fail_after_meeting(app, signals),
    "putting back": lambda app, signals: seams.wait_at((Runner, "_put_back"), signals),
    "preparing": lambda app, signals: seams.wait_at((type(app.outbox), "prepare"), signals),
    "delivered": lambda app, signals: seams.wait_at((type(app.outbox), "deliver"), signals, after=True),
}


def _fail_after_meeting(app: App, signals: str) -> None:
    def answer(*_: object) -> None:
        seams.meet(signals)
        raise StepFailed("The model did not answer.")

    type(app.parts.model).answer = answer  # type: ignore[method-assign,assignment]


def serve(home: str, now: str | None, hold: int | None, *, signals: str, zone: str | None = None) -> None:
    """Work with a metronome until killed."""
    _live_in(zone)
    engine = engine_of(_open(home, now, hold).app)
    engine.run_until_idle()
    engine.start()
    seams.meet(signals)
    signal.pause()


def serve_slowly(home: str, now: str | None, hold: int | None, *, signals: str, seconds: float) -> None:
    """Work with a metronome and a slow model until SIGTERM, saying when the first packet is answered."""
    opened = _open(home, now, hold)
    answer, calls = type(opened.app.parts.model).answer, 0

    def slowly(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            Path(signals, "reached").write_bytes(b".")
        time.sleep(seconds)
        return answer(*args)

    type(opened.app.parts.model).answer = slowly  # type: ignore[method-assign]
    engine = opened.app.engine("test")
    _serve(engine)
    engine.stop()


def decide(
    home: str,
    now: str | None,
    hold: int | None,
    *,
    approval: str,
    version: int,
    by: str,
    said: str,
    signals: str | None = None,
    dies: bool = False,
) -> None:
    """Answer one approval, write down what was said to that, and perhaps die before anybody hears of it."""
    opened = _open(home, now, hold)
    actor = opened.app.actor(opened.tenant_id, by, "page")
    if signals is not None:
        seams.meet(signals)
    try:
        answer = Answer("approve", version)
        opened.app.act(actor, "decide", lambda tx: decide_approval(tx, opened.app.desk, actor, approval, answer))
    except Refused as refused:
        Path(said).write_text(json.dumps({"code": refused.code, "sentence": refused.sentence}))
    else:
        Path(said).write_text(json.dumps({"code": "done"}))
    if dies:
        seams.die()


def apply(home: str, now: str | None, hold: int | None, *, seam: str | None = None, signals: str | None = None) -> None:
    """Hand one application in; die at a seam, or wait with the blob kept and nothing committed."""
    opened = _open(home, now, hold)
    if seam is not None:
        seams.INTAKE_SEAMS[seam]()
    if signals is not None:
        seams.wait_at((core.desk.intake, "_keep"), signals, after=True)
    opened.apply()


def hold_write(home: str, now: str | None, hold: int | None, *, signals: str) -> None:
    """Hold a write transaction open until let go."""
    opened = _open(home, now, hold)
    with opened.app.write():
        seams.meet(signals)


def request(
    home: str,
    now: str | None,
    hold: int | None,
    *,
    key: str,
    sent: Mapping[str, str],
    idempotency: str | None,
    said: str,
    signals: str | None = None,
    place: str | None = None,
) -> None:
    """Answer one application by program as a server of its own; meet the others before it, or at a place on the way."""
    opened = _open(home, now, hold)
    settings = opened.app.settings
    os.environ |= {"DAYBOOK_HOME": home, "DAYBOOK_NOW": str(now)}
    if settings.database_url is not None:
        os.environ["DAYBOOK_DATABASE_URL"] = settings.database_url
    serving = TestClient(Starlette(routes=routes, middleware=middleware), base_url="http://127.0.0.1:8501")
    headers = {"authorization": f"Bearer {key}"} | ({} if idempotency is None else {"idempotency-key": idempotency})
    if signals is not None and place is not None:
        seams.wait_at(REQUEST_WAITS[place], signals, after=True)
    elif signals is not None:
        seams.meet(signals)
    answer = serving.post("/api/applications", json=dict(sent), headers=headers)
    Path(said).write_text(json.dumps([answer.status_code, answer.json()]))


# Where several servers are made to stand at once: none found an answer, and none has written one.
REQUEST_WAITS: dict[str, tuple[Any, str]] = {"asked": (core.web.api, "_find"), "kept": (core.desk.intake, "_keep")}
ACTS: dict[str, Callable[..., None]] = {
    "work": work,
    "serve": serve,
    "serve slowly": serve_slowly,
    "decide": decide,
    "apply": apply,
    "hold a write": hold_write,
    "request": request,
}
