"""Proxies and their targets as pages show them: how they correlate at the frontier, and since when they diverge."""

import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.published.field.goodhart import rows, with_value
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, always
from benchhealth.dashboard.words.columns import texts

EVERY_KIND = "every kind"
SIDES = {"correlation": "over_all", "frontier_correlation": "at_top", "frontier_correlation_corrected": "corrected"}
"""Quantities of a pair in a year and what their columns are called here."""


@always
def proxy_pairs(view: View) -> pl.DataFrame:
    """Every pair of proxy and target with `kind`, the name of both sides and whether both are in points."""
    benchmark = view.table("benchmark").select("benchmark_id", "name", "unit")
    sides = (
        benchmark.rename({"benchmark_id": f"{side}_id", "name": side, "unit": f"{side}_unit"})
        for side in ("original", "other")
    )
    original_facts, other_facts = sides
    first, second = pl.coalesce("original", "original_id"), pl.coalesce("other", "other_id")
    sources = view.table("twin_gap").select("twin_id", "source_id", "other_source_id")
    joined = (
        view.table("twin")
        .filter(pl.col("scale") == "linear")
        .join(original_facts, on="original_id", how="left")
        .join(other_facts, on="other_id", how="left")
        .join(sources, on="twin_id", how="left")
        .select(
            "original_id",
            "other_id",
            "source_id",
            "other_source_id",
            "kind",
            pair_id="twin_id",
            name=pl.struct(first.alias("proxy"), second.alias("target")),
            in_points=pl.col("original_unit").is_in(BOUNDED_UNITS),
        )
        .sort("pair_id")
    )
    return joined.with_columns(texts(joined["name"], lambda sides: pair_title(**sides)))


def pair_title(proxy: str, target: str) -> str:
    """Both names; of the second only the words that it does not share with the first."""
    if proxy == target:
        return f"{proxy} → rerun"
    shared = 0
    for proxy_word, target_word in zip(proxy.split(), target.split(), strict=False):
        if proxy_word != target_word:
            break
        shared += 1
    unshared = target.split()[shared:]
    return f"{proxy} → {'… ' if shared else ''}{' '.join(unshared)}" if unshared else f"{proxy} → {target}"


def kinds(view: View) -> list[str]:
    """The kinds of pair of which a correlation at the frontier is known, after the choice of all."""
    kinds_with_years = _years(view).join(proxy_pairs(view), on="pair_id")["kind"].unique().sort().to_list()
    return [EVERY_KIND, *kinds_with_years] if kinds_with_years else []


def frontiers(view: View, params: Params) -> pl.DataFrame:
    """Each pair of a kind (default: all) in its last year: correlation over all, at the frontier, and corrected."""
    kind = params.get("kind") or EVERY_KIND
    if kind != EVERY_KIND and kind not in kinds(view):
        raise ParameterError(f"no pair is of kind {kind!r}")
    last = _years(view).filter(pl.col("year") == pl.col("year").max().over("pair_id"))
    labelled = last.join(proxy_pairs(view).select("pair_id", "name", "kind"), on="pair_id").with_columns(
        label=pl.col("pair_id").str.replace_all("-to-", " → ").str.replace_all("-", " ")
    )
    of_kind = labelled.filter((pl.col("kind") == kind) | (kind == EVERY_KIND))
    return of_kind.sort("n_models", "pair_id", descending=[True, False])


@always
def _years(view: View) -> pl.DataFrame:
    """A row for each pair and year with all three correlations, their intervals and numbers of models."""
    return _wide(with_value(view, *SIDES))


def _wide(correlations: pl.DataFrame) -> pl.DataFrame:
    key = ["subject", "year"]
    frames = []
    for measure, side in SIDES.items():
        columns = {"value": side, "low": f"{side}_low", "high": f"{side}_high"}
        frame = (
            correlations.filter(pl.col("measure") == measure)
            .select(*key, *columns, "n", "reason", "case")
            .rename(columns)
        )
        frames.append(frame)
    over_all, top, corrected = frames
    return (
        over_all.drop("reason", "case")
        .rename({"n": "n_models"})
        .join(top.drop("reason", "case").rename({"n": "n_top"}), on=key)
        .join(corrected.drop("n").rename({"reason": "reading"}), on=key)
        .rename({"subject": "pair_id"})
        .sort("pair_id", "year")
    )


def dates(view: View, _params: Params) -> pl.DataFrame:
    """For each pair whether and when its target stopped following: p-value, date with interval, size, and why not."""
    p_values = rows(view, "decoupling_p").select("subject", p="value", n_points="n", tested="reason")
    decoupled_on = rows(view, "decoupling_date").select(
        "subject", "on_date", "on_day", "until_day", "status", "reason", earliest="low", latest="high"
    )
    size = rows(view, "decoupling_size").select("subject", lower_by="value", lower_low="low", lower_high="high")
    return (
        p_values.join(decoupled_on, on="subject")
        .join(size, on="subject")
        .join(proxy_pairs(view).select("pair_id", "name", "kind", "in_points"), left_on="subject", right_on="pair_id")
        .rename({"subject": "pair_id"})
        .sort("p", "pair_id", nulls_last=True)
    )


FRONTIERS = PublishedTable("goodhart-frontier", frontiers)
DATES = PublishedTable("goodhart-dates", dates)
TABLES = (FRONTIERS, DATES)
