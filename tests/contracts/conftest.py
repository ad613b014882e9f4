"""Every contract holds on every database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import POSTGRES, SQLITE, homes_on
from tests.homes import close_homes


@pytest.fixture(autouse=True, params=[SQLITE, POSTGRES])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Which database the homes of a test live on."""
    with homes_on(request.param):
        yield request.param
        close_homes()
