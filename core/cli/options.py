"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON on one line.")]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose rows; left out it is `home`.")]
OnlyTenant = Annotated[str | None, typer.Option("--tenant", help="Only this tenant; left out, every tenant.")]
As = Annotated[str, typer.Option("--as", help="The address of the person who acts.")]
MaybeAs = Annotated[str | None, typer.Option("--as", help="The address of the person who acts; else the owner.")]
