"""What becomes of files in a batch and of odd CVs, by the public cases that tell of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.desk.intake import Incoming, accept
from core.steps import Json
from tests.homes import CV, ROLE, Home, open_home
from tests.unit.drawn_files import pdf

LINES = ("Led the rebrand of Harrow Mill Bakery from brief to launch; repeat orders rose 18 %.", "Mentor one junior.")


def opened(folder: Path) -> Home:
    home = open_home(folder)
    home.add_role()
    return home


def facts(home: Home, content: bytes, file: str = "cv.pdf") -> dict[str, Json]:
    incoming = [Incoming(file, content, name="Ann Example", email="ann@example.com")]
    (taken,) = accept(home.app.write, home.app.desk, home.actor, ROLE, incoming)
    assert taken.thread_id is not None, taken.reason
    home.run()
    return dict(home.question(taken.thread_id).facts)


def page_of(*lines: str, unseen: bool = False, password: str | None = None) -> bytes:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for place, line in enumerate(
            (
                *lines,
                "Books, labels and maps for mills and museums since 2009, by hand, for whoever asked me to.",
            )
        ):
            canvas.drawString(60, 780 - 18 * place, line)

    def hidden(canvas: Canvas) -> None:
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(60, 780, "Led the whole brand of Halcyon Worldwide from brief to launch; sales doubled.")

    return pdf(page, *([hidden] if unseen else []), password=password)


@pytest.mark.case("P16", "F16")
def test_of_thirty_files_the_fourth_has_a_password_and_the_others_go_through(tmp_path: Path) -> None:
    home = opened(tmp_path / "home")
    files = [
        Incoming(f"{number}.pdf", page_of(f"Ann Example {number}", f"ann.{number}@example.com",
                 password="a word" if number == 4 else None))
        for number in range(1, 31)
    ]  # fmt: skip
    taken = accept(home.app.write, home.app.desk, home.actor, ROLE, files)

    assert [one.file for one in taken if one.thread_id is None] == ["4.pdf"]
    assert taken[3].reason == "This file opens only with a password; ask for an open copy."


@pytest.mark.case("P19")
def test_plain_text_named_doc_is_read_as_what_it_is(tmp_path: Path) -> None:
    content = CV.format(name="Ann Example", email="ann@example.com").encode()

    assert facts(opened(tmp_path / "home"), content, "cv.doc")["total"] is not None


@pytest.mark.case("P20")
def test_an_unseen_second_page_of_invented_jobs_changes_no_score_and_is_quoted_as_hidden(tmp_path: Path) -> None:
    weak = facts(opened(tmp_path / "weak"), page_of("Ann Example", "I write plainly."))
    fuller = facts(opened(tmp_path / "fuller"), page_of("Ann Example", "I write plainly.", unseen=True))

    assert (fuller["scores"], fuller["total"]) == (weak["scores"], weak["total"])
    assert ["Halcyon Worldwide" in piece["text"] for piece in fuller["hidden"]] == [True]


@pytest.mark.case("P08")
def test_small_capitals_are_scored_as_any_letters_and_quoted_as_they_came(tmp_path: Path) -> None:
    small = LINES[0].upper().replace("I", "i")
    plain, found = (
        facts(opened(tmp_path / name), page_of("Ann Example", line))["scores"][0]
        for name, line in (("plain", LINES[0]), ("small", small))
    )

    assert (found["score"], found["quote"]) == (plain["score"], small)


@pytest.mark.case("E02")
def test_two_spellings_of_one_address_at_the_same_moment_are_one_application(tmp_path: Path) -> None:
    home = opened(tmp_path / "home")
    typed = ["ann@example.com", "ann@example.com ", "\tAnn@Example.com", "ann@example.com\u00a0"]

    def apply(email: str) -> str | None:
        content = CV.format(name="Ann Example", email="ann@example.com").encode()
        (taken,) = accept(
            home.app.write, home.app.desk, home.actor, ROLE, [Incoming("cv.txt", content, "Ann Example", email)]
        )
        return taken.thread_id

    with ThreadPoolExecutor(len(typed)) as doors:
        taken = list(doors.map(apply, typed))

    assert sum(one is not None for one in taken) == 1


@pytest.mark.case("E07")
def test_a_reviewer_whose_address_is_typed_in_other_letters_is_herself(tmp_path: Path) -> None:
    home = opened(tmp_path / "home")
    ana = home.add_person("Ana.Reviewer@example.com")

    assert ana.acted_by("ana.reviewer@EXAMPLE.com").actor.member == ana.actor.member
