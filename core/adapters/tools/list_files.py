"""List the files of the folder."""

from __future__ import annotations

import msgspec

from core.adapters.tools.tool import Output, Place, Tool, ToolError

MOST = 500


class ListFiles(msgspec.Struct, forbid_unknown_fields=True):
    """The folder is the run's own; `ending` narrows it, such as .txt."""

    ending: str = ""


def run(place: Place, asked: ListFiles) -> Output:
    """List names and sizes, in order; hidden files and links are left aside."""
    found = sorted(
        path.name
        for path in place.folder.iterdir()
        if path.is_file() and not path.is_symlink() and path.name[0] != "." and path.name.endswith(asked.ending)
    )
    if len(found) > MOST:
        raise ToolError("too_much", f"There are {len(found)} files; name an ending that narrows them to {MOST}.")
    raw = "".join(f"{name}\t{place.path(name).stat().st_size}\n" for name in found)
    return Output(f"{len(found)} files are in the folder", raw.encode(), {"files": ", ".join(found) or "none"})


LIST_FILES = Tool("list_files", "List the files of the folder with their sizes.", ListFiles, run)
