"""A letter is recorded as sent once it outlives the machine: the outbox's folder is flushed for its group first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import core.adapters.outbox
from tests.homes import Home, open_home


@pytest.fixture
def decided(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_role()
    ids = [home.apply(f"Ann Example{n}", f"ann{n}@example.com") for n in range(3)]
    home.run()
    for thread_id in ids:
        home.decide(thread_id)
    return home


def when_flushed(monkeypatch: pytest.MonkeyPatch, look: Callable[[], None]) -> None:
    flush = core.adapters.outbox.flush_folder

    def flushed(folder: Path) -> None:
        look()
        flush(folder)

    monkeypatch.setattr(core.adapters.outbox, "flush_folder", flushed)


def test_the_letters_of_a_group_are_made_lasting_together_before_any_is_done(
    decided: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = decided
    seen: list[tuple[int, set[str]]] = []
    when_flushed(
        monkeypatch, lambda: seen.append((len(home.letters()), {one.status for one in home.ledger().values()}))
    )

    home.run()

    assert seen == [(3, {"sending"})]
    assert {one.status for one in home.ledger().values()} == {"done"}


def test_a_folder_that_cannot_be_flushed_leaves_nothing_done_and_the_same_keys_are_sent_again_once(
    decided: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = decided

    def broken() -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as breaking:
        when_flushed(breaking, broken)
        home.run()
    assert {one.status for one in home.ledger().values()} == {"sending"}

    home.retry_at_once()
    home.run()

    assert {one.status for one in home.ledger().values()} == {"done"}
    assert len(home.letters()) == 3
    assert home.verify() == []
