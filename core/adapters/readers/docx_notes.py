"""Notes of a DOCX: foot- and endnotes that visible text points to are printed, each once; the others stand nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from core.adapters.readers.docx_look import Looks

KINDS = ("footnote", "endnote")

_RELATIONS = {"footnote": RELATIONSHIP_TYPE.FOOTNOTES, "endnote": RELATIONSHIP_TYPE.ENDNOTES}
_DRAWN_BY_WORD = {"separator", "continuationSeparator", "continuationNotice"}


def list_notes(opened: Any, kind: str, looks: Looks) -> Iterator[Any]:
    """Yield the notes of a kind that visible text points to, in the order in which it does."""
    notes = _notes(opened, kind)
    yield from (notes[number] for number in _pointed_to(opened, kind, looks) if number in notes)


def unused_notes(opened: Any, looks: Looks) -> Iterator[str]:
    """Yield the text of the notes that no visible text points to."""
    for kind in KINDS:
        used = _pointed_to(opened, kind, looks)
        for number, note in _notes(opened, kind).items():
            if number not in used:
                yield "".join(one.text or "" for one in note.iter(qn("w:t")))


def _notes(opened: Any, kind: str) -> Mapping[str, Any]:
    """Answer the notes of a kind by their numbers; one that lies in no part of its own is none."""
    parts = [one for one in opened.part.rels.values() if one.reltype == _RELATIONS[kind] and not one.is_external]
    found = [note for part in parts[:1] for note in parse_xml(part.target_part.blob).iter(qn(f"w:{kind}"))]
    return {str(one.get(qn("w:id"))): one for one in found if one.get(qn("w:type")) not in _DRAWN_BY_WORD}


def _pointed_to(opened: Any, kind: str, looks: Looks) -> Mapping[str, None]:
    """Answer the numbers that visible text of the body points to, each once, in their order."""
    signs = opened.element.body.iter(qn(f"w:{kind}Reference"))
    return {str(sign.get(qn("w:id"))): None for sign in signs if _is_seen(sign, looks)}


def _is_seen(sign: Any, looks: Looks) -> bool:
    around = list(sign.iterancestors())
    gone = any(one.tag in (qn("w:del"), qn("w:moveFrom")) for one in around)
    run = next((one for one in around if one.tag == qn("w:r")), None)
    return not gone and (run is None or looks.why_unseen(run) is None)
