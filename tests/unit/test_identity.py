from __future__ import annotations

import pytest

from core.errors import BadInput
from core.identity import (
    check_email,
    display_name,
    fold_words,
    guess_email,
    guess_name,
    normalise_email,
    storable,
)


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
