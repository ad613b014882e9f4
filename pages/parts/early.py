"""Loads what pages draw with before anybody comes, so that the first visitor does not wait for it."""

# ruff: noqa: F401
from __future__ import annotations

from pages.parts import (
    doubts,
    facts,
    front,
    funnel,
    intake,
    ledger,
    plan,
    reading,
    role_letters,
    rubric_form,
    rubric_versions,
    run_acts,
    run_compare,
    run_fork,
    run_history,
    run_list,
    run_model,
    run_next,
    run_plan,
    shell,
)
