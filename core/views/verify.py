"""Verify a home: one sentence for each thing that is broken, naming it by its id; nothing is changed.

It looks at one snapshot while workers go on, and opens every sealed row and file. What it cannot see: whether a letter
that the ledger calls done arrived anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection

from core.audit.chain import Head, read_heads, verify_chain
from core.audit.note import AuditLog
from core.db.store import Store
from core.effects.journal import Journal
from core.people.tenants import list_tenants
from core.ports import Blobs
from core.steps import Workflow
from core.vault.sealing import Vault
from core.views.checks.erased import check_erased
from core.views.checks.ledger import check_effects
from core.views.checks.look import Findings, Look
from core.views.checks.places import check_belonging, check_columns, check_kept, check_orphans
from core.views.checks.questions import check_approvals
from core.views.checks.seals import check_seals
from core.views.checks.threads import check_checkpoints, check_plan, check_timers


@dataclass(frozen=True, slots=True)
class Report:
    """How many things were looked at, and one sentence for each that is broken."""

    checked: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Say whether nothing is broken."""
        return not self.problems


class Records(Protocol):
    """What a home keeps and what opens it: the runner's parts have all of it."""

    @property
    def store(self) -> Store: ...  # noqa: D102
    @property
    def vault(self) -> Vault: ...  # noqa: D102
    @property
    def audit(self) -> AuditLog: ...  # noqa: D102
    @property
    def journal(self) -> Journal: ...  # noqa: D102
    @property
    def blobs(self) -> Blobs: ...  # noqa: D102
    @property
    def blobs_folder(self) -> Path: ...  # noqa: D102
    @property
    def workflows(self) -> Mapping[str, Workflow]: ...  # noqa: D102


def verify(records: Records, tenant_id: str | None = None) -> Report:
    """Check every invariant of one tenant, or of all, and answer what is broken."""
    found = Findings()
    heads = read_heads(records.audit.heads)  # before the snapshot, or what commits meanwhile would look cut off
    with records.store.read() as conn:
        tenants = [tenant.id for tenant in list_tenants(conn) if tenant_id in (None, tenant.id)]
        journal = frozenset(records.journal.read())
        for name in tenants:
            _check_chain(conn, name, heads.get(name), found)
            look = Look(conn, name, records.vault, records.workflows, journal)
            _check_tenant(look, found)
            check_kept(look, records.blobs, found)
        check_columns(conn, found)
        check_belonging(conn, found)
        check_orphans(conn, records.blobs, records.blobs_folder, found)
    return Report(found.checked, tuple(found.problems))


def _check_chain(conn: Connection, tenant_id: str, head: Head | None, found: Findings) -> None:
    found.checked += 1
    for sentence in verify_chain(conn, tenant_id, head):
        found.report(sentence)


def _check_tenant(look: Look, found: Findings) -> None:
    holed = check_checkpoints(look, found)
    check_seals(look, found, holed)
    check_plan(look, found)
    check_timers(look, found)
    check_effects(look, found)
    check_approvals(look, found)
    check_erased(look, found)
