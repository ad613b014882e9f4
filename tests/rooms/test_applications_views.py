"""Roles with their funnels, one page of a role's applications, and one application opened."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core.catalog.role_text import read_role
from core.clock import FIXTURE_START
from core.desk.asking import ask_thread
from core.desk.intake import Incoming, accept
from core.desk.roles import open_role
from core.errors import BadInput, NotAllowed, NotFound
from core.views.applications import (
    PAGE_SIZE,
    STAGES,
    Opened,
    list_applications,
    list_funnels,
    open_application,
)
from tests.homes import CV, ROLE, ROLE_FILE, Home, open_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home", hold_seconds=900)
    opened.add_role()
    yield opened
    opened.app.close()


def stages(home: Home) -> dict[str, dict[str, int]]:
    with home.app.read() as conn:
        return {one.role.id: dict(one.stages) for one in list_funnels(conn, home.tenant_id)}


def listed(home: Home, stage: str | None = None, number: int = 1, role_id: str = ROLE) -> list[str]:
    with home.app.read() as conn:
        lines = list_applications(conn, home.app.vault, home.tenant_id, role_id, stage=stage, number=number)
    return [line.thread.id for line in lines]


def opened(home: Home, thread_id: str) -> Opened:
    desk = home.app.desk
    with home.app.read() as conn:
        return open_application(conn, desk.vault, desk.blobs, desk.reader, home.tenant_id, thread_id)


def at_every_stage(home: Home) -> dict[str, str]:
    """Bring one application to each stage, and answer who stands where."""
    names = (
        "booked",
        "expired",
        "declined",
        "withdrawn",
        "retracted",
        "invited",
        "held",
        "review",
        "parked",
        "other",
        "moving",
    )
    ids = {name: home.apply(f"{name.title()} Example", f"{name}@example.com") for name in names}
    home.run()
    for name in ("booked", "withdrawn", "retracted", "invited", "other", "held"):
        home.decide(ids[name], "approve")
    home.decide(ids["declined"], "reject")
    for name in ("booked", "withdrawn", "retracted", "invited", "declined"):
        home.release(ids[name])
    home.cancel(ids["other"])
    home.run()
    home.book(ids["booked"])
    home.tell(ids["withdrawn"], "withdraw")
    home.app.act(
        home.actor, "retract", lambda tx: ask_thread(tx, home.app.desk, home.actor, ids["retracted"], "retract")
    )
    home.run()
    home.with_hold(0).decide(ids["retracted"], "approve")
    home.run()
    home.park(ids["parked"])
    home.change("UPDATE threads SET status = 'completed', outcome = 'expired' WHERE id = :id", id=ids["expired"])
    home.change("UPDATE threads SET status = 'ready', wake_at = since_at WHERE id = :id", id=ids["moving"])
    return ids


def test_every_application_stands_at_one_stage_and_the_stages_add_up(home: Home) -> None:
    ids = at_every_stage(home)

    assert stages(home) == {ROLE: dict.fromkeys(STAGES, 1)}
    assert {stage: listed(home, stage) for stage in STAGES} == {stage: [ids[stage]] for stage in STAGES}
    assert sorted(listed(home)) == sorted(ids.values())


def test_a_role_nobody_applied_for_is_there_with_nothing_in_it(home: Home) -> None:
    home.add_role("role-15")
    home.apply()

    assert stages(home) == {"role-14": {"moving": 1}, "role-15": {}}
    assert listed(home, role_id="role-15") == []


def test_a_closed_role_comes_last(home: Home) -> None:
    home.add_role("role-15")
    home.change("UPDATE roles SET status = 'closed' WHERE id = 'role-14'")

    assert list(stages(home)) == ["role-15", "role-14"]


def test_another_tenants_roles_and_applications_are_not_there(home: Home) -> None:
    other = home.add_tenant("other")
    other.add_role("role-99")
    other.add_role()
    theirs = other.apply("Other Example", "other@example.com")

    assert stages(home) == {ROLE: {}}
    assert listed(home) == []
    with pytest.raises(NotFound):
        opened(home, theirs)
    assert opened(other, theirs).person is not None


def test_a_page_of_applications_begins_with_the_newest(home: Home) -> None:
    ids = [home.apply(f"Ann {number}", f"ann-{number}@example.com") for number in range(PAGE_SIZE + 1)]

    assert listed(home) == ids[:0:-1]
    assert listed(home, number=2) == ids[:1]


def test_an_opened_application_has_its_text_its_person_and_what_was_read(home: Home) -> None:
    thread_id = home.apply("Ann Example")
    before = opened(home, thread_id)
    home.run()
    after = opened(home, thread_id)

    assert (before.scores, before.total, before.rules) == ([], None, [])
    assert after.cv is not None
    assert after.cv.document is not None
    assert after.cv.document.visible == CV.format(name="Ann Example", email="ann@example.com").rstrip()
    assert (after.cv.name, after.cover) == ("cv.txt", None)
    assert after.person is not None
    assert (after.person.name, after.person.email) == ("Ann Example", "ann@example.com")
    assert after.total == sum(score.score for score in after.scores)
    lines = after.cv.document.visible.split("\n")
    placed = [score for score in after.scores if score.line]
    assert placed
    assert [score.quote in lines[(score.line or 0) - 1] for score in placed] == [True] * len(placed)


def test_an_application_whose_keys_are_gone_opens_without_anything_of_the_person(home: Home) -> None:
    thread_id = home.apply("Ann Example")
    home.run()
    home.app.vault.destroy(home.tenant_id, [thread_id])

    found = opened(home, thread_id)

    assert (found.person, found.cv, found.scores, found.total) == (None, None, [], None)


def test_a_file_that_is_gone_says_so_and_what_was_read_of_it_stays(home: Home) -> None:
    thread_id = home.apply("Ann Example")
    home.run()
    for blob_id in home.app.desk.blobs.list_ids():
        home.app.desk.blobs.delete(blob_id)

    found = opened(home, thread_id)

    assert found.cv is not None
    assert (found.cv.document, found.cv.problem is None) == (None, False)
    assert found.scores


def test_a_viewer_adds_neither_role_nor_application(home: Home) -> None:
    viewer = home.add_person("vi@example.com", "viewer")
    draft = read_role(ROLE_FILE.read_text().replace("Role 14", "Role 15"), "role.md")

    with pytest.raises(NotAllowed):
        viewer.app.act(viewer.actor, "role add", lambda tx: open_role(tx, viewer.actor, draft))
    with pytest.raises(NotAllowed):
        accept(viewer.app.write, viewer.app.desk, viewer.actor, ROLE, [Incoming("cv.txt", b"Ann Example")])
    assert stages(home) == {ROLE: {}}


def test_a_reviewer_adds_a_role_once_and_not_twice(home: Home) -> None:
    reviewer = home.add_person("rae@example.com", "reviewer")
    draft = read_role(ROLE_FILE.read_text().replace("Role 14", "Role 15"), "role.md")
    actor = reviewer.actor

    reviewer.app.act(actor, "role add", lambda tx: open_role(tx, actor, draft))

    with pytest.raises(BadInput, match="Role role-15 is there already"):
        reviewer.app.act(actor, "role add", lambda tx: open_role(tx, actor, draft))
    assert sorted(stages(home)) == ["role-14", "role-15"]
    assert [entry["role"] for entry in home.audit("role_added")] == ["role-15"]


def test_a_person_who_is_here_already_is_pointed_to(home: Home) -> None:
    first = home.apply("Ann Example")

    (again,) = accept(
        home.app.write,
        home.app.desk,
        home.actor,
        ROLE,
        [Incoming("x.txt", b"Ann\nann@example.com\n", email="ann@example.com")],
    )

    assert (again.thread_id, again.known_as, again.code) == (None, first, "already_applied")


def test_an_expired_invite_stands_as_expired(home: Home) -> None:
    thread_id = home.apply()
    home.run()
    home.decide(thread_id, "approve")
    home.release(thread_id)
    home.run()
    later = home.at(FIXTURE_START + timedelta(hours=48))
    later.run()

    assert stages(later) == {ROLE: {"expired": 1}}
