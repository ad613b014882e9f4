"""Twenty facts, each where the data map and the packets say that it belongs."""

from __future__ import annotations

import pytest

from core.bootstrap import WORKFLOWS
from core.desk.packets import build
from core.steps import Kind, Rule
from core.threads.rows import get_thread
from core.workshop.atlas import JOB
from core.workshop.facts import FACTS, PLACES, count_right, get_fact, place_all
from tests.workshop.conftest import ONE
from tests.workshop.test_class import Class

PLACED = place_all(WORKFLOWS.values())


def test_twenty_facts_are_placed_by_the_map_and_every_place_has_some() -> None:
    assert len(PLACED) == len(FACTS) == 20
    assert {one.place for one in PLACED.values()} == set(PLACES)


@pytest.mark.seed("screen.kind.working", "screen.retention.prompt", "screen.retention.cv-file")
def test_a_cvs_text_lives_for_its_step_and_the_raw_reply_is_thrown_away() -> None:
    assert {one: PLACED[one].place for one in ("cv_text", "reply", "cv_file", "reasoning")} == {
        "cv_text": "context", "reply": "discard", "cv_file": "state", "reasoning": "discard",
    }  # fmt: skip
    text, file = PLACED["cv_text"].entry, PLACED["cv_file"].entry
    assert (text and text.rule, file and (file.kind, file.rule)) == (Rule.STEP, (Kind.INPUT, Rule.CLOSE_6_MONTHS))


@pytest.mark.seed("screen.check.2")
def test_a_scoring_preference_is_a_rubrics_criterion_and_memorys_own_door_says_so() -> None:
    preference = PLACED["preference"]
    assert (preference.place, preference.entry and preference.entry.store) == ("rendered", "configs")
    assert preference.refusal is not None
    assert "Make it a criterion" in preference.refusal


def test_what_is_rendered_is_what_the_packets_of_both_workflows_are_made_of(classroom: Class) -> None:
    team, sources = classroom(ONE), set()
    for thread_id in (JOB, "role-14/app-0003"):
        with team.app.read() as conn:
            thread = get_thread(conn, ONE, thread_id)
            built = build(conn, team.app.desk, thread, team.actor.now, {})
        sources |= {item.source for item in built.admitted.items}
    sent = {one.sent_as for one in FACTS if one.sent_as}
    assert sent <= sources, sources


@pytest.mark.seed("screen.packet.no-search")
def test_a_scorer_is_handed_fields_and_no_way_to_search(classroom: Class) -> None:
    team = classroom(ONE)
    with team.app.read() as conn:
        built = build(conn, team.app.desk, get_thread(conn, ONE, "role-14/app-0003"), team.actor.now, {})
    packet = built.admitted.packet
    assert (packet.tools, packet.memory) == ((), ())
    assert len([one for one in built.admitted.items if one.source == "memories"]) <= 1


def test_only_the_right_places_count() -> None:
    right = {one: PLACED[one].place for one in PLACED}
    assert count_right(PLACED, right) == 20
    assert count_right(PLACED, {**right, "goal": "memory"}) == 19
    assert count_right(PLACED, {}) == 0
    assert get_fact("goal").id == "goal"
