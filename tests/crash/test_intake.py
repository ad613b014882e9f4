"""Intake is killed at each place; the same application again is taken, and what the dead one left is swept."""

from __future__ import annotations

import pytest

from core.vault.keystore import KeyStore
from tests.crash.processes import KILLED, Nursery, Signals
from tests.crash.records import assert_clean, thread
from tests.crash.seams import INTAKE_SEAMS
from tests.homes import Home

pytestmark = pytest.mark.crash

BLOBS_LEFT = {"number taken, no keys": 0, "keys made, nothing kept": 0}


def start_worker(home: Home) -> None:
    home.app.engine("test").stop()


@pytest.mark.parametrize("seam", INTAKE_SEAMS)
def test_an_application_whose_intake_died_is_taken_when_it_comes_again(seam: str, home: Home, nursery: Nursery) -> None:
    assert nursery.start("apply", home, seam=seam).wait() == KILLED
    assert home.look("SELECT count(*) FROM threads") == [(0,)]
    assert len(home.app.parts.blobs.list_ids()) == BLOBS_LEFT.get(seam, 1)

    one = home.apply()
    home.run()

    assert thread(home, one).status == "awaiting_review"
    assert home.look("SELECT count(*) FROM threads") == [(1,)]
    assert len(home.app.parts.blobs.list_ids()) == 1
    assert_clean(home)


def test_the_next_worker_sweeps_a_blob_without_a_row_and_nothing_else(home: Home, nursery: Nursery) -> None:
    home.apply("Ben Example", "ben@example.com")
    kept = home.app.parts.blobs.list_ids()
    assert nursery.start("apply", home, seam="blob kept, no row").wait() == KILLED
    assert len(home.app.parts.blobs.list_ids()) == 2

    start_worker(home)

    assert home.app.parts.blobs.list_ids() == kept
    assert_clean(home)


def test_a_blob_that_a_living_process_is_keeping_is_not_swept(home: Home, nursery: Nursery, signals: Signals) -> None:
    applying = nursery.start("apply", home, signals=str(signals.folder))
    signals.wait_reached()
    on_its_way = home.app.parts.blobs.list_ids()
    assert len(on_its_way) == 1

    start_worker(home)
    assert home.app.parts.blobs.list_ids() == on_its_way

    signals.let_go()
    applying.finish()
    home.run()
    assert home.look("SELECT status FROM threads") == [("awaiting_review",)]
    assert_clean(home)


def test_keys_of_an_application_that_never_came_to_be_open_nothing(home: Home, nursery: Nursery) -> None:
    assert nursery.start("apply", home, seam="keys made, nothing kept").wait() == KILLED

    one = home.apply()

    store = KeyStore(home.app.home / "keys")
    held = store.find_section_keys(home.tenant_id, ["role-14/app-0001", one])
    store.close()
    assert one == "role-14/app-0002"
    assert {len({subject for subject, _, _ in held.values()}), len(held)} == {2}
    assert_clean(home)
