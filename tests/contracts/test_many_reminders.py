"""150 reminders that are due, and a role that closes over them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.desk.intake import Incoming, accept
from tests.homes import CV, ROLE, open_home

COUNT = 150


@pytest.mark.case("R02")
def test_none_of_150_reminders_goes_once_their_role_is_closed(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    incoming = [
        Incoming("cv.txt", CV.format(name="Ann", email=f"ann{n}@example.com").encode(), name=f"Ann Example{n}",
                 email=f"ann{n}@example.com")
        for n in range(COUNT)
    ]  # fmt: skip
    outcomes = accept(home.app.write, home.app.desk, home.actor, ROLE, incoming)
    home.run()
    for one in outcomes:
        assert one.thread_id is not None
        home.decide(one.thread_id)
    home.run()
    invited = len(home.letters())

    closed = home.close_role()
    home = home.at(home.actor.now + timedelta(hours=24))
    home.run()

    assert (invited, closed.reminders, len(home.letters())) == (COUNT, COUNT, COUNT)
    assert home.verify() == []
