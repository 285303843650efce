"""Claims about models over many benchmarks at once: Epoch's index, which is stitched much as our own scale is."""

import polars as pl

from analytics.reproduction.claim import Claim, Facts, rows_of

SOURCE, INDEX = "eci", "epoch-capabilities-index"
FEWEST_SHARED = 10
"""Over fewer models agreement says little."""


def agreement(facts: Facts) -> float | None:
    """Spearman's correlation of our capability with Epoch's newest index, over the models that both have."""
    index = rows_of(facts.newest_version(SOURCE), INDEX).group_by("model_id").agg(index=pl.col("score").max())
    both = facts.tables["capability"].select("model_id", "score").join(index, on="model_id")
    if both.height < FEWEST_SHARED or both["score"].n_unique() < 2 or both["index"].n_unique() < 2:
        return None
    return float(both.select(pl.corr("score", "index", method="spearman")).item())


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "eci-order",
        "Epoch's Capabilities Index puts the models that it shares with our scale in the same order",
        1.0,
        0.05,
        "https://epoch.ai/benchmarks/eci",
        agreement,
        why="both are stitched from many benchmarks, not from the same ones, and an index of ours counts every effort",
        unit="Spearman's correlation",
    ),
)
