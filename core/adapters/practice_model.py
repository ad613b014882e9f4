"""The practice model: deterministic, offline, no judge of anyone; its label stands wherever its output shows.

It scores by cue words, a line at a time. A line supports at most one criterion, the one it shows most for. An
order or a claim about checks in the text is never evidence, and neither is the rest of its sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from core.adapters.practice_agent import choose, migrate
from core.adapters.practice_closing import closing_line
from core.adapters.practice_cues import Criterion, Cues, compile_cues
from core.adapters.practice_folder import operate, research
from core.adapters.practice_levels import (
    SUSPECT,
    Line,
    is_job_title,
    is_own_prose,
    level,
    sentence_count,
    sentence_level,
)
from core.errors import StepFailed
from core.ports import ModelReply, Request

_WORD = re.compile(r"\w+(?:-\w+)*|%")
_BULLET = re.compile(r"^[\s\u2022\u2023\u25aa\u25cf\u00b7*\u2013\u2014>-]+(?=\S)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|$)")
_UNTIL_NOW = re.compile(r"\d{4}\W+(?:to\W+)?present\b", re.IGNORECASE)
_WRAPPED_LENGTH = 50
_LONGEST = 2_000
_ORDER = re.compile(
    r"\b(ignore|disregard|forget|override)\b.{0,60}\b(previous|above|prior|all|any|every|instructions?|rules?|rubric)\b"
    r"|\b(score|rate|rank)\b\W+(\w+\W+){0,4}?(\d\b|\d\d\b|full|maximum|highest|top|five|first|perfect)"
    r"|\b(give|award|assign|grant|add|deserves?)\b.{0,60}\b(marks?|points?|scores?|rating|criteri(on|a))\b"
    r"|\b(full|maximum|top|highest) (marks?|points?|scores?|rating)\b|\btotal( score)?\s*(is|of|=|:)\s*\d"
    r"|\b(criteri(on|a)|rules?|checks?|rubric|screening)\b.{0,60}"
    r"\b(checked|verified|met|passed|approved|confirmed|satisfied|cleared|waived|results?|score|done)\b"
    r"|\b(checked|verified|confirmed|approved|cleared|scored)\b.{0,60}"
    r"\b(criteri(on|a)|rules?|founder|reviewer|recruiter|rubric|screening)\b"
    r"|\b(founder|reviewer|recruiter)\b.{0,60}\b(checked|verified|confirmed|approved|cleared|decided|agreed)\b"
    r"|\bpolic(y|ies)\b.{0,60}\b(chang|updat|says|now|requires|allows|is\b)"
    r"|\b(rule|screening) results?\b|\b(system|assistant)\s*(prompt|message|:)|\bas an ai\b"
    r"|\byou are an? (ai|assistant|model|scorer|reviewer)\b"
    r"|\b(skip|no) interview\b|\b(invite|hire|approve|recommend)\b.{0,30}\b(this|the) (candidate|applicant)\b"
    r"|\b(this|the) (candidate|applicant)\b.{0,60}\b(must|should|is|has|deserves)\b"
    r"|\bremember\b.{0,60}\b(applicants?|candidates?|pass(es)?)\b|\b(applicants|candidates)\b.{0,60}\bpass(es)?\b",
    re.IGNORECASE,
)


_PLANNERS = {"migration": migrate, "research": research, "operations": operate}


class Evidence(NamedTuple):
    """One line and what it shows, 1 to 5, for the one criterion that it supports."""

    level: int
    line: Line


class PracticeModel:
    """Answers a scoring request from its items alone; the same request gets the same answer."""

    label = "practice model"
    leaves_machine = False
    answers_within_s = 1.0
    output_limit = 0

    def answer(self, request: Request) -> ModelReply:
        """Answer one request; raises StepFailed for a purpose it has not practised."""
        if request.purpose == "close":
            return ModelReply({"line": closing_line(request.items)}, self.label)
        if request.purpose == "turn":
            return ModelReply(choose(request.items, _PLANNERS), self.label)
        if request.purpose != "score":
            raise StepFailed(f"The practice model does not answer {request.purpose!r}; name a model that does.")
        texts = {item.slot: item.text for item in request.items}
        scores = score_texts(texts["rubric"], texts.get("cv", ""), texts.get("cover", ""))
        return ModelReply({"scores": scores}, self.label)


def score_texts(rubric: str, cv: str, cover: str = "") -> list[dict[str, Any]]:
    """Answer score and quote for each criterion of a rubric given as JSON text."""
    cues = _cues_of(rubric)
    evidence: dict[int, list[Evidence]] = {criterion.number: [] for criterion in cues.criteria}
    for line in _lines_of(cv, cues.words):
        _weigh(line, cues, evidence)
    for line in _lines_of(cover, cues.words):
        for sentence in _SENTENCE_END.split(line.text):
            _weigh(_line(sentence, cues.words), cues, evidence)
    return [_scored(criterion, evidence[criterion.number]) for criterion in cues.criteria]


@lru_cache(maxsize=32)
def _cues_of(rubric: str) -> Cues:
    return compile_cues(json.loads(rubric))


def _lines_of(text: str, words: Mapping[str, int]) -> Iterator[Line]:
    """Answer each line with what plainly goes on from it, less its orders and claims about checks."""
    held: Line | None = None
    for raw in text.replace("\f", "\n").split("\n"):
        line = _line(_BULLET.sub("", raw.strip()), words)
        if held is not None and _goes_on(held.text, line.text) and _is_order(held) >= _is_order(line):
            hyphenated = held.text[-1] == "-"
            held = _line(held.text[:-1] + line.text if hyphenated else f"{held.text} {line.text}", words)
            continue
        if held is not None:
            yield _without_orders(held, words)
        held = line
    if held is not None:
        yield _without_orders(held, words)


def _goes_on(held: str, line: str) -> bool:
    return line[:1].islower() and _WRAPPED_LENGTH <= len(held) < _LONGEST and held[-1] not in ".!?:;"


def _line(text: str, words: Mapping[str, int]) -> Line:
    found = tuple(_WORD.findall(_UNTIL_NOW.sub("", text).lower() if "resent" in text else text.lower()))
    bits = 0
    for word in found:
        bits |= words.get(word, 0)
    return Line(text, found, bits)


def _is_order(line: Line) -> bool:
    # Few lines have a word that an order needs, and asking for the bit is far cheaper than the pattern.
    return bool(line.bits & SUSPECT) and _ORDER.search(line.text) is not None


def _without_orders(line: Line, words: Mapping[str, int]) -> Line:
    """Answer the line, or the first stretch of its sentences that are no orders."""
    if not _is_order(line):
        return line
    start = end = 0
    for sentence in _SENTENCE.finditer(line.text):
        if not _is_order(_line(sentence[0], words)):
            start, end = (start if end else sentence.start()), sentence.end()
        elif end:
            break
    return _line(line.text[start:end].strip(), words)


def _weigh(line: Line, cues: Cues, evidence: dict[int, list[Evidence]]) -> None:
    """Add the line to the evidence of the one criterion it shows most for, the first of equals."""
    if not line.words:
        return
    first = cues.words.get(line.words[0], 0)
    best, shown = None, 0
    for criterion in cues.criteria if line.bits else ():
        if (here := level(criterion, line, first)) > shown:
            best, shown = criterion, here
    if best is None and not is_job_title(line, first):
        best = next((criterion for criterion in cues.criteria if criterion.theme == "writing"), None)
        shown = sentence_level(line)
    if best is not None and shown:
        evidence[best.number].append(Evidence(shown, line))


def _scored(criterion: Criterion, evidence: list[Evidence]) -> dict[str, Any]:
    if criterion.theme == "writing":
        evidence = [one for one in evidence if is_own_prose(one.line)] or evidence
    if not evidence:
        return {"criterion": criterion.number, "score": 0, "quote": ""}
    best = max(evidence, key=lambda one: one.level)
    points = _ADDED_UP.get(criterion.theme, _best)(evidence)
    score = (points * criterion.maximum * 2 + 5) // 10
    return {"criterion": criterion.number, "score": score, "quote": best.line.text}


def _best(evidence: list[Evidence]) -> int:
    return max(one.level for one in evidence)


def _pieces(evidence: list[Evidence]) -> int:
    """Count pieces: two with reasons are 5, two described are 3."""
    best = _best(evidence)
    return best + (best in (2, 4) and sum(one.level == best for one in evidence) > 1)


def _whole_prose(evidence: list[Evidence]) -> int:
    """Judge the prose as a whole; a single sentence shows little of it."""
    counts = [sentence_count(one.line.text) for one in evidence]
    mean = sum(one.level * count for one, count in zip(evidence, counts, strict=True)) / sum(counts)
    return min(int(mean), 5 if sum(counts) > 1 else 3)


_ADDED_UP: dict[str, Callable[[list[Evidence]], int]] = {"craft": _pieces, "writing": _whole_prose}
