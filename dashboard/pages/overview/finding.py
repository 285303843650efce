"""What the first page has found, of all curated benchmarks, and which sources that rests on."""

import polars as pl

from benchhealth.dashboard.figures.chart import SourceLine
from benchhealth.dashboard.published.benchmarks import (
    assessed_on,
    benchmarks,
    family,
    fresh_since,
    is_alive,
    is_doubted,
    is_fresh,
)
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.numbers import day_of, month_of


def finding(view: View) -> tuple[str, str]:
    """How many still measure, and what that rests on, as markdown."""
    return view.kept("title of the map", lambda: _finding(view))


def _finding(view: View) -> tuple[str, str]:
    whole = benchmarks(view).filter("curated", "of_curated")
    as_of = assessed_on(view)
    fresh = whole.filter(is_fresh())
    alive = whole.filter(is_alive())
    of_stage, of_fresh = (rows.filter(pl.col("stage") == "discriminating").height for rows in (whole, fresh))
    doubted = fresh.filter(is_doubted(), stage="discriminating").height
    return (
        f"{alive.height} of {fresh.height} benchmarks looked at since {month_of(fresh_since(view))} still measure",
        f"{of_stage} of all {whole.height:,} curated ones have this stage; not counted are {of_stage - of_fresh} "
        f"that we did not look at in the six months to {day_of(as_of)} (grey), {of_fresh - doubted - alive.height} "
        f"that nobody reports any more and {doubted} that may be running out, as not enough is known. Releases and "
        f"parts of one benchmark taken together, the {alive.height} are {alive.select(family()).n_unique()}.",
    )


def sources(view: View) -> list[SourceLine]:
    """The sources that hold results, the one that can speak for the latest day first."""
    spoken = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    rows = spoken.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    return [SourceLine(*row) for row in rows.select("title", "homepage", "known_until").iter_rows()]
