"""What a forked worker of the storm does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from tests.contracts.engines.world import driven_by_temporal
from tests.homes import open_home


def work(home: str, now: str | None, hold: int | None, *, temporal: str | None) -> None:
    """Drive what is due, by the local engine or by Temporal at an address."""
    opened = open_home(Path(home), now=None if now is None else datetime.fromisoformat(now), hold_seconds=hold)
    if temporal is not None:
        opened = driven_by_temporal(opened, temporal)
    engine = opened.app.engine("test")
    engine.run_until_idle()
    engine.stop()


ACTS: dict[str, Callable[..., None]] = {"work": work}
