"""Text and times that databases disagree about: kept alike on both, and one odd applicant is no other's trouble."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import select

from core.desk.intake import Incoming, accept
from core.threads.rows import threads
from tests.homes import CV, ROLE, open_home


@pytest.mark.case("S07")
def test_a_nul_in_a_cv_is_left_out_and_its_line_is_evidence_all_the_same(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()

    thread_id = home.apply(cv=CV.replace("fortnight", "fort\x00night"))
    home.run()

    assert home.ending(thread_id)[0] == "awaiting_review"
    quotes = [str(one["quote"]) for one in home.question(thread_id).facts["scores"] if one["quote"]]
    assert any("every fortnight" in quote for quote in quotes), quotes
    assert not any("\x00" in quote for quote in quotes)
    assert home.verify() == []


@pytest.mark.case("S08")
def test_half_a_character_in_one_of_many_applications_stops_none_of_them(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    incoming = [
        Incoming("cv.txt", CV.format(name="Ann", email=f"ann{n}@example.com").encode(), email=f"ann{n}@example.com",
                 form={"note": "I like \ud83c it" if n == 71 else "I like it"})
        for n in range(150)
    ]  # fmt: skip

    outcomes = accept(home.app.write, home.app.desk, home.actor, ROLE, incoming)
    home.run()

    taken = [one.thread_id for one in outcomes if one.thread_id]
    assert len(taken) >= 149
    assert all(one.thread_id or one.reason for one in outcomes)
    asked = home.look("SELECT count(*) FROM threads WHERE status = 'awaiting_review'")
    assert asked == [(len(taken),)]
    assert home.run() == 0
    assert home.verify() == []


@pytest.mark.case("S05")
def test_a_time_with_another_offset_is_the_same_instant_and_found_by_bounds_of_any_zone(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    thread_id = home.apply()
    written = datetime.fromisoformat("2026-06-19 13:26:43-08:00")
    with home.app.write() as tx:
        tx.conn.execute(threads.update().where(threads.c.id == thread_id).values(wake_at=written))
    india = timezone(timedelta(hours=5, minutes=30))

    def between(first: datetime, last: datetime) -> list[datetime]:
        query = select(threads.c.wake_at).where(threads.c.wake_at >= first, threads.c.wake_at < last)
        with home.app.read() as conn:
            return list(conn.execute(query).scalars())

    instant = datetime(2026, 6, 19, 21, 26, 43, tzinfo=UTC)
    a_second = timedelta(seconds=1)
    assert between(instant.astimezone(india), instant.astimezone(india) + a_second) == [instant]
    assert between(instant.astimezone(india) + a_second, instant + 2 * a_second) == []
