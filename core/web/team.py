"""Sign-in of a workshop's team by its code. Looking signs nobody in: a camera opens an address, a person presses."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from core.clock import real_now
from core.desk.codes import WRONG_CODE, sign_in_by_code
from core.desk.people import Door
from core.errors import Refused
from core.people.teams import list_team_ids
from core.web.forms import team_page
from core.web.life import current_app
from core.web.signed_in import COOKIE
from core.web.signin import Form, let_in, read_form

PAGE = "/workshop"


async def team(request: Request) -> Response:
    """Show the form, filled in by the address, or sign in."""
    if request.method != "POST":
        given = request.path_params
        return _html(team_page(given.get("tenant", ""), given.get("code", "")), 200)
    form = await read_form(request)
    return await run_in_threadpool(_sign_in, request, form)


routes = [
    Route("/team", team, methods=["GET", "POST"]),
    Route("/team/{tenant}", team),
    Route("/team/{tenant}/{code}", team),
]


def _sign_in(request: Request, form: Form) -> Response:
    app, tenant_id = current_app(), form.get("tenant", "").strip().lower()
    with app.read() as conn:
        is_team = tenant_id in list_team_ids(conn)
    if not is_team:
        return _html(team_page(tenant_id[:63], "", refusal=f"There is no team {tenant_id[:63]!r}. {WRONG_CODE}"), 403)
    door = Door(app.read, app.write, app.vault)
    try:
        token = sign_in_by_code(
            door, tenant_id, form.get("code", ""), real_now(), replaces=request.cookies.get(COOKIE)
        )  # fmt: skip
    except Refused as refused:
        return _html(team_page(tenant_id, "", refusal=refused.sentence), 403)
    return let_in(app, token, PAGE)


def _html(page: str, status: int) -> Response:
    return HTMLResponse(page, status, {"cache-control": "no-store"})
