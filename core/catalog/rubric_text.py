"""A rubric written as text that reads back as itself: Markdown where its table can hold it, else TOML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from core.catalog.role_text import read_rubric
from core.errors import BadInput
from core.steps import Json

_MARKDOWN, _TOML = "rubric.md", "rubric.toml"


def write_rubric(content: Mapping[str, Json]) -> tuple[str, str]:
    """Answer a file name, whose ending tells the layout, and the text."""
    text = _markdown(content)
    try:
        is_same = read_rubric(text, _MARKDOWN).content == content
    except BadInput:
        is_same = False
    return (_MARKDOWN, text) if is_same else (_TOML, _toml(content))


def _markdown(content: Mapping[str, Json]) -> str:
    points = list(content["criteria"][0]["anchors"])
    rows = [["#", "Criterion", *points], ["---"] * (len(points) + 2)]
    rows += [
        [str(one["number"]), one["title"], *(one["anchors"].get(point, "") for point in points)]
        for one in content["criteria"]
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    bands = [f"{band['low']} to {band['high']}: {band['proposal']}." for band in content["bands"]]
    return "\n\n".join(part for part in (table, content["notes"], "\n".join(bands)) if part) + "\n"


def _toml(content: Mapping[str, Json]) -> str:
    return "\n".join(_lines(content)) + "\n"


def _lines(content: Mapping[str, Json]) -> Iterator[str]:
    if content["notes"]:
        yield f"notes = {_text(content['notes'])}\n"
    for one in content["criteria"]:
        anchors = ", ".join(f"{points} = {_text(words)}" for points, words in one["anchors"].items())
        yield f"[[criteria]]\nnumber = {one['number']}\ntitle = {_text(one['title'])}\nanchors = {{ {anchors} }}\n"
    for band in content["bands"]:
        yield f'[[bands]]\nlow = {band["low"]}\nhigh = {band["high"]}\nproposal = "{band["proposal"]}"\n'


def _text(words: str) -> str:
    """Write a basic string: JSON's escapes are TOML's, but for the one character that only TOML forbids."""
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")
