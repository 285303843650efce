"""Reproduction as pages show it: how many claims of each class, and each published number with ours."""

import polars as pl

from benchhealth.analytics.reproduction.claim import KINDS
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import ParameterError, Params, PublishedTable

ALL_CLAIMS = "all"
"""The choice of a filter that shows all claims."""

RECOMPUTED = KINDS[0]
"""The class that the page's headline counts."""


def areas(view: View) -> list[str]:
    """What the claims are about, in order, after the choice of all; none where there is no claim."""
    named = view.table("reproduction_detail")["area"].unique(maintain_order=True).to_list()
    return [ALL_CLAIMS, *named] if named else []


def classes(view: View, params: Params) -> pl.DataFrame:
    """A row for each class, the one that counts first: `class`, `papers`, `claims`, `computed`, `holds`, `differs`,
    `since_2024`.

    `holds` and `differs` are null where nothing was published or computed to hold against.
    """
    rows = claims(view, {name: value for name, value in params.items() if name == "about"})
    held = pl.col("holds").is_not_null()
    counted = rows.group_by("class").agg(
        papers=pl.col("paper").drop_nulls().n_unique(),
        claims=pl.len(),
        computed=pl.col("computed").is_not_null().sum(),
        holds=pl.when(held.any()).then(pl.col("holds").sum()),
        differs=pl.when(held.any()).then((~pl.col("holds")).sum()),
        since_2024=(pl.col("year") >= 2024).sum(),
    )
    order = pl.DataFrame({"class": list(KINDS)}, schema={"class": pl.String})
    return order.join(counted, on="class", maintain_order="left")


def claims(view: View, params: Params) -> pl.DataFrame:
    """The claims of an area and a class (default: all), those that do not hold first, then those not computed.

    `off` is (computed - published) in tolerances; 0 where both are equal, infinite where they differ and none is
    allowed.
    """
    rows = _every(view)
    for name, column, allowed in (("about", "area", areas(view)), ("class", "class", [ALL_CLAIMS, *KINDS])):
        chosen = params.get(name) or ALL_CLAIMS
        if chosen == ALL_CLAIMS:
            continue
        if chosen not in allowed:
            raise ParameterError(f"no claim is of {name} {chosen!r}")
        rows = rows.filter(pl.col(column) == chosen)
    return rows


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
            "claim_id", "class", "area", "statement", "published", "computed", "tolerance", "tolerance_reason", "unit",
            "off", "holds", "why", "inputs", "paper", "year", "place", "opened", "source_url",
            "low", "high", "interval", "null_value", "null_reason",
        )
    )  # fmt: skip


CLAIMS = PublishedTable("reproduction", claims)
LEFT_OUT = PublishedTable("reproduction-left-out", lambda view, _params: view.table("left_out"))
CLASSES = PublishedTable("reproduction-classes", classes)
