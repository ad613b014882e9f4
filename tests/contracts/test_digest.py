"""The morning digest: one letter for each local day to each person who may decide, whose links only show."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from core.desk.duties import set_duty_time
from core.duties.calendar import read_rule
from tests.contracts.command_line import AS, CommandLine
from tests.homes import Home, open_home

SEVEN = datetime(2026, 8, 21, 6, tzinfo=UTC)  # 07:00 in London


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = open_home(tmp_path / "home")
    home.add_role()
    return home


def set_time(home: Home, time: str = "07:00", zone: str = "Europe/London") -> datetime:
    actor, rule = home.actor, read_rule(time, zone, None)
    return home.app.act(actor, "duty set", lambda tx: set_duty_time(tx, actor, "digest", rule)).at


def letters(home: Home) -> list[EmailMessage]:
    return [message_from_bytes(path.read_bytes(), policy=default) for path in home.letters()]


def digests(home: Home) -> list[str]:
    """Answer the digests in the outbox: to whom, and under which key, sorted by key."""
    found = [one for one in letters(home) if str(one["X-Daybook-Key"]).startswith("digest/")]
    return sorted(f"{one['X-Daybook-Key']} to {one['To'].addresses[0].addr_spec}" for one in found)


def body(home: Home) -> str:
    (letter,) = [one for one in letters(home) if str(one["X-Daybook-Key"]).startswith("digest/")]
    return str(letter.get_content())


def key(home: Home, day: str) -> str:
    return f"digest/{day}/{home.actor.member.id}/mail"


def booked(home: Home, name: str, slot: str) -> str:
    thread_id = home.apply(name, f"{name.split()[0].lower()}@example.com")
    home.run()
    home.decide(thread_id)
    home.run()
    home.book(thread_id, slot)
    home.run()
    return thread_id


@pytest.mark.case("R11")
def test_an_interview_that_was_earlier_that_day_is_not_listed_as_ahead(home: Home) -> None:
    past = booked(home, "Ann Example", "2026-08-20T15:00:00Z")
    ahead = booked(home, "Ben Example", "2026-08-21T15:00:00Z")
    far = booked(home, "Cleo Example", "2026-09-01T15:00:00Z")
    set_time(home, "19:00")

    home = home.at(datetime(2026, 8, 20, 18, tzinfo=UTC))
    home.run()

    listed = body(home).partition("1 interview within 48 hours:")[2].partition("\n\n")[0]
    assert (ahead in listed, past in listed, far in listed) == (True, False, False)
    assert "Fri 21 Aug 16:00 BST" in listed


def test_a_local_day_has_one_digest_over_both_nights_on_which_the_clocks_change(tmp_path: Path) -> None:
    home = open_home(tmp_path / "home", now=datetime(2026, 10, 24, tzinfo=UTC))
    set_time(home, "02:30", "Europe/Berlin")
    for hours in range(0, 60):
        home = home.at(datetime(2026, 10, 24, 0, 31, tzinfo=UTC) + timedelta(hours=hours))
        home.run()
    for hours in range(0, 36):
        home = home.at(datetime(2027, 3, 28, 0, 31, tzinfo=UTC) + timedelta(hours=hours))
        home.run()

    days = ["2026-10-24", "2026-10-25", "2026-10-26", "2027-03-27", "2027-03-28", "2027-03-29"]
    found = [one.split("/")[1] for one in digests(home)]
    assert found == [day for day in days if day in found]
    assert {"2026-10-25", "2027-03-28"} <= set(found)
    assert home.verify() == []


def test_it_goes_to_everybody_who_may_decide_and_to_nobody_else(home: Home) -> None:
    reviewer = home.add_person("rae@example.com")
    home.add_person("vic@example.com", "viewer")
    home.add_person("left@example.com", active=False)
    set_time(home)

    home = home.at(SEVEN)
    home.run()

    owner = home.actor.member.id
    assert digests(home) == sorted([
        f"digest/2026-08-21/{owner}/mail to owner@example.com",
        f"digest/2026-08-21/{reviewer.actor.member.id}/mail to rae@example.com",
    ])  # fmt: skip


def test_it_needs_no_approval_and_stands_in_the_ledger_under_its_date(home: Home) -> None:
    set_time(home)
    home = home.at(SEVEN)
    home.run()

    (row,) = home.look("SELECT key, kind, status, needs_approval, approval_id FROM effects")
    assert row == (key(home, "2026-08-21"), "mail", "done", False, None)
    assert home.ending(f"digest/2026-08-21/{home.actor.member.id}") == ("completed", "sent")
    assert home.verify() == []


def test_done_again_it_sends_nothing_more(home: Home) -> None:
    set_time(home)
    home = home.at(SEVEN)
    home.run()
    before = digests(home)
    home.change("UPDATE duty_runs SET ended_at = NULL, worker_id = 'w-dead'")

    home.run()

    assert digests(home) == before == [f"{key(home, '2026-08-21')} to owner@example.com"]


def test_it_names_runs_and_nobody_by_name_and_its_links_lead_to_pages_that_show(home: Home) -> None:
    asks = home.apply("Ann Example")
    home.run()
    set_time(home)
    home = home.at(SEVEN)
    home.run()

    said = body(home)
    assert "1 question waits for you" in said
    assert "due Sat 22 Aug 10:00 BST" in said
    assert "Ann" not in said
    links = [link.removeprefix(home.app.settings.base_url) for link in re.findall(r"https?://\S+", said)]
    assert links == ["/review", f"/run?id={asks}", "/"]


def test_with_nothing_waiting_it_says_so(home: Home) -> None:
    set_time(home)
    home = home.at(SEVEN)
    home.run()

    (letter,) = letters(home)
    assert str(letter["Subject"]) == "Fri 21 Aug: nothing waits for you"
    assert "Nothing is wrong." in body(home)


def test_nothing_of_another_tenant_is_in_it(home: Home) -> None:
    other = home.add_tenant("other")
    home.apply("Ann Example")
    home.run()
    set_time(other)

    there = Home(home.at(SEVEN).app, "other")
    there.run()

    (letter,) = letters(there)
    assert "Nothing waits for you." in letter.get_content()
    assert "role-14" not in letter.get_content()


def test_what_sending_held_back_for_a_day_is_not_sent_later(home: Home) -> None:
    set_time(home)
    home = home.at(SEVEN)
    home.switch(on=False)
    home.run()
    home = home.at(SEVEN + timedelta(hours=25))
    home.switch(on=True)
    home.run()

    assert digests(home) == [f"{key(home, '2026-08-22')} to owner@example.com"]
    assert home.ending(f"digest/2026-08-21/{home.actor.member.id}") == ("completed", "not_sent")
    assert home.verify() == []


@pytest.mark.parametrize("change", ["active = false", "access = 'viewer'"])
def test_who_may_decide_no_more_is_sent_nothing_that_was_waiting_for_the_switch(home: Home, change: str) -> None:
    reviewer = home.add_person("rae@example.com").actor.member.id
    set_time(home)
    home = home.at(SEVEN)
    home.switch(on=False)
    home.run()
    home.change(f"UPDATE people SET {change} WHERE id = :id", id=reviewer)
    home.switch(on=True)
    home.run()

    assert digests(home) == [f"{key(home, '2026-08-21')} to owner@example.com"]
    assert home.summaries(f"digest/2026-08-21/{reviewer}")["send"] == "Not sent: owner may not decide."
    assert home.verify() == []


def test_what_a_digest_did_is_no_news_on_the_front_page(home: Home) -> None:
    set_time(home)
    home = home.at(SEVEN)
    home.run()
    home = home.at(SEVEN + timedelta(days=1))
    home.run()

    said = [str(one.get_content()) for one in letters(home)]
    assert len(said) == 2
    assert all("In the last 24 hours: nothing left and nothing ended." in one for one in said)


def test_a_digest_is_set_by_command(at: CommandLine) -> None:
    at.read("duty", "set", "digest", "--at", "07:00", "--zone", "Europe/London", *AS)
    at.set(DAYBOOK_NOW="2026-08-21T06:00:00Z")
    at.run("worker", "--until-idle")

    assert [one["status"] for one in at.read("effects") if one["key"].startswith("digest/2026-08-21/")] == ["done"]
    (run,) = at.read("duty", "runs", "digest")["runs"]
    assert run["result"] == {"letters": 1}
