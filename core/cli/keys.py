"""Commands for the keys by which programs act."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.clock import iso
from core.desk.api_keys import add_api_key, revoke_api_key
from core.people.api_keys import VERBS, ApiKey, list_keys
from core.steps import Json

api_keys = typer.Typer(help="Keys by which programs act (docs/http-api.md).", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the key is for, such as careers-page.")]


@api_keys.command("add")
def key_add(
    name: Name,
    who: As,
    may: Annotated[list[str], typer.Option(help=f"What it may do: {' or '.join(VERBS)}; as often as needed.")],
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, this once: it is kept nowhere."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        key, text = app.act(actor, "key add", lambda tx: add_api_key(tx, actor, name, may))
        said = f"{text}\nThis is the key {name}, which may {' and '.join(key.verbs)}. It is not shown again."
        say({**_shaped(key), "key": text}, as_json=as_json, text=said)


@api_keys.command("revoke")
def key_revoke(name: Name, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Let a key open nothing any more."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        key = app.act(actor, "key revoke", lambda tx: revoke_api_key(tx, actor, name))
        say(_shaped(key), as_json=as_json, text=f"{name} opens nothing from now on.")


@api_keys.command("list")
def key_list(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List keys, revoked ones too; none is shown."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            found = list_keys(conn, tenant_of(app, tenant))
        rows = [(one.name, " ".join(one.verbs), iso(one.created_at), _state(one), one.id) for one in found]
        say([_shaped(one) for one in found], as_json=as_json, text=lambda: columns(rows, "No program has a key."))


def _state(key: ApiKey) -> str:
    return "living" if key.revoked_at is None else f"revoked {iso(key.revoked_at)}"


def _shaped(key: ApiKey) -> dict[str, Json]:
    return {
        "id": key.id,
        "name": key.name,
        "may": list(key.verbs),
        "created_at": iso(key.created_at),
        "revoked_at": iso(key.revoked_at),
    }
