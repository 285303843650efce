"""The words of why numbers of one model on one benchmark differ."""

from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.measurers.differing_numbers import ASPECTS
from benchhealth.analytics.measurers.numbers import MAKER
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.dashboard.words.measurers.houses import house_name
from benchhealth.dashboard.words.numbers import score, stated_day
from benchhealth.dashboard.words.settings import setting_text
from benchhealth.dashboard.words.text import count, known_at_latest, listed

UNLIKE: Mapping[str, str] = dict(
    zip(ASPECTS, ("condition", "setting", "reporter", "who measured", "printed name", "items", "day"), strict=True)
)
"""How pages name each aspect in which two measurements differ."""

_BASES = {
    "evaluation": "measured",
    "submission": "handed in",
    "paper": "paper of",
    "model_release": "release of the model,",
    "snapshot": "first seen",
}


def title(rows: pl.DataFrame, model: str, benchmark: str, unit: str | None) -> str:
    """The finding; `rows` of `differing_number` of one pair."""
    low, high = rows["score"].min(), rows["score"].max()
    assert isinstance(low, float)
    assert isinstance(high, float)
    first, last = score(low, unit, 0.001), score(high, unit, 0.001)
    ends = f"from {first} to {last}" if first != last else f"all of them {first} as rounded"
    return f"{model} has {rows.height} numbers on {benchmark}, {ends}"


def of_model(n: int) -> str:
    """The heading above the benchmarks on which a model has several numbers."""
    return f"Why do numbers differ? On {count(n, 'curated benchmark')} it has several:"


def of_benchmark(n: int, models: int) -> str:
    """What heads the models of a list that have several numbers on its benchmark."""
    return f"Why do numbers differ? {n} of {count(models, 'listed model')} have several here:"


def none_differ(benchmark: str, model: str) -> str:
    """The title where there is nothing to compare."""
    return f"{model} has no two numbers on {benchmark} that differ"


def subtitle(rows: pl.DataFrame, until: date | None) -> str:
    """How many of the others error covers, in what the rest is unlike, and how many are unlike in nothing stated."""
    other_rows = rows.filter(pl.col("place") > 1)
    known_error = other_rows.drop_nulls("within")
    covered = known_error.filter("within").height
    beyond = other_rows.filter(~pl.col("within").fill_null(value=False))
    covered_text = "the other" if other_rows.height == 1 else f"{covered} of {other_rows.height} others"
    clauses = [f"Each is held against the first. Error covers the difference of {covered_text}"]
    if other_rows.height == 1 and not covered:
        clauses = ["Error does not cover the difference" if known_error.height else "The error is not known"]
    elif unknown := other_rows.height - known_error.height:
        clauses.append(f"of {unknown} the error is not known")
    if beyond.height:
        times = [
            (name, beyond.filter(pl.col("unlike").list.contains(aspect)).height) for aspect, name in UNLIKE.items()
        ]
        differences = [f"{name} ({n})" for name, n in sorted(times, key=lambda name_count: -name_count[1]) if n]
        nothing = beyond.filter(pl.col("unlike").list.len() == 0).height
        differences += [f"nothing that is stated ({nothing})"] if nothing else []
        clauses.append(f"what it does not cover is unlike the first in {listed(differences)}")
    return f"{'; '.join(clauses)}{known_at_latest(until)}."


_HEADS = (
    "| {} | Difference from the first | Unlike the first in | Under | Measured by "
    "| Name as printed | Day | Items | Printed |\n"
    "|---:|---:|---|---|---|---|---|---:|---|"
)
NOTHING = "No two numbers of this model on this benchmark that stand differ."
WHERE_ELSE = (
    "Compared are results of curated whole benchmarks that their sources hold to be true now. All results stand on"
)
NOT_A_CAUSE = (
    "What is unlike need not be what makes the difference. A setting that one place alone prints counts as unlike; "
    "days, items and who measured are compared where both are known. Errors are at 95%: those that sources print, "
    "else binomial, as if each number were of items of its own."
)
WHICH_FIRST = "The first is the number that ranks the model on this benchmark, or else its best."


def heads(unit: str | None) -> str:
    """The heading cells of the table, in markdown."""
    return _HEADS.format("Score, %" if unit in BOUNDED_UNITS else "Score")


def score_with_error(row: Row, unit: str | None) -> str:
    """The score with its 95% error: `84.8 ± 5.0`; `heads` and the title say the unit."""
    number = score(row["score"], unit, 0.001).removesuffix("%")
    if row["error"] is None:
        return number
    return f"{number} ± {_number(Z95 * row['error'], unit)}"


def difference_text(row: Row, unit: str | None) -> str:
    """The difference from the first number, and whether error covers it."""
    if row["place"] == 1:
        return "the first"
    sign = "+" if row["difference"] > 0 else "\u2212" if row["difference"] < 0 else ""
    covered = {True: "within error", False: "beyond error", None: "error not known"}[row["within"]]
    return f"{sign}{_number(abs(row['difference']), unit)}, {covered}"


def unlike_aspects(row: Row) -> str:
    """The aspects in which a result differs from the first of its list; empty for the first itself."""
    if row["place"] == 1:
        return ""
    return ", ".join(UNLIKE[aspect] for aspect in row["unlike"]) or "nothing stated"


def measurer_text(row: Row, titles: Mapping[str, str]) -> str:
    """The words for who measured a score."""
    return "its maker" if row["who"] == MAKER else house_name(row["house"], titles)


def condition_and_setting(row: Row) -> str:
    """The condition and the setting of a result, joined."""
    return "; ".join(text for text in (row["condition"], setting_text(row["setting"])) if text)


def day_with_basis(row: Row) -> str:
    """The day of a result, with what it is the day of; `no day` where it has none."""
    if row["dated_on"] is None:
        return "no day"
    return f"{_BASES.get(row['date_basis'], '')} {stated_day(row['dated_on'], row['date_precision'])}".strip()


def copies_text(row: Row) -> str:
    """How many copies of the number other sources print; empty where none does."""
    return f", and {count(row['copies'], 'copy', 'copies')}" if row["copies"] else ""


def _number(value: float, unit: str | None) -> str:
    return f"{value * 100:.1f}" if unit in BOUNDED_UNITS else f"{value:.3g}"
