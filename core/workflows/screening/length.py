"""A file longer than one call may be: what of it would go, and the question to a person before any call is made.

The shortest file goes whole if it can; a longer one ends after its last page that fits, or within a page where it has
no page that does. Nothing is left out until a person said so, and what is left out is named by its pages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.steps import Document, Finish, Interrupt, Kit, Option, Packet, Question, estimate_tokens
from core.workflows.screening.follow import withdrew
from core.workflows.screening.state import Cut, Screening

KIND = "length"
_FILES = {"cv": "CV", "cover": "cover letter"}


def find_cuts(whole: Packet, documents: Mapping[str, Document]) -> tuple[Cut, ...] | None:
    """Answer where each file must end so that the packet fits: nowhere, or None where no cut is enough."""
    sizes = {source: estimate_tokens(document.visible) for source, document in documents.items()}
    beside = [item for item in whole.required if item.slot not in documents]
    room = whole.budget_tokens - _size([whole.instructions, *(item.text for item in beside)])
    if sum(sizes.values()) <= room:
        return ()
    room -= _size([item.text for item in whole.optional])
    cuts = []
    for place, source in enumerate(sorted(sizes, key=lambda one: sizes[one])):
        share, document = room // (len(sizes) - place), documents[source]
        if sizes[source] > share:
            cut = _cut(source, document.pages, share)
            if cut is None:
                return None
            cuts.append(cut)
            document = shorten(document, cut)
        room -= estimate_tokens(document.visible)
    return tuple(cuts)


def _size(texts: Sequence[str]) -> int:
    return sum(estimate_tokens(text) for text in texts)


def _cut(source: str, pages: Sequence[str], room: int) -> Cut | None:
    whole = _most(pages, "\f", room)
    if whole:
        return Cut(source, whole, 0, len(pages))
    lines = pages[0].split("\n")
    first = _most(lines, "\n", room)
    return Cut(source, 0, first, len(pages), len(lines)) if first else None


def _most(parts: Sequence[str], mark: str, room: int) -> int:
    """Answer how many of the first parts fit together."""
    counts = range(len(parts) + 1)
    return max(0, bisect_right(counts, room, key=lambda count: estimate_tokens(mark.join(parts[:count]))) - 1)


def shorten(document: Document, cut: Cut) -> Document:
    """Answer what of a document goes; pages and lines keep their numbers."""
    pages = document.pages[: cut.pages]
    if cut.lines:
        pages += ("\n".join(document.pages[cut.pages].split("\n")[: cut.lines]),)
    return replace(document, pages=pages)


def shorten_all(documents: Mapping[str, Document], cuts: Sequence[Cut]) -> dict[str, Document]:
    """Answer the documents as they go."""
    ends = {cut.source: cut for cut in cuts}
    return {
        source: shorten(document, ends[source]) if source in ends else document
        for source, document in documents.items()
    }


def name_left_out(cut: Cut) -> str:
    """Name the pages that do not go: `pages 41 to 60 of 60`."""
    if cut.lines:
        lines = f"lines {cut.lines + 1}\u2013{cut.line_count} of page {cut.pages + 1}"
        rest = _range(cut.pages + 2, cut.page_count)
        return f"{lines}{f' and {rest}' if rest else ''} of {cut.page_count}"
    return f"{_range(cut.pages + 1, cut.page_count)} of {cut.page_count}"


def _range(first: int, last: int) -> str:
    if first > last:
        return ""
    return f"page {last}" if first == last else f"pages {first}\u2013{last}"


def say_left_out(cuts: Sequence[Cut]) -> str:
    """Name all that does not go: `pages 41 to 60 of 60 of the CV`."""
    return " and ".join(f"{name_left_out(cut)} of the {_FILES[cut.source]}" for cut in cuts)


def settle_length(kit: Kit, state: Screening, cuts: tuple[Cut, ...]) -> Screening | Interrupt | Finish:
    """Answer the state as a person settled it, or the question; the same cut is not asked about twice."""
    if not cuts:
        return replace(state, cuts=(), cut_verdict="")
    answer = kit.answer
    if answer is not None and answer.kind == KIND and state.cuts == cuts:
        state = replace(state, cut_verdict=answer.verdict)
    left_out = say_left_out(cuts)
    if state.cuts == cuts and state.cut_verdict == "approve":
        return replace(state, left_out=left_out)
    if state.cuts == cuts and state.cut_verdict == "reject":
        return replace(state, unscored=f"Too long for one call, and a person chose not to score without {left_out}.")
    ended = withdrew(kit, state)
    return ended or Interrupt(replace(state, cuts=cuts, cut_verdict=""), _question(kit, left_out))


def _question(kit: Kit, left_out: str) -> Question:
    return Question(
        kind=KIND,
        about="pages",
        title=f"Longer than one call may be. Score it without {left_out}?",
        options=(Option("approve", "Score without them"), Option("reject", "Do not score it")),
        facts={
            "left out": left_out,
            "rules were read on": "all pages",
            "until you answer": "No model is asked, and nothing is spent.",
        },
        basis={kind: kit.config(kind).version for kind in ("rubric", "description")} | {"person": kit.person.version},
        due_hours=kit.config("role").content["question_due_hours"],
    )
