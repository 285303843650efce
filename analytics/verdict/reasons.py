"""The sentences of a verdict: each cites an indicator, its value and the limit it was held against.

Reads the columns that `analytics.verdict.verdict` prepares: indicators by name with `.low`, `.high`, `.reason`, the
bounds of headroom, and the conditions `is_*`. A sentence that does not apply is null. Wording states what was measured
or documented, never what anybody did.
"""

import polars as pl

from analytics.verdict.hysteresis import BANDS
from analytics.verdict.thresholds import Thresholds

KEPT_AS = {
    "left_high": "headroom's upper end",
    "left_max": "headroom at most",
    "left_min": "headroom",
    "human_margin.low": "human_margin's lower end",
}
"""What the columns held against limits are called in sentences."""


def stage_reasons(limits: Thresholds) -> list[pl.Expr]:
    """Why the stage: models, age, headroom, human baseline, resolution, last advance, and what the margins kept."""
    own = [_models(limits), _age(limits), _headroom(limits), _human(), _resolution(limits), _stalled(limits)]
    return [*own, *_kept(limits)]


def flag_reasons(limits: Thresholds) -> list[pl.Expr]:
    """Why each flag, in the order of the flags."""
    months = pl.format(
        "months_since_result {} less months_since_look {} is above {}: no later result in any source ({})",
        _number("months_since_result", 1),
        _number("months_since_look", 1),
        pl.lit(limits.dormant_months),
        "months_since_result.reason",
    )
    contaminated = pl.format(
        "contamination_max_share {} is at or above {} (rung 2 of the ladder of evidence): documented for {}",
        _number("contamination_max_share"),
        pl.lit(limits.contaminated_share),
        "contamination_max_share.reason",
    )
    gap = pl.format(
        "twin_gap {} [{}, {}] is above 0 and twin_flagged_share {} at or above {} ({})",
        _number("twin_gap", 2),
        _number("twin_gap.low", 2),
        _number("twin_gap.high", 2),
        _number("twin_flagged_share"),
        pl.lit(limits.twin_flagged_share),
        "twin_flagged_share.reason",
    )
    unstable = pl.format(
        "turnover_excess_12m {} is at or above {} ({})",
        _number("turnover_excess_12m", 2),
        pl.lit(limits.turnover_excess),
        "turnover_excess_12m.reason",
    )
    self_reported = pl.format(
        "self_reported_share {} is above {}", _number("self_reported_share"), pl.lit(limits.self_reported_share)
    )
    stale = pl.format(
        "months_since_look {} is above {} ({})",
        _number("months_since_look", 1),
        pl.lit(limits.stale_months),
        "months_since_look.reason",
    )
    sentences = {
        "dormant": months,
        "contaminated": contaminated,
        "gap": gap,
        "unstable": unstable,
        "self_reported": self_reported,
        "stale": stale,
    }
    return [pl.when(pl.col(f"is_{flag}")).then(sentence) for flag, sentence in sentences.items()]


def _number(name: str, decimals: int = 3) -> pl.Expr:
    return pl.col(name).round(decimals)


def _models(limits: Thresholds) -> pl.Expr:
    count = pl.col("n_models").fill_null(0).cast(pl.Int64)
    sentence = pl.format("n_models {} is below {}: too few to judge the top", count, pl.lit(limits.min_models))
    return pl.when("is_few").then(sentence)


def _age(limits: Thresholds) -> pl.Expr:
    sentence = pl.format("age_months {} is below {}", _number("age_months", 1), pl.lit(limits.young_months))
    return pl.when("is_young").then(sentence)


def _headroom(limits: Thresholds) -> pl.Expr:
    """The upper end against the limit that exhausts it, else the value against the limit that narrows it."""
    interval = pl.format(" [{}, {}]", _number("headroom.low"), _number("headroom.high")).fill_null("")
    value = pl.format("headroom {}{}", _number("headroom"), interval)
    known = pl.format("{} is {} ({})", value, _against("headroom", "headroom.high", limits), "headroom.reason")
    bounds = pl.format(
        "headroom is at least {} and, were chance {}, {}",
        _number("left_min"),
        pl.lit(limits.highest_chance),
        _number("left_max"),
    )
    unknown = pl.format(
        "{}: {} ({}; {})",
        bounds,
        _against("left_min", "left_high", limits),
        "headroom.reason",
        "headroom_of_ceiling.reason",
    )
    neither = pl.format("headroom: {}", "headroom.reason")
    return (
        pl.when(pl.col("headroom").is_not_null())
        .then(known)
        .when(pl.col("left_min").is_not_null())
        .then(unknown)
        .otherwise(neither)
    )


def _against(value: str, upper: str, limits: Thresholds) -> pl.Expr:
    exhausted, narrow = f"{limits.exhausted_headroom:.2f}", f"{limits.narrow_headroom:.2f}"
    return (
        pl.when(pl.col(upper) < limits.exhausted_headroom)
        .then(pl.lit(f"below {exhausted} with its whole interval"))
        .when((pl.col(value) < limits.exhausted_headroom) & pl.col(upper).is_not_null())
        .then(pl.lit(f"below {exhausted}, its interval is not"))
        .when(pl.col(value) < limits.narrow_headroom)
        .then(pl.lit(f"below {narrow}"))
        .otherwise(pl.lit(f"not below {narrow}"))
    )


def _human() -> pl.Expr:
    sentence = pl.format(
        "human_margin {} [{}, {}] is above 0 ({})",
        _number("human_margin"),
        _number("human_margin.low"),
        _number("human_margin.high"),
        "human_margin.reason",
    )
    return pl.when("is_human_passed").then(sentence)


def _resolution(limits: Thresholds) -> pl.Expr:
    side = (
        pl.when("is_unresolved")
        .then(pl.lit(f"not above {limits.unresolved_pairs:.2f}"))
        .when("is_crowded")
        .then(pl.lit(f"not above {limits.crowded_pairs:.2f}"))
        .otherwise(pl.lit(f"above {limits.crowded_pairs:.2f}"))
    )
    known = pl.format("resolution_top5 {} is {} ({})", _number("resolution_top5"), side, "resolution_top5.reason")
    unknown = pl.format("resolution_top5: {}", "resolution_top5.reason")
    return pl.when(pl.col("resolution_top5").is_null()).then(unknown).otherwise(known)


def _stalled(limits: Thresholds) -> pl.Expr:
    sentence = pl.format(
        "months_since_advance {} exceeds months_since_result {} by at least {} and tries_since_advance {} is at least "
        "{}: results without an advance ({})",
        _number("months_since_advance", 1),
        _number("months_since_result", 1),
        pl.lit(limits.stalled_months),
        pl.col("tries_since_advance").cast(pl.Int64),
        pl.lit(limits.stalled_models),
        "months_since_advance.reason",
    )
    return pl.when("is_stalled").then(sentence)


def _kept(limits: Thresholds) -> list[pl.Expr]:
    """A sentence for each value that is past its limit by less than the margin, so that nothing changes yet."""
    sentences: list[pl.Expr] = []
    for name, band in BANDS.items():
        said = pl.format(
            "{} {} is within {} of {}: it counts as on the side where it stood at the end of last month",
            pl.lit(KEPT_AS.get(band.column, band.column)),
            _number(band.column),
            pl.lit(getattr(limits, band.margin)),
            pl.lit(0.0 if band.limit is None else getattr(limits, band.limit)),
        )
        kept = pl.col(f"kept_{name}")
        if name == "is_surely_narrow":  # where chance is known this is headroom against the same limit again
            kept &= ~pl.col("kept_is_narrow")
        sentences.append(pl.when(kept).then(said))
    return sentences
