"""What is said in words: how the best score grew, and what was tried since."""

from datetime import date

from benchhealth.dashboard.words.sentences import basis, growth_sentence, what_days_are


def row(value: float | None, reason: str, n: int | None = None) -> dict[str, object]:
    status = "insufficient" if value is None else "ok"
    return {"value": value, "n": n, "status": status, "case": None, "reason": reason, "known_until": date(2025, 11, 21)}


def test_growth_is_said_with_what_was_tried_since_the_last_advance() -> None:
    rows = {
        "growth": row(0.9, "stagnant: it rose and came to a halt"),
        "months_since_advance": row(12.4, ""),
        "tries_since_advance": row(1.0, "", n=2),
    }
    assert growth_sentence(rows, None) == (
        "Growth: stagnant: it rose and came to a halt; this is the shape of the past and no forecast. "
        "Last advance beyond error 12 months before the day until "
        "which this is known, 21 Nov 2025; since then 1 model tried (2 results)."
    )


def test_what_is_unknown_is_said_to_be() -> None:
    rows = {
        "growth": row(None, "results of fewer than 3 days"),
        "months_since_advance": row(None, "no standard error known"),
        "tries_since_advance": row(None, "no standard error known"),
    }
    sentence = growth_sentence(rows, None)
    assert sentence.startswith("Growth unknown: results of fewer")
    assert sentence.endswith("Last advance beyond error unknown: no standard error known.")
    assert growth_sentence({}, None) == ""


def test_the_day_of_a_source_and_that_of_a_benchmark_are_told_apart() -> None:
    """SWE-bench Verified: Epoch AI was read until 27 April, its file of this benchmark until 24 April."""
    said = what_days_are(date(2026, 4, 24), others_later=True)
    assert "its day is that of its last file, of whatever benchmark" in said and "24 Apr 2026" in said
    assert not what_days_are(date(2026, 4, 24), others_later=False)
    assert not what_days_are(None, others_later=True)


def test_facts_are_as_sure_as_their_curator_is() -> None:
    curated = {"curated": True, "confidence": "low"}
    assert basis(curated) == "facts curated, with a source for each; the curator's confidence in them is low"
    assert basis({**curated, "confidence": None}).endswith("is not stated")
    assert "no curator" in basis({"curated": False, "confidence": None})
