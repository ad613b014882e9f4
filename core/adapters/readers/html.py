"""Reads web pages as they look: what is switched off, too small or as the ground behind it is listed apart.

Scripts, pictures and what a page fetches are never followed. Styles are followed where they name one tag, one class or
one id; a rule that hides by more than that is a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from core.adapters.readers.characters import clean, decode
from core.adapters.readers.html_look import Look, Sheet, look_of, read_sheet
from core.adapters.readers.looks import COMMENT, NO_PAGE, NOT_PAINTED, PROPERTIES
from core.adapters.readers.text import document_of
from core.steps import Document, HiddenText

STYLES_DOUBT = "Its style rules hide something in a way that was not followed; look at the page itself."

_STYLE = re.compile(r"<style\b[^<>]*>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,20})", re.IGNORECASE)
_VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr"))
_UNREAD = frozenset(
    re.findall(r"\w+", "script style template svg math title iframe object audio video canvas noframes")
)
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """
        address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1
        h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody tfoot thead tr ul
        """,
    )
)
_CELLS = frozenset({"td", "th"})
# Opening one of these ends an open one of those, however the page forgets to say so.
_ENDS = {
    "li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd"), "td": ("td", "th"), "th": ("td", "th"),
    "tr": ("tr", "td", "th"), "option": ("option",),
}  # fmt: skip
_SPACE = re.compile(r"\s+")
_DEEPEST = 2_000


def read(content: bytes) -> Document:
    """Answer the words that a person sees in a browser."""
    text = _decoded(content)
    visible, hidden, doubts = see(text)
    return document_of(visible, "text/html", hidden, doubts)


def _decoded(content: bytes) -> str:
    declared = _DECLARED.search(content[:2048])
    if declared is not None and not content.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return content.decode(declared[1].decode(), errors="strict")
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(content)


def see(text: str, *, keep_lines: bool = False) -> tuple[str, tuple[HiddenText, ...], tuple[str, ...]]:
    """Answer visible text, hidden pieces and doubts; `keep_lines` leaves line ends of the source as they are."""
    sheet = read_sheet("\n".join(_STYLE.findall(text)))
    page = _Page(sheet, keep_lines=keep_lines)
    page.feed(text)
    page.close()
    lines = (line.strip(" ") for line in "".join(page.pieces).split("\n"))
    visible = "".join(page.pieces) if keep_lines else "\n".join(lines)
    hidden = (HiddenText(clean(one).strip(), where, why) for one, where, why in page.hidden)
    return visible, tuple(one for one in hidden if one.text), (STYLES_DOUBT,) if sheet.unfollowed else ()


class _Page(HTMLParser):
    """Walks a page and parts what is seen from what is not."""

    def __init__(self, sheet: Sheet, *, keep_lines: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.hidden: list[tuple[str, str, str]] = []
        self._sheet = sheet
        self._keeps_lines = keep_lines
        self._open: list[tuple[str, Look]] = [("", Look())]
        self._unread = 0
        self._preformatted = 0
        self._is_ending = False

    def close(self) -> None:
        self._is_ending = True
        super().close()

    def parse_starttag(self, i: int) -> int:
        return self._ended(i, super().parse_starttag(i))

    def parse_endtag(self, i: int) -> int:
        return self._ended(i, super().parse_endtag(i))

    def parse_pi(self, i: int) -> int:
        return self._ended(i, super().parse_pi(i))

    def parse_comment(self, i: int, report: bool = True) -> int:  # noqa: FBT001, FBT002 - the parser's own shape
        return self._ended(i, super().parse_comment(i, report))

    def parse_html_declaration(self, i: int) -> int:
        return self._ended(i, super().parse_html_declaration(i))

    def _ended(self, begins: int, end: int) -> int:
        """Take all that follows what never ends, for no browser shows it; Markdown shows it as it stands.

        The parser itself would take its first sign for text and look for the end of the next one, thousands of times.
        """
        if end >= 0 or not self._is_ending:
            return end
        rest = self.rawdata[begins:]
        if self._keeps_lines:
            self.handle_data(rest)
        elif rest.startswith("<!--"):
            self.hidden.append((rest[4:], "the page", COMMENT))
        else:
            self.hidden.append((rest, "the page", NOT_PAINTED))
        return len(self.rawdata)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "meta" and attributes.get("name", "").lower() in ("keywords", "description"):
            self.hidden.append((attributes.get("content", ""), PROPERTIES, NO_PAGE))
        self._part(tag)
        if tag in _VOID or len(self._open) > _DEEPEST:
            return
        self._end_forgotten(tag)
        self._unread += tag in _UNREAD
        self._preformatted += tag == "pre"
        self._open.append((tag, look_of(tag, attributes, self._open[-1][1], self._sheet)))

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self._open):
            while self._close_last() != tag:
                pass
        if tag in _BLOCKS:
            self._write("\n")

    def _end_forgotten(self, tag: str) -> None:
        ended = _ENDS.get(tag, ("p",) if tag in _BLOCKS else ())
        while self._open[-1][0] in ended:
            self._close_last()

    def _close_last(self) -> str:
        tag, _ = self._open.pop()
        self._unread -= tag in _UNREAD
        self._preformatted -= tag == "pre"
        return tag

    def _part(self, tag: str) -> None:
        """Write what parts this element's words from those before it."""
        if tag == "br":
            self._write("\n")
        elif tag in _CELLS:
            self._write("\t")
        elif tag in _BLOCKS:
            self._write("\n")

    def _write(self, sign: str) -> None:
        if not self._keeps_lines and (self.pieces[-1:] or ["\n"])[0][-1:] != "\n":
            self.pieces.append(sign)

    def handle_data(self, data: str) -> None:
        if self._unread:
            return
        text = data if self._keeps_lines or self._preformatted else _SPACE.sub(" ", data)
        why = self._open[-1][1].unseen
        if why is None:
            self.pieces.append(text)
        elif text.strip():
            self.hidden.append((text, "the page", why))

    def handle_comment(self, data: str) -> None:
        if not data.lstrip().startswith("[if"):
            self.hidden.append((data, "the page", COMMENT))
