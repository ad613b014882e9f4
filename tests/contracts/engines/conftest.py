"""Every claim about engines is held by each engine on each database: `[local-sqlite]` to `[temporal-postgres]`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contracts.engines.world import World, opened
from tests.databases import POSTGRES, SQLITE

LOCAL, TEMPORAL = "local", "temporal"
EVERYWHERE = [(engine, database) for engine in (LOCAL, TEMPORAL) for database in (SQLITE, POSTGRES)]


@pytest.fixture(autouse=True)
def _homes_on() -> None:
    """Let the homes of a module live as long as the module."""


@pytest.fixture(scope="module", params=EVERYWHERE, ids="-".join)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One home, one engine that drives it, for all claims of a module."""
    engine, database = request.param
    with opened(tmp_path_factory.mktemp("world"), engine, database) as made:
        yield made
