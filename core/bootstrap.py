"""Wires a home: the one place that knows every implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from core.adapters.blobs import FolderBlobs
from core.adapters.claude import Claude
from core.adapters.exports import FolderExports
from core.adapters.outbox import Outbox
from core.adapters.practice_model import PracticeModel
from core.adapters.price_list import PublishedPrices
from core.adapters.readers import ApplicationReader
from core.adapters.smtp import SmtpMail
from core.audit.note import AuditLog, Note, note
from core.catalog.policies import read_policy
from core.clock import real_now
from core.db.base import Base
from core.db.locks import file_lock
from core.db.moving import copy_rows
from core.db.schema import upgrade
from core.db.sqlite import open_sqlite
from core.db.store import Store, Tx
from core.desk.desk import Actor, Applications, Desk, Jobs, Reading
from core.desk.duties import acts_of
from core.desk.versions import read_newest
from core.effects.journal import Journal
from core.engines.local import LocalEngine, hold_all_against_journal
from core.errors import BadInput, NotFound, Refused, SettingsWrong
from core.files import label_of, make_private_home
from core.identity import normalise_email
from core.keys import random_id
from core.memory.alarms import Bounds, read_bounds
from core.people.people import Member, add_person, list_people
from core.people.tenants import add_tenant, get_tenant, list_tenants
from core.ports import EffectAdapter, Model
from core.runner.parts import Parts
from core.settings import PRACTICE, Settings, key_of
from core.steps import Config, Json, Workflow
from core.threads.tables import WorkerRow
from core.vault.keystore import KeyStore
from core.vault.sealing import Vault
from core.views.health import list_workers
from core.views.sitting import Queue
from core.workflows.reconciliation import RECONCILIATION, Reconciliation, check_files
from core.workflows.screening import SCORING, SCREENING, Screening, check_event, preview

HOME_TENANT = "home"
OWNER_EMAIL = "owner@example.com"
WORKFLOWS: dict[str, Workflow] = {one.name: one for one in (SCREENING, RECONCILIATION)}
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

    def engine(self, kind: str, *, tenant_id: str | None = None) -> LocalEngine:
        """Make a worker of this home; `tenant_id` keeps it to one tenant."""
        return LocalEngine(
            self.parts,
            self.locks,
            kind,
            frozen=self.settings.frozen_now,
            tenant_id=tenant_id,
            calls=self.settings.model_calls,
            duties=acts_of(self.write, self.desk),
        )

    def hold_against_journal(self) -> None:
        """Make unknown what the effect journal knows and the ledger does not; a worker does so as it starts."""
        hold_all_against_journal(self.parts, self.settings.frozen_now)

    def close(self) -> None:
        """Close the databases."""
        self.store.close()
        self.vault.close()


def open_app(settings: Settings) -> App:
    """Open a home, creating it where it is new: its folders, its schema, tenant `home` and one owner.

    Raises SettingsWrong where no home can be kept there. From here on this process makes files for its user alone.
    """
    try:
        make_private_home(settings.home, settings.database_path)
        return _open(settings)
    except OSError as error:
        what = f"{label_of(str(error.filename))}: {error.strerror}" if error.filename else error.strerror
        raise SettingsWrong(
            f"DAYBOOK_HOME is {label_of(str(settings.home))}, where no home can be kept ({what}); name another folder "
            "or look at who may write there."
        ) from error


def _open(settings: Settings) -> App:
    home = settings.home
    keystore = KeyStore(home / "keys")  # first: a home that its keys do not open is left as it is
    store = _open_store(settings)
    try:
        upgrade(store, home / "locks" / "home.lock")
    except BaseException:
        store.close()
        keystore.close()
        raise
    vault = Vault(keystore)
    audit = AuditLog(home / "audit-heads.log")
    blobs = FolderBlobs(home / "blobs")
    reader = ApplicationReader("" if settings.ocr == "off" else settings.ocr)
    outbox = Outbox(home / "outbox", settings.mail_from)
    exports = FolderExports(home / "inbox")
    parts = Parts(
        store=store,
        vault=vault,
        audit=audit,
        journal=Journal(home / "effect-journal.log"),
        blobs=blobs,
        blobs_folder=home / "locks",
        reader=reader,
        model=_model_of(settings),
        prices=PublishedPrices(),
        adapters={"mail": _mail(settings, outbox), "read": exports},
        workflows=WORKFLOWS,
        base_url=settings.base_url,
        sweeps=(blobs.sweep_unfinished, outbox.sweep_unfinished, exports.sweep_unfinished),
    )
    desk = Desk(
        vault=vault,
        blobs=blobs,
        blobs_folder=home / "locks",
        reader=reader,
        workflows=WORKFLOWS,
        check_event={SCREENING.name: check_event},
        applications=Applications(SCREENING, _first_state, SCORING, _read_scores),
        jobs=Jobs(RECONCILIATION, Reconciliation, check_files, exports),
        hold=None if settings.hold_seconds is None else timedelta(seconds=settings.hold_seconds),
        model=parts.model,
        prices=parts.prices,
    )
    app = App(settings, store, vault, audit, parts, desk, outbox, Queue(vault), read_bounds(read_policy("memory")))
    _settle_in(app)
    return app


def _open_store(settings: Settings) -> Store:
    if settings.database_url is not None and settings.database_url.startswith("postgresql://"):
        # The driver takes a tenth of a second to load, which a home on SQLite need not pay.
        from core.db.postgres import open_postgres  # noqa: PLC0415

        return open_postgres(settings.database_url)
    return open_sqlite(settings.database_path)


def move_rows(app: App, url: str) -> dict[str, int]:
    """Copy every row of a home into another database, empty and named by its URL, and answer how many each table has.

    Raises BadInput where a worker lives or the other database has rows. The home's own database stays as it is.
    """
    if url.partition("://")[0] not in ("postgresql", "sqlite"):
        raise BadInput("That is no database: name it like postgresql://NAME:PASSWORD@HOST/DATABASE.")
    with app.read() as conn:
        living = [one.id for one in list_workers(conn) if not app.is_gone(one.id)]
    if living:
        raise BadInput(f"{len(living)} workers live here: stop the app and every worker, and then move the rows.")
    target = _open_store(app.settings.model_copy(update={"database_url": url}))
    try:
        upgrade(target, app.locks / "move.lock")
        with target.read() as conn:
            if list_tenants(conn):
                raise BadInput("That database has rows already: make an empty one, and move the rows there.")
        # A worker's row says that it lives here, and none does there.
        return copy_rows(app.store, target, Base.metadata.sorted_tables, [WorkerRow.__tablename__])
    finally:
        target.close()


def _mail(settings: Settings, outbox: Outbox) -> EffectAdapter:
    if settings.mail == "outbox":
        return outbox
    return SmtpMail(settings.mail, settings.mail_from, real_now)


def _model_of(settings: Settings) -> Model:
    if settings.model == PRACTICE:
        return PracticeModel()
    return Claude(settings.model, key_of(settings), settings.anthropic_base_url or None)


def _first_state(cv_ref: str, cover_ref: str | None, applied_at: datetime) -> Screening:
    return Screening(cv_ref=cv_ref, cover_ref=cover_ref, applied_at=applied_at)


def _read_scores(state: Screening) -> Reading:
    return Reading(state.total, state.max_total, state.proposal)


def _settle_in(app: App) -> None:
    """Write the first tenant and its owner, once."""
    with app.read() as conn:
        if list_tenants(conn):
            return
    with file_lock(app.locks / "home.lock"), app.write() as tx:
        if not list_tenants(tx.conn):
            open_tenant(tx, HOME_TENANT, "Home", real_now())


def open_tenant(tx: Tx, tenant_id: str, name: str, now: datetime, *, starts_at: datetime | None = None) -> Member:
    """Write a tenant with its owner; with `starts_at` it lives on a fixture clock."""
    add_tenant(tx, tenant_id, name, now, starts_at=starts_at)
    owner = Member(tenant_id, random_id("person"), OWNER_EMAIL, "Owner", "owner", active=True)
    add_person(tx, owner, now)
    note(tx, Note(tenant_id, now, owner.id, "tenant_opened", None))
    return owner
