"""The page that an RTF is writing: how its text looks now, what was read so far, and what of it nobody sees."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.adapters.readers.looks import (
    COMMENT,
    HIDDEN_FONT,
    LOST,
    NO_PAGE,
    PROPERTIES,
    SMALLEST_POINTS,
    TINY,
    WHITE,
    Colour,
    is_lost,
)


@dataclass(frozen=True, slots=True)
class Look:
    """How text of a group looks; `story` is where it goes: the page, nowhere, a table, a property, a comment."""

    story: str = "page"
    vanishes: bool = False
    deleted: bool = False
    half_points: int = 24
    colour: int = 0
    ground: int = 0
    paragraph_ground: int = 0
    font: int = 0
    skips: int = 1


@dataclass(slots=True)
class Reading:
    """What has been read so far."""

    look: Look = field(default_factory=Look)
    outer: list[Look] = field(default_factory=list)
    page: str = "cp1252"
    fonts: dict[int, str] = field(default_factory=dict)
    colours: list[Colour | None] = field(default_factory=list)
    mixed: list[int | None] = field(default_factory=lambda: [None, None, None])
    row_is_coloured: bool = False
    pieces: list[str] = field(default_factory=list)
    hidden: list[tuple[str, str, str]] = field(default_factory=list)
    raw: bytearray = field(default_factory=bytearray)
    half: int | None = None
    to_skip: int = 0
    ignorable: bool = False


def write_bytes(reading: Reading, content: bytes) -> None:
    """Take bytes of the current font's code page; a letter of two bytes may come in two tokens."""
    skipped = min(reading.to_skip, len(content))
    reading.to_skip -= skipped
    if reading.look.story == "colortbl":
        _end_colours(reading, content)
    reading.raw += content[skipped:]


def _end_colours(reading: Reading, content: bytes) -> None:
    for _ in range(content.count(b";")):
        red, green, blue = reading.mixed
        whole = red is not None and green is not None and blue is not None
        reading.colours.append((red or 0, green or 0, blue or 0) if whole else None)
        reading.mixed = [None, None, None]


def flush(reading: Reading) -> None:
    """Write the bytes that were taken, as the letters they are in the current font."""
    if reading.raw:
        text = reading.raw.decode(reading.fonts.get(reading.look.font, reading.page), errors="replace")
        reading.raw.clear()
        write(reading, text)


def write(reading: Reading, text: str) -> None:
    """Put text where the current group's text goes, and apart from the page where nobody sees it."""
    look = reading.look
    if look.story == "properties":
        reading.hidden.append((text, PROPERTIES, NO_PAGE))
    elif look.story == "comment":
        reading.hidden.append((text, "the margin", COMMENT))
    if look.story != "page" or look.deleted:
        return
    why = _why_unseen(reading) if text.strip() else None
    if why is None:
        reading.pieces.append(text)
    elif reading.hidden and reading.hidden[-1][2] == why:
        reading.hidden[-1] = (reading.hidden[-1][0] + text, "the body", why)
    else:
        reading.hidden.append((text, "the body", why))


def _why_unseen(reading: Reading) -> str | None:
    look = reading.look
    if look.vanishes:
        return HIDDEN_FONT
    if look.half_points < SMALLEST_POINTS * 2:
        return TINY
    ground = _colour(reading, look.ground or look.paragraph_ground) or (None if reading.row_is_coloured else WHITE)
    return LOST if look.colour and is_lost(_colour(reading, look.colour), ground) else None


def _colour(reading: Reading, number: int) -> Colour | None:
    return reading.colours[number] if 0 < number < len(reading.colours) else None
