"""A reader who follows a link in the docs arrives somewhere."""

from __future__ import annotations

import re

from tests.docs.__main__ import ROOT

LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def test_every_link_between_pages_leads_to_something() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    links = [(page, link) for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []
    assert len(links) > 10


def test_a_decision_record_fits_on_a_page() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))
    long = [path.name for path in records if len(path.read_text(encoding="utf-8").splitlines()) > 40]
    assert long == []
    assert [path.name[:4] for path in records] == [f"{n:04d}" for n in range(1, len(records) + 1)]
