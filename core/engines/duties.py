"""Does a tenant's duties when they are due: taken in one transaction, done outside it, ended in another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import structlog

from core.audit.note import Note, note
from core.clock import say_span
from core.duties.calendar import Rule, say_moved
from core.duties.duties import Run, end_run, fail_run, has_work, take_due
from core.people.tenants import TenantRow
from core.runner.parts import Parts
from core.runner.perform import describe
from core.steps import Json

log = structlog.get_logger()
# What a duty does: for a tenant, at its time; answers counts. It may be done again after a crash, and must bear that.
Act = Callable[[TenantRow, datetime], Mapping[str, Json]]


class Duties:
    """The duties that one worker does; `acts` are those that the loaded code knows."""

    def __init__(self, parts: Parts, acts: Mapping[str, Act], worker_id: str) -> None:
        self._parts = parts
        self._acts = acts
        self._worker_id = worker_id

    def run_due(self, tenant: TenantRow, now: datetime, is_gone: Callable[[str], bool]) -> int:
        """Do what is due in a tenant and what was left undone; answers how many runs that were."""
        with self._parts.store.read() as conn:
            if not has_work(conn, tenant.id, now):
                return 0  # asking takes no write lock
        with self._parts.write() as tx:
            taken = take_due(tx, tenant.id, self._worker_id, now, is_gone=is_gone)
            for _, run in taken:
                note(tx, Note(tenant.id, now, "worker", "duty_begun", None, _detail(run)))
        for rule, run in taken:
            self._do(tenant, rule, run, now)
        return len(taken)

    def _do(self, tenant: TenantRow, rule: Rule, run: Run, now: datetime) -> None:
        said = {
            "duty": run.name,
            "tenant": tenant.id,
            "day": run.due.day.isoformat(),
            "moved": say_moved(rule, run.due),
        }
        log.info("duty begun", late=say_span(run.late), missed=run.missed, tries=run.tries, **said)
        act = self._acts.get(run.name)
        try:
            if act is None:
                raise LookupError(run.name)
            result = act(tenant, now)
        except Exception as error:  # noqa: BLE001 - what a duty meets is a row, never a crash of the worker
            code = "unknown_duty" if act is None else describe(error).code
            with self._parts.write() as tx:
                again = fail_run(tx, tenant.id, run, code, now)
                note(tx, Note(tenant.id, now, "worker", "duty_failed", None, {**_detail(run), "code": code}))
            log.error("duty failed", code=code, again=again, **said)
            return
        with self._parts.write() as tx:
            end_run(tx, tenant.id, run, result, now)
            note(tx, Note(tenant.id, now, "worker", "duty_done", None, {**_detail(run), "result": dict(result)}))


def _detail(run: Run) -> dict[str, Json]:
    late = int(run.late.total_seconds())
    return {"duty": run.name, "day": run.due.day.isoformat(), "late_s": late, "missed": run.missed, "try": run.tries}
