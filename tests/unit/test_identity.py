from __future__ import annotations

import pytest

from core.errors import BadInput
from core.identity import (
    check_email,
    check_name,
    display_name,
    fold_words,
    guess_email,
    list_emails,
    loosened_email,
    normalise_email,
    storable,
)
from core.names import find_name, guess_name


@pytest.mark.parametrize(
    "typed",
    [
        "Nora.Quist@Example.com",
        " nora.quist@example.com",
        "nora.quist@example.com\u00a0",
        "\tnora.quist@example.com\n",
        "\u200bnora.quist@example.com",
        "nora.quist\uff20\uff45xample.com",
    ],
)
def test_spellings_of_one_address_compare_as_one(typed: str) -> None:
    assert normalise_email(typed) == "nora.quist@example.com"


@pytest.mark.case("E03")
def test_dots_and_plus_tags_stay_different_people() -> None:
    spellings = ["a.b@example.com", "ab@example.com", "a.b+jobs@example.com"]

    assert [normalise_email(typed) for typed in spellings] == spellings


def test_an_address_is_kept_as_typed() -> None:
    assert check_email(" Mixed.Case@Example.com\u00a0") == "Mixed.Case@Example.com"


@pytest.mark.parametrize("typed", ["", "nora", "nora@", "nora@localhost", "a b@example.com", "a@example.com\nb"])
def test_what_is_no_address_is_refused_in_one_sentence(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_email(typed)

    assert refused.value.sentence.count(".") >= 1
    assert "\n" not in refused.value.sentence


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Anna Wiśniewska", ("anna", "wisniewska")),
        ("Zoe\u0308 Nun\u0303ez", ("zoe", "nunez")),
        ("Søren Łukasz Weiß", ("soren", "lukasz", "weiss")),
        ("Žofia Čierna-O\u2019Dowd", ("zofia", "cierna", "odowd")),
        ("Pa\u200bul\u2060 Kru\u200dger", ("paul", "kruger")),
        ("\u0410nna Petrov", ("\u0430nna", "petrov")),
        ("王小明", ("王小明",)),
        ("", ()),
    ],
)
def test_names_fold_to_plain_words(name: str, words: tuple[str, ...]) -> None:
    assert fold_words(name) == words


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ra\x00moun", "Ramoun"),
        ("\ud83d half", "\ufffd half"),
        ("nimda\u202egpj.exe", "nimdagpj.exe"),
        ("Pa\u200bul\u2060 Kru\u200dger", "Paul Kruger"),
        ("\U0001f469\u200d\U0001f3a8 Imani", "\U0001f469\u200d\U0001f3a8 Imani"),
        ("Nora\r\nBcc: x@example.com", "Nora Bcc: x@example.com"),
        ("", ""),
        ("Null", "Null"),
    ],
)
def test_a_name_shows_in_the_order_it_is_stored_in(typed: str, shown: str) -> None:
    assert display_name(typed) == shown


def test_what_is_storable_survives_encoding() -> None:
    assert storable("a\x00b\ud83dc").encode() == "ab\ufffdc".encode()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nora Quist\nnora.quist@example.com\nExperience", "Nora Quist"),
        ("Curriculum Vitae\nNora Quist\nLeeds", "Nora Quist"),
        ("Functional Resume Sample\nNora Quist\nnora.quist@example.com", "Nora Quist"),
        ("SENIOR BRAND DESIGNER\nNORA QUIST\nnora@example.com", "Nora Quist"),
        ("J O R D A N  R E Y E S\njordan.reyes@example.com", "JORDAN REYES".title()),
        ("J O R D A N R E Y E S\njordan.reyes@example.com", "Jordan Reyes"),
        ("Nora Quist - dossier - page 1 of 60\n", "Nora Quist"),
        ("Nora Quist | nora.quist@example.com | +44 20 7946 0000", "Nora Quist"),
        ("Etta\netta@example.com\nSUMMARY", "Etta"),
        ("Name: Björk\nLeeds", "Björk"),
        ("ANNA O'NEIL-WIŚNIEWSKA\nanna@example.com", "Anna O'Neil-Wiśniewska"),
        ("José van der Berg\nLeeds", "José van der Berg"),
    ],
)
def test_the_name_that_heads_a_cv_is_found(text: str, name: str) -> None:
    assert guess_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Curriculum Vitae\nExperience\nSkills",
        "Leeds\nhello@example.com\nI make things.",
        "J O R D A N R E Y E S\nhello@example.com",
        "I led three brands from brief to launch.\nThen I taught.",
        "2019 to 2023\n12 posters",
    ],
)
def test_no_name_is_invented(text: str) -> None:
    assert guess_name(text) is None


def test_no_surname_is_added_to_a_single_name() -> None:
    assert guess_name("Etta\netta.example@example.com") == "Etta"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("write to nora.quist@example.com.", "nora.quist@example.com"),
        ("<Nora+jobs@Example.org> or x@example.com", "Nora+jobs@Example.org"),
        ("nora\uff20example.com", "nora@example.com"),
        ("nora at example.com", None),
        ("nora@localhost", None),
    ],
)
def test_the_first_address_in_a_text_is_found(text: str, address: str | None) -> None:
    assert guess_email(text) == address


@pytest.mark.parametrize(
    ("text", "surely"),
    [
        ("Nora Quist\nnora.quist@example.com", "high"),
        ("Name: Björk\nLeeds", "high"),
        ("Nora Quist\nLeeds", "low"),
        ("Nora Quist\nhello@example.com", "low"),
        ("山田太郎\n東京", "low"),
        ("氏名：山田 太郎\n東京", "high"),
    ],
)
def test_a_name_that_was_read_says_how_surely_it_is_one(text: str, surely: str) -> None:
    found = find_name(text)

    assert found is not None
    assert found.surely == surely


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("履歴書\n山田太郎\n東京都渋谷区\ntaro@example.com", "山田太郎"),
        ("履歴書\n氏名 山田 太郎", "山田 太郎"),
        ("简历\n李娜\n设计师", "李娜"),
        ("이력서\n김민준\n서울", "김민준"),
        ("Резюме\nНора Квист\nЛидс", "Нора Квист"),
    ],
)
def test_names_of_other_scripts_are_found(text: str, name: str) -> None:
    assert guess_name(text) == name


@pytest.mark.parametrize("text", ["履歴書\n職歴\n学歴", "简历\n姓名\n电话", "履歴書と職務経歴書をお送りします"])
def test_headings_of_other_scripts_are_no_names(text: str) -> None:
    assert guess_name(text) is None


def test_an_address_right_after_words_without_spaces_is_found_alone() -> None:
    assert list_emails("住所東京taro@example.jp メールｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ ada@example.com") == [
        "taro@example.jp",
        "ada@example.com",
    ]


@pytest.mark.parametrize("words", ["住所", "詳しくはこちらまでご連絡ください" * 10])
def test_an_address_after_however_many_words_without_spaces_is_found(words: str) -> None:
    assert list_emails(f"{words}taro@example.jp") == ["taro@example.jp"]


@pytest.mark.parametrize("letter", ["a", "é", "я"])
def test_no_address_is_begun_within_a_word_of_a_script_with_spaces(letter: str) -> None:
    assert list_emails(f"{letter * 70}taro@example.jp") == []


def test_addresses_are_looked_for_among_the_first_fifty_that_look_like_one() -> None:
    assert len(list_emails(" ".join(f"p{number}@example.com" for number in range(70)))) == 50
    assert list_emails("a@b.test " * 50 + "ann@example.com") == []


def test_addresses_that_differ_in_dots_and_tags_are_alike_and_others_are_not() -> None:
    alike = {loosened_email(one) for one in ("a.b@example.com", "AB@example.com", "a.b+jobs@example.com")}

    assert (len(alike), loosened_email("ab@example.org") in alike, loosened_email("abc@example.com") in alike) == (
        1,
        False,
        False,
    )


UNSEEN = ["\x00", "\x1b", "\x7f", "\x85", "\u202e", "\u2066", "\u200e", "\u061c"]


@pytest.mark.parametrize("character", [*UNSEEN, "\n", "\r\n", "\t", "\u2028", "\u200b", "\ufeff"])
def test_an_address_with_an_unseen_character_in_it_is_refused(character: str) -> None:
    with pytest.raises(BadInput):
        check_email(f"ann{character}x@example.com")
    with pytest.raises(BadInput):
        check_email(f"ann@exam{character}ple.com")


@pytest.mark.parametrize("character", [one for one in UNSEEN if one != "\x85"])
def test_what_steers_text_is_not_taken_for_white_space_around_an_address(character: str) -> None:
    with pytest.raises(BadInput):
        check_email(f"ann@example.com{character}")
    with pytest.raises(BadInput):
        check_email(f"{character}ann@example.com")


def test_an_address_has_at_most_254_characters() -> None:
    domain = ".".join(["a" * 60] * 3)
    assert check_email(f"{'b' * 60}@{domain}.com")
    with pytest.raises(BadInput) as refused:
        check_email(f"{'b' * 64}@{domain}.{'c' * 60}.com")
    assert "254" in refused.value.sentence


def test_a_name_is_kept_as_it_is_shown() -> None:
    assert check_name(" Nora\x00\u202e\nQuist ") == "Nora Quist"
    assert check_name("N" * 200) == "N" * 200


@pytest.mark.parametrize("typed", ["", " ", "\u202e", "\x00\n", "N" * 201, " " * 5_000])
def test_what_shows_as_nothing_or_as_too_much_is_no_name(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        check_name(typed)
    assert len(refused.value.sentence) < 160
