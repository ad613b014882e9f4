"""Wires a home: here every room gets its implementations."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.adapters.blobs import FolderBlobs
from core.adapters.claude import Claude
from core.adapters.exports import FolderExports
from core.adapters.outbox import Outbox
from core.adapters.practice_model import PracticeModel
from core.adapters.price_list import PublishedPrices
from core.adapters.readers import ApplicationReader
from core.adapters.smtp import SmtpMail
from core.adapters.tools import TOOLS, Sandboxes, Tools
from core.audit.note import AuditLog
from core.bootstrap.app import App
from core.bootstrap.tenants import settle_in
from core.catalog.policies import read_policy
from core.clock import real_now
from core.db.retired import Retirement
from core.db.schema import upgrade
from core.db.sqlite import open_sqlite
from core.db.store import Store
from core.desk.desk import Agents, Applications, Desk, Jobs, Reading
from core.effects.journal import Journal
from core.errors import SettingsWrong
from core.files import label_of, make_private_home
from core.memory.alarms import read_bounds
from core.ports import EffectAdapter, Model
from core.runner.parts import Parts
from core.settings import PRACTICE, Settings, key_of
from core.steps import Workflow
from core.vault.keystore import KeyStore
from core.vault.sealing import Vault
from core.views.sitting import Queue
from core.workflows.agent import AgentRun, agent_workflow, folder_of, placed
from core.workflows.digest import DIGEST
from core.workflows.reconciliation import RECONCILIATION, Reconciliation, check_files
from core.workflows.screening import SCORING, SCREENING, Screening, check_event

AGENT = agent_workflow([tool.spec for tool in TOOLS])
WORKFLOWS: dict[str, Workflow] = {one.name: one for one in (SCREENING, RECONCILIATION, AGENT, DIGEST)}


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
    store = open_store(settings)
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
        adapters={"mail": _mail(settings, outbox), "read": exports, "tool": Tools(TOOLS)},
        workflows=WORKFLOWS,
        base_url=settings.base_url,
        sandboxes=home / "sandboxes",
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
        agents=Agents(AGENT, AgentRun, folder_of, placed, Sandboxes(home / "sandboxes")),
        hold=None if settings.hold_seconds is None else timedelta(seconds=settings.hold_seconds),
        model=parts.model,
        prices=parts.prices,
    )
    app = App(settings, store, vault, audit, parts, desk, outbox, Queue(vault), read_bounds(read_policy("memory")))
    settle_in(app)
    return app


def open_store(settings: Settings) -> Store:
    """Open the database that the settings name. It raises HomeMoved when it is asked, if the rows moved elsewhere."""
    retirement = Retirement(settings.home, settings.database_shown)
    if settings.database_url is not None and settings.database_url.startswith("postgresql://"):
        # The driver takes a tenth of a second to load, which a home on SQLite need not pay.
        from core.db.postgres import open_postgres  # noqa: PLC0415

        return open_postgres(settings.database_url, retirement)
    return open_sqlite(settings.database_path, retirement)


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
