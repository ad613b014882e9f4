"""Real homes in a temporary folder, opened as the product opens them, and what a story does in one.

A home stands at the fixture time; `at` opens the same folder again at another.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.bootstrap import HOME_TENANT, App, open_app
from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import FIXTURE_START
from core.desk.decisions import Answer, decide_approval, undo_decision
from core.desk.desk import Actor
from core.desk.intake import Incoming, accept
from core.desk.outside import Outside, receive_event
from core.review.read import Approval, list_approvals, of_threads
from core.settings import Settings
from core.steps import Json, Verdict

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
    """One opened home and one tenant of it, acted in by its owner."""

    app: App
    tenant_id: str = HOME_TENANT

    @property
    def actor(self) -> Actor:
        """The tenant's owner, at the home's time."""
        return self.app.actor(self.tenant_id, None, "command line")

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
        return max(found, key=lambda one: one.asked_at)

    def decide(self, thread_id: str, verdict: Verdict = "approve", **fields: Json) -> Approval:
        """Answer a thread's question on the version that stands; `fields` is what an approve carries."""
        question, actor = self.question(thread_id), self.actor
        answer = Answer(verdict, question.version, fields)
        return self.app.act(actor, "decide", lambda tx: decide_approval(tx, self.app.desk, actor, question.id, answer))

    def undo(self, thread_id: str) -> Approval:
        """Take a thread's held answer back."""
        question, actor = self.question(thread_id), self.actor
        return self.app.act(actor, "undo", lambda tx: undo_decision(tx, self.app.desk, actor, question.id))

    def book(self, thread_id: str, slot: str = "2026-08-27T10:00:00Z") -> None:
        """Let the outside's booking arrive."""
        actor = self.actor
        self.app.act(
            actor,
            "event",
            lambda tx: receive_event(tx, self.app.desk, actor, thread_id, Outside("booking", {"slot": slot})),
        )

    def letters(self) -> list[Path]:
        """Answer the letters in the outbox."""
        return sorted((self.app.home / "outbox").glob("*.eml"))

    def at(self, now: datetime) -> Home:
        """Close this home and open the same folder at another time."""
        hold = self.app.settings.hold_seconds
        self.app.close()
        return open_home(self.app.home, now=now, hold_seconds=hold, tenant_id=self.tenant_id)


def open_home(
    folder: Path, *, now: datetime = FIXTURE_START, hold_seconds: int | None = 0, tenant_id: str = HOME_TENANT
) -> Home:
    """Open a home in a folder, creating it where it is new."""
    settings = Settings(home=folder, now=now, hold_seconds=hold_seconds, _env_file=None)  # type: ignore[call-arg]
    return Home(open_app(settings), tenant_id)
