"""Reads Markdown as it looks when shown: pictures dropped, link words kept, comments hidden."""

from __future__ import annotations

import re

from core.adapters.readers.characters import clean, decode
from core.adapters.readers.html import see
from core.adapters.readers.text import document_of
from core.steps import Document, HiddenText

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_DEFINITION = re.compile(
    r"^ {0,3}\[([^\]\n]+)\]:[ \t]*(\S+)(?:[ \t]+(\"[^\n]*\"|'[^\n]*'|\([^\n]*\)))?[ \t]*$", re.MULTILINE
)
# No part of a pattern reads over the sign that begins the pattern: what was read in vain is not read again.
_TARGET = r"(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])"
_PICTURE = re.compile(rf"!\[[^\[\]\n]*\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]\n]+)\]{_TARGET}")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]+|[^<>\s@]+@[^<>\s]+)>")
_DATA = re.compile(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]*", re.ASCII)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]{0,2000})?/?>")
_HEADING = re.compile(r"^ {0,3}#{1,6}(.*)$", re.MULTILINE)
_STRONG = re.compile(r"\*\*|__")
_LEANING = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")


def read(content: bytes) -> Document:
    """Answer the words that a reader of the shown page sees."""
    text = decode(content).replace("\r\n", "\n")
    text, hidden = _without_what_is_not_shown(text)
    text = _as_shown(text)
    if not _TAG.search(text):
        return document_of(text, "text/markdown", hidden)
    visible, more, doubts = see(text, keep_lines=True)
    return document_of(visible, "text/markdown", (*hidden, *more), doubts)


def _without_what_is_not_shown(text: str) -> tuple[str, tuple[HiddenText, ...]]:
    hidden: list[HiddenText] = []

    def hide(text_of_it: str, why: str) -> str:
        if clean(text_of_it).strip():
            hidden.append(HiddenText(clean(text_of_it).strip(), "page 1", why))
        return ""

    text = _COMMENT.sub(lambda found: hide(found[1], "a comment"), text)
    text = _DEFINITION.sub(lambda found: hide((found[3] or "")[1:-1], "a link's title"), text)
    return text, tuple(hidden)


def _as_shown(text: str) -> str:
    text = _DATA.sub("", _PICTURE.sub("", text))
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", text))
    text = _HEADING.sub(lambda found: found[1].strip(" \t").rstrip("#").rstrip(" \t"), text)
    return _LEANING.sub(r"\1", "\n".join(_without_strong(line) for line in text.split("\n")))


def _without_strong(line: str) -> str:
    """Drop the marks around strong words: one stands before a word, the next of its kind after one closes it.

    A mark that nothing closes is passed by at once, so that a line of such marks is read once.
    """
    marks = list(_STRONG.finditer(line))
    last = {mark[0]: mark.start() for mark in marks if not line[mark.start() - 1 : mark.start()].isspace()}
    kept, at = [], 0
    rest = iter(marks)
    for opening in rest:
        begins = opening.end()
        if line[begins : begins + 1].strip() == "" or last.get(opening[0], 0) <= begins:
            continue
        closing = next(one for one in rest if _closes(one, opening, line))
        kept += [line[at : opening.start()], line[begins : closing.start()]]
        at = closing.end()
    return "".join([*kept, line[at:]])


def _closes(mark: re.Match[str], opening: re.Match[str], line: str) -> bool:
    after_a_word = not line[mark.start() - 1].isspace()
    return mark[0] == opening[0] and mark.start() > opening.end() and after_a_word
