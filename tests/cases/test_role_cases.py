"""Claims about the roles among the public cases."""

from __future__ import annotations

import json
from pathlib import Path

from core.catalog.role_text import RoleDraft, read_role


def draft(cases: Path, name: str) -> RoleDraft:
    return read_role((cases / "files" / name).read_text("utf-8"), name)


def test_role_fourteen_loads_under_its_own_number_with_its_criteria_rules_and_bands(cases: Path):
    role = draft(cases, "role-and-rubric.md")
    rubric = role.contents["rubric"]
    expected = next(case for case in json.loads((cases / "EXPECTED.json").read_text()) if case["id"] == "F40")
    assert (role.id, role.title, role.noticed) == ("role-14", "Senior brand designer", ())
    assert len(rubric["criteria"]) == expected["expect"]["criteria"]
    assert rubric["max_total"] == expected["expect"]["max_total"]
    assert [[band["low"], band["high"]] for band in rubric["bands"]] == expected["expect"]["bands"]
    assert [band["proposal"] for band in rubric["bands"]] == ["decline", "review", "invite"]
    assert [(rule["form_key"], rule["kind"], rule["limit"]) for rule in role.contents["rules"]["rules"]] == [
        ("right_to_work", "yes_no", None),
        ("portfolio", "link", None),
        ("notice_weeks", "at_most_weeks", 12),
    ]


def test_a_pasted_job_description_is_kept_and_its_dates_are_not_taken_for_ours(cases: Path):
    role = draft(cases, "18f-jd-product-manager.md")
    assert role.title == "Product Manager"
    assert "GS-2210-14/15" in role.contents["description"]["text"]
    assert any("1/05/2017" in sentence and "not taken" in sentence for sentence in role.noticed)
    assert "2017" not in json.dumps([role.contents[kind] for kind in ("role", "rubric", "rules", "letters")])
