"""A run: one claimed thread in memory, for as long as its lease is held and no longer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core.context.memory_files import RowFiles
from core.context.packets import Manifest
from core.costs.budgets import QUESTION
from core.memory.reading import Read
from core.people.people import list_people
from core.receipts.keep import Kept
from core.review.read import Approval, list_decided
from core.runner.parts import Parts
from core.steps import Document, Effect, Person, Receipt, Record, State, Workflow
from core.threads.codec import Fields
from core.threads.links import Link
from core.threads.load import StoredEvent, load_events, load_fields
from core.threads.rows import Thread
from core.vault.sealing import Keys
from core.vault.subjects import read_people


@dataclass
class Left:
    """What one performance of a step leaves to be written when it settles."""

    consumed: list[StoredEvent] = field(default_factory=list)
    manifests: list[Manifest] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    files: list[RowFiles] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    person: Person | None = None
    link: Link | None = None
    goes_to: str | None = None  # of a growing plan: the row that is next, and those that an end leaves undone
    ahead: tuple[str, ...] = ()


@dataclass
class Run:
    """One claimed thread. `workflow` is None where the loaded code does not know it."""

    thread: Thread
    keys: Keys
    workflow: Workflow | None
    fields: Fields
    person: Person
    events: list[StoredEvent]
    decided: list[Approval]
    state: State | None = None
    asked: dict[str, Effect] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    left: Left = field(default_factory=Left)

    def budget_answer(self, now: datetime) -> Approval | None:
        """Answer what a person said to this step's calls going over a budget; its step is not told."""
        answer = self.answer(now)
        return answer if answer is not None and answer.kind == QUESTION else None

    def answer(self, now: datetime) -> Approval | None:
        """Answer the approval that wakes this step: decided, due for release, not yet taken."""
        for approval in self.decided:
            due = approval.release_at is not None and approval.release_at <= now
            if approval.step == self.thread.step and approval.consumed_by is None and due:
                return approval
        return None

    def answers(self, now: datetime) -> list[Approval]:
        """Answer what this thread's steps took already, oldest first, and the approval that wakes the present one."""
        taken = [one for one in self.decided if one.consumed_by is not None]
        woken_by = self.answer(now)
        given = [*taken, woken_by] if woken_by is not None else taken
        return [one for one in given if one.kind != QUESTION]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A claimed group: the runs, the threads whose keys are gone, the ids of those who may still decide."""

    runs: list[Run]
    unreadable: list[Thread]
    deciders: frozenset[str]


def load(parts: Parts, tenant_id: str, claimed: Sequence[Thread]) -> Loaded:
    """Read a claimed group from the database, one query a table."""
    keys = parts.vault.keys_of(tenant_id, [thread.id for thread in claimed])
    with parts.store.read() as conn:
        fields = load_fields(conn, tenant_id, keys)
        people = read_people(conn, tenant_id, keys)
        events = load_events(conn, tenant_id, keys, unconsumed=True)
        decided = list_decided(conn, parts.vault, tenant_id, list(keys))
        deciders = frozenset(one.id for one in list_people(conn, tenant_id) if one.may_decide)
    by_thread: dict[str, list[Approval]] = {}
    for approval in decided:
        by_thread.setdefault(approval.thread_id, []).append(approval)
    runs = [
        Run(
            thread=thread,
            keys=keys[thread.id],
            workflow=parts.workflows.get(thread.workflow),
            fields=fields[thread.id],
            person=people.get(thread.id, _NOBODY),
            events=events.get(thread.id, []),
            decided=by_thread.get(thread.id, []),
        )
        for thread in claimed
        if thread.id in keys
    ]
    return Loaded(runs, [thread for thread in claimed if thread.id not in keys], deciders)


_NOBODY = Person(name=None, email=None, form={}, version=0)


def by_thread_id(runs: Sequence[Run]) -> Mapping[str, Run]:
    """Answer the runs by their thread's id."""
    return {run.thread.id: run for run in runs}
