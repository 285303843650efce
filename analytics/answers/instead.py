"""What to use in its place, or beside it where it still measures."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.answers.cases import Case, Question
from benchhealth.analytics.answers.known import ALWAYS, Known, first_case, only
from benchhealth.analytics.verdict.thresholds import Thresholds

CLEARLY = 0.10
"""So much more of the scale is left on what is clearly further from its end: more than the error of most scores."""

ABILITY: Mapping[str, str] = {"agentic-code": "code"}
"""Domains that measure the ability of another one in another form."""

CASES = (
    Case("named", "yes", "a curator names it, and it still measures or has clearly more room"),
    Case("same_domain", "yes", "it is of the same domain, and still measures or has clearly more room"),
    Case("kin_domain", "yes", "it is of a domain that measures the same ability in another form, and still measures"),
    Case("named_only", "partly", "a curator names it, and it has run out itself, or too little is known of it"),
    Case("none_fits", "no", "no curated benchmark of its domain still measures or has clearly more room"),
    Case("no_domain", "unknown", "its domain is not known, and no curator names another", "nobody_looked"),
)

STANDING = (
    *("benchmark_id", "name", "domain", "curated", "stage", "is_fresh", "is_dormant", "models", "apart", "headroom"),
    "exposure",
)
"""What `alternatives` reads of each benchmark: `apart` is the share of top pairs that differ, `exposure` the
level of the ladder of evidence."""

_LIMITS = Thresholds()


def find(known: Known) -> pl.DataFrame:
    """`other_id` is the first alternative, `value` the room left on it, `kind` its stage, where enough is known of it.

    `second` is Kendall's tau of the orders of the `n` models on both. `known_until` is the other's.
    """
    ranked = alternatives(_standing(known), known.transfer, known.successor)
    first = ranked.unique("benchmark_id", keep="first", maintain_order=True)
    named = pl.col("between").list.len() == 0
    between = known.verdict.select("benchmark_id", "between")
    other = known.rows.join(between, on="benchmark_id", how="left", maintain_order="left").select(
        other_id="benchmark_id",
        value=pl.coalesce("headroom", "headroom_of_ceiling"),
        bound=only(pl.col("headroom").is_null() & pl.col("headroom_of_ceiling").is_not_null(), pl.lit("at_least")),
        kind=only(named, pl.col("stage")),
        known_until="known_until",
    )
    rows = (
        known.evidence.facts.select("benchmark_id", "domain")
        .join(first, on="benchmark_id", how="left", maintain_order="left")
        .join(other, on="other_id", how="left", maintain_order="left")
    )
    fits = pl.col("fits").fill_null(value=False)
    case = first_case(
        ("named", fits & pl.col("is_named")),
        ("same_domain", fits & pl.col("is_nearest")),
        ("kin_domain", fits),
        ("named_only", pl.col("other_id").is_not_null()),
        ("no_domain", pl.col("domain").is_null()),
        ("none_fits", ALWAYS),
    )
    is_ranked = pl.col("kendall_tau").is_not_null()
    return rows.select(
        *("benchmark_id", "other_id", "value", "bound", "kind", "known_until"),
        case=case,
        unit=only(pl.col("value").is_not_null(), pl.lit("share")),
        second="kendall_tau",
        second_unit=only(is_ranked, pl.lit("tau")),
        n=only(is_ranked, pl.col("shared")),
        n_of=only(is_ranked, pl.lit("models")),
        evidence=only(
            pl.col("other_id").is_not_null(),
            pl.concat_list(
                pl.format("verdict/{}", "other_id"), only(pl.col("is_named"), pl.format("successor/{}", "other_id"))
            ).list.drop_nulls(),
        ),
    )


def alternatives(standing: pl.DataFrame, transfer: pl.DataFrame, successor: pl.DataFrame) -> pl.DataFrame:
    """What may be used in place of each benchmark, the first first; then, `fits` false, what a curator names although.

    What fits was looked at lately, is reported, has five models or more of which it is known whether the first five
    differ, and is of the benchmark's domain, of a kin one, or named by a curator; it still measures, or is running out
    with clearly more room and a top that can be told apart. Named ones come first, then what still measures with a top
    that can be told apart, what is exposed last; otherwise what ranks models alike.

    `standing` has the columns STANDING for each benchmark. Columns of what is returned: benchmark_id, other_id, fits,
    is_named, is_nearest (the very domain), why (a curator's), kendall_tau, shared.
    """
    pairs = _pairs(standing, successor)
    named = pl.col("why").is_not_null()
    same = (pl.col("ability") == pl.col("other_ability")).fill_null(value=False)
    whole = pl.col("other_curated") & ~pl.col("other_id").str.contains("/", literal=True)
    rows = (
        pairs.join(_orders(transfer), on=["benchmark_id", "other_id"], how="left", maintain_order="left")
        .with_columns(
            is_named=named,
            is_nearest=pl.col("domain").eq_missing(pl.col("other_domain")),
            fits=(whole & (same | named) & _measures()).fill_null(value=False),
        )
        .filter(pl.col("fits") | pl.col("is_named"))
    )
    seen = pl.col("other_exposure").is_in(["moderate", "high"]).fill_null(value=False)
    crowded = pl.col("other_apart") <= _LIMITS.crowded_pairs
    worse = (pl.col("other_stage") != "discriminating", crowded, ~pl.col("is_nearest"), seen)
    by = ("benchmark_id", ~pl.col("fits"), ~pl.col("is_named"), *worse, -pl.col("kendall_tau"), "other_name")
    return rows.sort(*by, nulls_last=True).select(
        "benchmark_id", "other_id", "fits", "is_named", "is_nearest", "why", "kendall_tau", "shared"
    )


def _pairs(standing: pl.DataFrame, successor: pl.DataFrame) -> pl.DataFrame:
    """Each benchmark with those curated ones of its ability, and with what a curator names, once each."""
    able = standing.with_columns(ability=pl.col("domain").replace(dict(ABILITY)))
    others = able.rename({name: f"other_{name}" for name in able.columns}).rename({"other_benchmark_id": "other_id"})
    own = able.select("benchmark_id", "domain", "ability", "headroom")
    alike = own.join(others.filter("other_curated"), left_on="ability", right_on="other_ability").with_columns(
        other_ability="ability"
    )
    named = successor.select("benchmark_id", "why", other_id="successor_id").unique(
        ["benchmark_id", "other_id"], keep="first", maintain_order=True
    )
    chosen = own.join(named.drop("why"), on="benchmark_id").join(others, on="other_id")
    return (
        pl.concat([alike.select(chosen.columns), chosen])
        .unique(["benchmark_id", "other_id"], keep="first", maintain_order=True)
        .filter(pl.col("benchmark_id") != pl.col("other_id"))
        .join(named, on=["benchmark_id", "other_id"], how="left", maintain_order="left")
    )


def _measures() -> pl.Expr:
    """Whether the other benchmark measures where this one does not any more."""
    judged = (pl.col("other_models") >= _LIMITS.min_models) & pl.col("other_apart").is_not_null()
    alive = pl.col("other_is_fresh") & ~pl.col("other_is_dormant")
    roomier = pl.col("other_headroom") >= pl.col("headroom").clip(lower_bound=0.0) + CLEARLY
    running_out = (pl.col("other_stage") == "compressing") & roomier & (pl.col("other_apart") > _LIMITS.crowded_pairs)
    return judged & alive & ((pl.col("other_stage") == "discriminating") | running_out.fill_null(value=False))


def _orders(transfer: pl.DataFrame) -> pl.DataFrame:
    """How alike two benchmarks rank models, from either side."""
    there = transfer.select("kendall_tau", benchmark_id="original_id", other_id="other_id", shared="n_models")
    back = transfer.select("kendall_tau", benchmark_id="other_id", other_id="original_id", shared="n_models")
    return pl.concat([there, back]).unique(["benchmark_id", "other_id"], keep="first", maintain_order=True)


def _standing(known: Known) -> pl.DataFrame:
    overall = known.evidence.risk.filter(pl.col("model_id").is_null() & (pl.col("rung") == "overall"))
    exposure = overall.select("benchmark_id", exposure="level").unique("benchmark_id")
    rows = known.rows.join(exposure, on="benchmark_id", how="left", maintain_order="left")
    return rows.select(
        *("benchmark_id", "domain", "stage", "exposure"),
        name=pl.coalesce("name", "benchmark_id"),
        curated=pl.col("curated").fill_null(value=False),
        is_fresh=(pl.col("months_since_look") <= _LIMITS.stale_months).fill_null(value=False),
        is_dormant="is_dormant",
        models=pl.col("n_models"),
        apart="resolution_top5",
        headroom=pl.coalesce("headroom", "headroom_of_ceiling"),
    )


INSTEAD = Question("instead", CASES, find)
