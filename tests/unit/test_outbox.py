from __future__ import annotations

import os
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest

from core.adapters.disk import unfinished
from core.adapters.outbox import Outbox
from core.errors import EffectNotSent, PayloadMismatch
from core.ports import Envelope, NotSent, Sent

KEY = "role-14/app-0093/invite"
PAYLOAD = {"to": "nora.quist@example.com", "subject": "Come and talk", "body": "Dear Nora,\nchoose a time.\n"}


def outbox(folder: Path) -> Outbox:
    return Outbox(folder, "Paper Yard <jobs@example.com>")


def envelope(payload: dict[str, Any] = PAYLOAD, key: str = KEY, tenant: str = "home") -> Envelope:
    payload_hash = f"{abs(hash(str(sorted(payload.items())))):064x}"
    return Envelope(tenant, key, "mail", payload, payload_hash)


def send(box: Outbox, sent: Envelope) -> Any:
    said = box.deliver(box.prepare(sent))
    if isinstance(said, Sent) and said.make_lasting is not None:
        said.make_lasting()
    return said


def body(letter: EmailMessage) -> str:
    return str(letter.get_content()).replace("\r\n", "\n")


def letters(folder: Path) -> list[EmailMessage]:
    return [message_from_bytes(path.read_bytes(), policy=SMTP) for path in sorted(folder.glob("*.eml"))]


def test_a_letter_lies_in_the_folder_as_written(tmp_path: Path) -> None:
    send(outbox(tmp_path), envelope({**PAYLOAD, "reply_to": "Founder@Example.org", "to_name": "Nora Quist"}))

    [letter] = letters(tmp_path)

    assert (letter["To"], letter["From"], letter["Subject"], letter["Reply-To"], letter["X-Daybook-Key"]) == (
        "Nora Quist <nora.quist@example.com>",
        "Paper Yard <jobs@example.com>",
        "Come and talk",
        "Founder@Example.org",
        KEY,
    )
    assert body(letter) == PAYLOAD["body"]


def test_the_same_payload_gives_the_same_bytes(tmp_path: Path) -> None:
    box = outbox(tmp_path)

    assert box.prepare(envelope()).content == box.prepare(envelope()).content


def test_a_key_sent_twice_is_one_letter_and_one_answer(tmp_path: Path) -> None:
    first = send(outbox(tmp_path), envelope())

    assert (send(outbox(tmp_path), envelope()), len(letters(tmp_path))) == (first, 1)


def test_other_content_under_a_sent_key_is_refused_by_name(tmp_path: Path) -> None:
    send(outbox(tmp_path), envelope())

    with pytest.raises(PayloadMismatch, match=KEY):
        send(outbox(tmp_path), envelope({**PAYLOAD, "body": "Thursday"}))
    assert [body(letter) for letter in letters(tmp_path)] == [PAYLOAD["body"]]


def test_two_tenants_may_use_one_key(tmp_path: Path) -> None:
    send(outbox(tmp_path), envelope())
    send(outbox(tmp_path), envelope(tenant="atlas"))

    assert len(letters(tmp_path)) == 2


def test_it_can_be_asked_what_became_of_a_key(tmp_path: Path) -> None:
    box = outbox(tmp_path)
    before = box.ask(envelope())
    sent = send(box, envelope())

    assert (before, box.ask(envelope())) == (NotSent("not in the outbox"), sent)
    with pytest.raises(PayloadMismatch):
        box.ask(envelope({**PAYLOAD, "body": "Thursday"}))


def test_the_outbox_does_not_say_when(tmp_path: Path) -> None:
    sent = send(outbox(tmp_path), envelope())

    [path] = tmp_path.iterdir()
    assert sent == Sent(f"outbox:{path.name}", None)


@pytest.mark.parametrize("seam", ["fsync", "link"])
def test_a_disk_that_fails_before_the_link_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seam: str
) -> None:
    prepared = outbox(tmp_path).prepare(envelope())

    def full(*_: object) -> None:
        raise OSError(28, "No space left")

    with monkeypatch.context() as broken:
        broken.setattr(os, seam, full)
        answer = outbox(tmp_path).deliver(prepared)

    assert (answer, list(tmp_path.iterdir())) == (NotSent("disk"), [])


def test_a_letter_linked_by_a_killed_process_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def killed(_: Path) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr("core.adapters.outbox.flush_folder", killed)
        with pytest.raises(Killed):
            send(outbox(tmp_path), envelope())

    assert (isinstance(send(outbox(tmp_path), envelope()), Sent), len(letters(tmp_path))) == (True, 1)


def test_what_a_killed_process_left_is_no_letter(tmp_path: Path) -> None:
    (tmp_path / ".half.part").write_bytes(b"To: nora")

    assert (letters(tmp_path), outbox(tmp_path).sweep_unfinished()) == ([], 1)


def test_what_a_living_process_is_writing_is_not_swept(tmp_path: Path) -> None:
    with unfinished(tmp_path, b"To: nora") as written:
        assert (outbox(tmp_path).sweep_unfinished(), written.exists()) == (0, True)


@pytest.mark.parametrize(
    "payload",
    [
        {**PAYLOAD, "to": "nobody"},
        {**PAYLOAD, "to": "a@example.com, b@example.com"},
        {**PAYLOAD, "to": None},
        {"to": "nora.quist@example.com"},
        {**PAYLOAD, "reply_to": "nobody"},
    ],
)
def test_a_letter_that_cannot_be_written_is_not_sent(tmp_path: Path, payload: dict[str, Any]) -> None:
    with pytest.raises(EffectNotSent, match=KEY):
        outbox(tmp_path).prepare(envelope(payload))


def test_a_name_or_subject_adds_no_header(tmp_path: Path) -> None:
    hostile = "Nora\r\nBcc: all@example.com"
    send(outbox(tmp_path), envelope({**PAYLOAD, "to_name": hostile, "subject": hostile}))

    [letter] = letters(tmp_path)
    assert (letter["Bcc"], letter["Subject"]) == (None, "Nora Bcc: all@example.com")


@pytest.mark.parametrize(
    "name", ["Žofia Čierna-O\u2019Dowd", "ياسمين الخطيب", "\U0001f469\u200d\U0001f3a8 Imani", 'A "B" C']
)
def test_names_of_all_scripts_arrive(tmp_path: Path, name: str) -> None:
    send(outbox(tmp_path), envelope({**PAYLOAD, "to_name": name, "body": name}))

    [letter] = letters(tmp_path)
    assert (letter["To"].addresses[0].display_name, body(letter)) == (name, name + "\n")


@pytest.mark.parametrize("typed", ["Mixed.Case@Example.com", "zażółć@example.com", "nora@b\u00fccher.example.com"])
def test_mail_goes_to_the_address_as_typed(tmp_path: Path, typed: str) -> None:
    send(outbox(tmp_path), envelope({**PAYLOAD, "to": typed}))

    [path] = tmp_path.iterdir()
    assert f"To: {typed.split('@')[0]}@".encode() in path.read_bytes()


def test_mail_to_a_subject_needs_an_approval_and_internal_mail_does_not(tmp_path: Path) -> None:
    box = outbox(tmp_path)

    assert [box.needs_approval(payload) for payload in ({}, {"internal": "yes"}, {"internal": True})] == [
        True,
        True,
        False,
    ]
