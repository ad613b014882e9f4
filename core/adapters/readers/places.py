"""Places on a PDF page: boxes, and the matrices that put things there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Matrix = tuple[float, float, float, float, float, float]

NOT_MOVED: Matrix = (1, 0, 0, 1, 0, 0)
_THINNEST = 2.0


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the page, in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def is_a_line(self) -> bool:
        """Say whether it is too thin to lie over or under any text."""
        return min(self.right - self.left, self.top - self.bottom) < _THINNEST

    def holds(self, other: Box) -> bool:
        """Say whether the middle of the other lies in this one."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def covers(self, other: Box) -> bool:
        """Say whether all of the other lies in this one."""
        slack = 1.0
        return (
            self.left - slack <= other.left
            and self.right + slack >= other.right
            and self.bottom - slack <= other.bottom
            and self.top + slack >= other.top
        )

    def touches(self, other: Box) -> bool:
        """Say whether any of the other lies in this one."""
        apart = self.right <= other.left or self.left >= other.right
        return not apart and self.bottom < other.top and self.top > other.bottom

    @property
    def area(self) -> float:
        """How much of the page it takes."""
        return max(0.0, self.right - self.left) * max(0.0, self.top - self.bottom)

    def within(self, other: Box) -> Box:
        """Answer what lies in both; it has no area where nothing does."""
        return Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )


def around(points: Sequence[tuple[float, float]], form: Matrix = NOT_MOVED) -> Box:
    """Answer the box around some points, at least one, after a matrix put them on the page."""
    xs = [x * form[0] + y * form[2] + form[4] for x, y in points]
    ys = [x * form[1] + y * form[3] + form[5] for x, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def times(first: Matrix, then: Matrix) -> Matrix:
    """Answer the matrix that does what the first does, and then the other."""
    if then == NOT_MOVED:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r, a * q + b * s,
        c * p + d * r, c * q + d * s,
        e * p + f * r + t, e * q + f * s + u,
    )  # fmt: skip
