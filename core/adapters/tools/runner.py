"""Carries out effects of kind `tool`: finds the tool that the payload names and runs it in the folder it names."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from core.adapters.tools.tool import Output, Place, Tool, ToolError, write_output
from core.errors import EffectTurnedDown
from core.keys import canonical
from core.ports import Delivery, EffectAdapter, Envelope, NotSent, Prepared, Sent, Unknown
from core.steps import Json


class ToolAdapter:
    """One tool as an adapter: what it declares is what the ledger goes by."""

    can_be_asked = False

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.honours_keys = tool.honours_keys

    def needs_approval(self, payload: Mapping[str, Json]) -> bool:  # noqa: ARG002 - the tool says, whatever it is for
        """Say whether a person must have released it."""
        return not self.tool.reversible

    def prepare(self, envelope: Envelope) -> Prepared:
        """Check arguments and folder; what does not fit was let through by other code, and a person looks."""
        wrong = self.tool.spec.check(envelope.payload.get("arguments"))
        if wrong:
            raise EffectTurnedDown(f"{envelope.key}: the arguments do not fit {self.tool.name}: {wrong}.")
        if not Path(str(envelope.payload.get("folder"))).is_dir():
            raise EffectTurnedDown(f"{envelope.key}: the folder of this run is not there.")
        return Prepared(envelope, b"", via=self.tool.name)

    def deliver(self, prepared: Prepared) -> Delivery:
        """Run it; what it answers is kept whole, an answer that it could not included."""
        envelope, tool = prepared.envelope, self.tool
        asked = hashlib.sha256(canonical({"tool": tool.name, "arguments": envelope.payload["arguments"]})).hexdigest()
        place = Place(Path(str(envelope.payload["folder"])), envelope.key, asked)
        arguments = msgspec.convert(envelope.payload["arguments"], tool.arguments)
        try:
            content = write_output(tool.run(place, arguments))
        except ToolError as error:
            content = write_output(Output(error.said), code=error.code)
        except sqlite3.OperationalError:
            return NotSent("busy")  # told apart from all other errors of a database by `told`
        return Sent(f"tool:{tool.name}", content=content, media_type="text/plain")

    def ask(self, envelope: Envelope) -> Delivery:  # noqa: ARG002 - no tool can be asked
        """Say that nobody knows."""
        return Unknown("cannot be asked")


class Tools:
    """Several tools behind one kind of effect."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._adapters = {tool.name: ToolAdapter(tool) for tool in tools}

    def of(self, payload: Mapping[str, Json]) -> EffectAdapter:
        """Answer the adapter of the tool that a payload names."""
        name = str(payload.get("tool"))
        if name not in self._adapters:
            raise EffectTurnedDown(f"The loaded code has no tool {name[:40]!r}.")
        return self._adapters[name]
