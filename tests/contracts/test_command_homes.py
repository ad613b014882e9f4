"""A home that cannot be opened as it is: one sentence and exit 3 from every command, and nothing is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.bootstrap import open_app
from core.errors import HomeUnusable
from core.settings import Settings
from core.web.life import current_app
from tests.contracts.command_line import AS, WAITS, CommandLine
from tests.homes import open_home

KEY = "keys/wrapping.key"
COMMANDS = (
    ("threads",), ("thread", WAITS), ("queue",), ("effects",), ("verify",), ("preflight",), ("doctor",),
    ("worker", "--until-idle"), ("role", "list"), ("person", "list"), ("retry", WAITS, *AS), ("demo",),
)  # fmt: skip


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def swap(content: bytes | None) -> Callable[[Path], None]:
    def hurt(folder: Path) -> None:
        (folder / KEY).unlink()
        if content is not None:
            (folder / KEY).write_bytes(content)

    return hurt


def no_database(folder: Path) -> None:
    (folder / "keys" / "keys.sqlite").write_bytes(b"this is no database at all, whatever its name says" * 20)


def strange_revision(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "daybook.sqlite", isolation_level=None)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'zzzz'")


HURTS = {
    "missing": (swap(None), "is missing"),
    "empty": (swap(b""), "is not 32 bytes long"),
    "short": (swap(b"short"), "is not 32 bytes long"),
    "long": (swap(b"x" * 33), "is not 32 bytes long"),
    "another": (swap(b"x" * 32), "does not open this home's keys"),
    "no key store": (no_database, "cannot be read"),
    "strange revision": (strange_revision, "is at revision 'zzzz', which this code does not know"),
}


@pytest.mark.parametrize("name", HURTS)
def test_every_command_refuses_with_one_sentence_and_writes_nothing(at: CommandLine, name: str) -> None:
    hurt, sentence = HURTS[name]
    hurt(at.folder)
    before = everything(at.folder)
    for words in COMMANDS:
        said = at.run(*words)
        assert (said.exit, said.broke, said.code) == (3, None, "home_unusable"), (words, said)
        assert sentence in said.sentence
        assert said.sentence.count("\n") == 0
    assert everything(at.folder) == before


@pytest.mark.parametrize("name", HURTS)
def test_the_app_does_not_start_on_it_either(at: CommandLine, name: str) -> None:
    hurt, sentence = HURTS[name]
    hurt(at.folder)
    before = everything(at.folder)
    with pytest.raises(HomeUnusable, match=sentence):
        current_app()
    assert everything(at.folder) == before


def test_the_key_that_is_put_back_opens_the_home_again(at: CommandLine) -> None:
    key = (at.folder / KEY).read_bytes()
    swap(None)(at.folder)
    assert at.run("threads").exit == 3
    (at.folder / KEY).write_bytes(key)

    assert all(one["name"] for one in at.read("threads"))
    assert at.read("verify")["ok"] is True


@pytest.fixture
def empty(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", _env_file=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("remnant", [None, b"", b"half a"])
def test_a_home_with_nothing_sealed_gets_a_key_whatever_a_crash_left_of_one(
    empty: Settings, remnant: bytes | None
) -> None:
    (empty.home / "keys").mkdir(parents=True)
    if remnant is not None:
        (empty.home / KEY).write_bytes(remnant)
    open_app(empty).close()

    key = empty.home / KEY
    assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)


def test_a_subject_key_that_was_damaged_is_no_other_thread_s_trouble(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home")
    home.add_role()
    hurt, whole = home.apply("Ann Example", "ann@example.com"), home.apply("Bo Example", "bo@example.com")
    home.app.close()
    with closing(sqlite3.connect(tmp_path / "home" / "keys" / "keys.sqlite", isolation_level=None)) as keys:
        (subject,) = keys.execute("SELECT subject_id FROM section_keys WHERE thread_id = ?", (hurt,)).fetchone()
        keys.execute("UPDATE subject_keys SET wrapped = x'00' WHERE subject_id = ?", (subject,))
    home = open_home(tmp_path / "home")
    home.run()

    assert home.ending(whole)[0] == "awaiting_review"
    assert [problem for problem in home.verify() if hurt in problem and "key" in problem] != []
