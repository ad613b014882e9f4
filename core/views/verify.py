"""Verify a home: one sentence for each thing that is broken, naming it by its id; nothing is changed.

It looks at one snapshot while workers go on, and opens every sealed row and file. What it cannot see: whether a letter
that the ledger calls done arrived anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection

from core.audit.chain import Heads, read_heads, verify_chain
from core.audit.note import AuditLog
from core.db.store import Store
from core.effects.ahead import tell
from core.effects.journal import BEGIN, Journal
from core.people.tenants import list_tenants
from core.ports import Blobs
from core.steps import Workflow
from core.vault.sealing import Vault
from core.views.checks.calls import check_calls
from core.views.checks.erased import check_erased
from core.views.checks.guard import check_guard
from core.views.checks.ledger import check_effects, check_journal
from core.views.checks.look import Findings, Look
from core.views.checks.named import check_configs, check_lookups, check_policies
from core.views.checks.places import check_belonging, check_columns, check_kept, check_orphans
from core.views.checks.questions import check_approvals, check_frozen
from core.views.checks.seals import check_seals
from core.views.checks.threads import check_checkpoints, check_plan, check_timers
from core.views.checks.values import check_values


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
    # Both before the snapshot, or what commits meanwhile would look cut off.
    heads, before = read_heads(records.audit.heads), records.journal.read_on(BEGIN)
    with records.store.read() as conn:
        tenants = [tenant.id for tenant in list_tenants(conn) if tenant_id in (None, tenant.id)]
        journal = frozenset((*before.lines, *records.journal.read_on(before.end).lines))
        for number in heads.unreadable:
            found.report(f"audit heads: line {number} cannot be read; what it published is not held against.")
        for number in before.unreadable:
            found.report(f"effect journal: line {number} cannot be read; what it named may have left.")
        for name in tenants:
            _guarded(found, f"audit chain of {name}", lambda name=name: _check_chain(conn, name, heads, found))  # type: ignore[misc]
            told = tell(before.lines, name).left
            _check_tenant(Look(conn, name, records.vault, records.workflows, journal, told), records.blobs, found)
        _check_home(conn, records, found)
    return Report(found.checked, tuple(found.problems))


def _guarded(found: Findings, what: str, check: Callable[[], object]) -> None:
    """Run a check. One that breaks off is a problem by itself and keeps no other from being run."""
    try:
        check()
    except Exception as error:  # noqa: BLE001 - whatever damage does to a check is said, never raised
        found.report(f"{what}: could not be looked at to the end ({type(error).__name__}); a row of it is damaged.")


def _check_home(conn: Connection, records: Records, found: Findings) -> None:
    _guarded(found, "columns", lambda: check_columns(conn, found))
    _guarded(found, "trigger", lambda: check_guard(conn, found))
    _guarded(found, "rows without a tenant", lambda: check_values(conn, None, found))
    _guarded(found, "rows that belong somewhere", lambda: check_belonging(conn, found))
    _guarded(found, "blobs", lambda: check_orphans(conn, records.blobs, records.blobs_folder, found))


def _check_chain(conn: Connection, tenant_id: str, heads: Heads, found: Findings) -> None:
    found.checked += 1
    for sentence in verify_chain(conn, tenant_id, heads.of.get(tenant_id, ())):
        found.report(sentence)


def _check_tenant(look: Look, blobs: Blobs, found: Findings) -> None:
    holed: set[str] = set()
    checks: dict[str, Callable[[], object]] = {
        "times and texts": lambda: check_values(look.conn, look.tenant_id, found),
        "checkpoints": lambda: holed.update(check_checkpoints(look, found)),
        "sealed rows": lambda: check_seals(look, found, holed),
        "plans": lambda: check_plan(look, found),
        "timers": lambda: check_timers(look, found),
        "effects": lambda: check_effects(look, found),
        "effect journal": lambda: check_journal(look, found),
        "approvals": lambda: check_approvals(look, found),
        "options": lambda: check_frozen(look, found),
        "configuration": lambda: check_configs(look, found),
        "policies": lambda: check_policies(look, found),
        "look-ups": lambda: check_lookups(look, found),
        "model calls": lambda: check_calls(look, found),
        "erased subjects": lambda: check_erased(look, found),
        "receipts": lambda: check_kept(look, blobs, found),
    }
    for what, check in checks.items():
        _guarded(found, f"{what} of {look.tenant_id}", check)
