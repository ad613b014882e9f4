"""Letters by SMTP through the whole product: what the ledger says, what the server took, who is asked (contract C3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.adapters.smtp import SmtpMail
from core.mail_server import MailServer, read_mail_server
from core.views.sentence import sentence
from tests.contracts.screened import APPROVED, REMINDER, THREAD, day_one
from tests.contracts.tiny import LATER
from tests.homes import Home
from tests.mail_servers import DROP, HANG, Scripted, scripted

INVITE = f"{THREAD}/invite"


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as running:
        yield running


def by_mail(home: Home, server: Scripted) -> Home:
    """The same home, where letters leave by this server."""
    address = read_mail_server(server.address)
    assert isinstance(address, MailServer)
    now = datetime(2026, 8, 19, 9, 0, tzinfo=UTC)
    return home.with_code(mail=SmtpMail(address, "Paper Yard <jobs@example.com>", lambda: now, within=0.4))


def approved(folder: Path, server: Scripted) -> Home:
    home = by_mail(day_one(folder).at(APPROVED), server)
    home.decide(THREAD)
    return home


def invite_of(home: Home) -> tuple[str, str | None]:
    entry = home.ledger(THREAD)["invite"]
    return entry.status, entry.why


def test_an_approved_letter_goes_to_the_server_once_and_its_name_there_is_kept(
    tmp_path: Path, server: Scripted
) -> None:
    home = approved(tmp_path, server)
    home.run()
    home.run()
    entry = home.ledger(THREAD)["invite"]
    assert (len(server.accepted), entry.status, entry.result_ref) == (
        1, "done", "smtp:127.0.0.1 2.0.0 Ok: queued as 4QX71",
    )  # fmt: skip
    assert (entry.via, str(entry.trace).encode() in server.accepted[0]) == (server.address, True)
    assert home.letters() == []
    assert home.verify() == []


def test_the_reminder_goes_by_the_same_server(tmp_path: Path, server: Scripted) -> None:
    home = approved(tmp_path, server)
    home.run()
    home = home.at(REMINDER)
    home.run()
    assert (len(server.accepted), home.ledger(THREAD)["reminder"].status) == (2, "done")


def test_a_server_that_is_down_is_tried_again_and_gets_one_letter(tmp_path: Path, server: Scripted) -> None:
    server.script["hello"] = DROP
    home = approved(tmp_path, server)
    home.run()
    assert (invite_of(home), home.thread(THREAD).thread.tries) == (("planned", None), 1)
    assert home.thread(THREAD).attempts[-1].said.endswith("cannot be used: it hung up or was silent for too long.")
    del server.script["hello"]
    home = home.at(APPROVED + LATER[0])
    home.run()
    assert (len(server.accepted), invite_of(home)) == (1, ("done", None))


def test_a_letter_that_is_not_taken_now_is_tried_again_under_a_new_attempt(tmp_path: Path, server: Scripted) -> None:
    server.script["letter"] = b"451 4.7.1 Greylisted"
    home = approved(tmp_path, server)
    home.run()
    assert invite_of(home) == ("planned", "smtp 451 4.7.1")
    del server.script["letter"]
    home = home.at(APPROVED + LATER[0])
    home.run()
    assert (len(server.accepted), home.ledger(THREAD)["invite"].attempt) == (1, 2)
    assert home.verify() == []


@pytest.mark.parametrize("how", [DROP, HANG])
def test_a_reply_that_got_lost_is_for_a_person_and_nothing_goes_again(
    tmp_path: Path, server: Scripted, how: bytes
) -> None:
    server.script["letter"] = how
    home = approved(tmp_path, server)
    home.run()
    del server.script["letter"]
    for days in (1, 2):
        home = home.at(APPROVED + timedelta(days=days))
        home.retry(THREAD)
        home.run()
    assert (len(server.accepted), invite_of(home)) == (1, ("unknown", "no reply to the letter"))
    thread = home.thread(THREAD).thread
    assert "nobody knows whether a letter was sent; settle that first" in sentence(thread, home.app.zone)


# Refused for good


def test_an_address_that_is_refused_brings_the_question_back_with_the_reason(tmp_path: Path, server: Scripted) -> None:
    server.script["RCPT"] = b"550 5.1.1 Nobody by that name"
    home = approved(tmp_path, server)
    home.run()
    question = home.question(THREAD)
    assert (question.status, home.thread(THREAD).thread.status) == ("pending", "awaiting_review")
    assert (question.came_back or {})["moved"] == ["address refused: 550 5.1.1"]
    assert (server.accepted, invite_of(home)) == ([], ("void", "address refused: 550 5.1.1"))
    assert home.verify() == []


def test_a_refused_address_is_not_tried_again_by_itself(tmp_path: Path, server: Scripted) -> None:
    server.script["RCPT"] = b"550 5.1.1 Nobody by that name"
    home = approved(tmp_path, server)
    for days in range(4):
        home = home.at(APPROVED + timedelta(days=days))
        home.run()
    assert [line for line in server.said if line.startswith(b"rcpt")] == [b"rcpt TO:<ann@example.com>"]


def test_a_corrected_address_is_asked_about_anew_and_written_to(tmp_path: Path, server: Scripted) -> None:
    server.script["RCPT"] = b"550 5.1.1 Nobody by that name"
    home = approved(tmp_path, server)
    home.run()
    del server.script["RCPT"]
    home.amend(THREAD, email="ann.right@example.com")
    home.run()
    home.decide(THREAD)
    home.run()
    assert (len(server.accepted), invite_of(home)) == (1, ("done", None))
    assert server.said[-3] == b"rcpt TO:<ann.right@example.com>"


def test_a_letter_that_is_refused_after_its_release_parks_the_thread_and_says_why(
    tmp_path: Path, server: Scripted
) -> None:
    server.script["letter"] = b"554 5.7.1 We want no letters"
    home = approved(tmp_path, server)
    home.run()
    whole = home.thread(THREAD)
    assert (whole.thread.status, invite_of(home)) == ("parked", ("planned", "smtp 554 5.7.1"))
    assert whole.attempts[-1].said == f"{INVITE} was refused for good: smtp 554 5.7.1."
    assert "the outside refused it for good" in sentence(whole.thread, home.app.zone)
    assert (server.accepted, home.verify()) == ([], [])
    del server.script["letter"]
    home.retry(THREAD)
    home.run()
    assert (len(server.accepted), invite_of(home)) == (1, ("done", None))


def test_a_reminder_whose_address_is_refused_meanwhile_parks_and_asks_nothing_again(
    tmp_path: Path, server: Scripted
) -> None:
    home = approved(tmp_path, server)
    home.run()
    server.script["RCPT"] = b"550 5.1.1 Gone"
    home = home.at(REMINDER)
    home.run()
    assert (home.ending(THREAD)[0], home.question(THREAD).status) == ("parked", "approved")
    assert (len(server.accepted), home.ledger(THREAD)["invite"].status) == (1, "done")


# The switch


def test_while_sending_is_off_the_server_is_not_even_called(tmp_path: Path, server: Scripted) -> None:
    home = approved(tmp_path, server)
    home.switch(on=False)
    home.run()
    assert server.connections == 0
    home.switch(on=True)
    home.run()
    assert len(server.accepted) == 1
