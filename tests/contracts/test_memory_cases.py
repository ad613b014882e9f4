"""Cases of memory from public reports, where no other test tries them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from core.clock import FIXTURE_START, iso
from core.desk.memory import sweep_expired
from core.errors import BadInput, MemoryRefused, NotFound
from core.memory.reading import Wanted, list_memories, read_memory, show_memory
from core.views.memories import MemoryFilters, find_memories, list_found
from tests.contracts.remembering import DAY, KEY, TEXT, change, look, purge, remember, states, texts
from tests.homes import Home, open_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = open_home(tmp_path / "home")
    yield opened
    opened.app.close()


def found(home: Home, filters: MemoryFilters) -> list[str]:
    vault, now = home.app.vault, home.actor.now
    with home.app.read() as conn:
        whole = find_memories(conn, vault, home.tenant_id, filters, now)
        return [one.line.id for one in list_found(conn, vault, home.tenant_id, whole, now, 1)]


@pytest.mark.case("M05")
def test_a_deleted_record_is_in_no_list_no_view_no_search_and_no_read_and_the_sweep_says_the_same(home: Home) -> None:
    gone, swept, stays = (
        remember(home),
        remember(home, key="b", expires_at=FIXTURE_START + DAY),
        remember(home, key="c"),
    )
    purge(home, gone.id)
    late = home.at(FIXTURE_START + DAY)
    deleted = sweep_expired(late.app.write, late.app.desk, late.actor)
    with late.app.read() as conn:
        listed = [one.id for one in list_memories(conn, late.tenant_id, late.actor.now)]
        for one in (gone, swept):
            with pytest.raises(NotFound):
                show_memory(conn, late.app.vault, late.tenant_id, one.id, late.actor.now)
    assert (listed, found(late, MemoryFilters(find="harbour")), look(late).used) == ([stays.id], [stays.id], ())
    assert deleted == [swept.id]
    assert [row[0] for row in late.look("SELECT id FROM memories")] == [stays.id]


@pytest.mark.case("M06")
def test_forgotten_records_take_no_place_among_those_that_are_wanted(home: Home) -> None:
    alive = [remember(home, f"Occasion {n}.", kind="application").id for n in range(3)]
    for n in range(7):
        change(home, "forget", remember(home, f"Ghost {n}.", kind="application").id)
    with home.app.read() as conn:
        read = read_memory(conn, home.app.vault, Wanted(home.tenant_id, "application", KEY, most=3), home.actor.now)
    assert {one.id for one in read.used} == set(alive)


@pytest.mark.case("M07")
@pytest.mark.parametrize("how", ["forget", "expire", "purge", "sweep"])
def test_a_search_that_found_them_finds_none_once_they_are_gone_however_they_went(home: Home, how: str) -> None:
    ids = [remember(home, f"Harbour {n}.", key=str(n), expires_at=FIXTURE_START + DAY).id for n in range(5)]
    search = MemoryFilters(find="harbour")
    assert set(found(home, search)) == set(ids)
    if how == "sweep":
        home = home.at(FIXTURE_START + DAY)
        sweep_expired(home.app.write, home.app.desk, home.actor)
    for one in ids if how != "sweep" else ():
        purge(home, one) if how == "purge" else change(home, how, one)
    assert found(home, search) == []


@pytest.mark.case("M09")
def test_an_id_deletes_as_an_object_and_as_text_and_a_delete_of_nothing_says_so(home: Home) -> None:
    ids = [uuid.uuid4(), uuid.uuid4()]
    for one in ids:
        line = remember(home, key=str(one))
        home.change("UPDATE memories SET id = :new WHERE id = :old", new=str(one), old=line.id)
    purge(home, ids[0])  # type: ignore[arg-type]
    purge(home, str(ids[1]))
    assert home.look("SELECT id FROM memories") == []
    with pytest.raises(NotFound, match="There is no memory"):
        purge(home, str(ids[1]))


@pytest.mark.case("M10")
def test_a_life_of_one_second_is_over_after_two_though_nothing_swept(home: Home) -> None:
    line = remember(home, expires_at=FIXTURE_START + timedelta(seconds=1))
    late = home.at(FIXTURE_START + timedelta(seconds=2))
    assert look(late).used == ()
    with late.app.read() as conn, pytest.raises(NotFound, match="expired"):
        show_memory(conn, late.app.vault, late.tenant_id, line.id, late.actor.now)
    assert len(late.look("SELECT id FROM memories")) == 1


@pytest.mark.case("S05")
def test_a_time_of_another_zone_is_the_same_instant_when_it_is_read_and_filtered(home: Home) -> None:
    pacific = timezone(timedelta(hours=-8))
    line = remember(home, expires_at=datetime(2026, 8, 21, 13, 26, 43, tzinfo=pacific))
    assert iso(line.expires_at) == "2026-08-21T21:26:43Z"
    ahead = line.expires_at - FIXTURE_START
    assert found(home, MemoryFilters(expires_within=ahead)) == [line.id]
    assert found(home, MemoryFilters(expires_within=ahead - timedelta(milliseconds=1))) == []


@pytest.mark.case("S07", "S08")
@pytest.mark.parametrize("odd", ["\x00", "\ud800"])
def test_a_character_that_no_database_keeps_is_refused_by_its_field_and_nothing_is_written(
    home: Home, odd: str
) -> None:
    for fields in ({"text": f"Har{odd}bour."}, {"key": f"k{odd}"}, {"source": f"a{odd}b"}):
        with pytest.raises((MemoryRefused, BadInput)):
            remember(home, **fields)  # type: ignore[arg-type]
    assert states(home) == {}
    assert texts(look(home)) == []
    assert remember(home, TEXT).state == "live"
