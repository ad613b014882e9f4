"""Rubrics for role 14 beside its own: a sixth criterion, other bands, and what a worker's model is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from core.ports import Model, ModelReply, Request
from tests.contracts.screened import FIFTEEN
from tests.homes import ROLE_FILE, Home

# An application that states what every rule asks: only its total decides what is proposed.
STATED = FIFTEEN + "Portfolio: https://work.example.com\nNotice period: four weeks\n"
FIVE = ROLE_FILE.read_text()
_FIFTH = "| 5 | Writes plainly | unreadable | hard to follow | clear | clear and brief |"
_SIXTH = "| 6 | Mentions agency work | none | one job | two jobs | led a team |"
_BANDS = "Below 12: decline draft. 12 to 17: the founder reviews. 18 and up: invite draft"
SIX = FIVE.replace(_FIFTH, f"{_FIFTH}\n{_SIXTH}").replace(
    _BANDS, "Below 14: decline draft. 14 to 21: the founder reviews. 22 and up: invite draft"
)
LENIENT = FIVE.replace(_BANDS, "Below 2: decline draft. 2 to 4: the founder reviews. 5 and up: invite draft")


@dataclass
class Watched:
    """A model that is watched: what it was asked, and what happens while it answers."""

    model: Model
    meanwhile: Callable[[], object] = lambda: None
    asked: list[Request] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that it was ever sent."""
        return "\n".join(item.text for request in self.asked for item in request.items)

    def answer(self, request: Request) -> ModelReply:
        self.asked.append(request)
        self.meanwhile()
        return self.model.answer(request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)


def watched(home: Home) -> tuple[Home, Watched]:
    """The same home with its model watched, by worker and desk alike."""
    model = Watched(home.app.parts.model)
    parts, desk = replace(home.app.parts, model=model), replace(home.app.desk, model=model)
    return replace(home, app=replace(home.app, parts=parts, desk=desk), has_own_code=True), model
