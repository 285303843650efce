"""What a second measurement of the same thing says about this one."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.record.evidence import RERUNS, Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.twins.pairs import RERUN
from benchhealth.analytics.twins.uncertainty import SAMPLED

FEWEST_RERUN = 5
"""With fewer models one maker's way to measure is all that an excess over independent runs shows."""

SAME_THING = ("fresh sample", "independent rerun", "live split", "equal preparation")
"""Kinds of twin whose difference is not made on purpose: a harder variant or another metric is expected to differ."""


def reruns(frames: Frames) -> pl.DataFrame:
    """The runners of twins that are independent reruns: `twin_id` and `runner`, the title of the other source."""
    titles = frames.source.select(other_source_id="source_id", runner="title")
    named = frames.twin_pair.filter(pl.col("kind") == RERUN).join(titles, on="other_source_id", how="left")
    return named.select(RERUNS.names()).match_to_schema(RERUNS).sort("twin_id")


def _chosen_twins(evidence: Evidence, kinds: Sequence[str] | None = None) -> pl.DataFrame:
    """The twin that speaks for each original: the same thing before variants, then the most models, then by name.

    Of these `kinds` alone where they are given. An independent rerun is none: what makers report above it says
    something about reports and not about the items.
    """
    return (
        evidence.twin.filter(pl.col("scale") == "linear", pl.col("kind") != RERUN)
        .filter(pl.lit(value=True) if kinds is None else pl.col("kind").is_in(list(kinds)))
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
        value=pl.col("gap"),
        low=pl.col("gap_low"),
        high=pl.col("gap_high"),
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
    of_reports = (
        evidence.twin.filter(pl.col("scale") == "linear", pl.col("kind") == RERUN)
        .sort(["n_models", "twin_id"], descending=[True, False])
        .unique(subset="original_id", keep="first", maintain_order=True)
        .rename({"original_id": "benchmark_id"})
        .join(evidence.rerun, on="twin_id", how="left")
    )
    side = pl.when(pl.col("gap") < 0).then(pl.lit("makers_below")).otherwise(pl.lit("makers_above"))
    return settle(
        _with_gap(evidence, of_reports),
        Unless(pl.col("twin_id").is_null(), "no_rerun"),
        Unless(pl.col("n_models") < FEWEST_RERUN, "few_rerun"),
        value=pl.col("gap"),
        low=pl.col("gap_low"),
        high=pl.col("gap_high"),
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
