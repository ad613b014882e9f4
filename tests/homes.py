"""Real homes in a temporary folder, opened as the product opens them, and what a story does in one.

A home stands at the fixture time; `at` opens the same folder again at another.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from pathlib import Path

from sqlalchemy import select, text

from core.audit.tables import AuditEntry
from core.bootstrap import HOME_TENANT, App, open_app, open_tenant
from core.catalog.role_text import read_role, read_rubric
from core.catalog.roles import add_role
from core.clock import FIXTURE_START, write_instant
from core.db.store import Tx
from core.desk.decisions import Answer, amend_person, decide_approval, release_decision, undo_decision
from core.desk.desk import Actor
from core.desk.intake import RULES, Incoming, accept
from core.desk.outside import Outside, receive_event, see_events, settle_unknown_effect, turn_sending
from core.desk.repairs import cancel_thread, park_thread, retry_thread
from core.desk.roles import close_role, reopen_role
from core.desk.rubrics import Preview, Saved, preview_rubric, save_rubric
from core.effects.plan import Entry, list_entries
from core.keys import random_id
from core.people.people import Access, Member, add_person
from core.people.tenants import list_tenants
from core.ports import EffectAdapter, Model
from core.review.read import Approval, list_approvals, of_threads
from core.settings import Settings
from core.steps import Json, Person, State, Verdict, Workflow
from core.threads.events import Stored
from core.threads.open import NewThread, open_thread
from core.vault.subjects import add_subject, write_person
from core.views.of_role import Closing
from core.views.preflight import list_blocked
from core.views.threads import Whole, get_whole
from core.views.verify import verify
from tests.databases import address_of, chosen, copy_home, give_database

ROLE_FILE = Path(__file__).parents[1] / "data" / "demo" / "role-14.md"
ROLE = "role-14"
CV = """{name}
{email}
Led the rebrand of Harrow Mill Bakery from brief to launch; repeat orders rose 18 %.
Present work to clients every fortnight.
Mentor one junior designer.
I write plainly.
Right to work in the UK: yes
"""


@dataclass(frozen=True)
class Home:
    """One opened home and one tenant of it. `email` is who acts, else its owner."""

    app: App
    tenant_id: str = HOME_TENANT
    email: str | None = None
    has_own_code: bool = False

    @property
    def actor(self) -> Actor:
        """Who acts, at the home's time."""
        return self.app.actor(self.tenant_id, self.email, "command line")

    def acted_by(self, email: str) -> Home:
        """The same home, acted in by somebody else."""
        return replace(self, email=email)

    def add_person(self, email: str, access: Access = "reviewer", *, active: bool = True) -> Home:
        """Add a person, named by their address, and answer the home as acted in by them."""
        name = email.partition("@")[0].title()
        member = Member(self.tenant_id, random_id("person"), email, name, access, active)
        with self.app.write() as tx:
            add_person(tx, member, self.actor.now)
        return self.acted_by(email)

    def add_tenant(self, tenant_id: str) -> Home:
        """Add a tenant with its owner, and answer the same home seen from there."""
        with self.app.write() as tx:
            open_tenant(tx, tenant_id, tenant_id.title(), self.actor.now)
        return Home(self.app, tenant_id)

    def add_role(self, role_id: str = ROLE) -> str:
        """Add the demo's role 14, under this id."""
        draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
        actor = self.actor
        self.app.act(
            actor,
            "role add",
            lambda tx: add_role(tx, self.tenant_id, role_id, draft.contents, by=actor.member.id, now=actor.now),
        )
        return role_id

    def close_role(self, role_id: str = ROLE) -> Closing:
        """Close a role."""
        actor = self.actor
        return self.app.act(actor, "role close", lambda tx: close_role(tx, actor, role_id))

    def reopen_role(self, role_id: str = ROLE) -> None:
        """Open a closed role again."""
        actor = self.actor
        self.app.act(actor, "role open", lambda tx: reopen_role(tx, actor, role_id))

    def preview_rubric(self, text: str, name: str = "rubric.md", role_id: str = ROLE) -> Preview:
        """Say what another rubric version would do."""
        actor, content = self.actor, read_rubric(text, name).content
        return self.app.look(
            actor, "role rubric", lambda conn: preview_rubric(conn, self.app.desk, actor, role_id, content)
        )

    def save_rubric(self, text: str, name: str = "rubric.md", role_id: str = ROLE) -> Saved:
        """Write another rubric version."""
        actor, content = self.actor, read_rubric(text, name).content
        return self.app.act(actor, "role rubric", lambda tx: save_rubric(tx, actor, role_id, content))

    def apply(
        self, name: str = "Ann Example", email: str = "ann@example.com", *, cv: str = CV, role_id: str = ROLE
    ) -> str:
        """Take one application and answer its thread."""
        content = cv.format(name=name, email=email).encode()
        (outcome,) = accept(
            self.app.write, self.app.desk, self.actor, role_id, [Incoming("cv.txt", content, name=name, email=email)]
        )
        assert outcome.thread_id is not None, outcome.reason
        return outcome.thread_id

    def run(self) -> int:
        """Drive all that is due and answer how many claims that took."""
        engine = self.app.engine("test", tenant_id=self.tenant_id)
        try:
            return engine.run_until_idle()
        finally:
            engine.stop()

    def question(self, thread_id: str) -> Approval:
        """Answer the newest question of a thread, whatever became of it."""
        with self.app.read() as conn:
            found = list_approvals(conn, self.app.vault, self.tenant_id, of_threads([thread_id]))
        return max(found, key=lambda one: (one.asked_at, one.status == "pending"))

    def decide(self, thread_id: str, verdict: Verdict = "approve", **fields: Json) -> Approval:
        """Answer a thread's question on the version that stands; `fields` is what an approve carries."""
        question = self.question(thread_id)
        return self.answer(question.id, Answer(verdict, question.version, fields))

    def answer(self, approval_id: str, answer: Answer) -> Approval:
        """Answer one approval."""
        actor = self.actor
        return self.app.act(actor, "decide", lambda tx: decide_approval(tx, self.app.desk, actor, approval_id, answer))

    def undo(self, thread_id: str) -> Approval:
        """Take a thread's held answer back."""
        return self.undo_approval(self.question(thread_id).id)

    def undo_approval(self, approval_id: str) -> Approval:
        """Take one held answer back."""
        actor = self.actor
        return self.app.act(actor, "undo", lambda tx: undo_decision(tx, self.app.desk, actor, approval_id))

    def release(self, thread_id: str) -> Approval:
        """End a thread's hold now."""
        return self.release_approval(self.question(thread_id).id)

    def release_approval(self, approval_id: str) -> Approval:
        """End one hold now."""
        actor = self.actor
        return self.app.act(actor, "release", lambda tx: release_decision(tx, self.app.desk, actor, approval_id))

    def park(self, thread_id: str) -> None:
        """Stop a thread where it stands."""
        actor = self.actor
        self.app.act(actor, "park", lambda tx: park_thread(tx, actor, thread_id))

    def retry(self, thread_id: str) -> None:
        """Make a parked thread due."""
        actor = self.actor
        self.app.act(actor, "retry", lambda tx: retry_thread(tx, actor, thread_id))

    def retry_at_once(self) -> None:
        """Let every wait before the next try be over."""
        self.change("UPDATE threads SET wake_at = :now WHERE wake_at IS NOT NULL", now=write_instant(self.actor.now))

    def cancel(self, thread_id: str) -> None:
        """End a thread."""
        actor = self.actor
        self.app.act(actor, "cancel", lambda tx: cancel_thread(tx, actor, thread_id))

    def settle(self, key: str, happened: str | None) -> None:
        """Say what was found out about an effect nobody knew of; None: it did not happen."""
        actor = self.actor
        self.app.act(actor, "settle", lambda tx: settle_unknown_effect(tx, self.app.desk, actor, key, happened))

    def switch(self, *, on: bool) -> None:
        """Switch sending on or off."""
        actor = self.actor
        with self.app.read() as conn:
            nows = {row.id: row.now(self.app.settings.frozen_now) for row in list_tenants(conn)}
        self.app.act(actor, "sending", lambda tx: turn_sending(tx, actor, nows, on=on))

    def verify(self) -> list[str]:
        """Answer what is broken in this home."""
        return list(verify(self.app.parts).problems)

    def amend(self, thread_id: str, *, name: str | None = None, email: str | None = None) -> int:
        """Correct a person's name or address."""
        actor = self.actor
        return self.app.act(
            actor, "amend", lambda tx: amend_person(tx, self.app.desk, actor, thread_id, name=name, email=email)
        )

    def tell(
        self, thread_id: str, event: str, data: Mapping[str, Json] | None = None, key: str | None = None
    ) -> Stored:
        """Let something outside happen."""
        actor = self.actor
        return self.app.act(
            actor,
            "event",
            lambda tx: receive_event(tx, self.app.desk, actor, thread_id, Outside(event, data or {}, key)),
        )

    def book(self, thread_id: str, slot: str = "2026-08-27T10:00:00Z") -> Stored:
        """Let the outside's booking arrive."""
        return self.tell(thread_id, "booking", {"slot": slot})

    def see(self, thread_id: str) -> int:
        """Take the events of a thread that nothing followed from off the queue."""
        actor = self.actor
        return self.app.act(actor, "seen", lambda tx: see_events(tx, actor, thread_id))

    def thread(self, thread_id: str) -> Whole:
        """Answer one thread whole, as its page shows it."""
        with self.app.read() as conn:
            return get_whole(conn, self.app.vault, self.tenant_id, thread_id)

    def ending(self, thread_id: str) -> tuple[str, str | None]:
        """Answer a thread's status and outcome."""
        thread = self.thread(thread_id).thread
        return thread.status, thread.outcome

    def summaries(self, thread_id: str) -> dict[str, str]:
        """Answer the line that each settled step of a thread left."""
        return {line.step: line.summary for line in self.thread(thread_id).plan if line.summary}

    def ledger(self, thread_id: str | None = None) -> dict[str, Entry]:
        """Answer the ledger by the last word of each key."""
        with self.app.read() as conn:
            entries = list_entries(conn, self.tenant_id, thread_id)
        return {entry.key.rsplit("/", 1)[-1]: entry for entry in entries}

    def audit(self, act: str) -> list[Mapping[str, Json]]:
        """Answer the audit entries of one act, oldest first: who, about which thread, with what detail."""
        rows = AuditEntry.__table__.c  # type: ignore[attr-defined]
        query = select(rows.actor, rows.thread_id, rows.detail).where(rows.tenant_id == self.tenant_id, rows.act == act)
        with self.app.read() as conn:
            found = conn.execute(query.order_by(rows.link, rows.n)).all()
        return [{"actor": row.actor, "thread": row.thread_id, **row.detail} for row in found]

    def change(self, sql: str, **values: object) -> int:
        """Change rows behind the product's back, and answer how many."""
        with self.app.store.write() as tx:
            return tx.conn.execute(text(sql), values).rowcount

    def look(self, sql: str, **values: object) -> list[tuple[object, ...]]:
        """Answer rows as they are stored."""
        with self.app.read() as conn:
            return [tuple(row) for row in conn.execute(text(sql), values)]

    def with_code(self, workflow: Workflow | None = None, **adapters: EffectAdapter) -> Home:
        """The same home with other code loaded: a workflow of its own, adapters by kind of effect."""
        parts = replace(self.app.parts, adapters={**self.app.parts.adapters, **adapters})
        checks = dict(self.app.desk.check_event)
        if workflow is not None:
            parts = replace(parts, workflows={**parts.workflows, workflow.name: workflow})
            checks[workflow.name] = lambda _name, _data: None
        desk = replace(self.app.desk, workflows=parts.workflows, check_event=checks)
        return replace(self, app=replace(self.app, parts=parts, desk=desk), has_own_code=True)

    def with_model(self, model: Model) -> Home:
        """The same home with another model."""
        parts, desk = replace(self.app.parts, model=model), replace(self.app.desk, model=model)
        return replace(self, app=replace(self.app, parts=parts, desk=desk), has_own_code=True)

    def with_calls(self, count: int) -> Home:
        """The same home with so many model calls out at once."""
        settings = self.app.settings.model_copy(update={"model_calls": count})
        return replace(self, app=replace(self.app, settings=settings))

    def without(self, name: str) -> Home:
        """The same home with one workflow fewer loaded."""
        workflows = {known: one for known, one in self.app.parts.workflows.items() if known != name}
        parts, desk = replace(self.app.parts, workflows=workflows), replace(self.app.desk, workflows=workflows)
        return replace(self, app=replace(self.app, parts=parts, desk=desk), has_own_code=True)

    def with_hold(self, seconds: int) -> Home:
        """The same home with another hold."""
        desk = replace(self.app.desk, hold=timedelta(seconds=seconds))
        return replace(self, app=replace(self.app, desk=desk), has_own_code=True)

    def blocked(self) -> list[tuple[str, str, str]]:
        """Answer the threads that the loaded code could not resume: which, where, why."""
        with self.app.read() as conn:
            found = list_blocked(conn, self.app.vault, self.app.desk.workflows, self.tenant_id)
        return [(one.thread_id, one.step, one.reason) for one in found]

    def begin(self, workflow: Workflow, thread_id: str, state: State, person: Person | None = None) -> str:
        """Open a thread of a workflow that takes no applications."""
        subject_id, now = random_id("sub"), self.actor.now
        self.app.vault.make(self.tenant_id, [(subject_id, thread_id, RULES)])
        keys = self.app.vault.keys(self.tenant_id, thread_id)

        def write(tx: Tx) -> None:
            add_subject(tx, self.tenant_id, subject_id, now)
            open_thread(tx, keys, NewThread(thread_id, workflow, "A test's goal", None, {}, state), now)
            write_person(tx, keys, person or Person("Ann Example", "ann@example.com", {}, 1))

        with self.app.write() as tx:
            write(tx)
        return thread_id

    def letters(self) -> list[Path]:
        """Answer the letters in the outbox."""
        return sorted((self.app.home / "outbox").glob("*.eml"))

    def mail(self, thread_id: str) -> dict[str, EmailMessage]:
        """Answer a thread's letters in the outbox by the last word of their key; no key may have two."""
        letters = [message_from_bytes(path.read_bytes(), policy=default) for path in self.letters()]
        keys = [str(letter["X-Daybook-Key"]) for letter in letters]
        assert len(set(keys)) == len(keys), "two letters under one key"
        start = f"{thread_id}/"
        pairs = zip(keys, letters, strict=True)
        return {key.removeprefix(start): one for key, one in pairs if key.startswith(start)}  # type: ignore[misc]

    def at(self, now: datetime) -> Home:
        """Move this home to another time. A home without code of its own is closed and opened anew."""
        if self.has_own_code:
            return replace(self, app=replace(self.app, settings=self.app.settings.model_copy(update={"now": now})))
        hold = self.app.settings.hold_seconds
        self.app.close()
        return replace(open_home(self.app.home, now=now, hold_seconds=hold), tenant_id=self.tenant_id, email=self.email)


def open_home(
    folder: Path, *, now: datetime = FIXTURE_START, hold_seconds: int | None = 0, tenant_id: str = HOME_TENANT
) -> Home:
    """Open a home in a folder, creating it where it is new: as a copy, for migrating takes longer than most tests."""
    if not folder.exists():
        copy_home(_new_home(chosen()), folder)
    return _open(folder, now, hold_seconds, tenant_id)


def _open(folder: Path, now: datetime, hold_seconds: int | None, tenant_id: str) -> Home:
    settings = Settings(  # type: ignore[call-arg]
        home=folder, now=now, hold_seconds=hold_seconds, database_url=address_of(folder), _env_file=None
    )
    app = open_app(settings)
    _opened.append(app)
    return Home(app, tenant_id)


_opened: list[App] = []


def close_homes() -> None:
    """Close every home that is open: a server keeps count of the connections that nobody closed."""
    while _opened:
        _opened.pop().close()


@cache
def _new_home(_database: str) -> Path:
    def build(folder: Path) -> Home:
        give_database(folder)
        return _open(folder, FIXTURE_START, 0, HOME_TENANT)

    return built("new", build)


def built(name: str, build: Callable[[Path], Home]) -> Path:
    """Build a home once for the whole run, close it, and answer its folder, to be copied and never opened."""
    parent = Path(tempfile.mkdtemp(prefix="daybook-tests-"))
    atexit.register(shutil.rmtree, parent, ignore_errors=True)
    build(parent / name).app.close()
    return parent / name
