"""Whatever records there are, no read hands out one that is expired, deleted, foreign, superseded or quarantined."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.clock import FIXTURE_START
from core.memory.kinds import KINDS
from tests.contracts.remembering import DAY, change, look, reasons, remember, states, texts
from tests.homes import Home, open_home

OTHER = "other"
HOW = ("live", "expired", "deleted", "quarantined", "foreign", "other-owner")
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_tenant(OTHER)
    home.add_person("ben@example.com")
    return home


def plant(home: Home, how: str, kind: str, key: str, text: str) -> str:
    """Write one record in that condition, and answer its id."""
    who = {"foreign": replace(home, tenant_id=OTHER), "other-owner": home.acted_by("ben@example.com")}.get(how, home)
    origin = "model" if how == "quarantined" else "person"
    line = remember(
        who, text, key=key, kind=kind, origin=origin, is_own=how == "other-owner",
        expires_at=FIXTURE_START + (DAY if how == "expired" else 9 * DAY),
    )  # fmt: skip
    if how == "deleted":
        change(home, "forget", line.id)
    return line.id


@FEW
@given(
    planted=st.lists(st.tuples(st.sampled_from(HOW), st.sampled_from(["a", "b"])), min_size=1, max_size=6),
    kind=st.sampled_from(sorted(KINDS)),
)
def test_only_what_may_be_read_is_ever_read(home: Home, planted: list[tuple[str, str]], kind: str) -> None:
    number = next(_NUMBERS)  # each example writes under keys of its own
    ids = [
        (plant(home, how, kind, f"{key}/{number}", f"Fact {place} of {number}."), how, f"{key}/{number}")
        for place, (how, key) in enumerate(planted)
    ]
    later = replace(home, app=replace(home.app, settings=home.app.settings.model_copy(update={"now": _LATER})))
    for key in (f"a/{number}", f"b/{number}"):
        read = look(later, key=key, kind=kind)
        mine = {one: how for one, how, under in ids if under == key and how != "foreign"}
        alive = [one for one, how in mine.items() if how == "live"]
        assert {one.id for one in read.used} <= set(alive)
        assert {one.id for one in read.used} | set(reasons(read)) == set(mine)
        assert bool(read.used) == (len(alive) == 1 or (len(alive) > 1 and not KINDS[kind].has_one_value))
        assert len(texts(read)) <= 1
        for one, reason in reasons(read).items():
            assert reason in (mine[one], "contested", "older")
    assert set(states(later)).isdisjoint({one for one, how, _ in ids if how in ("foreign", "deleted")})


_NUMBERS = count()
_LATER = FIXTURE_START + DAY + timedelta(seconds=1)
