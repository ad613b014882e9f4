"""The budget's guard: a call that would go over, or that nobody can price, asks a person before anything leaves.

An approve with a new limit raises the budget; one without lets this step's calls through; a reject stops the thread,
which a retry takes up once there is room. The step itself never sees the question.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from core.audit.note import Note, note
from core.costs.budgets import QUESTION, Budget, budgets_over, used_of, write_budget
from core.costs.calls import Opening
from core.costs.estimates import is_calibrated
from core.costs.money import picodollars, usd
from core.db.store import Tx
from core.desk.budgets import wake_asking
from core.errors import ModelFailed
from core.ports import Counts, PriceCard, Request
from core.review.read import Approval
from core.runner.parts import Parts
from core.runner.run import Run
from core.steps import Option, Question
from core.threads.rows import Thread

STOPPED = "budget_stopped"


class BudgetAsks(Exception):  # noqa: N818 - no error: the step stops here until a person has answered
    """A call does not fit its budget; this is what a person is asked."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question


def count_before(parts: Parts, thread: Thread, request: Request) -> int | None:
    """Have a call's tokens counted by its provider, for nothing, where a budget is to hold it and its step knows none.

    None where nobody needs to know, or where it is not told: the call is estimated then.
    """
    if not isinstance(parts.model, Counts):
        return None
    with parts.store.read() as conn:
        is_watched = bool(budgets_over(conn, thread.tenant_id, thread.role_id))
        is_known = is_watched and is_calibrated(conn, thread.tenant_id, thread.step, parts.model.label)
    return parts.model.count(request) if is_watched and not is_known else None


def raise_as_answered(parts: Parts, run: Run, now: datetime) -> None:
    """Raise the budget that a person's answer names a higher limit for, and let whoever waits for it look again."""
    answer = run.budget_answer(now)
    limit = None if answer is None else _named(answer)
    if answer is None or limit is None or answer.decided_by is None:
        return
    thread = run.thread
    with parts.write() as tx:
        for budget in budgets_over(tx.conn, thread.tenant_id, thread.role_id):
            if budget.name != answer.about or limit <= (budget.limit or 0):
                continue
            raised = write_budget(
                tx, budget.tenant_id, budget.role_id, limit, begins_at=budget.begins_at, by=answer.decided_by, now=now
            )
            wake_asking(tx, budget.tenant_id, now)
            detail = {"role": raised.role_id, "version": raised.version, "limit": usd(limit), "by": raised.set_by}
            note(tx, Note(budget.tenant_id, now, "worker", "budget_set", thread.id, detail))


def reserve(tx: Tx, run: Run, opening: Opening, card: PriceCard | None, now: datetime) -> None:
    """Let a call through whose budgets hold it at its most; its row then holds that. Call it before the row is written.

    Raises BudgetAsks where they do not, and ModelFailed where a person has said that it stops.
    """
    answer = run.budget_answer(now)
    for budget in budgets_over(tx.conn, opening.tenant_id, opening.role_id):
        if _fits(tx, budget, opening, card):
            continue
        if answer is None or (answer.verdict == "approve" and _named(answer) is not None):
            raise BudgetAsks(_question(budget, opening, card))
        if answer.verdict == "reject":
            said = f"The budget of {budget.name} does not hold this call, and a person stopped it here."
            raise ModelFailed(STOPPED, said, is_final=True)


def _named(answer: Approval) -> int | None:
    limit = answer.remark.get("answer", {}).get("limit_usd")
    return None if limit is None else picodollars(Decimal(str(limit)))


def _fits(tx: Tx, budget: Budget, opening: Opening, card: PriceCard | None) -> bool:
    most = opening.most(card)
    return most is not None and budget.limit is not None and used_of(tx.conn, budget).held_back + most <= budget.limit


def _question(budget: Budget, opening: Opening, card: PriceCard | None) -> Question:
    most, limit = opening.most(card), usd(budget.limit or 0)
    if most is None:
        title = f"Nobody can price a call to {opening.model}, and {budget.name} has a budget of ${limit}."
    else:
        title = (
            f"The next call may cost up to ${usd(most)}, which the budget of {budget.name}, ${limit}, does not hold."
        )
    return Question(
        kind=QUESTION,
        about=budget.name,
        title=title,
        options=(
            Option("approve", "Raise it, or allow this once", answer={"limit_usd": "number?"}),
            Option("reject", "Stop here"),
        ),
        facts={
            "budget": budget.name,
            "limit_usd": limit,
            "model": opening.model,
            "call_usd": None if most is None else usd(most),
        },
    )
