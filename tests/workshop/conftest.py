"""A class of two teams, each test its own; built once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.web import close_app
from core.workshop.classroom import open_class
from pages.parts import identity
from tests.databases import copy_home
from tests.homes import Home, built, open_home
from tests.pages.conftest import APP, session_of

ONE, TWO, TEACHER = "team-01", "team-02", "workshop"


@cache
def _built() -> Path:
    def build(folder: Path) -> Home:
        home = open_home(folder)
        home = replace(home, app=replace(home.app, settings=home.app.settings.model_copy(update={"now": None})))
        open_class(home.app, 2)
        return home

    return built("class", build)


@pytest.fixture
def classroom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Home]]:
    """Answer the class's home as a team's owner sees it; each team lives on its own clock."""
    folder = tmp_path / "home"
    copy_home(_built(), folder)
    for name in ("DAYBOOK_NOW", "DAYBOOK_TENANT", "DAYBOOK_HOLD_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DAYBOOK_HOME", str(folder))
    home = open_home(folder, hold_seconds=None)
    home = replace(home, app=replace(home.app, settings=home.app.settings.model_copy(update={"now": None})))
    yield lambda tenant_id: replace(home, tenant_id=tenant_id)
    close_app()
    home.app.close()


@pytest.fixture
def open_workshop(classroom: Callable[[str], Home], monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Open the workshop's page as a team's owner, with the values of its address."""

    def open_one(tenant_id: str = ONE, **address: Any) -> AppTest:
        token = session_of(classroom(tenant_id))
        monkeypatch.setattr(identity, "presented_token", lambda: token)
        app = AppTest.from_file(APP, default_timeout=30)
        app.run()
        app.switch_page("pages/run.py").run()
        app.query_params.update(address)
        app.switch_page("pages/workshop.py").run()
        assert not app.exception, app.exception
        return app

    return open_one
