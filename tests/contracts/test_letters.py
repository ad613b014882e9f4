"""Letters of a role: versions, fields, heads; what stands comes back under a new one, what left keeps its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.catalog.letters import read_letter
from core.desk.decisions import Answer
from core.desk.versions import Saved, read_newest, save_version
from core.errors import BadInput, NotAllowed, StaleVersion
from tests.contracts.screened import APPROVED, THREAD, day_one, day_two, invited, letters_of
from tests.homes import ROLE, Home

INVITE = """Subject: Meet us, {first_name}
Language: en-GB
Sender: Ana of Example Studio
Reply-To: hiring@example.com

Dear {name},

{how_to_book}

{sender}, {reply_to}
"""
MODERN = "Subject: Hello\n\n{how_to_book}\n"


def save_letter(home: Home, name: str, text: str) -> Saved:
    """Save one letter as `role letters --set --yes` does."""
    with home.app.read() as conn:
        content = dict(read_newest(conn, home.tenant_id, ROLE, "letters").content)
    content[name] = read_letter(text, name, "letter.txt")
    return save(home, "letters", content)


def save(home: Home, kind: str, content: dict[str, object], role_id: str = ROLE) -> Saved:
    actor = home.actor
    return home.app.act(actor, "save", lambda tx: save_version(tx, actor, role_id, kind, content))


def body(home: Home, letter: str = "invite") -> str:
    return str(home.mail(THREAD)[letter].get_content()).replace("\r\n", "\n")


def test_an_invite_states_its_sender_its_language_and_where_answers_go(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    save_letter(home, "invite", INVITE)
    home.run()
    home.decide(THREAD)
    home.run()

    sent = home.mail(THREAD)["invite"]
    assert (sent["From"], sent["Reply-To"]) == ("Ana of Example Studio <daybook@example.com>", "hiring@example.com")
    assert (sent["Content-Language"], sent["Subject"]) == ("en-GB", "Meet us, Ann")
    assert "Dear Ann Example," in body(home)
    assert "Ana of Example Studio, hiring@example.com" in body(home)


def test_a_new_version_brings_the_standing_question_back_with_its_text(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    before = home.question(THREAD)

    assert save_letter(home, "invite", INVITE) == Saved(version=2, undecided=1, kept=0, came_back=0)
    with pytest.raises(StaleVersion, match="version 1 of the letters, which is 2 now"):
        home.answer(before.id, Answer("approve", before.version, {}))
    home.run()

    again = home.question(THREAD)
    assert (again.id, again.version, again.status) == (before.id, before.version + 1, "pending")
    assert again.came_back is not None
    assert again.came_back["moved"] == ["letters 1 → 2"]
    assert letters_of(home) == []


def test_a_held_approval_comes_back_and_nothing_leaves(tmp_path: Path) -> None:
    home = day_two(tmp_path)
    home.decide(THREAD)

    assert save_letter(home, "decline", "Subject: No\n\nNo, {first_name}.\n").came_back == 1
    home.run()

    question = home.question(THREAD)
    assert question.status == "pending"
    assert question.came_back is not None
    assert question.came_back["verdict"] == "approve"
    assert letters_of(home) == []


def test_what_was_released_keeps_its_text_and_its_version(tmp_path: Path) -> None:
    home = invited(tmp_path)

    assert save_letter(home, "reminder", "Subject: Other\n\nOther words.\n") == Saved(
        version=2, undecided=0, kept=1, came_back=0
    )
    home.run()
    home = home.at(APPROVED.replace(day=20))
    home.run()

    assert letters_of(home) == ["invite", "reminder"]
    assert "You have not chosen a time" in body(home, "reminder")
    assert home.thread(THREAD).thread.configs["letters"] == 1


def test_a_version_that_changes_nothing_is_refused_and_asks_nobody_anew(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    save_letter(home, "invite", MODERN)

    with pytest.raises(BadInput, match="That is the letters of role-14 as it stands, version 2"):
        save_letter(home, "invite", MODERN)

    assert home.look("SELECT max(version) FROM configs WHERE kind = 'letters'") == [(2,)]


def test_a_version_that_somebody_else_wrote_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    with home.app.read() as conn:
        seen = read_newest(conn, home.tenant_id, ROLE, "letters")
    save_letter(home, "invite", MODERN)

    with pytest.raises(StaleVersion, match="You saw version 1 of the letters of role-14; it is at version 2 now"):
        home.app.act(
            home.actor, "save", lambda tx: save_version(tx, home.actor, ROLE, "letters", {}, after=seen.version)
        )

    assert home.look("SELECT max(version) FROM configs WHERE kind = 'letters'") == [(2,)]


def test_another_way_to_choose_a_time_brings_the_question_back_before_it_is_answered(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    before = home.question(THREAD)
    slots = {"time_zone": "UTC", "slots": ["2026-08-25T10:00:00Z"], "address": None}

    assert save(home, "booking", slots).undecided == 1
    with pytest.raises(StaleVersion, match="version 0 of the booking, which is 1 now"):
        home.answer(before.id, Answer("approve", before.version, {}))
    home.run()

    again = home.question(THREAD)
    assert again.came_back is not None
    assert (again.id, again.came_back["moved"]) == (before.id, ["booking 0 → 1"])
    home.decide(THREAD)
    home.run()
    assert "/book/" in body(home)


def test_an_applicant_who_comes_later_gets_the_new_text(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    save_letter(home, "invite", MODERN)
    later = home.apply("Ben Example", "ben@example.com")
    home.run()
    home.decide(later)
    home.run()

    assert home.mail(later)["invite"]["Subject"] == "Hello"


def test_a_viewer_saves_no_letter(tmp_path: Path) -> None:
    home = day_one(tmp_path)

    with pytest.raises(NotAllowed):
        save_letter(home.add_person("viewer@example.com", "viewer"), "invite", MODERN)

    assert home.look("SELECT max(version) FROM configs WHERE kind = 'letters'") == [(1,)]


@pytest.mark.parametrize(
    "name",
    [
        "Ann\nBcc: other@example.com",
        "Ann\r\nSubject: other",
        "Ann\u2028Reply-To: other@example.com",
        "{booking_link} {role_title}",
        "{{name}} $first_name",
        "Ann\x00\x1b[31m",
    ],
)
def test_a_name_brings_in_no_head_no_field_and_no_line(tmp_path: Path, name: str) -> None:
    home = day_one(tmp_path).at(APPROVED)
    save_letter(home, "invite", "Subject: To {name}\nSender: Ana\n\nDear {name},\nnext\n{how_to_book}\n")
    home.amend(THREAD, name=name)
    home.run()
    home.decide(THREAD)
    home.run()

    sent = home.mail(THREAD)["invite"]
    lines = body(home).splitlines()
    assert (sent["Bcc"], sent["Reply-To"], sent["To"]) == (None, None, "ann@example.com")
    assert len(sent.get_all("Subject")) == 1
    assert lines[0].startswith("Dear ")
    assert lines[1] == "next"
    for written in ("{booking_link}", "{role_title}", "{{name}}", "$first_name"):
        assert (written in lines[0]) == (written in name)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Subject: S\n\nDear {nobody}\n", "line 3: the letter invite has {nobody}, which nothing fills"),
        ("Subject: S {x y}\n\n{how_to_book}", "line 1: the letter invite has {x y}, which nothing fills"),
        ("Subject: S\n\n{first_name.__class__}", "line 3: the letter invite has {first_name.__class__}, which nothing"),
        ("Subject: S\n\nDear $first_name\n", "line 3: the letter invite has $first_name, which nothing fills"),
        ("Subject: S\n\nDear {first_name\n", "line 3: the letter invite has a lone {; write two for one"),
        ("Subject: S\n\nDear {first_name}\n", "line 3: the letter invite lacks {how_to_book}"),
        ("Subject: S\n\n\n{how_to_book} {sender}\n", "line 4: the letter invite has {sender}, and states no sender"),
        ("Subject: S\nReply-To: nobody\n\n{how_to_book}", "has a reply_to that is no e-mail address"),
        ("Subject: S\nLanguage: en_GB!\n\n{how_to_book}", "has a language that is no tag such as en or pt-BR"),
        ("Subject: S\nBcc: other@example.com\n\n{how_to_book}", "line 2: a letter begins with heads such as Subject"),
        ("Subject: S\n\n{booking_address}\n", "line 3: the letter invite has {booking_address}, which nothing fills"),
        ("Subject: S\n", "the letter invite needs a subject and a body"),
        ("", "the letter invite needs a subject and a body"),
    ],
)
def test_a_letter_that_nothing_could_fill_is_refused_by_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_letter(text, "invite", "letter.txt")

    assert refused.value.sentence.startswith("letter.txt, line ")
    assert sentence in refused.value.sentence


def test_two_braces_are_one(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    save_letter(home, "invite", "Subject: S\n\n{{first_name}} {how_to_book}\n")
    home.run()
    home.decide(THREAD)
    home.run()

    assert body(home).startswith("{first_name} ")


def test_letters_from_before_there_were_fields_in_braces_read_as_they_were_meant(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    old = {name: {"subject": "S", "body": "Hi $first_name, {$window_hours} $$\n"} for name in ("invite", "reminder")}
    save(home, "letters", {**old, "decline": {"subject": "S", "body": "No.\n"}})
    home.run()
    home.decide(THREAD)
    home.run()

    assert body(home) == "Hi Ann, {48} $\n"
