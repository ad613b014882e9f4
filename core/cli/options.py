"""The options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _given(text: str) -> Path:
    """Read a path; an empty one would be the current folder, which nobody means."""
    if not text.strip():
        raise typer.BadParameter("an empty path names nothing; give the file or folder")
    return Path(text)


AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON on one line.")]
OneFile = Annotated[Path | None, typer.Option(parser=_given, metavar="FILE", help="One application's file.")]
Batch = Annotated[
    Path | None,
    typer.Option(parser=_given, metavar="PATH", help="Many: a folder, or a CSV or JSON list of forms."),
]
Cover = Annotated[Path | None, typer.Option(parser=_given, metavar="FILE", help="A cover note's file.")]
RoleFile = Annotated[Path, typer.Argument(parser=_given, metavar="FILE", help="The role's text, Markdown or TOML.")]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose rows; left out it is `home`.")]
OnlyTenant = Annotated[str | None, typer.Option("--tenant", help="Only this tenant; left out, every tenant.")]
As = Annotated[str, typer.Option("--as", help="The address of the person who acts.")]
MaybeAs = Annotated[str | None, typer.Option("--as", help="The address of the person who acts; else the owner.")]
