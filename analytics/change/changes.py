"""What a generation says that the one before did not: stages, flags, leaders, best scores, breaks, sources.

Two generations are compared by their published tables. What rests on a number of two boards' scores says whether the
errors carry it; where an error is unknown, `beyond_noise` is null.
"""

from collections.abc import Mapping
from datetime import date

import polars as pl

from analytics.record.tables import PUBLISHED
from analytics.record.tables.columns import FLAG, TEXT

COMPARED = ("benchmark", "model", "verdict", "indicator", "rank", "breakpoint", "source")
"""The tables of a generation that are read."""

Tables = Mapping[str, pl.DataFrame]

_EMPTY = pl.lit(None, dtype=TEXT)


def changes(before: Tables, after: Tables, made_on: date) -> pl.DataFrame:
    """Every change from one generation to the next, as the table `change`.

    `kind` is stage, flag, leader (of a board), best (score of a benchmark), break (a curated breakpoint), benchmark (a
    new one with a known stage) or source (its status). Without a generation before there is no change.
    """
    if not before:
        return pl.DataFrame(schema=PUBLISHED["change"])
    parts = (
        _stages(before, after),
        _flags(before, after),
        _leaders(before, after),
        _best(before, after),
        _breaks(before, after),
        _sources(before, after),
    )
    columns = ("kind", "benchmark_id", "board_id", "model_id", "before", "after", "beyond_noise", "text")
    found = pl.concat([part.select(_filled(part, columns)) for part in parts])
    dated = found.with_columns(made_on=pl.lit(made_on))
    order = ["kind", "benchmark_id", "board_id", "model_id", "before", "after"]
    return dated.select(PUBLISHED["change"].names()).cast(PUBLISHED["change"]).sort(order, nulls_last=True)


def _filled(part: pl.DataFrame, columns: tuple[str, ...]) -> list[pl.Expr]:
    kinds = {"beyond_noise": FLAG}
    return [
        (pl.col(name) if name in part.columns else pl.lit(None)).cast(kinds.get(name, TEXT)).alias(name)
        for name in columns
    ]


def _named(rows: pl.DataFrame, after: Tables) -> pl.DataFrame:
    names = after["benchmark"].select("benchmark_id", name=pl.coalesce("name", "benchmark_id"))
    return rows.join(names, on="benchmark_id", how="left").with_columns(
        pl.coalesce("name", "benchmark_id").alias("name")
    )


def _verdicts(before: Tables, after: Tables) -> pl.DataFrame:
    past = before["verdict"].select("benchmark_id", before_stage="stage", before_flags="flags")
    return _named(
        after["verdict"].select("benchmark_id", "stage", "flags").join(past, on="benchmark_id", how="left"), after
    )


def _stages(before: Tables, after: Tables) -> pl.DataFrame:
    """Another stage, and new benchmarks whose stage is known."""
    both = _verdicts(before, after)
    moved = both.filter(pl.col("stage") != pl.col("before_stage")).select(
        "benchmark_id",
        kind=pl.lit("stage"),
        before="before_stage",
        after="stage",
        text=pl.format("{} was {} and is {}", "name", "before_stage", "stage"),
    )
    new = both.filter(pl.col("before_stage").is_null() & (pl.col("stage") != "unknown")).select(
        "benchmark_id",
        kind=pl.lit("benchmark"),
        before=_EMPTY,
        after="stage",
        text=pl.format("{} is new here, and is {}", "name", "stage"),
    )
    return pl.concat([moved, new])


def _flags(before: Tables, after: Tables) -> pl.DataFrame:
    """A row for every flag that came or went."""
    both = _verdicts(before, after).drop_nulls("before_stage")
    came = both.with_columns(flag=pl.col("flags").list.set_difference("before_flags")).explode("flag")
    went = both.with_columns(flag=pl.col("before_flags").list.set_difference("flags")).explode("flag")
    return pl.concat(
        [
            came.drop_nulls("flag").select(
                "benchmark_id",
                kind=pl.lit("flag"),
                before=_EMPTY,
                after="flag",
                text=pl.format("{} has the flag {}", "name", "flag"),
            ),
            went.drop_nulls("flag").select(
                "benchmark_id",
                kind=pl.lit("flag"),
                before="flag",
                after=_EMPTY,
                text=pl.format("{} has lost the flag {}", "name", "flag"),
            ),
        ]
    )


def _first(tables: Tables) -> pl.DataFrame:
    """Who is first on the newest state of each board: one row a board."""
    rank = tables["rank"]
    newest = rank.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id"))
    leaders = newest.filter(pl.col("rank") == 1).sort("board_id", "model_id")
    return leaders.group_by("board_id", maintain_order=True).agg(
        pl.col("model_id", "rank_high", "score").first(), pl.col("observed_at").first()
    )


def _leaders(before: Tables, after: Tables) -> pl.DataFrame:
    """Another first model on a board that said something new; beyond noise where nobody else could be first."""
    names = after["model"].select("model_id", model=pl.coalesce("name", "model_id"))
    past = _first(before).select("board_id", before="model_id", seen_before="observed_at")
    moved = _first(after).join(past, on="board_id").filter(pl.col("model_id") != pl.col("before"))
    titled = (
        moved.join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "model": "model_before"}), on="before", how="left")
        .with_columns(
            pl.coalesce("model", "model_id").alias("model"), pl.coalesce("model_before", "before").alias("was")
        )
    )
    return _named(
        titled.with_columns(benchmark_id=pl.col("board_id").str.splitn("/", 2).struct.field("field_1")), after
    ).select(
        "benchmark_id",
        "board_id",
        "model_id",
        "before",
        kind=pl.lit("leader"),
        after="model_id",
        beyond_noise=pl.col("rank_high") == 1,
        text=pl.format("{} is first on {}, where {} was", "model", "name", "was"),
    )


def _best(before: Tables, after: Tables) -> pl.DataFrame:
    """Another best score of a benchmark; beyond noise where the intervals of the two do not meet."""

    def best(tables: Tables) -> pl.DataFrame:
        rows = tables["indicator"].filter((pl.col("indicator") == "frontier") & (pl.col("status") == "ok"))
        return rows.select("benchmark_id", "value", "low", "high")

    both = (
        best(after)
        .join(best(before), on="benchmark_id", suffix="_before")
        .filter(pl.col("value") != pl.col("value_before"))
    )
    facts = after["benchmark"].select("benchmark_id", higher=pl.col("higher_is_better").fill_null(value=True))
    better = (
        pl.when("higher")
        .then(pl.col("value") > pl.col("value_before"))
        .otherwise(pl.col("value") < pl.col("value_before"))
    )
    apart = (pl.col("low") > pl.col("high_before")) | (pl.col("high") < pl.col("low_before"))
    return _named(both.join(facts, on="benchmark_id", how="left").with_columns(better=better), after).select(
        "benchmark_id",
        kind=pl.lit("best"),
        before=pl.col("value_before").cast(TEXT),
        after=pl.col("value").cast(TEXT),
        beyond_noise=apart,
        text=pl.when("better")
        .then(pl.format("The best score on {} rose", "name"))
        .otherwise(pl.format("The best score on {} was taken back or corrected", "name")),
    )


def _breaks(before: Tables, after: Tables) -> pl.DataFrame:
    """Breakpoints that were not known before."""
    keys = ["board_id", "on_date", "kind"]
    new = after["breakpoint"].join(before["breakpoint"].select(keys).unique(), on=keys, how="anti", nulls_equal=True)
    return new.select(
        "board_id",
        benchmark_id=pl.col("board_id").str.splitn("/", 2).struct.field("field_1"),
        before=_EMPTY,
        after=pl.col("kind"),
        text=pl.format("{}, {}: {}", "board_id", "on_date", pl.coalesce("note", "kind")),
        kind=pl.lit("break"),
    )


def _sources(before: Tables, after: Tables) -> pl.DataFrame:
    """Sources whose status is another, or that are new."""
    past = before["source"].select("source_id", before="status")
    both = after["source"].select("source_id", "title", after="status").join(past, on="source_id", how="left")
    moved = both.filter(pl.col("after").ne_missing(pl.col("before")))
    return moved.select(
        "before",
        "after",
        kind=pl.lit("source"),
        text=pl.when(pl.col("before").is_null())
        .then(pl.format("{} is new", "title"))
        .otherwise(pl.format("{}: {} after {}", "title", "after", "before")),
    )
