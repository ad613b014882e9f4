"""What a person reads in a terminal: questions, scores, letters. What others wrote is shown as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from zoneinfo import ZoneInfo

from core.identity import display_name
from core.review.read import Approval, Choice
from core.steps import Json
from core.views.queue import LeftOver
from core.views.sentence import say_time

_VERDICTS = {"approve": "On approve", "reject": "On reject"}


def tell_question(approval: Approval, name: str | None, zone: ZoneInfo, *, lane: str | None = None) -> str:
    """Tell a question whole: whose it is, when it is due, its scores and proposal, what leaves on either answer."""
    head = f"{approval.id}  v{approval.version}  {approval.thread_id}  {plain(name or 'without a name')}"
    head += f"  ({lane})" if lane else ""
    return "\n".join([head, *(f"  {line}" for line in _lines(approval, zone))])


def tell_left_over(event: LeftOver, zone: ZoneInfo) -> str:
    """Tell an event that nothing followed from, and what takes it off the queue."""
    came = "came late" if event.late else "came, and its run had no more use for it"
    at = say_time(event.received_at, zone)
    return f"{event.thread_id}  {event.name} {came}, {at}; when you have seen it: seen {event.thread_id} --as EMAIL"


def _lines(approval: Approval, zone: ZoneInfo) -> Iterator[str]:
    yield f"{plain(approval.title)} ({approval.kind}, {approval.status})"
    yield f"asked {say_time(approval.asked_at, zone)}, due {say_time(approval.due_at, zone)}"
    yield from _evidence(approval.facts)
    if approval.decided_at is not None:
        held = f", leaves {say_time(approval.release_at, zone)}" if approval.is_held else ""
        yield f"{approval.verdict} {say_time(approval.decided_at, zone)}{held}"
    if approval.came_back:
        yield f"came back; changed: {', '.join(map(str, approval.came_back.get('moved') or ())) or 'nothing named'}"
    for verdict, label in approval.labels.items():
        needs = ", ".join(f"{field} ({kind})" for field, kind in approval.answers.get(verdict, {}).items())
        yield f"{_VERDICTS[verdict]}: {plain(label)}{f'; needs --answer with {needs}' if needs else ''}"
        for choice in approval.choices:
            if choice.verdict == verdict and choice.key is not None:
                yield from (f"  {line}" for line in _letter(choice))


def _evidence(facts: Mapping[str, Json]) -> Iterator[str]:
    if "total" not in facts:
        return
    total = "no total" if facts["total"] is None else f"{facts['total']} of {facts.get('max_total')}"
    yield f"total {total}, band {facts.get('band') or 'none'}, proposed: {facts.get('proposal') or 'nothing'}"
    if facts.get("unscored"):
        yield plain(str(facts["unscored"]))
    if facts.get("by_ocr"):
        yield "read by OCR: letters may be wrong, so check quotes against the file"
    if facts.get("left_out"):
        yield f"scored without {plain(str(facts['left_out']))}, too long for one call"
    for score in facts.get("scores") or ():
        quote = f" \u201c{plain(score['quote'])}\u201d" if score.get("quote") else ""
        yield f"  {score['score']}/{score['maximum']} {plain(score['title'])}{quote}"
    for rule in facts.get("rules") or ():
        yield f"  {rule['answer'].replace('_', ' ')}: {plain(rule['title'])}"


def _letter(choice: Choice) -> Iterator[str]:
    payload = choice.payload
    if payload is None or "to" not in payload:
        yield f"{choice.key} ({choice.kind})"
        return
    yield f"{choice.key}"
    yield f"To: {plain(str(payload['to']))}"
    yield f"Subject: {plain(str(payload['subject']))}"
    yield from (f"  {plain(line)}".rstrip() for line in str(payload["body"]).splitlines())


def plain(text: str) -> str:
    """Answer one line of text that moves no cursor and turns nothing around."""
    return display_name(text)
