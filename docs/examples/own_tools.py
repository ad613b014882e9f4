"""A tool of one's own: count the words of a text file. One file, one Struct, one function."""

from __future__ import annotations

import msgspec

from core.adapters.tools.tool import FileName, Output, Place, Tool, ToolError


class CountWords(msgspec.Struct, forbid_unknown_fields=True):
    """Which file."""

    file: FileName


def run(place: Place, asked: CountWords) -> Output:
    """Count; what goes wrong is an answer, and nothing was done."""
    path = place.path(asked.file)
    if not path.is_file():
        raise ToolError("no_such_file", f"There is no file {asked.file} in the folder.")
    words = path.read_text(encoding="utf-8", errors="replace").split()
    return Output(
        f"{asked.file} has {len(words)} words", "\n".join(words).encode(), {asked.file: f"{len(words)} words"}
    )


COUNT_WORDS = Tool("count_words", "Count the words of a text file.", CountWords, run)
