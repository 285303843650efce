"""The sentences over the charts of Goodhart effects: each finding from its numbers, and what a chart shows in words."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from dashboard.words.text import count, listed

Row = Mapping[str, Any]
BELOW = "below"
"""How the reading of a pair begins whose corrected correlation stays below that over all models."""


def interval(row: Row, digits: int = 1, factor: float = 1.0) -> str:
    """The ends of a 95% interval: `-1.6 to 4.7`."""
    return f"{factor * row['low']:.{digits}f} to {factor * row['high']:.{digits}f}"


def lead(tested: pl.DataFrame, small: Row | None, premium: Row | None) -> str:
    """The page in one sentence, from what is known of it."""
    parts = []
    tested_pairs = tested.filter(pl.col("p").is_not_null())
    dated = tested.filter(pl.col("status") == "ok")
    if tested_pairs.height:
        none = "none has" if dated.is_empty() else f"{dated.height} {'has' if dated.height == 1 else 'have'}"
        parts.append(
            f"of {count(tested_pairs.height, 'pair')} of proxy and target {none} a date at which they diverged"
        )
    if small is not None and small["value"] is not None:
        parts.append(f"{small['value']:.0%} of the advances are smaller than their error")
    if premium is not None and premium["value"] is not None:
        parts.append(
            f"self-reported scores lie {premium['value']:+.1f} points ({interval(premium)}) from those of third parties"
        )
    said = listed(parts)
    return said[:1].upper() + said[1:] + "." if said else "Nothing can be said yet about what optimising does."


def frontier(rows: pl.DataFrame) -> str:
    """How many pairs part at the frontier beyond what range restriction explains."""
    unexplained = rows.filter(pl.col("reading").str.starts_with(BELOW))
    lower = rows.filter(pl.col("at_top") < pl.col("over_all")).height
    said = f"Among the best, {lower} of {count(rows.height, 'pair')} agree less than over all models; "
    if unexplained.is_empty():
        return said + "that the best are alike can explain every one of them"
    return said + f"for {listed(unexplained['name'].head(3).to_list())} that the best are alike does not explain it"


def frontier_alt(rows: pl.DataFrame, drawn: pl.DataFrame) -> str:
    """The chart of correlations in words."""
    which = "every pair" if drawn.height == rows.height else f"the {drawn.height} pairs of most models"
    return (
        f"For {which}, most models first: the correlation of proxy and target over all models (open circle), among the "
        "best quarter by the proxy (diamond), and that one corrected for range restriction (square), with 95% "
        "intervals. Scores are on the probit scale where they are shares."
    )


def pair_years(rows: pl.DataFrame) -> str:
    """How a pair's correlation at the frontier moved."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    moved = (last["at_top"] < first["at_top_low"]) or (last["at_top"] > first["at_top_high"])
    verb = "moved" if moved else "did not move beyond error"
    return (
        f"The correlation among the best quarter {verb}: {first['at_top']:.2f} in {first['year']}, "
        f"{last['at_top']:.2f} in {last['year']}"
    )


def shortfall(date: Row | None, unit: str) -> str:
    """Whether a target stopped following its proxy, when, and by how many of `unit` at an equal proxy."""
    if date is None or date["p"] is None:
        why = "" if date is None or not date["reason"] else f": {date['reason']}"
        return f"Whether the two diverged at some date cannot be tested{why}"
    if date["on_date"] is None:
        return f"No date is found from which on the target follows less ({date['tested']})"
    size = f"{date['lower_by']:.1f} {unit} lower (95%: {date['lower_low']:.1f} to {date['lower_high']:.1f})"
    return f"From {date['on_date']} on the target lies {size} at the same proxy"


def pressure(row: Row | None, rows: pl.DataFrame, kind: str) -> str:
    """Whether gaps are wider under more pressure."""
    what = {"twins": "gap to a second measurement", "self-reports": "premium of self-reports"}.get(
        kind, "gap to equal preparation"
    )
    if row is None or row["value"] is None:
        reason = "" if row is None else f" ({row['reason']})"
        return f"Whether the {what} is wider under more pressure is not known{reason}"
    size = f"rank correlation {row['value']:+.2f} ({interval(row, 2)}) over {count(rows.height, 'benchmark')}"
    if row["low"] > 0:
        return f"The {what} is wider where more is tried: {size}"
    if row["high"] < 0:
        return f"The {what} is narrower where more is tried: {size}"
    return f"No link is found between how much is tried and the {what}: {size}"


def advances(whole: Row | None, rows: pl.DataFrame, by: str) -> str:
    """What share of the steps of running bests is within error."""
    if by == "benchmark":
        half = rows.filter(pl.col("value") > 0.5).height
        return f"On {half} of {count(rows.height, 'benchmark')} most advances are smaller than their error"
    if whole is None or whole["value"] is None:
        return "Whether advances are larger than their error is not known"
    return (
        f"{whole['value']:.0%} ({interval(whole, 0, 100)}%) of {whole['n']:,} advances of a running best are smaller "
        "than their error"
    )


def premium(whole: Row | None, rows: pl.DataFrame, by: str) -> str:
    """How far self-reports lie from third-party scores, and where."""
    certain = rows.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    if by == "organisation":
        if certain.is_empty():
            return f"No organisation's reports differ from those of the other {rows.height - 1:,} beyond error"
        return f"Reports differ from the usual for {listed(certain['name'].head(3).to_list())}"
    if whole is None or whole["value"] is None:
        return "Whether self-reported scores are higher is not known"
    said = f"Self-reports lie {whole['value']:+.1f} points ({interval(whole)}) from third-party scores"
    higher = certain.filter(pl.col("low") > 0)["name"].head(3).to_list()
    return f"{said}; clearly higher on {listed(higher)}" if higher else f"{said}; on no benchmark clearly higher"


def selection(board: str, rows: pl.DataFrame, unit: str) -> str:
    """What taking the best of several entries adds on a leaderboard; `unit` is what its scores are counted in."""
    estimated = rows.filter(pl.col("excess").is_not_null()).sort("excess")
    if estimated.is_empty():
        widest = rows.sort("by_noise").row(-1, named=True)
        return (
            f"{board}: were all entries of an organisation equally good, the best of {widest['n']} by "
            f"{widest['name']} would still look {widest['by_noise']:.1f} {unit} better"
        )
    most = estimated.row(-1, named=True)
    return (
        f"{board}: the best of {most['n']} entries by {most['name']} is estimated to show {most['excess']:.1f} {unit} "
        f"({interval(most)}) more than it is worth"
    )


def judges(rows: pl.DataFrame) -> str:
    """Whether judges prefer their own family."""
    compared = rows.filter(pl.col("value").is_not_null())
    if compared.is_empty():
        return "Whether judges prefer models of their own family is not known"
    sure = compared.filter(pl.col("low") > 1)
    if sure.is_empty():
        return f"No preference of a judge for its own family is certain in {count(compared.height, 'comparison')}"
    return f"In {sure.height} of {count(compared.height, 'comparison')} a judge prefers models of its own family"


def cost(name: str, factor: Row | None, rows: pl.DataFrame) -> str:
    """What ten more points cost, and how the price of a score fell."""
    said = ""
    if factor is not None and factor["value"] is not None:
        said = f"ten points more cost {factor['value']:.1f} times as much ({interval(factor)})"
    falls = [
        (group["value"][0] / group["value"][-1], level, group)
        for (level,), group in rows.group_by("level", maintain_order=True)
        if group.height > 1 and group["value"][-1] < group["value"][0]
    ]
    if falls:
        _, level, group = max(falls, key=lambda fall: fall[0])
        first, last = group.row(0, named=True), group.row(-1, named=True)
        fell = (
            f"the cheapest run with {level}% went from ${first['value']:,.2f} in {first['year']} to "
            f"${last['value']:,.2f} in {last['year']}"
        )
        said = f"{said}; {fell}" if said else fell
    return f"{name}: {said}" if said else f"{name}: how cost goes with score is not known"


def concentration(rows: pl.DataFrame, index: str) -> str:
    """How concentrated entries are now, and were at first, by one index: gini or hhi."""
    by_year = rows.filter(pl.col("status") == "ok", pl.col("measure") == f"{index}_of_benchmarks").sort("year")
    if by_year.is_empty():
        return "How concentrated attention is cannot be said: too few benchmarks have dated entries in a year"
    first, last = by_year.row(0, named=True), by_year.row(-1, named=True)
    if index == "hhi":
        return (
            f"Two entries of {last['year']} fall on the same benchmark in {last['value']:.0%} "
            f"({interval(last, 0, 100)}%) of cases, of {first['year']} in {first['value']:.0%}"
        )
    said = (
        f"is {last['value']:.2f} ({interval(last, 2)}) in {last['year']}, after {first['value']:.2f} in {first['year']}"
    )
    if last["low"] > first["high"]:
        return f"Entries gather on few benchmarks: the Gini coefficient {said}"
    return f"The Gini coefficient of entries over benchmarks {said}"


def openness(rows: pl.DataFrame) -> str:
    """Whether open models set the frontier as often as they enter."""
    usable = rows.filter(pl.col("status") == "ok")
    sides = {row["measure"]: row for row in usable.filter(pl.col("year") == _last_shared(usable)).iter_rows(named=True)}
    if len(sides) < 2:
        return "How often models with open weights set a new best is not known"
    steps, entries = sides["frontier_open_weights"], sides["entries_open_weights"]
    differs = steps["high"] < entries["low"] or steps["low"] > entries["high"]
    less = "less often than" if steps["value"] < entries["value"] else "more often than"
    verb = less if differs else "about as often as"
    return (
        f"In {steps['year']} open weights set {steps['value']:.0%} ({interval(steps, 0, 100)}%) of the new bests, "
        f"{verb} they enter ({entries['value']:.0%})"
    )


def _last_shared(usable: pl.DataFrame) -> int:
    shared = usable.group_by("year").agg(n=pl.col("measure").n_unique()).filter(pl.col("n") == 2)["year"]
    return int(shared.max()) if shared.len() else 0  # type: ignore[arg-type]
