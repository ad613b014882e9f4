"""Check that a file is what its name says: JSON that parses, CSV whose rows are of one length, text that is UTF-8."""

from __future__ import annotations

import csv
import io
import json

import msgspec

from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError

MOST_BYTES = 32 * 1024 * 1024


class CheckFile(msgspec.Struct, forbid_unknown_fields=True):
    """Which file."""

    file: FileName


def run(place: Place, asked: CheckFile) -> Output:
    """Check; that a file is broken is a finding and no error."""
    path = place.path(asked.file)
    if not path.is_file():
        raise ToolError("no_such_file", f"There is no file {asked.file} in the folder.")
    if path.stat().st_size > MOST_BYTES:
        raise ToolError("too_much", f"{asked.file} is larger than 32 MB.")
    wrong = _wrong(path.suffix, path.read_bytes())
    found = f"broken: {wrong}" if wrong else "sound"
    return Output(f"{asked.file} is {found}", f"{found}\n".encode(), {f"check of {asked.file}": found})


def _wrong(suffix: str, content: bytes) -> str:
    if not content:
        return "it is empty"
    try:
        text = content.decode()
        if suffix == ".json":
            json.loads(text)
        if suffix == ".csv" and len({len(row) for row in csv.reader(io.StringIO(text)) if row}) > 1:
            return "its rows differ in length"
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except (ValueError, csv.Error):
        return f"it is not {suffix[1:].upper()}"
    return ""


CHECK_FILE = Tool("check_file", "Check that a file is what its name says.", CheckFile, run)
