from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.adapters.readers import ApplicationReader
from core.demo import DemoApplicant, write_applicants
from core.identity import guess_email
from core.names import guess_name

NOW = datetime(2026, 8, 20, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def applicants(folder: Path) -> list[DemoApplicant]:
    return write_applicants(folder)


def test_a_second_run_writes_the_same_bytes(folder: Path, applicants: list[DemoApplicant], tmp_path: Path) -> None:
    again = write_applicants(tmp_path)

    assert again == applicants
    assert [(tmp_path / one.file).read_bytes() for one in again] == [
        (folder / one.file).read_bytes() for one in applicants
    ]


def test_every_file_is_read_as_its_applicant_wrote_it(folder: Path, applicants: list[DemoApplicant]) -> None:
    reader = ApplicationReader()
    read = [reader.read((folder / one.file).read_bytes(), one.file) for one in applicants]

    assert [(guess_name(one.visible), guess_email(one.visible), one.hidden, one.doubts) for one in read] == [
        (one.name, one.email, (), ()) for one in applicants
    ]
    assert {len(one.pages) for one in read} == {1, 2}


def test_half_the_files_are_pdf_and_a_quarter_docx(applicants: list[DemoApplicant]) -> None:
    kinds = Counter(one.file.rsplit(".")[-1] for one in applicants)

    assert (70 <= kinds["pdf"] <= 80, 35 <= kinds["docx"] <= 42, set(kinds)) == (
        True,
        True,
        {"pdf", "docx", "txt", "md"},
    )


def test_names_and_addresses_are_invented_and_only_two_people_share_a_name(
    applicants: list[DemoApplicant],
) -> None:
    shared = [name for name, count in Counter(one.name for one in applicants).items() if count > 1]
    addresses = [one.email for one in applicants if one.email]

    assert (len(shared), len(addresses), len(set(addresses))) == (1, 147, 147)
    assert {address.split("@")[1] for address in addresses} == {"example.com", "example.org", "example.net"}
    assert [one.number for one in applicants if one.name == "Priya Shah"] == [93]


def test_the_totals_spread_over_the_three_bands(applicants: list[DemoApplicant]) -> None:
    totals = [sum(one.strengths) for one in applicants]
    low, high = sum(total < 12 for total in totals), sum(total > 17 for total in totals)

    assert (40 <= low <= 50, 60 <= 150 - low - high <= 75, 32 <= high <= 43) == (True, True, True)
    assert (min(totals) <= 2, max(totals)) == (True, 25)
    assert {value for one in applicants for value in one.strengths} == {0, 1, 3, 5}


def test_form_answers_are_given_left_to_the_cv_left_out_or_no(folder: Path, applicants: list[DemoApplicant]) -> None:
    rights = Counter(one.form.get("right_to_work", "not in the form") for one in applicants)
    texts = [
        ApplicationReader().read((folder / one.file).read_bytes(), one.file).visible
        for one in applicants
        if "right_to_work" not in one.form
    ]
    in_cv = sum("right to work" in text for text in texts)

    assert (rights["no"], 0 < in_cv < len(texts)) == (3, True)


def test_applications_came_over_three_days_in_their_order(applicants: list[DemoApplicant]) -> None:
    before = [one.applied_before for one in applicants]

    assert before == sorted(before, reverse=True)
    assert (before[0] < timedelta(days=3), before[-1] > timedelta(0)) == (True, True)
    assert NOW - before[92] == datetime(2026, 8, 19, 17, tzinfo=UTC)


def test_two_have_applied_before_and_the_line_says_when(applicants: list[DemoApplicant]) -> None:
    assert [one.earlier.text(NOW) for one in applicants if one.earlier] == [
        "applied in March, declined at review",
        "applied in April, invited, did not book",
    ]


def test_a_smaller_demo_is_the_beginning_of_the_large_one(applicants: list[DemoApplicant], tmp_path: Path) -> None:
    few = write_applicants(tmp_path, count=4)

    assert [one.file for one in few] == [one.file for one in applicants[:4]]
