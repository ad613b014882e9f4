"""A scan that was read by OCR is labelled on the card and on the application's page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.adapters.readers import ApplicationReader
from core.desk.intake import Incoming, accept
from tests.homes import ROLE, Home
from tests.pages.conftest import Open, drawn
from tests.pages.reviewing import Look
from tests.unit.test_scans import scan, stand_in


def test_the_card_and_the_application_say_read_by_ocr(
    home: Home, look: Look, open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    monkeypatch.setenv("DAYBOOK_OCR", "eng")
    reader = ApplicationReader("eng")
    app = replace(home.app, desk=replace(home.app.desk, reader=reader), parts=replace(home.app.parts, reader=reader))
    home = replace(home, app=app)
    home.add_role()
    (taken,) = accept(app.write, app.desk, home.actor, ROLE, [Incoming("scan.pdf", scan())])
    home.run()

    assert "<b>Read by OCR.</b><bdi> The CV is a scan" in drawn(look())
    assert "its text was read by OCR (tesseract, eng)" in drawn(open_page("application", id=str(taken.thread_id)))
