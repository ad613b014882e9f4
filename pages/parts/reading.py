"""An application's file as a person sees it, drawn beside what was read of it.

Quotes that scores rest on are marked in the text. A quote is looked for as the scorer's check looks for it: white space
is one space wherever it stands, and a word may be broken by a hyphen at a line's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.steps import Document, HiddenText
from core.views.applications import File, Opened, RuleAnswer, Score
from pages.parts import wording
from pages.parts.untrusted import Html, foreign, join, tag

MOST_LINES, MOST_CHARACTERS, MOST_HIDDEN = 2_000, 120_000, 1_000
_LINE_END = r"[ \t\r]*[\n\f]\s*"
_BROKEN, _AFTER_HYPHEN = rf"(?:[-\u2010\u00ad]{_LINE_END}|\u00ad)?", rf"(?:{_LINE_END})?"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a quote stands in the visible text, and the criterion that rests on it."""

    start: int
    end: int
    number: int


def find_marks(text: str, scores: Sequence[Score]) -> list[Mark]:
    """Answer where each score's quote stands in a text; a quote that is not there has no mark."""
    found = ((_pattern(score.quote).search(text), score.number) for score in scores if score.quote.strip())
    return [Mark(match.start(), match.end(), number) for match, number in found if match is not None]


def _pattern(quote: str) -> re.Pattern[str]:
    bare = quote.strip()
    words = ("".join(_letter(one) for one in word[:-1]) + re.escape(word[-1]) for word in bare.split())
    begins, ends = (r"(?<!\w)" if bare[0].isalnum() else ""), (r"(?!\w)" if bare[-1].isalnum() else "")
    return re.compile(begins + r"\s+".join(words) + ends)


def _letter(letter: str) -> str:
    """Answer what finds one letter within a word, and the line's end that may follow it."""
    return re.escape(letter) + (_AFTER_HYPHEN if letter in "-\u2010" else _BROKEN)


def text(file: File, scores: Sequence[Score], name: str) -> Html:
    """Show the visible text by page with line numbers, what nobody can see apart from it, and the reader's doubts."""
    document = file.document
    if document is None:
        return tag("p", foreign(file.problem or "There is nothing to show."), cls="empty")
    marks = find_marks(document.visible, [score for score in scores if (score.source or "cv") == name])
    parts = (_doubts(document), _hidden(document.hidden), *_pages(document, marks, name))
    return tag("section", *parts, cls="reading", aria_label=f"Visible text: {name}")


def _doubts(document: Document) -> Html | None:
    if not document.doubts:
        return None
    lines = [tag("li", foreign(doubt)) for doubt in document.doubts]
    return tag("div", tag("b", "Doubts about this file"), tag("ul", *lines), cls="noticed")


def _hidden(pieces: Sequence[HiddenText]) -> Html | None:
    if not pieces:
        return None
    counted = wording.plural(len(pieces), "piece of text that nobody sees", "pieces of text that nobody sees")
    lines = [_piece(piece) for piece in pieces[:50]]
    more = tag("p", f"and {len(pieces) - 50} more", cls="more") if len(pieces) > 50 else None
    told = tag("p", "It was not scored. No model was sent it.", cls="id")
    return tag("div", tag("b", counted), told, tag("ul", *lines), more, cls="hidden-text")


def _piece(piece: HiddenText) -> Html:
    cut = "…" if len(piece.text) > MOST_HIDDEN else ""
    place = tag("p", foreign(piece.where), ": ", foreign(piece.why), cls="id")
    return tag("li", tag("q", foreign(piece.text[:MOST_HIDDEN] + cut)), place)


def _pages(document: Document, marks: Sequence[Mark], name: str) -> Iterator[Html]:
    at, lines_left, letters_left = 0, MOST_LINES, MOST_CHARACTERS
    for number, page in enumerate(document.pages, 1):
        lines = page.split("\n")
        shown, length = _fitting(lines, lines_left, letters_left)
        if shown:
            yield tag("h3", f"Page {number} of {len(document.pages)}")
            yield tag("ol", *_lines(shown, at, marks, f"{name}-{number}"), cls="lines")
        if len(shown) < len(lines):
            yield tag("p", f"Cut here: page {number} has {len(lines) - len(shown)} more lines.", cls="none")
            return
        at, lines_left, letters_left = at + len(page) + 1, lines_left - len(shown), letters_left - length


def _fitting(lines: Sequence[str], most: int, letters: int) -> tuple[list[str], int]:
    """Answer the lines that a screen can hold, and how long they are."""
    shown: list[str] = []
    length = 0
    for line in lines[: max(most, 0)]:
        if length + len(line) > letters:
            break
        shown.append(line)
        length += len(line)
    return shown, length


def _lines(lines: Sequence[str], start: int, marks: Sequence[Mark], place: str) -> Iterator[Html]:
    for number, line in enumerate(lines, 1):
        here = [mark for mark in marks if mark.start < start + len(line) and mark.end > start]
        yield tag("li", tag("span", _marked(line, start, here)), id=f"{place}-{number}")
        start += len(line) + 1


def _marked(line: str, start: int, marks: Sequence[Mark]) -> Html:
    """Show one line with what is quoted in it marked; where quotes overlap, each piece names all that rest on it."""
    ends = sorted({0, len(line), *(min(max(at - start, 0), len(line)) for one in marks for at in (one.start, one.end))})
    pieces = []
    for left, right in pairwise(ends):
        numbers = [one.number for one in marks if one.start < start + right and one.end > start + left]
        piece = line[left:right]
        pieces.append(_quoted(piece, numbers) if numbers and piece.strip() else join(piece))
    return join(*pieces)


def _quoted(piece: str, numbers: Sequence[int]) -> Html:
    named = ", ".join(str(number) for number in numbers)
    return tag("mark", piece, tag("sup", named, aria_label=f"criterion {named}"))


def person(opened: Opened) -> Html:
    """Show whose application it is: name, address, and the form as it came."""
    whose = opened.person
    if whose is None:
        return tag("p", "Nothing of this person is kept.", cls="none")
    fields: Mapping[str, str | None] = {"Name": whose.name, "Address": whose.email, **whose.form}
    read = {"Name": whose.read.get("name"), "Address": whose.read.get("email")}
    shown = [join(tag("dt", foreign(key)), _field(value, read.get(key))) for key, value in fields.items()]
    return tag("dl", *shown, cls="fields")


def _field(value: str | None, read: str | None) -> Html:
    checked = tag("small", f" read in the file, {read} confidence: check this") if read and value else None
    return tag("dd", foreign(value or "not given"), checked)


def rules(opened: Opened) -> Html:
    """Show each rule's answer and where it was read."""
    if not opened.rules:
        return tag("p", "Not checked yet.", cls="none")
    return tag("ul", *(_rule(one) for one in opened.rules), cls="rows", aria_label="Rules")


_ANSWERS = {"yes": "a-approved", "no": "a-expired", "not_stated": "a-pending"}


def _rule(one: RuleAnswer) -> Html:
    word = wording.RULE.get(one.answer, one.answer)
    state = tag("span", tag("span", cls="dot"), word, cls=f"state {_ANSWERS.get(one.answer, 'a-pending')}")
    page = f", page {one.page}" if one.page else ""
    read = tag("p", f"Read in the {one.source}{page}: ", tag("q", foreign(one.quote))) if one.quote else None
    return tag("li", tag("div", tag("b", foreign(one.title)), state, cls="line"), read)


def scores(opened: Opened) -> Html:
    """Show each criterion's quote before its points, with its place in the text; the total comes last."""
    if not opened.scores:
        return tag("p", foreign(opened.unscored or "Not scored yet."), cls="none")
    lines = tag("ol", *(_score(one) for one in opened.scores), cls="rows scores", aria_label="Criteria")
    rubric = f", rubric version {opened.rubric_version}" if opened.rubric_version else ""
    total = tag("b", f"{opened.total} of {opened.max_total}") if opened.total is not None else "No total"
    by = f", scored by {opened.scored_by}."
    return join(_without(opened.left_out), lines, tag("p", "Total ", total, rubric, by, cls="sum"))


def _without(left_out: str) -> Html | None:
    return tag("p", tag("b", "Scored without "), foreign(f"{left_out}."), cls="id") if left_out else None


def _score(one: Score) -> Html:
    points = tag("span", f"{one.score} of {one.maximum}", cls="points")
    quote = tag("p", tag("q", foreign(one.quote))) if one.quote else tag("p", "No line quoted.", cls="none")
    return tag(
        "li",
        quote,
        _place(one),
        tag("p", foreign(one.note), cls="id") if one.note else None,
        tag("div", tag("span", f"{one.number}. ", foreign(one.title), cls="name"), points, cls="line"),
    )


def _place(one: Score) -> Html | None:
    if not one.page or not one.line:
        return None
    name = "cover note" if one.source == "cover" else "CV"
    to = f"#{'cover' if one.source == 'cover' else 'cv'}-{one.page}-{one.line}"
    return tag("p", tag("a", f"{name}, page {one.page}, line {one.line}", href=to), cls="id")
