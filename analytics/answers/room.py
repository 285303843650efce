"""Is there room left between the best score and the best attainable one?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.saturation.headroom import REFUTED
from benchhealth.analytics.saturation.known_top import AS_HIGH

CASES = (
    Case("open", "yes", "a quarter of the way from chance to the ceiling, or more, is left"),
    Case("narrow", "partly", "less than a quarter of it is left"),
    Case("exhausted", "no", "less is left than audits found wrong in the keys of well-kept tests"),
    Case("exhausted_with_error", "no", "so little is left that the error of the best score does not change it"),
    Case("chance_unknown", "unknown", "chance is not known, so neither is how much is left", "nobody_looked"),
    Case("no_result", "unknown", "no model has a result", "nobody_looked"),
    Case("not_in_bundle", "unknown", "curated, and no source that is loaded has a result of it", "nobody_looked"),
    Case("only_elsewhere", "unknown", "models have results, but none under its own condition", "nobody_looked"),
    Case("no_scale", "unknown", "what its scores count is not known", "nobody_looked"),
    Case("no_span", "unknown", "the ceiling that is stated does not lie above chance", "nobody_looked"),
    Case("open_ended", "unknown", "a scale without a ceiling has no room that could run out", "cannot_be_asked"),
)
"""`bound` is `at_least` where chance is not known: the value is then counted from the worst possible score."""


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is what is left of the way from chance to the ceiling, with its 95% interval, over `n` items.

    `second` is the best score that decides (of others where verdicts read theirs alone, then without a day), in the
    benchmark's own unit and of `on_day`, of `count` models; `measured` and `claimed` are the bests of others and of
    makers, each with the day of its last result, `handed_in` the best of all where others decide, `measured` is known,
    and the best is of neither.
    Where chance is unknown and decides, `low` and `high` are the least and the most that can be left. `known_top` is
    the best that papers print, where no board or collection holds as much; `kind` is how the ceiling is known.
    """
    items = tables.of("headroom_of_ceiling", n="n", top_kind="kind", counted="case")
    best = tables.of("frontier", second="value")
    rows = (
        tables.rows.join(items, on="benchmark_id", how="left")
        .join(best, on="benchmark_id", how="left")
        .join(_best_on(tables), on="benchmark_id", how="left")
        .join(_known_tops(tables), on="benchmark_id", how="left")
        .join(tables.side("third_party", "measured"), on="benchmark_id", how="left")
        .join(tables.side("self", "claimed"), on="benchmark_id", how="left")
    )
    exact, least = pl.col("headroom").is_not_null(), pl.col("headroom_min").is_not_null()
    with_case = rows.with_columns(
        own_unit="unit",
        case=first_case(
            ("only_elsewhere", (pl.col("n_models") < 1) & pl.col("known_until").is_not_null()),
            ("not_in_bundle", (pl.col("n_models") < 1) & pl.col("curated")),
            ("no_result", pl.col("n_models") < 1),
            ("no_scale", pl.col("unit").is_null()),
            ("exhausted_with_error", pl.col("is_exhausted")),
            ("exhausted", pl.col("is_nearly_exhausted")),
            ("narrow", pl.col("is_surely_narrow")),
            ("chance_unknown", pl.col("is_narrow") & ~exact),
            ("open", least),
            ("open_ended", ~pl.col("bounded")),
            ("no_span", ALWAYS),
        ),
    )
    by_others = pl.col("counted").str.ends_with("_by_others").fill_null(value=False)
    is_of_neither = pl.all_horizontal(pl.col("second").ne_missing(pl.col(side)) for side in ("measured", "claimed"))
    ceiling_kind = pl.when(pl.col("top_kind") == REFUTED).then("top_kind").otherwise("ceiling_kind")
    decided, unsure = ~pl.col("case").is_in(_UNKNOWN), pl.col("case") == "chance_unknown"

    def number(exactly: str, at_least: str, otherwise: str) -> pl.Expr:
        counted = pl.when(exact).then(exactly).otherwise(at_least)
        return pl.when(decided).then(counted).when(unsure).then(otherwise)

    return with_case.select(
        "benchmark_id",
        "case",
        value=only(decided, pl.when(exact).then("headroom").otherwise("headroom_of_ceiling")),
        low=number("headroom.low", "headroom_of_ceiling.low", "headroom_min"),
        high=number("headroom.high", "headroom_of_ceiling.high", "headroom_max"),
        unit=only(decided | unsure, pl.lit("share")),
        bound=only(decided & ~exact, pl.lit("at_least")),
        n="n",
        n_of=only(pl.col("n").is_not_null(), pl.lit("items")),
        count=pl.col("n_models").cast(pl.Int64),
        kind=only(decided | unsure, ceiling_kind),
        second=pl.when(by_others).then("measured").otherwise("second"),
        measured="measured",
        measured_on="measured_on",
        claimed="claimed",
        claimed_on="claimed_on",
        second_unit=only(pl.col("second").is_not_null(), pl.col("own_unit")),
        known_top="known_top",
        handed_in=only(by_others & pl.col("measured").is_not_null() & is_of_neither, pl.col("second")),
        on_day=pl.when(~by_others).then("on_day"),
        evidence=_evidence(exact, decided | unsure),
    )


def _known_tops(tables: AssessedTables) -> pl.DataFrame:
    """`known_top` of the benchmarks of which papers print more than any board or collection holds."""
    is_missed = (pl.col("gap") > AS_HIGH).fill_null(value=True)
    return tables.full_evidence.published_top.filter(is_missed).select("benchmark_id", known_top="top")


def _best_on(tables: AssessedTables) -> pl.DataFrame:
    """The day of the last step of the frontier, where that is the best score: a rating may have been higher before."""
    steps = tables.full_evidence.frontier.sort("carried", "dated_on")
    last = steps.group_by("benchmark_id").agg(
        pl.col("dated_on", "score").filter(~pl.col("carried")).last(), best=pl.col("score").last()
    )
    return last.filter(pl.col("score") == pl.col("best")).select("benchmark_id", on_day="dated_on")


def _evidence(exact: pl.Expr, decided: pl.Expr) -> pl.Expr:
    keys = pl.when(exact).then(pl.lit("indicator/headroom")).otherwise(pl.lit("indicator/headroom_of_ceiling"))
    return only(decided, pl.concat_list(keys, pl.lit("indicator/frontier")))


_UNKNOWN = [case.code for case in CASES if case.reply == "unknown"]

ROOM = Question("room", CASES, find)
