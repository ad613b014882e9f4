"""What the desk is wired with, and who acts at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from core.audit.note import Note, note
from core.db.store import Tx
from core.people.people import Member
from core.people.tenants import TenantRow
from core.ports import Blobs, FileReader
from core.steps import Json, State, Workflow
from core.vault.sealing import Vault

DEFAULT_HOLD = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, in which tenant, at what business time, and by which door (it stands in the audit log)."""

    tenant: TenantRow
    member: Member
    now: datetime
    door: Literal["page", "command line"]

    @property
    def tenant_id(self) -> str:
        """The tenant acted in."""
        return self.tenant.id

    def note(self, tx: Tx, act: str, thread_id: str | None, **detail: Json) -> None:
        """Add what this actor did to the audit log."""
        content = {**detail, "by": self.door}
        note(tx, Note(self.tenant_id, self.now, self.member.id, act, thread_id, content))


@dataclass(frozen=True)
class Applications:
    """How an application becomes a thread: the workflow, and its first state from (cv, cover, applied at)."""

    workflow: Workflow
    first_state: Callable[[str, str | None, datetime], State]


@dataclass(frozen=True)
class Desk:
    """The desk of one home. `check_event` is per workflow; `hold` is None where nobody set one."""

    vault: Vault
    blobs: Blobs
    blobs_folder: Path
    reader: FileReader
    workflows: Mapping[str, Workflow]
    check_event: Mapping[str, Callable[[str, Mapping[str, Json]], None]]
    applications: Applications
    hold: timedelta | None

    def hold_of(self, tenant: TenantRow) -> timedelta:
        """Answer how long what a decision releases is held: as set, else 15 minutes, or 0 on a fixture clock."""
        if self.hold is not None:
            return self.hold
        return timedelta(0) if tenant.is_fixture else DEFAULT_HOLD
