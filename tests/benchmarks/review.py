"""review: from a key to the next question, drawn, with many waiting.

Driven through the system's Chromium where there is one: from the key going down to the second frame after the next
name stands on the card. Else through AppTest, which times the server's part only; the line says which.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START, iso
from core.web import close_app
from pages.parts import identity
from tests.browser.conftest import FLAGS, ROOT, Served, end, free_port, log_of, sign_in, start, visit, wait_until_served
from tests.conftest import find_browser
from tests.homes import Home, open_home
from tests.pages.conftest import session_of

PRESSES = 60
PAUSE_MS = 500
_WATCH = """() => {
  addEventListener('keydown', () => { window.pressedAt = performance.now(); }, true);
}"""
_NEXT = """(before) => new Promise((done) => {
  const until = performance.now() + 5000;
  const look = () => {
    if (performance.now() > until) { done(null); return; }
    const name = document.querySelector('h2.who');
    if (name && name.textContent !== before) {
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - window.pressedAt)));
    } else {
      requestAnimationFrame(look);
    }
  };
  look();
})"""


def run(waiting: int) -> dict[str, object]:
    """Run the workload in a home of its own and answer its line."""
    with tempfile.TemporaryDirectory() as folder:
        home_folder = Path(folder) / "home"
        began = time.perf_counter()
        home = _fill(home_folder, waiting)
        seeded_s = time.perf_counter() - began
        try:
            browser = find_browser()
            figures = _in_browser(home, browser) if browser else _in_process(home)
        finally:
            home.app.close()
    return {"peer": "daybook", "workload": "review", "waiting": waiting, "seeded_s": round(seeded_s, 1), **figures}


def _fill(folder: Path, waiting: int) -> Home:
    home = open_home(folder, hold_seconds=900)
    home.add_role()
    for number in range(waiting):
        home.apply(f"Applicant {number} Example", f"applicant-{number}@example.com")
    home.run()
    return home


def _in_browser(home: Home, browser: str) -> dict[str, object]:
    with _served(home) as served, sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        context = running.new_context(viewport={"width": 1360, "height": 900})
        sign_in(context, served)
        page = context.new_page()
        began = time.perf_counter()
        visit(page, f"{served.url}/review")
        page.locator("h2.who").wait_for()
        opened_ms = (time.perf_counter() - began) * 1000
        page.evaluate(_WATCH)
        figures = {"driver": "chromium", "opened_ms": round(opened_ms)}
        for name, key in {"next": "j", "approve": "a"}.items():
            figures |= _figures(name, [_press(page, key) for _ in range(PRESSES)])
        running.close()
    return figures


def _press(page: Page, key: str) -> float:
    """Press, and time it; a press that the page answers by asking to pause is no sample, and is made once more."""
    while True:
        page.locator("body[data-sitting=armed]").wait_for(state="attached")
        page.wait_for_timeout(PAUSE_MS)
        before = page.locator("h2.who").text_content()
        page.keyboard.press(key)
        took = page.evaluate(_NEXT, before)
        if took is not None:
            return float(took)


@contextmanager
def _served(home: Home) -> Iterator[Served]:
    port, folder = free_port(), home.app.home
    process = start(folder, port=port, DAYBOOK_HOLD_SECONDS="900")
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(folder))
        yield Served(url, home, process)
    finally:
        end(process)


def _in_process(home: Home) -> dict[str, object]:
    os.environ |= {"DAYBOOK_HOME": str(home.app.home), "DAYBOOK_NOW": str(iso(FIXTURE_START))}
    token = session_of(home)
    identity.presented_token = lambda: token
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    began = time.perf_counter()
    app.switch_page("pages/review.py").run()
    opened_ms = (time.perf_counter() - began) * 1000
    following = app.button(key="review.next.item")
    took = [_timed(lambda: following.click().run()) for _ in range(PRESSES)]
    close_app()
    return {"driver": "apptest, the server's part only", "opened_ms": round(opened_ms), **_figures("next", took)}


def _timed(press: Callable[[], object]) -> float:
    began = time.perf_counter()
    press()
    return (time.perf_counter() - began) * 1000


def _figures(name: str, took: list[float]) -> dict[str, object]:
    cuts = quantiles(took, n=20)
    return {f"{name}_p50_ms": round(cuts[9]), f"{name}_p95_ms": round(cuts[18]), f"{name}_most_ms": round(max(took))}
