"""Which benchmarks die faster: ratios of hazards by release, domain, labels, refresh, items and format."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from benchhealth.analytics.aging.lives import ITEMS, RELEASED, class_of, watched_lives
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.false_discovery import q_values
from benchhealth.analytics.statistics.survival.cox import Effect, Lives, NoFitError, cox
from benchhealth.analytics.statistics.units.least_p import limited_p

YEAR = "release year"
COHORT = "release cohort"

FEWEST_PER_VARIABLE = 10
"""Deaths for each coefficient below which no ratio is given (Peduzzi et al. 1995, PMID 8543964)."""

TOO_FEW_DEATHS = "few_events"

FEWEST_OF_LEVEL = 5
"""Benchmarks that a level needs to be compared by itself; smaller levels are taken together as `OTHER`."""

OTHER = "other"


@dataclass(frozen=True)
class Trait:
    """What benchmarks are compared by: a number (`level` says what one unit is) or the levels of a text."""

    name: str
    value: pl.Expr
    level: str | None = None


def _two_levels(column: str, first: str, otherwise: str) -> pl.Expr:
    value = pl.col(column)
    return pl.when(value == first).then(pl.lit(first)).when(value.is_not_null()).then(pl.lit(otherwise))


FIELDS = ("images and video", "code and agents", "mathematics", "language, knowledge")


def _field() -> pl.Expr:
    """The groups of domains in four classes, since most single groups have too few deaths for a ratio of their own."""
    images, code, mathematics, language = FIELDS
    of_group = {"vision": images, "code": code, "agents": code, "mathematics": mathematics}
    return pl.when(pl.col("domain").is_not_null()).then(pl.col("domain").replace_strict(of_group, default=language))


_RELEASED = pl.col("released_on")
TRAITS: Sequence[Trait] = (
    Trait(YEAR, _RELEASED.dt.year() + (_RELEASED.dt.ordinal_day() - 1) / 365.25, "one year later"),
    Trait(COHORT, class_of(_RELEASED.dt.year(), RELEASED)),
    Trait("items", pl.col("n_items").cast(pl.Float64).log(10.0), "ten times the items"),
    Trait("items by class", class_of(pl.col("n_items"), ITEMS)),
    Trait("labels", _two_levels("labels", "public", "not all public")),
    Trait("refresh", _two_levels("refresh", "static", "renewed")),
    Trait("format", pl.col("format")),
    Trait("domain", _field()),
)
"""Every comparison that is made; the release year is also what the others are adjusted for."""

NOT_ADJUSTED = (YEAR, COHORT)
"""The traits that are not adjusted for the release year, because they are the release date."""


def hazards(lives: pl.DataFrame) -> pl.DataFrame:
    """Table `hazard`: by how much each trait of a benchmark multiplies its risk of saturating, for rows of `lives`.

    Cox regression on age with late entry and censoring as in `survival`, one trait at a time, and again
    adjusted for the release year (`adjusted_for`), as traits changed with time. A text is compared level by level
    with the `reference`, the level of most benchmarks; levels of fewer than five are taken together. `ratio` above 1
    means that such a benchmark dies sooner. Benchmarks of one family fall together: intervals and tests are by the
    variance between families, and by Student's t of the `families` that have a death. `per_variable` is the number of
    deaths for each coefficient: below ten no ratio is given, and `case` is TOO_FEW_DEATHS. `q_value` is the
    Benjamini-Hochberg value over the table, `proportional_p` the test that the ratio is the same at every age: where it
    is small, the ratio is an average. Benchmarks that lack a trait are left out of its comparison.
    """
    watched = watched_lives(lives)
    if watched.is_empty():
        return pl.DataFrame(schema=PUBLISHED["hazard"])
    year = TRAITS[0]
    comparisons: list[tuple[Trait, Trait | None]] = [(trait, None) for trait in TRAITS]
    comparisons += [(trait, year) for trait in TRAITS if trait.name not in NOT_ADJUSTED]
    with threadpool_limits(1):  # small matrices, for which threads cost more than they save
        rows = [row for trait, adjusted_for in comparisons for row in _trait_rows(watched, trait, adjusted_for)]
    table = pl.DataFrame(rows, schema=PUBLISHED["hazard"], orient="row")
    return table.with_columns(q_value=q_values(table["p_value"]))


def _trait_rows(watched: pl.DataFrame, trait: Trait, adjusted_for: Trait | None) -> list[dict[str, object]]:
    """The rows of table `hazard` about one trait: one for each level but the reference."""
    rows = watched.with_columns(trait=trait.value).filter(pl.col("trait").is_not_null())
    x, levels, reference = _design(rows, trait)
    if adjusted_for is not None:
        x = np.column_stack([x, rows.select(adjusted_for.value).to_series().to_numpy()])
    deaths = int(rows["died"].sum())
    variables = max(1, x.shape[1])
    shared = {
        "covariate": trait.name,
        "reference": reference,
        "adjusted_for": None if adjusted_for is None else adjusted_for.name,
        "n": rows.height,
        "deaths": deaths,
        "families": rows.filter("died")["family"].n_unique(),
        "per_variable": deaths / variables,
    }
    effects = _effects(rows, x, enough=deaths >= FEWEST_PER_VARIABLE * variables)
    if isinstance(effects, str):
        missing = {**shared, "status": "insufficient", "case": effects}
        return [{**missing, "level": level} for level in levels] or [{**missing, "level": None}]
    return [
        {
            **shared,
            "level": level,
            "ratio": effect.ratio,
            "low": effect.low,
            "high": effect.high,
            "p_value": float(limited_p(effect.p_value, shared["families"], sides=2)),
            "proportional_p": effect.proportional_p,
            "status": "ok",
        }
        for level, effect in zip(levels, effects, strict=False)
    ]


def _design(rows: pl.DataFrame, trait: Trait) -> tuple[Numbers, list[str], str | None]:
    """The covariates of a trait, the level of each, and the level they are compared with."""
    if trait.level is not None:
        return rows.select(pl.col("trait").cast(pl.Float64)).to_numpy(), [trait.level], None
    level_or_other = pl.when(pl.len().over("trait") >= FEWEST_OF_LEVEL).then("trait").otherwise(pl.lit(OTHER))
    level = rows.select(level_or_other.alias("level"))["level"]
    by_size = level.value_counts().sort("count", "level", descending=[True, False])["level"].to_list()
    reference, *compared = [name for name in by_size if name != OTHER] or [None]
    levels = [*sorted(compared), *([OTHER] if OTHER in by_size else [])]
    columns = [(level == name).cast(pl.Float64).to_numpy() for name in levels]
    return np.array(columns).reshape(len(levels), rows.height).T, levels, reference


def _effects(rows: pl.DataFrame, x: Numbers, *, enough: bool) -> list[Effect] | str:
    """The hazard ratios of a Cox regression, or the code of the reason why there are none."""
    if not x.shape[1] or rows.height == 0:
        return "alike_in_trait"
    if not enough:
        return TOO_FEW_DEATHS
    entry, end, died = (rows[name].to_numpy() for name in ("entry", "exit", "died"))
    try:
        return cox(Lives(entry, end, died, x, rows["family"].rank("dense").cast(pl.Int64).to_numpy()))
    except NoFitError as error:
        return error.case
