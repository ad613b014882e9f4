"""A worker is killed at each place on an effect's way; the next one finishes, and one letter has left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.desk.outside import settle_unknown_effect
from tests.crash.acts import engine_of
from tests.crash.post import sent_by
from tests.crash.processes import KILLED, Nursery
from tests.crash.records import assert_clean, attempts, ledger, letters, thread
from tests.crash.seams import EFFECT_SEAMS
from tests.homes import Home

pytestmark = pytest.mark.crash

Bring = Callable[[int], list[str]]


@pytest.mark.seed("screen.story.mid-flight", "screen.check.3", "atlas.F1.prevent")
@pytest.mark.parametrize("seam", EFFECT_SEAMS)
@pytest.mark.case("X01")
def test_a_killed_worker_leaves_one_letter_each_and_the_next_one_finishes(
    seam: str, home: Home, approved: Bring, nursery: Nursery
) -> None:
    ids = approved(3)
    invites = [f"{one}/invite" for one in ids]
    assert nursery.start("work", home, seam=seam).wait() == KILLED
    left = EFFECT_SEAMS[seam].left
    assert ledger(home) == (dict.fromkeys(invites, left) if left else {})
    assert len(home.letters()) == EFFECT_SEAMS[seam].letters

    home.run()

    assert letters(home) == dict.fromkeys(invites, 1)
    assert ledger(home) == dict.fromkeys(invites, "done")
    assert [(thread(home, one).status, thread(home, one).waits_for) for one in ids] == [("waiting", "event")] * 3
    assert [thread(home, one).lease_holder for one in ids] == [None] * 3
    assert [code for _, _, code in attempts(home) if code != "process_died"] == []
    assert_clean(home)
    assert list((home.app.home / "outbox").glob(".*")) == []


@pytest.mark.seed("agent.resume.crash")
@pytest.mark.parametrize("seam", EFFECT_SEAMS)
@pytest.mark.case("I09")
def test_a_killed_worker_leaves_the_same_checkpoints_as_one_that_lived(
    seam: str, home: Home, approved: Bring, nursery: Nursery
) -> None:
    (killed,) = approved(1)
    assert nursery.start("work", home, seam=seam).wait() == KILLED
    home.run()
    lived = home.apply("Ben Example", "ben@example.com")
    home.run()
    home.decide(lived)
    home.run()

    steps = "SELECT number, step, next_step, cause FROM checkpoints WHERE thread_id = :id ORDER BY number"
    assert home.look(steps, id=killed) == home.look(steps, id=lived)


def test_a_decision_whose_process_died_at_once_is_carried_out(
    home: Home, reviewed: Bring, nursery: Nursery, tmp_path: Path
) -> None:
    (one,) = reviewed(1)
    question = home.question(one)
    child = nursery.start(
        "decide", home, approval=question.id, version=question.version, by="owner@example.com",
        said=str(tmp_path / "said"), dies=True,
    )  # fmt: skip
    assert child.wait() == KILLED

    home.run()

    assert letters(home) == {f"{one}/invite": 1}
    assert_clean(home)


@pytest.mark.seed("atlas.F1.repair")
@pytest.mark.parametrize("dies", ["before", "after"])
@pytest.mark.case("X02")
def test_a_post_that_can_be_asked_is_asked_after_a_death(
    dies: str, home: Home, approved: Bring, nursery: Nursery
) -> None:
    (one,) = approved(1)
    post = {"can_be_asked": True}
    assert nursery.start("work", home, post={**post, "dies": dies}).wait() == KILLED

    nursery.start("work", home, post=post).finish()

    assert sent_by(home.app.home / "post") == [f"{one}/invite"]
    assert ledger(home) == {f"{one}/invite": "done"}
    assert_clean(home)


@pytest.mark.parametrize(("dies", "happened"), [("before", None), ("after", "seen at the post office")])
@pytest.mark.case("X02")
def test_where_nobody_can_be_asked_a_person_settles_it_and_nothing_goes_twice(
    dies: str, happened: str | None, home: Home, approved: Bring, nursery: Nursery
) -> None:
    (one,) = approved(1)
    key, book, post = f"{one}/invite", home.app.home / "post", {"can_be_asked": False}
    assert nursery.start("work", home, post={**post, "dies": dies}).wait() == KILLED
    nursery.start("work", home, post=post).finish()
    assert (ledger(home), thread(home, one).status) == ({key: "unknown"}, "parked")
    assert sent_by(book) == ([] if dies == "before" else [key])

    actor = home.actor
    home.app.act(actor, "settle", lambda tx: settle_unknown_effect(tx, home.app.desk, actor, key, happened))
    engine_of(home.app, post).run_until_idle()

    assert sent_by(book) == [key]
    assert (ledger(home), thread(home, one).status) == ({key: "done"}, "waiting")
    assert_clean(home)
