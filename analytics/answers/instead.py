"""What may be used in place of a benchmark: the same construct in the same form, or what a curator names."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.frames import is_part
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.verdict.thresholds import LIMITS

CLEARLY = 0.10
"""This much more of the scale left is clearly further from its end: more than the error of most scores."""

FEWER = 0.5
"""With less than this share of the models of the benchmark, an alternative has lost models to compare with."""

UNLIKE = 0.5
"""Below this Kendall's tau two benchmarks rank models differently."""

NAMED, SAME_CONSTRUCT = "named", "same_construct"
REASONS = (NAMED, SAME_CONSTRUCT)
"""Why a benchmark may stand in for another: a curator names it, or it measures the same in the same form."""

FAILED = (
    *("no_result", "not_looked", "dormant", "few_models", "apart_unknown", "no_room", "crowded"),
    *("part", "other_modality", "other_construct", "other_answer"),
)
"""The rules that keep a benchmark from being recommended, in the order in which they are tried."""

RESERVATIONS = (
    *("no_result", "not_looked", "dormant", "few_models", "apart_unknown", "crowded"),
    *("measurer_unknown", "makers_all", "makers_most"),
)
"""What keeps a better result on a benchmark from being sure to show progress, whatever it is used for."""

LOSSES = ("fewer_models", "ranks_differently", "no_ceiling", "no_human", "no_floor")
"""What is lost by changing to another benchmark, each as a code."""

STANDING = (
    *("benchmark_id", "name", "domain", "construct", "answer_kind", "modality", "curated", "stage", "is_fresh"),
    *("is_dormant", "models", "apart", "own", "headroom", "exposure", "has_ceiling", "has_human", "has_floor"),
)
"""What is read of each benchmark: `apart` is the share of top pairs that differ, `own` the share of results that makers
report, `exposure` the level of the ladder of evidence."""

CASES = (
    Case("named", "yes", "a curator names it, and it still measures or has clearly more room"),
    Case("same_construct", "yes", "it asks for the same in the same form, and still measures or has clearly more room"),
    Case("named_only", "partly", "a curator names it, and it has run out, was not read lately, or is known too little"),
    Case("none_fits", "no", "no curated benchmark of its construct still measures or has clearly more room"),
    Case("no_construct", "unknown", "what it measures is not on record, and no curator names another", "nobody_looked"),
)


def reservations(standing: pl.DataFrame) -> pl.DataFrame:
    """Table `reservation`: for each benchmark those of RESERVATIONS that hold, in their order."""
    checked = pl.col("models") > 0
    self_reported, apart = pl.col("own"), pl.col("apart")
    rules = {
        "no_result": pl.col("models") == 0,
        "not_looked": checked & ~pl.col("is_fresh"),
        "dormant": checked & pl.col("is_dormant"),
        "few_models": checked & (pl.col("models") < LIMITS.min_models),
        "apart_unknown": checked & apart.is_null(),
        "crowded": checked & (apart <= LIMITS.crowded_pairs),
        "measurer_unknown": checked & self_reported.is_null(),
        "makers_all": checked & (self_reported == 1),
        "makers_most": checked & (self_reported > LIMITS.self_reported_share) & (self_reported < 1),
    }
    return standing.select("benchmark_id", reservations=_rule_names(rules, RESERVATIONS))


def alternatives(standing: pl.DataFrame, transfer: pl.DataFrame, successor: pl.DataFrame) -> pl.DataFrame:
    """Table `alternative`: every other curated benchmark of a curated one's domain or construct, and what is named.

    One `fits` that was looked at lately, is reported, has five models or more of which it is known whether the first
    five differ, still measures or is running out with clearly more room and a top that can be told apart, and is whole
    and asks for the same construct in the same modality with the same kind of answer; or that a curator names with a
    reason. `failed` is the first rule of FAILED that keeps it out. What fits and what is named has a `place`: fitting
    ones first, then named ones, then what still measures with a top that can be told apart, what is exposed last;
    otherwise what ranks models alike. `standing` has the columns STANDING for each benchmark.
    """
    rows = _benchmark_pairs(standing, successor).join(
        _orders(transfer), on=["benchmark_id", "other_id"], how="left", maintain_order="left"
    )
    failed = _first_failed_rule()
    judged = rows.with_columns(
        failed=failed,
        fits=failed.is_null(),
        reason=first_case((NAMED, pl.col("why").is_not_null()), (SAME_CONSTRUCT, failed.is_null())),
        loses=_rule_names(_losses(), LOSSES),
    )
    ranked = pl.col("fits") | pl.col("why").is_not_null()
    exposed = pl.col("other_exposure").is_in(["moderate", "high"]).fill_null(value=False)
    worse = (pl.col("other_stage") != "discriminating", pl.col("other_apart") <= LIMITS.crowded_pairs, exposed)
    order = (
        "benchmark_id",
        ~ranked,
        ~pl.col("fits"),
        pl.col("why").is_null(),
        *worse,
        -pl.col("kendall_tau"),
        "other_name",
    )
    rank = pl.int_range(1, pl.len() + 1).over("benchmark_id")
    return (
        judged.sort(*order, nulls_last=True)
        .with_columns(place=only(ranked, rank))
        .match_to_schema(PUBLISHED["alternative"], extra_columns="ignore", integer_cast="upcast")
    )


def standing_of(assessed: AssessedTables) -> pl.DataFrame:
    """Every benchmark with the columns STANDING."""
    overall = assessed.full_evidence.risk.filter(pl.col("model_id").is_null() & (pl.col("rung") == "overall"))
    exposure = overall.select("benchmark_id", exposure="level").unique("benchmark_id")
    rows = assessed.rows.join(exposure, on="benchmark_id", how="left", maintain_order="left").join(
        assessed.of("self_reported_share", own="value"), on="benchmark_id", how="left", maintain_order="left"
    )
    return rows.select(
        *("benchmark_id", "domain", "construct", "answer_kind", "modality", "stage", "exposure", "is_dormant", "own"),
        name=pl.coalesce("name", "benchmark_id"),
        curated=pl.col("curated").fill_null(value=False),
        is_fresh=(pl.col("months_since_look") <= LIMITS.stale_months).fill_null(value=False),
        models=pl.col("n_models").fill_null(0),
        apart="resolution_top5",
        headroom=pl.coalesce("headroom", "headroom_of_ceiling"),
        **{f"has_{name}": pl.col(name).is_not_null() for name in ("ceiling", "human", "floor")},
    )


def alternative_table(benchmark_standing: pl.DataFrame, assessed: AssessedTables) -> pl.DataFrame:
    """Table `alternative` of everything that is assessed."""
    return alternatives(benchmark_standing, assessed.transfer, assessed.frames.successor)


def reservation_table(benchmark_standing: pl.DataFrame) -> pl.DataFrame:
    """Table `reservation` of everything that is assessed."""
    return reservations(benchmark_standing).sort("benchmark_id")


def _first_failed_rule() -> pl.Expr:
    """The first rule that the other benchmark of a pair fails; null where it fails none."""
    roomier = pl.col("other_headroom") >= pl.col("headroom").clip(lower_bound=0.0) + CLEARLY
    measures = (pl.col("other_stage") == "discriminating") | (
        (pl.col("other_stage") == "compressing") & roomier.fill_null(value=False)
    )
    crowded = (pl.col("other_stage") == "compressing") & (pl.col("other_apart") <= LIMITS.crowded_pairs)
    unnamed = pl.col("why").is_null()
    return first_case(
        ("no_result", pl.col("other_models") == 0),
        ("not_looked", ~pl.col("other_is_fresh")),
        ("dormant", pl.col("other_is_dormant")),
        ("few_models", pl.col("other_models") < LIMITS.min_models),
        ("apart_unknown", pl.col("other_apart").is_null()),
        ("no_room", ~measures.fill_null(value=False)),
        ("crowded", crowded),
        ("part", is_part("other_id")),
        *((f"other_{name}", unnamed & ~_is_equal(column)) for name, column in _LIKENESS),
    )


_LIKENESS = (("modality", "modality"), ("construct", "construct"), ("answer", "answer_kind"))


def _is_equal(column: str) -> pl.Expr:
    return (pl.col(column) == pl.col(f"other_{column}")).fill_null(value=False)


def _losses() -> dict[str, pl.Expr]:
    lost = {
        f"no_{name}": pl.col(f"has_{name}") & ~pl.col(f"other_has_{name}") for name in ("ceiling", "human", "floor")
    }
    fewer = (pl.col("other_models") > 0) & (pl.col("other_models") < FEWER * pl.col("models"))
    unlike = pl.col("kendall_tau") < UNLIKE
    floor = lost["no_floor"] & pl.col("other_has_ceiling")
    return {**lost, "no_floor": floor, "fewer_models": fewer, "ranks_differently": unlike}


def _rule_names(rules: dict[str, pl.Expr], order: Sequence[str]) -> pl.Expr:
    """The names of the rules that hold, in this order."""
    return pl.concat_list([only(rules[name].fill_null(value=False), pl.lit(name)) for name in order]).list.drop_nulls()


def _benchmark_pairs(standing: pl.DataFrame, successor: pl.DataFrame) -> pl.DataFrame:
    """Each curated benchmark with those curated ones of its domain or construct, and any with what a curator names."""
    other_side = standing.rename({name: f"other_{name}" for name in standing.columns}).rename(
        {"other_benchmark_id": "other_id"}
    )
    curated = standing.filter("curated")
    related = [
        curated.join(
            other_side.filter("other_curated"), left_on=column, right_on=f"other_{column}", how="inner"
        ).with_columns(pl.col(column).alias(f"other_{column}"))
        for column in ("construct", "domain")
    ]
    named = successor.select("benchmark_id", "why", other_id="successor_id").unique(
        ["benchmark_id", "other_id"], keep="first", maintain_order=True
    )
    chosen = standing.join(named.drop("why"), on="benchmark_id").join(other_side, on="other_id")
    return (
        pl.concat([*(rows.select(chosen.columns) for rows in related), chosen])
        .unique(["benchmark_id", "other_id"], keep="first", maintain_order=True)
        .filter(pl.col("benchmark_id") != pl.col("other_id"))
        .join(named, on=["benchmark_id", "other_id"], how="left", maintain_order="left")
    )


def _orders(transfer: pl.DataFrame) -> pl.DataFrame:
    """The rank agreement of two benchmarks, one row from either side."""
    sides = [("original_id", "other_id"), ("other_id", "original_id")]
    either = [
        transfer.select("kendall_tau", benchmark_id=one_side, other_id=other_side, shared="n_models")
        for one_side, other_side in sides
    ]
    return pl.concat(either).unique(["benchmark_id", "other_id"], keep="first", maintain_order=True)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`other_id` is the first alternative, `value` the room left on it, `kind` its stage, where enough is known of it.

    `second` is Kendall's tau of the orders of the `n` models on both. `known_until` is the other's.
    """
    first = tables.alternative.filter(pl.col("place") == 1)
    named = pl.col("between").list.len() == 0
    stages = tables.verdict.select("benchmark_id", "between")
    alternative = tables.rows.join(stages, on="benchmark_id", how="left", maintain_order="left").select(
        other_id="benchmark_id",
        value=pl.coalesce("headroom", "headroom_of_ceiling"),
        bound=only(pl.col("headroom").is_null() & pl.col("headroom_of_ceiling").is_not_null(), pl.lit("at_least")),
        kind=only(named, pl.col("stage")),
        known_until="known_until",
    )
    rows = (
        tables.full_evidence.facts.select("benchmark_id", "construct")
        .join(first, on="benchmark_id", how="left", maintain_order="left")
        .join(alternative, on="other_id", how="left", maintain_order="left")
    )
    is_named = pl.col("reason") == NAMED
    case = first_case(
        ("named", pl.col("fits") & is_named),
        ("same_construct", pl.col("fits")),
        ("named_only", pl.col("other_id").is_not_null()),
        ("no_construct", pl.col("construct").is_null()),
        ("none_fits", ALWAYS),
    )
    is_ranked = pl.col("kendall_tau").is_not_null()
    return rows.select(
        *("benchmark_id", "other_id", "value", "bound", "kind", "known_until"),
        case=case,
        unit=only(pl.col("value").is_not_null(), pl.lit("share")),
        second="kendall_tau",
        second_unit=only(is_ranked, pl.lit("tau")),
        n=only(is_ranked, pl.col("shared")),
        n_of=only(is_ranked, pl.lit("models")),
        evidence=only(
            pl.col("other_id").is_not_null(),
            pl.concat_list(
                pl.format("verdict/{}", "other_id"), only(is_named, pl.format("successor/{}", "other_id"))
            ).list.drop_nulls(),
        ),
    )


INSTEAD = Question("instead", CASES, find)
