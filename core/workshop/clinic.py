"""The failure clinic: the third seed's four failures, each caused, seen, repaired, and prevented by a named test.

The words of inspect, cause, repair and prevention are the seed's own. failing.py causes and repairs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from core.errors import BadInput
from core.workshop.atlas import JOB
from core.workshop.crash import bare_environment

ROOT = Path(__file__).resolve().parents[2]
LONGEST_TEST_SECONDS = 120
_RUN = f"/run?id={JOB}"
_SAW = f"{_RUN}&view=What%20the%20model%20saw"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure as the seed tells it. `inspect` are places in the app, `test` is the test that prevents it."""

    id: str
    title: str
    inspect_says: str
    inspect: tuple[tuple[str, str], ...]
    cause: str
    repair: str
    prevent: str
    test: str
    needs_team: bool = True


FAILURES = {
    one.id: one
    for one in (
        Failure(
            "F1", "A resumed job repeats a completed read or write.",
            "Compare the effect ledger, idempotency key, checkpoint commit, and tool trace around the interruption.",
            (("Effects and keys of the job", _RUN), ("Its checkpoints", f"{_RUN}&view=History"),
             ("What happens next, as a dry run", f"{_RUN}&view=What%20happens%20next")),
            "Progress was inferred from conversation history or persisted after the external effect instead of "
            "atomically around it.",
            "Record planned and completed effects with stable idempotency keys, then make resume consult the ledger.",
            "Test interruption before dispatch, after dispatch, and before result persistence.",
            "tests/seeds/test_atlas_failures.py::test_f1_a_resumed_job_does_not_repeat_a_read", needs_team=False,
        ),
        Failure(
            "F2", "The agent follows an old approval or preference after an operator changed it.",
            "Compare context record versions with the authoritative table and locate cached summaries or memories.",
            (("What the model saw", _SAW), ("The approval's row", _RUN), ("Memory", "/memory")),
            "A stale summary was treated as state, or cache invalidation ignored the updated record version.",
            "Rebuild consequential fields from current state and include versions plus provenance in context.",
            "Set freshness rules per field and reject context assembled from mismatched versions.",
            "tests/seeds/test_atlas_failures.py::"
            "test_f2_an_answer_to_what_moved_meanwhile_is_dropped_and_the_step_runs_anew",
        ),
        Failure(
            "F3", "A note from another tenant appears in the prompt.",
            "Trace retrieval filters, cache keys, memory ownership, session binding, and context-builder logs.",
            (("Memory of this tenant", "/memory"), ("What was filtered, and why", _SAW)),
            "Memory lookup used semantic similarity without applying tenant and owner filters first.",
            "Scope the query and caches by authenticated tenant before ranking or serialization.",
            "Keep cross-tenant canary records and assert zero unauthorized context hits.",
            "tests/seeds/test_atlas_failures.py::"
            "test_f3_another_tenants_record_under_the_same_key_is_read_counted_and_listed_nowhere",
        ),
        Failure(
            "F4", "Compaction saves tokens but drops an unresolved constraint needed later.",
            "Compare compacted context with a golden retention list across long representative traces.",
            (("What the model saw", _SAW), ("The question that is open", "/review")),
            "The summarizer optimized brevity without a recall-first contract for decisions, blockers, and provenance.",
            "Preserve structured state separately and tune compaction against required retention checks.",
            "Measure recall before token savings and keep recent critical records outside free-form summaries.",
            "tests/seeds/test_atlas_failures.py::test_f4_at_every_budget_all_of_the_golden_list_is_sent_or_nothing",
        ),
    )
}  # fmt: skip


def get_failure(failure_id: str) -> Failure:
    """Answer one failure, or raise BadInput."""
    if failure_id not in FAILURES:
        raise BadInput(f"The clinic knows no failure {failure_id[:20]!r}.")
    return FAILURES[failure_id]


def run_test(test: str) -> Mapping[str, object]:
    """Run the named test as a process, and answer whether it passed and what it said; only a checkout has it."""
    if find_spec("pytest") is None or not (ROOT / test.partition("::")[0]).is_file():
        return {"ran": False, "passed": False, "said": "The tests are not installed here; run it from a checkout."}
    command: Sequence[str] = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test]
    ran = subprocess.run(  # noqa: S603 - this interpreter and a test that is named above
        command,
        cwd=ROOT,
        env=bare_environment(),
        capture_output=True,
        text=True,
        timeout=LONGEST_TEST_SECONDS,
        check=False,
    )
    said = (ran.stdout.strip().splitlines() or [""])[-1]
    return {"ran": True, "passed": ran.returncode == 0, "said": said}
