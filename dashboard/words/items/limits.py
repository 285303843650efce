"""What cannot be said of a test from its items: it shrinks as models come in and people check keys."""

from datetime import date

from benchhealth.analytics.items.information import ENOUGH_MODELS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import month_of, percent

NEAR_BEST = 0.03
"""Today's best is seen item by item where a model that is so near to it is."""


def title(row: Row) -> str:
    """The heading above the limits of a test by item."""
    return f"What cannot be said with {row['n_models']} models"


def limits(row: Row, best: float | None, until: date | None) -> list[tuple[str, str]]:
    """Each limit as a heading and what it would take.

    `best` is the best score on the benchmark, known `until` that day.
    """
    lines: list[tuple[str, str]] = []
    if best is not None and best > row["best"] + NEAR_BEST:
        lines.append(
            (
                "How much it tells at today's top",
                f"The best of {row['n_models']} models here scored {percent(row['best'])}; the best known in "
                f"{month_of(until)} scored {percent(best)}. It takes item results of a model that strong.",
            )
        )
    if row["candidates"] and row["precision"] is None:
        lines.append(
            (
                "Which keys are wrong",
                "Candidates can be listed, not how many of them hold. It takes people who look at them, as those of "
                "MMLU-Redux did for MMLU.",
            )
        )
    if row["candidates"] is None:
        lines.append(("Which keys may be wrong", "It takes the option that each model chose."))
    if row["top_share"] is None:
        lines.append(
            (
                "An interval for the curve",
                f"From {ENOUGH_MODELS} models on. The shape is drawn, its height is not to be read.",
            )
        )
    lines.append(
        ("Whether a model has seen items", "An odd pattern has many causes. It takes fresh items of the same kind.")
    )
    if row["same_order"] is not None and row["same_order"] < row["draws"]:
        lines.append(
            (
                "A shorter test that keeps the order",
                "Not promised. It takes a proof on models that did not choose the items.",
            )
        )
    return lines
