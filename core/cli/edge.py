"""The edge of the command line: open a home, run one command, say what came of it."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import structlog
import typer
from sqlalchemy.exc import DatabaseError

from core.bootstrap import HOME_TENANT, App, open_app
from core.desk.desk import Actor
from core.errors import BadInput, DaybookError, NotWritten
from core.files import label_of
from core.identity import storable
from core.people.tenants import TenantRow, get_tenant, list_tenants
from core.settings import hide_password, load_settings
from core.steps import Json

REFUSED = 3


def quiet_logs() -> None:
    """Send logs to the error stream, so that the output is the answer and nothing else."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


@contextmanager
def only_warnings() -> Iterator[None]:
    """Log nothing below a warning within the block."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextmanager
def refusals(*, as_json: bool) -> Iterator[None]:
    """Turn what is refused into one sentence (or `{"refused": …}`) and exit 3."""
    try:
        yield
    except DaybookError as error:
        _refuse(error.code, error.sentence, as_json=as_json)
    except DatabaseError as error:
        _refuse("database", f"The database did not answer: {hide_password(str(error.orig))}.", as_json=as_json)
    except UnicodeError:
        _refuse(BadInput.code, "What you gave holds half a character; type it again.", as_json=as_json)
    except OSError as error:
        where = f" ({label_of(str(error.filename))})" if error.filename else ""
        _refuse("home", f"The home cannot be used: {error.strerror}{where}; look at who may write it.", as_json=as_json)


def _refuse(code: str, sentence: str, *, as_json: bool) -> None:
    sentence = " ".join(storable(sentence).split())
    if as_json and code != NotWritten.code:
        say_json({"refused": {"code": code, "sentence": sentence}})
    else:
        typer.echo(f"Refused: {sentence}", err=True)
    raise typer.Exit(REFUSED)


@contextmanager
def opened(*, as_json: bool) -> Iterator[App]:
    """Open the home that the settings name, and close it again."""
    with refusals(as_json=as_json):
        app = open_app(load_settings())
        try:
            yield app
        finally:
            app.close()


def tenant_of(app: App, tenant: str | None) -> str:
    """Answer the tenant a command acts in: as named, else `home`; raises NotFound."""
    with app.read() as conn:
        return get_tenant(conn, tenant or app.settings.tenant or HOME_TENANT).id


def only_tenant(app: App, tenant: str | None) -> str | None:
    """Answer the one tenant that a command is kept to, by its option or the settings, or None; raises NotFound."""
    named = tenant or app.settings.tenant
    with app.read() as conn:
        return None if named is None else get_tenant(conn, named).id


def tenants_of(app: App, tenant: str | None) -> list[TenantRow]:
    """Answer the tenants that a command covers: the one that is named, else all; raises NotFound."""
    only = only_tenant(app, tenant)
    with app.read() as conn:
        return [one for one in list_tenants(conn) if only in (None, one.id)]


def actor_of(app: App, tenant: str | None, email: str | None) -> Actor:
    """Answer who acts by command line; without an address it is the tenant's owner."""
    return app.actor(tenant_of(app, tenant), email, "command line")


def say(answer: Json, *, as_json: bool, text: Callable[[], str] | str) -> None:
    """Say an answer: as JSON, or as text for a person."""
    if as_json:
        say_json(answer)
    else:
        _write_out(text if isinstance(text, str) else text())


def say_json(answer: Json) -> None:
    """Print JSON on one line."""
    _write_out(json.dumps(answer, ensure_ascii=False))


def _write_out(text: str) -> None:
    """Write to the output, or raise NotWritten where nobody reads it or there is no room for it."""
    if sys.stdout is None:
        raise NotWritten("The output is closed, so the answer was not written; ask again to see what stands now.")
    try:
        typer.echo(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter would try once more
        why = error.strerror or "it is closed"
        raise NotWritten(f"The answer could not be written ({why}); ask again to see what stands now.") from error


def columns(rows: Sequence[Sequence[object]], empty: str) -> str:
    """Lay rows out in columns, or answer the sentence for none."""
    if not rows:
        return empty
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )
