from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from streamlit.testing.v1 import AppTest

from core.bootstrap import open_tenant
from core.clock import FIXTURE_START
from core.web import current_app
from pages.parts import identity
from tests.homes import Home
from tests.pages.conftest import APP, Open, SignIn, drawn

MOST_STATEMENTS = 8


@contextmanager
def counted() -> Iterator[list[str]]:
    """Collect the statements that pages send, what opens and closes a transaction apart."""
    said: list[str] = []

    def note(_conn: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if not statement.startswith("BEGIN"):
            said.append(statement)

    engine = current_app().store.engine
    event.listen(engine, "before_cursor_execute", note)
    yield said
    event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def decided(home: Home) -> str:
    """A run that has something of everything a page shows."""
    home.add_role()
    thread_id = home.apply("Ann Example")
    home.run()
    home.decide(thread_id, "approve")
    home.book(thread_id)
    return thread_id


@pytest.mark.parametrize("address", [{}, {"find": "ann"}, {"find": "nobody"}, {"status": "Waiting"}])
def test_the_list_is_drawn_from_a_few_statements(decided: str, open_page: Open, address: dict[str, str]) -> None:
    app = open_page("runs", **address)

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_a_run_is_drawn_from_a_few_statements(decided: str, open_page: Open) -> None:
    app = open_page("run", id=decided)

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


@pytest.mark.parametrize(
    "page", ["today", "runs", "run", "applications", "application", "memory", "costs", "settings", "workshop"]
)
def test_every_page_says_who_is_signed_in_with_the_way_out(
    home: Home, open_page: Open, sign_in: SignIn, page: str
) -> None:
    sign_in(home.add_person("ana@example.com", "reviewer"))

    shown = drawn(open_page(page))

    assert "<b><bdi>Ana</bdi></b> · reviewer of <b>home</b>" in shown
    assert '<form method="post" action="/logout"><button type="submit">Sign out</button></form>' in shown
    assert 'href="/password"' in shown


@pytest.mark.parametrize(
    "page", ["today", "runs", "run", "applications", "application", "memory", "costs", "settings", "workshop"]
)
def test_nobody_sees_nothing_but_the_way_to_sign_in(
    decided: str, open_page: Open, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setattr(identity, "presented_token", lambda: None)

    shown = drawn(open_page(page, id=decided))

    assert ("Ann Example" in shown, decided in shown.replace("next=", "")) == (False, False)
    assert 'href="/login' in shown


@pytest.mark.case("J10")
def test_a_page_says_that_no_worker_is_running(open_page: Open) -> None:
    assert "No worker is running" in drawn(open_page("runs"))


def test_a_page_says_nothing_of_a_worker_that_is_heard(home: Home, open_page: Open) -> None:
    engine = home.app.engine("separate")

    shown = drawn(open_page("runs"))
    engine.stop()

    assert ("No worker" in shown, "is silent" in shown) == (False, False)


@pytest.mark.parametrize(("silent_for", "is_said"), [(15, False), (31, True)])
def test_a_worker_silent_for_thirty_seconds_shows(home: Home, open_page: Open, silent_for: int, is_said: bool) -> None:
    engine = home.app.engine("separate")
    with home.app.write() as tx:
        tx.conn.exec_driver_sql("UPDATE workers SET pulse = pulse - ?", (silent_for,))

    shown = drawn(open_page("run"))
    engine.stop()

    assert (f"Worker {engine.worker_id} is silent" in shown) == is_said


def test_a_frozen_time_shows_a_banner(open_page: Open) -> None:
    assert "DAYBOOK_NOW holds it at Thu 20 Aug 10:00 BST" in drawn(open_page("runs"))


def test_a_fixture_clock_shows_a_banner_and_a_real_one_does_not(
    home: Home, open_page: Open, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAYBOOK_NOW")
    home.app.act(
        home.actor, "open", lambda tx: open_tenant(tx, "atlas", "Atlas", home.actor.now, starts_at=FIXTURE_START)
    )

    on_real = drawn(open_page("runs"))
    sign_in(Home(home.app, "atlas"))
    on_fixture = drawn(open_page("runs"))

    assert ("Fixture clock" in on_real, "Fixture clock" in on_fixture) == (False, True)


def test_a_broken_page_shows_a_reference_and_nothing_of_what_it_held(capsys: pytest.CaptureFixture[str]) -> None:
    broken = "from pages.parts.failures import report\nreport(ValueError('a line of a CV'))"
    app = AppTest.from_string(broken).run()
    reference = app.code[0].value

    logged = capsys.readouterr().out
    assert reference.startswith("e-")
    assert reference in logged
    assert "a line" not in app.error[0].value + logged


def test_the_app_is_launcher_and_script(home: Home, sign_in: SignIn) -> None:
    sign_in(home)

    assert not AppTest.from_file(APP, default_timeout=20).run().exception
