"""Budgets: what a role or a tenant may spend on models, and how much of it is spent, doubtful or reserved.

A call that is out holds what it may cost at the most. One whose worker is gone (its lease is another's, or nobody's)
holds that no longer: it counts with what it was expected to cost, for it may have been answered and paid.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, case, exists, func, insert, select

from core.costs.calls import USAGE_UNKNOWN
from core.costs.tables import BudgetRow, ModelCall
from core.db.store import Tx
from core.threads.rows import threads

_budgets = BudgetRow.__table__  # type: ignore[attr-defined]
_calls = ModelCall.__table__  # type: ignore[attr-defined]
TENANT = ""  # the role of a budget that is the whole tenant's
QUESTION = "budget"  # the kind of the question that is asked where a call does not fit


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent, in picodollars; `limit` is None where the budget was taken away."""

    tenant_id: str
    role_id: str
    version: int
    limit: int | None
    begins_at: datetime | None
    set_by: str
    set_at: datetime

    @property
    def name(self) -> str:
        """Whose budget it is, in words."""
        return f"role {self.role_id}" if self.role_id else "the tenant"


@dataclass(frozen=True, slots=True)
class Used:
    """How a budget is used, in picodollars: paid, perhaps paid, held for calls that are out. They are three figures.

    `held_back` is what the guard holds against the limit: all three.
    """

    recorded: int = 0
    estimated: int = 0
    reserved: int = 0
    unpriced_calls: int = 0

    @property
    def held_back(self) -> int:
        """Answer what is no longer free, at the most."""
        return self.recorded + self.estimated + self.reserved


def find_budget(conn: Connection, tenant_id: str, role_id: str) -> Budget | None:
    """Answer the newest version of a budget, or None where nobody has set one."""
    found = conn.execute(
        select(_budgets)
        .where(_budgets.c.tenant_id == tenant_id, _budgets.c.role_id == role_id)
        .order_by(_budgets.c.version.desc())
        .limit(1)
    ).first()
    return None if found is None else Budget(*found)


def budgets_over(conn: Connection, tenant_id: str, role_id: str | None) -> list[Budget]:
    """Answer the budgets that a role's calls fall under and that have a limit: its own, and the tenant's."""
    scopes = [TENANT] if role_id is None else [role_id, TENANT]
    found = (find_budget(conn, tenant_id, scope) for scope in scopes)
    return [one for one in found if one is not None and one.limit is not None]


def list_budgets(conn: Connection, tenant_id: str) -> list[Budget]:
    """Answer the newest version of every budget, the tenant's first."""
    scopes = conn.execute(
        select(_budgets.c.role_id).where(_budgets.c.tenant_id == tenant_id).distinct().order_by(_budgets.c.role_id)
    ).scalars()
    found = [find_budget(conn, tenant_id, scope) for scope in list(scopes)]
    return [one for one in found if one is not None]


def write_budget(  # noqa: PLR0913 - one row
    tx: Tx, tenant_id: str, role_id: str, limit: int | None, *, begins_at: datetime | None, by: str, now: datetime
) -> Budget:
    """Write the next version of a budget."""
    before = find_budget(tx.conn, tenant_id, role_id)
    version = 1 if before is None else before.version + 1
    written = Budget(tenant_id, role_id, version, limit, begins_at, by, now)
    tx.conn.execute(
        insert(_budgets).values(
            tenant_id=tenant_id,
            role_id=role_id,
            version=version,
            limit_picodollars=limit,
            begins_at=begins_at,
            set_by=by,
            set_at=now,
        )
    )
    return written


_IS_OPEN = _calls.c.status == "open"
_IS_OUT = _IS_OPEN & (
    _calls.c.batch_id.is_not(None)
    | exists().where(
        and_(
            threads.c.tenant_id == _calls.c.tenant_id,
            threads.c.id == _calls.c.thread_id,
            threads.c.lease_no == _calls.c.lease_no,
            threads.c.lease_holder.is_not(None),
        )
    )
)
_IS_DOUBTFUL = (_calls.c.unpriced_why == USAGE_UNKNOWN) & ~_IS_OUT


def used_of(conn: Connection, budget: Budget) -> Used:
    """Answer how much of a budget is paid, perhaps paid, and held."""
    expected = func.coalesce(_calls.c.forecast_picodollars, _calls.c.estimated_picodollars, 0)
    query = select(
        func.sum(_calls.c.picodollars),
        func.sum(case((_IS_DOUBTFUL, expected), else_=0)),
        func.sum(case((_IS_OUT, func.coalesce(_calls.c.estimated_picodollars, 0)), else_=0)),
        func.sum(case((_calls.c.unpriced_why.is_not(None) & _calls.c.fresh_tokens.is_not(None), 1), else_=0)),
    ).where(_calls.c.tenant_id == budget.tenant_id)
    if budget.role_id:
        query = query.where(_calls.c.role_id == budget.role_id)
    if budget.begins_at is not None:
        query = query.where(_calls.c.opened_at >= budget.begins_at)
    return Used(*(int(one or 0) for one in conn.execute(query).one()))
