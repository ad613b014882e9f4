"""The short form of `make fuzz`: damaged files are refused in a sentence or read rightly, and none takes long."""

from __future__ import annotations

from collections import Counter

from core.adapters.readers import ApplicationReader
from tests.fuzz.damage import whole_files
from tests.fuzz.trial import trials, try_one


def test_whole_files_of_every_kind_are_read() -> None:
    read = {name: ApplicationReader().read(content, name).visible for name, content in whole_files().items()}

    assert [name for name, text in read.items() if "Led the Corner Press brand from brief to launch." not in text] == []


def test_damaged_files_are_refused_in_a_sentence_or_read_rightly() -> None:
    outcomes: Counter[str] = Counter()
    faults = [try_one(ApplicationReader(), *one, outcomes) for one in trials(450, seed=7)]

    assert [fault for fault in faults if fault is not None] == []
    assert min(outcomes["refused"], outcomes["read"]) > 50
