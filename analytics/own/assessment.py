"""The assessment of public facts with rows of one's own beside: no public row is another for them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.assess import NO_LEDGERS, Assessment, Ledgers, assess
from benchhealth.analytics.change.previous import NO_PREVIOUS, Previous
from benchhealth.analytics.contamination.findings import RungInputs
from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.own.apart import PublicAndOwn
from benchhealth.analytics.own.risk import own_risk
from benchhealth.analytics.own.twins import own_residuals
from benchhealth.analytics.record.boards import newest, rankable
from benchhealth.analytics.record.conditions.references import in_reference, references
from benchhealth.analytics.record.current import leaderboard
from benchhealth.analytics.record.tables import COMPLETED, DERIVED, TABLES
from benchhealth.analytics.record.tables.declared import Own
from benchhealth.analytics.schedule import OnProgress, count, ignored

_RISK, _RESIDUAL = "contamination_risk", "twin_residual"
_STEPS = ("rung_inputs",)
_OF_PUBLIC = (*_STEPS, "stated")
"""The steps of the public assessment whose values are read."""

Mine = Callable[[PublicAndOwn], pl.Expr]


def _benchmark(apart: PublicAndOwn) -> pl.Expr:
    return pl.col("benchmark_id").is_in(list(apart.benchmarks))


def _board(apart: PublicAndOwn) -> pl.Expr:
    return pl.col("board_id").str.extract("^([^/]*)/").is_in(list(apart.sources))


def _twin(apart: PublicAndOwn) -> pl.Expr:
    return pl.col("twin_id").is_in(apart.twins["twin_id"].implode())


def _model(apart: PublicAndOwn) -> pl.Expr:
    return pl.col("model_id").is_in(list(apart.models))


def _source(apart: PublicAndOwn) -> pl.Expr:
    return pl.col("source_id").is_in(list(apart.sources))


def _either(apart: PublicAndOwn) -> pl.Expr:
    return pl.any_horizontal(
        is_own.fill_null(value=False) for is_own in (_benchmark(apart), _board(apart), _source(apart))
    )


_MINE: Mapping[Own, Mine] = {
    Own.BENCHMARK: _benchmark,
    Own.BOARD: _board,
    Own.TWIN: _twin,
    Own.SOURCE: _source,
    Own.MODEL: _model,
    Own.BENCHMARK_OR_MODEL: lambda apart: _benchmark(apart) | _model(apart),
    Own.EITHER: _either,
}

MINE: Mapping[str, Mine] = {name: _MINE[table.own] for name, table in TABLES.items() if table.own is not Own.NONE}
"""Which rows of a table are one's own; of a table that is not named none is."""


def assess_apart(  # noqa: PLR0913 - as `assess`
    apart: PublicAndOwn,
    as_of: date,
    rng: np.random.Generator,
    *,
    previous: Previous = NO_PREVIOUS,
    ledgers: Ledgers = NO_LEDGERS,
    workers: int = 1,
    on_progress: OnProgress = ignored,
) -> Assessment:
    """The tables of `assess` on the public facts, each with one's own rows after them (see `MINE`).

    Benchmarks, boards and twins of one's own are assessed on all facts about them; models that nobody else has results
    of are held against public models, on public twins and on the public stitched scale.
    """
    first, second = (count(ENTRIES, GIVEN, (*tables, *_STEPS)) for tables in ((*DERIVED, *COMPLETED), MINE))
    public = assess(
        apart.public,
        as_of,
        rng,
        previous=previous,
        ledgers=ledgers,
        workers=workers,
        on_progress=lambda progress: on_progress(replace(progress, steps=first + second)),
        steps=_OF_PUBLIC,
    )
    assessed = assess(
        apart.frames_of_benchmarks,
        as_of,
        rng.spawn(1)[0],
        previous=previous,
        workers=workers,
        on_progress=lambda progress: on_progress(replace(progress, done=first + progress.done, steps=first + second)),
        tables=tuple(MINE),
        steps=_STEPS,
    )
    rows = {name: assessed.tables[name].filter(mine(apart)) for name, mine in MINE.items()}
    beside = own_residuals(apart.public, apart.judged_own, apart.models, public.tables[_RESIDUAL])
    inputs = _inputs(apart, public, assessed.steps["rung_inputs"], pl.concat([beside, rows[_RESIDUAL]]), rows["twin"])
    risk = own_risk(public.steps["rung_inputs"], inputs, _best_results(apart), public.tables[_RISK])
    rows[_RESIDUAL] = pl.concat([rows[_RESIDUAL], beside])
    rows[_RISK] = pl.concat([rows[_RISK], risk])
    # The table of sources names all that there are, and what was brought before is no news of public ones.
    theirs = {
        name: table.filter(~MINE[name](apart).fill_null(value=False)) if name in MINE else table
        for name, table in public.tables.items()
    }
    return Assessment(
        {name: pl.concat([table, rows[name]]) if name in rows else table for name, table in theirs.items()},
        public.steps,
    )


def _inputs(
    apart: PublicAndOwn, public: Assessment, touched: RungInputs, residual: pl.DataFrame, twin: pl.DataFrame
) -> RungInputs:
    """The inputs of the contamination ladder, restricted to one's own models."""
    mine = residual.filter(_model(apart))
    return replace(
        touched,
        model=apart.own.model.filter(_model(apart)),
        cutoff=apart.own.cutoff.filter(_model(apart)),
        twin=pl.concat([public.tables["twin"], twin]),
        twin_pair=pl.concat([apart.public.twin_pair, apart.twins]),
        twin_residual=mine,
        facts=public.steps["rung_inputs"].facts,
    )


def _best_results(apart: PublicAndOwn) -> pl.DataFrame:
    """The best newest result of each of one's own models on each public benchmark, in its reference condition."""
    mine = apart.judged_own.result.filter(_model(apart))
    own_frames = replace(apart.own, benchmark=apart.public.benchmark, result=mine)
    named = own_frames.result.select("benchmark_id").unique().collect()["benchmark_id"].implode()
    public_frames = replace(apart.public, result=apart.public.result.filter(pl.col("benchmark_id").is_in(named)))
    rows = in_reference(rankable(own_frames), references(public_frames))
    return leaderboard(newest(rows)).select("benchmark_id", "model_id", "score", "error")
