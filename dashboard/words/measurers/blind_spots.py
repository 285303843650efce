"""The words of the matrix of newest leading models by most used benchmarks."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.measurers.blind_spots import AMONG_BEST, FEWEST_BENCHMARKS, NOBODY
from benchhealth.analytics.measurers.numbers import INDEPENDENT, MAKER, NOT_SAID
from benchhealth.analytics.statistics.summaries.ends import day_span
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count, known_at_latest

WHO = {
    INDEPENDENT: "an independent party",
    NOT_SAID: "not said: a list prints it",
    MAKER: "the maker only",
    NOBODY: "nobody",
}
"""How pages name who measured a pair."""

NOTHING = "No matrix can be drawn yet."
WHAT_IT_TAKES = f"It takes released models that are among the {AMONG_BEST} best of {FEWEST_BENCHMARKS} used benchmarks."
CHOSEN_BY = (
    "The benchmarks are those curated here that most makers showed in documents of the last year that were read, of "
    f"equals those with results of most models dated in it. Leading is a model that is among the {AMONG_BEST} best of "
    f"{FEWEST_BENCHMARKS} of them or more, whoever reports it; the newest by day of release are taken. A pair counts "
    "as measured under whatever condition. That nobody measured a pair says nothing of the model: a new one has had "
    "little time, and what our sources do not list may exist."
)
"""A sentence on how the models and benchmarks of the matrix were chosen."""
HEADS = (
    "| Benchmark | Independent | Not said | Maker only | Nobody | Independent sources seen | Items a run "
    "| Answers to fill it |\n|---|---:|---:|---:|---:|---|---:|---:|"
)


def title(rows: pl.DataFrame) -> str:
    """The title of the matrix: how many pairs independent parties measured. `rows` is the table `blind_spot`."""
    independent = rows.filter(pl.col("who") == INDEPENDENT).height
    population = f"{independent:,} of {rows.height:,} pairs of a new leading model and a used benchmark"
    return f"Independent parties measured {population}"


def subtitle(rows: pl.DataFrame, until: date | None) -> str:
    """The population, what the others are, and until when."""
    models, benchmarks = rows["model_id"].n_unique(), rows["benchmark_id"].n_unique()
    unseen = rows.filter(pl.col("who") != INDEPENDENT, ~pl.col("looked")).height
    unsaid, alone, nobody = (rows.filter(pl.col("who") == party).height for party in (NOT_SAID, MAKER, NOBODY))
    listed = f"on {unsaid:,} a list prints a number and not who measured it (diamond), " if unsaid else ""
    return (
        f"{count(models, 'model')}, released {_span(rows)}, by {count(benchmarks, 'benchmark')}. On {alone:,} pairs "
        f"the maker alone reports, {listed}on {nobody:,} nobody, in the sources followed here{known_at_latest(until)}. "
        f"On {unseen:,} of these no source of independent results was read since the model came out, so that an "
        "independent result may exist: drawn faint. Filled square: an independent party; open square: the maker only; "
        "dot: nobody."
    )


def price(rows: pl.DataFrame) -> str:
    """What filling the matrix would take: pairs, items to run once, and what only an owner can run."""
    missing = rows.filter(pl.col("who") != INDEPENDENT)
    sized = missing.drop_nulls("n_items")
    unsized = missing.filter(pl.col("n_items").is_null())
    private = missing.filter(pl.col("labels") == "private")
    is_open = missing.filter("open_weights")
    sentences = [
        f"Filling the {count(missing.height, 'pair')} that no independent party measured would take "
        f"{int(sized['n_items'].sum()):,} answers, each item of {count(sized['benchmark_id'].n_unique(), 'benchmark')} "
        f"asked once of each model that lacks it ({count(sized.height, 'pair')})."
    ]
    if unsized.height:
        on = count(unsized["benchmark_id"].n_unique(), "benchmark")
        sentences.append(f"On {count(unsized.height, 'further pair')}, of {on}, the number of items is not on record.")
    if private.height:
        sentences.append(
            f"On {count(private.height, 'pair')} the answers are private, so that the owner alone can run them."
        )
    if is_open.height:
        sentences.append(f"{count(is_open.height, 'pair')} are of models with open weights.")
    sentences.append("An answer of an agent can take hours and many calls, so that counts of items are no costs.")
    return " ".join(sentences)


def alt(rows: pl.DataFrame) -> str:
    """The alternative text of the matrix of models and benchmarks."""
    return (
        f"Rows of {rows['benchmark_id'].n_unique()} benchmarks, columns of {rows['model_id'].n_unique()} models; each "
        "cell says whether an independent party, a list that names no measurer, the maker alone or nobody has a result."
    )


def cell(model: str, benchmark: str, party: str, houses: str, *, looked: bool) -> str:
    """One pair in plain text: who measured it, and whether anybody else could have been seen."""
    more = f" ({houses})" if houses else ""
    unseen = "" if looked or party == INDEPENDENT else "; no independent source was read since"
    return f"{model} on {benchmark}: {WHO[party]}{more}{unseen}"


def row_price(missing: int, n_items: int | None) -> str:
    """The answers that would fill one row of the matrix: `14 × 198 items`."""
    if not missing:
        return "complete"
    return f"{missing} \u00d7 {'? items' if n_items is None else count(n_items, 'item')}"


def by_benchmark(rows: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark how many pairs each kind of party measured, in the order of the matrix."""
    counted = [(pl.col("who") == party).sum().alias(party) for party in WHO]
    key = ["benchmark_place", "benchmark_id", "benchmark", "n_items", "looked_on"]
    return rows.group_by(key).agg(counted).sort("benchmark_place")


def of_benchmark(row: Mapping[str, Any]) -> list[str]:
    """The cells of one row of `by_benchmark` below HEADS, without its name."""
    missing, items = row[NOT_SAID] + row[MAKER] + row[NOBODY], row["n_items"]
    answers = "not known" if items is None else f"{missing * items:,}"
    run = "not known" if items is None else f"{items:,}"
    looked = "none on record" if row["looked_on"] is None else f"until {month_of(row['looked_on'])}"
    return [*(f"{row[party]}" for party in WHO), looked, run, answers]


def brief(row: Mapping[str, Any]) -> str:
    """The counts of one benchmark in one line, for narrow screens."""
    independent, unsaid, maker, nobody, looked, _, answers = of_benchmark(row)
    return (
        f"independent {independent}, not said {unsaid}, maker only {maker}, nobody {nobody}; "
        f"independent sources seen: {looked}; answers to fill it: {answers}"
    )


def _span(rows: pl.DataFrame) -> str:
    first, last = day_span(rows["released_on"], rows["released_on"])
    return f"{first:%b %Y} to {last:%b %Y}"
