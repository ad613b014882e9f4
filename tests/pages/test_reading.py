"""Pages show what was read of a person and not typed, who may be the same, and hand out a role's table."""

from __future__ import annotations

import pytest

from core.desk.intake import Incoming, accept
from tests.homes import CV, ROLE, Home
from tests.pages.conftest import Open, SignIn, drawn

CHECK = "check this"


@pytest.fixture(autouse=True)
def role(home: Home) -> str:
    return home.add_role()


def take(home: Home, email: str | None, content: str = CV) -> str:
    text = content.format(name="Ann Example", email="ann@example.com").encode()
    (outcome,) = accept(home.app.write, home.app.desk, home.actor, ROLE, [Incoming("ann.txt", text, email=email)])
    assert outcome.thread_id is not None, outcome.reason
    home.run()
    return outcome.thread_id


def test_the_card_and_the_application_say_what_was_read_and_not_typed(home: Home, open_page: Open) -> None:
    thread = take(home, None)

    assert "The address ann@example.com was read in the file, with high confidence; check this." in drawn(
        open_page("review")
    )
    assert drawn(open_page("application", id=thread)).count(CHECK) >= 2


def test_what_was_typed_needs_no_check(home: Home, open_page: Open) -> None:
    home.apply("Ann Example", "ann@example.com")
    home.run()

    assert CHECK not in drawn(open_page("review"))
    assert CHECK not in drawn(open_page("application", id=f"{ROLE}/app-0001"))


def test_the_card_points_to_who_may_be_the_same_person(home: Home, open_page: Open) -> None:
    take(home, "ann.example@example.com")
    assert "May be the same person" not in drawn(open_page("review"))

    take(home, "annexample+jobs@example.com")
    shown = drawn(open_page("review"))
    assert "May be the same person as" in shown
    assert f"{ROLE}/app-0002" in shown


@pytest.mark.parametrize(("access", "offered"), [("viewer", 0), ("reviewer", 1)])
def test_the_table_is_offered_to_whoever_may_decide(
    home: Home, open_page: Open, sign_in: SignIn, access: str, offered: int
) -> None:
    home.apply("Ann Example")
    sign_in(home.add_person("rae@example.com", access))  # type: ignore[arg-type]

    assert len(open_page("applications").get("download_button")) == offered
