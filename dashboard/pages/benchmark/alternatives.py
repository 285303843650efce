"""Which benchmarks to use instead of one, or beside it: what still measures the same, and what each of them lacks."""

import polars as pl

from benchhealth.analytics.answers.instead import STANDING
from benchhealth.analytics.answers.instead import alternatives as ranked_alternatives
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.benchmarks import benchmarks, is_alive, is_fresh, known_values
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count

SHOWN = 4
NONE = "None that we know of measures the same and still has room."
_LIMITS = Thresholds()


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

    In the order of `analytics.answers.instead.alternatives`, which decides what fits. Columns of `standing`,
    `kendall_tau` with `shared` models, `exposure` (the level of the ladder of evidence), a curator's `why`.
    """
    return view.recent(("alternatives", facts["benchmark_id"]), lambda: _alternatives(view, facts))


def fitting(view: View, facts: Facts) -> pl.DataFrame:
    """Of the alternatives those that may be recommended."""
    return alternatives(view, facts).filter("fits")


def _alternatives(view: View, facts: Facts) -> pl.DataFrame:
    every = standing(view).join(_exposure(view), on="benchmark_id", how="left", maintain_order="left")
    found = view.kept("ranked alternatives", lambda: _ranked(view, every))
    ranked = found.filter(pl.col("benchmark_id") == facts["benchmark_id"]).head(SHOWN).drop("benchmark_id")
    return ranked.join(every, left_on="other_id", right_on="benchmark_id", how="left", maintain_order="left").rename(
        {"other_id": "benchmark_id"}
    )


def _ranked(view: View, every: pl.DataFrame) -> pl.DataFrame:
    """The alternatives of every benchmark."""
    known = every.with_columns(is_fresh="fresh", is_dormant=pl.col("flags").list.contains("dormant"))
    return ranked_alternatives(known.select(STANDING), view.table("transfer"), view.table("successor"))


def _exposure(view: View) -> pl.DataFrame:
    """The level of the ladder of each benchmark as a whole."""
    risk = view.table("contamination_risk").filter((pl.col("rung") == "overall") & pl.col("model_id").is_null())
    return risk.select("benchmark_id", exposure="level").unique("benchmark_id")
