"""Does a second measurement of the same thing agree?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.twins.pairs import RERUN, SAME_THING, SAMPLED
from benchhealth.analytics.twins.tables import FEWEST_RERUN

CLOSE_POINTS = 5.0
"""An error of the gap up to which nothing found says something: five points are what separates the best from the tenth
on a benchmark in use, and a test that would have missed them has not shown that two measurements agree."""

CASES = (
    Case("agrees", "yes", "the gap to new items is within the error of drawing items and models"),
    Case("differs", "no", "the gap to new items is beyond the error of drawing items and models"),
    Case("rerun", "partly", "the same items run again by somebody else: says how they were run, not what they hold"),
    Case("new_items_error_unknown", "partly", "new items, and the error of drawing them is not known"),
    Case("equal_preparation", "partly", "the same items after all models were prepared alike"),
    Case("by_design", "partly", "a variant that is meant to be harder, or another metric: a gap is expected"),
    Case("too_weak", "unknown", "new items whose error hides a gap as large as matters", "looked_too_weakly"),
    Case("few_models", "unknown", "too few models were measured on both", "looked_too_weakly"),
    Case("not_connected", "unknown", "a second measurement is known, no model was measured on both", "nobody_looked"),
    Case("none_known", "unknown", "no second measurement is known", "nobody_looked"),
)
"""From the case that speaks most to the one that is left; of several twins the one of the first case counts."""

_PREFERENCE = ("agrees", "differs", *(case.code for case in CASES[2:]))
_TOLD = [case.code for case in CASES if case.reply != "unknown"]


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is by how much scores are higher here than there, over `n` models, in points (units of an open scale).

    `low` and `high` are its 95% interval (`analytics.twins.uncertainty`): for new items by the draw of items, which all
    models share, and of models; for a rerun or equal preparation, whose items are the same, by families of models.
    `kind` is the twin's, `side` whether the benchmark is the `first` of the pair or the `second`, `said_by` who ran a
    rerun, `second` Kendall's tau of the two orders. Of `too_weak`, `missed` is the largest gap that its error would
    hide.
    """
    rows = pl.concat([_sides_of_twins(tables, "first"), _sides_of_twins(tables, "second")])
    rank = pl.col("case").replace_strict({code: index for index, code in enumerate(_PREFERENCE[1:])} | {"agrees": 0})
    chosen = (
        rows.with_columns(rank=rank)
        .sort("rank", "side", pl.col("n").fill_null(0), "twin_id", descending=[False, False, True, False])
        .unique("benchmark_id", keep="first", maintain_order=True)
        .drop("rank")
    )
    has_gap = pl.col("case").is_in(_TOLD)
    return (
        tables.full_evidence.facts.select("benchmark_id")
        .join(chosen, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(pl.col("case").fill_null("none_known"))
        .with_columns(
            value=only(has_gap, pl.col("gap")),
            low=only(has_gap, pl.col("low")),
            high=only(has_gap, pl.col("high")),
            missed=only(pl.col("case") == "too_weak", _half()),
            n_of=only(pl.col("n").is_not_null(), pl.lit("models")),
            second_unit=only(pl.col("second").is_not_null(), pl.lit("tau")),
            evidence=only(pl.col("twin_id").is_not_null(), pl.concat_list(pl.format("twin/{}", "twin_id"))),
        )
        .with_columns(
            missed_unit=only(pl.col("missed").is_not_null(), pl.col("unit")),
            unit=only(pl.col("value").is_not_null(), pl.col("unit")),
        )
        .drop("gap")
    )


def _sides_of_twins(tables: AssessedTables, side: str) -> pl.DataFrame:
    """Each twin as it is seen from one of its sides; from the second only where both measure the same thing.

    A rerun of the same items is one benchmark, so it is seen from the first side alone.
    """
    this_side, other_side = ("original_id", "other_id") if side == "first" else ("other_id", "original_id")
    facts = tables.full_evidence.facts.select("benchmark_id", "bounded")
    until = tables.full_evidence.known_until
    twins = tables.full_evidence.twin.filter(pl.col("scale") == "linear")
    if side == "second":
        twins = twins.filter(pl.col("kind").is_in(SAME_THING), pl.col("original_id") != pl.col("other_id"))
    direction = 1 if side == "first" else -1
    bounded, is_new = pl.col("bounded"), pl.col("kind").is_in(SAMPLED)
    return (
        twins.select(
            "twin_id",
            "kind",
            benchmark_id=this_side,
            other_id=other_side,
            n="n_models",
            difference="gap",
            ends=pl.concat_list("gap_low", "gap_high") * direction,
            second="kendall_tau",
        )
        .join(tables.full_evidence.rerun.select("twin_id", said_by="runner"), on="twin_id", how="left")
        .join(facts, on="benchmark_id", how="inner")
        .join(until, on="benchmark_id", how="left")
        .join(until.select(other_id="benchmark_id", other_until="known_until"), on="other_id", how="left")
        .with_columns(
            side=pl.lit(side),
            gap=pl.col("difference") * direction,
            low=pl.col("ends").list.min(),
            high=pl.col("ends").list.max(),
            unit=pl.when(bounded).then(pl.lit("points")).otherwise(pl.lit("units")),
            known_until=only(
                pl.all_horizontal(pl.col("known_until", "other_until").is_not_null()),
                pl.min_horizontal("known_until", "other_until"),
            ),
        )
        .with_columns(case=_case(is_new))
        .select(
            *(
                "benchmark_id",
                "case",
                "gap",
                "low",
                "high",
                "unit",
                "n",
                "second",
                "kind",
                "side",
                "twin_id",
                "other_id",
            ),
            *("said_by", "known_until"),
        )
    )


def _case(is_new: pl.Expr) -> pl.Expr:
    covers_zero = (pl.col("low") <= 0) & (pl.col("high") >= 0)
    return first_case(
        ("not_connected", pl.col("n").fill_null(0) == 0),
        ("few_models", pl.col("n") < FEWEST_RERUN),
        ("not_connected", pl.col("gap").is_null()),
        ("new_items_error_unknown", is_new & pl.col("low").is_null()),
        ("too_weak", is_new & covers_zero & (pl.col("unit") == "points") & (_half() > CLOSE_POINTS)),
        ("agrees", is_new & covers_zero),
        ("differs", is_new),
        ("rerun", pl.col("kind") == RERUN),
        ("equal_preparation", pl.col("kind").is_in(SAME_THING)),
        ("by_design", ALWAYS),
    )


def _half() -> pl.Expr:
    """Half the 95% interval of the gap: the largest that its error would hide."""
    return (pl.col("high") - pl.col("low")) / 2


SECOND = Question("second", CASES, find)
