"""Indicators and the reasons of verdicts as readers meet them: titles, words and rounded numbers, never keys.

How far a verdict depends on what was measured, and on where the thresholds of its rules were set, is said here too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.verdict.reasons import BY_MARGIN, KEPT_OUT
from benchhealth.analytics.verdict.threshold_stability import MOVED_BY
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.words.definitions import UNITS
from benchhealth.dashboard.words.numbers import (
    UNKNOWN,
    months,
    percent,
    percent_interval,
    room_interval,
    score,
)
from benchhealth.dashboard.words.prose.cases import row_sentence
from benchhealth.dashboard.words.prose.judged import verdicts
from benchhealth.dashboard.words.stages import CALLED_ALL, STAGE_WORDS
from benchhealth.dashboard.words.text import capital, count, listed


def draws_sentence(rows: Sequence[Mapping[str, Any]], stage: str) -> str:
    """A sentence on the rows of table `stage_probability` of one benchmark whose verdict is this stage."""
    if not rows:
        why = (
            "no stage is known" if stage == "unknown" else "the error of its best score is not known, or few are dated"
        )
        return f"How probable the stage is was not drawn: {why}."
    named = [row for row in sorted(rows, key=lambda row: -row["p"]) if row["p"] >= 1 - CALLED_ALL]
    shares = listed([f"{STAGE_WORDS[row['stage']].lower()} in {row['p']:.0%}" for row in named])
    first = rows[0]
    over_conditions = "" if first["conditions"] == 1 else f", over {count(first['conditions'], 'condition')}"
    return (
        f"Measured again {first['draws']:,} times, with the scores of {count(first['drawn'], 'model')} drawn "
        f"anew{over_conditions}: {shares} of the draws."
    )


def stability_sentence(row: Mapping[str, Any]) -> str:
    """One sentence or two on a row of table `verdict_stability`."""
    rules = f"{row['draws']:,} sets of rules, each limit moved by up to {MOVED_BY:.0%}"
    if row["same"] >= CALLED_ALL:
        return f"On today's numbers the stage is the same under all of {rules}."
    stage = STAGE_WORDS[row["other"]].lower() if row["other"] else "another"
    share = (
        f"On today's numbers the stage is the same under {row['same']:.0%} of {rules}; the commonest other is {stage}."
    )
    if not row["hangs_on"]:
        return f"{share} No limit changes it alone."
    named = listed([name.replace("_", " ") for name in sorted(row["hangs_on"])])
    return f"{share} Moved alone by {MOVED_BY:.0%}, it is changed by: {named}."


Facts = Mapping[str, Any]
TITLES: Mapping[str, str] = {indicator.key: indicator.title for indicator in INDICATORS}

_MINUS = "\u2212"
_SCORES = frozenset(
    {"frontier", "frontier_shrunk", "human_margin", "constant_answer_margin", "forecast_6_months", "forecast_12_months"}
)
_YES = {
    "condition_stated": ("as reported", "stated"),
    "best_has_error": ("not known", "known"),
    "labels_public": ("not public", "public"),
}
_OVER = {"headroom": "item", "headroom_of_ceiling": "item", "human_margin": "item", "maker_premium": "model"}
"""What indicators rest on, as reasons say it."""
_PAIRS = ("resolution_top5", "resolution_top5_paired", "resolution_top5_clustered")
_OF_FEW = {**dict.fromkeys(_PAIRS, "pair"), "self_reported_share": "model"}
"""Shares that are said as counts, and of what."""
_HEADROOMS = frozenset({"headroom", "headroom_shrunk", "headroom_of_ceiling"})


def value_text(key: str, value: float | None, facts: Facts) -> str:
    """The value of an indicator in its unit: `16 months`, `0.3%`, `9 models`."""
    if value is None or isnan(value):
        return UNKNOWN
    unit = UNITS.get(key, "")
    if key in _YES:
        return _YES[key][value > 0]
    if key in ("human_margin", "constant_answer_margin") and is_bounded(facts["unit"]):
        return f"{_two_digits(value * 100)} points"
    if key in _SCORES:
        return score(value, facts["unit"])
    forms: Mapping[str, Callable[[float], str]] = {
        "share": percent,
        "months": _months,
        "points": lambda points: f"{_two_digits(points)} points",
        "times": lambda times: f"{_two_digits(times)} times",
        "a count": lambda number: f"{number:,.0f}",
    }
    form = next((form for start, form in forms.items() if unit.startswith(start)), _two_digits)
    return percent(value) if key in _HEADROOMS else form(value)


def interval_text(key: str, row: Facts, facts: Facts) -> str:
    """The 95% interval of an indicator in its unit; empty where there is none."""
    low, high = row["low"], row["high"]
    if low is None and high is None:
        return ""
    if low is None or high is None:
        end = value_text(key, high if low is None else low, facts)
        return f"up to {end}" if low is None else f"from {end}"
    if key in _HEADROOMS:
        return room_interval(low, high)
    if UNITS.get(key, "").startswith("share"):
        return percent_interval(low, high)
    ends = value_text(key, low, facts), value_text(key, high, facts)
    return f"{ends[0].removesuffix(' points')} to {ends[1]}"


def reasons_in_words(reasons: Iterable[Facts], indicators: Mapping[str, Facts], facts: Facts) -> list[str]:
    """The reasons of a verdict in words, each once: rows of `verdict_reason` in their order."""
    return list(dict.fromkeys(reason_sentence(rows, indicators, facts) for rows in verdicts.by_reason(reasons)))


def reason_sentence(rows: Sequence[Facts], indicators: Mapping[str, Facts], facts: Facts) -> str:
    """A reason of a verdict in words: what it means, then the indicators that it rests on, rounded.

    `rows` are its rows of `verdict_reason`.
    """
    row, meaning = rows[0], verdicts.reason_meaning(rows[0])
    if row["how"] in (BY_MARGIN, KEPT_OUT):
        return capital(_near_limit(row, facts, meaning))
    if not meaning:
        rests_on = indicators.get(row["indicator"])
        basis = f" ({row_sentence(rests_on, facts['unit'])})" if rests_on else ""
        return capital(f"{TITLES[row['indicator']].lower()} is not known{basis}")
    return capital(f"{meaning}: {'; '.join(ground for reason_row in rows for ground in _rests_on(reason_row, facts))}")


def _rests_on(row: Facts, facts: Facts) -> list[str]:
    """The indicators of one row of a reason, with their values; none where what it means says that one is lacking."""
    if row["indicator"] == "best_has_error":
        return []
    if row["indicator"] == "headroom" and row["value"] is None:
        return [verdicts.reason_numbers([row], _share)]
    other_row = {"value": row["other_value"], "low": None, "high": None, "n": None}
    first = [_value_of(row["indicator"], row, facts)]
    return first if row["other_indicator"] is None else [*first, _value_of(row["other_indicator"], other_row, facts)]


def _share(value: float, _decimals: int) -> str:
    return percent(value)


def _near_limit(row: Facts, facts: Facts, meaning: str) -> str:
    """A number so near to a limit that the side of last month counts: which side that is, and why."""
    key, limit = row["indicator"], f"{row['threshold']:g}"
    if key in _OF_FEW and row["n"]:
        limit = f"{row['threshold'] * row['n']:g} of {count(int(row['n']), _OF_FEW[key])}"
    elif key in _HEADROOMS or key == "human_margin":
        limit = percent(row["threshold"])
    value = verdicts.numbers_text(row, _share) if row["value"] is None else _value_of(key, row, facts)
    verb = "is still taken" if row["how"] == BY_MARGIN else "is not yet taken"
    return (
        f"{f'{meaning}: ' if meaning else ''}{value}, at or near the limit {row['side']} {limit}: there the side of "
        f"last month goes on, so it {verb} as within the limit, and one model does not move a verdict there and back"
    )


def _value_of(key: str, row: Facts, facts: Facts) -> str:
    value, interval = value_text(key, row["value"], facts), interval_text(key, row, facts)
    if key in _OF_FEW and row["value"] is not None and row["n"]:
        value = f"{round(row['value'] * row['n'])} of {count(int(row['n']), _OF_FEW[key])}"
    if key == "contamination_max_share" and row["n"]:
        value = f"{value}, the largest of {count(int(row['n']), 'measured share')}"
    population = f" over {count(int(row['n']), _OVER[key])}" if key in _OVER and row["n"] else ""
    return f"{TITLES[key].lower()} {value.lower()}{f' ({interval})' if interval else ''}{population}"


def _months(value: float) -> str:
    return f"{_MINUS if value <= -0.5 else ''}{months(abs(value))}"


def _two_digits(value: float) -> str:
    """Two significant digits; a number far below them is printed as below a limit."""
    size = abs(value)
    if size == 0:
        text = "0"
    elif size < 0.001:
        text = "below 0.001"
    elif size >= 10:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.2g}"
    return text.replace("-", _MINUS)
