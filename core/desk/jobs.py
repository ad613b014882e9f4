"""Two files become a reconciliation: what was approved is kept, the export lies outside until the job reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from core.catalog.policies import pin_policy, read_policy
from core.db.store import Tx
from core.desk.desk import Actor, Desk
from core.desk.intake import RULES
from core.errors import BadInput
from core.keys import check_thread_id, random_id
from core.people.people import check_may_decide
from core.receipts.keep import keep, keeping, write_receipts
from core.threads.open import NewThread, open_thread
from core.threads.pinned import POLICY
from core.threads.rows import find_thread
from core.vault.subjects import add_subject

Opener = Callable[[], AbstractContextManager[Tx]]
DECIMALS = {"": "", "point": ".", "comma": ","}


@dataclass(frozen=True, slots=True)
class NewJob:
    """A reconciliation to be. `decimal` is point, comma, or empty to find it in the files."""

    id: str
    account: str
    approved: bytes
    export: bytes
    export_version: int = 1
    decimal: str = ""


def open_job(open_tx: Opener, desk: Desk, actor: Actor, job: NewJob) -> str:
    """Open a job that is due at once, and say how its files are read; raises BadInput, and nothing is stored then."""
    check_may_decide(actor.member)
    thread_id, mark = check_thread_id(job.id), _mark(job)
    read_as = desk.jobs.check(job.approved, job.export, mark)
    _refuse_known(open_tx, actor, thread_id)
    policy = read_policy(desk.jobs.workflow.name)
    export_name = f"{re.sub(r'[^A-Za-z0-9._-]', '-', thread_id)}-{job.export_version}.csv"
    subject_id = random_id("sub")
    desk.vault.make(actor.tenant_id, [(subject_id, thread_id, RULES)])
    keys = desk.vault.keys(actor.tenant_id, thread_id)
    desk.jobs.exports.put(actor.tenant_id, export_name, job.export)
    with keeping(desk.blobs_folder):
        approved = keep(desk.blobs, keys, job.approved, "text/csv")
        with open_tx() as tx:
            state = desk.jobs.first_state(
                job.account, actor.member.id, approved.ref, export_name, job.export_version, mark
            )
            name = desk.jobs.workflow.name
            version = pin_policy(tx, actor.tenant_id, name, policy, by=actor.member.id, now=actor.now)
            goal = f"Reconcile what was approved for {thread_id} with export {job.export_version}"
            new = NewThread(thread_id, desk.jobs.workflow, goal, None, {POLICY: version}, state, actor.member.id)
            add_subject(tx, actor.tenant_id, subject_id, actor.now)
            open_thread(tx, keys, new, actor.now)
            write_receipts(tx, keys, [approved], actor.now)
            actor.note(tx, "job_opened", thread_id, policy=version, export=job.export_version)
            tx.nudges = True
    return read_as


def _mark(job: NewJob) -> str:
    if job.decimal not in DECIMALS:
        raise BadInput(f"The decimal mark is point or comma; {job.decimal[:20]!r} was given.")
    if job.export_version < 1:
        raise BadInput("An export's version is a whole number above zero.")
    if not job.account.strip() or len(job.account) > 200:
        raise BadInput("A job is for an account, whose name is 1 to 200 characters.")
    return DECIMALS[job.decimal]


def _refuse_known(open_tx: Opener, actor: Actor, thread_id: str) -> None:
    with open_tx() as tx:
        if find_thread(tx.conn, actor.tenant_id, thread_id) is not None:
            raise BadInput(
                f"There is a thread {thread_id} in tenant {actor.tenant_id} already; give this job another id."
            )
