"""Reads one file in this process, by its kind. Whoever is at the door asks the pool instead, which has limits."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from core.adapters.readers.kinds import FileKind, kind_of
from core.adapters.readers.lists import refuse_role_texts
from core.adapters.readers.reasons import DAMAGED
from core.adapters.readers.usable import OTHER_LETTERS_DOUBT, UNUSABLE_DOUBT, is_body_of_a_file, is_usable
from core.errors import UnreadableFile
from core.steps import Document

LONG_DOUBT = "This file has {} pages; all of them were read."

_LONG_PAGES = 20
_Read = Callable[[bytes], Document]


def parse(content: bytes, name: str) -> Document:
    """Answer the document, or raise UnreadableFile with one sentence of at most 160 characters.

    `name` is used only to say so where it promises another kind of file.
    """
    return finish(_read_of(kind_of(content, name))(content))


def finish(document: Document) -> Document:
    """Answer a document with what is doubtful of any format, or raise UnreadableFile where it is no application."""
    if is_body_of_a_file(document.visible):
        raise UnreadableFile(DAMAGED)
    refuse_role_texts(document.visible)
    usable = document.usable and is_usable(document.visible)
    doubts = [] if usable else [UNUSABLE_DOUBT if document.usable else OTHER_LETTERS_DOUBT]
    if len(document.pages) >= _LONG_PAGES:
        doubts.append(LONG_DOUBT.format(len(document.pages)))
    return replace(document, doubts=(*document.doubts, *doubts), usable=usable)


def _read_of(kind: FileKind) -> _Read:
    """Load one format's module the first time a file of it comes.

    The PDF and Word libraries take a quarter of a second to import, which the first text file need not pay.
    """
    module = importlib.import_module(f"core.adapters.readers.{kind.value}")
    return cast(_Read, module.read)
