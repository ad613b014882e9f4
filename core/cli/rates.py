"""Commands for rate cards: what models cost, who says so, and from when on."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from core.cli.budgets import read_dollars
from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, MaybeAs, Tenant
from core.clock import iso, real_now
from core.costs.cards import OwnCard
from core.costs.lives import list_asked
from core.costs.money import usd
from core.desk.budgets import NewCard, add_rates, note_lives
from core.errors import BadInput
from core.people.people import names_of
from core.ports import Lives, Rates
from core.steps import Json
from core.views.rates import Card, Retiring, list_rates, list_retiring

rates = typer.Typer(help="What models cost: rate cards with author and date.", no_args_is_help=True)
_MILLION = 1_000_000
Dollars = Annotated[str | None, typer.Option(metavar="USD", help="Dollars a million tokens.")]


@rates.command("add")
def rates_add(
    model: Annotated[str, typer.Argument(metavar="MODEL")],
    who: As,
    input_: Annotated[str, typer.Option("--input", metavar="USD", help="Dollars a million tokens read fresh.")],
    output: Annotated[str, typer.Option("--output", metavar="USD", help="Dollars a million tokens written.")],
    note: Annotated[str, typer.Option("--note", help="Where these rates are from.")],
    cache_write: Annotated[str | None, typer.Option("--cache-write", metavar="USD", help="Kept 5 minutes.")] = None,
    cache_write_hour: Annotated[str | None, typer.Option("--cache-write-hour", metavar="USD")] = None,
    cache_read: Annotated[str | None, typer.Option("--cache-read", metavar="USD")] = None,
    batch_percent: Annotated[int, typer.Option("--batch-percent", min=1, max=100, help="Of a batch.")] = 50,
    from_day: Annotated[str | None, typer.Option("--from", metavar="DAY", help="Else from today on.")] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write a model's rates; a cache rate that is left out is that of fresh input. No recorded cost changes."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        fresh = _a_token(input_)
        write, hour, read = (
            fresh if given is None else _a_token(given) for given in (cache_write, cache_write_hour, cache_read)
        )
        given_rates = Rates(0, fresh, write, hour, read, _a_token(output))
        new = NewCard(model, given_rates, _day(from_day), note, batch_percent)
        card = app.act(actor, "rates add", lambda tx: add_rates(tx, actor, new))
        said = f"Calls to {card.model} from {card.from_day} on are priced by card {card.version}."
        say(_own(card, {}), as_json=as_json, text=said)


@rates.command("list")
def rates_list(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List the rates that hold today for every model that is set, priced or was called, and every own card."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            found = list_rates(conn, app.parts.prices, tenant_id, app.parts.model.label, real_now().date())
            names = names_of(conn, tenant_id)
        head = ("model", "input", "cache write", "write 1 h", "cache read", "output", "source", "from", "by")
        rows = [_line(one, names) for one in found]
        say([_shaped(one, names) for one in found], as_json=as_json, text=lambda: columns([head, *rows], ""))


@rates.command("models")
def rates_models(
    ask: Annotated[bool, typer.Option("--ask", help="Ask the provider; needs a Claude model and its key.")] = False,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """List the models that retire and the roles that call them, as the provider said when it was last asked."""
    with opened(as_json=as_json) as app:
        actor, model = actor_of(app, tenant, who), app.parts.model
        if ask:
            if not isinstance(model, Lives):
                raise BadInput("The practice model has no provider to ask; set DAYBOOK_MODEL and a key first.")
            said = model.list_lives()
            app.act(actor, "rates models", lambda tx: note_lives(tx, actor, said))
        with app.read() as conn:
            known, found = list_asked(conn), list_retiring(conn, actor.tenant_id, model.label)
        answer = {"asked_at": iso(known[0].asked_at) if known else None, "retiring": [_retiring(one) for one in found]}
        say(answer, as_json=as_json, text=lambda: _retire(found, has_asked=bool(known)))


def _retiring(one: Retiring) -> dict[str, Json]:
    of = one.asked
    return {
        "model": of.model,
        "lifecycle": of.lifecycle,
        "retires_at": iso(of.retires_at),
        "roles": list(one.roles),
        "is_set": one.is_set,
    }


def _retire(found: list[Retiring], *, has_asked: bool) -> str:
    if not found:
        return "No model that is called here retires." if has_asked else "Nobody has asked; `rates models --ask` does."
    rows = [
        (one.asked.model, one.asked.lifecycle, iso(one.asked.retires_at) or "no day is set", ", ".join(one.roles))
        for one in found
    ]
    return columns([("model", "is", "retires", "called by"), *rows], "")


def _a_token(text: str) -> int:
    amount = read_dollars(text)
    if amount % _MILLION:
        raise BadInput(f"${text[:20]} a million tokens is no whole number of picodollars a token.")
    return amount // _MILLION


def _day(text: str | None) -> date:
    try:
        return real_now().date() if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is no day such as 2026-08-20.") from error


def rate_of(a_token: int) -> str:
    """Write a rate as dollars a million tokens."""
    return usd(a_token * _MILLION)


def _shaped_rates(one: Rates) -> dict[str, Json]:
    return {
        "above_tokens": one.above,
        "input_usd": rate_of(one.fresh),
        "cache_write_usd": rate_of(one.cache_write_5m),
        "cache_write_hour_usd": rate_of(one.cache_write_1h),
        "cache_read_usd": rate_of(one.cache_read),
        "output_usd": rate_of(one.output),
    }


def _own(card: OwnCard, names: dict[str, str]) -> dict[str, Json]:
    return {
        "model": card.model,
        "version": card.version,
        "from": card.from_day.isoformat(),
        "source": card.note,
        "by": names.get(card.added_by),
        "added_at": iso(card.added_at),
        "rates": [_shaped_rates(one) for one in card.bands],
    }


def _shaped(one: Card, names: dict[str, str]) -> dict[str, Json]:
    if one.own is not None:
        return {**_own(one.own, names), "holds": one.holds}
    listed = one.listed
    return {
        "model": one.model,
        "version": None,
        "from": None if listed is None else listed.day.isoformat(),
        "source": None if listed is None else listed.source,
        "by": None,
        "added_at": None,
        "rates": [] if listed is None else [_shaped_rates(band) for band in listed.bands],
        "holds": one.holds,
    }


def _line(one: Card, names: dict[str, str]) -> tuple[str, ...]:
    bands = one.bands
    if not bands:
        return (one.model, "unpriced", "", "", "", "", "no list knows it", "", "")
    first = bands[0]
    each = (first.fresh, first.cache_write_5m, first.cache_write_1h, first.cache_read, first.output)
    more = "" if len(bands) == 1 else f" (more above {bands[1].above:,} tokens)"
    figures = tuple(f"${rate_of(amount)}" for amount in each)
    source = one.source + more + ("" if one.holds else " (another holds)")
    return (one.model, *figures, source, one.from_day, "" if one.own is None else names.get(one.own.added_by, ""))
