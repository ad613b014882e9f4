"""The demo's applicants for role 14: invented people with real files, the same in every run.

people  names and addresses
lines   what CVs say, by criterion and strength
cv      a CV put together, with its form and note
files   a CV as PDF, DOCX, Markdown or text
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from core.demo.cv import Strengths, cover_of, cv_of, form_of, strengths_of
from core.demo.files import ending_of, write
from core.demo.people import PRIYA_SHAH, person
from core.identity import fold_words

_FILES = Path(__file__).resolve().parents[2] / "data" / "demo"
ROLE_FILE = _FILES / "role-14.md"
ATLAS_FILES = (_FILES / "atlas" / "approved.csv", _FILES / "atlas" / "export-44.csv")

_OVER = timedelta(hours=66)
_PRIYA_BEFORE = timedelta(hours=16)


@dataclass(frozen=True, slots=True)
class Earlier:
    """An application of the same person to an earlier role."""

    applied_before: timedelta
    outcome: str

    def text(self, now: datetime) -> str:
        """Answer the line that recall keeps, such as "applied in March, declined at review"."""
        return f"applied in {now - self.applied_before:%B}, {self.outcome}"


@dataclass(frozen=True, slots=True)
class DemoApplicant:
    """One invented applicant. `file` is a name in the demo's folder; `strengths` are meant, not scored."""

    number: int
    name: str
    email: str | None
    file: str
    cover: str | None
    form: Mapping[str, str]
    applied_before: timedelta
    strengths: Strengths
    earlier: Earlier | None = None


_EARLIER = {
    12: Earlier(timedelta(days=150), "declined at review"),
    85: Earlier(timedelta(days=118), "invited, did not book"),
}


def write_applicants(folder: Path, count: int = 150, numbers: Sequence[int] | None = None) -> list[DemoApplicant]:
    """Write the CVs of applicants 1 to `count`, or of these only, and answer who they are, as they apply."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write_applicant(folder, number, count) for number in numbers or range(1, count + 1)]


def _write_applicant(folder: Path, number: int, count: int) -> DemoApplicant:
    someone = person(number)
    ending = ending_of(number, someone.name)
    file = f"{number:04}-{'-'.join(fold_words(someone.name))}.{ending}"
    (folder / file).write_bytes(write(cv_of(number, someone), ending, number))
    return DemoApplicant(
        number=number,
        name=someone.name,
        email=someone.email,
        file=file,
        cover=cover_of(number, someone),
        form=form_of(number, someone),
        applied_before=_applied_before(number, count),
        strengths=strengths_of(number),
        earlier=_EARLIER.get(number),
    )


def _applied_before(number: int, count: int) -> timedelta:
    """Spread the applications over three days; Priya Shah's comes sixteen hours before now."""
    if number == PRIYA_SHAH:
        return _PRIYA_BEFORE
    after = number - PRIYA_SHAH
    if after > 0:
        return _PRIYA_BEFORE - after * _PRIYA_BEFORE / (max(count, PRIYA_SHAH) - PRIYA_SHAH + 1)
    return _PRIYA_BEFORE - after * (_OVER - _PRIYA_BEFORE) / PRIYA_SHAH
