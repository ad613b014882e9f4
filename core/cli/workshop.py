"""Open a class for the workshop: a tenant a team, codes to sign in with, a sheet to print; and serve nothing else."""

from __future__ import annotations

import os
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from core.cli.edge import columns, only_warnings, opened, say
from core.cli.options import AsJson
from core.errors import BadInput
from core.settings import PREFIX

PORT = 8501


def workshop(
    teams: Annotated[int, typer.Option(help="How many teams, 1 to 40.")] = 1,
    bind: Annotated[str | None, typer.Option(metavar="ADDR", help="Serve the class at this address.")] = None,
    host: Annotated[str | None, typer.Option(metavar="NAME", help="The name or address people type.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to serve at.")] = PORT,
    as_json: AsJson = False,
) -> None:
    """Open a class: a tenant a team, each with a new code. With --bind it serves the teams, and nothing else."""
    # The demo's files are loaded by what writes them alone.
    from core.workshop.classroom import open_class  # noqa: PLC0415
    from core.workshop.sheet import write_sheet  # noqa: PLC0415

    # Each team is carried to its questions by a worker of its own, and each would say that it starts.
    with only_warnings(), opened(as_json=as_json) as app:
        address = _address(app.settings.base_url, bind, host, port)
        teacher, *seats = open_class(app, teams)
        sheet = write_sheet(app.home / "exports", address, [teacher, *seats])
    shaped = {
        "teams": [{"tenant": one.tenant, "code": one.code} for one in seats],
        "teacher": {"tenant": teacher.tenant, "code": teacher.code},
        "address": f"{address}/team",
        "sheet": str(sheet),
    }
    rows = [(one.tenant, one.code) for one in (teacher, *seats)]
    said = f"Sign in at {address}/team. Each code works once. To print: {sheet}"
    say(shaped, as_json=as_json, text=lambda: f"{columns(rows, '')}\n{said}")
    if bind is not None:
        _serve(bind, address, port)


def _address(base_url: str, bind: str | None, host: str | None, port: int) -> str:
    """Answer the address that people type; raises BadInput where others could not reach the name."""
    # The guard reads Streamlit's own page as it is loaded, which no other command pays for.
    from core.web.guard import is_loopback  # noqa: PLC0415

    if bind is None:
        return base_url.rstrip("/")
    if host is None and not is_loopback(bind):
        raise BadInput(f"Others reach {bind} under a name that only you know: give it with --host NAME.")
    name = host or bind
    address = f"http://{f'[{name}]' if ':' in name else name}:{port}"
    if urlsplit(address).hostname != name.lower():
        raise BadInput(f"{name[:80]!r} is no name of a host.")
    return address


def _serve(bind: str, address: str, port: int) -> None:
    """Become the server, kept to the workshop's tenants, until it is stopped."""
    os.environ[f"{PREFIX}SERVES"] = "workshop"
    os.environ[f"{PREFIX}BASE_URL"] = address
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the answer stays all that the output says
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", bind, "--server.port", str(port)]
    os.execv(sys.executable, command)  # noqa: S606 - this process becomes the server, so that stopping it stops both
