"""Reproduction as pages show it: each published claim and ours, and their difference in tolerances."""

import polars as pl

from dashboard.published.generation import View
from dashboard.published.tables import ParameterError, Params, PublishedTable

EVERY = "all"
"""The choice that leaves no area out."""


def areas(view: View) -> list[str]:
    """What the claims are about, in order, after the choice of all; none where there is no claim."""
    named = view.table("reproduction_detail")["area"].unique(maintain_order=True).to_list()
    return [EVERY, *named] if named else []


def claims(view: View, params: Params) -> pl.DataFrame:
    """The claims of an area (default: all), those that do not hold first, then those that cannot be computed.

    `off` is (computed - published) in tolerances; 0 where both are equal, infinite where they differ and none is
    allowed.
    """
    chosen = params.get("about") or EVERY
    rows = _every(view)
    if chosen == EVERY:
        return rows
    if chosen not in areas(view):
        raise ParameterError(f"no claim is about {chosen!r}")
    return rows.filter(pl.col("area") == chosen)


def _every(view: View) -> pl.DataFrame:
    return view.kept("claims", lambda: _joined(view.table("reproduction"), view.table("reproduction_detail")))


def _joined(claim: pl.DataFrame, detail: pl.DataFrame) -> pl.DataFrame:
    difference = pl.col("computed") - pl.col("published")
    off = pl.when(difference == 0).then(0.0).otherwise(difference / pl.col("tolerance"))
    worse_first = pl.when(~pl.col("holds")).then(0).when(pl.col("holds").is_null()).then(1).otherwise(2)
    return (
        detail.join(claim, on="claim_id", maintain_order="left")
        .with_columns(off=off)
        .sort(worse_first, maintain_order=True)
        .select(
            "claim_id", "area", "statement", "published", "computed", "tolerance", "unit", "off", "holds", "why",
            "source_url",
        )
    )  # fmt: skip


CLAIMS = PublishedTable("reproduction", claims)
