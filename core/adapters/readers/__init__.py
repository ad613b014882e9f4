"""Reads an application file as a person would see it, by what is in it and not by its name.

kinds         what a file is; the one sentence for what is not read
characters    text without what nobody can see or no database can keep
text          plain text in the usual encodings
markdown      Markdown, with pictures dropped and link words kept
pdf           PDF, page by page
visibility    what on a PDF page nobody can see
painting      what is on a PDF page, in painting order
docx          DOCX, from its XML
unpacking     how far a DOCX may be unpacked
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from core.adapters.readers.kinds import FileKind, kind_of
from core.steps import Document

Read = Callable[[bytes], Document]


class ApplicationReader:
    """Reads plain text, Markdown, PDF and DOCX; refuses everything else in one sentence."""

    def read(self, content: bytes, name: str) -> Document:
        """Answer the document, or raise UnreadableFile with one sentence of at most 160 characters.

        `name` is used only to say so where it promises another kind of file.
        """
        return _read_of(kind_of(content, name))(content)


def _read_of(kind: FileKind) -> Read:
    """Load one format's module the first time a file of it comes.

    The PDF and Word libraries take a quarter of a second to import, which every command line call would pay.
    """
    module = importlib.import_module(f"{__name__}.{kind.value}")
    return cast(Read, module.read)
