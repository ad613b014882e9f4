"""Memory: the table with its filters and its search, one record whole, and what a person does to it."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.clock import FIXTURE_START
from core.errors import NotFound
from tests.contracts.remembering import DAY, TEXT, change, look, recalls, remember, replace_text, states, texts
from tests.contracts.tiny import Slip, workflow
from tests.databases import POSTGRES, SQLITE
from tests.homes import Home
from tests.pages.conftest import Open, SignIn, drawn
from tests.pages.test_around_pages import MOST_STATEMENTS, counted
from tests.pages.test_foreign_text import EVIL

BOTH = pytest.mark.parametrize("database", [SQLITE, POSTGRES], indirect=True)


def button(app: AppTest, start: str) -> Any:
    """Answer the first button whose key begins so, or None."""
    return next((one for one in app.button if str(one.key).startswith(f"memory.{start}")), None)


def press(app: AppTest, start: str) -> AppTest:
    found = button(app, start)
    assert found is not None, [one.key for one in app.button]
    found.click().run()
    assert not app.exception, app.exception
    return app


def listed(app: AppTest) -> str:
    """Answer the table alone."""
    return next((one for one in drawn(app).split("<table") if 'class="runs memories"' in one), "")


def said(app: AppTest) -> str:
    return " ".join(toast.value for toast in app.toast)


# The table


def test_without_a_record_the_page_says_how_one_comes_there(open_page: Open) -> None:
    assert "Nothing is remembered yet." in drawn(open_page("memory"))


def test_a_record_stands_with_its_passport(home: Home, open_page: Open) -> None:
    line = remember(home, source="kick-off meeting", expires_at=FIXTURE_START + 9 * DAY)
    shown = listed(open_page("memory"))
    for one in (TEXT, line.id, "fact", "the tenant", "kick-off meeting", "Stated", "0.9 sure", "29 Aug 2026", "Live"):
        assert one in shown


@pytest.mark.parametrize(
    ("address", "finds"),
    [
        ({"state": "Live"}, {"own", "old"}),
        ({"state": "Quarantined"}, {"heard"}),
        ({"state": "Expired"}, {"gone"}),
        ({"state": "Forgotten"}, {"forgotten"}),
        ({"kind": "preference"}, {"old"}),
        ({"owner": "ann@example.com"}, {"own"}),
        ({"owner": "The tenant"}, {"old", "heard", "gone"}),
        ({"source": "invoice"}, {"heard"}),
        ({"trust": "Not trusted"}, {"heard"}),
        ({"sure": "0.7 and up"}, {"own", "old", "gone"}),
        ({"created": "in 24 hours"}, {"own", "heard", "gone"}),
        ({"expires": "within 7 days"}, {"own"}),
        ({"expires": "within 7 days", "kind": "preference"}, set()),
        ({"text": "ANN's own"}, {"own"}),
        ({"text": "matches nothing"}, set()),
        ({"text": "forgotten"}, set()),
        ({"text": "gone"}, set()),
        ({"text": "record", "state": "Quarantined"}, {"heard"}),
    ],
)
@pytest.mark.case("M04")
@BOTH
def test_each_filter_finds_what_fits_it_and_nothing_else(
    home: Home, open_page: Open, address: dict[str, str], finds: set[str]
) -> None:
    ids = fill(home)
    shown = listed(open_page("memory", **address))
    assert {name for name, one in ids.items() if one in shown} == finds
    assert finds or "Nothing found." in drawn(open_page("memory", **address))


def fill(home: Home) -> dict[str, str]:
    """Write one record of each sort that a filter tells apart."""
    ann = home.add_person("ann@example.com")
    weeks = FIXTURE_START + 60 * DAY
    lines = {
        "own": remember(ann, "Ann's own record.", key="own", is_own=True, expires_at=FIXTURE_START + 5 * DAY),
        "old": remember(home, "An old record.", key="old", kind="preference", expires_at=weeks),
        "heard": remember(
            home,
            "A record heard.",
            key="heard",
            origin="document",
            source="invoice 4",
            confidence=0.3,
            expires_at=weeks,
        ),
        "gone": remember(home, "A record that is gone.", key="gone"),
        "forgotten": remember(home, "A forgotten record.", key="forgotten", expires_at=weeks),
    }
    change(home, "expire", lines["gone"].id)
    change(home, "forget", lines["forgotten"].id)
    older = "UPDATE memories SET created_at = '2026-08-01T09:00:00.000Z' WHERE id = :id"
    assert home.change(older, id=lines["old"].id) == 1
    return {name: line.id for name, line in lines.items()}


def test_a_text_that_may_not_be_read_any_more_is_nowhere_on_the_page(home: Home, open_page: Open) -> None:
    ids = fill(home)
    everywhere = [open_page("memory"), *(open_page("memory", state=one) for one in ("Expired", "Forgotten"))]
    everywhere += [open_page("memory", id=ids[name]) for name in ("gone", "forgotten")]
    shown = "".join(drawn(app) for app in everywhere)
    assert ("A record that is gone." in shown, "A forgotten record." in shown) == (False, False)
    assert "An old record." in shown


@pytest.mark.seed("atlas.F3.inspect")
def test_another_tenants_record_is_in_no_table_no_search_and_on_no_page_of_its_own(home: Home, open_page: Open) -> None:
    foreign = remember(home.add_tenant("other"), "Theirs alone.")
    remember(home)
    for address in ({}, {"text": "theirs"}, {"state": "Live"}, {"owner": "other"}):
        shown = drawn(open_page("memory", **address))
        assert (foreign.id in shown, "Theirs alone." in shown) == (False, False)
    shown = drawn(open_page("memory", id=foreign.id))
    assert ("No such record" in shown, "Theirs alone." in shown) == (True, False)


def test_the_second_page_holds_what_the_first_does_not(home: Home, open_page: Open) -> None:
    ids = {remember(home, f"Fact {n}.", key=f"k{n}").id for n in range(30)}
    first, second = (listed(open_page("memory", page=number)) for number in ("1", "2"))
    found = [{one for one in ids if one in shown} for shown in (first, second)]
    assert ([len(one) for one in found], found[0] | found[1]) == ([25, 5], ids)


@pytest.mark.parametrize("address", [{"page": "x"}, {"page": "-1"}, {"page": "99"}, {"state": "Odd"}, {"kind": "x"}])
def test_an_address_that_makes_no_sense_shows_the_table(home: Home, open_page: Open, address: dict[str, str]) -> None:
    line = remember(home)
    assert line.id in listed(open_page("memory", **address))


@pytest.mark.parametrize("evil", EVIL)
def test_what_a_record_says_is_shown_as_text(home: Home, open_page: Open, evil: str) -> None:
    line = remember(home, evil, origin="document", source="a letter")
    for address in ({}, {"id": line.id}):
        shown = drawn(open_page("memory", **address))
        assert [one for one in ("<script", "<img", '<a href="http') if one in shown] == []
        assert line.id in shown


# What wants a person


@BOTH
def test_two_that_contradict_each_other_ask_which_stands_and_the_answer_is_read(home: Home, open_page: Open) -> None:
    stays, goes = remember(home), remember(home, "Harbour is billed by the month.")
    app = open_page("memory")
    assert "Which of these stands?" in drawn(app)
    assert look(home).used == ()
    press(app, f"stands.{stays.id}")
    assert (texts(look(home)), states(home)) == ([TEXT], {stays.id: "live", goes.id: "superseded"})
    assert "Which of these stands?" not in drawn(app)


def test_a_conflict_that_moved_meanwhile_is_decided_by_nobody(home: Home, open_page: Open) -> None:
    stays, other = remember(home), remember(home, "Harbour is billed by the month.")
    app = open_page("memory")
    change(home, "forget", other.id)
    change(home, "restore", other.id)
    press(app, f"stands.{stays.id}")
    assert set(states(home).values()) == {"contested"}
    assert "look again" in said(app)


def test_a_viewer_is_shown_a_conflict_and_offered_no_answer(home: Home, open_page: Open, sign_in: SignIn) -> None:
    remember(home)
    remember(home, "Harbour is billed by the month.")
    sign_in(home.add_person("vic@example.com", "viewer"))
    app = open_page("memory")
    assert ("Which of these stands?" in drawn(app), button(app, "stands")) == (True, None)


# One record


@BOTH
def test_a_record_says_where_it_was_handed_over_and_where_it_was_left_out(home: Home, open_page: Open) -> None:
    line = remember(home)
    told = home.with_code(workflow(recalls))
    told.begin(workflow(recalls), "tiny/used", Slip())
    told.run()
    change(home, "forget", line.id)
    told.begin(workflow(recalls), "tiny/left", Slip())
    told.run()
    change(home, "restore", line.id)
    shown = drawn(open_page("memory", id=line.id))
    assert "handed to 1 run, left out of 1 run" in shown
    assert ("tiny/used" in shown, "tiny/left" in shown, "it was forgotten" in shown) == (True, True, True)


@BOTH
def test_lineage_leads_from_what_a_record_rests_on_to_what_rests_on_it(home: Home, open_page: Open) -> None:
    base = remember(home)
    on_it = remember(home, "So an invoice comes on Fridays.", key="invoice", drawn_from=(base.id,))
    new = replace_text(home, base.id, "Harbour is billed by the fortnight.")
    below, above = drawn(open_page("memory", id=base.id)), drawn(open_page("memory", id=on_it.id))
    assert (on_it.id in below, "Rests on it" in below, new.id in below, "Stands in its place" in below) == (True,) * 4
    assert (base.id in above, "It rests on" in above) == (True, True)


@pytest.mark.parametrize(
    ("what", "before", "after"),
    [
        ("allow", "quarantined", "live"),
        ("refuse", "quarantined", None),
        ("forget", "live", None),
        ("expire", "live", "expired"),
    ],
)
def test_a_press_does_what_the_command_does(
    home: Home, open_page: Open, what: str, before: str, after: str | None
) -> None:
    line = remember(home, origin="model" if before == "quarantined" else "person")
    app = press(open_page("memory", id=line.id), f"{what}.")
    assert states(home) == ({line.id: after} if after else {})
    assert said(app)


def test_what_was_forgotten_is_undone_until_it_is_purged(home: Home, open_page: Open) -> None:
    line = remember(home)
    app = press(open_page("memory", id=line.id), "forget.")
    press(app, "restore.")
    assert texts(look(home)) == [TEXT]
    press(press(app, "ask."), "purge.")
    assert home.look("SELECT id FROM memories") == []
    with pytest.raises(NotFound):
        change(home, "restore", line.id)


def test_a_press_on_a_version_that_moved_changes_nothing(home: Home, open_page: Open) -> None:
    line = remember(home, origin="model")
    app = open_page("memory", id=line.id)
    change(home, "forget", line.id)
    change(home, "restore", line.id)
    press(app, "allow.")
    assert (states(home), "you saw 1" in said(app)) == ({line.id: "quarantined"}, True)


def test_a_new_text_takes_a_records_place(home: Home, open_page: Open) -> None:
    line = remember(home)
    app = open_page("memory", id=line.id)
    app.text_area[0].set_value("Harbour is billed by the fortnight.").run()
    press(app, "replace.")
    assert texts(look(home)) == ["Harbour is billed by the fortnight."]
    assert "Harbour is billed by the fortnight." in drawn(app)


def test_a_secret_is_refused_as_a_new_text_and_the_old_one_stands(home: Home, open_page: Open) -> None:
    line = remember(home)
    app = open_page("memory", id=line.id)
    app.text_area[0].set_value("The password is hunter2!").run()
    press(app, "replace.")
    assert (texts(look(home)), "secrets are not kept" in said(app)) == ([TEXT], True)


@pytest.mark.parametrize(("access", "offered"), [("viewer", []), ("reviewer", ["forget", "expire"])])
def test_who_may_do_less_is_offered_less(
    home: Home, open_page: Open, sign_in: SignIn, access: Any, offered: list[str]
) -> None:
    line = remember(home)
    sign_in(home.add_person("vic@example.com", access))
    app = open_page("memory", id=line.id)
    every = ("forget", "expire", "ask", "replace" if access == "viewer" else "purge")
    assert [one for one in every if button(app, f"{one}.") is not None] == offered


def test_that_a_record_was_looked_at_is_noted_once(home: Home, open_page: Open) -> None:
    line = remember(home)
    app = open_page("memory", id=line.id)
    app.run()
    (noted,) = home.audit("memory_shown")
    assert (noted["memory"], noted["actor"], noted["by"]) == (line.id, home.actor.member.id, "page")


# Expiry


def test_many_leave_at_another_time_after_it_was_shown_who_leaves_when(home: Home, open_page: Open) -> None:
    lines = [remember(home, f"Fact {n}.", key=f"k{n}") for n in range(3)]
    short = remember(home, "Seen.", key="seen", kind="observation", expires_at=FIXTURE_START + DAY)
    app = press(open_page("memory", kind="fact"), "many.preview")
    shown = drawn(app)
    assert "3 records would leave at another time" in shown
    assert ([one.id in shown for one in lines], f"{short.id}</bdi></code> observation: leaves" in shown) == (
        [True] * 3,
        False,
    )
    before = home.look("SELECT DISTINCT version FROM memories")
    press(app, "many.change")
    ends = home.look("SELECT DISTINCT expires_at FROM memories WHERE kind = 'fact'")
    assert (before, ends) == ([(1,)], [("2026-09-18T23:00:00.000Z",)])
    assert home.look("SELECT expires_at FROM memories WHERE kind = 'observation'") == [("2026-08-21T09:00:00.000Z",)]


def test_some_of_the_page_are_chosen_and_the_others_stay(home: Home, open_page: Open) -> None:
    chosen, other = remember(home, key="a"), remember(home, key="b")
    app = open_page("memory")
    app.multiselect[0].set_value([chosen.id]).run()
    press(press(app, "many.preview"), "many.change")
    assert home.look("SELECT id FROM memories WHERE version = 2") == [(chosen.id,)]
    assert states(home).keys() == {chosen.id, other.id}


def test_nothing_is_kept_longer_than_its_policy(home: Home, open_page: Open) -> None:
    line = remember(home, kind="observation")
    app = open_page("memory")
    app.date_input[0].set_value((FIXTURE_START + 91 * DAY).date()).run()
    press(app, "many.preview")
    assert "may be kept until 2026-11-18T09:00:00Z at the latest" in drawn(app)
    assert button(app, "many.change") is None
    assert home.look("SELECT version FROM memories WHERE id = :id", id=line.id) == [(1,)]


def test_a_record_that_moved_after_the_preview_keeps_its_date(home: Home, open_page: Open) -> None:
    line = remember(home)
    app = press(open_page("memory"), "many.preview")
    change(home, "forget", line.id)
    change(home, "restore", line.id)
    press(app, "many.change")
    assert home.look("SELECT expires_at FROM memories")[0][0] == "2027-08-21T09:00:00.000Z"
    assert "changed since it was seen" in said(app)


# What it costs


@pytest.mark.parametrize("address", [{}, {"text": "fact"}, {"state": "Contested"}, {"id": ""}])
def test_the_page_is_drawn_from_a_few_statements(home: Home, open_page: Open, address: dict[str, str]) -> None:
    lines = [remember(home, f"Fact {n}.", key=f"k{n // 2}") for n in range(30)]
    if "id" in address:
        address = {"id": lines[0].id}
    app = open_page("memory", **address)
    with counted() as statements:
        app.run()
    assert 0 < len(statements) <= MOST_STATEMENTS, statements
