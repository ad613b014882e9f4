"""Where a process dies, or stops and waits for its test. Each place wraps what the product calls there."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import core.adapters.outbox
import core.desk.intake
import core.runner.carry
import core.runner.runner
from core.audit.note import AuditLog
from core.bootstrap import App
from core.db.locks import file_lock
from core.vault.sealing import Vault

Place = tuple[Any, str]


def die(*_: object, **__: object) -> None:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_before(place: Place, when: Callable[..., bool] = lambda *_, **__: True) -> None:
    """Die when this is called."""
    owner, name = place
    called = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if when(*args, **kwargs):
            die()
        return called(*args, **kwargs)

    setattr(owner, name, wrapped)


def die_after(place: Place) -> None:
    """Die when this has been done."""
    owner, name = place
    called = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        called(*args, **kwargs)
        die()

    setattr(owner, name, wrapped)


def wait_at(place: Place, signals: str, *, after: bool = False) -> None:
    """Say that the place is reached, before or after what is called there, and go on when the test says so."""
    owner, name = place
    called = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if not after:
            meet(signals)
        answer = called(*args, **kwargs)
        if after:
            meet(signals)
        return answer

    setattr(owner, name, wrapped)


def meet(signals: str) -> None:
    """Say that this process is there, and wait to be let go."""
    folder = Path(signals)
    with (folder / "reached").open("wb", buffering=0) as said:
        said.write(b".")
    with file_lock(folder / "gate", shared=True):
        pass


def _says_done(_journal: object, lines: Any, **_: object) -> bool:
    return any(line.phase == "done" for line in lines)


def _says_sending(_journal: object, lines: Any, **_: object) -> bool:
    return any(line.phase == "sending" for line in lines)


# On the way of one effect, in the order in which a worker passes them.
EFFECT_SEAMS: dict[str, Callable[[App], None]] = {
    "claimed, nothing loaded": lambda app: die_before((core.runner.runner, "load")),
    "before the plan": lambda app: die_before((core.runner.carry, "plan")),
    "inside the plan's transaction": lambda app: die_after((core.runner.carry, "plan")),
    "planned, nothing prepared": lambda app: die_before((type(app.outbox), "prepare")),
    "inside the gate's transaction": lambda app: die_after((core.runner.carry, "pass_gate")),
    "sending, not in the journal": lambda app: die_before((type(app.parts.journal), "append"), _says_sending),
    "sending, not delivered": lambda app: die_before((type(app.outbox), "deliver")),
    "letter written, not linked": lambda app: die_after((core.adapters.outbox, "write_unfinished")),
    "linked, folder not flushed": lambda app: die_before((core.adapters.outbox, "flush_folder")),
    "delivered, not settled": lambda app: die_after((type(app.outbox), "deliver")),
    "inside the settling transaction": lambda app: die_after((core.runner.carry, "settle_done")),
    "settled, head not published": lambda app: die_after_commits(4),
    "settled, not in the journal": lambda app: die_before((type(app.parts.journal), "append"), _says_done),
    "settled, no checkpoint": lambda app: die_before((core.runner.runner, "settle"), lambda _p, answered, _n: bool(answered)),
    "checkpoint written, thread still held": lambda app: die_after_settling("invite"),
}


def die_after_commits(count: int) -> None:
    """Die when the database has committed so many times in this process, before the audit head is published."""
    published = AuditLog._publish
    commits = 0

    def wrapped(log: AuditLog, line: str) -> None:
        nonlocal commits
        commits += 1
        if commits == count:
            die()
        published(log, line)

    AuditLog._publish = wrapped  # type: ignore[method-assign]


def die_after_settling(step: str) -> None:
    """Die when a group with this step has settled."""
    settle = core.runner.runner.settle

    def wrapped(parts: Any, answered: Any, now: Any) -> Any:
        steps = {one.run.thread.step for one in answered}
        answer = settle(parts, answered, now)
        if step in steps:
            die()
        return answer

    core.runner.runner.settle = wrapped


INTAKE_SEAMS: dict[str, Callable[[], None]] = {
    "number taken, no keys": lambda: die_before((Vault, "make")),
    "keys made, nothing kept": lambda: die_after((Vault, "make")),
    "blob kept, no row": lambda: die_before((core.desk.intake, "write_receipts")),
    "everything written, not committed": lambda: die_after((core.desk.intake, "_write")),
}
