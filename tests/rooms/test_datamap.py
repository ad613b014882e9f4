"""The data map names everything that is kept, and nothing that is not (contract C9)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PurePath

import pytest

from core.bootstrap import WORKFLOWS
from core.db.base import Base
from core.db.types import Sealed
from core.retention import tables_of_rooms
from core.retention.datamap import (
    Entry,
    Form,
    Whose,
    compare_columns,
    data_map,
    list_patterns,
    list_unclassified,
    map_columns,
    map_state,
    map_stores,
)
from core.steps import Kind, Rule, Step, Workflow, kept
from core.workflows.screening import SCREENING
from tests.homes import open_home

assert tables_of_rooms.__all__  # every room's tables hang on Base from here on
COLUMNS = {(table.name, column.name): column for table in Base.metadata.tables.values() for column in table.columns}
MIGRATIONS = ("alembic_version", "version_num")
# Salted, or of a random token: no key is needed to keep what they are of.
DIGESTS = {("passwords", "hash"), ("sessions", "token_hash")}
HASHES_INSIDE = ("manifests", "items")  # JSON whose only words about a person are a keyed hash an item


def bare(entries: Iterable[Entry]) -> list[str]:
    """Plain text of somebody that stands there without a reason."""
    return [f"{one.store}.{one.field}" for one in entries if one.form is Form.TEXT and not one.why]


def test_every_column_is_on_the_map_and_the_map_names_no_column_that_is_gone():
    assert compare_columns([*COLUMNS, MIGRATIONS]) == ([], [])


def test_a_new_column_is_named_and_so_is_one_that_went():
    changed = [one for one in (*COLUMNS, MIGRATIONS) if one != ("threads", "goal")]

    assert compare_columns([*changed, ("threads", "mood")]) == (["threads.mood"], ["threads.goal"])


def test_no_column_stands_on_the_map_twice():
    names = [(one.store, one.field) for one in map_columns()]

    assert len(names) == len(set(names))


def test_a_column_is_sealed_exactly_where_the_map_says_so():
    said = {(one.store, one.field) for one in map_columns() if one.form is Form.SEALED}

    assert said == {name for name, column in COLUMNS.items() if isinstance(column.type, Sealed)}


def test_a_column_called_a_keyed_hash_is_one_by_name():
    said = {(one.store, one.field) for one in map_columns() if one.form is Form.HASHED}

    assert said - {HASHES_INSIDE} == {name for name in COLUMNS if name[1].endswith("hash")} - DIGESTS


def test_personal_content_is_sealed_or_hashed_or_says_why_it_is_plain():
    assert bare(data_map(WORKFLOWS.values())) == []


def test_plain_text_about_somebody_without_a_reason_is_named():
    name = next(one for one in map_columns() if (one.store, one.field) == ("people", "name"))

    assert bare([replace(name, why="")]) == ["people.name"]


def test_no_subject_has_plain_text_in_a_column_but_what_the_workflow_wrote():
    plain = {(one.store, one.field) for one in map_columns() if one.whose is Whose.SUBJECT and one.form is Form.TEXT}

    assert plain == {("threads", "goal"), ("plan_steps", "title")}


def test_every_field_of_a_saved_state_is_on_the_map_with_its_own_rule():
    paths = {one.field: (one.kind, one.rule) for one in map_state(SCREENING)}

    assert list_unclassified(SCREENING.state) == []
    assert {one.name for one in fields(SCREENING.state)} <= set(paths)
    assert paths["scores.quote"] == (Kind.DURABLE, Rule.CLOSE_6_MONTHS)
    assert paths["recall.text"] == (Kind.RECALL, Rule.CLOSE_6_MONTHS)


def test_a_state_field_without_a_rule_is_named():
    @dataclass(frozen=True)
    class Loan:
        amount: int = field(metadata=kept(Rule.ROLE_CLOSE))
        mood: str = ""

    assert list_unclassified(Loan) == ["mood"]
    assert [one.field for one in map_state(Workflow("loan", 1, Loan, steps=(Step("s", "S", print),)))] == ["amount"]


@pytest.mark.seed("screen.retention.scores")
def test_rule_results_scores_quotes_total_and_route_are_kept_until_six_months_after_the_close():
    kept_until = {one.field: (one.kind, one.rule) for one in map_state(SCREENING)}

    for name in ("rule_results", "scores", "scores.quote", "total", "proposal"):
        assert kept_until[name] == (Kind.DURABLE, Rule.CLOSE_6_MONTHS), name


@pytest.mark.seed("screen.retention.verdict")
def test_the_verdict_and_when_are_kept_until_six_months_after_the_close():
    kept_until = {one.field: (one.kind, one.rule) for one in map_state(SCREENING)}

    assert kept_until["verdict"] == kept_until["decided_at"] == (Kind.DURABLE, Rule.CLOSE_6_MONTHS)


@pytest.mark.seed("screen.retention.invite")
def test_invite_key_sent_at_deadline_and_reminder_are_kept_until_the_role_closes():
    kept_until = {one.field: (one.kind, one.rule) for one in map_state(SCREENING)}

    for name in ("invite_key", "sent_at", "deadline", "reminder_sent"):
        assert kept_until[name] == (Kind.DURABLE, Rule.ROLE_CLOSE), name


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[PurePath]:
    """Every file of a home in which a letter left, its worker still there."""
    folder = tmp_path_factory.mktemp("home") / "home"
    home = open_home(folder)
    home.add_role()
    thread = home.apply()
    home.run()
    home.decide(thread)
    engine = home.app.engine("test")
    engine.run_until_idle()
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    engine.stop()
    home.app.close()
    return found


def test_every_file_of_a_home_is_on_the_map(files: list[PurePath]):
    unknown = [str(one) for one in files if not any(one.match(pattern) for pattern in list_patterns())]

    assert unknown == []


NOT_IN_EVERY_HOME = {
    "exports/*", "logs/*", "blobs/*/*/.*.part", "outbox/.*.part", "inbox/*/*", "inbox/*/.*.part", "targets/*/*/*",
    "sandboxes/*/*", "mov*.json", ".*.part",
}  # fmt: skip


def test_every_file_store_of_the_map_is_there(files: list[PurePath]):
    missing = {one for one in list_patterns() if not any(path.match(one) for path in files)}

    assert missing == NOT_IN_EVERY_HOME


def test_a_folder_that_a_new_home_makes_is_on_the_map(tmp_path: Path):
    open_home(tmp_path / "home").app.close()

    made = {one.name for one in (tmp_path / "home").iterdir() if one.is_dir()}

    assert made == {one.split("/")[0] for one in list_patterns() if "/" in one}


def test_every_table_of_the_key_store_is_on_the_map(tmp_path: Path):
    open_home(tmp_path / "home").app.close()
    keys = sqlite3.connect(tmp_path / "home" / "keys" / "keys.sqlite")
    tables = {name for (name,) in keys.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    keys.close()

    assert tables == {one.field for one in map_stores() if one.store == "keys/keys.sqlite*"}
