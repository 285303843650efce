"""Survival as pages show it: the curves of one way to part benchmarks, and the half-life of every cohort."""

import polars as pl

from analytics.lives import OVERALL
from analytics.survival import NAIVE, half_life
from dashboard.generation import View
from dashboard.page import ParameterError, Params, PublishedTable

AT = (12, 24, 48, 72)
"""Months at which the table says how many were still watched."""


def parts(view: View) -> list[str]:
    """The ways to part benchmarks for which there are curves: `all` first, then by name."""
    named = view.table("survival").filter(pl.col("cohort") != NAIVE)["cohort"].unique().to_list()
    prefixes = {name.split(": ", 1)[0] for name in named}
    return [*([OVERALL] if OVERALL in prefixes else []), *sorted(prefixes - {OVERALL})]


def curves(view: View, params: Params) -> pl.DataFrame:
    """Every row of the curves of one way to part benchmarks (default: all of them beside the dead alone)."""
    by = params.get("by") or OVERALL
    rows = view.table("survival")
    if by == OVERALL:
        return rows.filter(pl.col("cohort").is_in([OVERALL, NAIVE]))
    if by not in parts(view):
        raise ParameterError(f"nothing is parted by {by!r}")
    return rows.filter(pl.col("cohort").str.starts_with(f"{by}: "))


def half_lives(view: View, _params: Params) -> pl.DataFrame:
    """For each cohort: deaths, half-life in months with its interval, and how many were watched at some ages."""
    return view.kept("half_lives", lambda: _half_lives(view.table("survival")))


def _half_lives(rows: pl.DataFrame) -> pl.DataFrame:
    found = []
    for (cohort,), curve in rows.sort("cohort", "months").group_by("cohort", maintain_order=True):
        half = half_life(curve)
        watched = {f"at_{months}": _watched(curve, months) for months in AT}
        deaths = int(curve["events"].sum())
        found.append(
            {
                "cohort": cohort,
                "deaths": deaths,
                "half_life": half.months,
                "low": half.low,
                "high": half.high,
                **watched,
            }
        )
    numbers = dict.fromkeys(("half_life", "low", "high"), pl.Float64())
    counts = dict.fromkeys((f"at_{months}" for months in AT), pl.Int64())
    schema = {"cohort": pl.String(), "deaths": pl.Int64(), **numbers, **counts}
    return pl.DataFrame(found, schema=schema, orient="row")


def _watched(curve: pl.DataFrame, months: int) -> int | None:
    """How many were at risk at the first death at or after that age; None where nobody was watched so long."""
    later = curve.filter(pl.col("months") >= months)["at_risk"]
    return int(later[0]) if later.len() else None


CURVES = PublishedTable("survival", curves)
HALF_LIVES = PublishedTable("half-lives", half_lives)
