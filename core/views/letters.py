"""A role's letters as they stand, and since which version each says what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.catalog.configs import UNWRITTEN, Version
from core.catalog.letters import LETTERS, complete
from core.steps import Config, Json

KINDS = ("role", "letters", "booking")


@dataclass(frozen=True, slots=True)
class LetterShown:
    """One letter: the version in which it was changed last, when that was, and by whom."""

    name: str
    since: int
    changed_at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class LettersShown:
    """What a role's letters are filled from, at its newest versions, and the letters in their order."""

    role: Config
    letters: Config
    booking: Config
    each: Sequence[LetterShown]


def show_letters(kept: Mapping[str, Sequence[Version]], names: Mapping[str, str]) -> LettersShown:
    """Answer a role's letters from every version of KINDS that it has; `names` are its tenant's people by id."""
    since: dict[str, Version] = {}
    content: Mapping[str, Json] = {}
    for one in kept["letters"]:
        before, content = content, complete(one.content)
        since |= {name: one for name in LETTERS if content[name] != before.get(name)}
    each = [
        LetterShown(name, one.version, one.created_at, names.get(one.created_by, "")) for name, one in since.items()
    ]
    role, booking = (_newest(kind, kept[kind]) for kind in ("role", "booking"))
    return LettersShown(role, Config("letters", kept["letters"][-1].version, content), booking, each)


def _newest(kind: str, versions: Sequence[Version]) -> Config:
    if not versions:
        return Config(kind, 0, UNWRITTEN[kind])
    return Config(kind, versions[-1].version, versions[-1].content)
