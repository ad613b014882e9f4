"""Remove a file. There is no way back, so a person is asked; nor does a folder keep keys, so a doubt is theirs too."""

from __future__ import annotations

import hashlib

import msgspec

from core.adapters.disk import flush_folder
from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError


class RemoveFile(msgspec.Struct, forbid_unknown_fields=True):
    """Which file."""

    file: FileName


def run(place: Place, asked: RemoveFile) -> Output:
    """Remove it."""
    path = place.path(asked.file)
    if not path.is_file():
        raise ToolError("no_such_file", f"There is no file {asked.file} in the folder.")
    content = path.read_bytes()
    path.unlink()
    flush_folder(path.parent)
    raw = f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}\n".encode()
    return Output(f"Removed {asked.file} ({len(content)} bytes)", raw, {f"removed {asked.file}": "yes"})


REMOVE_FILE = Tool(
    "remove_file", "Remove a file for good. A person is asked first.", RemoveFile, run, honours_keys=False,
    reversible=False,
)  # fmt: skip
