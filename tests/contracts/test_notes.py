"""A note is a person's line that a person approved; nothing else becomes one (contract C6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.notes import approve_written_note, write_note
from core.errors import AlreadyDecided, BadInput, NotAllowed, NotFound
from core.steps import Finish, Interrupt, Kit, Option, Outcome, Question
from core.threads.notes import find_latest, list_notes
from tests.contracts.tiny import ONE, Slip, asked, begun, workflow
from tests.homes import Home


def noting(kit: Kit, state: Slip) -> Outcome:
    """Ask a question that rests on the latest approved note."""
    note = kit.note()
    if kit.answer is not None:
        return Finish(Slip((note.text if note else "none",)), "done", "completed", "Done.")
    options = (Option("approve", "Yes"), Option("reject", "No"))
    return Interrupt(state, Question("ask", "it", "Go on?", options, basis={"note": note.version if note else 0}))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = begun(tmp_path, workflow(noting))
    home.run()
    return home


def write(home: Home, text: str) -> int:
    actor = home.actor
    return home.app.act(actor, "note", lambda tx: write_note(tx, home.app.desk, actor, ONE, text))


def approve(home: Home, version: int | None = None) -> int:
    actor = home.actor
    return home.app.act(actor, "note", lambda tx: approve_written_note(tx, home.app.desk, actor, ONE, version))


def latest(home: Home) -> str | None:
    with home.app.read() as conn:
        found = find_latest(conn, home.app.vault.keys(home.tenant_id, ONE))
    return found.text if found else None


def test_a_note_counts_once_it_is_approved(home: Home) -> None:
    write(home, "Call the agency.")
    assert latest(home) is None
    approve(home)
    assert latest(home) == "Call the agency."


def test_only_the_latest_approved_version_is_used(home: Home) -> None:
    for text in ("First.", "Second.", "Third."):
        write(home, text)
    approve(home, 2)
    approve(home, 1)
    assert latest(home) == "Second."
    with home.app.read() as conn:
        lines = list_notes(conn, home.app.vault.keys(home.tenant_id, ONE))
    assert [(one.version, one.approved_by is not None) for one in lines] == [(1, True), (2, True), (3, False)]


def test_an_approved_note_brings_the_questions_that_rest_on_it_back(home: Home) -> None:
    write(home, "Call the agency.")
    home.run()
    assert home.question(ONE).version == 1
    approve(home)
    home.run()
    question = home.question(ONE)
    assert (question.version, question.came_back["moved"], asked(home)) == (2, ["note 0 → 1"], [(ONE, "it")])


def test_a_version_is_approved_once_and_an_unknown_one_never(home: Home) -> None:
    write(home, "Call.")
    approve(home)
    with pytest.raises(AlreadyDecided):
        approve(home, 1)
    with pytest.raises(NotFound):
        approve(home, 7)


@pytest.mark.parametrize("text", [" ", "x" * 1001, "the password is tulip"])
def test_a_note_is_a_line_and_holds_no_secret(home: Home, text: str) -> None:
    with pytest.raises(BadInput):
        write(home, text)
    assert home.look("SELECT * FROM notes") == []


def test_a_viewer_writes_and_approves_nothing(home: Home) -> None:
    write(home, "Call.")
    viewer = home.add_person("vic@example.com", "viewer")
    with pytest.raises(NotAllowed):
        write(viewer, "Mine.")
    with pytest.raises(NotAllowed):
        approve(viewer)
    assert latest(home) is None


def test_another_tenants_thread_takes_no_note(home: Home) -> None:
    with pytest.raises(NotFound):
        write(home.add_tenant("other"), "Theirs.")


def test_a_note_lies_sealed_and_says_who_wrote_and_who_approved_it(home: Home) -> None:
    reviewer = home.add_person("rae@example.com")
    write(reviewer, "Call the agency.")
    approve(home)
    ((author, approver, sealed),) = home.look("SELECT author_id, approved_by, sealed FROM notes")
    assert (author, approver) == (reviewer.actor.member.id, home.actor.member.id)
    assert b"agency" not in bytes(sealed)  # type: ignore[arg-type]
    assert home.verify() == []
