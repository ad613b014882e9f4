"""Rates with their source and day, the budgets, and an invoice held against the ledger."""

from __future__ import annotations

import streamlit as st

from core.clock import real_now
from core.costs.budgets import Budget, list_budgets
from core.costs.invoice import read_invoice
from core.costs.money import usd
from core.desk.budgets import set_budget
from core.errors import BadInput
from core.people.people import names_of
from core.views.invoiced import Held, Period, hold_against
from core.views.rates import Card, Retiring, list_rates, list_retiring
from pages.parts.acting import act
from pages.parts.cost_charts import Behind, table
from pages.parts.identity import Here, require
from pages.parts.money import money
from pages.parts.plan import heading
from pages.parts.pressing import press
from pages.parts.times import day, when
from pages.parts.untrusted import Html, draw, foreign, join, tag

_MILLION = 1_000_000
_LIMIT = "costs.budget.limit"
_INVOICE_CHARACTERS = 200_000


def page(here: Here, role_id: str | None) -> None:
    """Draw all three."""
    with here.app.read() as conn:
        cards = list_rates(conn, here.app.parts.prices, here.tenant_id, here.app.parts.model.label, real_now().date())
        budgets = list_budgets(conn, here.tenant_id)
        names = names_of(conn, here.tenant_id)
        retiring = list_retiring(conn, here.tenant_id, here.app.parts.model.label)
    _rates(cards, names)
    _retiring(retiring, here)
    _budgets(here, budgets, names, role_id)
    _invoice(here)


def _rates(cards: list[Card], names: dict[str, str]) -> None:
    draw(heading("Rates", "dollars a million tokens"))
    if not cards:
        draw(tag("p", "No model that leaves this machine is set or was called.", cls="none"))
        return
    heads = ("Model", "Fresh", "Cache write", "1 h", "Cache read", "Output", "Source", "From", "By", "Today")
    draw(table(Behind(heads, [_card(one, names) for one in cards], "Rate cards")))
    draw(tag("p", "A card changes no recorded cost. An owner adds one by ", tag("code", "rates add"), ".", cls="none"))


def _retiring(found: list[Retiring], here: Here) -> None:
    if not found:
        return
    draw(heading("Models that retire", "as their provider said when it was last asked"))
    rows = [
        (
            join(foreign(one.asked.model), " (set now)" if one.is_set else None), foreign(one.asked.lifecycle),
            None if one.asked.retires_at is None else day(one.asked.retires_at, here.zone),
            foreign(", ".join(one.roles)), when(one.asked.asked_at, here.zone),
        )
        for one in found
    ]  # fmt: skip
    draw(table(Behind(("Model", "Is", "Retires", "Called by", "Asked"), rows, "Models that retire")))


def _card(one: Card, names: dict[str, str]) -> tuple[str | Html | None, ...]:
    by = "" if one.own is None else names.get(one.own.added_by, "")
    if not one.bands:
        return (foreign(one.model), "unpriced", *[None] * 4, "no list knows it", None, None, "holds")
    band = one.bands[0]
    each = (band.fresh, band.cache_write_5m, band.cache_write_1h, band.cache_read, band.output)
    above = join(f"; above {one.bands[1].above:,} tokens more") if len(one.bands) > 1 else None
    figures = tuple(f"${usd(rate * _MILLION)}" for rate in each)
    source = join(foreign(one.source), above)
    return (foreign(one.model), *figures, source, one.from_day, foreign(by), "holds" if one.holds else "does not hold")


def _budgets(here: Here, budgets: list[Budget], names: dict[str, str], role_id: str | None) -> None:
    draw(heading("Budgets", "a call that does not fit asks a person"))
    if budgets:
        rows = [
            (
                foreign(one.name), "none" if one.limit is None else money(one.limit),
                when(one.begins_at, here.zone) or "all calls", foreign(names.get(one.set_by, "")),
                when(one.set_at, here.zone),
            )
            for one in budgets
        ]  # fmt: skip
        draw(table(Behind(("Of", "Limit", "Counts since", "Set by", "Set"), rows, "Budgets")))
    else:
        draw(tag("p", "Nobody has set one, so no call is stopped.", cls="none"))
    if here.may("owner"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            typed = st.number_input(
                "Budget in dollars", key=_LIMIT, min_value=0.0, max_value=1e6, step=1.0, value=None, width=200
            )
            whose = "this role" if role_id else "the tenant"
            press(f"Set it for {whose}", _set, role_id, typed, key="costs.budget.set")
            st.button("Take it away", key="costs.budget.none", on_click=_take_away, args=(role_id,), type="tertiary")


def _set(role_id: str | None, typed: float | None) -> None:
    here = require("viewer")
    if typed is None:
        st.toast("Type an amount first.")
        return
    limit = round(typed * 100) * 10**10
    if act(here, "budget set", lambda tx: set_budget(tx, here.actor, role_id, limit)):
        st.toast("The budget is set.", icon=":material/check:")


def _take_away(role_id: str | None) -> None:
    here = require("viewer")
    if act(here, "budget set", lambda tx: set_budget(tx, here.actor, role_id, None)):
        st.toast("There is no budget now.", icon=":material/check:")


def _invoice(here: Here) -> None:
    draw(heading("An invoice", "held against the ledger; nothing is written"))
    pasted = st.text_area(
        "The invoice, as a table with model and usd, or lines of a model and an amount", key="costs.invoice",
        max_chars=_INVOICE_CHARACTERS, height=120, placeholder="claude-sonnet-5-5 12.34",
    )  # fmt: skip
    if not pasted or not pasted.strip():
        return
    try:
        lines = read_invoice(pasted)
    except BadInput as error:
        draw(tag("p", foreign(error.sentence), cls="turned-down", role="alert"))
        return
    with here.app.read() as conn:
        held = hold_against(conn, here.tenant_id, lines, Period())
    heads = ("Model", "Invoiced", "Recorded", "Difference", "Explained by", "Not explained")
    draw(table(Behind(heads, [_held(one) for one in held], "The invoice against the ledger")))


def _held(one: Held) -> tuple[str | Html | None, ...]:
    reasons = [tag("li", foreign(why.sentence), _up_to(why.amount)) for why in one.reasons]
    said = tag("ul", *reasons) if reasons else "nothing to explain" if one.difference == 0 else None
    return (
        foreign(one.model),
        money(one.invoiced),
        money(one.recorded),
        money(one.difference),
        said,
        money(one.unexplained),
    )


def _up_to(amount: int | None) -> Html | None:
    return None if amount is None else join(" Up to ", money(amount), ".")
