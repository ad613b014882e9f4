"""Rows of the third seed: the Atlas job pauses, resumes once and sees only what it may."""

from __future__ import annotations

from tests.docs.rows import Seed, group

ATLAS = Seed(
    "Third seed: context, memory and state",
    (
        group(
            "Checkpoints of the lab",
            "atlas.checkpoint",
            (
                "1",
                "Approval and effect status exist only as rows; no generated summary can overwrite them.",
                "`verify`",
            ),
            (
                "2",
                "The fixture holds all three memory cases and one completed key before resume begins.",
                "`demo --atlas`",
            ),
            (
                "3",
                "The context has one valid memory and the current approval; expired and foreign are absent.",
                "`context`",
            ),
            (
                "4",
                "The job ends rejected, export 44 is not read again, no discrepancy is added.",
                "`decide`, `resume`, `worker`",
            ),
            (
                "5",
                "Deleted memory is absent, poison changes no policy, the audit names all considered.",
                "`memory forget`, `context`, Memory",
            ),
        ),
        group(
            "Acceptance checks",
            "atlas.acceptance",
            ("1", "Resume authenticates the caller again; a token is never authority.", "`token`, `resume`, /resume/"),
            (
                "2",
                "Completed effects do not repeat, and approvals are changed by version.",
                "`effects`, `decide`",
            ),
            ("3", "Expired, deleted and foreign memories never enter a context.", "`context`"),
            ("4", "A generated or retrieved memory cannot replace policy or an approval's state.", "`context`"),
        ),
        group(
            "F1: a resumed job repeats a completed read or write",
            "atlas.F1",
            (
                "inspect",
                "Ledger, key, checkpoint and attempts around the interruption.",
                "`effects`, `thread`",
            ),
            (
                "repair",
                "Planned and completed effects under stable keys; resume asks the ledger.",
                "`effects settle`",
            ),
            (
                "prevent",
                "Interrupted before dispatch, after dispatch and before the result is kept.",
                "`make test-crash`",
            ),
        ),
        group(
            "F2: an old approval or preference is followed after it changed",
            "atlas.F2",
            (
                "inspect",
                "The versions in the context against the rows; cached summaries and memories.",
                "`context --step`",
            ),
            ("repair", "Consequential fields come from current rows, with version and origin.", "`context`"),
            ("prevent", "Freshness rules per field; a context of mixed versions is rejected.", "`thread`"),
        ),
        group(
            "F3: another tenant's note appears in the prompt",
            "atlas.F3",
            (
                "inspect",
                "Filters, cache keys, ownership, session binding and the builder's log.",
                "`context`, `memory list`, Memory",
            ),
            ("repair", "Tenant first, before ranking and before serialising.", "`context`"),
            ("prevent", "Canaries of another tenant, and zero hits.", "`context`, `memory list`"),
        ),
        group(
            "F4: compaction drops a constraint that is needed later",
            "atlas.F4",
            ("inspect", "Compacted context against a golden list of what must stay.", "`context`"),
            ("repair", "Structured state apart from prose; compaction tuned against that list.", "`context`"),
            (
                "prevent",
                "Recall is measured before tokens; recent critical records stay outside free text.",
                "`context`",
            ),
        ),
        group(
            "Production boundary",
            "atlas.boundary",
            (
                "1",
                "Permissions, effects, approvals and status live in application state.",
                "`thread`, `effects`",
            ),
            ("2", "Every resumed run is authenticated and authorised again.", "`decide`, `release`"),
            ("3", "State transitions carry versions; concurrent updates are controlled.", "`decide`, `undo`"),
            (
                "4",
                "Every memory has owner, tenant, source, confidence, created, expiry and deletion.",
                "`memory list`, Memory",
            ),
            ("5", "Sensitive state is sealed, and what providers keep is reviewed.", "`verify`"),
            ("6", "Context is checked for freshness, origin, size and access before each decision.", "`context`"),
            (
                "7",
                "Overflow, compaction loss, poison, deletion and foreign records are tested.",
                "`context`, `memory list`, Memory",
            ),
            (
                "8",
                "What memory was selected and which versions were used is logged, without content.",
                "`verify`",
            ),
        ),
        group(
            "Fixture and numbers",
            "atlas.number",
            (
                "schema",
                "The lab's four tables can be read in their own columns (`lab_jobs` and so on).",
                "docs/schema.md",
            ),
            ("fixture-time", "The fixture time is 2026-08-20T09:00:00Z.", "`clock show`"),
            ("one-read", "Export version 44 is read once.", "`effects`"),
            ("one-discrepancy", "There is one discrepancy, d_08.", "`queue`"),
            ("version-3", "The approval stands at rejected, version 3.", "`thread`"),
            ("no-expired", "No expired memory is in the context.", "`context`"),
        ),
    ),
)
