"""A batch: alike questions under one verdict, each with its own result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.desk.batches import Result, decide_batch
from core.errors import BadInput, NotAllowed
from core.review.batch import Marked
from core.steps import Verdict
from tests.homes import CV, Home, open_home

NO_RIGHT = CV.replace("Right to work in the UK: yes", "Right to work in the UK: no")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_role()
    return home


def three(home: Home, cv: str = CV) -> list[str]:
    found = [home.apply(f"{name} Example", f"{name.lower()}@example.com", cv=cv) for name in ("Ann", "Ben", "Cat")]
    home.run()
    return found


def marks(home: Home, threads: Sequence[str], *, opened: bool) -> list[Marked]:
    asked = [home.question(thread) for thread in threads]
    return [Marked(one.id, one.version, opened) for one in asked]


def decide(home: Home, marked: Sequence[Marked], verdict: Verdict) -> list[Result]:
    actor = home.actor
    return decide_batch(
        home.app.read, lambda command: home.app.act(actor, "decide", command), home.app.desk, actor, marked,
        (verdict, None),
    )  # fmt: skip


def became(results: Sequence[Result]) -> list[str]:
    return [one.became for one in results]


def test_opened_questions_are_approved_together_and_each_sends_its_own_letter(home: Home) -> None:
    threads = three(home)

    results = decide(home, marks(home, threads, opened=True), "approve")
    home.run()

    assert became(results) == ["done"] * 3
    assert [list(home.mail(thread)) for thread in threads] == [["invite"]] * 3


def test_what_nobody_opened_is_never_approved_in_a_batch(home: Home) -> None:
    threads = three(home)
    marked = [*marks(home, threads[:2], opened=True), *marks(home, threads[2:], opened=False)]

    with pytest.raises(BadInput, match="never opened"):
        decide(home, marked, "approve")

    assert [home.question(thread).status for thread in threads] == ["pending"] * 3


def test_what_nobody_opened_is_declined_for_a_failed_rule(home: Home) -> None:
    threads = three(home, NO_RIGHT)

    assert became(decide(home, marks(home, threads, opened=False), "reject")) == ["done"] * 3


def test_what_nobody_opened_is_never_declined_for_a_models_score(home: Home) -> None:
    threads = three(home, "{name}\n{email}\nRight to work in the UK: yes\n")
    assert {home.question(thread).facts["proposal"] for thread in threads} <= {"decline", "review"}

    with pytest.raises(BadInput, match="only a failed rule"):
        decide(home, marks(home, threads, opened=False), "reject")

    assert [home.question(thread).status for thread in threads] == ["pending"] * 3


def test_one_that_was_answered_meanwhile_is_skipped_and_rolls_back_nothing(home: Home) -> None:
    threads = three(home)
    marked = marks(home, threads, opened=True)
    home.decide(threads[1], "reject")

    results = decide(home, marked, "approve")
    home.run()

    assert became(results) == ["done", "stale", "done"]
    assert [list(home.mail(thread)) for thread in threads] == [["invite"], ["decline"], ["invite"]]


def test_one_that_fails_has_its_own_result(home: Home) -> None:
    threads = three(home)
    marked = [*marks(home, threads, opened=True), Marked("apr-none", 1, is_opened=True)]

    assert became(decide(home, marked, "approve")) == ["done", "done", "done", "failed"]


def test_questions_that_are_not_alike_are_not_answered_together(home: Home) -> None:
    mixed = [home.apply("Ann Example"), home.apply("Ben Example", "ben@example.com", cv=NO_RIGHT)]
    home.run()

    with pytest.raises(BadInput, match="reason"):
        decide(home, marks(home, mixed, opened=True), "reject")

    assert [home.question(thread).status for thread in mixed] == ["pending"] * 2


@pytest.mark.parametrize("count", [0, 51])
def test_a_batch_is_bounded(home: Home, count: int) -> None:
    with pytest.raises(BadInput, match="1 to 50"):
        decide(home, [Marked(f"apr-{number}", 1, is_opened=True) for number in range(count)], "approve")


def test_a_viewer_answers_no_batch_and_another_tenant_reaches_nothing(home: Home) -> None:
    marked = marks(home, three(home), opened=True)
    viewer, other = home.add_person("vic@example.com", "viewer"), home.add_tenant("other")

    with pytest.raises(NotAllowed):
        decide(viewer, marked, "approve")
    assert became(decide(other, marked, "approve")) == ["failed"] * 3
