"""Commands for the database that a home's rows are in."""

from __future__ import annotations

from typing import Annotated

import typer

from core.bootstrap import move_rows
from core.cli.edge import actor_of, opened, say
from core.cli.options import As, AsJson
from core.people.people import check_is_owner
from core.settings import without_secret

databases = typer.Typer(help="The database that the rows are in (docs/databases.md).", no_args_is_help=True)
Url = Annotated[str, typer.Argument(metavar="URL", help="An empty one: postgresql://NAME:PASSWORD@HOST/DATABASE.")]


@databases.command("copy")
def database_copy(to: Url, who: As, as_json: AsJson = False) -> None:
    """Copy every row into another database, an empty one; this one stays as it is. Stop every worker first."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, None, who)
        check_is_owner(actor.member)
        rows = app.attempt(actor, "database copy", lambda: move_rows(app, to))
        said = f"{sum(rows.values()):,} rows of {len(rows)} tables are in {without_secret(to)}."
        shaped = {"database": without_secret(to), "rows": sum(rows.values()), "tables": rows}
        say(shaped, as_json=as_json, text=f"{said} Set DAYBOOK_DATABASE_URL to it; keep the home's folder.")
