"""A rubric's versions side by side, what changed in each marked with a word. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalog.rubric_changes import Change, say_bands
from core.views.roles import RubricVersion
from pages.parts.identity import Here
from pages.parts.times import when
from pages.parts.untrusted import Html, foreign, join, tag

SHOWN = 3


def table(rubrics: Sequence[RubricVersion], here: Here) -> Html:
    """Show the newest SHOWN versions, the newest first: one row a criterion, then the bands, the maximum, the notes."""
    shown = rubrics[: -SHOWN - 1 : -1]
    numbers = sorted({one["number"] for rubric in shown for one in rubric.content["criteria"]})
    rows = [_row(f"Criterion {number}", [_criterion(one, number) for one in shown]) for number in numbers]
    rows += [
        _row("Bands", [_cell(one, "bands", say_bands(one.content)) for one in shown]),
        _row("Maximum", [_cell(one, "maximum", str(one.content["max_total"])) for one in shown]),
        _row("Notes", [_cell(one, "notes", " ".join(one.content["notes"].split()) or "None.") for one in shown]),
    ]
    drawn = tag(
        "table",
        tag("caption", "The rubric's versions side by side", cls="unseen"),
        tag("thead", tag("tr", tag("td"), *(_head(one, here) for one in shown))),
        tag("tbody", *rows),
        cls="versions",
    )
    older = len(rubrics) - len(shown)
    more = tag("p", f"{older} older; `role show` lists them all.", cls="more") if older else None
    return join(tag("div", drawn, cls="wide", tabindex="0", role="region", aria_label="Versions side by side"), more)


def _head(one: RubricVersion, here: Here) -> Html:
    counts = f"{one.going} go on, {one.ended} ended"
    by = tag("span", when(one.created_at, here.zone), " by ", foreign(one.by), cls="id")
    return tag("th", f"Version {one.version}", by, tag("span", counts, cls="id"), scope="col")


def _row(name: str, cells: Sequence[Html]) -> Html:
    return tag("tr", tag("th", name, scope="row"), *cells)


def _criterion(one: RubricVersion, number: int) -> Html:
    found = next((criterion for criterion in one.content["criteria"] if criterion["number"] == number), None)
    mine = [change for change in one.changes if change.number == number]
    whole = next((change for change in mine if change.place == "criterion"), None)
    if found is None:
        return tag("td", _mark(whole), tag("span", "Not there.", cls="none"))
    anchors = {change.points: change for change in mine if change.place == "anchor"}
    lines = [
        tag("div", tag("dt", points), tag("dd", foreign(words), _mark(anchors.get(points))))
        for points, words in found["anchors"].items()
    ]
    title = tag("p", tag("b", foreign(found["title"])), f" 0 to {found['maximum']}", _mark(whole))
    return tag("td", title, tag("dl", *lines), cls="moved" if mine else None)


def _cell(one: RubricVersion, place: str, said: str) -> Html:
    change = next((change for change in one.changes if change.place == place), None)
    return tag("td", foreign(said), _mark(change), cls="moved" if change else None)


def _mark(change: Change | None) -> Html | None:
    if change is None:
        return None
    word = "new" if not change.before else "taken out" if not change.after else "changed"
    return tag("mark", word)
