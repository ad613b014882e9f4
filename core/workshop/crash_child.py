"""The processes that the crash lab kills. `python -m core.workshop.crash_child` forks one for each order it is given.

An order is a line of JSON: what, folder, seam. The answer is how that process ended. It has loaded the product once, so
that a process is there at once; each is a process of its own all the same, with its own id, and dies alone.

prepare   make a home with one applicant whose invite is approved and not sent
none      send the invite without a ledger: a step that acts and then saves
keys      carry the home on, with a mailbox that knows a key it was sent before
no-keys   carry the home on, with a mailbox that sends whatever it is handed

With a seam the process ends there as kill -9 ends it. The product knows nothing of this: its mailbox is an adapter like
any other, and dies in itself.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from core.bootstrap import HOME_TENANT, App, open_app
from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import FIXTURE_START
from core.desk.decisions import Answer, decide_approval
from core.ports import Delivery, Envelope, NotSent, Prepared, Sent
from core.settings import PRACTICE, Settings
from core.steps import Json
from core.views.queue import list_queue
from core.workshop.planting import apply_all

BOOK, NAIVE = "mailbox.txt", "checkpoint.json"
BEFORE_DISPATCH, AFTER_DISPATCH, BEFORE_SAVE = "before dispatch", "after dispatch", "before save"
SEAMS = (BEFORE_DISPATCH, AFTER_DISPATCH, BEFORE_SAVE)
ROLE = "role-14"
KEY = f"{ROLE}/app-0001/invite"
LONGEST_SECONDS = 60


def die() -> None:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Mailbox:
    """Mail as one line a letter, flushed. It honours keys or does not, and cannot be asked; at its seam it dies."""

    can_be_asked = False

    def __init__(self, book: Path, *, honours_keys: bool, seam: str | None) -> None:
        self.honours_keys = honours_keys
        self._book, self._seam = book, seam

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:  # noqa: ARG002 - a letter to an applicant
        """Say yes."""
        return True

    def prepare(self, envelope: Envelope) -> Prepared:
        """Make the line ready."""
        return Prepared(envelope, envelope.key.encode(), via="workshop mailbox")

    def deliver(self, prepared: Prepared) -> Delivery:
        """Write the line, unless the key is known here and that is honoured."""
        if self._seam == BEFORE_DISPATCH:
            die()
        if not (self.honours_keys and prepared.envelope.key in letters_in(self._book)):
            write_letter(self._book, prepared.envelope.key)
        if self._seam == AFTER_DISPATCH:
            die()
        lasting = die if self._seam == BEFORE_SAVE else None
        return Sent(f"mailbox:{prepared.envelope.key}", make_lasting=lasting)

    def ask(self, envelope: Envelope) -> Delivery:  # noqa: ARG002 - it keeps no record that anybody may read
        """Say that nothing is known."""
        return NotSent("cannot be asked")


def write_letter(book: Path, key: str) -> None:
    """Put one letter out."""
    with book.open("a") as lines:
        lines.write(f"{key}\n")
        lines.flush()
        os.fsync(lines.fileno())


def letters_in(book: Path) -> list[str]:
    """Answer the key of each letter that went out, in order."""
    return book.read_text().split() if book.exists() else []


def send_without_ledger(folder: Path, seam: str | None) -> None:
    """Send and then save, as a program without a ledger does; it looks at nothing but its own last save."""
    saved = folder / NAIVE
    if saved.exists() and json.loads(saved.read_text())["step"] == "sent":
        return
    if seam == BEFORE_DISPATCH:
        die()
    write_letter(folder / BOOK, KEY)
    if seam == AFTER_DISPATCH:
        die()
    state = json.dumps({"step": "sent"})
    if seam == BEFORE_SAVE:
        die()
    saved.write_text(state)


def open_lab(folder: Path) -> App:
    """Open the lab's own home at the fixture time: practice model, no hold, nothing of the outside's settings."""
    return open_app(
        Settings(
            home=folder / "home", now=FIXTURE_START, hold_seconds=0, database_url=None, model=PRACTICE, mail="outbox",
            worker="off", tenant=None, _env_file=None,
        )  # type: ignore[call-arg]
    )  # fmt: skip


def prepare(folder: Path) -> None:
    """Bring one applicant to an approved invite that no worker has carried out."""
    from core.demo import ROLE_FILE, write_applicants  # noqa: PLC0415 - this process alone writes files

    app = open_lab(folder)
    actor = app.actor(HOME_TENANT, None, "command line")
    draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
    app.act(actor, "demo", lambda tx: add_role(
        tx, actor.tenant_id, ROLE, draft.contents, by=actor.member.id, now=actor.now))  # fmt: skip
    files = folder / "files"
    apply_all(app, actor, ROLE, files, write_applicants(files, numbers=[7]))
    carry_on(app)
    with app.read() as conn:
        (asked,) = list_queue(conn, app.vault, HOME_TENANT)
    answer = Answer("approve", asked.version)
    app.act(actor, "decide", lambda tx: decide_approval(tx, app.desk, actor, asked.id, answer))
    app.close()


def carry_on(app: App) -> None:
    """Drive all that is due."""
    engine = app.engine("workshop")
    try:
        engine.run_until_idle()
    finally:
        engine.stop()


def send_with_ledger(folder: Path, seam: str | None, *, honours_keys: bool) -> None:
    """Carry the home on as any worker would, with the lab's mailbox."""
    app = open_lab(folder)
    mailbox = Mailbox(folder / BOOK, honours_keys=honours_keys, seam=seam)
    parts = replace(app.parts, adapters={**app.parts.adapters, "mail": mailbox})
    carry_on(replace(app, parts=parts))
    app.close()


def perform(what: str, folder: Path, seam: str | None) -> None:
    """Do what an order asks for."""
    match what:
        case "prepare":
            prepare(folder)
        case "none":
            send_without_ledger(folder, seam)
        case _:
            send_with_ledger(folder, seam, honours_keys=what == "keys")


def serve() -> None:
    """Fork a process for each order, wait for its end, and answer it; until nobody gives orders any more."""
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _live(order)
        ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        sys.stdout.write(json.dumps({"pid": pid, "ended": ended}) + "\n")
        sys.stdout.flush()


def _live(order: Mapping[str, Any]) -> NoReturn:
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        signal.alarm(LONGEST_SECONDS)
        perform(order["what"], Path(order["folder"]), order["seam"])
        code = 0
    except BaseException:  # noqa: BLE001 - the server's log shows it, and the answer says that it failed
        traceback.print_exc()
    os._exit(code)


if __name__ == "__main__":
    serve()
