"""Every file store of a home on the data map: a pattern under the home, and what its files hold.

`memory:` marks what never becomes a file. A home holds no file that no pattern here matches.
"""

from __future__ import annotations

from core.retention.entry import Eraser, Group, Life, Whose
from core.steps import Kind, Rule

IN_MEMORY = "memory:"
_CLOSE = Rule.CLOSE_6_MONTHS

DATABASE = (
    # Its tables stand on the map column by column; the write-ahead file holds the same pages.
    Group("daybook.sqlite*", Kind.DURABLE, Whose.SUBJECT, Life.BY_ROW, Eraser.SWEEP, sealed="pages"),
)

KEYS = (
    Group("keys/keys.sqlite*", Kind.DURABLE, Whose.SUBJECT, Life.WITH_SUBJECT, Eraser.SWEEP, sealed="subject_keys"),
    Group("keys/keys.sqlite*", Kind.DURABLE, Whose.SUBJECT, Life.BY_ROW, Eraser.SWEEP, sealed="section_keys"),
    Group("keys/keys.sqlite*", Kind.DURABLE, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR, sealed="peppers"),
    Group("keys/wrapping.key", Kind.DURABLE, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, digests="key"),
    Group("keys/wrapping.lock", Kind.WORKING, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, codes="lock"),
)

FILES = (
    Group("blobs/*/*/*", Kind.INPUT, Whose.SUBJECT, _CLOSE, Eraser.SWEEP, sealed="content", ids="name"),
    Group("blobs/*/*/.*.part", Kind.WORKING, Whose.SUBJECT, Rule.STEP, Eraser.WORKER, sealed="unfinished"),
    Group(
        "outbox/*.eml", Kind.LEDGER, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        digests="name", texts="letter", why="It stands for the post: a letter that left, as its reader gets it.",
    ),
    Group(
        "outbox/.*.part", Kind.WORKING, Whose.SUBJECT, Rule.STEP, Eraser.WORKER,
        texts="unfinished", why="A letter being written; its finished name is its sending.",
    ),
    Group(
        "inbox/*/*", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="name", texts="content", why="Figures by campaign, as an analytics system exported them; about nobody.",
    ),
    Group(
        "inbox/*/.*.part", Kind.WORKING, Whose.TENANT, Rule.STEP, Eraser.WORKER,
        texts="unfinished", why="An export being dropped; its finished name is what a job reads.",
    ),
    Group(
        "targets/*/*/*", Kind.INPUT, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="name", texts="content", why="What an agent run of the demo works on: invented rows, about nobody.",
    ),
    Group(
        "sandboxes/*/*", Kind.WORKING, Whose.TENANT, Life.WITH_TENANT, Eraser.OPERATOR,
        ids="name", texts="content", why="A copy of what an agent run works on, made for its fork; the tenant's own.",
    ),
    Group(
        "exports/*", Kind.WORKING, Whose.SUBJECT, _CLOSE, Eraser.SWEEP,
        texts="content", why="Made on somebody's word, to be read by them.",
    ),
    Group(
        f"{IN_MEMORY}uploads", Kind.WORKING, Whose.SUBJECT, Rule.STEP, Eraser.STEP,
        texts="content", why="Bytes at the door; they are sealed before they are a file of this home.",
    ),
    Group(
        f"{IN_MEMORY}temp", Kind.WORKING, Whose.SUBJECT, Rule.STEP, Eraser.STEP,
        texts="text prompt reply", why="A step's own: a file's text, the prompt, the raw reply; never written.",
    ),
)  # fmt: skip

RECORDS = (
    Group("logs/*", Kind.WORKING, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, ids="thread worker", codes="event"),
    Group(
        "effect-journal.log", Kind.LEDGER, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        hashed="payload_hash", ids="tenant key", codes="phase", numbers="attempt",
    ),
    Group(
        "audit-heads.log", Kind.LEDGER, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        digests="digest", ids="tenant", numbers="link",
    ),
    Group(
        "mov*.json", Kind.LEDGER, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR,
        digests="rows", codes="database", times="at", numbers="count",
    ),
    Group(".*.part", Kind.WORKING, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, codes="database", numbers="rows"),
    Group("locks/*.lock", Kind.WORKING, Whose.NOBODY, Life.WHILE_RUNNING, Eraser.WORKER, ids="worker thread"),
    Group("locks/*-sweep", Kind.WORKING, Whose.NOBODY, Life.WITH_HOME, Eraser.OPERATOR, times="at"),
)  # fmt: skip

STORES = (*DATABASE, *KEYS, *FILES, *RECORDS)
