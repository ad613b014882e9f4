"""A role as it was understood from its text, drawn: rules, criteria with anchors, bands, and what was not taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.catalog.role_text import RoleDraft
from pages.parts import wording
from pages.parts.untrusted import Html, foreign, tag

_BANDS = {"decline": "proposes a decline", "review": "asks for a look", "invite": "proposes an invite"}
_COLOURS = {"decline": "a-rejected", "review": "a-pending", "invite": "a-approved"}
_KINDS = {"yes_no": "yes or no", "link": "a link", "at_most_weeks": "at most {} weeks"}


def preview(draft: RoleDraft) -> Html:
    """Show the whole of it, what was noticed and not obeyed first."""
    rubric, rules = draft.contents["rubric"], draft.contents["rules"]["rules"]
    counts = f"{wording.plural(len(rules), 'rule', 'rules')}, 0 to {rubric['max_total']} points"
    return tag(
        "section",
        tag("header", tag("h2", foreign(draft.title)), tag("p", tag("code", draft.id), f" · {counts}", cls="id")),
        _noticed(draft),
        tag("h3", "Rules, checked before scoring"),
        _rules(rules),
        tag("h3", "Criteria"),
        tag("ol", *(_criterion(one) for one in rubric["criteria"]), cls="anchored"),
        tag("h3", "Bands"),
        tag("ul", *(_band(one) for one in rubric["bands"]), cls="bands"),
        _settings(draft.contents["role"]),
        cls="preview",
        aria_label="The role as understood",
        tabindex="0",
    )


def _noticed(draft: RoleDraft) -> Html | None:
    if not draft.noticed:
        return None
    lines = [tag("li", foreign(sentence)) for sentence in draft.noticed]
    return tag("div", tag("b", "Noticed, and not taken"), tag("ul", *lines), cls="noticed")


def _rules(rules: list[Mapping[str, Any]]) -> Html:
    if not rules:
        return tag("p", "None.", cls="none")
    return tag("ul", *(_rule(one) for one in rules), cls="checks")


def _rule(one: Mapping[str, Any]) -> Html:
    kind = _KINDS[one["kind"]].format(one["limit"])
    return tag(
        "li", foreign(one["title"]), tag("span", f" {kind}; form field ", tag("code", one["form_key"]), cls="id")
    )


def _criterion(one: Mapping[str, Any]) -> Html:
    anchors = [tag("div", tag("dt", points), tag("dd", foreign(words))) for points, words in one["anchors"].items()]
    title = tag("b", f"{one['number']}. ", foreign(one["title"]))
    return tag("li", title, tag("span", f" 0 to {one['maximum']}", cls="id"), tag("dl", *anchors))


def _band(one: Mapping[str, Any]) -> Html:
    state = tag("span", tag("span", cls="dot"), _BANDS[one["proposal"]], cls=f"state {_COLOURS[one['proposal']]}")
    return tag("li", tag("b", f"{one['low']} to {one['high']}"), state)


def _settings(role: Mapping[str, Any]) -> Html:
    said = (
        f"A question is due {role['question_due_hours']} h after it was asked. An invite waits "
        f"{role['window_hours']} h for a booking; the reminder goes {role['reminder_hours']} h before that ends."
    )
    return tag("p", said, cls="id")
