"""What stands in a role's text and is not obeyed: its dates, orders to the scorer, text that nobody sees."""

from __future__ import annotations

import re

_CLOSING = re.compile(r"\b(clos\w*|deadline|apply (by|before|until)|applications? (due|end)\w*)\b", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}\b|\b\d{1,2}(st|nd|rd|th)?\s+[A-Z][a-z]{2,8}\b|\b[A-Z][a-z]{2,8}\s+\d{1,2}\b"
)
_ORDER = re.compile(
    r"\b(ignore|disregard|forget)\b.{0,40}\b(previous|above|prior|instructions?|rubric|rules?|criteria)\b"
    r"|\b(give|award|assign)\b.{0,40}\b(marks|points|scores?)\b"
    r"|\bscore (it|this|them|every\w*|all|me)?\s*(maximum|highest|full|\d+)\b"
    r"|\b(system prompt|as an ai|you are an? (ai|assistant|model))\b",
    re.IGNORECASE,
)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{60,}={0,2}")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def notice(text: str) -> list[str]:
    """List, one sentence each, what a person should know stands in the text and changes nothing."""
    noticed = [
        f"Line {text.count(chr(10), 0, found.start()) + 1} has a comment that nobody sees "
        f"({_quoted(found[0])}); it is left out."
        for found in _COMMENT.finditer(text)
    ]
    for number, line in enumerate(text.split("\n"), 1):
        noticed += [f"Line {number} {sentence}" for sentence in _sentences(line)]
    return noticed


def without_unseen(text: str) -> str:
    """Answer the text without comments and characters that nobody sees, line for line."""
    seen = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    return _UNSEEN.sub("", seen)


def _sentences(line: str) -> list[str]:
    sentences = []
    if _CLOSING.search(line) and _DATE.search(line):
        sentences.append(f"has a date ({_quoted(line)}) that was not taken as this role's.")
    if _ORDER.search(line):
        sentences.append(f"reads like an order to the scorer ({_quoted(line)}); it changes no score.")
    if _ENCODED.search(line):
        sentences.append("holds encoded text; it is not decoded.")
    if _UNSEEN.search(line):
        sentences.append("held characters that nobody sees; they are left out.")
    return sentences


def _quoted(text: str) -> str:
    return f"“{' '.join(text.split())[:80]}”"
