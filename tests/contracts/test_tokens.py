"""A resume token names a thread and grants nothing (contract C12)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.desk.people import set_access
from core.desk.tokens import make_token, name_thread, resume_thread
from core.errors import BadInput, NotAllowed, NotFound, Refused, StaleVersion
from core.threads.rows import Thread
from tests.contracts.test_several_questions import three
from tests.contracts.tiny import ONE, begun, workflow
from tests.homes import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = begun(tmp_path, workflow(three))
    home.run()
    return home


def token_of(home: Home) -> str:
    with home.app.read() as conn:
        return make_token(conn, home.app.vault, home.tenant_id, ONE)[0]


def present(home: Home, token: str) -> Thread:
    actor = home.actor
    return home.app.act(actor, "resume", lambda tx: resume_thread(tx, home.app.desk, actor, token))


def refused(home: Home, token: str) -> type[Refused]:
    """Present a token that must be refused, and answer how; nothing of the thread moved and the refusal is logged."""
    before = home.look("SELECT * FROM threads")
    with pytest.raises(Refused) as said:
        present(home, token)
    assert home.look("SELECT * FROM threads") == before
    assert home.audit("refused")[-1]["code"] == said.value.code
    return said.type


@pytest.mark.seed("atlas.acceptance.1", "atlas.boundary.2")
def test_whoever_may_decide_resumes_the_thread_from_its_rows(home: Home) -> None:
    assert present(home, token_of(home)).wake_at == FIXTURE_START
    assert [one["thread"] for one in home.audit("resumed")] == [ONE]
    home.run()
    assert home.ending(ONE) == ("awaiting_review", None)


@pytest.mark.seed("atlas.acceptance.1")
def test_a_token_says_nothing_in_another_tenant(home: Home) -> None:
    other = home.add_tenant("other")
    token = token_of(home)
    assert refused(other, token) is NotFound
    assert ONE not in str(other.audit("refused"))


@pytest.mark.seed("atlas.acceptance.1")
def test_a_token_makes_no_decider_of_a_viewer(home: Home) -> None:
    assert refused(home.add_person("vic@example.com", "viewer"), token_of(home)) is NotAllowed


@pytest.mark.seed("atlas.acceptance.1")
def test_a_token_outlives_nobody_who_left(home: Home) -> None:
    leaver, token = home.add_person("lee@example.com"), token_of(home)
    assert present(leaver, token).id == ONE
    actor = home.actor
    home.app.act(actor, "person access", lambda tx: set_access(tx, actor, "lee@example.com", None))
    assert refused(leaver, token) is NotAllowed


@pytest.mark.seed("atlas.acceptance.1")
def test_a_token_of_a_thread_that_moved_on_is_refused(home: Home) -> None:
    token = token_of(home)
    home.decide(ONE)
    home.run()
    assert refused(home, token) is StaleVersion
    assert present(home, token_of(home)).id == ONE


def test_a_decision_that_nobody_carried_out_yet_moves_no_token(home: Home) -> None:
    token = token_of(home)
    home.decide(ONE)
    assert present(home, token).id == ONE


def test_an_ended_thread_is_not_resumed(home: Home) -> None:
    token = token_of(home)
    home.cancel(ONE)
    assert refused(home, token) is StaleVersion


@pytest.mark.parametrize("cut", [slice(1, None), slice(None, -1), slice(0, 5), slice(0, 0)])
def test_a_token_that_was_changed_names_nothing(home: Home, cut: slice) -> None:
    token = token_of(home)
    assert refused(home, token[cut]) in (BadInput, NotFound)


def test_a_token_for_another_checkpoint_cannot_be_made_from_one(home: Home) -> None:
    body, _, mark = token_of(home).partition(".")
    other = body[:-1] + ("A" if body[-1] != "A" else "B")
    assert refused(home, f"{other}.{mark}") in (BadInput, NotFound)


def test_naming_a_thread_changes_nothing(home: Home) -> None:
    before = home.look("SELECT * FROM threads")
    actor, token = home.actor, token_of(home)
    named = home.app.act(actor, "resume", lambda tx: name_thread(tx, home.app.desk, actor, token))
    assert (named.id, home.look("SELECT * FROM threads"), home.audit("resumed")) == (ONE, before, [])


def test_a_token_is_the_same_while_the_thread_stands(home: Home) -> None:
    later = home.at(FIXTURE_START + timedelta(days=3))
    assert token_of(home) == token_of(later)
