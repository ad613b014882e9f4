"""Take the docs' pictures from the demo at the fixture time: `python -m tests.pictures`.

A home of its own is filled by the product's own commands; the server and the browser are real.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from core.clock import FIXTURE_START, iso, real_now
from core.people.sessions import open_session
from core.web import COOKIE
from tests.benchmarks.costs import fill as record_calls
from tests.browser.conftest import DRAWN, FLAGS, ROOT, end, free_port, log_of, start, wait_until_served
from tests.conftest import find_browser
from tests.contracts.remembering import remember
from tests.homes import Home, open_home

PICTURES = ROOT / "docs" / "pictures"
WIDE, PHONE = {"width": 1360, "height": 900}, {"width": 390, "height": 844}
INVITED, DECLINED, HELD = range(6), range(6, 9), range(9, 11)


def main() -> None:
    """Fill a home, serve it, and take every picture."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = fill(Path(folder) / "home")
        with served(home) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
            private = browser.new_context(viewport=WIDE)
            take(private, f"{url}/login", "sign-in")
            for scheme in ("light", "dark"):
                wide = browser.new_context(viewport=WIDE, color_scheme=scheme)
                sign_in(wide, home, url)
                for name, address in pages(home).items():
                    take(wide, url + address, f"{name}-{scheme}")
            phone = browser.new_context(viewport=PHONE)
            sign_in(phone, home, url)
            take(phone, f"{url}/review", "review-phone")
            take(phone, f"{url}/memory", "memory-phone")
            take(phone, f"{url}/costs", "costs-phone")
            browser.close()
        home.app.close()


def fill(folder: Path) -> Home:
    """Write the demo a day before the fixture time, screen it, and let a morning's decisions be made."""
    before = FIXTURE_START - timedelta(days=1)
    environment = {**os.environ, "DAYBOOK_HOME": str(folder), "DAYBOOK_NOW": str(iso(before))}
    for command in ("demo", "worker --until-idle"):
        subprocess.run([sys.executable, "-m", "core", *command.split()], cwd=ROOT, env=environment, check=True)
    home = open_home(folder, now=before, hold_seconds=0)
    ids = [f"role-14/app-{number:04d}" for number in range(94, 80, -1)]
    for place in INVITED:
        home.decide(ids[place])
    for place in DECLINED:
        home.decide(ids[place], "reject")
    home.run()
    home = home.at(FIXTURE_START - timedelta(minutes=4))
    home.book(ids[1])
    home.run()
    home.app.close()
    held = open_home(folder, now=FIXTURE_START, hold_seconds=900)
    for place in HELD:
        held.decide(ids[place])
    remember_some(held)
    record_calls(held, 300)
    return held


def remember_some(home: Home) -> None:
    """Keep what a founder and a run would: facts, a habit, two that contradict each other, one that waits."""
    for key, text, more in (
        ("studio/portfolio", "The studio asks for two pieces of packaging.", {}),
        ("studio/rooms", "Second interviews are in the upper room.", {"kind": "preference"}),
        ("client/harbour", "Harbour is billed by the week.", {"source": "kick-off meeting"}),
        ("client/harbour", "Harbour is billed by the month.", {"source": "invoice 4", "confidence": 0.6}),
        ("client/mill", "The mill pays after thirty days.", {"origin": "document", "source": "invoice 4"}),
    ):
        remember(home, text, key=key, **more)


def pages(home: Home) -> dict[str, str]:
    """Answer the address of each picture's page."""
    return {
        "today": "/",
        "review": "/review",
        "runs": "/runs",
        "run": "/run?id=role-14/app-0094",
        "applications": "/applications",
        "memory": "/memory",
        "costs": "/costs",
        "settings": "/settings",
    }


@contextmanager
def served(home: Home) -> Iterator[str]:
    """Serve a home for as long as the block runs."""
    port, folder = free_port(), home.app.home
    process = start(folder, port=port, DAYBOOK_HOLD_SECONDS="900")
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(folder))
        yield url
    finally:
        end(process)


def sign_in(context: BrowserContext, home: Home, url: str) -> None:
    """Sign the owner in, as their cookie would."""
    with home.app.write() as tx:
        token = open_session(tx, home.actor.member, real_now())
    context.add_cookies([{"name": COOKIE, "value": token, "url": url, "httpOnly": True, "sameSite": "Lax"}])


def take(context: BrowserContext, address: str, name: str) -> None:
    """Take one picture when the page has settled."""
    page: Page = context.new_page()
    page.goto(address)
    if not address.endswith("/login"):
        page.wait_for_selector(DRAWN)
        page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.png")
    page.close()


if __name__ == "__main__":
    main()
