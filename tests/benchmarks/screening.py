"""W1: applicants through all their checkpoints, everything on, one worker.

Timed from the first claim to the last settle, with every decision and booking fed in through the desk's own commands.
Intake is printed apart. Letters are real files, flushed; SQLite runs at synchronous FULL.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from core.adapters.readers import ApplicationReader
from core.bootstrap import App, open_app
from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import FIXTURE_START
from core.demo import ROLE_FILE, write_applicants
from core.desk.decisions import Answer, decide_approval
from core.desk.intake import Incoming, accept
from core.desk.outside import Outside, receive_event
from core.settings import Settings
from core.views.queue import list_queue
from core.views.threads import Filters, list_threads

DISTINCT = 150


@dataclass(frozen=True, slots=True)
class Figures:
    """What W1 prints. Times are wall seconds; bytes are per applicant, an empty home's taken off."""

    applicants: int
    intake_s: float
    screen_s: float
    decide_s: float
    invite_s: float
    book_s: float
    close_s: float
    checkpoints: int
    letters: int
    database_bytes: int
    blob_bytes: int
    rss_mb: float

    @property
    def wall_s(self) -> float:
        """First claim to last settle."""
        return self.screen_s + self.decide_s + self.invite_s + self.book_s + self.close_s


def run(applicants: int, files: str) -> dict[str, object]:
    """Run W1 in a home of its own and answer its line.

    `files` is `text` (the demo's CVs as plain text: what the engine costs) or `mixed` (as PDF, DOCX, Markdown and text:
    what a morning costs, reading included).
    """
    with tempfile.TemporaryDirectory() as folder:
        figures = _measure(Path(folder), applicants, files)
    steps = figures.checkpoints - applicants  # number 0 is intake's, outside the timed stretch
    return {
        "peer": "daybook",
        "workload": "W1",
        "threads": applicants,
        "files": files,
        "wall_s": round(figures.wall_s, 3),
        "intake_s": round(figures.intake_s, 3),
        "screen_s": round(figures.screen_s, 3),
        "decide_s": round(figures.decide_s, 3),
        "invite_s": round(figures.invite_s, 3),
        "book_s": round(figures.book_s, 3),
        "close_s": round(figures.close_s, 3),
        "checkpoints": steps,
        "checkpoints_per_s": round(steps / figures.wall_s),
        "steps_per_s": round(steps / (figures.screen_s + figures.invite_s + figures.close_s)),
        "bytes_per_thread": round(figures.database_bytes / applicants),
        "blob_bytes_per_thread": round(figures.blob_bytes / applicants),
        "rss_mb": round(figures.rss_mb, 1),
        "duplicates": max(0, figures.letters - applicants),
        "lost": max(0, applicants - figures.letters),
    }


def _measure(folder: Path, applicants: int, files: str) -> Figures:
    app = open_fresh(folder / "home", FIXTURE_START)
    empty = _size(app)
    role_id = add_demo_role(app)
    incoming = read_applicants(folder / "files", applicants, as_text=files == "text")
    intake_s = timed(lambda: accept_all(app, role_id, incoming))
    engine = app.engine("benchmark")
    screen_s = timed(engine.run_until_idle)
    decide_s = timed(lambda: _approve_all(app))
    invite_s = timed(engine.run_until_idle)
    book_s = timed(lambda: _book_all(app))
    close_s = timed(engine.run_until_idle)
    engine.stop()
    with app.read() as conn:
        checkpoints = conn.exec_driver_sql("SELECT count(*) FROM checkpoints").scalar_one()
        booked = conn.exec_driver_sql("SELECT count(*) FROM threads WHERE outcome = 'booked'").scalar_one()
    assert booked == applicants, f"{booked} of {applicants} are booked"
    database_bytes = _size(app) - empty
    app.close()
    return Figures(
        applicants=applicants,
        intake_s=intake_s,
        screen_s=screen_s,
        decide_s=decide_s,
        invite_s=invite_s,
        book_s=book_s,
        close_s=close_s,
        checkpoints=int(checkpoints),
        letters=len(list((folder / "home" / "outbox").glob("*.eml"))),
        database_bytes=database_bytes,
        blob_bytes=sum(path.stat().st_size for path in (folder / "home" / "blobs").rglob("*") if path.is_file()),
        rss_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def open_fresh(home: Path, now: object) -> App:
    """Open a home that holds a decision for no time."""
    return open_app(Settings(home=home, now=now, hold_seconds=0, _env_file=None))  # type: ignore[arg-type, call-arg]


def timed(work: Callable[[], object]) -> float:
    """Do it, and answer how many seconds that took."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _size(app: App) -> int:
    """Answer the database's bytes with its log folded in."""
    idle = app.store.engine.raw_connection()
    idle.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    idle.close()
    return app.settings.database_path.stat().st_size


def read_applicants(folder: Path, applicants: int, *, as_text: bool) -> list[Incoming]:
    """Answer so many applications, the demo's again and again under an address each."""
    folder.mkdir(parents=True)
    written = write_applicants(folder, DISTINCT)
    contents = [(folder / one.file).read_bytes() for one in written]
    if as_text:
        reader = ApplicationReader()
        contents = [
            reader.read(content, one.file).visible.encode() for one, content in zip(written, contents, strict=True)
        ]
    found = []
    for number in range(applicants):
        one = written[number % DISTINCT]
        found.append(
            Incoming(
                file=f"{one.name}.txt" if as_text else one.file,
                content=contents[number % DISTINCT],
                name=one.name,
                email=f"applicant-{number}@example.com",
                cover=one.cover.encode() if one.cover else None,
                form=one.form,
            )
        )
    return found


def add_demo_role(app: App) -> str:
    """Add the demo's role and answer its id."""
    actor = app.actor("home", None, "command line")
    draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
    app.act(actor, "role add", lambda tx: add_role(
        tx, "home", draft.id, draft.contents, by=actor.member.id, now=actor.now))  # fmt: skip
    return draft.id


def accept_all(app: App, role_id: str, incoming: list[Incoming]) -> None:
    """Take every application."""
    outcomes = accept(app.write, app.desk, app.actor("home", None, "command line"), role_id, incoming)
    assert all(one.thread_id for one in outcomes), [one.reason for one in outcomes if not one.thread_id][:1]


def _approve_all(app: App) -> None:
    actor = app.actor("home", None, "command line")
    with app.read() as conn:
        waiting = list_queue(conn, app.vault, "home")
    for one in waiting:
        answer = Answer("approve", one.version)
        app.act(actor, "decide", lambda tx, one=one, answer=answer: decide_approval(  # type: ignore[misc]
            tx, app.desk, actor, one.id, answer))  # fmt: skip


def _book_all(app: App) -> None:
    actor = app.actor("home", None, "command line")
    slot = {"slot": (actor.now + timedelta(days=5)).isoformat()}
    with app.read() as conn:
        lines = list_threads(conn, app.vault, "home", Filters(status="waiting"))
    for line in lines:
        thread_id = line.thread.id
        app.act(actor, "event", lambda tx, thread_id=thread_id: receive_event(  # type: ignore[misc]
            tx, app.desk, actor, thread_id, Outside("booking", slot)))  # fmt: skip
