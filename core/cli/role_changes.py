"""Commands that show a role and change it: another rubric version, closing, opening again. Each previews first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.catalog.role_text import RubricDraft, read_rubric
from core.catalog.rubric_changes import Change, say_bands
from core.cli.edge import actor_of, columns, opened, say, tenant_of
from core.cli.options import As, AsJson, Tenant
from core.cli.work import read_text
from core.clock import iso
from core.desk.desk import Reading
from core.desk.roles import close_role, preview_close, reopen_role
from core.desk.rubrics import Preview, preview_rubric, save_rubric
from core.desk.trial import Tried
from core.steps import Json
from core.views.of_role import Closing
from core.views.roles import RoleShown, RubricVersion, read_role_whole

RoleId = Annotated[str, typer.Argument(metavar="ID", help="The role, such as role-14.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; without this it is only said what it would do.")]


def role_show(role_id: RoleId, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Show a role with every version of its rubric and what changed in each."""
    with opened(as_json=as_json) as app:
        with app.read() as conn:
            shown = read_role_whole(conn, tenant_of(app, tenant), role_id)
        say(_shown(shown), as_json=as_json, text=lambda: _shown_text(shown))


def role_rubric(
    role_id: RoleId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The rubric's text, Markdown or TOML.")],
    who: As,
    yes: Yes = False,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Write another version of a role's rubric: undecided threads are scored anew, released ones keep theirs."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        draft = read_rubric(read_text(file), file.name)
        if not yes:
            preview = app.look(
                actor, "role rubric", lambda conn: preview_rubric(conn, app.desk, actor, role_id, draft.content)
            )
            say(_preview(preview, draft), as_json=as_json, text=lambda: _preview_text(preview, draft))
            return
        saved = app.act(actor, "role rubric", lambda tx: save_rubric(tx, actor, role_id, draft.content))
        shaped = {"role": role_id, "saved": True, "version": saved.version, "rescored": saved.undecided,
                  "kept": saved.kept, "came_back": saved.came_back, "noticed": list(draft.noticed)}  # fmt: skip
        text = (
            f"Rubric version {saved.version} of {role_id}: {saved.undecided} scored anew, {saved.kept} keep theirs, "
            f"{saved.came_back} held answers came back."
        )
        say(shaped, as_json=as_json, text="\n".join([text, *draft.noticed]))


def role_close(role_id: RoleId, who: As, yes: Yes = False, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Close a role. Nobody is rejected or mailed by it."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        if yes:
            closing = app.act(actor, "role close", lambda tx: close_role(tx, actor, role_id))
        else:
            closing = app.look(actor, "role close", lambda conn: preview_close(conn, actor, role_id))
        shaped = {"role": role_id, "status": "closed" if yes else "open", "closed": yes, **_closing(closing)}
        lead = f"{role_id} is closed." if yes else f"Closing {role_id} would do this; --yes does it."
        say(shaped, as_json=as_json, text=lambda: "\n".join([lead, *say_closing(closing)]))


def role_open(role_id: RoleId, who: As, tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Open a closed role again."""
    with opened(as_json=as_json) as app:
        actor = actor_of(app, tenant, who)
        app.act(actor, "role open", lambda tx: reopen_role(tx, actor, role_id))
        say({"role": role_id, "status": "open"}, as_json=as_json, text=f"{role_id} is open.")


def _shown(shown: RoleShown) -> dict[str, Json]:
    role = shown.role
    return {
        "id": role.id,
        "title": role.title,
        "status": role.status,
        "applications": role.applications,
        "created_at": iso(role.created_at),
        "closed_at": iso(role.closed_at),
        "versions": dict(shown.versions),
        "rubrics": [
            {
                "version": one.version,
                "created_at": iso(one.created_at),
                "by": one.by,
                "threads": {"going": one.going, "ended": one.ended},
                "changes": _changes(one.changes),
                "content": one.content,
            }
            for one in shown.rubrics
        ],
    }


def _shown_text(shown: RoleShown) -> str:
    role = shown.role
    since = f" since {iso(role.closed_at)}" if role.closed_at else ""
    lines = [f"{role.id}: {role.title}, {role.status}{since}, {role.applications} applications."]
    for one in shown.rubrics:
        lines += ["", *_version_text(one)]
    return "\n".join(lines)


def _version_text(one: RubricVersion) -> list[str]:
    rows = [(f"  {c['number']}", c["title"], f"0 to {c['maximum']}") for c in one.content["criteria"]]
    return [
        f"Rubric version {one.version}, {iso(one.created_at)} by {one.by}: {one.going} go on, {one.ended} ended.",
        columns(rows, "  No criteria."),
        f"  {say_bands(one.content)}",
        *(f"  {change.sentence}" for change in one.changes),
    ]


def _preview(preview: Preview, draft: RubricDraft) -> dict[str, Json]:
    sample = preview.sample
    cost = preview.cost
    return {
        "role": preview.role_id,
        "saved": False,
        "version": preview.version,
        "rescored": preview.standing.undecided,
        "kept": preview.standing.kept,
        "came_back": preview.standing.held,
        "cost": {"model": cost.model, "usd": None if cost.usd is None else str(cost.usd), "text": cost.sentence},
        "sample": None
        if sample is None
        else {"size": len(sample), "changed": [_tried(one) for one in sample if one.changes_sides]},
        "changes": _changes(preview.changes),
        "noticed": list(draft.noticed),
    }


def _tried(one: Tried) -> dict[str, Json]:
    return {"thread": one.thread_id, "before": _reading(one.before), "after": _reading(one.after)}


def _reading(one: Reading) -> dict[str, Json]:
    return {"total": one.total, "max_total": one.max_total, "proposal": one.proposal}


def _changes(changes: Sequence[Change]) -> list[dict[str, Json]]:
    return [
        {"place": one.place, "criterion": one.number, "points": one.points, "before": one.before, "after": one.after}
        for one in changes
    ]


def _preview_text(preview: Preview, draft: RubricDraft) -> str:
    standing = preview.standing
    lines = [
        f"Rubric version {preview.version} of {preview.role_id} would do this; --yes does it.",
        f"{standing.undecided} undecided are scored anew; {standing.kept} keep theirs.",
        f"{standing.held} held answers come back.",
        f"Cost: {preview.cost.sentence}.",
        *say_sample(preview.sample),
        *(change.sentence for change in preview.changes),
        *draft.noticed,
    ]
    return "\n".join(lines)


def say_sample(sample: Sequence[Tried] | None) -> list[str]:
    """Say what a trial came to, a line each that changes sides."""
    if sample is None:
        return ["No sample was scored: the model's answers cost money."]
    changed = [one for one in sample if one.changes_sides]
    return [
        f"On a sample of {len(sample)}, {len(changed)} change sides.",
        *(
            f"  {one.thread_id}: {one.before.total} of {one.before.max_total}, {one.before.proposal}"
            f" → {one.after.total} of {one.after.max_total}, {one.after.proposal}"
            for one in changed
        ),
    ]


def _closing(closing: Closing) -> dict[str, Json]:
    return {
        "undecided": closing.undecided,
        "held": closing.held,
        "reminders": closing.reminders,
        "bookings": closing.bookings,
        "bookings_until": iso(closing.last_until_at),
        "ended": closing.ended,
    }


def say_closing(closing: Closing) -> list[str]:
    """Say what closing does, a line each."""
    until = f", the last until {iso(closing.last_until_at)}" if closing.last_until_at else ""
    return [
        f"{closing.undecided} undecided go to the lane of closing roles; nobody is rejected or mailed.",
        f"{closing.held} held answers ask again.",
        f"{closing.reminders} reminders are void.",
        f"{closing.bookings} invited may book until their deadline{until}.",
        f"{closing.ended} ended stay as they are.",
    ]
