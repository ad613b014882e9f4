"""What scoring anew would cost with a model that is paid: an estimate that says so, and None where nobody can say."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from core.desk.pricing import Cost
from tests.contracts.rubrics import SIX
from tests.homes import Home, open_home
from tests.messages_api import MODEL, MessagesApi, messages_api


@pytest.fixture
def server() -> Iterator[MessagesApi]:
    with messages_api() as serving:
        yield serving


@pytest.fixture
def home(tmp_path: Path) -> Home:
    opened = open_home(tmp_path / "home")
    opened.add_role()
    for name in ("Ann", "Ben"):
        opened.apply(f"{name} Example", f"{name.lower()}@example.com")
    return opened


def cost(home: Home) -> Cost:
    return home.preview_rubric(SIX).cost


def test_it_is_estimated_from_what_the_role_s_calls_used(home: Home, server: MessagesApi) -> None:
    paid = home.with_model(server.model())
    paid.run()

    found = cost(paid)

    each = 3_770 * Decimal("0.000002") + 250 * Decimal("0.00001")
    assert found.usd == 2 * each
    assert found.sentence.startswith(f"{MODEL}: an estimate of $0.02 for 2 calls, by genai-prices ")
    assert len(server.asked) == 2


def test_before_the_first_call_it_is_estimated_from_what_was_scored_and_is_a_bound(
    home: Home, server: MessagesApi
) -> None:
    home.run()

    found = cost(home.with_model(server.model()))

    assert found.usd is not None
    assert found.usd > 2 * 4_096 * Decimal("0.00001")
    assert f"{MODEL}: an estimate of at most $0.0" in found.sentence
    assert server.asked == []


def test_a_model_without_a_price_costs_none_and_never_nothing(home: Home, server: MessagesApi) -> None:
    home.run()

    found = cost(home.with_model(server.model(name="claude-nobody-knows")))

    assert (found.usd, found.sentence) == (
        None,
        "claude-nobody-knows: 2 calls, not estimated, as no price of this model is known",
    )


def test_a_role_of_which_nothing_was_scored_is_not_estimated(home: Home, server: MessagesApi) -> None:
    found = cost(home.with_model(server.model()))

    assert (found.usd, found.sentence) == (
        None,
        f"{MODEL}: 2 calls, not estimated, as nothing of this role was scored yet",
    )


def test_the_practice_model_costs_nothing(home: Home) -> None:
    home.run()

    assert cost(home) == Cost("practice model", Decimal(0), "practice model: nothing")
