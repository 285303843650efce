"""Sentences on what is reported: advances and their errors, makers' numbers, best of several entries, judges."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import interval_of, points, signed
from benchhealth.dashboard.words.text import count, known, known_at_latest, listed


def advances_title(overall: Row | None) -> str:
    """What share of all advances is within error, in a few words."""
    if overall is None or overall["value"] is None:
        return "Whether advances are larger than their error is not known"
    return f"{overall['value']:.0%} of {overall['n']:,} advances are smaller than their error"


def premium_title(overall: Row | None, rows: pl.DataFrame, division: str) -> str:
    """The pooled difference, whether it is clear of zero, and on how many; of organisations how many are unusual."""
    certain = rows.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    if division == "organisation":
        return f"{certain.height or 'None'} of {count(rows.height, 'organisation')} report other than usual"
    if overall is None or overall["value"] is None:
        return "Whether self-reported scores are higher is not known"
    if overall["low"] <= 0 <= overall["high"]:
        return "Whether makers report more than others measure is not clear on average"
    direction = "more" if overall["value"] >= 0 else "less"
    higher = certain.filter(pl.col("low") > 0).height
    below = f", {certain.height - higher} below" if certain.height > higher else ""
    return (
        f"Makers report {points(overall['value'] / 100)} {direction}, clear of zero; "
        f"{higher or 'none'} of {count(rows.height, 'rerun benchmark')} clearly above{below}"
    )


def advances(
    overall: Row | None,
    rows: pl.DataFrame,
    division: str,
    until: date | None,
    by_item: tuple[Row | None, Row | None] = (None, None),
) -> str:
    """What share of the steps of running bests is within error."""
    if division == "benchmark":
        half = rows.filter(pl.col("value") > 0.5).height
        return (
            f"On {half} of {count(rows.height, 'benchmark')} with five advances of known error or more, most of these "
            f"are smaller than their error{known_at_latest(until)}"
        )
    if overall is None or overall["value"] is None:
        return "Whether advances are larger than their error is not known"
    return (
        f"{overall['value']:.0%} ({interval_of(overall, 0, 100)}%) of {overall['n']:,} advances of running bests with "
        f"known errors are within error{known_at_latest(until)}{advances_by_item(*by_item)}"
    )


def advances_by_item(paired: Row | None, clustered: Row | None) -> str:
    """How many of the advances known item by item are within error, paired and over other clusters."""
    if paired is None:
        return ""
    tally = f"{round(paired['value'] * paired['n'])} of {paired['n']:,}"
    over_clusters = ""
    if clustered is not None:
        over_clusters = (
            f", {round(clustered['value'] * clustered['n'])} of {clustered['n']:,} over other clusters of items"
        )
    return (
        f"; of those known item by item {tally} are, {round(paired['numbers'][0])} were no items shared{over_clusters}"
    )


def premium(overall: Row | None, rows: pl.DataFrame, division: str, until: date | None) -> str:
    """The sentence on how far self-reports lie from third-party scores, and where."""
    certain = rows.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    if division == "organisation":
        if certain.is_empty():
            population = count(rows.height, "organisation")
            return (
                f"Of {population} none reports scores that differ from the usual beyond error{known_at_latest(until)}"
            )
        return (
            f"Reports differ from the usual beyond error for {certain.height} of {count(rows.height, 'organisation')}"
            f"{_foremost(certain['name'])}{known_at_latest(until)}"
        )
    if overall is None or overall["value"] is None:
        return "Whether self-reported scores are higher is not known"
    size = f"{signed(overall['value'])} points ({interval_of(overall)})"
    sentence = (
        f"{count(overall['n'], 'self-reported score')} lie {size} from those of third parties{known_at_latest(until)}"
    )
    higher = certain.filter(pl.col("low") > 0)["name"]
    population = f"of {count(rows.height, 'benchmark')} rerun in one condition"
    if higher.is_empty():
        return f"{sentence}. Higher beyond error on none {population}"
    return f"{sentence}. Higher beyond error on {higher.len()} {population}{_foremost(higher)}"


MOST_NAMED = 3


def _foremost(names: pl.Series) -> str:
    """The names, or the first of many as such."""
    named = listed(names.head(MOST_NAMED).to_list())
    return f": {named}" if names.len() <= MOST_NAMED else f", {named} foremost"


PREMIUM_ERROR = (
    "Intervals are of how these differences scatter over models and benchmarks. No error over items or their clusters "
    "is added. Both sides answered one test, and makers publish no items"
)
"""What the interval of a difference between self-reported and other scores covers, and what it leaves out."""


def selection(board: str, rows: pl.DataFrame, unit: str, until: date | None) -> str:
    """What taking the best of several entries adds on a leaderboard; `unit` is what its scores are counted in."""
    estimated = rows.filter(pl.col("excess").is_not_null()).sort("excess")
    if estimated.is_empty():
        widest = rows.sort("by_noise").row(-1, named=True)
        return (
            f"{board}: were all entries of an organisation equally good, the best of {widest['n']} entries by "
            f"{widest['name']} would still look {widest['by_noise']:.1f} {unit} better{known(until)}"
        )
    most = estimated.row(-1, named=True)
    return (
        f"{board}: the best of {most['n']} entries by {most['name']} is estimated to show {most['excess']:.1f} {unit} "
        f"({interval_of(most)}) more than it is "
        f"worth{'' if most['low'] > 0 else ', which is within error'}{known(until)}"
    )


def judges(rows: pl.DataFrame, until: date | None) -> str:
    """A sentence on whether judges prefer models of their own family."""
    compared = rows.filter(pl.col("value").is_not_null())
    if compared.is_empty():
        return "Whether judges prefer models of their own family is not known"
    beyond_error = compared.filter(pl.col("low") > 1)
    comparisons = f"{count(compared.height, 'comparison')} of a judge with other judges or with people"
    if beyond_error.is_empty():
        return f"In none of {comparisons} a preference for its own family is beyond error{known(until)}"
    return f"In {beyond_error.height} of {comparisons} it prefers models of its own family beyond error{known(until)}"
