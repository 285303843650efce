"""What a second measurement of the same thing says about this one."""

import polars as pl

from benchhealth.analytics.record.evidence import RERUNS, Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.twins.pairs import RERUN

FEWEST_RERUN = 5
"""With fewer models one maker's way to measure is all that an excess over independent runs shows."""

SAME_THING = ("fresh sample", "independent rerun", "live split", "equal preparation")
"""Kinds of twin whose difference is not made on purpose: a harder variant or another metric is expected to differ."""


def reruns(frames: Frames) -> pl.DataFrame:
    """Who ran the twins that are independent reruns: `twin_id` and `runner`, the title of the other source."""
    titles = frames.source.select(other_source_id="source_id", runner="title")
    named = frames.twin_pair.filter(pl.col("kind") == RERUN).join(titles, on="other_source_id", how="left")
    return named.select(RERUNS.names()).match_to_schema(RERUNS).sort("twin_id")


def _chosen(evidence: Evidence) -> pl.DataFrame:
    """The twin that speaks for each original: the same thing before variants, then the most models, then by name.

    An independent rerun is none: what makers report above it says something about reports and not about the items.
    """
    return (
        evidence.twin.filter(pl.col("scale") == "linear", pl.col("kind") != RERUN)
        .with_columns(is_same=pl.col("kind").is_in(SAME_THING))
        .sort(["is_same", "n_models", "twin_id"], descending=[True, True, False])
        .unique(subset="original_id", keep="first", maintain_order=True)
        .rename({"original_id": "benchmark_id"})
    )


def _with_spread(evidence: Evidence, twins: pl.DataFrame) -> pl.DataFrame:
    """The facts with the twin of each benchmark and `half`, half the 95% interval of its gap over models."""
    difference = pl.col("original") - pl.col("other")
    spread = evidence.twin_residual.group_by("twin_id").agg(half=Z95 * difference.std() / pl.len().sqrt())
    return evidence.facts.join(twins, on="benchmark_id", how="left").join(spread, on="twin_id", how="left")


def _gap(evidence: Evidence) -> pl.DataFrame:
    rows = _with_spread(evidence, _chosen(evidence))
    flattering = pl.col("gap") * pl.col("sign")
    return settle(
        rows,
        Unless(pl.col("twin_id").is_null(), "no_twin"),
        Unless(flattering.is_null(), "none_on_both_sides"),
        value=flattering,
        low=flattering - pl.col("half"),
        high=flattering + pl.col("half"),
        n=pl.col("n_models"),
        note=Case("against_twin", other_id="other_id", kind="kind"),
    )


def _flagged_share(evidence: Evidence) -> pl.DataFrame:
    shares = (
        evidence.twin_residual.filter(pl.col("flagged").is_not_null())
        .group_by("twin_id")
        .agg(share=pl.col("flagged").mean(), flagged=pl.col("flagged").sum(), n=pl.len())
    )
    same = _chosen(evidence).filter("is_same")
    rows = evidence.facts.join(same, on="benchmark_id", how="left").join(shares, on="twin_id", how="left")
    return settle(
        rows,
        Unless(pl.col("twin_id").is_null(), "no_twin_anew"),
        Unless(pl.col("share").is_null(), "no_residual_tested"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=Case("higher_than_twin", other_id="other_id", kind="kind", numbers=("flagged",)),
    )


def _premium(evidence: Evidence) -> pl.DataFrame:
    """Of several reruns of a benchmark the one with the most models counts, then the first by name."""
    of_reports = (
        evidence.twin.filter(pl.col("scale") == "linear", pl.col("kind") == RERUN)
        .sort(["n_models", "twin_id"], descending=[True, False])
        .unique(subset="original_id", keep="first", maintain_order=True)
        .rename({"original_id": "benchmark_id"})
        .join(evidence.rerun, on="twin_id", how="left")
    )
    above = pl.col("gap") * pl.col("sign")
    side = pl.when(above < 0).then(pl.lit("makers_below")).otherwise(pl.lit("makers_above"))
    return settle(
        _with_spread(evidence, of_reports),
        Unless(pl.col("twin_id").is_null(), "no_rerun"),
        Unless(pl.col("n_models") < FEWEST_RERUN, "few_rerun"),
        value=above,
        low=above - pl.col("half"),
        high=above + pl.col("half"),
        n=pl.col("n_models"),
        note=Case(side, other_id="other_id", kind="kind", names=("runner",)),
    )


TWIN_GAP = Indicator(
    "twin_gap",
    "Replication gap",
    "Mean of original minus twin over the models measured on both, in points, positive where the original gives the "
    "better scores; 95% interval from their spread over models. Independent reruns are none of them.",
    "Recht et al. 2019, arXiv:1902.10811",
    _gap,
    unit=Unit.POINTS,
)
TWIN_FLAGGED = Indicator(
    "twin_flagged_share",
    "Share of models that score higher than the twin predicts",
    "Share of models whose residual stays significant after Benjamini-Hochberg at 5%, for twins that measure the same "
    "thing anew. A statement about scores, not about how they came to be.",
    "Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; Zhang et al. 2024, arXiv:2405.00332",
    _flagged_share,
    unit=Unit.SHARE,
)
MAKER_PREMIUM = Indicator(
    "maker_premium",
    "Makers' numbers above independent runs",
    "Mean of what makers report less what an independent party measured on the same benchmark under the same "
    "condition, over the models with both, in points, positive where the makers' scores are the better ones; 95% "
    "interval from their spread over models. It says that two ways to measure differ, not why.",
    "Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
    _premium,
    unit=Unit.POINTS,
)
