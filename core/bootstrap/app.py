"""One opened home: what every door asks for, and the ways to one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from core.adapters.outbox import Outbox
from core.adapters.tools import write_database
from core.audit.note import AuditLog, Note, note
from core.db.store import Store, Tx
from core.desk.desk import Actor, Desk
from core.desk.duties import acts_of
from core.desk.versions import read_newest
from core.engines.engine import Engine
from core.engines.local import LocalEngine
from core.engines.worker import Only, hold_all_against_journal
from core.errors import BadInput, NotFound, Refused
from core.identity import normalise_email
from core.memory.alarms import Bounds
from core.people.people import list_people
from core.people.teams import list_team_ids
from core.people.tenants import get_tenant
from core.runner.parts import Parts
from core.settings import Settings
from core.steps import Config, Json
from core.vault.sealing import Vault
from core.views.sitting import Queue
from core.workflows.screening import preview

T = TypeVar("T")


@dataclass(frozen=True)
class App:
    """One opened home: its rooms, its adapters, and the doors' way to one transaction.

    `queue` is one for all pages, so that each waiting question is opened once. `bounds` say when memory raises an
    alarm.
    """

    settings: Settings
    store: Store
    vault: Vault
    audit: AuditLog
    parts: Parts
    desk: Desk
    outbox: Outbox
    queue: Queue
    bounds: Bounds

    @property
    def home(self) -> Path:
        """The folder of this home."""
        return self.settings.home

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone that times are shown in."""
        return ZoneInfo(self.settings.timezone)

    @property
    def locks(self) -> Path:
        """The folder of life locks."""
        return self.home / "locks"

    def is_gone(self, worker_id: str) -> bool:
        """Say whether a worker's process is gone."""
        return self.store.is_gone(self.locks, worker_id)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open one snapshot."""
        with self.store.read() as conn:
            yield conn

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """Open one write transaction; what it notes is chained into the audit log."""
        with self.parts.write() as tx:
            yield tx

    def actor(self, tenant_id: str, email: str | None, door: Literal["page", "command line"]) -> Actor:
        """Answer who acts: the person with this address (default: the tenant's first owner), at the tenant's time."""
        with self.read() as conn:
            tenant = get_tenant(conn, tenant_id)
            members = list_people(conn, tenant_id)
        now = tenant.now(self.settings.frozen_now)
        folded = None if email is None else normalise_email(email)
        for member in members:
            if folded in (None, normalise_email(member.email)):
                return Actor(tenant, member, now, door)
        with self.write() as tx:
            note(tx, Note(tenant_id, now, "nobody", "refused", None, {"code": NotFound.code, "by": door}))
        raise NotFound(f"{email or 'Nobody'} is not a person of tenant {tenant_id}.")

    def act(self, actor: Actor, act: str, command: Callable[[Tx], T]) -> T:
        """Run one command in one transaction. What is refused changes nothing and is logged as refused."""
        try:
            with self.write() as tx:
                return command(tx)
        except Refused as refused:
            with self.parts.write() as tx:  # a page's own `write` may be what refused
                actor.note(tx, "refused", None, wanted=act, code=refused.code)
            raise

    def preview_letters(self, role: Config, letters: Config, booking: Config) -> dict[str, Mapping[str, Json]]:
        """Answer each letter of a role as an invented person would get it."""
        return preview(role, letters, booking)

    def preview_changed(self, tenant_id: str, role_id: str, letters: Config) -> dict[str, Mapping[str, Json]]:
        """Answer each letter as an invented person would get it, if a role's letters were these."""
        with self.read() as conn:
            of_role, booking = (read_newest(conn, tenant_id, role_id, kind) for kind in ("role", "booking"))
        return self.preview_letters(of_role, letters, booking)

    def look(self, actor: Actor, act: str, query: Callable[[Connection], T]) -> T:
        """Read what a command would do, in one snapshot and writing nothing; what is refused is logged as refused."""

        def read() -> T:
            with self.read() as conn:
                return query(conn)

        return self.attempt(actor, act, read)

    def attempt(self, actor: Actor, act: str, command: Callable[[], T]) -> T:
        """Run one command that opens its own transactions. What is refused is logged as refused."""
        try:
            return command()
        except Refused as refused:
            with self.parts.write() as tx:
                actor.note(tx, "refused", None, wanted=act, code=refused.code)
            raise

    def now(self, tenant_id: str) -> datetime:
        """Answer a tenant's business time."""
        with self.read() as conn:
            return get_tenant(conn, tenant_id).now(self.settings.frozen_now)

    def write_database(self, path: Path, statements: Sequence[str]) -> None:
        """Write a database for an agent run to work on; one that is there is left as it is."""
        write_database(path, statements)

    def engine(self, kind: str, *, tenant_id: str | None = None) -> Engine:
        """Make a worker of this home, driven as the settings say.

        `tenant_id` keeps a local one to one tenant, the settings to those that are served.

        Raises BadInput for some tenants alone where Temporal drives: it drives a home.
        """
        if self.settings.engine == "temporal":
            return self._temporal_engine(kind, tenant_id)
        return LocalEngine(
            self.parts,
            self.locks,
            kind,
            frozen=self.settings.frozen_now,
            only=self._only(tenant_id),
            calls=self.settings.model_calls,
            duties=acts_of(self.write, self.desk, self.settings.base_url),
        )

    def _only(self, tenant_id: str | None) -> Only | None:
        if tenant_id is not None:
            return lambda _conn: (tenant_id,)
        return None if self.settings.serves == "all" else list_team_ids

    def serves(self, tenant_id: str) -> bool:
        """Say whether the pages of a tenant are served here."""
        if self.settings.serves == "all":
            return True
        with self.read() as conn:
            return tenant_id in list_team_ids(conn)

    def _temporal_engine(self, kind: str, tenant_id: str | None) -> Engine:
        # The vendor's library takes half a second to load, which a home on the local engine need not pay.
        from core.engines.temporal.engine import TemporalEngine  # noqa: PLC0415

        if tenant_id is not None or self.settings.serves != "all":
            raise BadInput("Temporal drives every tenant of a home; leave --tenant out, or set DAYBOOK_ENGINE=local.")
        return TemporalEngine(
            self.parts,
            self.locks,
            kind,
            address=self.settings.temporal,
            frozen=self.settings.frozen_now,
            calls=self.settings.model_calls,
            duties=acts_of(self.write, self.desk, self.settings.base_url),
        )

    def engine_shown(self) -> str:
        """Say which engine the settings name, and whether its server answers where it has one."""
        if self.settings.engine == "local":
            return "local"
        from core.engines.temporal.line import answers  # noqa: PLC0415 - as above

        said = "answers" if answers(self.settings.temporal) else "does not answer"
        return f"temporal at {self.settings.temporal}, which {said}"

    def hold_against_journal(self) -> None:
        """Make unknown what the effect journal knows and the ledger does not; a worker does so as it starts."""
        hold_all_against_journal(self.parts, self.settings.frozen_now)

    def close(self) -> None:
        """Close the databases."""
        self.store.close()
        self.vault.close()
