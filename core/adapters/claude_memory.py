"""Anthropic's memory tool over memory of ours. The vendor's base class checks nothing; here every command is checked.

An unknown word, an owner or a tenant given by the model, a wrong type: each is a tool error and reaches no row.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from core.errors import Refused
from core.ports import MemoryFiles


class _View(msgspec.Struct, tag_field="command", tag="view", forbid_unknown_fields=True):
    path: str
    view_range: tuple[int, int] | None = None


class _Create(msgspec.Struct, tag_field="command", tag="create", forbid_unknown_fields=True):
    path: str
    file_text: str


class _Replace(msgspec.Struct, tag_field="command", tag="str_replace", forbid_unknown_fields=True):
    path: str
    old_str: str
    new_str: str


class _Insert(msgspec.Struct, tag_field="command", tag="insert", forbid_unknown_fields=True):
    path: str
    insert_line: int
    insert_text: str


class _Delete(msgspec.Struct, tag_field="command", tag="delete", forbid_unknown_fields=True):
    path: str


class _Rename(msgspec.Struct, tag_field="command", tag="rename", forbid_unknown_fields=True):
    old_path: str
    new_path: str


class ClaudeMemory(BetaAbstractMemoryTool):
    """The tool as the vendor's client takes it: `tools=[ClaudeMemory(files)]`, or `call` with a tool call's input."""

    def __init__(self, files: MemoryFiles) -> None:
        super().__init__()
        self._files = files

    def call(self, input: object) -> str:
        """Carry out one command; raises ToolError with the sentence that the model is told."""
        try:
            msgspec.convert(input, _View | _Create | _Replace | _Insert | _Delete | _Rename)
        except msgspec.ValidationError as error:
            raise ToolError(f"This is no command of the memory tool: {error}.") from error
        return str(super().call(input))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or the declared names."""
        span = command.view_range
        return _told(lambda: self._files.view(command.path, (span[0], span[1]) if span else None))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Propose a text."""
        return _told(lambda: self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Propose a text with one place changed."""
        return _told(lambda: self._files.replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Propose a text with lines added."""
        return _told(lambda: self._files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Forget, so that it can be restored."""
        return _told(lambda: self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Refuse."""
        return _told(lambda: self._files.rename(command.old_path, command.new_path))


def _told(act: Callable[[], str]) -> str:
    try:
        return act()
    except Refused as refused:
        raise ToolError(refused.sentence) from refused
