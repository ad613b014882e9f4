"""reading: what it costs to read files, in processes of their own, and to take a batch of them.

Figures are the best of three for single files, and one run for batches; the first file starts a process and is apart.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from core.adapters.readers import ApplicationReader
from core.adapters.readers.parse import parse
from core.catalog.role_text import read_role
from core.catalog.roles import add_role
from core.clock import FIXTURE_START
from core.demo import ROLE_FILE, write_applicants
from core.desk.intake import Incoming, accept
from tests.benchmarks.screening import open_fresh
from tests.unit.drawn_files import pdf

_LINE = "Led the redesign of brand {} for Paper Yard from brief to launch; orders rose by a third."


def run(count: int) -> dict[str, object]:
    """Run the workload and answer its line."""
    reader = ApplicationReader()
    two, sixty = (pdf(*[_page] * pages, compressed=True) for pages in (2, 60))
    first_s = _timed(lambda: reader.read(b"Nora Quist", "cv"))
    with tempfile.TemporaryDirectory() as folder:
        written = write_applicants(Path(folder) / "files", count)
        files = [(one.file, (Path(folder) / "files" / one.file).read_bytes()) for one in written]
        forty_s = _timed(lambda: _all(reader.read(content, name) for name, content in files[:40]))
        here_s = _timed(lambda: _all(parse(content, name) for name, content in files[:40]))
        batch_s = _timed(lambda: _take(Path(folder) / "home", files))
    return {
        "peer": "daybook",
        "workload": "reading",
        "first_file_ms": round(first_s * 1000, 1),
        "two_pages_ms": round(_best(lambda: reader.read(two, "cv")) * 1000, 1),
        "sixty_pages_ms": round(_best(lambda: reader.read(sixty, "cv")) * 1000, 1),
        "plain_text_ms": round(_best(lambda: reader.read(b"Nora Quist, designer", "cv")) * 1000, 2),
        "plain_text_in_this_process_ms": round(_best(lambda: parse(b"Nora Quist, designer", "cv")) * 1000, 2),
        "forty_mixed_s": round(forty_s, 2),
        "forty_mixed_in_this_process_s": round(here_s, 2),
        "batch": len(files),
        "batch_s": round(batch_s, 2),
    }


def _page(canvas: Canvas) -> None:
    for place in range(42):
        canvas.drawString(60, 790 - 17 * place, _LINE.format(place))


def _take(home: Path, files: list[tuple[str, bytes]]) -> None:
    """Take a batch into a home of its own: read, sealed and opened as threads."""
    app = open_fresh(home, FIXTURE_START)
    actor = app.actor("home", None, "command line")
    draft = read_role(ROLE_FILE.read_text(), ROLE_FILE.name)
    app.act(actor, "role add", lambda tx: add_role(
        tx, "home", draft.id, draft.contents, by=actor.member.id, now=actor.now))  # fmt: skip
    outcomes = accept(app.write, app.desk, actor, draft.id, [Incoming(name, content) for name, content in files])
    assert all(one.thread_id for one in outcomes), [one.reason for one in outcomes if one.reason]
    app.close()


def _all(work: Iterable[object]) -> None:
    for _ in work:
        pass


def _best(work: Callable[[], object]) -> float:
    return min(_timed(work) for _ in range(3))


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
