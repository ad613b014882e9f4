"""The three figures at the top, which are never added together, the budget, and the founder's minutes beside them."""

from __future__ import annotations

from datetime import timedelta

from core.costs.budgets import TENANT, Budget, Used, find_budget, used_of
from core.views.costs import Costs, read_costs
from core.views.spending import Minutes, minutes_spent
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.money import dollars, money, tokens
from pages.parts.untrusted import Html, draw, foreign, join, tag


def figures(here: Here, role_id: str | None) -> None:
    """Draw them."""
    with here.app.read() as conn:
        costs = read_costs(conn, here.tenant_id, role_id)
        minutes = minutes_spent(conn, here.tenant_id, role_id)
        budget = find_budget(conn, here.tenant_id, role_id or TENANT)
        used = None if budget is None or budget.limit is None else used_of(conn, budget)
    draw(
        tag(
            "dl", _recorded(costs), _estimated(costs), _unpriced(costs), _minutes(minutes, costs),
            _budget(budget, used), cls="sums",
        )
    )  # fmt: skip


def _figure(name: str, said: str | Html, below: str | Html, cls: str | None = None) -> Html:
    return tag("div", tag("dt", name), tag("dd", tag("b", said), tag("small", below)), cls=cls)


def _recorded(costs: Costs) -> Html:
    priced = costs.total("calls") - costs.total("unknown_calls") - costs.total("unpriced_calls")
    priced -= costs.total("unbilled_calls")
    left_out = costs.total("unpriced_calls")
    without = f", without {wording.plural(left_out, 'call', 'calls')} that nobody can price" if left_out else ""
    unbilled = costs.total("unbilled_calls")
    errors = f"; {wording.plural(unbilled, 'error was', 'errors were')} not billed" if unbilled else ""
    below = f"{wording.plural(priced, 'call', 'calls')} of known usage and price{without}{errors}"
    return _figure("Recorded", money(costs.total("recorded")), below)


def _estimated(costs: Costs) -> Html:
    count = costs.total("unknown_calls")
    if not count:
        return _figure("Estimated", money(0), "no call is of unknown usage")
    below = f"at most, for {wording.plural(count, 'call', 'calls')} that left and of which nobody knows what they used"
    return _figure("Estimated", money(costs.total("estimated")), below, "doubtful")


def _unpriced(costs: Costs) -> Html:
    count = costs.total("unpriced_calls")
    if not count:
        return _figure("Unpriced", "0 calls", "every model that was called has a price")
    models = ", ".join(one.model for one in costs.models if one.unpriced_calls)
    below = join(f"Unpriced, {tokens(costs.total('unpriced_tokens'))} tokens: ", foreign(models))
    return _figure("Unpriced", wording.plural(count, "call", "calls"), below, "ill")


def _minutes(minutes: Minutes, costs: Costs) -> Html:
    if not minutes.verdicts:
        return _figure("A person's minutes", "–", "no verdict of a sitting is on record")
    spent = f"{minutes.spent / timedelta(minutes=1):,.1f} min"
    each = wording.plural(minutes.verdicts, "verdict", "verdicts")
    each += f", {minutes.middle.total_seconds():.0f} s in the middle"
    beside = f"; beside {dollars(costs.total('recorded'))} recorded" if costs.total("calls") else ""
    return _figure("A person's minutes", spent, each + beside)


def _budget(budget: Budget | None, used: Used | None) -> Html:
    if budget is None or used is None or budget.limit is None:
        return _figure("Budget", "none", "nothing stops a call")
    free = budget.limit - used.held_back
    held = f"paid {dollars(used.recorded)}, perhaps paid {dollars(used.estimated)}, held {dollars(used.reserved)}"
    said = join(money(max(free, 0)), " free of ", money(budget.limit))
    return _figure("Budget", said, held, "ill" if free <= 0 else None)
