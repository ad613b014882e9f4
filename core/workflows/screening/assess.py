"""The steps before a person: intake, rules, recall, score, route."""

from __future__ import annotations

from dataclasses import replace

from core.steps import Advance, Document, HiddenText, Kit
from core.workflows.screening.history import as_line, override_key
from core.workflows.screening.route import route_by, words_of
from core.workflows.screening.rules import Statement, answer_rules, statements
from core.workflows.screening.score import Application, build_packet, place_points, read_reply
from core.workflows.screening.state import Answer, HiddenPiece, Screening

_PIECES = 20
_PIECE_LENGTH = 200
_WORDS_A_PAGE = 10


def intake(kit: Kit, state: Screening) -> Advance:
    """Read the files, and note what a reviewer must know about them; their text stays where it is."""
    documents = _documents(kit, state)
    hidden = [piece for document in documents.values() for piece in document.hidden]
    doubts = [
        doubt if source == "cv" else f"{source}: {doubt}"
        for source, document in documents.items()
        for doubt in document.doubts
    ]
    read = replace(
        state,
        page_count=len(documents["cv"].pages),
        doubts=tuple(doubts),
        hidden_count=len(hidden),
        hidden=tuple(_piece(piece) for piece in hidden[:_PIECES]),
        unscored=_too_little(documents["cv"]),
    )
    return Advance(read, _intake_summary(read))


def _documents(kit: Kit, state: Screening) -> dict[str, Document]:
    documents = {"cv": kit.read_file(state.cv_ref)}
    if state.cover_ref is not None:
        documents["cover"] = kit.read_file(state.cover_ref)
    return documents


def _piece(hidden: HiddenText) -> HiddenPiece:
    return HiddenPiece(hidden.text[:_PIECE_LENGTH], hidden.where, hidden.why)


def _too_little(cv: Document) -> str:
    """Say why a file is not scored: a scan's few stray words are no weak candidate."""
    words = len(cv.visible.split())
    if not words:
        return "The CV has no readable text; ask for another copy."
    if cv.media_type == "application/pdf" and words < _WORDS_A_PAGE * len(cv.pages):
        return f"Only {words} words can be read in the CV, so it is probably a scan; ask for another copy."
    return ""


def _intake_summary(state: Screening) -> str:
    cover = " and a cover letter" if state.cover_ref is not None else ""
    said = f"Read the CV: {_count(state.page_count, 'page')}{cover}."
    hidden = f" {_count(state.hidden_count, 'piece')} of hidden text." if state.hidden_count else ""
    return said + hidden


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def rules(kit: Kit, state: Screening) -> Advance:
    """Answer the role's rules; a no makes a decline draft without any model call."""

    def said() -> list[Statement]:
        documents = _documents(kit, state).items()
        return [line for source, document in documents for line in statements(source, document.pages)]

    results = answer_rules(kit.config("rules").content["rules"], kit.person.form, said)
    counts = {answer: sum(result.answer is answer for result in results) for answer in Answer}
    words = [f"{number} {answer.replace('_', ' ')}" for answer, number in counts.items() if number]
    summary = f"Rules: {', '.join(words) or 'none'}."
    answered = replace(state, rule_results=results)
    return Advance(answered, summary, to="route" if counts[Answer.NO] else None)


def recall(kit: Kit, state: Screening) -> Advance:
    """Read what is known from before: one line about this address, one about this rubric version's totals."""
    earlier = as_line(kit.recall("application", kit.person.email)) if kit.person.email else None
    override = as_line(kit.recall("override", override_key(kit)))
    summary = "One earlier application." if earlier else "No earlier application."
    return Advance(replace(state, recall=earlier, override=override), summary)


def score(kit: Kit, state: Screening) -> Advance:
    """Have it scored once for this rubric version; a reply that does not fit is asked for once more."""
    rubric = kit.config("rubric")
    if state.scores and state.rubric_version == rubric.version:
        return Advance(state, f"The scores under rubric version {rubric.version} stand.")
    blank = replace(state, rubric_version=rubric.version, scores=(), scored_by="")
    documents = _documents(kit, state)
    too_little = _too_little(documents["cv"])
    if too_little:
        return Advance(replace(blank, unscored=too_little), "Not scored: too little text to read.")
    packet = build_packet(_application(kit, state, documents), rubric, kit.config("description"))
    for _ in range(2):
        reply = kit.ask(packet)
        points = read_reply(reply.content, rubric.content)
        if not isinstance(points, str):
            scores = place_points(points, rubric.content, documents)
            quoted = sum(bool(score.quote) for score in scores)
            scored = replace(blank, scores=scores, scored_by=reply.model, unscored="")
            return Advance(scored, f"{_count(len(scores), 'score')}, {quoted} with a quote.")
    return Advance(replace(blank, unscored=f"{points} It was asked twice."), "Not scored: two replies did not fit.")


def _application(kit: Kit, state: Screening, documents: dict[str, Document]) -> Application:
    return Application(
        thread_id=kit.thread_id,
        cv_ref=state.cv_ref,
        cv=documents["cv"],
        cover_ref=state.cover_ref,
        cover=documents.get("cover"),
        form=kit.person.form,
        form_version=kit.person.version,
        rule_results=state.rule_results,
        recall=state.recall,
    )


def route(kit: Kit, state: Screening) -> Advance:
    """Add up, find the band, propose; a person answers whatever the proposal is."""
    rubric = kit.config("rubric").content
    routed = route_by(state.rule_results, state.scores, rubric)
    maximum = rubric["max_total"]
    settled = replace(state, total=routed.total, max_total=maximum, band=routed.band, proposal=routed.proposal)
    if routed.total is None or routed.band is None:
        return Advance(settled, "No total.")
    return Advance(settled, f"Total {routed.total} of {maximum}, in the band {words_of(routed.band)}.")
