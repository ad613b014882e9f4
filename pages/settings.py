"""Settings: the roles with their rubrics, version beside version, and letters, and what this home runs with."""

from __future__ import annotations

from core.catalog.roles import list_roles
from core.views.health import read_health
from core.views.roles import show_role
from pages.parts import facts, role_choice, rubric_versions, wording
from pages.parts.duty_form import duties
from pages.parts.identity import Here, require
from pages.parts.letter_form import letter_form
from pages.parts.live import stay_live
from pages.parts.plan import heading
from pages.parts.role_acts import role_acts
from pages.parts.role_letters import role_letters
from pages.parts.rubric_form import rubric_form
from pages.parts.times_form import times_form
from pages.parts.untrusted import draw, tag


def page(here: Here) -> None:
    """Draw the roles, the chosen one's rubric, and the facts."""
    stay_live(here, mark=here.frame.mark)
    draw(tag("header", tag("h1", "Settings"), cls="run-head"))
    if not here.may("owner"):
        draw(tag("p", wording.ONLY_OWNERS, cls="none"))
    _roles(here)
    duties(here)
    _facts(here)


def _roles(here: Here) -> None:
    with here.app.read() as conn:
        roles = list_roles(conn, here.tenant_id)
    draw(heading("Roles", wording.plural(len(roles), "role", "roles")))
    if not roles:
        draw(tag("p", wording.NO_ROLES, cls="empty"))
        return
    draw(role_choice.table(roles, here))
    chosen = role_choice.choose(roles)
    with here.app.read() as conn:
        shown = show_role(conn, here.tenant_id, next(role for role in roles if role.id == chosen))
    if here.may("owner"):
        role_acts(here, shown.role)
        times_form(here, shown.role.id, shown.letters.role)
    newest = shown.rubrics[-1].version
    draw(heading(f"Rubric of {shown.role.id}", f"version {newest} is the newest"))
    draw(rubric_versions.table(shown.rubrics, here))
    if here.may("owner"):
        rubric_form(here, shown)
    role_letters(here, shown.role.id, shown.letters)
    if here.may("owner"):
        letter_form(here, shown.role.id, shown.letters)


def _facts(here: Here) -> None:
    draw(heading("This home", "set in the environment or .env"))
    with here.app.read() as conn:
        health = read_health(conn, here.tenant_id, here.now)
    draw(facts.facts(here, health))


page(require("viewer"))
