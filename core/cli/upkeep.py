"""Commands that keep a home well."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from core.bootstrap import App
from core.cli.edge import REFUSED, actor_of, columns, only_tenant, opened, say, tenant_of, tenants_of
from core.cli.options import As, AsJson, MaybeAs, OnlyTenant, Tenant
from core.cli.shapes import person
from core.clock import iso, read_span, real_now
from core.desk.clock import advance_clock, jump_clock
from core.desk.outside import turn_sending
from core.desk.people import add_member, set_access, set_password
from core.effects.switch import read_sending
from core.errors import BadInput
from core.people.accounts import hash_password
from core.people.people import Access, get_person, list_people
from core.people.tenants import get_tenant, list_tenants
from core.steps import Json
from core.views.health import find_overdue, list_workers
from core.views.preflight import list_blocked
from core.views.verify import verify as verify_home

clock = typer.Typer(help="A fixture tenant's clock.", no_args_is_help=True)
people = typer.Typer(help="People of a tenant.", no_args_is_help=True)
tenants = typer.Typer(help="Tenants of this home.", no_args_is_help=True)


def preflight(tenant: OnlyTenant = None, as_json: AsJson = False) -> None:
    """Name the threads that the loaded code could not resume; changes nothing."""
    with opened(as_json=as_json) as app:
        covered = tenants_of(app, tenant)
        with app.read() as conn:
            blocked = [one for row in covered for one in list_blocked(conn, app.vault, app.desk.workflows, row.id)]
        shaped = {"blocked": [{"thread": one.thread_id, "step": one.step, "reason": one.reason} for one in blocked]}
        rows = [(one.thread_id, one.step, one.reason) for one in blocked]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "The loaded code can resume every thread."))


@clock.command("show")
def clock_show(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show a tenant's clock."""
    with opened(as_json=as_json) as app:
        _show_clock(app, tenant, as_json=as_json)


@clock.command("advance")
def clock_advance(
    span: Annotated[str, typer.Argument(metavar="SPAN", help="Such as 90s, 1h30m or 2d.")],
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Move a fixture tenant's clock forward."""
    with opened(as_json=as_json) as app:
        actor, by, held = actor_of(app, tenant, who), read_span(span), app.settings.frozen_now
        app.act(actor, "clock advance", lambda tx: advance_clock(tx, actor, by, held_at=held))
        _show_clock(app, tenant, as_json=as_json)


@clock.command("next")
def clock_next(who: MaybeAs = None, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Move a fixture tenant's clock to its next due time."""
    with opened(as_json=as_json) as app:
        actor, held = actor_of(app, tenant, who), app.settings.frozen_now
        app.act(actor, "clock next", lambda tx: jump_clock(tx, actor, held_at=held))
        _show_clock(app, tenant, as_json=as_json)


def _show_clock(app: App, tenant: str | None, *, as_json: bool) -> None:
    with app.read() as conn:
        row = get_tenant(conn, tenant_of(app, tenant))
    now = iso(row.now(app.settings.frozen_now))
    frozen = app.settings.frozen_now is not None
    shaped = {"tenant": row.id, "clock": row.clock, "now": now, "frozen": frozen}
    held = " (frozen by DAYBOOK_NOW)" if frozen else ""
    say(shaped, as_json=as_json, text=f"{row.id}: {now}, {row.clock} clock{held}.")


@people.command("list")
def person_list(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List a tenant's people, owners first."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            found = list_people(conn, tenant_of(app, tenant))
        rows = [(one.email, one.access, one.name) for one in found]
        say([person(one) for one in found], as_json=as_json, text=lambda: columns(rows, "Nobody."))


class AccessWord(StrEnum):
    """What a person may do; `none` lets them no longer act."""

    OWNER = "owner"
    REVIEWER = "reviewer"
    VIEWER = "viewer"
    NONE = "none"


@people.command("add")
def person_add(
    email: str,
    who: As,
    name: Annotated[str, typer.Option(help="The name that stands beside what they decide.")],
    access: Annotated[AccessWord, typer.Option(help="What they may do.")] = AccessWord.REVIEWER,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Add a person. They sign in once `person password` set one."""
    with opened(as_json=as_json) as app:
        if access is AccessWord.NONE:
            raise BadInput("A new person is an owner, a reviewer or a viewer.")
        actor = actor_of(app, tenant, who)
        level: Access = access.value  # type: ignore[assignment]
        member = app.act(actor, "person add", lambda tx: add_member(tx, actor, email, name, level))
        say(person(member), as_json=as_json, text=f"Added {member.email} as {member.access}.")


@people.command("access")
def person_access(email: str, access: AccessWord, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Change what a person may do; `none` ends their sessions and what they decided but did not release."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        level: Access | None = None if access is AccessWord.NONE else access.value  # type: ignore[assignment]
        member = app.act(actor, "person access", lambda tx: set_access(tx, actor, email, level))
        said = member.access if member.active else "no longer active"
        say(person(member), as_json=as_json, text=f"{member.email}: {said}.")


@people.command("password")
def person_password(
    email: str,
    who: As,
    password: Annotated[
        str, typer.Option(prompt=True, hide_input=True, confirmation_prompt=True, help="Asked for when left out.")
    ],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Set a person's password, and end their sessions."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        with app.read() as conn:
            member = get_person(conn, actor.tenant_id, email)
        hashed = hash_password(password, member)
        app.act(actor, "person password", lambda tx: set_password(tx, actor, member, hashed, real_now()))
        say(person(member), as_json=as_json, text=f"{member.email} signs in with the new password from now on.")


@tenants.command("list")
def tenant_list(as_json: AsJson = False) -> None:
    """List tenants."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            found = list_tenants(conn)
        shaped = [{"id": one.id, "name": one.name, "clock": one.clock} for one in found]
        rows = [(one.id, one.clock, one.name) for one in found]
        say(shaped, as_json=as_json, text=lambda: columns(rows, "No tenants."))


def verify(tenant: OnlyTenant = None, as_json: AsJson = False) -> None:
    """Check every invariant of the record, and name exactly what is broken."""
    with opened(as_json=as_json) as app:
        report = verify_home(app.parts, only_tenant(app, tenant))
        shaped = {"ok": not report.problems, "checked": report.checked, "problems": list(report.problems)}
        said = "\n".join(report.problems) or f"Nothing is broken ({report.checked} checks)."
        say(shaped, as_json=as_json, text=said)
        if report.problems:
            raise typer.Exit(REFUSED)


class OnOff(StrEnum):
    """How a switch may stand."""

    ON = "on"
    OFF = "off"


def sending(to: OnOff, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Switch whether anything leaves, in the whole home. What waits meanwhile goes out once it is on again."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        is_on = to is OnOff.ON
        with app.read() as conn:
            nows = {row.id: row.now(app.settings.frozen_now) for row in list_tenants(conn)}
        app.act(actor, "sending", lambda tx: turn_sending(tx, actor, nows, on=is_on))
        said = "on; what waited goes out" if is_on else "off; nothing leaves until it is on again"
        say({"sending": to.value}, as_json=as_json, text=f"Sending is {said}.")


def doctor(tenant: OnlyTenant = None, as_json: AsJson = False) -> None:
    """Check the settings and the home: where it is, who works, what is overdue."""
    with opened(as_json=as_json) as app:
        covered = tenants_of(app, tenant)
        with app.read() as conn:
            workers = list_workers(conn)
            sends = read_sending(conn)
            overdue = {row.id: find_overdue(conn, row.id, row.now(app.settings.frozen_now)) for row in covered}
        shaped: dict[str, Json] = {
            "home": str(app.home),
            "database": app.settings.database_shown,
            "model": app.parts.model.label,
            "mail": str(app.settings.mail),
            "ocr": app.settings.ocr_shown,
            "engine": app.engine_shown(),
            "sending": "on" if sends.is_on else "off",
            "sending_changed_at": iso(sends.changed_at),
            "workers": [{"id": w.id, "kind": w.kind, "silent_s": round(w.silent_for, 1)} for w in workers],
            "overdue": [
                {"tenant": name, "threads": one.count, "oldest_at": iso(one.oldest_at)} for name, one in overdue.items()
            ],
        }
        rows = [(key, value) for key, value in shaped.items() if not isinstance(value, list)]
        rows += [("worker", f"{w['id']} {w['kind']}, heard {w['silent_s']} s ago") for w in shaped["workers"]]
        rows += [
            ("overdue", f"{o['tenant']}: {o['threads']} since {o['oldest_at']}")
            for o in shaped["overdue"]
            if o["threads"]
        ]
        say(shaped, as_json=as_json, text=lambda: columns(rows, ""))
