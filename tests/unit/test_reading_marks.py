"""Quotes are found in a CV's text as a reader sees it, and only there."""

from __future__ import annotations

import pytest

from core.views.applications import Score
from pages.parts.reading import find_marks


def marked(text: str, *quotes: str) -> list[str]:
    """Answer what is marked of a text for these quotes, numbered from 1."""
    scores = [Score(number=number, quote=quote) for number, quote in enumerate(quotes, 1)]
    return [text[one.start : one.end] for one in find_marks(text, scores)]


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Led the rebrand.", "Led the rebrand.", "Led the rebrand."),
        ("Led  the\nrebrand of Harrow", "Led the rebrand", "Led  the\nrebrand"),
        ("a two-\ncolumn page", "two-column page", "two-\ncolumn page"),
        ("a quo-\nted line", "quoted line", "quo-\nted line"),
        ("first page\fsecond page", "page second", "page\fsecond"),
        ("Costs (a+b)* £5", "(a+b)* £5", "(a+b)* £5"),
    ],
)
def test_a_quote_is_marked_where_it_stands(text: str, quote: str, found: str) -> None:
    assert marked(text, quote) == [found]


@pytest.mark.parametrize(
    ("text", "quote"), [("Google it", "Go"), ("Led it", "Led the"), ("Led it", ""), ("", "Led"), ("a\nb", "ab")]
)
def test_what_does_not_stand_there_is_not_marked(text: str, quote: str) -> None:
    assert marked(text, quote) == []


def test_a_long_run_of_blank_lines_takes_no_time() -> None:
    text = "a-" + "\n " * 50_000 + "b"

    assert marked(text, "ac", "ab") == [text]
