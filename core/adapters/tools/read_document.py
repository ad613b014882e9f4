"""Read a text file of the folder and note its first sentence with its source."""

from __future__ import annotations

import re

import msgspec

from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError

MOST_BYTES = 8 * 1024 * 1024
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


class ReadDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Which file."""

    file: FileName


def run(place: Place, asked: ReadDocument) -> Output:
    """Read it whole; the note names the line that it stands at."""
    path = place.path(asked.file)
    if not path.is_file():
        raise ToolError("no_such_file", f"There is no file {asked.file} in the folder.")
    if path.stat().st_size > MOST_BYTES:
        raise ToolError("too_much", f"{asked.file} is larger than 8 MB.")
    raw = path.read_bytes()
    text = raw.decode("utf-8", "replace")
    lines = [(n, line.strip("# ").strip()) for n, line in enumerate(text.split("\n"), 1)]
    at, line = next(((n, line) for n, line in lines if line), (1, ""))
    first = _SENTENCE.match(line)
    note = first[0].strip() if first else "It is empty"
    said = f"{asked.file}, line {at}: {note}"
    return Output(said, raw, {f"note of {asked.file}": f"{note} ({asked.file}, line {at})"})


READ_DOCUMENT = Tool("read_document", "Read a text file and note its first sentence.", ReadDocument, run)
