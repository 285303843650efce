"""What optimising does to a measurement, as pages show it: the table `goodhart` with names, a frame for each chart."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.goodhart.pressure import GAPS
from benchhealth.dashboard.published.field.goodhart import NUMBERS, advances, premiums, rows, with_names, with_value
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, always, one_of

BY_CHANCE = pl.col("numbers").list.get(2, null_on_oob=True)
"""An index of concentration under equal chances; null in a generation made before this was computed."""
PRESSURES = {
    "twins": "entries_a_month",
    "equal preparation": "entries_a_month",
    "self-reports": "self_reporting_makers",
}
"""The quantity that each kind of gap is correlated with."""

AGAINST = {"own_family_by_judges": "other judges", "own_family_by_humans": "votes of people"}
"""What a judge's preference for its own family is compared with."""

INDICES = {"Gini": "gini", "Herfindahl-Hirschman": "hhi"}
LEVELS = ("cheapest_at_25", "cheapest_at_50", "cheapest_at_75")


def gaps(view: View, params: Params) -> pl.DataFrame:
    """Each benchmark with the pressure on it and its gap of one kind."""
    kind = one_of(params, "gap", tuple(GAPS))
    pressure = with_value(view, PRESSURES[kind]).select("subject", pressure="value")
    gap = with_value(view, GAPS[kind]).select("subject", gap="value", n="n")
    return with_names(view, gap.join(pressure, on="subject")).sort("pressure", "subject", descending=[True, False])


def boards(view: View) -> dict[str, str]:
    """Leaderboards with several entries of some organisations, by id with their name: most of them first."""
    counted = _selected_rows(view).group_by("benchmark_id").agg(n=pl.len(), estimated=pl.col("excess").count())
    listed = with_names(view, counted.rename({"benchmark_id": "subject"}))
    ordered = listed.sort("estimated", "n", "subject", descending=[True, True, False])
    return dict(ordered.select("subject", "name").iter_rows())


def selection(view: View, params: Params) -> pl.DataFrame:
    """The organisations of one leaderboard: how much choosing the best of their entries adds, most entries first."""
    chosen = params.get("board") or ""
    if chosen not in boards(view):
        raise ParameterError(f"no leaderboard {chosen!r} with several entries of an organisation")
    return (
        _selected_rows(view)
        .filter(pl.col("benchmark_id") == chosen)
        .with_columns(name="maker")
        .sort("n", "maker", descending=[True, False])
    )


@always
def _selected_rows(view: View) -> pl.DataFrame:
    noise = with_value(view, "best_of_n_by_noise").select("subject", "n", by_noise="value")
    excess = rows(view, "best_of_n_excess").select("subject", excess="value", low="low", high="high", reason="reason")
    lead = with_value(view, "best_over_typical").select("subject", lead="value")
    expected = with_value(view, "best_over_typical_expected").select("subject", lead_expected="value")
    subject_fields = pl.col("subject").str.split_exact(": ", 1)
    return (
        noise.join(excess, on="subject", how="left")
        .join(lead, on="subject", how="left")
        .join(expected, on="subject", how="left")
        .with_columns(benchmark_id=subject_fields.struct.field("field_0"), maker=subject_fields.struct.field("field_1"))
    )


def judges(view: View, _params: Params) -> pl.DataFrame:
    """Each judge with the factor by which it prefers its own family, against other judges and against people."""
    compared = with_names(view, rows(view, *AGAINST)).select(
        "name",
        *NUMBERS,
        "n",
        "status",
        "reason",
        "subject",
        against=pl.col("measure").replace_strict(AGAINST, return_dtype=pl.String),
    )
    return compared.sort("against", "value", "subject", descending=[False, True, False], nulls_last=True)


def benchmarks_with_costs(view: View) -> dict[str, str]:
    """Benchmarks whose runs have a cost on record, by id with their name: those with a known factor first."""
    with_factor = set(with_value(view, "cost_factor_of_ten_points")["subject"])
    with_cost = with_names(view, with_value(view, *LEVELS).select("subject").unique())
    ordered = with_cost.sort(pl.col("subject").is_in(list(with_factor)), "subject", descending=[True, False])
    return dict(ordered.select("subject", "name").iter_rows())


def cheapest(view: View, params: Params) -> pl.DataFrame:
    """The lowest cost of a run with at least a score, by score and year, of one benchmark."""
    chosen = params.get("cost") or ""
    if chosen not in benchmarks_with_costs(view):
        raise ParameterError(f"no run of {chosen!r} has a cost on record")
    costs = with_value(view, *LEVELS).filter(pl.col("subject") == chosen)
    return costs.select(
        *("year", "value", "n", "reason"),
        sources=pl.col("names").list.join(", "),
        level=pl.col("measure").str.extract(r"(\d+)$").cast(pl.Int64),
    ).sort("level", "year")


def by_year(view: View, measures: Sequence[str], **more: pl.Expr) -> pl.DataFrame:
    """Findings over all benchmarks by year, also years without an estimate, with `more` columns."""
    return (
        rows(view, *measures)
        .filter(pl.col("year").is_not_null())
        .select("measure", "year", *NUMBERS, "n", "status", "reason", **more)
        .sort("measure", "year")
    )


def concentration(view: View, params: Params) -> pl.DataFrame:
    """Gini coefficient or Herfindahl-Hirschman index by year, of benchmarks and of organisations."""
    index = INDICES[one_of(params, "index", tuple(INDICES))]
    return by_year(view, [f"{index}_of_{counted}" for counted in ("benchmarks", "organisations")], by_chance=BY_CHANCE)


def openness(view: View, _params: Params) -> pl.DataFrame:
    """The share of models with open weights by year, among the steps of the running bests and among all entries."""
    return by_year(view, ("frontier_open_weights", "entries_open_weights"))


PRESSURE = PublishedTable("goodhart-pressure", gaps)
SMALL_ADVANCES = PublishedTable("goodhart-advances", advances)
PREMIUM = PublishedTable("goodhart-premium", premiums)
SELECTION = PublishedTable("goodhart-selection", selection)
JUDGES = PublishedTable("goodhart-judges", judges)
COST = PublishedTable("goodhart-cost", cheapest)
CONCENTRATION = PublishedTable("goodhart-concentration", concentration)
OPENNESS = PublishedTable("goodhart-openness", openness)
TABLES = (
    PRESSURE,
    SMALL_ADVANCES,
    PREMIUM,
    SELECTION,
    JUDGES,
    COST,
    CONCENTRATION,
    OPENNESS,
)
