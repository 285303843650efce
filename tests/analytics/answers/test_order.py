"""Whether the top can be told apart."""

from typing import Any

import pytest

from tests.support.answers import answer
from tests.support.frames import frames, result


def order(*scores: float, n_items: int | None = 1000) -> dict[str, Any]:
    return answer(
        frames([result("a", f"m{index}", score, n_items=n_items) for index, score in enumerate(scores)]), "order"
    )


@pytest.mark.parametrize(
    ("step", "reply", "case", "differing"),
    [(0.0, "no", "unresolved", 0), (0.015, "partly", "crowded", 1), (0.1, "yes", "apart", 10)],
)
def test_the_pairs_of_the_top_five_are_counted(step: float, reply: str, case: str, differing: int) -> None:
    row = order(*(0.6 - step * place for place in range(6)))
    if case == "crowded":
        differing = row["count"]
        assert 1 < differing <= 3
    assert (row["reply"], row["case"], row["count"], row["n"]) == (reply, case, differing, 10)
    assert row["value"] == pytest.approx(differing / 10)


def test_without_errors_or_models_it_is_unknown() -> None:
    assert order(0.6, 0.5, 0.4, n_items=None)["case"] == "errors_unknown"
    assert order(0.6)["case"] == "too_few_models"


def test_at_the_end_of_the_scale_models_may_differ_and_have_no_room() -> None:
    assert order(0.999, 0.96, 0.93, 0.9, 0.87)["case"] == "apart_at_the_end"
