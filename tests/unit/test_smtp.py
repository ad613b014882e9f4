"""Letters by SMTP: what is certain of them wherever the line breaks, and what stands on the wire."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from core.adapters.smtp import SmtpMail
from core.errors import EffectNotSent, EffectTurnedDown
from core.mail_server import MailServer, read_mail_server
from core.ports import Delivery, Envelope, NotSent, Sent, Unknown
from tests.mail_servers import DROP, HANG, Scripted, mailbox, scripted, self_made_certificate

KEY = "role-14/app-0093/invite"
PAYLOAD = {"to": "nora.quist@example.com", "subject": "Come and talk", "body": "Dear Nora,\nchoose a time.\n"}
NOW = datetime(2026, 8, 20, 9, 0, tzinfo=UTC)
PASSWORD = "s3cret word"  # noqa: S105 - a test's own
SHORT = 0.4


def server_at(port: int, *, scheme: str = "smtp", known: str = "") -> MailServer:
    server = read_mail_server(f"{scheme}://{known}127.0.0.1:{port}")
    assert isinstance(server, MailServer)
    return server


def mail(server: MailServer | Scripted, mail_from: str = "Paper Yard <jobs@example.com>") -> SmtpMail:
    where = server_at(server.port) if isinstance(server, Scripted) else server
    return SmtpMail(where, mail_from, lambda: NOW, within=SHORT if isinstance(server, Scripted) else 10)


def envelope(payload: dict[str, Any] | None = None, key: str = KEY, tenant: str = "home") -> Envelope:
    return Envelope(tenant, key, "mail", {**PAYLOAD, **(payload or {})}, "f00d")


def send(by: SmtpMail, sent: Envelope | None = None) -> Delivery:
    prepared = by.prepare(sent or envelope())
    try:
        return by.deliver(prepared)
    finally:
        prepared.close()


def parsed(content: bytes) -> EmailMessage:
    return message_from_bytes(content, policy=policy.SMTP)  # type: ignore[return-value]


# Where the line breaks


@pytest.mark.parametrize("how", [DROP, HANG, b"421 4.3.2 Not now", b"554 5.3.2 Never"])
@pytest.mark.parametrize("stage", ["hello", "MAIL"])
def test_what_fails_before_the_recipient_certainly_was_not_sent(stage: str, how: bytes) -> None:
    with scripted(**{stage: how}) as server, pytest.raises(EffectNotSent) as refused:
        mail(server).prepare(envelope())
    assert (server.accepted, refused.value.code) == ([], "effect_not_sent")
    assert refused.value.sentence.startswith(server.address)
    assert "nora.quist" not in refused.value.sentence


@pytest.mark.parametrize("how", [DROP, HANG, b"450 4.2.1 Try later"])
def test_a_recipient_that_is_not_taken_now_is_tried_again(how: bytes) -> None:
    with scripted(RCPT=how) as server, pytest.raises(EffectNotSent) as refused:
        mail(server).prepare(envelope())
    assert (server.accepted, refused.value.code) == ([], "effect_not_sent")


def test_a_recipient_that_is_refused_for_good_is_turned_down_with_the_reason() -> None:
    reply = b"550 5.1.1 <nora.quist@example.com> is unknown"
    with scripted(RCPT=reply) as server, pytest.raises(EffectTurnedDown) as refused:
        mail(server).prepare(envelope())
    assert refused.value.why == "address refused: 550 5.1.1"
    assert refused.value.sentence == f"{server.address} refuses the recipient for good: 550 5.1.1."


def test_a_letter_states_its_sender_its_language_and_where_answers_go() -> None:
    stated = {"sender": "Ana of Example Studio", "reply_to": "hiring@example.com", "language": "en-GB"}
    with scripted() as server:
        send(mail(server), envelope(stated))
    (letter,) = [parsed(one) for one in server.accepted]
    assert letter["From"] == "Ana of Example Studio <jobs@example.com>"
    assert (letter["Reply-To"], letter["Content-Language"]) == ("hiring@example.com", "en-GB")
    assert str(letter["Message-ID"]).endswith("@example.com>")


@pytest.mark.parametrize("sender", ["Ana\r\nBcc: other@example.com", "Ana <other@example.com>", "a, b@example.com"])
def test_a_sender_s_name_brings_in_no_head_and_no_address(sender: str) -> None:
    with scripted() as server:
        send(mail(server), envelope({"sender": sender}))
    (letter,) = [parsed(one) for one in server.accepted]
    assert [one.addr_spec for one in letter["From"].addresses] == ["jobs@example.com"]
    assert letter["Bcc"] is None


@pytest.mark.parametrize("how", [DROP, HANG])
def test_a_line_that_breaks_before_the_content_certainly_did_not_send(how: bytes) -> None:
    with scripted(DATA=how) as server:
        assert send(mail(server)) == NotSent("no reply to DATA")
    assert server.accepted == []


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (b"451 4.3.0 Later", NotSent("smtp 451 4.3.0")),
        (b"554 5.7.1 No letters here", NotSent("smtp 554 5.7.1", is_final=True)),
        (b"250 2.0.0 Odd", NotSent("smtp 250 2.0.0")),
    ],
)
def test_another_reply_to_data_than_to_go_ahead_certainly_did_not_send(reply: bytes, answer: Delivery) -> None:
    with scripted(DATA=reply) as server:
        assert send(mail(server)) == answer
    assert server.accepted == []


@pytest.mark.parametrize("how", [DROP, HANG])
@pytest.mark.parametrize(("stage", "count"), [("content", 0), ("letter", 1)])
def test_once_the_content_was_begun_nobody_knows_until_the_reply(stage: str, count: int, how: bytes) -> None:
    with scripted(**{stage: how}) as server:
        assert send(mail(server)) == Unknown("no reply to the letter")
        assert len(server.accepted) == count


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (b"451 4.7.1 Greylisted", NotSent("smtp 451 4.7.1")),
        (b"552 5.2.2 The box is full", NotSent("smtp 552 5.2.2", is_final=True)),
        (b"550 <nora.quist@example.com> does not want this", NotSent("smtp 550", is_final=True)),
    ],
)
def test_a_letter_that_is_refused_certainly_was_not_sent(reply: bytes, answer: Delivery) -> None:
    with scripted(letter=reply) as server:
        assert send(mail(server)) == answer
    assert server.accepted == []


@pytest.mark.parametrize("reply", [b"What?", b"354 Go on", b"199 Soon", b"2" * 9000, b"250-Wait"])
def test_a_reply_that_says_nothing_leaves_the_doubt(reply: bytes) -> None:
    with scripted(letter=reply) as server:
        assert isinstance(send(mail(server)), Unknown)


def test_a_letter_that_was_taken_is_sent_with_the_servers_own_name_for_it() -> None:
    with scripted() as server:
        assert send(mail(server)) == Sent("smtp:127.0.0.1 2.0.0 Ok: queued as 4QX71")
        assert len(server.accepted) == 1


def test_no_address_that_the_server_repeats_stands_in_the_reference() -> None:
    with scripted(letter=b"250 Message for <nora.quist@example.com> accepted as 71") as server:
        assert send(mail(server)) == Sent("smtp:127.0.0.1 Message for accepted as 71")


def test_a_server_that_never_finishes_a_reply_is_cut_off() -> None:
    class Dripping(Scripted):
        def _answer(self, line: Any, stage: str, reply: bytes) -> bool:
            while stage == "letter" and not self._closed.wait(0.05):
                line.sendall(b"2")
            return super()._answer(line, stage, reply)

    server = Dripping()
    try:
        assert send(mail(server)) == Unknown("no reply to the letter")
    finally:
        server.close()


def test_where_nothing_listens_nothing_was_sent() -> None:
    with scripted() as server:
        pass
    with pytest.raises(EffectNotSent, match="nothing listens there"):
        mail(server).prepare(envelope())


def test_it_says_honestly_what_it_cannot_do() -> None:
    assert (SmtpMail.honours_keys, SmtpMail.can_be_asked) == (False, False)


@pytest.mark.parametrize(("payload", "needs"), [({}, True), ({"internal": True}, False), ({"internal": "yes"}, True)])
def test_mail_to_a_subject_needs_an_approval(payload: dict[str, Any], needs: bool) -> None:
    with scripted() as server:
        assert mail(server).needs_approval({**PAYLOAD, **payload}) is needs


# On the wire


def test_a_letter_carries_the_headers_of_a_letter() -> None:
    with scripted() as server:
        send(mail(server), envelope({"reply_to": "founder@example.com", "to_name": "Nora Quist"}))
        letter = parsed(server.accepted[0])
    assert {name: str(letter[name]) for name in ("From", "To", "Reply-To", "Subject", "Date", "Auto-Submitted")} == {
        "From": "Paper Yard <jobs@example.com>",
        "To": "Nora Quist <nora.quist@example.com>",
        "Reply-To": "founder@example.com",
        "Subject": "Come and talk",
        "Date": "Thu, 20 Aug 2026 09:00:00 +0000",
        "Auto-Submitted": "auto-generated",
    }
    assert letter.get_content().replace("\r\n", "\n") == PAYLOAD["body"]
    assert [name for name in letter if name.startswith("X-")] == []
    assert server.said[0] == b"ehlo example.com"


def test_message_id_is_made_of_tenant_and_key_and_says_neither() -> None:
    with scripted() as server:
        by = mail(server)
        for sent in (envelope(), envelope({"body": "Other."}), envelope(tenant="atlas"), envelope(key="role-14/x")):
            send(by, sent)
        ids = [str(parsed(one)["Message-ID"]) for one in server.accepted]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    assert all(re.fullmatch(r"<[0-9a-f]{32}@example\.com>", one) for one in ids)


def test_what_the_ledger_keeps_is_where_it_goes_and_what_to_look_for() -> None:
    with scripted() as server:
        prepared = mail(server).prepare(envelope())
        prepared.close()
    assert (prepared.via, prepared.trace) == (server.address, str(parsed(prepared.content)["Message-ID"]))


BODIES = [
    "Zoë, 你好: 48 hours.\n",
    ".\n..\n.hidden\n",
    "a\r.\rMAIL FROM:<x@example.com>\r\nb\n.\nQUIT\n",
    "no end of line",
    "long " * 400,
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_arrives_as_it_was_approved_and_ends_no_letter_early(body: str) -> None:
    with mailbox() as box:
        send(mail(server_at(box.port)), envelope({"body": body}))
        (content,) = [content for _, _, content in box.accepted]
    lines = parsed(content).get_content().splitlines()
    assert lines == body.splitlines()
    assert content.isascii()


@pytest.mark.parametrize("field", ["subject", "to_name", "to", "reply_to"])
def test_a_field_with_a_line_end_adds_no_header(field: str) -> None:
    evil = {"to": "nora.quist@example.com\r\nBcc: all@example.com"}.get(field, "Nora\r\nBcc: all@example.com")
    with scripted() as server:
        try:
            send(mail(server), envelope({field: evil}))
        except EffectNotSent:
            assert server.accepted == []
        else:
            letter = parsed(server.accepted[0])
            assert letter["Bcc"] is None
            assert "Bcc" not in [line.split(b":")[0].decode() for line in server.accepted[0].split(b"\r\n")]
    assert [line for line in server.said if line.startswith(b"RCPT") and b"all@" in line] == []
    assert sum(line.lower().startswith(b"rcpt") for line in server.said) <= 1


def test_a_recipient_beyond_ascii_is_written_to_where_the_server_can() -> None:
    with mailbox() as box:
        send(mail(server_at(box.port)), envelope({"to": "zoë@bücher.example"}))
        ((_, recipients, content),) = box.accepted
    assert recipients == ["zoë@xn--bcher-kva.example"]
    assert "zoë@" in content.decode()


def test_a_recipient_beyond_ascii_is_turned_down_where_the_server_cannot() -> None:
    with mailbox(utf8=False) as box:
        with pytest.raises(EffectTurnedDown, match="cannot write to addresses with letters beyond ASCII"):
            send(mail(server_at(box.port)), envelope({"to": "zoë@example.com"}))
        send(mail(server_at(box.port)), envelope({"to": "nora@bücher.example"}))
    assert [recipients for _, recipients, _ in box.accepted] == [["nora@xn--bcher-kva.example"]]


def test_an_address_that_is_none_is_not_sent_and_not_even_tried() -> None:
    with scripted() as server, pytest.raises(EffectNotSent, match=KEY):
        mail(server).prepare(envelope({"to": "Nora"}))
    assert server.connections == 0


# A private line

SIGNS_IN = b"250-mail.example.com\r\n250 AUTH PLAIN LOGIN"


def test_a_server_that_offers_starttls_is_spoken_to_in_private(tmp_path: Path) -> None:
    with mailbox(certificate=self_made_certificate(tmp_path)) as box:
        assert isinstance(send(mail(server_at(box.port))), Sent)
    assert box.private == [True]


def test_on_this_machine_a_plain_line_will_do() -> None:
    with mailbox() as box:
        assert isinstance(send(mail(server_at(box.port))), Sent)
    assert box.private == [False]


def far(port: int, known: str = "") -> MailServer:
    """A server as if it stood on another machine."""
    return replace(server_at(port, known=known), is_near=False)


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    untrusted = pytest.raises(EffectNotSent, match="does not trust its certificate")
    with mailbox(certificate=self_made_certificate(tmp_path)) as box, untrusted:
        mail(far(box.port)).prepare(envelope())
    assert box.accepted == []


def test_a_certificate_that_this_machine_was_told_to_trust_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_made_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with mailbox(certificate=certificate) as box:
        assert isinstance(send(mail(far(box.port))), Sent)
    assert box.private == [True]


def test_a_password_is_given_in_private(tmp_path: Path) -> None:
    certificate = self_made_certificate(tmp_path)
    with mailbox(certificate=certificate, users={"jobs@example.com": PASSWORD}) as box:
        known = "jobs%40example.com:s3cret%20word@"
        assert isinstance(send(mail(server_at(box.port, known=known))), Sent)
    assert (len(box.accepted), box.private) == (1, [True])


def test_a_password_is_never_given_in_the_clear_to_another_machine() -> None:
    with scripted(EHLO=SIGNS_IN) as server, pytest.raises(EffectNotSent, match="offers no STARTTLS") as refused:
        mail(far(server.port, "jobs:hunter2@")).prepare(envelope())
    assert [line for line in server.said if line.upper().startswith(b"AUTH")] == []
    assert "hunter2" not in refused.value.sentence


def test_a_password_that_is_wrong_is_not_repeated_by_the_refusal() -> None:
    wrong = scripted(EHLO=SIGNS_IN, AUTH=b"535 5.7.8 hunter2 is wrong")
    said = "does not take the user and password: it answered 535 5.7.8"
    with wrong as server, pytest.raises(EffectNotSent, match=said) as refused:
        mail(server_at(server.port, known="jobs:hunter2@")).prepare(envelope())
    assert "hunter2" not in f"{refused.value.sentence}{refused.value.__cause__}"
    assert [line for line in server.said if line.lower().startswith(b"mail")] == []
