"""Write a report as a file of the folder."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec

from core.adapters.disk import flush_folder, unfinished
from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError


class WriteReport(msgspec.Struct, forbid_unknown_fields=True):
    """Under which name, and its text."""

    file: FileName
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]


def run(place: Place, asked: WriteReport) -> Output:
    """Write it, whole; one that says the same is there already. Another file is never written over."""
    path, content = place.path(asked.file), asked.text.encode("utf-8", "replace")
    if path.suffix not in (".md", ".txt"):
        raise ToolError("bad_arguments", "A report is a file whose name ends in .md or .txt.")
    if path.exists() and path.read_bytes() != content:
        raise ToolError("file_exists", f"{asked.file} is there already and says something else.")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(path.parent, content) as written:
            os.link(written, path)  # unlike a rename it never takes the place of a file that came in between
        flush_folder(path.parent)
    return Output(f"Wrote {asked.file} ({len(content)} bytes)", content, {"report": asked.file})


WRITE_REPORT = Tool("write_report", "Write a report (.md or .txt) into the folder.", WriteReport, run)
