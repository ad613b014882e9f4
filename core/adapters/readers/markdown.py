"""Reads Markdown as it looks when shown: pictures dropped, link words kept, comments hidden."""

from __future__ import annotations

import re

from core.adapters.readers.characters import clean, decode
from core.adapters.readers.text import document_of
from core.steps import Document, HiddenText

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_DEFINITION = re.compile(
    r"^ {0,3}\[([^\]\n]+)\]:[ \t]*(\S+)(?:[ \t]+(\"[^\n]*\"|'[^\n]*'|\([^\n]*\)))?[ \t]*$", re.MULTILINE
)
_PICTURE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_LINK = re.compile(r"\[([^\]\n]+)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^>\s]+|[^>\s@]+@[^>\s]+)>")
_DATA = re.compile(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=\s]*", re.ASCII)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]*(.*?)[ \t]*#*$", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_LEANING = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")


def read(content: bytes) -> Document:
    """Answer the words that a reader of the shown page sees."""
    text = decode(content).replace("\r\n", "\n")
    text, hidden = _without_what_is_not_shown(text)
    return document_of(_as_shown(text), "text/markdown", hidden)


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
    text = _STRONG.sub(r"\2", _HEADING.sub(r"\1", text))
    return _LEANING.sub(r"\1", text)
