"""How a run of a DOCX looks, as far as that decides whether anybody sees it.

A run says something of itself; what it leaves out its character style says, then its paragraph's style, then what these
are based on, then the document's defaults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docx.oxml.ns import qn

from core.adapters.readers.looks import HIDDEN_FONT, LOST, SMALLEST_POINTS, TINY, WHITE, Colour, colour_of, is_lost

_OFF = {"0", "false", "off", "none"}
_WHITE_THEMES = {"background1", "light1", "bg1", "lt1"}
_HIGHLIGHTS: dict[str, Colour] = {"white": WHITE, "black": (0, 0, 0), "yellow": (255, 255, 0)}
_AROUND = {qn("w:p"): "w:pPr", qn("w:tc"): "w:tcPr", qn("w:tbl"): "w:tblPr"}
_DEEPEST = 12


class Looks:
    """What a document's styles say about text."""

    def __init__(self, opened: Any) -> None:
        root = opened.styles.element
        self._styles = {style.get(qn("w:styleId")): style for style in root.iter(qn("w:style"))}
        normal = next((one for one in root.iter(qn("w:style")) if _is_default_paragraph(one)), None)
        self._defaults = [mark for mark in (self._own(normal), root.find(f".//{qn('w:rPrDefault')}/{qn('w:rPr')}"))
                          if mark is not None]  # fmt: skip
        background = opened.element.find(qn("w:background"))
        self._paper = (colour_of(background.get(qn("w:color")) or "") or WHITE) if background is not None else WHITE

    def why_unseen(self, run: Any) -> str | None:
        """Say why nobody sees this run, if nobody does."""
        marks = list(self._marks_of(run))
        if _is_on(_first(marks, "w:vanish")) or _is_on(_first(marks, "w:webHidden")):
            return HIDDEN_FONT
        size = _value(_first(marks, "w:sz"))
        if size.isdigit() and int(size) < SMALLEST_POINTS * 2:
            return TINY
        colour = _colour(_first(marks, "w:color"))
        return LOST if colour is not None and is_lost(colour, self._ground(run, marks)) else None

    def _marks_of(self, run: Any) -> Iterator[Any]:
        """Yield the run's own marks and then those of its styles, the nearest first."""
        own = run.find(qn("w:rPr"))
        paragraph = next(run.iterancestors(qn("w:p")), None)
        settings = paragraph.find(qn("w:pPr")) if paragraph is not None else None
        if own is not None:
            yield own
            yield from self._chain(_value(own.find(qn("w:rStyle"))))
        if settings is not None:
            yield from self._chain(_value(settings.find(qn("w:pStyle"))))
        yield from self._defaults

    def _chain(self, style_id: str) -> Iterator[Any]:
        style = self._styles.get(style_id)
        for _ in range(_DEEPEST):
            if style is None:
                return
            own = self._own(style)
            if own is not None:
                yield own
            style = self._styles.get(_value(style.find(qn("w:basedOn"))))

    def _own(self, style: Any) -> Any:
        return style.find(qn("w:rPr")) if style is not None else None

    def _ground(self, run: Any, marks: list[Any]) -> Colour | None:
        """Answer the colour behind a run: its highlight or shade, its paragraph's, its cell's, the paper's."""
        highlight = _first(marks, "w:highlight")
        if highlight is not None and _value(highlight) != "none":
            return _HIGHLIGHTS.get(_value(highlight))
        shades = [_first(marks, "w:shd")]
        for around in run.iterancestors():
            if around.tag == qn("w:txbxContent"):  # a box's filling is drawn in too many ways to tell
                return None
            name = _AROUND.get(around.tag)
            settings = around.find(qn(name)) if name else None
            shades.append(settings.find(qn("w:shd")) if settings is not None else None)
        return next((_fill(shade) for shade in shades if shade is not None and _is_filled(shade)), self._paper)


def _is_default_paragraph(style: Any) -> bool:
    return style.get(qn("w:type")) == "paragraph" and style.get(qn("w:default")) in ("1", "true", "on")


def _first(marks: list[Any], name: str) -> Any:
    found = (mark.find(qn(name)) for mark in marks)
    return next((one for one in found if one is not None), None)


def _colour(mark: Any) -> Colour | None:
    """Answer a colour; None where it is the document's own choice or a theme's that is not looked up."""
    if mark is None:
        return None
    theme = mark.get(qn("w:themeColor"))
    if theme is not None:
        shaded = mark.get(qn("w:themeShade")) is not None
        return WHITE if theme in _WHITE_THEMES and not shaded else colour_of(_value(mark))
    return colour_of(_value(mark))


def _is_filled(shade: Any) -> bool:
    return bool(shade.get(qn("w:themeFill"))) or (shade.get(qn("w:fill")) or "auto").lower() != "auto"


def _fill(shade: Any) -> Colour | None:
    if shade.get(qn("w:themeFill")) and shade.get(qn("w:themeFill")) not in _WHITE_THEMES:
        return None
    return colour_of(shade.get(qn("w:fill")) or "")


def _value(mark: Any) -> str:
    return "" if mark is None else mark.get(qn("w:val")) or ""


def _is_on(mark: Any) -> bool:
    return mark is not None and (mark.get(qn("w:val")) or "on").lower() not in _OFF
