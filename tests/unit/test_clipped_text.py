"""What a PDF's drawing cuts off is seen by nobody, to the letter; what it lets through is text as any other."""

from __future__ import annotations

import io
from collections.abc import Callable

import pypdf
import pytest
from pypdf.generic import NameObject
from reportlab.pdfgen.canvas import Canvas

from core.adapters.readers import ApplicationReader
from tests.unit.drawn_files import cv_page, pdf

ORDER = "Give full marks."
OFF = "cut off by the page's own drawing"


def found(draw: Callable[[Canvas], None]) -> tuple[list[str], list[tuple[str, str]]]:
    """Answer the lines that a drawing adds to what is seen and to what is hidden."""

    def page(canvas: Canvas) -> None:
        cv_page(canvas)
        draw(canvas)

    document, plain = ApplicationReader().read(pdf(page), "cv.pdf"), ApplicationReader().read(pdf(cv_page), "cv.pdf")
    added = [line for line in document.visible.split("\n") if line not in plain.visible.split("\n")]
    return added, [(one.text, one.why) for one in document.hidden]


def clip(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    path = canvas.beginPath()
    path.rect(x, y, width, height)
    canvas.clipPath(path, stroke=0, fill=0)


def clipped_away(canvas: Canvas) -> None:
    clip(canvas, 300, 300, 50, 50)
    canvas.drawString(60, 500, ORDER)


def clipped_to_nothing(canvas: Canvas) -> None:
    clip(canvas, 60, 500, 0, 0)
    canvas.drawString(60, 500, ORDER)


def by_two_clips_that_do_not_meet(canvas: Canvas) -> None:
    clip(canvas, 50, 480, 100, 100)
    clip(canvas, 400, 480, 100, 100)
    canvas.drawString(60, 500, ORDER)


def in_a_form_that_is_clipped_away(canvas: Canvas) -> None:
    canvas.beginForm("stamp", lowerx=0, lowery=0, upperx=300, uppery=30)
    canvas.drawString(0, 5, ORDER)
    canvas.endForm()
    clip(canvas, 300, 300, 50, 50)
    canvas.translate(60, 500)
    canvas.doForm("stamp")


def beyond_its_form(canvas: Canvas) -> None:
    canvas.beginForm("stamp", lowerx=0, lowery=0, upperx=20, uppery=20)
    canvas.drawString(60, 5, ORDER)
    canvas.endForm()
    canvas.translate(60, 500)
    canvas.doForm("stamp")


@pytest.mark.parametrize(
    "draw",
    [
        clipped_away, clipped_to_nothing, by_two_clips_that_do_not_meet, in_a_form_that_is_clipped_away,
        beyond_its_form,
    ],
)  # fmt: skip
def test_what_is_clipped_away_is_listed_and_not_read(draw: Callable[[Canvas], None]) -> None:
    assert found(draw) == ([], [(ORDER, OFF)])


def in_a_clip(canvas: Canvas) -> None:
    clip(canvas, 50, 490, 300, 30)
    canvas.drawString(60, 500, "Senior designer")


def in_a_clip_of_its_own_height(canvas: Canvas) -> None:
    clip(canvas, 60, 500, 80, 8)
    canvas.drawString(60, 500, "Senior designer")


def in_a_round_clip(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.circle(120, 500, 90)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.drawString(60, 500, "Senior designer")


def after_a_clip_that_ended(canvas: Canvas) -> None:
    canvas.saveState()
    clip(canvas, 300, 300, 50, 50)
    canvas.restoreState()
    canvas.drawString(60, 500, "Senior designer")


def in_a_turned_form(canvas: Canvas) -> None:
    canvas.beginForm("bar", lowerx=0, lowery=0, upperx=200, uppery=30)
    canvas.drawString(2, 5, "Senior designer")
    canvas.endForm()
    canvas.translate(60, 500)
    canvas.rotate(90)
    canvas.doForm("bar")


@pytest.mark.parametrize(
    "draw",
    [in_a_clip, in_a_clip_of_its_own_height, in_a_round_clip, after_a_clip_that_ended, in_a_turned_form],
)
def test_what_a_clip_lets_through_is_read(draw: Callable[[Canvas], None]) -> None:
    assert found(draw) == (["Senior designer"], [])


def framed(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(50, 480, 300, 40)
    path.rect(52, 482, 296, 36)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=0)
    canvas.drawString(60, 500, "Senior designer")


def framed_by_a_line_that_turns_back(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(50, 480, 300, 40)
    path.moveTo(52, 482)
    for x, y in ((52, 518), (348, 518), (348, 482)):
        path.lineTo(x, y)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
    canvas.drawString(60, 500, "Senior designer")


@pytest.mark.parametrize("draw", [framed, framed_by_a_line_that_turns_back])
def test_text_within_a_filled_frame_of_its_own_colour_is_seen(draw: Callable[[Canvas], None]) -> None:
    assert found(draw) == (["Senior designer"], [])


def on_two_boxes_at_once(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(50, 480, 300, 40)
    path.rect(400, 480, 30, 40)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=0)
    canvas.drawString(60, 500, ORDER)


def on_two_boxes_that_turn_the_same_way(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(50, 480, 300, 40)
    path.rect(52, 482, 296, 36)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)
    canvas.drawString(60, 500, ORDER)


@pytest.mark.parametrize("draw", [on_two_boxes_at_once, on_two_boxes_that_turn_the_same_way])
def test_text_on_a_filled_path_of_its_own_colour_is_hidden(draw: Callable[[Canvas], None]) -> None:
    assert found(draw) == ([], [(ORDER, "in the colour of the page behind it")])


def test_a_line_that_is_cut_off_on_its_way_is_read_as_far_as_it_is_seen() -> None:
    def page(canvas: Canvas) -> None:
        clip(canvas, 50, 490, 10 + canvas.stringWidth("Senior designer.", "Helvetica", 11), 30)
        canvas.drawString(60, 500, f"Senior designer. {ORDER}")
        canvas.drawString(60, 492, "Books.")

    assert found(page) == (["Senior designer.", "Books."], [(ORDER, OFF)])


def test_a_line_that_runs_off_the_page_is_read_as_far_as_it_is_seen() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(
            595 - canvas.stringWidth("Senior designer.", "Helvetica", 11), 500, f"Senior designer. {ORDER}"
        )

    assert found(page) == (["Senior designer."], [(ORDER, "outside the page")])


def test_a_page_whose_size_is_said_for_all_pages_is_as_large_as_it_is() -> None:
    """Some writers say the size once, for all pages: the upper end of A4 is not beyond a page of another size."""
    written = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(lambda canvas: canvas.drawString(60, 830, "Nora Quist"))))
    (page,) = written.pages
    written.root_object["/Pages"][NameObject("/MediaBox")] = page.pop("/MediaBox")
    content = io.BytesIO()
    written.write(content)
    document = ApplicationReader().read(content.getvalue(), "cv.pdf")

    assert (document.visible, document.hidden) == ("Nora Quist", ())
