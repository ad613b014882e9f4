"""The lab, for each test its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.homes import close_homes
from tests.seeds.atlas import Lab, open_lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """The Atlas job, paused at review."""
    yield open_lab(tmp_path, monkeypatch)
    close_homes()
