"""A sentence for each case of a forecast: what it rests on, or why there is none."""

from collections.abc import Mapping

from benchhealth.analytics.forecast.table import MONTHS_AHEAD, OF_CHANCE, OF_SCORE, USED_UP_AT
from benchhealth.dashboard.words.prose.template import Row, Sentence


def _numbers(row: Row) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """What the score and what the chance rest on, by name."""
    at = len(OF_SCORE)
    score, chance = row["numbers"][:at], row["numbers"][at:]
    return dict(zip(OF_SCORE, score, strict=True)), dict(zip(OF_CHANCE, chance, strict=True))


def _score(row: Row) -> str:
    """What is known of such forecasts of the score on this kind of benchmarks."""
    code, (of, _) = row["names"][0], _numbers(row)
    if code == "no_capability":
        return "benchmarks {kind} have no capability to go by: only the last best score could be repeated"
    if code == "few_outcomes":
        return "too few outcomes are known of benchmarks {kind}"
    evidence = (
        f"where a stronger model was tested the skill over persistence was {of['skill']:.2f} ({of['skill_low']:.2f} to "
        f"{of['skill_high']:.2f}, {of['n']:.0f} forecasts of {of['n_benchmarks']:.0f} benchmarks {{kind}})"
    )
    if code == "skill":
        return f"{evidence}, and too few outcomes are known for an interval"
    return (
        f"{evidence}, and 80% intervals held {of['coverage80']:.0%} of outcomes, {of['coverage80_moved']:.0%} of those "
        "that moved"
    )


def _chance(row: Row) -> str:
    """Where the chance is from on this kind of benchmarks; empty where none is given."""
    code, (_, of) = row["names"][1], _numbers(row)
    if not code:
        return ""
    if code == "untested":
        return "; the chance is how often it happened before, as too few outcomes are known to test another"
    evidence = (
        f"Brier score {of['brier']:.2f} against {of['brier_of_base_rate']:.2f}, skill {of['skill']:.2f}, "
        f"{of['skill_low']:.2f} to {of['skill_high']:.2f}, {of['n']:.0f} chances on {of['n_benchmarks']:.0f} benchmarks"
    )
    if code == "regression":
        return f"; the chance is by regression, which has proven better than how often it happened before ({evidence})"
    return f"; the chance is how often it happened before, as a regression has not proven better ({evidence})"


def why_not(row: Row) -> str:
    """Why a score is not forecast, after `Not forecast:` or `no forecast:`."""
    return f"{_score(row)}: not enough for a forecast{_chance(row)}; by what was known until {{on_day}}"


def _given(row: Row) -> str:
    return f"{_score(row)}{_chance(row)}"


_IF_TESTED = "if a stronger model is tested between {on_day} and {until_day}"
_FAR = f"at the expected rate the headroom does not fall below {USED_UP_AT:.0%} within {MONTHS_AHEAD / 12:.0f} years"


def _far_off(row: Row) -> str:
    soonest = (
        "" if row["numbers"][0] is None else "; one forecast in ten says within {numbers[0]:.0f} months of {on_day}"
    )
    return f"{_FAR}{soonest}"


WITHOUT = "a part of a benchmark, no dated results within a year, fewer than five, or the ceiling is passed"

WHY_NOT: Mapping[str, Sentence] = {"no_forecast": WITHOUT, "forecast_not_shown": why_not}
"""Why there is no forecast, where that there is none has been said."""

SENTENCES: Mapping[str, Sentence] = {
    "no_forecast": f"no forecast: {WITHOUT}",
    "forecast_not_shown": lambda row: f"no forecast: {why_not(row)}",
    "forecast": lambda row: f"{_IF_TESTED}; {_given(row)}",
    "forecast_of_passed_day": lambda row: (
        f"{_IF_TESTED}; a day that has passed, as nothing later than {{on_day}} is known; {_given(row)}"
    ),
    "far_off": _far_off,
    "every_year_from": (
        "if a stronger model is tested every year from {on_day}; no upper end means beyond "
        f"{MONTHS_AHEAD / 12:.0f} years"
    ),
}
