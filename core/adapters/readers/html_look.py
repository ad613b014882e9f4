"""How an element of a web page looks, as far as that decides whether anybody sees its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.adapters.readers.looks import (
    LOST,
    NOT_PAINTED,
    OUTSIDE,
    SMALLEST_POINTS,
    TINY,
    WHITE,
    Colour,
    colour_of,
    is_lost,
)

# Begun only where a rule may begin: what was read in vain is not read again.
_RULE = re.compile(r"(?<![^{}])([^{}]+)\{([^{}]*)\}")
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SIMPLE = re.compile(r"(?P<tag>[a-z][a-z0-9]*|\*)?(?P<mark>[.#][\w-]+)?", re.IGNORECASE)
_SIZE = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|%)?")
_FAR = re.compile(r"-\s*\d{3,}")
_POINTS = {"px": 0.75, "pt": 1.0, None: 0.75}

Declarations = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """What an element hands on to what is in it; `why` says why nobody sees it."""

    why: str | None = None
    colour: Colour | None = (0, 0, 0)
    ground: Colour | None = WHITE
    points: float = 12.0

    @property
    def unseen(self) -> str | None:
        """Say why nobody sees text that looks so, if nobody does."""
        if self.why is not None:
            return self.why
        if self.points < SMALLEST_POINTS:
            return TINY
        return LOST if is_lost(self.colour, self.ground) else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page's own style rules for one tag, class or id each; `unfollowed` rules hide something by more than that."""

    rules: Mapping[str, Declarations]
    unfollowed: int = 0


def read_sheet(text: str) -> Sheet:
    """Read style rules with simple selectors; others that hide are counted."""
    rules: dict[str, dict[str, str]] = {}
    unfollowed = 0
    for found in _RULE.finditer(_CSS_COMMENT.sub("", text)):
        declared = declarations(found[2])
        for selector in (part.strip().lower() for part in found[1].split(",")):
            if selector and _SIMPLE.fullmatch(selector):
                rules[selector] = {**rules.get(selector, {}), **declared}
            elif looking(Look(), declared).unseen:
                unfollowed += 1
    return Sheet(rules, unfollowed)


def declarations(text: str) -> dict[str, str]:
    """Read `name: value` pairs; a later one of the same name counts."""
    pairs = (one.split(":", 1) for one in text.split(";") if ":" in one)
    return {name.strip().lower(): value.replace("!important", "").strip().lower() for name, value in pairs}


def look_of(tag: str, attributes: Mapping[str, str], around: Look, sheet: Sheet) -> Look:
    """Answer how text in this element looks."""
    look = around
    for declared in (*_of_sheet(tag, attributes, sheet), _of_attributes(attributes)):
        look = looking(look, declared, around)
    if "hidden" in attributes:
        look = replace(look, why=look.why or NOT_PAINTED)
    return look


def _of_sheet(tag: str, attributes: Mapping[str, str], sheet: Sheet) -> Iterator[Declarations]:
    marks = [f".{name}" for name in attributes.get("class", "").lower().split()]
    marks += [f"#{attributes['id'].lower()}"] if attributes.get("id") else []
    for selector in ("*", tag, *(one for mark in marks for one in (mark, f"*{mark}", f"{tag}{mark}"))):
        if selector in sheet.rules:
            yield sheet.rules[selector]


def _of_attributes(attributes: Mapping[str, str]) -> Declarations:
    old = {"color": attributes.get("color", ""), "background-color": attributes.get("bgcolor", "")}
    return {**{name: value for name, value in old.items() if value}, **declarations(attributes.get("style", ""))}


def looking(look: Look, declared: Declarations, around: Look | None = None) -> Look:
    """Answer the look with these declarations applied; sizes are measured by what is around."""
    why = look.why or _why_not_shown(declared)
    colour, ground = look.colour, look.ground
    if "color" in declared:
        colour = colour_of(declared["color"])
    for name in ("background", "background-color"):
        if name in declared:
            ground = _ground(declared[name], ground)
    points = _points(declared.get("font-size", ""), around or look, look.points)
    return Look(why, colour, ground, points)


def _ground(value: str, before: Colour | None) -> Colour | None:
    if value in ("none", "transparent", "inherit", "initial"):
        return before
    if "url(" in value or "gradient" in value:
        return None
    colours = [colour_of(part) for part in (value, *value.split())]
    return next((colour for colour in colours if colour is not None), None)


def _points(value: str, around: Look, before: float) -> float:
    found = _SIZE.fullmatch(value)
    if found is None:
        return before
    size, unit = float(found[1]), found[2]
    if unit == "%":
        return around.points * size / 100
    if unit in ("em", "rem"):
        return (around.points if unit == "em" else 12.0) * size
    return size * _POINTS[unit]


def _why_not_shown(declared: Declarations) -> str | None:
    if declared.get("display") == "none" or declared.get("visibility") in ("hidden", "collapse"):
        return NOT_PAINTED
    if _is_zero(declared, ("opacity",)) or declared.get("color") == "transparent":
        return NOT_PAINTED
    if declared.get("overflow") == "hidden" and _is_zero(declared, ("height", "width", "max-height", "max-width")):
        return NOT_PAINTED
    far = (declared.get(name, "") for name in ("left", "top", "right", "text-indent", "margin-left", "margin-top"))
    return OUTSIDE if any(_FAR.match(value) for value in far) else None


def _is_zero(declared: Declarations, names: Sequence[str]) -> bool:
    sizes = (_SIZE.fullmatch(declared.get(name, "")) for name in names)
    return any(size is not None and abs(float(size[1])) < 0.05 for size in sizes)
