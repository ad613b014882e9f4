"""What a tool is: its arguments, what it declares, what it does in a place, and the line its output is distilled to.

One small file a tool. Arguments are a msgspec Struct: it is the schema that a model is told, and the check.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import msgspec

from core.steps import ToolSpec, plain, tool_spec

FileName = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="a path inside the folder")]
TableName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class ToolError(Exception):
    """The tool answered that it could not: nothing was done. `code` is a short word, `said` a sentence."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(said)
        self.code, self.said = code, said


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tool works: one folder and nothing beside it, under the key of this act."""

    folder: Path
    key: str
    asked: str = ""  # a digest of what is asked under the key, so that another request under it is refused

    def path(self, name: str) -> Path:
        """Answer a path inside the folder; raises ToolError for any other, links that lead out of it included."""
        folder = self.folder.resolve()
        if "\0" in name or not (found := (folder / name).resolve()).is_relative_to(folder) or found == folder:
            raise ToolError("path_outside", f"{plain(name)} is not inside the folder of this run.")
        return found


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool brings: the line it is distilled to, facts that later steps go by, and all of it, raw."""

    line: str
    raw: bytes = b""
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `arguments` is its Struct; `run` may raise ToolError, and then nothing was done.

    `honours_keys`: the same key again repeats nothing. Not `reversible`: a person is asked before it runs.
    """

    name: str
    description: str
    arguments: type[msgspec.Struct]
    run: Callable[[Place, Any], Output]
    honours_keys: bool = True
    reversible: bool = True

    @property
    def spec(self) -> ToolSpec:
        """Answer it as a model is told of it."""
        declares = {"honours_keys": self.honours_keys, "reversible": self.reversible}
        return tool_spec(self.name, self.description, self.arguments, **declares)


def write_output(output: Output, *, code: str = "") -> bytes:
    """Write an output as it is kept: a first line of JSON for the step, then all of it, raw. `code` names a failure."""
    facts = {plain(name, 80): plain(value) for name, value in output.facts.items()}
    head = {"line": plain(output.line), "facts": facts, "code": code, "size": len(output.raw)}
    return json.dumps(head, ensure_ascii=False).encode("utf-8", "replace") + b"\n" + output.raw
