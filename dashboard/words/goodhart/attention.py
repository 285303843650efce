"""Sentences on what attention and money go to: costs, concentration of entries, open weights, order at the top."""

from datetime import date

import polars as pl

from benchhealth.analytics.churn.census import FEWEST_MODELS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import correlation, day_of, interval_of, percent, percent_interval
from benchhealth.dashboard.words.text import count, known, known_at_latest


def cost(name: str, factor: Row | None, rows: pl.DataFrame, until: date | None) -> str:
    """What ten more points went with among the runs that were made, and how the price of a score fell."""
    sentence = ""
    if factor is not None and factor["value"] is not None:
        runs = count(factor["n"], "run")
        sentence = (
            f"along the cheapest of {runs} with a cost, ten points more went with {factor['value']:.1f} times the price"
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


def concentration(by_year: pl.DataFrame, until: date | None) -> str:
    """How concentrated entries are over benchmarks in the last of the years, by the Gini coefficient."""
    if by_year.is_empty():
        return "How concentrated attention is cannot be said: too few benchmarks have dated entries in a year"
    last = by_year.row(-1, named=True)
    return (
        f"The Gini coefficient of entries over {count(last['n'], 'benchmark')} with an entry in {last['year']} is "
        f"{last['value']:.2f} ({interval_of(last, 2)}){by_chance(last)}{known_at_latest(until)}"
    )


def by_chance(row: Row) -> str:
    """What an index of concentration would be if every entry fell on any benchmark with one chance, as a clause."""
    return "" if row["by_chance"] is None else f", where equal chances would give {row['by_chance']:.2f}"


def gini_sentence(last: Row) -> str:
    """The Gini coefficient of a year's entries over benchmarks, and whether it is more than chance would make."""
    if last["by_chance"] is not None and last["low"] > last["by_chance"]:
        compared = f"Gini {last['value']:.2f}; by chance {last['by_chance']:.2f}"
        return f"Entries of {last['year']} crowd on few of {last['n']:,} benchmarks ({compared})"
    coefficient = f"{last['year']}: Gini coefficient {last['value']:.2f} over {last['n']:,} benchmarks"
    return f"{coefficient}{by_chance(last)}"


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
        f"In {steps['year']} open weights set {steps['value']:.0%} ({interval_of(steps, 0, 100)}%) of "
        f"{count(steps['n'], 'step')} of running bests by models of known weights, against {entries['value']:.0%} "
        f"({interval_of(entries, 0, 100)}%) of {count(entries['n'], 'entry', 'entries')}: "
        f"{_beside_entries(steps, entries)}{known_at_latest(until)}"
    )


def _beside_entries(steps: Row, entries: Row) -> str:
    """The share of steps against that of entries: never called alike where one is outside the other's interval."""
    direction = "less" if steps["value"] < entries["value"] else "more"
    if steps["high"] < entries["low"] or steps["low"] > entries["high"]:
        return f"clearly {direction}"
    one_holds_other = [
        side["low"] <= other_side["value"] <= side["high"] for side, other_side in ((steps, entries), (entries, steps))
    ]
    return "within error" if all(one_holds_other) else f"{direction}, though the two intervals overlap"


_OPENNESS_UNKNOWN = "How often models with open weights set a new best is not known"


def _steps_and_entries(rows: pl.DataFrame) -> tuple[Row, Row] | None:
    """The shares of open weights among steps and among entries, of the last year that has both; None without one."""
    usable = rows.filter(pl.col("status") == "ok")
    shared = usable.filter(pl.col("measure").n_unique().over("year") == 2).filter(year=pl.col("year").max())
    sides = {row["measure"]: row for row in shared.iter_rows(named=True)}
    return (sides["frontier_open_weights"], sides["entries_open_weights"]) if sides else None


def order(last: Row) -> str:
    """The sentence on how many boards have one model tied for first, and on neighbours that differ."""
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
