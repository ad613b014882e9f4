"""Commands for what a role's letters say, and for how a time is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from core.bootstrap import App
from core.catalog.booking import read_booking_file, way_of
from core.catalog.letters import read_letter
from core.catalog.role_parts import SETTINGS
from core.catalog.role_text import check_settings
from core.cli.deciding import ThreadId
from core.cli.edge import actor_of, opened, say, tenant_of
from core.cli.options import As, AsJson, MaybeAs, Tenant
from core.cli.work import read_text, roles
from core.db.store import Tx
from core.desk.asking import ask_thread
from core.desk.desk import Actor
from core.desk.letters import save_letter
from core.desk.role_times import set_times
from core.desk.versions import Saved, read_newest, save_version
from core.errors import BadInput
from core.files import label_of
from core.steps import Config, Json
from core.views.of_role import count_standing

RoleId = Annotated[str, typer.Argument(metavar="ID", help="The role's id.")]
Yes = Annotated[bool, typer.Option("--yes", help="Save it; without this it is only shown.")]


@roles.command("letters")
def role_letters(
    role: RoleId,
    change: Annotated[
        tuple[str, Path] | None, typer.Option("--set", metavar="NAME FILE", help="A letter's name and its new text.")
    ] = None,
    yes: Yes = False,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show a role's letters as a sample person would get them, or a new version of one before it is saved."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            letters = read_newest(conn, tenant_id, role, "letters")
        content = dict(letters.content)
        if change is not None:
            content[change[0]] = read_letter(read_text(change[1]), change[0], label_of(change[1].name))
        shown = app.preview_changed(tenant_id, role, Config("letters", 0, content))

        def write(tx: Tx, actor: Actor) -> Saved:
            assert change is not None  # noqa: S101 - only a change is saved
            return save_letter(tx, actor, role, change[0], content[change[0]], after=letters.version)

        saved = _save(app, (tenant, who), (role, "letters"), write, yes=yes and change is not None)
        shaped = {"role": role, "version": letters.version, "letters": content, "preview": shown, **saved}
        say(shaped, as_json=as_json, text=lambda: _as_text(shown, change and change[0], saved, letters.version))


@roles.command("booking")
def role_booking(
    role: RoleId,
    file: Annotated[Path | None, typer.Option("--set", help="TOML with time_zone, slots and address.")] = None,
    yes: Yes = False,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show how a time is chosen for a role: from a list, at an address elsewhere, or by answering the letter."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            booking = read_newest(conn, tenant_id, role, "booking")
        content = dict(booking.content)
        if file is not None:
            content = read_booking_file(read_text(file), label_of(file.name))

        def write(tx: Tx, actor: Actor) -> Saved:
            return save_version(tx, actor, role, "booking", content, after=booking.version)

        saved = _save(app, (tenant, who), (role, "booking"), write, yes=yes and file is not None)
        shaped = {"role": role, "version": booking.version, "way": way_of(content), **content, **saved}
        lines = [f"{name}: {shaped[name]}" for name in ("way", "time_zone", "address")]
        lines += [f"slot: {slot}" for slot in content["slots"]]
        say(shaped, as_json=as_json, text="\n".join([*lines, *_said(saved, booking.version, file is not None)]))


@roles.command("times")
def role_times(
    role: RoleId,
    change: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=HOURS", help=f"One of {', '.join(SETTINGS)}.")
    ] = None,
    yes: Yes = False,
    who: MaybeAs = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Show how long a role's invitations stand, when it reminds and when questions are due, or set it anew."""
    with opened(as_json=as_json) as app:
        tenant_id = tenant_of(app, tenant)
        with app.read() as conn:
            newest = read_newest(conn, tenant_id, role, "role")
        changed = dict(_read_time(one) for one in change or [])
        content = check_settings(newest.content, changed)

        def write(tx: Tx, actor: Actor) -> Saved:
            return set_times(tx, actor, role, changed, after=newest.version)

        saved = _save(app, (tenant, who), (role, "role"), write, yes=yes and bool(changed))
        lines = [f"{name}: {content[name]}" for name in SETTINGS]
        said = "\n".join([*lines, *_said(saved, newest.version, bool(changed))])
        say({"role": role, "version": newest.version, **content, **saved}, as_json=as_json, text=said)


def _read_time(typed: str) -> tuple[str, int]:
    name, sign, hours = typed.partition("=")
    if not sign or not hours.strip().isdecimal():
        raise BadInput(f"{typed[:60]!r} is no setting and its number; write it like window_hours=36.")
    return name.strip(), int(hours)


def retract(thread: ThreadId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Ask whether an invite that left is taken back. The question shows its letter; nothing leaves before an answer."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        app.act(actor, "retract", lambda tx: ask_thread(tx, app.desk, actor, thread, "retract"))
        said = f"{thread}: the question whether to take the invite back is asked; answer it with `decide`."
        say({"thread": thread, "asked": "retract"}, as_json=as_json, text=said)


def _save(
    app: App,
    acting: tuple[str | None, str | None],
    what: tuple[str, str],
    write: Callable[[Tx, Actor], Saved],
    *,
    yes: bool,
) -> dict[str, Json]:
    """Save the next version of what a role says, or say how many threads would go by it."""
    actor, (role, kind) = actor_of(app, *acting), what
    if not yes:
        with app.read() as conn:
            standing = count_standing(conn, actor.tenant_id, role, kind)
        return {"saved": None, "undecided": standing.undecided, "asked": standing.asked, "came_back": standing.held}
    saved = app.act(actor, f"role {kind}", lambda tx: write(tx, actor))
    return {"saved": saved.version, "undecided": saved.undecided, "came_back": saved.came_back}


def _as_text(shown: Mapping[str, Any], only: str | None, saved: Mapping[str, Json], version: int) -> str:
    parts = []
    for name, letter in shown.items():
        if only in (None, name) or only not in shown:
            heads = [f"{head}: {letter[head]}" for head in ("sender", "reply_to", "language") if letter.get(head)]
            parts.append("\n".join([f"--- {name}", f"subject: {letter['subject']}", *heads, "", letter["body"]]))
    return "\n".join([*parts, *_said(saved, version, only is not None)])


def _said(saved: Mapping[str, Json], version: int, changes: bool) -> list[str]:
    if saved["saved"] is not None:
        return [
            f"Saved as version {saved['saved']}: {saved['undecided']} undecided threads go by it, "
            f"{saved['came_back']} held answers came back."
        ]
    if changes:
        return [
            f"Not saved: add --yes. {saved['undecided']} undecided threads would go by it, {saved['asked']} questions "
            f"that stand would be asked anew, {saved['came_back']} held answers would come back."
        ]
    return [f"Version {version}."]
