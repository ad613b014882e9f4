"""The third seed's F1 on its own job: a worker is killed around the read of export 44, and the next one goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.demo import ATLAS_FILES
from core.desk.jobs import NewJob, open_job
from tests.crash.processes import KILLED, Nursery
from tests.crash.records import assert_clean, ledger
from tests.crash.seams import READ_SEAMS
from tests.homes import Home

pytestmark = pytest.mark.crash

JOB = "job_atlas_17"
EXPORT = f"{JOB}/export/44"


@pytest.fixture
def job(home: Home) -> Home:
    """The Atlas job, opened and due; nothing of it was carried on yet."""
    approved, export = (path.read_bytes() for path in ATLAS_FILES)
    open_job(home.app.write, home.app.desk, home.actor, NewJob(JOB, "Atlas Media", approved, export, 44))
    return home


def read_of(book: Path) -> list[str]:
    return book.read_text().split() if book.exists() else []


@pytest.mark.seed("atlas.F1.inspect", "atlas.F1.repair", "atlas.F1.prevent")
@pytest.mark.parametrize("seam", READ_SEAMS)
def test_a_job_killed_around_its_read_keeps_one_result_and_asks_once(
    seam: str, job: Home, nursery: Nursery, tmp_path: Path
) -> None:
    book, expected = tmp_path / "reads", READ_SEAMS[seam]
    assert nursery.start("work", job, seam=seam, reads=str(book)).wait() == KILLED
    assert (ledger(job), read_of(book)) == ({EXPORT: expected.left}, [EXPORT] * expected.reads)

    nursery.start("work", job, reads=str(book)).finish()

    again = 0 if expected.left == "done" else 1  # a version that never changes is read again under its own key
    assert read_of(book) == [EXPORT] * (expected.reads + again)
    assert (ledger(job), [one.attempt for one in job.ledger(JOB).values()]) == ({EXPORT: "done"}, [1])
    assert (
        len(job.look("SELECT id FROM receipts WHERE media_type = 'text/csv'")) == 2
    )  # what was approved, and the read
    assert [(one.about, one.status) for one in job.thread(JOB).approvals] == [("d_08", "pending")]
    assert_clean(job)


@pytest.mark.seed("atlas.F1.repair")
def test_a_read_that_is_done_is_not_read_again_though_the_export_is_gone(
    job: Home, nursery: Nursery, tmp_path: Path
) -> None:
    book = tmp_path / "reads"
    assert nursery.start("work", job, seam="kept, no checkpoint", reads=str(book)).wait() == KILLED
    (export,) = (job.app.home / "inbox" / job.tenant_id).iterdir()
    export.unlink()

    nursery.start("work", job, reads=str(book)).finish()
    job.decide(JOB, "reject")
    nursery.start("work", job, reads=str(book)).finish()

    assert read_of(book) == [EXPORT]
    assert job.ending(JOB) == ("rejected", "rejected")
    assert_clean(job)
