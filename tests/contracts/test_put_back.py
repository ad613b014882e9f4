"""An old copy of the database that is put back sends nothing again (contract C3): a person settles the doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.clock import FIXTURE_START
from core.errors import BadInput
from core.ports import Envelope, Prepared
from tests.contracts.tiny import ACT, ONE, Slip, acts, begun, raising, saying, workflow
from tests.databases import copy_home, put_back
from tests.fakes import Died, FakeAdapter
from tests.homes import Home, open_home

BEHIND = "but link {} was published; its tail is cut."


def asking(folder: Path, count: int) -> tuple[Home, list[str]]:
    """Open a home in which so many applicants wait for an answer."""
    home = open_home(folder / "home")
    home.add_role()
    threads = [home.apply(f"Ann{number} Example", f"ann{number}@example.com") for number in range(count)]
    home.run()
    return home, threads


def copied(home: Home, folder: Path) -> tuple[Home, Path]:
    """Close a home, keep a copy of it, and open it again."""
    home.app.close()
    copy = copy_home(home.app.home, folder / "copy")
    return replace(open_home(home.app.home), tenant_id=home.tenant_id), copy


def back(home: Home, copy: Path) -> Home:
    """Put the copy's database back."""
    home.app.close()
    put_back(copy, home.app.home)
    return replace(open_home(home.app.home), tenant_id=home.tenant_id)


def take_away(home: Home) -> int:
    """Take the letters out of the outbox, as the post does, and answer how many there were."""
    letters = home.letters()
    for letter in letters:
        letter.unlink()
    return len(letters)


def decided(home: Home, threads: list[str]) -> None:
    """Approve every thread's question and drive what follows."""
    for thread in threads:
        home.decide(thread)
    home.run()


def statuses(home: Home) -> list[tuple[object, ...]]:
    return home.look("SELECT status, COUNT(*) FROM effects WHERE tenant_id = :t GROUP BY status", t=home.tenant_id)


def test_thirty_letters_stay_thirty_when_the_decisions_are_repeated_on_an_old_copy(tmp_path: Path) -> None:
    home, threads = asking(tmp_path, 30)
    home, copy = copied(home, tmp_path)
    decided(home, threads)
    assert take_away(home) == 30
    home = back(home, copy)
    decided(home, threads)

    assert (home.letters(), statuses(home)) == ([], [("unknown", 30)])
    assert {home.thread(one).thread.parked_why for one in threads} == {"effect_unknown"}
    assert {one["why"] for one in home.audit("effect_ahead")} == {"journal_ahead"}


def test_what_the_journal_knew_first_is_settled_by_a_person_either_way(tmp_path: Path) -> None:
    home, threads = asking(tmp_path, 2)
    home, copy = copied(home, tmp_path)
    decided(home, threads)
    take_away(home)
    home = back(home, copy)
    decided(home, threads)
    went, lost = threads
    home.settle(f"{went}/invite", "seen in their inbox")
    home.settle(f"{lost}/invite", None)
    home.run()

    assert ([home.ending(one)[0] for one in threads], list(home.mail(lost)), list(home.mail(went))) == (
        ["waiting"] * 2, ["invite"], [],
    )  # fmt: skip
    assert [home.question(one).released_at is not None for one in threads] == [True, True]
    with pytest.raises(BadInput, match="is done, not unknown"):
        home.settle(f"{lost}/invite", None)
    assert all("published" in problem for problem in home.verify()), home.verify()


def test_verify_says_that_the_database_is_behind_and_which_letters_it_does_not_know(tmp_path: Path) -> None:
    home, (thread,) = asking(tmp_path, 1)
    home, copy = copied(home, tmp_path)
    decided(home, [thread])
    ((newest,),) = home.look("SELECT MAX(link) FROM audit_links")
    home = back(home, copy)
    problems = home.verify()

    assert [problem for problem in problems if problem.endswith(BEHIND.format(newest))], problems
    assert f"effect {thread}/invite: attempt 1 stands in the effect journal, but not in the ledger." in problems
    assert len(problems) == 2


def test_a_database_that_grew_past_the_published_head_is_still_told_apart(tmp_path: Path) -> None:
    home, (thread,) = asking(tmp_path, 1)
    home, copy = copied(home, tmp_path)
    decided(home, [thread])
    home = back(home, copy)
    decided(home, [thread])
    for number in range(10):
        home.amend(thread, name=f"Ann Example {number}")

    assert [problem for problem in home.verify() if "is not the one that was published" in problem] != []


def test_a_planned_letter_of_an_old_copy_is_unknown_as_soon_as_a_worker_starts(tmp_path: Path) -> None:
    adapter = FakeAdapter(preparing=raising(TimeoutError()))
    tiny = workflow(acts({}))
    home = begun(tmp_path, tiny, adapter)
    home.run()
    assert home.ledger()["act"].status == "planned"
    home, copy = copied(home, tmp_path)
    adapter.preparing = saying()
    home = home.with_code(tiny, tool=adapter)
    home.retry_at_once()
    home.run()
    home = back(home, copy).with_code(tiny, tool=adapter)
    home.app.engine("test").stop()

    assert (home.ledger()["act"].status, home.ledger()["act"].why) == ("unknown", "journal_ahead")
    home.retry_at_once()
    home.run()
    assert (adapter.happened, home.thread(ONE).thread.parked_why) == (["act"], "effect_unknown")


@pytest.mark.parametrize("honours_keys", [True, False])
def test_later_attempts_than_an_old_copy_knows_are_one_doubt_and_settled_once(
    tmp_path: Path, honours_keys: bool
) -> None:
    adapter = FakeAdapter(honours_keys=honours_keys)
    tiny = workflow(acts({}))
    home = begun(tmp_path, tiny, adapter)
    home, copy = copied(home, tmp_path)
    adapter.delivering = raising(Died()) if not honours_keys else saying()
    home = home.with_code(tiny, tool=adapter)
    if honours_keys:
        home.run()
    else:
        with pytest.raises(Died):
            home.run()
        home.run()
        home.settle(ACT, None)
        adapter.delivering = saying()
        home.run()
    home = back(home, copy).with_code(tiny, tool=adapter)
    home.run()
    assert (adapter.happened, home.ledger()["act"].status) == (["act"], "unknown")
    home.settle(ACT, "their ticket 71")
    home.run()
    assert (adapter.happened, home.ending(ONE)) == (["act"], ("completed", "done"))
    assert all("published" in problem for problem in home.verify()), home.verify()


def test_a_letter_in_sending_that_the_journal_knows_as_done_is_not_sent_again(tmp_path: Path) -> None:
    adapter = FakeAdapter(delivering=raising(Died()))
    tiny = workflow(acts({}))
    home = begun(tmp_path, tiny, adapter)
    with pytest.raises(Died):
        home.run()
    home, copy = copied(home, tmp_path)
    adapter.delivering = saying()
    home = home.with_code(tiny, tool=adapter)
    home.run()
    adapter.outside.clear()
    home = back(home, copy).with_code(tiny, tool=adapter)
    home.run()
    assert (adapter.happened, home.ledger()["act"].status) == ([], "unknown")


def test_each_tenant_is_held_against_its_own_lines(tmp_path: Path) -> None:
    tiny, adapter = workflow(acts({})), FakeAdapter()
    home = begun(tmp_path, tiny, adapter)
    north = home.add_tenant("north").with_code(tiny, tool=adapter)
    north.begin(tiny, ONE, Slip())
    home, copy = copied(home, tmp_path)
    home = home.with_code(tiny, tool=adapter)
    home.run()
    home = back(home, copy).with_code(tiny, tool=adapter)
    home.run()
    north = Home(home.app, "north", has_own_code=True)
    north.run()

    assert (home.ledger()["act"].status, north.ledger()["act"].status) == ("unknown", "done")
    assert adapter.outside == [("home", ACT, {}), ("north", ACT, {})]


def test_what_another_process_writes_while_a_letter_is_prepared_holds_it_back_at_the_gate(tmp_path: Path) -> None:
    adapter = FakeAdapter()
    home = begun(tmp_path, workflow(acts({})), adapter)
    journal = home.app.home / "effect-journal.log"

    def write(envelope: Envelope) -> Prepared | None:
        line = f'{{"tenant":"home","key":"{envelope.key}","payload_hash":"x","attempt":1,"phase":"sending"}}\n'
        journal.write_text(line)
        return None

    adapter.preparing = write  # type: ignore[assignment]
    home.run()
    assert (adapter.happened, home.ledger()["act"].status, home.thread(ONE).thread.parked_why) == (
        [], "unknown", "effect_unknown",
    )  # fmt: skip


def test_a_home_whose_database_is_its_own_has_no_doubt_however_often_it_starts(tmp_path: Path) -> None:
    home, threads = asking(tmp_path, 3)
    decided(home, threads)
    for _ in range(3):
        home = home.at(FIXTURE_START)
        home.run()

    assert (len(home.letters()), statuses(home), home.audit("effect_ahead")) == (3, [("done", 3)], [])
    assert home.verify() == []


# A journal that was hurt


@pytest.mark.parametrize("torn", [b'{"ten', b'{"tenant":"home","key":"role-14/app-0001/in'])
def test_a_line_that_a_crash_cut_short_hides_no_other_and_is_no_damage(tmp_path: Path, torn: bytes) -> None:
    home, threads = asking(tmp_path, 2)
    journal = home.app.home / "effect-journal.log"
    journal.write_bytes(torn)
    home, copy = copied(home, tmp_path)
    decided(home, threads)
    assert home.verify() == []
    take_away(home)
    home = back(home, copy)
    decided(home, threads)

    assert (home.letters(), statuses(home)) == ([], [("unknown", 2)])


@pytest.mark.parametrize("garbage", [b"\xff\xfe\x00", b"not a line", b'{"tenant":1}', b"[]", b"{}"])
@pytest.mark.parametrize("ended", [b"\n", b""])
def test_a_line_that_cannot_be_read_hides_no_other_and_verify_names_it(
    tmp_path: Path, garbage: bytes, ended: bytes
) -> None:
    home, threads = asking(tmp_path, 2)
    (home.app.home / "effect-journal.log").write_bytes(garbage + ended)
    home, copy = copied(home, tmp_path)
    decided(home, threads)
    named = ["effect journal: line 1 cannot be read; what it named may have left."]
    assert (home.verify(), len(home.letters())) == (named, 2)
    take_away(home)
    home = back(home, copy)
    decided(home, threads)

    assert (home.letters(), statuses(home)) == ([], [("unknown", 2)])
