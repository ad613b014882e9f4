"""What the desk is wired with, and who acts at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection

from core.audit.note import Note, note
from core.db.store import Tx
from core.people.people import Member
from core.people.tenants import TenantRow
from core.ports import Blobs, FileReader, Model, PriceList
from core.steps import Json, State, Workflow
from core.vault.sealing import Vault

DEFAULT_HOLD = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, in which tenant, at what business time, and by which door.

    The door stands in the audit log: page, command line, the letter's link, or `api key` and its name.
    """

    tenant: TenantRow
    member: Member
    now: datetime
    door: str

    @property
    def tenant_id(self) -> str:
        """The tenant acted in."""
        return self.tenant.id

    def note(self, tx: Tx, act: str, thread_id: str | None, **detail: Json) -> None:
        """Add what this actor did to the audit log."""
        content = {**detail, "by": self.door}
        note(tx, Note(self.tenant_id, self.now, self.member.id, act, thread_id, content))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a state says of its scores: the total, of how many, and what is proposed; None where there is no such."""

    total: int | None
    max_total: int | None
    proposal: str | None


@dataclass(frozen=True)
class Applications:
    """How an application becomes a thread: the workflow, and its first state from (cv, cover, applied at).

    `scoring` names the steps that score a state anew, in their order; they send and remember nothing. `read` says what
    they came to.
    """

    workflow: Workflow
    first_state: Callable[[str, str | None, datetime], State]
    scoring: tuple[str, ...]
    read: Callable[[State], Reading]


class Exports(Protocol):
    """Where exports lie that a job reads."""

    def put(self, tenant_id: str, name: str, content: bytes) -> None:
        """Drop one, whole and flushed."""
        ...

    def remove(self, tenant_id: str, name: str) -> None:
        """Take one away again."""
        ...


@dataclass(frozen=True)
class Jobs:
    """How two files become a reconciliation: the workflow, its first state, and the check of both files at the door.

    `first_state` is called with account, owner, approved file's reference, export's name, its version, decimal mark.
    `check` answers how the files (approved, export, decimal mark) are read, or raises BadInput.
    """

    workflow: Workflow
    first_state: Callable[[str, str, str, str, int, str], State]
    check: Callable[[bytes, bytes, str], str]
    exports: Exports


class Folders(Protocol):
    """Copies the folders that runs work on, each into a place of its own in the home."""

    def copy(self, source: Path) -> Path:
        """Copy a folder as it is now, and answer where the copy lies; BadInput where that cannot be done."""
        ...

    def remove(self, copy: Path) -> None:
        """Remove a copy that nothing works on."""
        ...


@dataclass(frozen=True)
class Agents:
    """How a goal becomes an agent run: the workflow, and its first state from (case, brief, folder, workspace).

    `folder_of` says where a state's run works, `placed` answers the state of a run that works elsewhere.
    """

    workflow: Workflow
    first_state: Callable[[str, str, str, str], State]
    folder_of: Callable[[State], str]
    placed: Callable[[State, str], State]
    folders: Folders


@dataclass(frozen=True)
class Desk:
    """The desk of one home. `check_event` is per workflow; `hold` is None where nobody set one.

    `model` is what threads are scored by; the desk asks it only where that costs nothing. `prices` is what its calls
    are estimated by.
    """

    vault: Vault
    blobs: Blobs
    blobs_folder: Path
    reader: FileReader
    workflows: Mapping[str, Workflow]
    check_event: Mapping[str, Callable[[str, Mapping[str, Json]], None]]
    applications: Applications
    jobs: Jobs
    agents: Agents
    hold: timedelta | None
    model: Model
    prices: PriceList

    def works_on_a_folder(self, workflow: str) -> bool:
        """Say whether the runs of a workflow act on a folder as they go."""
        return workflow == self.agents.workflow.name

    def hold_of(self, tenant: TenantRow) -> timedelta:
        """Answer how long what a decision releases is held.

        As the settings say, else as the tenant's row does, else 15 minutes, or 0 on a fixture clock.
        """
        if self.hold is not None:
            return self.hold
        if tenant.hold_seconds is not None:
            return timedelta(seconds=tenant.hold_seconds)
        return timedelta(0) if tenant.is_fixture else DEFAULT_HOLD


@dataclass(frozen=True, slots=True)
class Doors:
    """The ways to one snapshot and to one transaction."""

    read: Callable[[], AbstractContextManager[Connection]]
    write: Callable[[], AbstractContextManager[Tx]]
