"""A class: a tenant for each team on its own fixture clock, one for the teacher, and codes to sign in with.

A team's tenant has the Atlas job and a small screen. Its owner is whoever signed in with its code; the teacher may look
into it as a viewer, and into nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.bootstrap import App
from core.clock import real_now
from core.db.store import Tx
from core.desk.codes import give_code
from core.desk.desk import Actor
from core.desk.removal import Removed, remove_all
from core.errors import BadInput
from core.keys import random_id
from core.people.people import Member, add_person, find_person
from core.people.teams import (
    TEACHERS_NUMBER,
    Team,
    add_team,
    find_team,
    get_team,
    list_teams,
    pause_teams,
    team_id,
)
from core.people.tenants import list_tenants, restart_clock
from core.workshop.atlas import fixture_tenant, plant_atlas, plant_foreign
from core.workshop.planting import remove_rest
from core.workshop.screen import plant_screen

MOST_TEAMS = 40
TEACHER_EMAIL = "teacher@example.com"


@dataclass(frozen=True, slots=True)
class Seat:
    """A team and the code that signs somebody in to it once."""

    tenant: str
    name: str
    code: str


def open_class(app: App, teams: int) -> list[Seat]:
    """Open teams 1 to `teams` with the teacher's tenant where they are missing; answer a new code each, teacher first.

    Raises BadInput for a number that cannot be, and where a tenant of that name is there and is no team.
    """
    if not 1 <= teams <= MOST_TEAMS:
        raise BadInput(f"A class has 1 to {MOST_TEAMS} teams; {teams} were asked for.")
    _open_teachers(app)
    for number in range(1, teams + 1):
        open_team(app, number)
    return [give_seat(app, team_id(number)) for number in range(teams + 1)]


def open_team(app: App, number: int) -> Actor:
    """Open one team where it is missing, and plant what is missing in it."""
    tenant_id = team_id(number)
    _refuse_taken(app, tenant_id)
    actor = fixture_tenant(app, tenant_id, f"Team {number}")
    foreign = plant_foreign(app)
    with app.read() as conn:
        team = find_team(conn, tenant_id)
    if team is None:
        with app.write() as tx:
            add_team(tx, number, foreign, real_now())
    _let_teacher_look(app, actor)
    plant_atlas(app, actor)
    plant_screen(app, actor)
    return actor


def next_number(app: App) -> int:
    """Answer the lowest number that no team has."""
    with app.read() as conn:
        taken = {team.number for team in list_teams(conn)}
    return next(number for number in range(1, MOST_TEAMS + 2) if number not in taken)


def give_seat(app: App, tenant_id: str) -> Seat:
    """Make a code for a team's owner."""
    actor = app.actor(tenant_id, None, "command line")
    with app.write() as tx:
        code = give_code(tx, app.vault, actor.member, real_now())
    return Seat(tenant_id, actor.tenant.name, code)


def reset_team(app: App, tenant_id: str) -> None:
    """Put one team back to where it began: its rows, its clock, its ticks. Whoever is signed in stays so."""
    with app.read() as conn:
        get_team(conn, tenant_id)
    actor = app.actor(tenant_id, None, "command line")

    def remove(tx: Tx) -> Removed:
        restart_clock(tx, tenant_id)
        return remove_all(tx, actor)

    remove_rest(app, tenant_id, app.act(actor, "team reset", remove))
    actor = app.actor(tenant_id, None, "command line")  # at the clock's start again
    plant_atlas(app, actor)
    plant_screen(app, actor)


def pause_class(app: App, since: datetime | None) -> None:
    """Let every team's page stand still, or go on with None."""
    with app.write() as tx:
        pause_teams(tx, since)


def teams_of(app: App) -> list[Team]:
    """Answer the teams, the teacher's own apart."""
    with app.read() as conn:
        return [team for team in list_teams(conn) if not team.is_teacher]


def _open_teachers(app: App) -> None:
    tenant_id = team_id(TEACHERS_NUMBER)
    _refuse_taken(app, tenant_id)
    fixture_tenant(app, tenant_id, "The teacher")
    with app.read() as conn:
        known = find_team(conn, tenant_id)
    if known is None:
        with app.write() as tx:
            add_team(tx, TEACHERS_NUMBER, "", real_now())


def _refuse_taken(app: App, tenant_id: str) -> None:
    with app.read() as conn:
        there = any(one.id == tenant_id for one in list_tenants(conn))
        if there and find_team(conn, tenant_id) is None:
            raise BadInput(f"Tenant {tenant_id} is there and is no team of a workshop; take another home.")


def _let_teacher_look(app: App, actor: Actor) -> None:
    with app.read() as conn:
        known = find_person(conn, actor.tenant_id, TEACHER_EMAIL)
    if known is None:
        member = Member(actor.tenant_id, random_id("person"), TEACHER_EMAIL, "Teacher", "viewer", active=True)
        with app.write() as tx:
            add_person(tx, member, actor.now)
