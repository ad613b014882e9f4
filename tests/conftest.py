"""What every test may use: the folder of public cases, where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

CASE_TESTS = Path(__file__).parent / "cases"


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
