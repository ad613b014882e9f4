"""Verify opens memory that belongs to no thread, and names a policy that is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk.jobs import NewJob, open_job
from tests.contracts.remembering import purge, remember
from tests.homes import Home, open_home

APPROVED = b"campaign_id,name,currency,approved_budget\nC-1,One,EUR,10.00\n"
EXPORT = b"Campaign ID,Campaign,Currency,Cost\nC-1,One,EUR,12.50\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path / "home")


def test_a_damaged_record_of_no_thread_is_named(home: Home) -> None:
    line = remember(home)
    assert home.verify() == []
    home.change("UPDATE memories SET sealed = :seal WHERE id = :id", seal=b"other", id=line.id)
    assert home.verify() == [f"memories.sealed of {line.id} (by_date): is damaged, its seal does not fit."]


def test_a_record_whose_key_is_gone_is_named_and_one_that_was_purged_is_not(home: Home) -> None:
    gone, purged = remember(home), remember(home, key="other")
    purge(home, purged.id)
    home.app.vault.destroy(home.tenant_id, [gone.thread_id])
    assert home.verify() == [f"{gone.thread_id}: its key for by_date is gone, but memories holds what it sealed."]


def test_a_policy_that_a_job_rests_on_and_is_gone_is_named(home: Home) -> None:
    open_job(home.app.write, home.app.desk, home.actor, NewJob("job_1", "One", APPROVED, EXPORT))
    assert home.verify() == []
    home.change("DELETE FROM policies")
    assert home.verify() == ["policy version 1 of reconciliation: is not there, but job_1 rests on it."]
