"""Reads damaged files and says of each what is wrong with how it was read, if anything."""

from __future__ import annotations

import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from core.adapters.readers import ApplicationReader
from core.adapters.readers.reasons import FAILED, TOO_HUNGRY, TOO_SLOW
from core.errors import UnreadableFile
from core.steps import Document
from tests.fuzz.damage import LINES, damaged, whole_files

SLOWEST_S = 5.0
_GAVE_UP = {FAILED, TOO_SLOW, TOO_HUNGRY}
_SENTENCE = re.compile(r"[A-Z][^\n]{10,158}\.")
_RAW = re.compile(r"\\rtf|%PDF|endobj|<w:t|PK\x03|\\par\b")
_OWN = frozenset(re.findall(r"\w+", " ".join(LINES)))


@dataclass(frozen=True, slots=True)
class Fault:
    """A damaged file that was not dealt with as it should be; seed and number make it again."""

    number: int
    kind: str
    what: str


def trials(count: int, seed: int) -> Iterator[tuple[int, str, bytes]]:
    """Yield that many damaged files, the same for the same seed."""
    names = list(whole_files())
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311 - it decides no secret
        name = names[number % len(names)]
        yield number, name, damaged(whole_files()[name], chance)


def try_one(reader: ApplicationReader, number: int, name: str, content: bytes, outcomes: Counter[str]) -> Fault | None:
    """Read one damaged file; answer what is wrong with how that went, or None."""
    began = time.perf_counter()
    try:
        document = reader.read(content, name)
    except UnreadableFile as refused:
        outcomes["refused"] += 1
        wrong = _wrong_with_sentence(refused.sentence)
    except Exception as error:  # noqa: BLE001 - whatever else it raises is the fault looked for
        wrong = f"raised {type(error).__name__}"
    else:
        outcomes["read" if document.usable else "read, not usable"] += 1
        wrong = _wrong_with_text(document, name)
    if time.perf_counter() - began > SLOWEST_S:
        wrong = wrong or f"took {time.perf_counter() - began:.1f} s"
    return None if wrong is None else Fault(number, name, wrong)


def _wrong_with_sentence(sentence: str) -> str | None:
    if sentence in _GAVE_UP:
        return f"gave up: {sentence}"
    return None if _SENTENCE.fullmatch(sentence) else f"no sentence of at most 160 characters: {sentence!r}"


def _wrong_with_text(document: Document, name: str) -> str | None:
    text = document.visible
    odd = [one for one in text if unicodedata.category(one) in ("Cc", "Cs") and one not in "\n\t\f"]
    if odd:
        return f"holds {odd[:5]!r}"
    if document.usable and _RAW.search(text) and name.endswith((".pdf", ".docx", ".rtf")):
        return f"raw bytes of the file are read as text: {text[:80]!r}"
    if document.usable and name in ("packed.pdf", "cv.docx") and not document.media_type.startswith("text/"):
        foreign = set(re.findall(r"\w+", text)) - _OWN
        if foreign:
            return f"words that were never written: {sorted(foreign)[:5]!r}"
    return None
