"""DAYBOOK_MAIL and DAYBOOK_MAIL_FROM: what they may say, and that no password is ever repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SettingsWrong
from core.mail_server import MailServer
from core.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return load_settings()


@pytest.mark.parametrize(
    ("typed", "server"),
    [
        ("smtp://mail.example.com", MailServer("smtp", "mail.example.com", 25)),
        ("smtp://mail.example.com:2525", MailServer("smtp", "mail.example.com", 2525)),
        ("smtp://jobs:hunter2@mail.example.com", MailServer("smtp", "mail.example.com", 587, "jobs", "hunter2")),
        ("smtps://jobs%40example.com:a%2Fb@mail.example.com/",
         MailServer("smtps", "mail.example.com", 465, "jobs@example.com", "a/b")),
        ("smtp://127.0.0.1:1025", MailServer("smtp", "127.0.0.1", 1025, is_near=True)),
        ("smtp://localhost", MailServer("smtp", "localhost", 25, is_near=True)),
        ("smtp://[::1]:1025", MailServer("smtp", "::1", 1025, is_near=True)),
        ("smtp://192.0.2.7", MailServer("smtp", "192.0.2.7", 25)),
    ],
)  # fmt: skip
def test_a_mail_server_is_read_as_it_is_named(monkeypatch: pytest.MonkeyPatch, typed: str, server: MailServer) -> None:
    assert load(monkeypatch, DAYBOOK_MAIL=typed).mail == server


def test_letters_go_into_the_outbox_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch).mail == "outbox"
    assert load(monkeypatch, DAYBOOK_MAIL="outbox").mail == "outbox"


@pytest.mark.parametrize(
    "typed",
    [
        "sendmail", "http://mail.example.com", "smtp:jobs:hunter2@mail.example.com", "smtp://", "smtp://:25",
        "smtp://jobs:hunter2@", "smtp://jobs:hunter2@mail.example.com:0", "smtp://jobs:hunter2@mail.example.com:99999",
        "smtp://jobs:hunter2@mail.example.com:port", "smtp://jobs:hunter2/x@mail.example.com",
        "smtp://jobs:hunter2#x@mail.example.com", "smtp://jobs:hunter2@mail example.com", "smtp://jobs@mail.example.com",
        "smtp://:hunter2@mail.example.com", "smtp://jobs:hunter2é@mail.example.com",
        "smtp://jobs:hunter2@mail.example.com/box?x=1", "smtp://jobs:hunter2@-mail\n.example.com",
        "smtp://jobs:hunter2@[::1", "SMTP://jobs:hunter2@mail_box!.example.com",
    ],
)  # fmt: skip
def test_another_value_stops_the_start_with_one_sentence_and_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    with pytest.raises(SettingsWrong) as refused:
        load(monkeypatch, DAYBOOK_MAIL=typed)
    sentence = refused.value.sentence
    assert sentence.startswith("DAYBOOK_MAIL is set, but must be ")
    assert "smtp://[user:password@]host[:port]" in sentence
    assert "\n" not in sentence
    assert "hunter2" not in f"{sentence} {refused.value.__cause__}"


def test_a_database_url_with_a_password_is_not_repeated_either(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsWrong) as refused:
        load(monkeypatch, DAYBOOK_DATABASE_URL="mysql://daybook:hunter2@localhost/daybook")
    assert "DAYBOOK_DATABASE_URL" in refused.value.sentence
    assert "hunter2" not in refused.value.sentence


def test_what_is_shown_of_a_mail_server_is_never_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load(monkeypatch, DAYBOOK_MAIL="smtp://jobs:hunter2@mail.example.com")
    assert str(settings.mail) == "smtp://mail.example.com:587"
    assert "hunter2" not in f"{settings!r} {settings.mail!r}"


@pytest.mark.parametrize("typed", ["jobs@example.com", "Paper Yard <jobs@example.com>", "Zoë <jobs@example.com>"])
def test_letters_come_from_one_address(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    assert load(monkeypatch, DAYBOOK_MAIL_FROM=typed).mail_from == typed


@pytest.mark.parametrize(
    "typed",
    [
        "Paper Yard",
        "a@example.com, b@example.com",
        "jobs@example.com\nBcc: x@example.com",
        "<jobs@>",
        "zoë@example.com",
    ],
)
def test_letters_come_from_nowhere_else(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    with pytest.raises(SettingsWrong, match="one address that mail can come from"):
        load(monkeypatch, DAYBOOK_MAIL_FROM=typed)
