"""An invented applicant and the role they apply for, for the tests of screening."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from core.catalog.role_text import read_role
from core.steps import Config, Document, HiddenText, Person
from core.workflows.screening import Screening
from tests.fakes import FakeKit

ROLE = """# Role 14: senior brand designer

We are a twelve-person agency.

Rules checked first: right to work in the UK; portfolio link present; notice period of twelve weeks or less.

| # | Criterion | 0 | 1 | 3 | 5 |
|---|---|---|---|---|---|
| 1 | Led a brand from brief to launch | no sign | helped | led part | led whole, result stated |
| 2 | Craft shown in the work listed | none | listed only | two described | described with reasons |
| 3 | Works with clients | no sign | present | presents | runs the relation |
| 4 | Teaches or reviews others | no sign | informal | one person | regular and named |
| 5 | Writes plainly | unreadable | hard to follow | clear | clear and brief |

Below 12: decline draft. 12 to 17: founder reviews. 18 and up: invite draft, founder still approves.
"""
LED = "Led the rebrand of Harrow Mill Bakery from brief to launch; repeat orders rose 18 %."
CRAFT = "Designed the packaging for Fern & Co with a new label grid."
CLIENTS = "Present work to clients every fortnight."
TEACHES = "Mentor one junior designer."
WRITES = "I like clear layouts and simple type."
CV = "\n".join(["Priya Shah", "Brand designer in Leeds", "", LED, CRAFT, CLIENTS, TEACHES, WRITES])
FORM = {"right_to_work": "yes", "portfolio": "https://priya.example.com", "notice_weeks": "4"}


@cache
def configs(**settings: int) -> dict[str, Config]:
    contents = read_role(ROLE, "role.md").contents
    contents["role"] = {**contents["role"], **settings}
    return {kind: Config(kind, 1, content) for kind, content in contents.items()}


def document(
    *pages: str, hidden: str = "", doubts: tuple[str, ...] = (), media_type: str = "text/plain"
) -> Document:
    pieces = (HiddenText(hidden, "page 1", "white on white"),) if hidden else ()
    return Document(media_type, pages, pieces, doubts)


def kit_for(
    cv: Document | None = None,
    *,
    form: dict[str, str] | None = None,
    email: str | None = "priya.shah@example.com",
    name: str | None = "Priya Shah",
    **settings: int,
) -> FakeKit:
    person = Person(name, email, FORM if form is None else form, 1)
    return FakeKit(configs(**settings), person, {"blob:cv": cv or document(CV)})


def applied(cover_ref: str | None = None) -> Screening:
    return Screening("blob:cv", cover_ref, datetime(2026, 3, 4, 17, 0, tzinfo=UTC))


def reply(*scores: Any, quotes: tuple[str, ...] = (LED, CRAFT, CLIENTS, TEACHES, WRITES)) -> dict[str, Any]:
    lines = enumerate(zip(scores, quotes, strict=True), 1)
    return {"scores": [{"criterion": n, "score": score, "quote": quote} for n, (score, quote) in lines]}
