"""What every test may use: the folder of public cases and the system's Chromium, where there are such."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.statements import share_statements

share_statements()
hypothesis.settings.register_profile("daybook", deadline=None)  # no test is held to a time
hypothesis.settings.load_profile("daybook")

CASE_TESTS = Path(__file__).parent / "cases"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", default=None, metavar="PATH", help="folder with public cases and files")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave tests/cases out where there are no cases to read."""
    if config.getoption("--cases") is None and collection_path == CASE_TESTS:
        return True
    return None


@pytest.fixture(scope="session")
def cases(request: pytest.FixtureRequest) -> Path:
    """The folder given by --cases."""
    folder = request.config.getoption("--cases")
    if folder is None:
        pytest.fail("This test reads public cases: run it with --cases PATH.")
    return Path(folder).resolve()


def find_browser() -> str | None:
    """Answer where the system's Chromium is, or None."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave browser tests out where there is no browser; under CI they stay, and fail."""
    if find_browser() or os.environ.get("CI") == "true":
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = len(left_out)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let the process that reports know what this one left out, where tests run side by side."""
    workeroutput = getattr(session.config, "workeroutput", None)
    if workeroutput is not None:
        workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of tests left out; each of them leaves out the same."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, so that nobody takes it for tried."""
    left_out = terminalreporter.config.stash.get(LEFT_OUT, 0)
    if left_out:
        terminalreporter.write_line(
            f"{left_out} browser tests left out: there is no Chromium here (see tests/browser)."
        )


@pytest.fixture(scope="session")
def chromium() -> str:
    """The system's Chromium."""
    found = find_browser()
    if found is None:
        pytest.fail("There is no Chromium here: install the package chromium.")
    return found
