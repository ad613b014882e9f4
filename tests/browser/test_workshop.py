"""A class at one server: how long a press takes, and that no team sees a row of another.

Three sessions by default; `make class` has twenty, and prints the same figures.
"""

from __future__ import annotations

import os
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from core.people.teams import team_id
from core.workshop.classroom import Seat, open_class
from core.workshop.sheet import team_address
from tests.browser.conftest import DRAWN, end, free_port, log_of, start, wait_until_served
from tests.browser.test_pages import RULES
from tests.homes import Home, open_home

pytestmark = pytest.mark.browser
TEAMS, ROUNDS = int(os.environ.get("SESSIONS", "3")), 3
PARTS = ("1 Facts", "2 Window", "3 Atlas", "4 Crash", "5 Contaminate", "6 Deletion", "7 Clinic")
# Presses a button and answers how many milliseconds pass until the next fact is on the screen.
PRESS = """([label, next]) => new Promise((done) => {
  const card = () => document.querySelector('.lab-card .id');
  const buttons = [...document.querySelectorAll('.st-key-lab-places button')];
  const button = buttons.find((one) => one.innerText.trim() === label);
  const begun = performance.now();
  const seen = new MutationObserver(() => {
    if (!card() || !card().textContent.startsWith(next)) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
  });
  seen.observe(document.body, {subtree: true, childList: true, characterData: true});
  button.click();
})"""


@dataclass(frozen=True)
class Room:
    """A served class."""

    url: str
    home: Home
    seats: dict[str, Seat]


@pytest.fixture
def room(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Room]:
    home = open_home(tmp_path / "home", hold_seconds=None)
    home = replace(home, app=replace(home.app, settings=home.app.settings.model_copy(update={"now": None})))
    seats = {seat.tenant: seat for seat in open_class(home.app, request.param)}
    port = free_port()
    process = start(tmp_path / "home", port=port, DAYBOOK_SERVES="workshop", DAYBOOK_NOW="")
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(tmp_path / "home"))
        yield Room(url, home, seats)
    finally:
        end(process)
        home.app.close()


def join(context: BrowserContext, room: Room, tenant: str) -> Page:
    """Sign in as somebody does who holds a phone to the sheet."""
    page = context.new_page()
    page.goto(team_address(room.url, room.seats[tenant]))
    page.get_by_role("button", name="Join the team").click()
    drawn(page)
    return page


def drawn(page: Page) -> None:
    page.wait_for_selector(DRAWN, timeout=60_000)
    page.wait_for_selector(".acting", timeout=60_000)


@pytest.mark.parametrize("room", [TEAMS], indirect=True)
def test_every_session_presses_and_none_sees_a_row_of_another(room: Room, browser: Browser) -> None:
    teams = [team_id(number) for number in range(1, TEAMS + 1)]
    contexts = [browser.new_context() for _ in teams]
    pages = [join(context, room, one) for context, one in zip(contexts, teams, strict=True)]
    for page in pages:
        page.wait_for_selector(".lab-card")
    took = [
        float(page.evaluate(PRESS, ["State", f"Fact {number + 1} of"]))
        for number in range(1, ROUNDS + 1)
        for page in pages
    ]
    cuts = statistics.quantiles(took, n=20)
    print(  # noqa: T201 - a figure to be read, not a limit
        f"\n{len(took)} presses by {TEAMS} sessions: p50 {statistics.median(took):.0f} ms, p95 {cuts[18]:.0f} ms"
    )

    seen = {}
    for page, own in zip(pages, teams, strict=True):
        page.goto(f"{room.url}/memory")
        drawn(page)
        page.wait_for_selector("table")
        seen[own] = page.locator(".stMain").inner_text() + page.content()
    for context in contexts:
        context.close()

    kept = {own: room.home.look("SELECT id FROM memories WHERE tenant_id = :id", id=own) for own in teams}
    for own in teams:
        others = {str(one[0]) for other in teams if other != own for one in kept[other]}
        assert [one for one in others if one in seen[own]] == []
        assert any(str(one[0]) in seen[own] for one in kept[own])
        assert set(re.findall(r"owner of <b>(team-\d\d)</b>", seen[own])) == {own}
    ticks = room.home.look("SELECT tenant_id, detail FROM team_ticks WHERE tick = 'facts' ORDER BY tenant_id")
    assert [one for one, _ in ticks] == teams
    assert {str(detail).count('"state"') for _, detail in ticks} == {ROUNDS}


@pytest.mark.parametrize("room", [1], indirect=True)
def test_nothing_in_the_workshop_stands_in_the_way_of_a_reader(room: Room, browser: Browser) -> None:
    found = {}
    team, teacher = browser.new_context(), browser.new_context()
    signed_in = {"team": team, "teacher": teacher}
    join(team, room, "team-01")
    join(teacher, room, "workshop")
    states = {name: context.storage_state() for name, context in signed_in.items()}
    for scheme, width in (("light", 1360), ("dark", 390)):
        for name, parts in (("team", PARTS), ("teacher", ("1 Facts",))):
            context = browser.new_context(
                color_scheme=scheme,  # type: ignore[arg-type]
                viewport={"width": width, "height": 900},
                bypass_csp=True,  # axe is put into the page
                storage_state=states[name],
            )
            page = context.new_page()
            for part in parts:
                page.goto(f"{room.url}/workshop?part={part.replace(' ', '%20')}")
                drawn(page)
                page.wait_for_selector(".lab-board" if name == "teacher" else ".st-key-lab h2")
                violations = Axe().run(page, options=RULES).response["violations"]
                found[scheme, width, name, part] = [(one["id"], one["nodes"][0]["html"][:160]) for one in violations]
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            context.close()
    team.close()
    teacher.close()

    assert found == {key: [] for key in found}
