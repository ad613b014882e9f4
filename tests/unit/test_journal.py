"""The effect journal: lines are whole, a cut one swallows nothing, and a reader goes on from where it was."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.effects.ahead import tell
from core.effects.journal import BEGIN, Journal, Line


def line(number: int, phase: str = "sending", attempt: int = 1) -> Line:
    return Line("home", f"role-14/app-{number:04d}/invite", "f00d", attempt, phase)


def keys_of(journal: Journal) -> list[str]:
    return [one.key for one in journal.read()]


def test_a_reader_goes_on_from_where_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append([line(1)], flush=True)
    first = journal.read_on(BEGIN)
    assert not journal.has_grown(first.end)
    journal.append([line(2)], flush=False)

    assert journal.has_grown(first.end)
    assert list(journal.read_on(first.end).lines) == [line(2)]


@pytest.mark.parametrize(
    "content", [b"", b'{"tenant":"home","key":"other","payload_hash":"x","attempt":1,"phase":"done"}\n' * 9]
)
def test_another_file_in_its_place_is_read_from_the_beginning(tmp_path: Path, content: bytes) -> None:
    journal = Journal(tmp_path / "journal")
    journal.append([line(1), line(2)], flush=True)
    place = journal.read_on(BEGIN).end
    journal.path.write_bytes(content)
    journal.append([line(3)], flush=True)

    assert journal.has_grown(place)
    assert journal.read_on(place).lines[-1] == line(3)
    assert len(journal.read_on(place).lines) == content.count(b"\n") + 1


@given(cut=st.integers(0, 300))
def test_wherever_a_crash_cuts_the_last_line_the_next_one_is_read_and_nothing_is_called_damage(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    journal = Journal(tmp_path_factory.mktemp("cut") / "journal")
    journal.append([line(1), line(2)], flush=True)
    content = journal.path.read_bytes()
    journal.path.write_bytes(content[: max(0, len(content) - cut)])
    left = keys_of(journal)
    journal.append([line(3)], flush=True)

    assert keys_of(journal) == [*left, line(3).key]
    assert journal.read_on(BEGIN).unreadable == []


def _append(path: str, start: int) -> None:
    for number in range(start, start + 200):
        Journal(Path(path)).append([line(number)], flush=False)


def test_lines_of_several_processes_are_all_there_and_whole(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    processes = [get_context("spawn").Process(target=_append, args=(path, start)) for start in (0, 1000, 2000)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    found = Journal(Path(path)).read_on(BEGIN)

    assert (len(set(found.lines)), list(found.unreadable)) == (600, [])


@pytest.mark.parametrize(
    ("phases", "attempt"),
    [
        (["sending"], 1),
        (["sending", "done"], 1),
        (["sending", "unknown"], 1),
        (["sending", "unknown", "sending", "not_sent"], 1),
        (["sending", "not_sent"], None),
        (["sending", "done", "removed"], None),
        (["sending", "done", "removed", "sending"], 1),
    ],
)
def test_what_may_have_left_is_what_the_phases_add_up_to(phases: list[str], attempt: int | None) -> None:
    told = tell([line(1, phase) for phase in phases], "home").left

    assert [one.attempt for one in told.values()] == ([] if attempt is None else [attempt])
    assert tell([line(1, phase) for phase in phases], "north").left == {}
