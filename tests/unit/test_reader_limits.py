"""No file takes the app down: bounds on size, memory and time, damage that a library would repair, processes reused."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import threading
import time
import zlib
from pathlib import Path

import pytest

from core.adapters.readers import ApplicationReader, pool
from core.adapters.readers.reasons import DAMAGED, FAILED, NO_TEXT, TOO_HUNGRY, TOO_LARGE_UNPACKED, TOO_SLOW
from core.errors import UnreadableFile
from tests.unit.drawn_files import cv_page, docx, paragraph, pdf

STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)


def read(content: bytes, name: str = "cv") -> str:
    return ApplicationReader().read(content, name).visible


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableFile) as refused:
        read(content)
    return refused.value.sentence


def children() -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return [int(line.split()[0]) for line in found.stdout.splitlines() if "readers.child" in line]


def bomb(megabytes: int) -> bytes:
    """Write a PDF whose page unpacks to so many megabytes of blanks."""
    packing = zlib.compressobj(9)
    head = packing.compress(b" ") + packing.flush(zlib.Z_FULL_FLUSH)
    packed = head + (packing.compress(b" " * (1 << 20)) + packing.flush(zlib.Z_FULL_FLUSH)) * megabytes
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
    ]
    content, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(content)
    content += b"xref\n0 5\n0000000000 65535 f \n" + table + b"trailer << /Size 5 /Root 1 0 R >>\n"
    return content + b"startxref\n%d\n%%%%EOF\n" % start


def test_a_pdf_that_unpacks_too_far_is_refused_in_little_memory() -> None:
    content = bomb(400)
    for child in children():
        os.kill(child, signal.SIGKILL)  # what an earlier file took shall not be counted
    read(pdf(cv_page))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    assert refusal(content) == TOO_LARGE_UNPACKED

    [child] = children()[-1:]
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{child}/status").read_text())[1])  # type: ignore[index]
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, peak < 200_000) == (True, True)


def test_packed_twice_is_counted_at_its_whole_size() -> None:
    twice = bomb(400)
    packed = STREAM.search(twice)
    assert packed is not None
    again = zlib.compress(packed[1], 9)
    content = twice.replace(packed[1], again + b"\n").replace(b"/Filter /FlateDecode", b"/Filter [/FlateDecode /Fl]")
    moved = content.rfind(b"xref\n0 5")
    content = re.sub(rb"startxref\n\d+", b"startxref\n%d" % moved, content)

    assert refusal(content) == TOO_LARGE_UNPACKED


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8, 0.97])
def test_a_pdf_of_which_a_part_is_gone_is_damaged(share: float) -> None:
    whole = pdf(cv_page, cv_page, cv_page)
    at = int(len(whole) * share)

    assert refusal(whole[:at] + whole[at + 40 :]) == DAMAGED


def test_a_pdf_with_a_part_overwritten_is_damaged() -> None:
    whole = bytearray(pdf(cv_page, compressed=True))
    stream = STREAM.search(whole)
    assert stream is not None
    middle = (stream.start(1) + stream.end(1)) // 2
    whole[middle : middle + 20] = bytes(20)

    assert refusal(bytes(whole)) == DAMAGED


def test_something_before_a_pdfs_head_is_no_damage() -> None:
    assert "Nora Quist" in read(b"sent by post\n" + pdf(cv_page))


def test_one_process_reads_file_after_file() -> None:
    read(b"Nora Quist")
    before = children()

    for number in range(20):
        read(f"Nora Quist {number}".encode())

    assert children() == before


def test_a_refused_file_costs_no_process() -> None:
    read(b"Nora Quist")
    before = children()

    assert refusal(pdf(cv_page)[:-600]) == DAMAGED
    assert children() == before


def test_a_process_that_was_killed_is_replaced_and_the_file_is_read() -> None:
    read(b"Nora Quist")
    killed = children()
    for child in killed:
        os.kill(child, signal.SIGKILL)

    assert read(b"Ada Byrne, designer") == "Ada Byrne, designer"
    assert not set(children()) & set(killed)


def test_a_file_that_takes_too_long_is_given_up_and_the_next_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read(b"Nora Quist")
    [child, *_] = children()[-1:]
    monkeypatch.setattr(pool, "WALL_SECONDS", 0.3)
    os.kill(child, signal.SIGSTOP)

    assert refusal(b"Nora Quist, designer") == TOO_SLOW
    monkeypatch.undo()
    assert (read(b"Ada Byrne"), child in children()) == ("Ada Byrne", False)


def test_many_read_at_once_and_none_gets_anothers_file() -> None:
    found: dict[int, str] = {}

    def take(number: int) -> None:
        found[number] = read(docx(paragraph(f"Applicant {number}")))

    threads = [threading.Thread(target=take, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {number: f"Applicant {number}" for number in range(24)}
    assert len(children()) <= pool.MOST_AT_ONCE


def test_a_process_ends_with_its_app() -> None:
    script = (
        "import os, subprocess\n"
        "from core.adapters.readers import ApplicationReader\n"
        "ApplicationReader().read(b'Nora Quist', 'cv')\n"
        "print(subprocess.run(['pgrep', '-P', str(os.getpid()), '-f', 'readers.child'],"
        " capture_output=True, text=True).stdout, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    told = subprocess.run([os.sys.executable, "-c", script], capture_output=True, text=True, check=False)  # type: ignore[attr-defined]
    child = int(told.stdout.split()[0])
    until = time.monotonic() + 5
    while Path(f"/proc/{child}/cmdline").exists() and b"readers" in Path(f"/proc/{child}/cmdline").read_bytes():
        assert time.monotonic() < until

    assert told.returncode == -9


def test_a_process_has_nothing_of_the_settings() -> None:
    read(b"Nora Quist")
    [child, *_] = children()
    environment = Path(f"/proc/{child}/environ").read_bytes()

    assert b"DAYBOOK" not in environment
    assert b"ANTHROPIC" not in environment


def test_a_file_that_needs_more_memory_than_a_file_may_take_is_refused() -> None:
    # A picture is not unpacked by count; only the process's own bound holds where one is read as text.
    content = bomb(900).replace(b"/Filter /FlateDecode", b"/Subtype /Image /Filter /FlateDecode")
    content = re.sub(rb"startxref\n\d+", b"startxref\n%d" % content.rfind(b"xref\n0 5"), content)
    sentence = refusal(content)

    assert sentence in (FAILED, DAMAGED, TOO_HUNGRY, NO_TEXT)
    assert read(b"Ada Byrne") == "Ada Byrne"
