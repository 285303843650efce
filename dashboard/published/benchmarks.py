"""What the overview shows of each benchmark: verdict, headroom, frontier, size, and until when that is known."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.lineages.one_id import RELEASE
from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.statistics.summaries.ends import day_span, latest
from benchhealth.dashboard.published.generation import ParameterError, View, always, did_you_mean, slug
from benchhealth.dashboard.words.text import labels, one_line


def known_until(view: View, benchmark_ids: Iterable[str]) -> date | None:
    """The day until which all of these are known: the earliest of theirs; None where one has none."""
    days = view.table("benchmark").filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))["known_until"]
    return None if days.is_empty() or days.null_count() else day_span(days, days)[0]


def sources_known_until(view: View, benchmark_id: str) -> date | None:
    """The last look at any source of a benchmark, whatever the condition of its results."""
    boards = view.table("board").filter(pl.col("benchmark_id") == benchmark_id)
    return latest(boards["known_until"])


def last_look(view: View) -> date | None:
    """The newest look at any source of others: who imports results of their own has not looked at those."""
    sources = view.table("source")
    return latest(sources.filter(~pl.col("source_id").is_in(with_terms(sources, Terms.IMPORTED)))["known_until"])


def last_known(view: View) -> date | None:
    """The last day on which anything is known of any benchmark."""
    return latest(view.table("benchmark")["known_until"])


WIDTH = 32


def sparklines(frontier: pl.DataFrame, benchmark: pl.DataFrame, width: int = WIDTH) -> pl.DataFrame:
    """Columns `benchmark_id` and `frontier` (list of f32): the running best at `width` equally spaced days.

    `frontier` and `benchmark` are the published tables. The line runs from a benchmark's first result to the day until
    which it is known; a benchmark with one day only has a flat line. Scores are shares of the way from chance (zero
    where it is unknown) to the ceiling; where there is no ceiling, of the way from the first to the last.
    """
    lines: Mapping[str, list[object]] = {"benchmark_id": [], "frontier": []}
    ends = {
        key: (floor or 0.0, ceiling)
        for key, floor, ceiling in benchmark.select("benchmark_id", "floor", "ceiling").iter_rows()
    }
    ordered = frontier.drop_nulls(["dated_on", "score"]).sort("benchmark_id", "dated_on", "carried")
    all_dated, all_scores = ordered["dated_on"].to_physical().to_numpy(), ordered["score"].to_numpy()
    began = 0
    for benchmark_id, steps in ordered["benchmark_id"].rle().struct.unnest().select("value", "len").iter_rows():
        dated, scores = all_dated[began : began + steps], all_scores[began : began + steps]
        began += steps
        days = np.linspace(dated[0], dated[-1], width)
        index = np.clip(np.searchsorted(dated, days, side="right") - 1, 0, None)
        low, high = ends.get(str(benchmark_id), (0.0, None))
        if high is None:
            low, high = float(scores.min()), float(scores.max())
        shares = (scores[index] - low) / (high - low) if high != low else np.full(width, 0.5)
        lines["benchmark_id"].append(benchmark_id)
        lines["frontier"].append(np.clip(shares, 0.0, 1.0).astype(np.float32).tolist())
    return pl.DataFrame(lines, schema={"benchmark_id": pl.String, "frontier": pl.List(pl.Float32)})


FRESH_MONTHS, AGED_MONTHS = 6.0, 18.0
"""What was looked at within the first is fresh, within the second aged, earlier old."""

SHOWN_INDICATORS = ("headroom", "headroom_of_ceiling", "n_models", "frontier", "makers_mentioning_12m")
"""The indicators that the overview shows."""

_FRESH = timedelta(days=183)

_ARENA = "LMArena"


@always
def benchmarks(view: View) -> pl.DataFrame:
    """Every benchmark of the generation, one row each.

    Columns: benchmark_id, name, label (short, but no other curated one has it), domain, unit, curated,
    of_curated (itself or the whole that it is a part of), released_on, stage, p and between (as of table verdict),
    flags, since, known_until, age_months (of what is known), headroom with headroom_low and headroom_high, at_least
    (chance is unknown, so headroom is at least this), best (score), models, makers and of_makers (how many makers'
    documents of the last year mention it, of how many that were read; null where none was), frontier (the running best
    between chance and ceiling).
    """
    verdicts = view.table("verdict").select(
        *("benchmark_id", "stage", "p", "between", "flags", "since", "known_until", "as_of")
    )
    joined = view.table("benchmark").drop("known_until").join(verdicts, on="benchmark_id", how="full", coalesce=True)
    indicators = _shown_values(view)
    of_range, of_ceiling = (_indicator_values(indicators, name) for name in ("headroom", "headroom_of_ceiling"))
    at_least = of_ceiling.join(of_range, on="benchmark_id", how="anti").with_columns(at_least=pl.lit(value=True))
    headroom = pl.concat([of_range.with_columns(at_least=pl.lit(value=False)), at_least]).rename(
        {"value": "headroom", "low": "headroom_low", "high": "headroom_high"}
    )
    models = _indicator_values(indicators, "n_models").select("benchmark_id", models=pl.col("value").cast(pl.Int64))
    makers = indicators.filter(pl.col("indicator") == "makers_mentioning_12m").select(
        "benchmark_id", makers=pl.col("value").cast(pl.Int64), of_makers=pl.col("n").cast(pl.Int64)
    )
    best = _indicator_values(indicators, "frontier").select("benchmark_id", best="value")
    age = (pl.col("as_of") - pl.col("known_until")).dt.total_days() / MONTH_DAYS
    all_benchmarks = (
        joined.join(headroom, on="benchmark_id", how="left")
        .join(models, on="benchmark_id", how="left")
        .join(best, on="benchmark_id", how="left")
        .join(makers, on="benchmark_id", how="left")
        .join(sparklines(view.table("frontier"), view.table("benchmark")), on="benchmark_id", how="left")
        .with_columns(
            pl.coalesce("name", "benchmark_id").alias("name"),
            pl.col("stage").fill_null("unknown"),
            pl.col("flags").fill_null([]),
            pl.col("between").fill_null([]),
            pl.col("models").fill_null(0),
            pl.col("at_least").fill_null(value=False),
            pl.col("curated").fill_null(value=False),
            age_months=age,
        )
        .sort(pl.col("name").str.to_lowercase(), "benchmark_id")
    )
    wholes = all_benchmarks.filter("curated")["benchmark_id"]
    among = all_benchmarks.filter("curated")["name"].to_list()
    return all_benchmarks.with_columns(
        label=pl.Series(labels(all_benchmarks["name"].to_list(), among), dtype=pl.String),
        of_curated=pl.col("benchmark_id").str.split("/").list.first().is_in(wholes.implode()),
    )


def named_benchmark(view: View, id_or_name: str) -> Mapping[str, Any]:
    """The row of table `benchmark` of this id or name. Raises ParameterError where there is none, or several."""
    table = view.table("benchmark")
    word = one_line(id_or_name)
    exact = table.filter(pl.col("benchmark_id") == word)
    if exact.is_empty():
        named = table.filter(pl.col("name").str.to_lowercase() == word.casefold())
        exact = named.filter("curated") if named.height > 1 else named
    if exact.height != 1:
        suggestion = did_you_mean(slug(word), table["benchmark_id"].to_list())
        raise ParameterError(f"no benchmark {word[:80]!r}{suggestion}; one is named by its id or its whole name")
    return exact.row(0, named=True)


def name_of(view: View, benchmark_id: str) -> str:
    """The benchmark's name, its id where it has none."""
    named = view.table("benchmark").filter(pl.col("benchmark_id") == benchmark_id)["name"]
    return (named[0] if named.len() else None) or benchmark_id


def _shown_values(view: View) -> pl.DataFrame:
    """The indicators of SHOWN_INDICATORS that have a value: benchmark_id, indicator, value, low, high, n.

    Never the whole table, which takes longer to read than all else that a page asks.
    """
    return view.query(
        "SELECT benchmark_id, indicator, value, low, high, n FROM indicator "
        "WHERE status = 'ok' AND indicator IN (SELECT unnest($indicators))",
        indicators=list(SHOWN_INDICATORS),
    )


def _indicator_values(indicators: pl.DataFrame, indicator: str) -> pl.DataFrame:
    rows = indicators.filter(pl.col("indicator") == indicator)
    return rows.select("benchmark_id", *(pl.col(name).fill_nan(None) for name in ("value", "low", "high")))


def is_fresh() -> pl.Expr:
    """Whether the benchmark was looked at within six months of the assessment."""
    return (pl.col("age_months") <= FRESH_MONTHS).fill_null(value=False)


def is_in_use() -> pl.Expr:
    """Whether the benchmark is in use: looked at within six months of the assessment, and somebody still reports it."""
    return is_fresh() & ~pl.col("flags").list.contains("dormant")


def is_alive() -> pl.Expr:
    """Whether the benchmark still measures: it is in use and surely discriminates."""
    return is_in_use() & (named_stage() == "discriminating")


def named_stage() -> pl.Expr:
    """The stage that pages name: not enough is known of what lies between two."""
    return pl.when(is_doubted()).then(pl.lit("unknown")).otherwise("stage")


def in_use_by_stage(rows: pl.DataFrame) -> dict[str, int]:
    """How many of these rows of `benchmarks` that are in use have each named stage."""
    in_use = rows.select(used=is_in_use(), stage=named_stage()).filter("used")
    return dict(in_use["stage"].value_counts().iter_rows())


def is_doubted() -> pl.Expr:
    """Whether not enough is known to name one stage."""
    return pl.col("between").list.len() > 0


def best_known(rows: pl.DataFrame) -> pl.DataFrame:
    """These rows of `benchmarks`, those first that most makers report, then those with most models."""
    return rows.sort("makers", "models", "benchmark_id", descending=[True, True, False], nulls_last=True)


def family() -> pl.Expr:
    """What a benchmark belongs to: releases, parts and the boards of one arena are one family."""
    of_whole = pl.col("benchmark_id").str.split("/").list.first().str.replace(RELEASE, "")
    return pl.when(pl.col("name").str.contains(_ARENA, literal=True)).then(pl.lit(_ARENA)).otherwise(of_whole)


def is_old() -> pl.Expr:
    """Whether what is known is older than eighteen months, or nothing is."""
    return (pl.col("age_months") > AGED_MONTHS).fill_null(value=True)


def fresh_since(view: View) -> date | None:
    """The day since which a benchmark must have been looked at to be fresh."""
    as_of = assessed_on(view)
    return None if as_of is None else as_of - _FRESH


def assessed_on(view: View) -> date | None:
    """The day that the verdicts hold for; None where there is no verdict."""
    return latest(view.table("verdict")["as_of"])
