"""What stands in a PDF's fields, stamps and written notes: drawn into the page, read beside the words that ask for it.

pdfium draws them as a viewer does, so that what is read is what is shown and not what the field says of itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import pypdfium2.raw as raw

from core.adapters.readers.places import Box

_SHOWN = {raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_WIDGET}
_ROW_WITHIN, _LEFT_WITHIN = 3.0, 4.0
_DRAWN = 1  # pdfium: something was drawn into the page


class Written(Protocol):
    """A character and its place, None where it has none."""

    @property
    def text(self) -> str:
        """The character."""
        ...

    @property
    def box(self) -> Box | None:
        """Where it stands."""
        ...

    @property
    def is_drawn(self) -> bool:
        """Say whether it was drawn into the page with a field."""
        ...


T = TypeVar("T", bound=Written)


@dataclass(frozen=True, slots=True)
class Filled:
    """A page after its fields were drawn into it: how many characters it had before, and where the fields are."""

    count: int
    fields: tuple[Box, ...]


def open_page(document: Any, number: int) -> tuple[Any, Filled | None]:
    """Answer a page with its fields drawn into it, and what was drawn, or None where it has none."""
    page = document[number]
    fields = tuple(_fields_of(page))
    if not fields:
        return page, None
    textpage = page.get_textpage()
    count = raw.FPDFText_CountChars(textpage.raw)
    if raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) != _DRAWN:
        return page, None
    return document[number], Filled(count, fields)


def _fields_of(page: Any) -> list[Box]:
    found = []
    rect = raw.FS_RECTF()
    for number in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        note = raw.FPDFPage_GetAnnot(page.raw, number)
        if not note:
            continue
        if raw.FPDFAnnot_GetSubtype(note) in _SHOWN and raw.FPDFAnnot_GetRect(note, ctypes.byref(rect)):
            found.append(Box(rect.left, rect.bottom, rect.right, rect.top))
        raw.FPDFPage_CloseAnnot(note)
    return found


def beside_labels(written: Sequence[T], filled: Filled, space: T, line_end: T) -> list[T]:
    """Answer the characters with each field's after the word to its left, on lines of their own where there is none."""
    page, drawn = [one for one in written if not one.is_drawn], [one for one in written if one.is_drawn]
    after: dict[int, list[T]] = {}
    for field in sorted(filled.fields, key=lambda one: (-one.top, one.left)):
        inside = [place for place, one in enumerate(drawn) if one.box is not None and field.holds(one.box)]
        if not inside:
            continue
        value = drawn[inside[0] : inside[-1] + 1]
        label = _label_of(page, field)
        after.setdefault(len(page) - 1 if label is None else label, []).extend(
            [line_end if label is None else space, *value]
        )
        drawn[inside[0] : inside[-1] + 1] = []
    placed = [*after.get(-1, ()), *(part for place, one in enumerate(page) for part in (one, *after.get(place, ())))]
    return [*placed, *([line_end, *drawn] if any(one.text.strip() for one in drawn) else [])]


def _label_of(page: Sequence[T], field: Box) -> int | None:
    """Answer which character is the last one before a field in its row."""
    middle = (field.bottom + field.top) / 2
    before = [
        (one.box.right, place)
        for place, one in enumerate(page)
        if one.box is not None
        and one.text.strip()
        and abs((one.box.bottom + one.box.top) / 2 - middle) <= (field.top - field.bottom) / 2 + _ROW_WITHIN
        and one.box.right <= field.left + _LEFT_WITHIN
    ]
    return max(before)[1] if before else None
