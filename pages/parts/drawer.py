"""What lies over the review page: the file as a person reads it, hidden text marked; or the keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from core.errors import DaybookError
from core.steps import Document, Json
from core.views.card import Card
from core.views.document import Library, OpenFile, read_document
from pages.parts import batching, wording
from pages.parts.deciding import DRAWER, Seen, close_drawer
from pages.parts.editing import edit
from pages.parts.identity import Here
from pages.parts.noting import note
from pages.parts.plan import heading
from pages.parts.untrusted import Html, draw, foreign, tag

Place = tuple[int, int]


def lay(here: Here, card: Card | None, seen: Seen | None) -> None:
    """Draw the drawer that is open, if one is; one whose question is gone closes."""
    what = st.session_state.get(DRAWER)
    if what == "keys":
        _keys()
    elif what == "batch":
        batching.bar(here)
    elif what == "edit" and card is not None and seen is not None:
        edit(card, seen)
    elif what == "note" and card is not None:
        note(here, card)
    elif what == "cv" and card is not None:
        _file(here, card)
    else:
        close_drawer()


@st.dialog("Keys", width="small", on_dismiss=close_drawer)
def _keys() -> None:
    rows = [tag("div", tag("dt", tag("kbd", key)), tag("dd", does)) for key, does in wording.KEYS]
    draw(over(tag("dl", *rows, cls="keys")))
    draw(over(tag("p", "Enter never decides. Keys are dead in text fields and while a drawer is open.", cls="id")))


@st.dialog("CV", position="right", width="medium", on_dismiss=close_drawer)
def _file(here: Here, card: Card) -> None:
    try:
        with here.app.read() as conn:
            opened = read_document(conn, _library(here), here.tenant_id, card.approval.thread_id, "cv")
    except DaybookError as gone:
        draw(over(tag("p", tag("b", "The file cannot be opened. "), foreign(gone.sentence), cls="empty")))
        draw(over(tag("p", "What was quoted from it stands on the card.", cls="id")))
        return
    draw(over(_sheet(opened, card.approval.facts.get("scores") or ())))


def over(markup: Html) -> Html:
    """Dress what is drawn in a drawer, which lies outside of what the theme's colours are set on."""
    scheme = "dark" if st.context.theme.type == "dark" else "light"
    return tag("div", markup, cls=f"over-{scheme}")


def _library(here: Here) -> Library:
    desk = here.app.desk
    return Library(desk.vault, desk.blobs, desk.reader)


def _sheet(opened: OpenFile, scores: Sequence[Mapping[str, Json]]) -> Html:
    document = opened.document
    quoted = {(score["page"], score["line"]): score for score in scores if score["source"] == "cv" and score["line"]}
    pages = wording.plural(len(document.pages), "page", "pages")
    return tag(
        "div",
        tag("p", tag("b", foreign(opened.name or "CV")), f" · {pages} · {document.media_type}", cls="id"),
        _unseen(document),
        *(_page(number, text, quoted) for number, text in enumerate(document.pages, 1)),
        cls="sheet",
    )


def _unseen(document: Document) -> Html:
    if not document.hidden:
        return tag("p", "No hidden text was found. Below is what a person sees.", cls="none")
    pieces = [
        tag("li", tag("q", foreign(one.text)), " ", tag("small", foreign(f"{one.where}: {one.why}")))
        for one in document.hidden
    ]
    said = "Hidden text: in the file, and seen by nobody who opens it"
    return tag("div", tag("p", tag("b", said)), tag("ul", *pieces), cls="hidden")


def _page(number: int, text: str, quoted: Mapping[Place, Mapping[str, Json]]) -> Html:
    return tag("section", heading(f"Page {number}", "as a person sees it"), tag("ol", *_lines(number, text, quoted)))


def _lines(number: int, text: str, quoted: Mapping[Place, Mapping[str, Json]]) -> Iterator[Html]:
    for place, line in enumerate(text.split("\n"), 1):
        score = quoted.get((number, place))
        if score is None:
            yield tag("li", foreign(line), value=str(place))
        else:
            by = tag("small", foreign(f"{score['title']}: {score['score']} of {score['maximum']}"))
            yield tag("li", tag("mark", foreign(line)), by, value=str(place))
