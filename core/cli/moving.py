"""Move a home's rows into another database."""

from __future__ import annotations

from typing import Annotated

import typer

from core.bootstrap import move_rows
from core.cli.edge import actor_of, opened, say
from core.cli.options import As, AsJson
from core.people.people import check_is_owner
from core.settings import without_secret

To = Annotated[str, typer.Option("--to", metavar="URL", help="An empty one: postgresql://NAME:PASSWORD@HOST/DATABASE.")]


def move(to: To, who: As, as_json: AsJson = False) -> None:
    """Move every row into another database (docs/databases.md), and retire this one. Stop every worker first."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, None, who)
        check_is_owner(actor.member)
        rows = app.attempt(actor, "move", lambda: move_rows(app, to))
        said = f"{sum(rows.values()):,} rows of {len(rows)} tables are in {without_secret(to)}, read back and compared."
        shaped = {"database": without_secret(to), "rows": sum(rows.values()), "tables": rows}
        say(shaped, as_json=as_json, text=f"{said} Set DAYBOOK_DATABASE_URL to it; keep the home's folder.")
