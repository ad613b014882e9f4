"""A home that pages open by themselves, as the server would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START, iso, real_now
from core.desk.people import set_password
from core.people.accounts import hash_password
from core.people.sessions import open_session
from core.web import close_app
from pages.parts import batching, deciding, exposure, identity, moving, taking_back
from tests.databases import SQLITE, address_of, homes_on
from tests.homes import Home, open_home
from tests.pages.pulse import Pulse

APP = str(Path(__file__).parents[2] / "app.py")
Open = Callable[..., AppTest]
SignIn = Callable[[Home], str]
ANA = "ana@example.com"
RIGHT = "a long enough password"


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The database of a test's home: SQLite, unless a module asks for both."""
    wanted = getattr(request, "param", SQLITE)
    with homes_on(wanted):
        yield wanted


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str) -> Iterator[Home]:
    """An open home at the fixture time; pages find the same folder, and its database, by its settings."""
    folder = tmp_path / "home"
    monkeypatch.setenv("DAYBOOK_HOME", str(folder))
    monkeypatch.setenv("DAYBOOK_NOW", str(iso(FIXTURE_START)))
    opened = open_home(folder, hold_seconds=900)
    address = address_of(folder)
    if address is not None:
        monkeypatch.setenv("DAYBOOK_DATABASE_URL", address)
    yield opened
    close_app()
    opened.app.close()


def session_of(who: Home) -> str:
    """Open a session for whoever acts in a home, and answer its token."""
    with who.app.write() as tx:
        return open_session(tx, who.actor.member, real_now())


def give_password(home: Home, email: str, password: str = RIGHT) -> None:
    """Set a person's password as the command line does."""
    owner, member = home.actor, home.acted_by(email).actor.member
    hashed = hash_password(password, member)
    home.app.act(owner, "person password", lambda tx: set_password(tx, owner, member, hashed, real_now()))


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Sign somebody in, as their cookie would; pages then run for them."""

    def sign_in_as(who: Home) -> str:
        token = session_of(who)
        monkeypatch.setattr(identity, "presented_token", lambda: token)
        return token

    return sign_in_as


@pytest.fixture
def open_page(home: Home, sign_in: SignIn) -> Open:
    """Open one page of that home with the values of its address; the owner is signed in unless somebody else was."""
    sign_in(home)

    def open_one(name: str, **address: str) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=20)
        app.run()
        # Away from the front page, whose widgets would keep their values, and not to the page itself.
        app.switch_page("pages/application.py" if name == "run" else "pages/run.py").run()
        app.query_params.update(address)
        app.switch_page(f"pages/{name}.py").run()
        assert not app.exception, app.exception
        return app

    return open_one


@pytest.fixture
def pulse(monkeypatch: pytest.MonkeyPatch) -> Pulse:
    """The liveness time that presses are held against."""
    pulse = Pulse()
    monkeypatch.setattr(deciding, "pulse", pulse)
    monkeypatch.setattr(exposure, "pulse", pulse)
    monkeypatch.setattr(moving, "pulse", pulse)
    monkeypatch.setattr(batching, "pulse", pulse)
    monkeypatch.setattr(taking_back, "pulse", pulse)
    return pulse


@pytest.fixture
def look(home: Home, open_page: Open, pulse: Pulse, sign_in: SignIn) -> Open:
    """Open the review page as the home's owner, or as `who`, and look at it for long enough to answer."""

    def look(who: str | None = None, **address: str) -> AppTest:
        if who is not None:
            sign_in(home.acted_by(who))
        app = open_page("review", **address)
        pulse.wait(4)  # less than three seconds would ask for a second look
        return app

    return look


@pytest.fixture
def two_asked(home: Home) -> list[str]:
    """Two runs whose questions stand."""
    home.add_role()
    found = [home.apply(f"{name} Example", f"{name.lower()}@example.com") for name in ("Ann", "Ben")]
    home.run()
    return found


def drawn(app: AppTest) -> str:
    """Answer all markup on a page, the style sheet apart."""
    return "\n".join(element.proto.body for element in app.main.get("html") if "<style" not in element.proto.body)


@pytest.fixture
def ana(home: Home) -> Home:
    """A reviewer with a password."""
    reviewer = home.add_person(ANA, "reviewer")
    give_password(home, ANA)
    return reviewer
