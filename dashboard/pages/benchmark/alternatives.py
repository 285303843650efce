"""Which benchmarks to use instead of one, or beside it: what still measures the same, and what each of them lacks."""

import polars as pl

from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.benchmarks import benchmarks, is_alive, is_fresh, known_values
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count

SHOWN = 4
CLEARLY = 0.10
"""So much more of the scale is left on what is clearly further from its end: more than the error of most scores."""

NONE = "None that we know of measures the same and still has room."
KIN: tuple[frozenset[str], ...] = (frozenset({"code", "agentic-code"}),)
"""Domains that measure the same ability in another form."""

_LIMITS = Thresholds()


def kin(domain: str | None) -> frozenset[str]:
    """The domain and those that measure the same ability; empty where it is not known."""
    if domain is None:
        return frozenset()
    return next((group for group in KIN if domain in group), frozenset({domain}))


def standing(view: View) -> pl.DataFrame:
    """`published.benchmarks` with `fresh`, `alive`, `apart` (share of top pairs) and `own` (of makers)."""

    def read() -> pl.DataFrame:
        known = known_values(view, ("resolution_top5", "self_reported_share"))
        found = benchmarks(view).with_columns(fresh=is_fresh(), alive=is_alive())
        for name, indicator in (("apart", "resolution_top5"), ("own", "self_reported_share")):
            rows = known.filter(pl.col("indicator") == indicator).select("benchmark_id", pl.col("value").alias(name))
            found = found.join(rows, on="benchmark_id", how="left")
        return found

    return view.recent("standing of benchmarks", read)


def lacks(row: Facts) -> list[str]:
    """What keeps a better result on this benchmark from being sure to show progress; empty where nothing does."""
    if not row["models"]:
        return ["no result is on record"]
    found = []
    if not row["fresh"]:
        found.append(f"not looked at since {month_of(row['known_until'])}")
    if "dormant" in row["flags"]:
        found.append("nobody reports it any more")
    if row["models"] < _LIMITS.min_models:
        found.append(f"{count(row['models'], 'model')} only")
    if row["apart"] is None:
        found.append("not known whether its top five differ beyond error")
    elif row["apart"] <= _LIMITS.crowded_pairs:
        found.append("its top five hardly differ beyond error")
    if row["own"] is None:
        found.append("not known who measured it")
    elif row["own"] > _LIMITS.self_reported_share:
        found.append(f"{'all' if row['own'] == 1 else 'most'} results are the makers' own")
    return found


def alternatives(view: View, facts: Facts) -> pl.DataFrame:
    """What measures the same and still has room; then, `fits` false, what a curator names although it does not.

    What fits was looked at within six months, is reported still, has five models or more of which it is known whether
    the first five differ, and is of the benchmark's domain, of a kin one, or named by a curator; it still measures, or
    is running out with clearly more room and a top that can be told apart. Curated ones come first, then what still
    measures with a top that can be told apart, what is exposed last; otherwise what ranks models alike. Columns of
    `standing`, `kendall_tau` with `shared` models, `exposure` (the level of the ladder of evidence), a curator's `why`.
    """
    return view.recent(("alternatives", facts["benchmark_id"]), lambda: _alternatives(view, facts))


def fitting(view: View, facts: Facts) -> pl.DataFrame:
    """Of the alternatives those that may be recommended."""
    return alternatives(view, facts).filter("fits")


def _alternatives(view: View, facts: Facts) -> pl.DataFrame:
    benchmark_id, every = facts["benchmark_id"], standing(view)
    rows = every.filter(pl.col("benchmark_id") != benchmark_id)
    joined = (
        rows.join(_order(view, benchmark_id), on="benchmark_id", how="left")
        .join(_named(view, benchmark_id), on="benchmark_id", how="left")
        .join(_exposure(view), on="benchmark_id", how="left")
    )
    is_named = pl.col("why").is_not_null()
    whole = pl.col("curated") & ~pl.col("benchmark_id").str.contains("/", literal=True)
    same = pl.col("domain").is_in(list(kin(facts["domain"]))).fill_null(value=False)
    own = every.filter(pl.col("benchmark_id") == benchmark_id)["headroom"]
    found = joined.with_columns(fits=whole & (same | is_named) & _measures(own[0] if len(own) else None))
    seen = pl.col("exposure").is_in(["moderate", "high"]).fill_null(value=False)
    nearest = pl.col("domain").eq_missing(pl.lit(facts["domain"], dtype=pl.String))
    worse = (pl.col("stage") != "discriminating", pl.col("apart") <= _LIMITS.crowded_pairs, ~nearest, seen)
    by = (~pl.col("fits"), ~is_named, *worse, -pl.col("kendall_tau"), "name")
    return found.filter(pl.col("fits") | is_named).sort(*by, nulls_last=True).head(SHOWN)


def _measures(room: float | None) -> pl.Expr:
    """Whether a benchmark measures where another, with this much room, does not any more."""
    judged = (pl.col("models") >= _LIMITS.min_models) & pl.col("apart").is_not_null()
    alive = pl.col("fresh") & ~pl.col("flags").list.contains("dormant")
    roomier = pl.col("headroom") >= pl.lit(None if room is None else max(room, 0.0) + CLEARLY, dtype=pl.Float64)
    running_out = (pl.col("stage") == "compressing") & roomier & (pl.col("apart") > _LIMITS.crowded_pairs)
    return (judged & alive & ((pl.col("stage") == "discriminating") | running_out)).fill_null(value=False)


def _order(view: View, benchmark_id: str) -> pl.DataFrame:
    """How alike other benchmarks rank models."""
    either = (pl.col("original_id") == benchmark_id) | (pl.col("other_id") == benchmark_id)
    other = pl.when(pl.col("original_id") == benchmark_id).then("other_id").otherwise("original_id")
    alike = view.table("transfer").filter(either)
    return alike.select(benchmark_id=other, kendall_tau="kendall_tau", shared="n_models").unique("benchmark_id")


def _named(view: View, benchmark_id: str) -> pl.DataFrame:
    """What a curator names, and why."""
    rows = view.table("successor").filter(pl.col("benchmark_id") == benchmark_id)
    return rows.select(benchmark_id="successor_id", why="why")


def _exposure(view: View) -> pl.DataFrame:
    """The level of the ladder of each benchmark as a whole."""
    risk = view.table("contamination_risk").filter((pl.col("rung") == "overall") & pl.col("model_id").is_null())
    return risk.select("benchmark_id", exposure="level").unique("benchmark_id")
