"""Two measurements of the same thing compared: every table of twins, and what they say of a benchmark as indicators.

On the linear scale of a bounded unit everything is in points, hundredths of the unit: `gap`, `intercept`, and in the
residuals `original`, `other`, `expected`, `residual`, `std_error`. An open-ended unit is left as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.evidence import RERUNS, Evidence, Indicator, Unless, estimate, settle
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.rank_agreement import kendall_tau
from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.twins.gap import gaps, powers
from benchhealth.analytics.twins.pairs import RERUN, SAME_THING, SAMPLED, Matched, Pairs, matched_pairs
from benchhealth.analytics.twins.residuals import ROBUST, groups, over_all_twins, residuals, robustness
from benchhealth.analytics.twins.uncertainty import (
    NOT_MEASURED,
    SCALES,
    Measured,
    ages,
    dated_gaps,
    mean_design_effects,
    mean_gap,
    on_scale,
    twin_line,
)

TOP_MODELS = 50
"""How many models, best by the original, make its top; half of them where there are fewer than twice as many."""


class TwinTables(NamedTuple):
    """The two tables of how the sides of twins compare: `twin`, and `twin_residual` by model."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame


def tables(twin_pairs: Sequence[Matched], measured: Measured = NOT_MEASURED) -> TwinTables:
    """Tables `twin` and `twin_residual` for every declared pair, also those that no model connects (n_models 0).

    `twin` has a row for the scale `linear` and, for bounded units, one for `probit` and one for `logit`. There
    `n_models` leaves out the scores of exactly 0 or 1 whose number of items is unknown: the
    difference between the rows is their count. `gap` is the mean of original minus other, on the linear scale with the
    interval of `mean_gap`; slope and intercept are of the least squares line of the other on the original, the slope's
    interval is that of `twin_line`; `kendall_tau_top` is over the top 50 (or top half) by the original, with all
    that equal the last of them. What is undefined (fewer than three models, constant scores) is null.
    """
    summaries: list[dict[str, object]] = []
    residual_tables = []
    for declared, pairs in twin_pairs:
        line = least_squares(pairs.original, pairs.other)
        named = {name: declared[name] for name in ("twin_id", "original_id", "other_id", "kind")}
        scales = ("linear", *SCALES) if pairs.bounded else ("linear",)
        for scale in scales:
            summaries.append({**named, "scale": scale, **_summary(pairs, declared["kind"], scale, measured)})
        rows = residuals(declared["twin_id"], pairs, line, declared["test"])
        residual_tables.append(rows.with_columns(kind=pl.lit(declared["kind"])))
    return TwinTables(
        pl.DataFrame(summaries, schema=PUBLISHED["twin"], orient="row"),
        over_all_twins(pl.concat(residual_tables)) if residual_tables else empty("twin_residual"),
    )


def _summary(pairs: Pairs, kind: str, scale: str, measured: Measured) -> dict[str, object]:
    original_scores, twin_scores, _ = on_scale(pairs, scale)
    usable = np.isfinite(original_scores) & np.isfinite(twin_scores)
    original_scores, twin_scores = original_scores[usable], twin_scores[usable]
    line, sure = least_squares(original_scores, twin_scores), twin_line(pairs, kind, scale, measured)
    top = _top(original_scores * (pairs.sign or 1))
    sure_gap = mean_gap(pairs, kind) if scale == "linear" else None
    return {
        "n_models": original_scores.size,
        "gap": float((original_scores - twin_scores).mean()) if original_scores.size else None,
        "gap_low": sure_gap and sure_gap.low,
        "gap_high": sure_gap and sure_gap.high,
        "slope": line and line.slope,
        "slope_low": sure and sure.line.slope_low,
        "slope_high": sure and sure.line.slope_high,
        "intercept": line and line.intercept,
        "r2": line and line.r2,
        "kendall_tau": kendall_tau(original_scores, twin_scores),
        "kendall_tau_top": kendall_tau(original_scores[top], twin_scores[top]),
    }


def _top(merit: Numbers) -> NDArray[np.bool_]:
    k = min(TOP_MODELS, merit.size // 2)
    if k == 0:
        return np.zeros(merit.size, dtype=bool)
    last = float(np.partition(merit, merit.size - k)[merit.size - k])
    return np.greater_equal(merit, last)


class AllTwinTables(NamedTuple):
    """Every published table whose name begins with `twin`."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame
    twin_gap: pl.DataFrame
    twin_power: pl.DataFrame
    twin_group: pl.DataFrame
    twin_age: pl.DataFrame
    twin_robustness: pl.DataFrame


def twin_tables(frames: Frames, twin_rng: np.random.Generator, design_effect: pl.DataFrame) -> AllTwinTables:
    """Every table of every declared pair; what each holds is said where it is computed."""
    shared = mean_design_effects(design_effect)
    pairs = matched_pairs(frames)
    power = powers(pairs, twin_rng)
    twin, residual = tables(pairs, shared)
    released = dict(frames.benchmark.select("benchmark_id", "released_on").iter_rows())
    days = {declared["twin_id"]: dated_gaps(models, frames.model) for declared, models in pairs}
    by_age = [
        ages(models, declared["kind"], days[declared["twin_id"]], released.get(declared["original_id"])).select(
            pl.lit(declared["twin_id"]).alias("twin_id"), pl.all()
        )
        for declared, models in pairs
    ]
    robust = [robustness(declared["twin_id"], models) for declared, models in pairs if declared["kind"] in ROBUST]
    return AllTwinTables(
        twin=twin,
        twin_residual=residual,
        twin_gap=gaps(pairs, residual, days, power, shared),
        twin_power=power,
        twin_group=groups(residual, frames.model, _by_items(pairs)),
        twin_age=pl.concat([empty("twin_age"), *by_age]),
        twin_robustness=pl.concat([empty("twin_robustness"), *robust]),
    )


def _by_items(twin_pairs: Sequence[Matched]) -> dict[str, float]:
    """What the draw of items adds to the variance of a mean, for twins that expect the original's own score."""
    mean_gaps = {
        declared["twin_id"]: mean_gap(pairs, declared["kind"])
        for declared, pairs in twin_pairs
        if declared["test"] == "difference"
    }
    return {twin_id: gap.by_items for twin_id, gap in mean_gaps.items() if gap is not None and gap.by_items}


FEWEST_RERUN = 5
"""With fewer models one maker's way to measure is all that an excess over independent runs shows."""


def reruns(frames: Frames) -> pl.DataFrame:
    """The runners of twins that are independent reruns: `twin_id` and `runner`, the title of the other source."""
    titles = frames.source.select(other_source_id="source_id", runner="title")
    named = frames.twin_pair.filter(pl.col("kind") == RERUN).join(titles, on="other_source_id", how="left")
    return named.match_to_schema(RERUNS, extra_columns="ignore").sort("twin_id")


def _chosen_twins(evidence: Evidence, kinds: Sequence[str] | None = None) -> pl.DataFrame:
    """The twin that speaks for each original: the same thing before variants, then the most models, then by name.

    Of these `kinds` alone where they are given. An independent rerun else is none: what makers report above it says
    something about reports and not about the items.
    """
    return (
        evidence.twin.filter(pl.col("scale") == "linear")
        .filter(pl.col("kind") != RERUN if kinds is None else pl.col("kind").is_in(list(kinds)))
        .with_columns(is_same=pl.col("kind").is_in(SAME_THING))
        .sort(["is_same", "n_models", "twin_id"], descending=[True, True, False])
        .unique(subset="original_id", keep="first", maintain_order=True)
        .rename({"original_id": "benchmark_id"})
    )


def _with_gap(evidence: Evidence, twins: pl.DataFrame) -> pl.DataFrame:
    """The facts with the twin of each benchmark; `gap` from `gap_low` to `gap_high` is positive where it flatters."""
    ends = [pl.col(name) * pl.col("sign") for name in ("gap_low", "gap_high")]
    return evidence.facts.join(twins, on="benchmark_id", how="left").with_columns(
        gap=pl.col("gap") * pl.col("sign"), gap_low=pl.min_horizontal(ends), gap_high=pl.max_horizontal(ends)
    )


def _gap(evidence: Evidence) -> pl.DataFrame:
    rows = _with_gap(evidence, _chosen_twins(evidence))
    return settle(
        rows,
        Unless(pl.col("twin_id").is_null(), "no_twin"),
        Unless(pl.col("gap").is_null(), "none_on_both_sides"),
        value=estimate("gap"),
        n=pl.col("n_models"),
        note=Case("against_twin", other_id="other_id", kind="kind"),
    )


def _flagged_share(evidence: Evidence) -> pl.DataFrame:
    shares = (
        evidence.twin_residual.filter(pl.col("flagged").is_not_null())
        .group_by("twin_id")
        .agg(share=pl.col("flagged").mean(), flagged=pl.col("flagged").sum(), n=pl.len())
    )
    anew = _chosen_twins(evidence, SAMPLED)
    rows = evidence.facts.join(anew, on="benchmark_id", how="left").join(shares, on="twin_id", how="left")
    return settle(
        rows,
        Unless(pl.col("twin_id").is_null(), "no_twin_anew"),
        Unless(pl.col("share").is_null(), "no_residual_tested"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=Case("higher_than_twin", other_id="other_id", kind="kind", numbers=("flagged",)),
    )


def _premium(evidence: Evidence) -> pl.DataFrame:
    """One rerun for each benchmark: the one with the most models, then the first by name."""
    of_reports = _chosen_twins(evidence, (RERUN,)).join(evidence.rerun, on="twin_id", how="left")
    side = pl.when(pl.col("gap") < 0).then(pl.lit("makers_below")).otherwise(pl.lit("makers_above"))
    return settle(
        _with_gap(evidence, of_reports),
        Unless(pl.col("twin_id").is_null(), "no_rerun"),
        Unless(pl.col("n_models") < FEWEST_RERUN, "few_rerun"),
        value=estimate("gap"),
        n=pl.col("n_models"),
        note=Case(side, other_id="other_id", kind="kind", names=("runner",)),
    )


TWIN_GAP = Indicator(
    "twin_gap",
    "Replication gap",
    "Mean of original minus twin over the models measured on both, in points, positive where the original gives the "
    "better scores; the 95% interval holds the draw of items, which all models share, and that of models by family; "
    "none where the error of the items is not known. Independent reruns are none of them.",
    "Recht et al. 2019, arXiv:1902.10811; Clark 1973, doi:10.1016/S0022-5371(73)80014-3; Owen 2007, "
    "doi:10.1214/07-AOAS122",
    _gap,
    unit=Unit.POINTS,
)

TWIN_FLAGGED = Indicator(
    "twin_flagged_share",
    "Share of models that score lower on the twin than expected",
    "Share of models whose residual stays significant after Benjamini-Hochberg at 5%, for twins of new items alone: "
    "the same items prepared, marked or run in another way cannot show that items were seen. A statement about scores, "
    "not about how they came to be.",
    "Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; Zhang et al. 2024, arXiv:2405.00332",
    _flagged_share,
    unit=Unit.SHARE,
)

MAKER_PREMIUM = Indicator(
    "maker_premium",
    "Makers' numbers above independent runs",
    "Mean of what makers report less what an independent party measured on the same benchmark under the same "
    "condition, over the models with both, in points, positive where the makers' scores are the better ones; 95% "
    "interval from their spread over families of models. It says that two ways to measure differ, not why.",
    "Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
    _premium,
    unit=Unit.POINTS,
)
