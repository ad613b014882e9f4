"""A real server over a home of its own, ended by its process id, and a browser that looks at it."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from core.clock import FIXTURE_START, iso, real_now
from core.people.sessions import open_session
from core.web import COOKIE
from tests.crash.processes import PATIENCE, Child, Nursery
from tests.homes import Home, open_home

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
START_SECONDS = 60
LOOKS = [(1360, "light"), (390, "dark")]  # what is laid out depends on the width, what contrasts on the scheme
DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell what each open page showed when a test failed, as its reader saw it: a time-out alone says nothing."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("browser")
    if report.when == "call" and report.failed and browser is not None:
        for page in (page for context in browser.contexts for page in context.pages):
            state = page.evaluate("document.querySelector('[data-testid=stApp]')?.dataset.testScriptState")
            report.sections.append((f"{page.url} ({state})", page.inner_text("body")))
    return report


@dataclass(frozen=True)
class Served:
    """A running server and the home it serves."""

    url: str
    home: Home
    process: subprocess.Popen[bytes] | Forked


@dataclass
class Forked:
    """A forked server, to be looked at and ended as one that was started."""

    child: Child

    def poll(self) -> int | None:
        return None if self.child.lives_for(0) else self.child.status

    def send_signal(self, number: int) -> None:
        self.child.kill(number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float = PATIENCE) -> int:
        if self.child.lives_for(timeout):
            raise subprocess.TimeoutExpired("server", timeout)
        return self.child.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path, *options: str, port: int, **settings: str) -> subprocess.Popen[bytes]:
    """Start the app as a person does."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *options]
    environment = _environment(folder, settings)
    with log_of(folder).open("wb") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)


def _environment(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "DAYBOOK_HOME": str(folder), "DAYBOOK_NOW": str(iso(FIXTURE_START)), **settings}


def fork(folder: Path, *, port: int, **settings: str) -> Forked:
    """Start the app out of a process that has its modules loaded: the same server, seconds earlier."""
    given = {"environment": _environment(folder, settings), "options": ["--server.port", str(port)]}
    nursery = _nursery()
    return Forked(Child(nursery, nursery.order({"act": "serve", "with": given, "log": str(log_of(folder))})["pid"]))


@cache
def _nursery() -> Nursery:
    folder = Path(tempfile.mkdtemp(prefix="daybook-servers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    nursery = Nursery(folder / "log", "tests.browser.serving")
    atexit.register(nursery.close)
    return nursery


def log_of(folder: Path) -> Path:
    """Answer where the server of a home writes what it has to say."""
    return folder.with_suffix(".log")


def wait_until_served(url: str, process: subprocess.Popen[bytes] | Forked, log: Path) -> None:
    """Ask for the server's health until it answers; only a real process is waited for in this way."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.fail(f"The server ended: {log.read_text()}")
        try:
            with urllib.request.urlopen(f"{url}/healthz", timeout=1):  # noqa: S310 - our own server
                return
        except (URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"The server at {url} did not answer in {START_SECONDS} s.")


def end(process: subprocess.Popen[bytes] | Forked) -> None:
    """End the server, by its own id."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A fresh server that nobody has visited yet, over a home with one run."""
    home = open_home(tmp_path / "home", hold_seconds=900)
    home.add_role()
    home.apply("Ann Example")
    home.run()
    port = free_port()
    process = fork(tmp_path / "home", port=port)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(url, process, log_of(tmp_path / "home"))
        yield Served(url, home, process)
    finally:
        end(process)
        home.app.close()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


def sign_in(context: BrowserContext, served: Served, who: Home | None = None) -> str:
    """Sign the home's owner in, or somebody else, as their cookie would; answer its token."""
    with served.home.app.write() as tx:
        token = open_session(tx, (who or served.home).actor.member, real_now())
    context.add_cookies([{"name": COOKIE, "value": token, "url": served.url, "httpOnly": True, "sameSite": "Lax"}])
    return token


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """One fresh tab in which the home's owner is signed in."""
    context = browser.new_context()
    sign_in(context, served)
    yield context.new_page()
    context.close()


@pytest.fixture
def private(browser: Browser) -> Iterator[Page]:
    """One fresh tab with no memory of another."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def visit(page: Page, url: str) -> None:
    """Open an address and wait until it is drawn."""
    page.goto(url)
    page.wait_for_selector(DRAWN, timeout=30_000)
    page.wait_for_selector(".acting", timeout=30_000)
