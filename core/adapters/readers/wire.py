"""What the pool and its processes say to each other: a head, a name and a file; a length and an answer."""

from __future__ import annotations

import struct

import msgspec

from core.steps import Document

HEAD = struct.Struct(">II")
LENGTH = struct.Struct(">I")


class Answer(msgspec.Struct):
    """One file's answer: the document, or the sentence of why there is none.

    `wordless` says that it has no words, `spent` asks for another process.
    """

    document: Document | None = None
    sentence: str = ""
    wordless: bool = False
    spent: bool = False
