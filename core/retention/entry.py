"""The words of the data map (contract C9): what a row of it says, and how a table is declared on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.steps import Kind, Rule


class Whose(StrEnum):
    """Whose data a field is. `NOBODY` means ids, counts, codes and times that say nothing of a person by themselves."""

    SUBJECT = "subject"
    PERSON = "person"
    TENANT = "tenant"
    NOBODY = "nobody"


class Life(StrEnum):
    """Retention rules beside those of `core.steps.Rule`."""

    BY_ROW = "by_row"  # the row carries its own rule
    WITH_SUBJECT = "with_subject"
    WITH_TENANT = "with_tenant"
    WITH_HOME = "with_home"
    WHILE_RUNNING = "while_running"


class Eraser(StrEnum):
    """What makes a field go."""

    STEP = "the step returns"
    SWEEP = "retention sweep or subject erase"
    SUBJECT = "subject erase"
    MEMORY = "retention sweep, memory purge or subject erase"
    SIGN_IN = "sign-in, sign-out, or the sweep of sessions"
    NEXT_REQUEST = "the first request by API after 24 hours, or subject erase"
    RELAY = "the relay, once the engine's server acknowledged it"
    WORKER = "the worker's stop, or the next worker's start"
    OPERATOR = "an operator who removes the tenant or the home"


class Form(StrEnum):
    """How a field is stored.

    `HASHED` is under a key of a subject or a tenant; `DIGEST` is of what is random, public or salted. `TEXT` is plain
    text that a person wrote or reads: it needs a reason.
    """

    SEALED = "sealed"
    HASHED = "keyed hash"
    DIGEST = "digest"
    ID = "id"
    CODE = "code"
    NUMBER = "number"
    TIME = "time"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the data map. `why` says what allows plain text to stand there."""

    store: str
    field: str
    kind: Kind
    whose: Whose
    rule: Rule | Life
    erased_by: Eraser
    form: Form
    why: str = ""

    @property
    def is_personal(self) -> bool:
        """Say whether what it holds is of a subject or of a person who acts, and says something about them."""
        return self.whose in (Whose.SUBJECT, Whose.PERSON) and self.form in (Form.SEALED, Form.HASHED, Form.TEXT)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields of one store that are kept alike. Each form names its fields, apart by a blank."""

    store: str
    kind: Kind
    whose: Whose
    rule: Rule | Life
    erased_by: Eraser
    sealed: str = ""
    hashed: str = ""
    digests: str = ""
    ids: str = ""
    codes: str = ""
    numbers: str = ""
    times: str = ""
    texts: str = ""
    why: str = ""

    def entries(self) -> Iterator[Entry]:
        """Yield the group field by field."""
        for form, names in (
            (Form.SEALED, self.sealed),
            (Form.HASHED, self.hashed),
            (Form.DIGEST, self.digests),
            (Form.ID, self.ids),
            (Form.CODE, self.codes),
            (Form.NUMBER, self.numbers),
            (Form.TIME, self.times),
            (Form.TEXT, self.texts),
        ):
            why = self.why if form is Form.TEXT else ""
            for name in names.split():
                yield Entry(self.store, name, self.kind, self.whose, self.rule, self.erased_by, form, why)
