"""What a second measurement of the same thing says about this one."""

import polars as pl

from analytics.record.evidence import Evidence, Indicator, Unless, settle
from analytics.statistics.errors import Z95

SAME_THING = ("fresh sample", "independent rerun", "live split", "equal preparation")
"""Kinds of twin whose difference is not made on purpose: a harder variant or another metric is expected to differ."""


def _chosen(evidence: Evidence) -> pl.DataFrame:
    """The twin that speaks for each original: the same thing before variants, then the most models, then by name."""
    return (
        evidence.twin.filter(pl.col("scale") == "linear")
        .with_columns(is_same=pl.col("kind").is_in(SAME_THING))
        .sort(["is_same", "n_models", "twin_id"], descending=[True, True, False])
        .unique(subset="original_id", keep="first", maintain_order=True)
        .rename({"original_id": "benchmark_id"})
    )


def _gap(evidence: Evidence) -> pl.DataFrame:
    difference = pl.col("original") - pl.col("other")
    spread = evidence.twin_residual.group_by("twin_id").agg(half=Z95 * difference.std() / pl.len().sqrt())
    rows = evidence.facts.join(_chosen(evidence), on="benchmark_id", how="left").join(spread, on="twin_id", how="left")
    flattering = pl.col("gap") * pl.col("sign")
    return settle(
        rows,
        Unless(pl.col("twin_id").is_null(), "no twin is known"),
        Unless(flattering.is_null(), "no model was measured on both sides of the twin"),
        value=flattering,
        low=flattering - pl.col("half"),
        high=flattering + pl.col("half"),
        n=pl.col("n_models"),
        note=pl.format("points against {} ({})", "other_id", pl.col("kind").str.replace_all("_", " ")),
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
        Unless(pl.col("twin_id").is_null(), "no twin that measures the same thing anew"),
        Unless(pl.col("share").is_null(), "no residual of this twin could be tested"),
        value=pl.col("share"),
        n=pl.col("n"),
        note=pl.format("{} of {} results are higher here than {} predicts", "flagged", "n", "other_id"),
    )


TWIN_GAP = Indicator(
    "twin_gap",
    "Replication gap",
    "Mean of original minus twin over the models measured on both, in points, positive where the original gives the "
    "better scores; 95% interval from their spread over models.",
    "Recht et al. 2019, arXiv:1902.10811",
    _gap,
)
TWIN_FLAGGED = Indicator(
    "twin_flagged_share",
    "Share of models that score higher than the twin predicts",
    "Share of models whose residual stays significant after Benjamini-Hochberg at 5%, for twins that measure the same "
    "thing anew. A statement about scores, not about how they came to be.",
    "Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; Zhang et al. 2024, arXiv:2405.00332",
    _flagged_share,
)
