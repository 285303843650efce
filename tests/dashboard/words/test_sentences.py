"""What is said in words: how the best score grew, and what was tried since."""

from datetime import date

import polars as pl

from analytics.record.tables import PUBLISHED
from dashboard.words.sentences import basis, churn_said, growth_said, growth_words


def row(value: float | None, reason: str, n: int | None = None) -> dict[str, object]:
    status = "insufficient" if value is None else "ok"
    return {"value": value, "n": n, "status": status, "reason": reason, "known_until": date(2025, 11, 21)}


def test_growth_is_said_with_what_was_tried_since_the_last_advance() -> None:
    rows = {
        "growth": row(0.9, "stagnant: it rose and came to a halt"),
        "months_since_advance": row(12.4, ""),
        "tries_since_advance": row(1.0, "", n=2),
    }
    assert growth_said(rows) == (
        "Growth: stagnant: it rose and came to a halt. Last advance beyond error 12 months before the day until "
        "which this is known, 2025-11-21; since then 1 model tried (2 results)."
    )


def test_what_is_unknown_is_said_to_be() -> None:
    rows = {
        "growth": row(None, "results of fewer than 3 days"),
        "months_since_advance": row(None, "no standard error known"),
        "tries_since_advance": row(None, "no standard error known"),
    }
    said = growth_said(rows)
    assert said.startswith("Growth unknown: results of fewer")
    assert said.endswith("Last advance beyond error unknown: no standard error known.")
    assert growth_said({}) == ""


def test_churn_is_said_beside_what_noise_would_do() -> None:
    step = {"spans_breakpoint": False, "entered": 3, "left": 3, "renamed": 1, "k": 10, "turnover": 0.3}
    assert churn_said({**step, "expected_turnover": 0.14}) == (
        "3 entered the top 10, 3 left, 1 was renamed; of 10 places 30% were replaced, noise alone would replace 14%."
    )
    assert churn_said({**step, "renamed": 0, "expected_turnover": None}).endswith("0 were renamed.")
    assert "no churn is computed" in churn_said({**step, "spans_breakpoint": True})


def test_the_class_is_the_first_word_of_the_reason() -> None:
    known = {"benchmark_id": "a", "indicator": "growth", "reason": "burst: it was flat: long"}
    other = {"benchmark_id": "a", "indicator": "frontier", "reason": "x"}
    table = pl.DataFrame([known, other], schema=PUBLISHED["indicator"])
    assert growth_words(table).rows() == [("a", "burst")]


def test_facts_are_as_sure_as_their_curator_is() -> None:
    curated = {"curated": True, "confidence": "low"}
    assert basis(curated) == "facts curated, with a source for each; the curator's confidence in them is low"
    assert basis({**curated, "confidence": None}).endswith("is not stated")
    assert "no curator" in basis({"curated": False, "confidence": None})
