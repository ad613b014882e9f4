"""Points that a person read otherwise: recall of one rubric version, shown to them, never sent to a scorer."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.decisions import Answer
from core.errors import BadInput
from core.views.overrides import Habit, Overrides, read_overrides
from tests.contracts.rubrics import SIX, watched
from tests.contracts.screened import APPROVED, FIFTEEN, THREAD, day_one
from tests.homes import ROLE, Home


def known(home: Home, thread_id: str = THREAD) -> Overrides:
    """Answer what whoever acts is shown beside a question."""
    key = home.question(thread_id).facts["overrides"]
    with home.app.read() as conn:
        return read_overrides(conn, home.app.vault, home.tenant_id, key, home.actor.member.id, home.actor.now)


def answer(home: Home, thread_id: str, *, verdict: str = "reject", total: int | None = None, **points: int) -> None:
    """Answer a question with points of one's own: `c3=4`."""
    asked = home.question(thread_id)
    own = {int(name.removeprefix("c")): one for name, one in points.items()}
    home.answer(asked.id, Answer(verdict, asked.version, total=total, points=own))  # type: ignore[arg-type]
    home.run()


def nine(home: Home) -> list[str]:
    ids = [home.apply(f"Ann {number}", f"ann-{number}@example.com", cv=FIFTEEN) for number in range(9)]
    home.run()
    return ids


def test_the_store_knows_how_often_a_criterion_was_raised(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    model = {score["number"]: score["score"] for score in home.question(THREAD).facts["scores"]}
    ids = nine(home)
    for thread_id in ids[:6]:
        answer(home, thread_id, c3=model[3] + 1)
    for thread_id in ids[6:]:
        answer(home, thread_id, c3=model[3], c1=model[1] - 1)

    recalled = known(home)

    assert (recalled.source, recalled.answers, recalled.newest_at) == (f"{ROLE}/rubric@1", 9, APPROVED)
    assert list(recalled.habits) == [Habit(1, 0, 3), Habit(3, 6, 0), Habit(None, 6, 3)]


def test_a_total_of_one_s_own_counts_and_an_answer_without_any_does_not(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    ids = nine(home)
    answer(home, ids[0], total=20, verdict="approve")
    answer(home, ids[1])

    assert (known(home).answers, list(known(home).habits)) == (1, [Habit(None, 1, 0)])


def test_another_person_s_overrides_are_not_one_s_own(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    ids = nine(home)
    rae = home.add_person("rae@example.com")
    answer(rae, ids[0], c3=0)

    assert (known(home).answers, known(rae).answers) == (0, 1)


def test_no_override_is_ever_sent_to_the_scorer(tmp_path: Path) -> None:
    home, model = watched(day_one(tmp_path).at(APPROVED))
    ids = nine(home)
    answer(home, ids[0], c3=0, total=1)

    later = home.apply("Ben Example", "ben@example.com")
    home.run()

    assert "read as 0" in str(home.question(later).facts["override"])
    assert len(model.asked) == 10
    assert [word for word in ("read as", "override", "raised") if word in model.text] == []


@pytest.mark.seed("screen.retention.overrides")
def test_a_new_rubric_version_recalls_none_and_the_records_end(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    ids = nine(home)
    answer(home, ids[0], c3=0)
    before = known(home)

    home.save_rubric(SIX)
    home.run()

    assert (before.answers, known(home)) == (1, Overrides(f"{ROLE}/rubric@2", 0, None, []))
    assert home.look("SELECT expires_at FROM memories WHERE kind = 'override'") == [("2026-08-19T09:00:00.000Z",)]
    assert home.question(THREAD).facts["override"] is None


def test_what_is_remembered_of_earlier_applications_stays(tmp_path: Path) -> None:
    home = day_one(tmp_path).at(APPROVED)
    answer(home, THREAD)

    home.save_rubric(SIX)

    assert home.look("SELECT count(*) FROM memories WHERE kind = 'application' AND expires_at > '2027'") == [(1,)]


@pytest.mark.parametrize(("points", "said"), [({9: 1}, "no score for criterion 9"), ({3: 6}, "outside 0 to 5")])
def test_points_that_do_not_fit_are_refused_and_the_question_stays(
    tmp_path: Path, points: dict[int, int], said: str
) -> None:
    home = day_one(tmp_path).at(APPROVED)
    asked = home.question(THREAD)

    with pytest.raises(BadInput, match=said):
        home.answer(asked.id, Answer("approve", asked.version, points=points))

    assert home.question(THREAD) == asked
