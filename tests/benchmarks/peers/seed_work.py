"""The seed workload as a workflow of this product: rules, score, route, review, invite, booking.

The steps' own work is the runner's (`workload`, on PYTHONPATH), the same for every engine, so that what differs is the
engine. A thread keeps what each step established, as a thread of the product does; its letter goes to the sink.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from core.ports import Delivery, Envelope, Prepared, Sent
from core.steps import (
    Advance,
    Effect,
    Finish,
    Interrupt,
    Json,
    Kit,
    Option,
    Outcome,
    Question,
    Rule,
    Step,
    Wait,
    Workflow,
    kept,
)

WINDOW = timedelta(hours=48)


def load_workload() -> Any:
    """Import the runner's data and steps."""
    try:
        return importlib.import_module("workload")
    except ModuleNotFoundError:
        raise SystemExit("There is no module `workload` on PYTHONPATH; start this through a runner of peers.") from None


@dataclass(frozen=True, slots=True)
class Application:
    """What a thread of the workload has established."""

    form: Mapping[str, Json] = field(metadata=kept(Rule.CLOSE_6_MONTHS))
    rules: tuple[Mapping[str, Json], ...] = field(default=(), metadata=kept(Rule.CLOSE_6_MONTHS))
    scores: tuple[Mapping[str, Json], ...] = field(default=(), metadata=kept(Rule.CLOSE_6_MONTHS))
    total: int | None = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS))
    rubric_version: int | None = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS))
    route: str | None = field(default=None, metadata=kept(Rule.CLOSE_6_MONTHS))
    verdict: Mapping[str, Json] = field(default_factory=dict, metadata=kept(Rule.CLOSE_6_MONTHS))
    invited: Mapping[str, Json] = field(default_factory=dict, metadata=kept(Rule.ROLE_CLOSE))
    booked: Mapping[str, Json] = field(default_factory=dict, metadata=kept(Rule.CLOSE_6_MONTHS))


def seed_workflow(work: Any) -> Workflow:
    """Make the workflow of the runner's steps."""

    def rules(_kit: Kit, state: Application) -> Outcome:
        return Advance(replace(state, rules=tuple(work.rules(state.form)["rules"])), "Rules were read.")

    def score(_kit: Kit, state: Application) -> Outcome:
        found = work.score(state.form)
        state = replace(
            state, scores=tuple(found["scores"]), total=found["total"], rubric_version=found["rubric_version"]
        )
        return Advance(state, "The CV was scored.")

    def route(_kit: Kit, state: Application) -> Outcome:
        return Advance(replace(state, route=work.route(state.total)["route"]), "It goes to a person.")

    return Workflow(
        name="seed-work",
        version=1,
        state=Application,
        steps=(
            Step("rules", "Read the rules", rules),
            Step("score", "Score", score),
            Step("route", "Route", route),
            Step("review", "Ask the reviewer", lambda kit, state: _review(work, kit, state)),
            Step("invite", "Invite", lambda kit, state: _invite(work, kit, state)),
            Step("booking", "Wait for the booking", lambda kit, state: _book(work, kit, state)),
        ),
        events=("booking",),
    )


def _review(work: Any, kit: Kit, state: Application) -> Outcome:
    if kit.answer is None:
        letter = Effect("invite", "mail", {"to": state.form["email_hash"], "subject": "An invitation"})
        options = (Option("approve", "Invite", (letter,)), Option("reject", "Decline"))
        question = Question("review", "invite", "Invite or decline?", options, {"total": state.total})
        return Interrupt(state, question)
    return Advance(replace(state, verdict=work.verdict(kit.answer.verdict)), "A person decided.")


def _invite(work: Any, kit: Kit, state: Application) -> Outcome:
    kit.once(kit.approved("invite"))
    return Advance(replace(state, invited=work.invited(kit.thread_id)), "The invitation left.")


def _book(work: Any, kit: Kit, state: Application) -> Outcome:
    event = kit.event("booking")
    if event is None:
        until = kit.clock.now() + WINDOW
        return Wait(state, ("booking",), until, until, "the invitation ends")
    return Finish(replace(state, booked=work.booked(event.data["slot"])), "booked", "completed", "A time was booked.")


class Sink:
    """The runner's sink as an adapter: each attempt is one durable transaction, and a key counts once."""

    honours_keys = True
    can_be_asked = False

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:
        """Say yes, as for every letter to a subject."""
        return True

    def prepare(self, envelope: Envelope) -> Prepared:
        """Make nothing ready: what leaves is the key."""
        return Prepared(envelope, envelope.key.encode(), via="sink", trace=envelope.key)

    def deliver(self, prepared: Prepared) -> Delivery:
        """Write the attempt and the effect, flushed, before answering."""
        key = prepared.envelope.key
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("INSERT INTO sink_attempts(key, pid) VALUES (?, ?)", (key, os.getpid()))
            self._db.execute("INSERT OR IGNORE INTO sink_effects VALUES (?, ?)", (key, time.time()))
            self._db.execute("COMMIT")
        return Sent(f"sink:{key}")

    def ask(self, envelope: Envelope) -> Delivery:
        """Never called: a doubt is resolved by sending again."""
        raise NotImplementedError(envelope.key)
