"""One question: evidence first, then the number it adds up to. Pure; nothing here acts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from core.steps import Json
from core.views.card import Card
from pages.parts import wording
from pages.parts.identity import Here
from pages.parts.plan import heading
from pages.parts.times import how_long, when
from pages.parts.untrusted import Html, foreign, join, tag

_RULE_ORDER = ("no", "not_stated", "yes")
_KNOWN = frozenset({
    "scores", "scored_by", "unscored", "rules", "recall", "override", "overrides", "doubts", "hidden_count",
    "hidden", "left_out", "by_ocr", "rubric_version", "total", "max_total", "band", "edge", "proposal",
})  # fmt: skip


def head(card: Card, here: Here) -> Html:
    """Show whose question it is, what is asked, since when and until when."""
    asked = card.approval
    run = tag("a", tag("code", asked.thread_id), href=f"/run?id={quote(asked.thread_id)}")
    return tag(
        "header",
        tag("h2", foreign(card.name or asked.thread_id), cls="who"),
        tag("p", foreign(asked.title), cls="goal"),
        tag("p", run, f" · version {asked.version} · asked ", how_long(asked.asked_at, here.now), " ago · due ",
            when(asked.due_at, here.zone), cls="id"),
        _alike(card.alike),
        cls="card-head",
    )  # fmt: skip


def _alike(threads: Sequence[str]) -> Html | None:
    """Say who may be the same person; addresses that differ in dots and tags are often different people."""
    if not threads:
        return None
    runs = [tag("a", tag("code", one), href=f"/run?id={quote(one)}") for one in threads[:5]]
    more = f" and {len(threads) - 5} more" if len(threads) > 5 else ""
    spaced = join(*(join(", " if place else "", run) for place, run in enumerate(runs)))
    return tag(
        "p", "May be the same person as ", spaced, more, ": the addresses differ in dots or tags only.", cls="id"
    )


def came_back(card: Card, here: Here) -> Html | None:
    """Say why a question stands again: what moved, and the answer that no longer holds."""
    back = card.approval.came_back
    if not back:
        return None
    before = None
    if back.get("verdict"):
        by = "you" if back.get("by") == here.actor.member.id else card.by or "somebody"
        word = wording.VERDICT[back["verdict"]]
        before = join(f" {word} before by ", foreign(by), "; that answer no longer holds and is a draft.")
    moved = ", ".join(str(one) for one in back.get("moved") or ()) or "nothing that is named"
    return tag("p", tag("b", "Came back."), " Changed: ", foreign(moved), ".", before, cls="banner back")


def closing(card: Card) -> Html | None:
    """Say that the role is closed, and what that means for an answer."""
    if not card.is_closing or card.approval.status != "pending":
        return None
    said = " The role is closed: an invite is refused until it is opened again; a decline leaves as ever."
    return tag("p", tag("b", "Role closing."), said, cls="banner back")


def evidence(card: Card, here: Here) -> Html:
    """Show what an answer rests on: quoted lines, rules, recall, what nobody can see, doubts."""
    facts = card.approval.facts
    if "rules" not in facts:
        return _plain({name: value for name, value in facts.items() if name not in _KNOWN})
    return tag(
        "div",
        heading("Evidence", "each point rests on a line of the applicant's own"),
        _by_ocr(facts),
        _left_out(facts),
        _criteria(facts),
        heading("Rules", "failures first"),
        _rules(facts["rules"]),
        heading("Known from before"),
        _recall(card, here),
        _hidden(facts),
        _doubts(facts.get("doubts") or ()),
        cls="evidence",
    )


def _by_ocr(facts: Mapping[str, Json]) -> Html | None:
    """Say which files were read off pictures."""
    if not facts.get("by_ocr"):
        return None
    files = " and ".join(wording.SOURCE.get(source, source).lower() for source in facts["by_ocr"])
    said = f" The {files.replace('cv', 'CV')} is a scan: letters may be wrong, so check quotes against the file."
    return tag("p", tag("b", "Read by OCR."), foreign(said), cls="banner back")


def _left_out(facts: Mapping[str, Json]) -> Html | None:
    """Say what of the files no scorer was sent."""
    if not facts.get("left_out"):
        return None
    said = f"{facts['left_out']}: too long for one call. A person said so before it was scored."
    return tag("p", tag("b", "Scored without "), foreign(said), cls="banner back")


def _plain(facts: Mapping[str, Json]) -> Html:
    if not facts:
        return tag("p", "Nothing has to be weighed here; the question says it all.", cls="none")
    rows = [
        tag("div", tag("dt", foreign(name)), tag("dd", foreign(value if isinstance(value, str) else json.dumps(value))))
        for name, value in facts.items()
    ]
    return tag("dl", *rows, cls="plain")


def _criteria(facts: Mapping[str, Json]) -> Html:
    scores = facts.get("scores") or ()
    if scores:
        return tag("ul", *(_criterion(score) for score in scores), cls="criteria", aria_label="Criteria")
    why = facts.get("unscored") or "Not scored: a rule was answered no, so no model was asked."
    return tag("p", tag("b", "No score. "), foreign(why), cls="unscored")


def _criterion(score: Mapping[str, Json]) -> Html:
    points = f"{score['score']} of {score['maximum']}"
    pips = [tag("i", cls="on" if place < score["score"] else None) for place in range(score["maximum"])]
    quoted = None
    if score["quote"]:
        quoted = tag("p", tag("q", foreign(score["quote"])), " ", tag("small", _place(score)), cls="quote")
    return tag(
        "li",
        tag("b", foreign(score["title"])),
        quoted or tag("p", "No line was quoted, so no point was given.", cls="quote none"),
        tag("p", foreign(score["note"]), cls="note") if score["note"] else None,
        tag("div", tag("span", *pips, cls="pips", aria_hidden="true"), tag("span", points), cls="score"),
    )


def _place(found: Mapping[str, Json]) -> str:
    parts = [str(wording.SOURCE.get(found["source"], found["source"]))]
    parts += [f"page {found['page']}"] if found.get("page") else []
    parts += [f"line {found['line']}"] if found.get("line") else []
    return ", ".join(parts)


def _rules(rules: Sequence[Mapping[str, Json]]) -> Html:
    if not rules:
        return tag("p", "This role has no rules.", cls="none")
    ordered = sorted(rules, key=lambda rule: _RULE_ORDER.index(rule["answer"]))
    return tag("ul", *(_rule(rule) for rule in ordered), cls="rules", aria_label="Rules, failures first")


def _rule(rule: Mapping[str, Json]) -> Html:
    said = None
    if rule["quote"]:
        said = join(" ", tag("q", foreign(rule["quote"])), " ", tag("small", _place(rule)))
    return tag(
        "li",
        tag("span", wording.RULE[rule["answer"]], cls="ruled"),
        tag("span", tag("b", foreign(rule["title"])), said),
        cls=f"r-{rule['answer']}",
    )


def _recall(card: Card, here: Here) -> Html:
    facts = card.approval.facts
    earlier = facts.get("recall")
    lines = [tag("p", tag("b", "This address: "), foreign(earlier), cls="recall")] if earlier else []
    own = _own(card, here)
    if lines or own:
        return join(*lines, own)
    was_read = not any(rule["answer"] == "no" for rule in facts["rules"])
    none = "None. The store was read for this address and held nothing."
    return tag("p", none if was_read else "Not read: a rule was answered no.", cls="none")


def _own(card: Card, here: Here) -> Html | None:
    """Show how whoever looks read the points before, and where that is known from."""
    known = card.overrides
    if known is None or not known.habits:
        return None
    said = [
        f"{word} {'the total' if habit.number is None else f'criterion {habit.number}'} in {count} of {known.answers}"
        for habit in known.habits
        for word, count in (("raised", habit.raised), ("lowered", habit.lowered))
        if count
    ]
    source = join("Store, ", tag("code", foreign(known.source)), ", newest ", when(known.newest_at, here.zone),
                  ". No scorer is told.")  # fmt: skip
    return tag("p", tag("b", "You "), f"{', '.join(said)}. ", tag("small", source), cls="recall")


def _hidden(facts: Mapping[str, Json]) -> Html | None:
    count = facts.get("hidden_count") or 0
    if not count:
        return None
    pieces = [
        tag("li", tag("q", foreign(piece["text"])), " ", tag("small", foreign(f"{piece['where']}: {piece['why']}")))
        for piece in facts["hidden"]
    ]
    said = "A person who opens the file sees none of this, and no model was sent it. What was quoted above can be seen."
    return join(
        heading("Hidden text", wording.plural(count, "piece", "pieces")),
        tag("div", tag("p", said), tag("ul", *pieces), cls="hidden"),
    )


def _doubts(doubts: Sequence[str]) -> Html | None:
    if not doubts:
        return None
    return join(heading("Doubts"), tag("ul", *(tag("li", foreign(doubt)) for doubt in doubts), cls="doubts"))


def number(facts: Mapping[str, Json]) -> Html | None:
    """Show the total last: in its band, under which rubric version, by whose scores."""
    if "rules" not in facts:
        return None
    total, most, band = facts.get("total"), facts.get("max_total"), facts.get("band")
    proposed = wording.PROPOSAL.get(facts.get("proposal") or "", "nothing")
    words = [f"in the band {band}"] if band else []
    words += [f"proposes {proposed}"]
    words += [f"rubric version {facts['rubric_version']}"] if facts.get("rubric_version") else []
    by = facts.get("scored_by")
    scored = join(" · scored by ", tag("b", foreign(by))) if by else join(" · not scored")
    return tag(
        "div",
        tag("p", tag("b", "No total" if total is None else str(total)), None if total is None else f" of {most}"),
        _scale(total, most, band),
        tag("p", " · ".join(words), scored, cls="id"),
        cls="number",
    )


def _scale(total: int | None, most: int | None, band: str | None) -> Html | None:
    if total is None or not most:
        return None
    at = f"inset-inline-start:{100 * total / most:.1f}%"
    low, _, high = (band or "").partition(" to ")
    stretch = None
    if low.isdigit() and high.isdigit():
        width = 100 * (int(high) - int(low)) / most
        stretch = tag("span", cls="band", style=f"inset-inline-start:{100 * int(low) / most:.1f}%;width:{width:.1f}%")
    return tag("div", stretch, tag("span", cls="at", style=at), cls="scale", aria_hidden="true")
