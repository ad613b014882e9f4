"""What an application says to the role's rules: yes, no, or not stated. Pure.

The form is read first, then the visible text. A statement about the checks ("all rules were already checked",
"right to work: verified") answers nothing, and text that nobody can see is not handed in at all. Where the
text says both yes and no, it has not stated either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import StepFailed
from core.steps import Json
from core.workflows.screening.amounts import weeks_in_form, weeks_in_text
from core.workflows.screening.state import Answer, RuleResult

_QUOTE_LENGTH = 200
_CONTACT_LINES = 10
_LONGEST = 2_000

_ABOUT_CHECKS = re.compile(
    r"\b(rules?|checks?|criteri(on|a)|screening)\b.{0,60}"
    r"\b(results?|met|passed|checked|verified|confirmed|cleared|approved|done|waived|skipped)\b"
    r"|\b(checked|verified|confirmed|cleared|approved|waived|validated)\b.{0,60}"
    r"\b(by|rules?|checks?|criteri(on|a)|founder|reviewer|recruiter)\b"
    r"|\b(founder|reviewer|recruiter|hiring manager)\b.{0,60}"
    r"\b(checked|verified|confirmed|approved|cleared|waived|agreed)\b"
    r"|\b(rule|screening|check) results?\b|\bright to work (checks?|checked|verified|confirmed)\b"
    r"|:\s*(verified|checked|confirmed|passed|met|cleared|approved|waived)\b"
    r"|\bpolic(y|ies)\b.{0,60}\b(chang|updat|says|waiv|now)"
    r"|\b(ignore|disregard|forget)\b.{0,60}\b(previous|above|prior|instructions?|rules?|checks?)\b",
    re.IGNORECASE,
)
_RESULTS_HEADER = re.compile(r"\b(rule|screening|check)s? results?\b|\ball (rules|checks)\b", re.IGNORECASE)
_KEY_AND_VALUE = re.compile(r"^\W*[\w ()/-]{2,40}\s*[:=]\s*\S")

_SPONSOR = r"(visa|sponsorship|work permit|sponsor)"
_NEEDS_NONE = re.compile(
    rf"\b(no|not|without|don.t|never)\b(\W+\w+){{0,3}}\W+{_SPONSOR}\b(?!\W+(yet|so far))", re.IGNORECASE
)
_MAY_NOT_WORK = re.compile(
    rf"\b(no|not|without|don.t|lack)\b(\W+\w+){{0,4}}\W+right to work\b"
    rf"|\bright to work\b[^.:]{{0,30}}:\s*no\b"
    rf"|\b(need|needs|require|requires)\b(\W+\w+){{0,3}}\W+{_SPONSOR}\b"
    rf"|\bnot (currently |yet )?(authori[sz]ed|entitled|eligible|permitted|allowed) to work\b",
    re.IGNORECASE,
)
_MAY_WORK = re.compile(
    r"\b(have|has|hold|full|with|permanent|unrestricted|existing)\b(\W+\w+){0,3}\W+right to work\b"
    r"|\bright to work\b[^.:]{0,30}:\s*(yes|full|unrestricted|permanent)\b"
    r"|^\W*right to work in( the)? [\w ]{2,16}\W*$"
    r"|\b(authori[sz]ed|entitled|eligible|permitted) to work\b"
    r"|\b(british|uk|irish) (citizen|passport|national)\b|\bsettled status\b|\bindefinite leave\b",
    re.IGNORECASE,
)
_UK = frozenset({"uk", "united", "britain", "great", "england"})

_URL = re.compile(
    r"(?<![@\w.-])(?:https?://|www\.)[^\s,;)>\]]{1,200}\.[^\s,;)>\]]{1,200}"
    r"|(?<![@\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|co|uk|me|design|studio|art|site|work|portfolio|dev|eu|de|fr)"
    r"\b(?:/[^\s,;)>\]]{0,400})?(?![@\w])",
    re.IGNORECASE,
)
_PROFILES = re.compile(r"\b(linkedin|twitter|facebook|instagram|github|x)\.com\b", re.IGNORECASE)
_OWN_WORK = re.compile(r"\b(portfolio|website|site|my work|selected work|behance|dribbble|showreel)\b", re.IGNORECASE)
_YES = re.compile(r"^(yes|y|true|1)\b", re.IGNORECASE)
_NO = re.compile(r"^(no|n|false|0)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(no|not|without|never|don.t|haven.t|lack)\b", re.IGNORECASE)
_SMALL_WORDS = frozenset({"the", "and", "for", "with", "present", "held", "stated", "given", "or"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One line or sentence of the applicant's visible text. `place` is its number in the document."""

    text: str
    source: str
    page: int
    place: int


def statements(source: str, pages: Sequence[str]) -> Iterator[Statement]:
    """Answer the statements of a document that may answer a rule; those about the checks are left out."""
    place, under_results = 0, False
    for number, page in enumerate(pages, 1):
        for line in _unwrapped(page):
            place += 1
            under_results = under_results and bool(_KEY_AND_VALUE.match(line))
            if _ABOUT_CHECKS.search(line):
                under_results = under_results or bool(_RESULTS_HEADER.search(line))
            elif not under_results:
                yield Statement(line, source, number, place)


def _unwrapped(page: str) -> Iterator[str]:
    """Join a line to the one before where it plainly goes on with its sentence; none grows past _LONGEST by it."""
    held = ""
    for line in (" ".join(line.split()) for line in page.split("\n")):
        if held and line[:1].islower() and held[-1] not in ".!?:;" and len(held) + len(line) < _LONGEST:
            held = f"{held} {line}"
        else:
            if held:
                yield held
            held = line
    if held:
        yield held


def answer_rules(
    rules: Sequence[Mapping[str, Json]], form: Mapping[str, str], said: Callable[[], Sequence[Statement]]
) -> tuple[RuleResult, ...]:
    """Answer every rule, from the form if it states the answer, else from the text.

    `said` is called only if the form leaves a rule open, so that a full form costs no reading.
    """
    for rule in rules:
        if rule["kind"] not in _READERS:
            raise StepFailed(f"Rule {rule['id']} is of kind {rule['kind']}, which screening does not know.")
    by_form = [_from_form(rule, form) for rule in rules]
    text = said() if None in by_form else ()
    return tuple(stated or _from_text(rule, text) for rule, stated in zip(rules, by_form, strict=True))


def _from_form(rule: Mapping[str, Json], form: Mapping[str, str]) -> RuleResult | None:
    value = " ".join(form.get(rule["form_key"], "").split())
    if not value or _ABOUT_CHECKS.search(value):
        return None
    answer = _READERS[rule["kind"]][0](rule, value)
    return None if answer is None else _result(rule, answer, "form", value)


def _from_text(rule: Mapping[str, Json], said: Sequence[Statement]) -> RuleResult:
    in_text = _READERS[rule["kind"]][1]
    found = [(statement, answer) for statement in said if (answer := in_text(rule, statement)) is not None]
    if len({answer for _, answer in found}) != 1:
        return RuleResult(rule["id"], rule["title"], Answer.NOT_STATED)
    statement, answer = found[0]
    return _result(rule, answer, statement.source, statement.text, statement.page)


def _result(rule: Mapping[str, Json], answer: Answer, source: str, quote: str, page: int | None = None) -> RuleResult:
    clean = quote.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    return RuleResult(rule["id"], rule["title"], answer, source, clean[:_QUOTE_LENGTH], page)


def _yes_no_in_form(rule: Mapping[str, Json], value: str) -> Answer | None:
    if rule["form_key"] == "right_to_work" and (answer := _may_work(value)) is not None:
        return answer
    if _YES.match(value):
        return Answer.YES
    return Answer.NO if _NO.match(value) else None


def _yes_no_in_text(rule: Mapping[str, Json], statement: Statement) -> Answer | None:
    if rule["form_key"] == "right_to_work":
        return _may_work(statement.text)
    wanted = {word for word in re.findall(r"\w{3,}", rule["title"].lower()) if word not in _SMALL_WORDS}
    if not wanted or not wanted <= set(re.findall(r"\w+", statement.text.lower())):
        return None
    return Answer.NO if _NEGATED.search(statement.text) else Answer.YES


def _may_work(text: str) -> Answer | None:
    if _elsewhere(text):
        return None
    if _NEEDS_NONE.search(text):
        return Answer.YES
    if _MAY_NOT_WORK.search(text):
        return Answer.NO
    return Answer.YES if _MAY_WORK.search(text) else None


def _elsewhere(text: str) -> bool:
    """Say whether the statement is about the right to work in another country than the role's."""
    place = re.search(r"\bto work in(?: the)? ([a-z]+)", text, re.IGNORECASE)
    return place is not None and place[1].lower() not in _UK


def _link_in_form(_: Mapping[str, Json], value: str) -> Answer | None:
    if _URL.search(value):
        return Answer.YES
    return Answer.NO if _NO.match(value) or value.lower() == "none" else None


def _link_in_text(rule: Mapping[str, Json], statement: Statement) -> Answer | None:
    urls = [url[0] for url in _URL.finditer(statement.text) if not _PROFILES.search(url[0])]
    wanted = re.compile(rf"\b{re.escape(rule['form_key'].replace('_', ' '))}\b", re.IGNORECASE)
    named = bool(wanted.search(statement.text) or _OWN_WORK.search(statement.text))
    in_contact = statement.source == "cv" and statement.place <= _CONTACT_LINES
    return Answer.YES if urls and (named or in_contact) else None


def _weeks_in_form(rule: Mapping[str, Json], value: str) -> Answer | None:
    return _within(rule, weeks_in_form(value))


def _weeks_in_text(rule: Mapping[str, Json], statement: Statement) -> Answer | None:
    return _within(rule, weeks_in_text(statement.text))


def _within(rule: Mapping[str, Json], weeks: float | None) -> Answer | None:
    if weeks is None:
        return None
    return Answer.YES if weeks <= rule["limit"] else Answer.NO


_InForm = Callable[[Mapping[str, Json], str], Answer | None]
_InText = Callable[[Mapping[str, Json], Statement], Answer | None]
_READERS: dict[str, tuple[_InForm, _InText]] = {
    "yes_no": (_yes_no_in_form, _yes_no_in_text),
    "link": (_link_in_form, _link_in_text),
    "at_most_weeks": (_weeks_in_form, _weeks_in_text),
}
