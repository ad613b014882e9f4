"""The steps before a person: intake, rules, recall, score, route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.errors import ContextOverBudget
from core.steps import Advance, Config, Document, HiddenText, Kit, LeftOut, Outcome, Packet, Sources
from core.workflows.screening.history import as_line, override_key
from core.workflows.screening.length import find_cuts, name_left_out, settle_length, shorten_all
from core.workflows.screening.route import route_by, words_of
from core.workflows.screening.rules import Statement, answer_rules, statements
from core.workflows.screening.score import Application, Point, build_packet, place_points, read_reply
from core.workflows.screening.state import Answer, CriterionScore, Cut, HiddenPiece, Screening

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
        by_ocr=tuple(source for source, document in documents.items() if document.by_ocr),
        hidden_count=len(hidden),
        hidden=tuple(_piece(piece) for piece in hidden[:_PIECES]),
        unscored=_too_little(documents["cv"]),
    )
    return Advance(read, _intake_summary(read))


def _documents(kit: Kit | Sources, state: Screening) -> dict[str, Document]:
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
    if not cv.usable:
        return (
            "The CV's text is not usable: its letters make no words, or are not those it shows; ask for another copy."
        )
    if cv.media_type == "application/pdf" and words < _WORDS_A_PAGE * len(cv.pages):
        return f"Only {words} words can be read in the CV, so it is probably a scan; ask for another copy."
    return ""


def _intake_summary(state: Screening) -> str:
    cover = " and a cover letter" if state.cover_ref is not None else ""
    by_ocr = " by OCR" if "cv" in state.by_ocr else ""
    said = f"Read the CV{by_ocr}: {_count(state.page_count, 'page')}{cover}."
    hidden = f" {_count(state.hidden_count, 'piece')} of hidden text." if state.hidden_count else ""
    return said + hidden


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def rules(kit: Kit, state: Screening) -> Advance:
    """Answer the role's rules; a no makes a decline draft without any model call."""

    def said() -> list[Statement]:
        documents = _documents(kit, state).items()
        usable = [(source, document) for source, document in documents if document.usable]
        return [line for source, document in usable for line in statements(source, document.pages)]

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


def score(kit: Kit, state: Screening) -> Outcome:
    """Have it scored once for this rubric version; what is too long for a call is asked about before there is one."""
    rubric = kit.config("rubric")
    if state.scores and state.rubric_version == rubric.version:
        return Advance(state, f"The scores under rubric version {rubric.version} stand.")
    blank = replace(state, rubric_version=rubric.version, scores=(), scored_by="", left_out="")
    documents = _documents(kit, state)
    too_little = _too_little(documents["cv"])
    if too_little:
        return Advance(replace(blank, unscored=too_little), "Not scored: too little text to read.")
    whole = kit.build(replace(state, cuts=()))
    settled = settle_length(kit, replace(blank, unscored=""), find_cuts(whole, documents) or ())
    if not isinstance(settled, Screening):
        return settled
    packet = kit.build(settled) if settled.cuts else whole
    return _score(kit, settled, packet, shorten_all(documents, settled.cuts))


def _score(kit: Kit, blank: Screening, packet: Packet, documents: Mapping[str, Document]) -> Advance:
    """Ask for points and give each its place; a reply that does not fit is asked for once more."""
    if blank.unscored:
        return Advance(blank, "Not scored: too long to be sent whole.")
    rubric = kit.config("rubric")
    try:
        points, model = _ask_for_points(kit, packet, rubric)
    except ContextOverBudget as over:
        return Advance(replace(blank, unscored=over.sentence), "Not scored: too long to be sent whole.")
    if isinstance(points, str):
        return Advance(replace(blank, unscored=points), "Not scored: no reply could be used.")
    scores = place_points(points, rubric.content, documents)
    return Advance(replace(blank, scores=scores, scored_by=model, unscored=""), _score_summary(scores))


def _ask_for_points(kit: Kit, packet: Packet, rubric: Config) -> tuple[tuple[Point, ...] | str, str]:
    """Answer points that fit and who gave them, or one sentence of why there are none; asks twice at most."""
    reply = kit.ask(packet)
    points = reply.unfit or read_reply(reply.content, rubric.content)
    if isinstance(points, str) and not reply.is_final:
        reply = kit.ask(packet)
        points = reply.unfit or read_reply(reply.content, rubric.content)
        if isinstance(points, str):
            points += " It was asked twice."
    return points, reply.model


def _score_summary(scores: Sequence[CriterionScore]) -> str:
    quoted = sum(bool(score.quote) for score in scores)
    refused = sum(bool(score.note) for score in scores)
    without = f"; {_count(refused, 'score')} had no evidence that stands, and counted 0" if refused else ""
    return f"{_count(len(scores), 'score')}, {quoted} with a quote{without}."


def context(rows: Sources, state: Screening) -> Packet:
    """Build what a scorer is sent: the rubric, the description, this applicant, and one line of recall at most."""
    application = _application(rows, state, shorten_all(_documents(rows, state), state.cuts))
    return build_packet(application, rows.config("rubric"), rows.config("description"))


def _application(rows: Sources, state: Screening, documents: dict[str, Document]) -> Application:
    email = rows.person.email
    return Application(
        thread_id=rows.thread_id,
        cv_ref=state.cv_ref,
        cv=documents["cv"],
        cover_ref=state.cover_ref,
        cover=documents.get("cover"),
        form=rows.person.form,
        form_version=rows.person.version,
        rule_results=state.rule_results,
        recall=as_line(rows.recall("application", email)) if email else None,
        left_out=tuple(_left_out(state, cut) for cut in state.cuts),
    )


def _left_out(state: Screening, cut: Cut) -> LeftOut:
    ref = state.cv_ref if cut.source == "cv" else state.cover_ref
    return LeftOut("receipts", ref or "", "over-budget", name_left_out(cut))


def route(kit: Kit, state: Screening) -> Advance:
    """Add up, find the band, propose; a person answers whatever the proposal is."""
    pinned = kit.config("rubric")
    if state.rubric_version not in (None, pinned.version):  # scores of one version have no place in another's bands
        return Advance(state, f"The rubric is at version {pinned.version} now.", to="score")
    rubric = pinned.content
    routed = route_by(state.rule_results, state.scores, rubric)
    maximum = rubric["max_total"]
    settled = replace(state, total=routed.total, max_total=maximum, band=routed.band, proposal=routed.proposal)
    if routed.total is None or routed.band is None:
        return Advance(settled, "No total.")
    return Advance(settled, f"Total {routed.total} of {maximum}, in the band {words_of(routed.band)}.")
