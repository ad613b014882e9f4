"""Where a process dies, or stops and waits for its test. Each place wraps what the product calls there."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import core.adapters.outbox
import core.desk.intake
import core.runner.carry
import core.runner.runner
from core.adapters.exports import FolderExports
from core.adapters.outbox import Outbox
from core.audit.note import AuditLog
from core.bootstrap import App
from core.db.locks import file_lock
from core.effects.journal import Journal
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


def _says(phase: str) -> Callable[..., bool]:
    return lambda _journal, lines, **_: any(line.phase == phase for line in lines)


def _settles(step: str) -> Callable[..., bool]:
    return lambda _parts, answered, _now, **_: any(one.run.thread.step == step for one in answered)


@dataclass(frozen=True)
class Seam:
    """A place on an effect's way, and what a worker of three threads that dies there leaves: ledger and letters."""

    install: Callable[[App], None]
    left: str | None
    letters: int


# In the order in which a worker passes them.
EFFECT_SEAMS = {
    "claimed, nothing loaded": Seam(lambda _: die_before((core.runner.runner, "load")), None, 0),
    "before the plan": Seam(lambda _: die_before((core.runner.carry, "plan")), None, 0),
    "inside the plan's transaction": Seam(lambda _: die_after((core.runner.carry, "plan")), None, 0),
    "planned, nothing prepared": Seam(lambda _: die_before((Outbox, "prepare")), "planned", 0),
    "inside the gate's transaction": Seam(lambda _: die_after((core.runner.carry, "pass_gate")), "planned", 0),
    "sending, not in the journal": Seam(lambda _: die_before((Journal, "append"), _says("sending")), "sending", 0),
    "sending, not delivered": Seam(lambda _: die_before((Outbox, "deliver")), "sending", 0),
    "letter written, not linked": Seam(lambda _: die_before((os, "link")), "sending", 0),
    "linked, folder not flushed": Seam(lambda _: die_before((core.adapters.outbox, "flush_folder")), "sending", 3),
    "delivered, not settled": Seam(lambda _: die_after((Outbox, "deliver")), "sending", 1),
    "inside the settling transaction": Seam(lambda _: die_after((core.runner.carry, "settle_done")), "sending", 3),
    "settled, head not published": Seam(lambda _: die_unpublished(4), "done", 3),
    "settled, not in the journal": Seam(lambda _: die_before((Journal, "append"), _says("done")), "done", 3),
    "settled, no checkpoint": Seam(lambda _: die_before((core.runner.runner, "settle"), _settles("invite")), "done", 3),
    "checkpoint written, lease held": Seam(lambda _: die_after_settling("invite"), "done", 3),
}


@dataclass(frozen=True)
class ReadSeam:
    """A place on a read's way: what a worker that dies there leaves in the ledger, and how often it read outside."""

    install: Callable[[App], None]
    left: str
    reads: int


READ_SEAMS = {
    "before dispatch": ReadSeam(lambda _: die_before((FolderExports, "deliver")), "sending", 0),
    "after dispatch": ReadSeam(lambda _: die_after((FolderExports, "deliver")), "sending", 1),
    "before the result is kept": ReadSeam(lambda _: die_before((core.runner.carry, "settle_done")), "sending", 1),
    "in the transaction that keeps it": ReadSeam(lambda _: die_after((core.runner.carry, "settle_done")), "sending", 1),
    "kept, no checkpoint": ReadSeam(lambda _: die_before((core.runner.runner, "settle"), _settles("read")), "done", 1),
}


def count_reads(book: Path) -> None:
    """Let every read outside leave a line that outlives its process."""
    deliver = FolderExports.deliver

    def wrapped(exports: FolderExports, prepared: Any) -> Any:
        with book.open("a") as lines:
            lines.write(f"{prepared.envelope.key}\n")
            lines.flush()
            os.fsync(lines.fileno())
        return deliver(exports, prepared)

    FolderExports.deliver = wrapped  # type: ignore[method-assign]


def die_unpublished(count: int) -> None:
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

    def wrapped(parts: Any, answered: Any, now: Any, **more: Any) -> Any:
        is_time = _settles(step)(parts, answered, now)
        answer = settle(parts, answered, now, **more)
        if is_time:
            die()
        return answer

    core.runner.runner.settle = wrapped


INTAKE_SEAMS: dict[str, Callable[[], None]] = {
    "number taken, no keys": lambda: die_before((Vault, "make")),
    "keys made, nothing kept": lambda: die_after((Vault, "make")),
    "blob kept, no row": lambda: die_before((core.desk.intake, "write_receipts")),
    "everything written, not committed": lambda: die_after((core.desk.intake, "_write")),
}
