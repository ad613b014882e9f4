"""State to saved fields and back, strictly: what cannot come back equal is refused when it is saved, by name.

State is a frozen dataclass. Each field is saved on its own, as JSON, in the section of its retention rule; a
checkpoint stores the fields that changed, the thread's sections store the current ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any, get_type_hints

import msgspec

from core.errors import OutcomeRefused, StateUnreadable
from core.steps import Rule, State

Fields = dict[str, bytes]


class StateCodec:
    """Writes and reads one state dataclass."""

    def __init__(self, schema: type) -> None:
        self.schema = schema
        hints = get_type_hints(schema)
        self._fields = {field.name: field for field in dataclasses.fields(schema)}
        self._types = {name: hints[name] for name in self._fields}
        self.rules = {name: Rule(str(field.metadata["rule"])) for name, field in self._fields.items()}
        self._encoder = msgspec.json.Encoder()
        self._decoders = {name: msgspec.json.Decoder(hint) for name, hint in self._types.items()}

    def encode(self, state: State, before: State | None = None) -> Fields:
        """Answer every field as JSON; raises OutcomeRefused naming a field that would not come back equal.

        What `before`, the state as it was read, holds already is not tried again.
        """
        if type(state) is not self.schema:
            raise OutcomeRefused(
                f"A step answered with {type(state).__name__} as state; {self.schema.__name__} is wanted."
            )
        fields: Fields = {}
        for name in self._fields:
            value = getattr(state, name)
            fields[name] = written = self._write(name, value)
            if before is None or getattr(before, name) is not value:
                self._check(name, value, written)
        return fields

    def _write(self, name: str, value: object) -> bytes:
        try:
            return self._encoder.encode(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise OutcomeRefused(
                f"State field {name} holds a {type(value).__name__}, which cannot be saved."
            ) from error

    def _check(self, name: str, value: object, written: bytes) -> None:
        try:
            same = self._decoders[name].decode(written) == value
        except msgspec.ValidationError as error:
            raise OutcomeRefused(f"State field {name} does not fit its type: {error}.") from error
        if not same:
            raise OutcomeRefused(f"State field {name} would not come back equal; it holds {type(value).__name__}.")

    def decode(self, fields: Mapping[str, bytes], thread_id: str) -> State:
        """Answer the state; raises StateUnreadable naming the thread and the field."""
        unknown = sorted(set(fields) - set(self._fields))
        if unknown:
            raise StateUnreadable(f"{thread_id}: saved field {unknown[0]} is not known to the loaded code.")
        values: dict[str, Any] = {}
        for name, written in fields.items():
            try:
                values[name] = self._decoders[name].decode(written)
            except (msgspec.ValidationError, msgspec.DecodeError) as error:
                raise StateUnreadable(f"{thread_id}: saved field {name} cannot be read: {error}.") from error
        try:
            return self.schema(**values)
        except TypeError as error:
            raise StateUnreadable(f"{thread_id}: a saved field is missing: {error}.") from error

    def sections(self, fields: Mapping[str, bytes]) -> dict[Rule, bytes]:
        """Group fields by retention rule, each group written as one JSON object."""
        grouped: dict[Rule, list[bytes]] = {}
        for name, written in fields.items():
            grouped.setdefault(self.rules[name], []).append(b'"' + name.encode() + b'":' + written)
        return {rule: b"{" + b",".join(members) + b"}" for rule, members in grouped.items()}


_section = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read_section(content: bytes) -> Fields:
    """Answer the fields of one section as they were written."""
    return {name: bytes(raw) for name, raw in _section.decode(content).items()}


@cache
def codec_of(schema: type) -> StateCodec:
    """Answer the codec of a state dataclass, made once."""
    return StateCodec(schema)
