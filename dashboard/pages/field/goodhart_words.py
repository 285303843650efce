"""The sentences over the charts of what optimising does: each from its numbers."""

from datetime import date

import polars as pl

from benchhealth.analytics.churn.census import FEWEST_MODELS
from benchhealth.analytics.goodhart.correlation import BELOW
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.known import known, known_at_latest
from benchhealth.dashboard.words.numbers import correlation, day_of, fixed, percent, percent_interval, points, signed
from benchhealth.dashboard.words.text import count, listed, markdown


def interval(row: Row, digits: int = 1, factor: float = 1.0) -> str:
    """The ends of a 95% interval: `−1.6 to 4.7`."""
    return f"{fixed(factor * row['low'], digits)} to {fixed(factor * row['high'], digits)}"


def frontier(rows: pl.DataFrame, until: date | None) -> str:
    """How many pairs part at the frontier beyond what range restriction explains."""
    unexplained = rows.filter(pl.col("case") == BELOW)
    lower = rows.filter(pl.col("at_top") < pl.col("over_all")).height
    opening = f"Among the best quarter of models, {lower} of {count(rows.height, 'pair')} agree less than over all; "
    if unexplained.is_empty():
        return f"{opening}for none by clearly more than the best being alike would bring about{known_at_latest(until)}"
    named = unexplained["name"].head(3).to_list()
    return f"{opening}for {listed(named)} by more than the best being alike would bring about{known_at_latest(until)}"


def frontier_alt(rows: pl.DataFrame, drawn: pl.DataFrame) -> str:
    """The alternative text of the chart of correlations at the frontier."""
    which = "every pair" if drawn.height == rows.height else f"the {drawn.height} pairs of most models"
    return (
        f"For {which}, most models first: the correlation of proxy and target over all models (open circle), among the "
        "best quarter by the proxy (diamond), and that one corrected for range restriction (square), with 95% "
        "intervals. Scores are on the probit scale where they are shares."
    )


def pair_years(rows: pl.DataFrame, until: date | None) -> str:
    """How a pair's correlation at the frontier moved; both years are of one pair, the later holds the earlier's
    models."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    moved = (last["at_top"] < first["at_top_low"]) or (last["at_top"] > first["at_top_high"])
    verb = "moved" if moved else "did not move beyond error"
    return (
        f"On the same pair the correlation among the best quarter {verb}: {first['at_top']:.2f} over "
        f"{count(first['n_top'], 'model')} out by {first['year']}, {last['at_top']:.2f} over "
        f"{count(last['n_top'], 'model')} out by {last['year']}{known(until)}"
    )


def shortfall(break_row: Row | None, unit: str, until: date | None) -> str:
    """Whether a target stopped following its proxy, when, and by how many of `unit` at an equal proxy."""
    if break_row is None or break_row["p"] is None:
        why = "" if break_row is None or not break_row["reason"] else f": {break_row['reason']}"
        return f"Whether the two diverged at some date cannot be tested{why}"
    population = f"over {count(break_row['n_points'], 'model')}{known(until)}"
    if break_row["on_date"] is None:
        return f"No date is found from which on the target follows less ({break_row['tested']}), {population}"
    size = (
        f"{break_row['lower_by']:.1f} {unit} lower (95%: {break_row['lower_low']:.1f} to {break_row['lower_high']:.1f})"
    )
    return f"From {break_row['on_date']} on the target lies {size} at the same proxy, {population}"


def dates(rows: pl.DataFrame, until: date | None) -> str:
    """How many pairs were tested for a date at which they diverged, and which have one."""
    tested = rows.filter(pl.col("p").is_not_null())
    few = rows.height - tested.height
    pairs_with_date = [
        f"{markdown(row['name'])} from {row['on_date']} (between {row['on_day']} and {row['until_day']})"
        for row in rows.filter(pl.col("status") == "ok").iter_rows(named=True)
    ]
    dated = (
        f"A date is given for {listed(pairs_with_date)}." if pairs_with_date else "For none of them a date is given."
    )
    untested = f" For {few} more there are too few models over time." if few else ""
    return (
        f"{count(tested.height, 'pair')} are tested for every date at once, with the false discoveries over all pairs "
        f"held at 5%{known_at_latest(until)}. {dated}{untested}"
    )


def pressure(row: Row | None, rows: pl.DataFrame, kind: str, until: date | None) -> str:
    """Whether gaps are wider under more pressure."""
    what = {"twins": "gap to a second measurement", "self-reports": "premium of self-reports"}.get(
        kind, "gap to equal preparation"
    )
    if row is None or row["value"] is None:
        reason = "" if row is None else f" ({row['reason']})"
        return f"Whether the {what} is wider under more pressure is not known{reason}"
    over = f"over {count(rows.height, 'benchmark')}{known_at_latest(until)}"
    size = f"rank correlation {signed(row['value'], 2)} ({interval(row, 2)}) {over}"
    if row["low"] > 0:
        return f"The {what} is wider where more is tried: {size}"
    if row["high"] < 0:
        return f"The {what} is narrower where more is tried: {size}"
    return f"No link is found between how much is tried and the {what}: {size}"


def pressure_title(row: Row | None) -> str:
    """Whether gaps are wider under more pressure, in a few words."""
    if row is None or row["value"] is None:
        return "Whether gaps are wider under more pressure is not known"
    if row["low"] > 0:
        return "Gaps are wider where more is tried"
    if row["high"] < 0:
        return "Gaps are narrower where more is tried"
    return "No link is found between how much is tried and the gap"


def advances_title(overall: Row | None) -> str:
    """What share of all advances is within error, in a few words."""
    if overall is None or overall["value"] is None:
        return "Whether advances are larger than their error is not known"
    return f"{overall['value']:.0%} of {overall['n']:,} advances are smaller than their error"


def premium_title(overall: Row | None, rows: pl.DataFrame, by: str) -> str:
    """Where self-reports differ beyond error, in a few words."""
    certain = rows.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    if by == "organisation":
        return f"{certain.height or 'None'} of {count(rows.height, 'organisation')} report other than usual"
    if overall is None or overall["value"] is None:
        return "Whether self-reported scores are higher is not known"
    higher = certain.filter(pl.col("low") > 0).height
    return f"Makers report more beyond error on {higher or 'none'} of {count(rows.height, 'benchmark')}"


def pooled_title(overall: Row | None, rows: pl.DataFrame) -> str:
    """The pooled difference, whether it is clear of zero, and on how many benchmarks it is."""
    if overall is None or overall["value"] is None:
        return premium_title(overall, rows, "benchmark")
    way = "more" if overall["value"] >= 0 else "less"
    if overall["low"] <= 0 <= overall["high"]:
        return "Whether makers report more than others measure is not clear on average"
    higher, lower = rows.filter(pl.col("low") > 0).height, rows.filter(pl.col("high") < 0).height
    below = f", {lower} below" if lower else ""
    return (
        f"Makers report {points(overall['value'] / 100)} {way}, clear of zero; "
        f"{higher or 'none'} of {count(rows.height, 'benchmark')} clearly above{below}"
    )


def advances(
    overall: Row | None,
    rows: pl.DataFrame,
    by: str,
    until: date | None,
    by_item: tuple[Row | None, Row | None] = (None, None),
) -> str:
    """What share of the steps of running bests is within error."""
    if by == "benchmark":
        half = rows.filter(pl.col("value") > 0.5).height
        return (
            f"On {half} of {count(rows.height, 'benchmark')} with five advances of known error or more, most of these "
            f"are smaller than their error{known_at_latest(until)}"
        )
    if overall is None or overall["value"] is None:
        return "Whether advances are larger than their error is not known"
    return (
        f"{overall['value']:.0%} ({interval(overall, 0, 100)}%) of {overall['n']:,} advances of a running best whose "
        f"errors are known are smaller than their error{known_at_latest(until)}{advances_by_item(*by_item)}"
    )


def advances_by_item(paired: Row | None, clustered: Row | None) -> str:
    """Of the advances that are known item by item how many are within error, paired and over other clusters."""
    if paired is None:
        return ""
    within = f"{round(paired['value'] * paired['n'])} of {paired['n']:,}"
    over = ""
    if clustered is not None:
        over = f", {round(clustered['value'] * clustered['n'])} of {clustered['n']:,} over other clusters of items"
    return f"; of those known item by item {within} are, {round(paired['numbers'][0])} were no items shared{over}"


def premium(overall: Row | None, rows: pl.DataFrame, by: str, until: date | None) -> str:
    """How far self-reports lie from third-party scores, and where."""
    certain = rows.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    if by == "organisation":
        if certain.is_empty():
            of = count(rows.height, "organisation")
            return f"Of {of} none reports scores that differ from the usual beyond error{known_at_latest(until)}"
        named = listed(certain["name"].head(3).to_list())
        return (
            f"Reports differ from the usual beyond error for {certain.height} of {count(rows.height, 'organisation')}, "
            f"{named} foremost{known_at_latest(until)}"
        )
    if overall is None or overall["value"] is None:
        return "Whether self-reported scores are higher is not known"
    size = f"{signed(overall['value'])} points ({interval(overall)})"
    sentence = f"{count(overall['n'], 'self-reported score')} lie {size} from those of third parties"
    higher = certain.filter(pl.col("low") > 0)["name"]
    of = f"of {count(rows.height, 'benchmark')}"
    if higher.is_empty():
        return f"{sentence}; higher beyond error on none {of}{known_at_latest(until)}"
    named = listed(higher.head(3).to_list())
    return f"{sentence}; higher beyond error on {higher.len()} {of}, {named} foremost{known_at_latest(until)}"


def pooled(overall: Row | None) -> str:
    """All benchmarks together: `All pooled: +1.5 points (−1.0 to 4.1) over 148 scores`."""
    if overall is None or overall["value"] is None:
        return "All pooled: not known"
    return (
        f"All pooled: {signed(overall['value'])} points (95%: {interval(overall)}) over {count(overall['n'], 'score')}"
    )


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
        f"({interval(most)}) more than it is worth{'' if most['low'] > 0 else ', which is within error'}{known(until)}"
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


def cost(name: str, factor: Row | None, rows: pl.DataFrame, until: date | None) -> str:
    """What ten more points went with among the runs that were made, and how the price of a score fell."""
    sentence = ""
    if factor is not None and factor["value"] is not None:
        over = count(factor["n"], "run")
        sentence = (
            f"along the cheapest of {over} with a cost, ten points more went with {factor['value']:.1f} times the price"
        )
    falls = [
        (group["value"][0] / group["value"][-1], level, group)
        for (level,), group in rows.group_by("level", maintain_order=True)
        if group.height > 1 and group["value"][-1] < group["value"][0]
    ]
    if falls:
        _, level, group = max(falls, key=lambda fall: fall[0])
        first, last = group.row(0, named=True), group.row(-1, named=True)
        fell = (
            f"of the runs on the same board, the cheapest with {level}% went from ${first['value']:,.2f} "
            f"({count(first['n'], 'run')} as good) by the end of {first['year']} to ${last['value']:,.2f} "
            f"({count(last['n'], 'run')}) by that of {last['year']}"
        )
        sentence = f"{sentence}; {fell}" if sentence else fell
    return f"{name}: {sentence}{known(until)}" if sentence else f"{name}: how cost goes with score is not known"


def concentration(rows: pl.DataFrame, index: str, until: date | None) -> str:
    """How concentrated entries are in the last year, by one index: gini or hhi."""
    by_year = rows.filter(pl.col("status") == "ok", pl.col("measure") == f"{index}_of_benchmarks").sort("year")
    if by_year.is_empty():
        return "How concentrated attention is cannot be said: too few benchmarks have dated entries in a year"
    last = by_year.row(-1, named=True)
    of = f"{count(last['n'], 'benchmark')} with an entry in {last['year']}"
    if index == "hhi":
        return (
            f"Two entries on {of} fall on the same one in {last['value']:.1%} ({interval(last, 1, 100)}%) of cases"
            f"{by_chance(last, '.1%')}{known_at_latest(until)}"
        )
    return (
        f"The Gini coefficient of entries over {of} is {last['value']:.2f} ({interval(last, 2)})"
        f"{by_chance(last, '.2f')}{known_at_latest(until)}"
    )


def by_chance(row: Row, form: str) -> str:
    """What an index of concentration would be if every entry fell on any benchmark with one chance, as a clause."""
    return "" if row["by_chance"] is None else f", where equal chances would give {row['by_chance']:{form}}"


def same_sources(compared: Row | None, rows: pl.DataFrame) -> str:
    """Over which sources years are compared: a clause for the end of a subtitle; empty where there is but one year."""
    if compared is None or compared["value"] is None:
        return ""
    sources = count(int(compared["value"]), "source")
    if rows["year"].n_unique() < 2:
        return f"; over the {sources} that report in that year"
    return f"; each year over the same {sources}"


def openness_title(rows: pl.DataFrame) -> str:
    """Whether open weights set the frontier as often as they enter, in a few words."""
    sides = _steps_and_entries(rows)
    if sides is None:
        return _OPENNESS_UNKNOWN
    steps, entries = sides
    return f"{steps['year']}: open weights set {steps['value']:.0%} of new bests, {entries['value']:.0%} of entries"


def openness(rows: pl.DataFrame, until: date | None) -> str:
    """Whether open models set the frontier as often as they enter."""
    sides = _steps_and_entries(rows)
    if sides is None:
        return _OPENNESS_UNKNOWN
    steps, entries = sides
    return (
        f"In {steps['year']} open weights set {steps['value']:.0%} ({interval(steps, 0, 100)}%) of "
        f"{count(steps['n'], 'step')} of running bests by models of known weights, against {entries['value']:.0%} "
        f"({interval(entries, 0, 100)}%) of {count(entries['n'], 'entry', 'entries')}: "
        f"{_beside_entries(steps, entries)}{known_at_latest(until)}"
    )


def _beside_entries(steps: Row, entries: Row) -> str:
    """How the share of steps lies to that of entries: never called alike where one is outside the other's interval."""
    way = "less" if steps["value"] < entries["value"] else "more"
    if steps["high"] < entries["low"] or steps["low"] > entries["high"]:
        return f"clearly {way}"
    one_holds_other = [
        side["low"] <= other_side["value"] <= side["high"] for side, other_side in ((steps, entries), (entries, steps))
    ]
    return "within error" if all(one_holds_other) else f"{way}, though the two intervals overlap"


_OPENNESS_UNKNOWN = "How often models with open weights set a new best is not known"


def _steps_and_entries(rows: pl.DataFrame) -> tuple[Row, Row] | None:
    """The shares of open weights among steps and among entries, of the last year that has both; None without one."""
    usable = rows.filter(pl.col("status") == "ok")
    shared = usable.filter(pl.col("measure").n_unique().over("year") == 2).filter(year=pl.col("year").max())
    sides = {row["measure"]: row for row in shared.iter_rows(named=True)}
    return (sides["frontier_open_weights"], sides["entries_open_weights"]) if sides else None


def order(last: Row) -> str:
    """The same with its interval, neighbours, the first two under shared errors, and of which boards."""
    shared = ""
    if last["second_apart_shared"] is not None:
        shared = (
            f"The first two differ on {last['second_apart']} of {last['seconds']} if errors are independent, on "
            f"{last['second_apart_shared']} if they are shared as on the most alike of like tests "
            f"({correlation(last['correlation'])}). "
        )
    return (
        f"{percent(last['share'])} ({percent_interval(last['low'], last['high'])}) of the boards of curated benchmarks "
        f"with {FEWEST_MODELS} models or more and known errors have one model tied for first, "
        f"{count(last['families'], 'family', 'families')} of benchmarks; of {last['neighbours']:,} neighbours in the "
        f"top ten {last['neighbours_apart']} differ beyond error. {shared}Each board counts once, as it was last seen "
        f"in its year; domains are of {last['group']}; until {day_of(last['seen_until'])}."
    )


def order_row(row: Row) -> str:
    """The hover text of one year or domain: on how many boards the first two, and neighbours, differ beyond error."""
    return (
        f"{row['first_apart']} of {count(row['known'], 'board')}, {percent(row['share'])} "
        f"({percent_interval(row['low'], row['high'])}); {row['neighbours_apart']} of {row['neighbours']:,} neighbours"
    )
