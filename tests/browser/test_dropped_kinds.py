"""Files of every kind are dropped on the page: each has one outcome, the one that the command line gives it."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.adapters.readers import ApplicationReader
from core.desk.intake import Incoming, accept
from tests.browser.conftest import Served, visit
from tests.homes import ROLE, open_home
from tests.unit.mixed_files import mixed_files

pytestmark = pytest.mark.browser
# Where a case allows two outcomes, the one that this product picked.
REASONS = {
    "stop: no readable text": "no readable text",
    "stop: password": "password",
    "refuse: too large unpacked": "unpacks to more than 50 MB",
    "refuse or read text, flag macro": "macros",
    "refuse: empty": "empty",
    "stop: damaged": "damaged",
}
DROP = """([zone, files]) => {
    const dropped = new DataTransfer();
    for (const [name, content] of files)
        dropped.items.add(new File([Uint8Array.from(atob(content), one => one.charCodeAt(0))], name));
    for (const what of ["dragenter", "dragover", "drop"])
        zone.dispatchEvent(new DragEvent(what, {bubbles: true, cancelable: true, dataTransfer: dropped}));
}"""


def drop(page: Page, files: Mapping[str, bytes]) -> None:
    """Let go of files over the page's last uploader, as a hand would."""
    zone = page.get_by_test_id("stFileUploaderDropzone").last
    packed = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
    page.evaluate(DROP, [zone.element_handle(), packed])


def outcomes(page: Page) -> dict[str, str]:
    """Answer what the page says of each file: "" for one that was added, and else the reason."""
    lines = page.locator(".outcomes li").all()
    said = {line.locator(".file").inner_text(): line for line in lines}
    assert len(said) == len(lines)
    return {
        name: "" if line.locator(".a-approved").count() else line.locator("p").inner_text()
        for name, line in said.items()
    }


def by_command(folder: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Answer what becomes of the same files in a home of its own, taken as a batch by command is."""
    home = open_home(folder / "beside")
    home.add_role()
    taken = accept(home.app.write, home.app.desk, home.actor, ROLE, [Incoming(*one) for one in files.items()])
    return {one.file: one.reason or "" for one in taken}


def dropped(served: Served, page: Page, files: Mapping[str, bytes]) -> dict[str, str]:
    """Drop files on the role's page, add them, and answer what the page says of each."""
    visit(page, f"{served.url}/applications")
    drop(page, files)
    page.get_by_role("button", name="Add applications").click()
    page.locator(".outcomes li").nth(len(files) - 1).wait_for(timeout=60_000)
    return outcomes(page)


def test_each_dropped_file_has_one_outcome_and_a_short_reason(served: Served, page: Page, tmp_path: Path) -> None:
    files = {name: content for name, (content, _) in mixed_files().items()}
    said = dropped(served, page, files)

    assert said == by_command(tmp_path, files)
    assert {name: (why == "", why in said[name]) for name, (_, why) in mixed_files().items()} == {
        name: (reason == "", True) for name, reason in said.items()
    }
    assert max(map(len, said.values())) <= 160


def test_the_public_files_dropped_by_hand_have_the_outcomes_that_are_expected_of_them(
    served: Served, page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = request.config.getoption("--cases")
    if folder is None:  # the same kinds of our own are dropped above
        assert ApplicationReader().read(mixed_files()["whole.pdf"][0], "whole.pdf").usable
        return
    cases = json.loads((Path(folder) / "EXPECTED.json").read_text())
    wanted = {Path(one["file"]).name: one for one in cases if "F11" <= one["id"] <= "F33"}
    files = {name: (Path(folder) / "files" / name).read_bytes() for name in wanted}
    said = dropped(served, page, files)

    assert said == by_command(tmp_path, files)
    assert max(map(len, said.values())) <= 160
    expected = {name: REASONS.get(one["outcome"], "") for name, one in wanted.items()}
    assert {name: (why == "", why in said[name]) for name, why in expected.items()} == {
        name: (reason == "", True) for name, reason in said.items()
    }
