from __future__ import annotations

import sqlite3

import pytest

from core.desk.intake import Incoming, accept
from tests.homes import Home
from tests.pages.conftest import drawn
from tests.pages.pulse import Pulse
from tests.pages.reviewing import Look, has, laid_over, press, said, statuses
from tests.pages.test_around_pages import MOST_STATEMENTS, counted

NO_ADDRESS = "Nora Example\nLed the rebrand of Harrow Mill Bakery from brief to launch.\nRight to work in the UK: yes\n"


def test_evidence_stands_before_the_number_and_the_number_before_what_leaves(two_asked: list[str], look: Look) -> None:
    shown = drawn(look())

    order = [
        "<q><bdi>Led the rebrand of Harrow Mill Bakery",
        "CV, page 1, line 3",
        "failures first",
        "Known from before",
    ]
    order += [" of 25</p>", "rubric version 1", "practice model"]
    assert [mark in shown for mark in order] == [True] * len(order)
    assert sorted(order, key=shown.index) == order


def test_what_leaves_on_an_approve_is_there_to_the_letter(home: Home, two_asked: list[str], look: Look) -> None:
    shown = drawn(look())
    question = home.question(two_asked[0])

    payloads = [one.payload for one in question.choices if one.payload is not None]
    assert len(payloads) == 3
    for payload in payloads:
        assert f"<bdi>{payload['subject']}</bdi>" in shown
        assert f"<pre><bdi>{payload['body'].strip()}</bdi></pre>".replace("'", "&#x27;") in shown
    keys = [f"<code>{two_asked[0]}/{name}</code>" for name in ("invite", "reminder", "decline")]
    assert [key in shown for key in keys] == [True] * 3
    assert "it is held until <time" in shown
    times = [
        "10:15 BST</time> <span>Invite leaves",
        "Fri 21 Aug 10:15",
        "Sat 22 Aug 10:15 BST</time> <span>Window for a",
    ]
    assert [time in shown for time in times] == [True] * 3


def test_buttons_name_the_act_and_its_key(two_asked: list[str], look: Look) -> None:
    keys = {button.label: button.proto.shortcut for button in look().button if button.proto.shortcut}

    assert keys == {
        "Invite Ann": "a", "Send the decline": "d", "Next": "j", "Open CV": "o", "Run log": "l", "Undo": "u",
        "Second look": "s", "Snooze": "h", "Edit": "e", "Note": "n", "Mark": "x", "Keys": "f1",
    }  # fmt: skip


def test_while_a_drawer_is_open_the_page_has_no_keys_and_decides_nothing(
    home: Home, two_asked: list[str], look: Look
) -> None:
    app = press(look(), "cv")

    keys = [button.key for button in app.button if button.proto.shortcut]
    live = [button.key for button in app.button if not button.disabled]
    assert (keys, live) == ([], [])
    assert "Led the rebrand of Harrow Mill Bakery from brief to launch" in laid_over(app)


def test_the_drawer_marks_hidden_text_and_quoted_lines(home: Home, look: Look) -> None:
    home.add_role()
    cv = "Ann\u200b Example\n{email}\nLed the rebrand of Harrow Mill Bakery from brief to launch; sales rose 18 %.\n"
    home.apply("Ann Example", cv=cv + "\U000e0053\U000e0063\U000e006f\U000e0072\U000e0065\n")
    home.run()

    app = press(look(), "cv")

    shown = laid_over(app)
    assert "<mark><bdi>Led the rebrand" in shown
    assert ("Hidden text" in shown) == (home.question("role-14/app-0001").facts["hidden_count"] > 0)


def test_a_file_that_is_gone_says_so_in_the_drawer(home: Home, two_asked: list[str], look: Look) -> None:
    for blob_id in home.app.desk.blobs.list_ids():
        home.app.desk.blobs.delete(blob_id)

    app = press(look(), "cv")

    assert "The file cannot be opened." in laid_over(app)


def test_the_address_names_the_question(home: Home, two_asked: list[str], look: Look) -> None:
    assert "Ben Example</bdi></h2>" in drawn(look(item=home.question(two_asked[1]).id))


def test_a_decided_question_shows_who_when_and_until_when(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])

    app = look(item=home.question(two_asked[0]).id)

    assert "<b>Invite</b> by <bdi>Owner</bdi>" in drawn(app)
    assert "It can be undone until it is released." in drawn(app)
    assert not has(app, "approve")
    press(app, "undo-this")
    assert home.question(two_asked[0]).status == "pending"


def test_a_foreign_question_answers_like_a_missing_one(home: Home, two_asked: list[str], look: Look) -> None:
    other = home.add_tenant("other")
    other.add_role("role-77")
    thread = other.apply("Cara Example", "cara@example.org", role_id="role-77")
    other.run()

    pages = [drawn(look(item=item)) for item in (other.question(thread).id, "apr-none", "' OR '1'='1")]

    assert ["There is no such question here." in page for page in pages] == [True] * 3
    assert [name in page for page in pages for name in ("Cara", "role-77")] == [False] * 6


def test_a_question_whose_content_was_erased_is_no_longer_there(home: Home, two_asked: list[str], look: Look) -> None:
    item = home.question(two_asked[0]).id
    with sqlite3.connect(home.app.home / "keys" / "keys.sqlite") as keys:
        keys.execute("DELETE FROM section_keys WHERE thread_id = ?", (two_asked[0],))

    shown = drawn(look(item=item))

    assert "There is no such question here." in shown
    assert "Ann Example" not in shown


def test_a_viewer_sees_the_card_and_no_verdict(home: Home, two_asked: list[str], look: Look) -> None:
    home.add_person("vic@example.com", "viewer")
    home.decide(two_asked[1])

    app = look("vic@example.com")

    assert "Ann Example</bdi></h2>" in drawn(app)
    assert [has(app, what) for what in ("approve", "decline", "undo", "release")] == [False] * 4


def test_access_that_was_taken_away_is_seen_at_the_next_press(home: Home, two_asked: list[str], look: Look) -> None:
    home.add_person("rev@example.com")
    app = look("rev@example.com")
    home.change("UPDATE people SET access = 'viewer' WHERE email = 'rev@example.com'")

    press(app, "approve")

    assert statuses(home, two_asked) == ["pending", "pending"]
    assert "may not decide" in said(app)


@pytest.fixture
def no_address(home: Home) -> str:
    home.add_role()
    (outcome,) = accept(
        home.app.write, home.app.desk, home.actor, "role-14",
        [Incoming("cv.txt", NO_ADDRESS.encode(), name="Nora Example", email=None)],
    )  # fmt: skip
    home.run()
    assert outcome.thread_id is not None
    return outcome.thread_id


def test_an_address_that_fits_answers_the_question(home: Home, no_address: str, look: Look) -> None:
    app = look()
    assert [button.label for button in app.button if button.proto.shortcut in ("a", "d")] == [
        "Use this address",
        "Close without a letter",
    ]

    app.text_input[0].input(" nora@example.com ").run()
    press(app, "approve")

    assert home.question(no_address).remark["answer"] == {"email": "nora@example.com"}


@pytest.mark.parametrize("typed", ["", "nora", "nora@", "a b@example.com"])
def test_an_address_that_does_not_fit_is_refused_and_stays_typed(
    home: Home, no_address: str, look: Look, typed: str
) -> None:
    app = look()
    app.text_input[0].input(typed).run()

    press(app, "approve")

    assert home.question(no_address).status == "pending"
    assert app.text_input[0].value == typed
    assert 'class="refused"' in drawn(app)


def test_no_queue_and_no_match_are_two_texts(home: Home, look: Look) -> None:
    nothing = drawn(look())
    home.add_role()
    home.apply()
    home.run()
    nothing_in_lane = drawn(look(lane="decline"))

    assert ("Nothing waits for you." in nothing, "Nothing waits for you." in nothing_in_lane) == (True, False)
    assert ("Nothing waits in this lane" in nothing, "Nothing waits in this lane" in nothing_in_lane) == (False, True)


def test_no_queue_says_what_comes_next(home: Home, two_asked: list[str], look: Look) -> None:
    for thread in two_asked:
        home.decide(thread)

    assert f"Next is <code>{two_asked[0]}</code>, <time" in drawn(look())


def test_lanes_have_counts_and_narrow_the_walk(home: Home, two_asked: list[str], look: Look, pulse: Pulse) -> None:
    home.decide(two_asked[0])
    home.undo(two_asked[0])

    app = look()
    labels = [button.label for button in app.button if button.key and button.key.startswith("review.lane.")]
    app = press(app, "lane.back")

    assert labels[0] == "All · 2"
    assert "Came back · 1" in labels
    assert [button.disabled for button in app.button if button.key == "review.next.item"] == [True]


def test_the_strip_counts_what_waits_what_is_due_and_what_is_held(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])
    home.change("UPDATE approvals SET due_at = '2026-08-20T10:30:00.000Z'")

    shown = drawn(look())

    assert "<b>1</b> to decide" in shown
    assert "<b>1</b> due before noon" in shown
    assert "held <b>1</b>" in shown
    assert "no worker: nothing leaves" in shown


@pytest.mark.parametrize("press_first", [None, "cv", "decline"])
def test_the_page_is_drawn_from_a_few_statements(
    home: Home, two_asked: list[str], look: Look, press_first: str | None
) -> None:
    home.decide(two_asked[0])
    app = look()
    if press_first is not None:
        press(app, press_first)

    with counted() as statements:
        app.run()

    assert 0 < len(statements) <= MOST_STATEMENTS, statements


def test_a_question_that_came_back_says_why(home: Home, two_asked: list[str], look: Look) -> None:
    home.decide(two_asked[0])
    home.amend(two_asked[0], name="Anna Example")
    home.run()

    shown = drawn(look(item=home.question(two_asked[0]).id))

    assert "<b>Came back.</b> Changed: <bdi>the name, person 1 → 2</bdi>" in shown
    assert "Approved before by <bdi>you</bdi>" in shown


EVIL = [
    "<script>alert(1)</script>",
    "![x](https://evil.example.org/p.png)",
    ":green-badge[score] **bold** [link](https://evil.example.org)",
    "www.evil.example.org :material/check: :smile:",
    '" onmouseover="alert(1)',
]


@pytest.mark.parametrize("name", EVIL)
def test_hostile_names_and_quotes_are_text_on_cards_buttons_and_drawers(home: Home, look: Look, name: str) -> None:
    home.add_role()
    line = f"Led the rebrand of {name.replace('{', '')} from brief to launch; orders rose 18 %."
    home.apply(name, "eve@example.com", cv=f"Eve\neve@example.com\n{line}\nRight to work in the UK: yes\n")
    home.run()

    app = look()
    markup = drawn(app) + laid_over(press(app, "cv"))

    assert [tag for tag in ("<script", "<img", 'onmouseover="', '<a href="https') if tag in markup] == []
    labels = [button.label for button in app.button if button.key and button.key.startswith("review.approve")]
    bare = [mark for mark in ("![", "**", "](", "www.", ":s", ":m", ":g") if any(mark in label for label in labels)]
    assert (len(labels), bare) == (1, [])


def test_a_hold_that_is_over_says_that_a_worker_carries_it_out(
    home: Home, two_asked: list[str], look: Look, pulse: Pulse
) -> None:
    app = press(look(), "approve")
    pulse.wait(1)

    press(app, "release")

    assert "due now: a worker carries it out" in drawn(app)
