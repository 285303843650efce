"""A sentence for each case of a forecast: what it rests on, or why there is none."""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.analytics.forecast.basis import OF_CHANCE, OF_EITHER, OF_SCORE, Display
from benchhealth.analytics.forecast.table import MONTHS_AHEAD, USED_UP_AT, WIDEST
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.forecasts import past_event, unconditional_skill_sentence
from benchhealth.dashboard.words.prose.template import Sentence
from benchhealth.dashboard.words.text import count

_PLACE_OF_LOW = len(OF_EITHER) + len(OF_SCORE) + len(OF_CHANCE)
"""The place in `numbers` of the lower end of an interval that is too wide."""


class _Basis(NamedTuple):
    """What a forecast rests on, each number by its name: both parts together, the score, and the chance."""

    either: Mapping[str, float]
    score: Mapping[str, float]
    chance: Mapping[str, float]


def _basis(row: Row) -> _Basis:
    numbers, first_of_score = row["numbers"], len(OF_EITHER)
    score, chance = (
        numbers[first_of_score : first_of_score + len(OF_SCORE)],
        numbers[first_of_score + len(OF_SCORE) : _PLACE_OF_LOW],
    )
    return _Basis(
        dict(zip(OF_EITHER, numbers[:first_of_score], strict=True)),
        dict(zip(OF_SCORE, score, strict=True)),
        dict(zip(OF_CHANCE, chance, strict=True)),
    )


def _score(row: Row) -> str:
    """What is known of such forecasts of the score on this kind of benchmarks."""
    code, numbers = row["names"][0], _basis(row).score
    if code == "few_outcomes":
        return "too few outcomes are known of benchmarks {kind}"
    evidence = (
        f"{past_event(row['kind'])} the skill over no change was {numbers['skill']:.2f} "
        f"({numbers['skill_low']:.2f} to {numbers['skill_high']:.2f}, {count(int(numbers['n']), 'forecast')} of "
        f"{count(int(numbers['n_benchmarks']), 'benchmark')} {{kind}})"
    )
    if code == "skill":
        return f"{evidence}, and too few outcomes are known for the coverage of an interval"
    return (
        f"{evidence}, and 80% intervals held {numbers['coverage80']:.0%} of outcomes, "
        f"{numbers['coverage80_moved']:.0%} of those that moved"
    )


_BY_TESTING = "by how often and how lately somebody tested"


def _chance(row: Row) -> str:
    """Where the chance is from on this kind of benchmarks, or why none is given; empty of a day that has passed."""
    code, numbers = row["names"][1], _basis(row).chance
    if not code:
        return ""
    if code == "untested":
        return "; no chance is given, as too few outcomes are known to test one"
    evidence = (
        f"Brier score {numbers['brier']:.2f} against {numbers['brier_of_base_rate']:.2f}, skill "
        f"{numbers['skill']:.2f}, "
        f"{numbers['skill_low']:.2f} to {numbers['skill_high']:.2f}, {numbers['n']:,.0f} chances on "
        f"{numbers['n_benchmarks']:,.0f} benchmarks"
    )
    if code == "better":
        return f"; the chance is {_BY_TESTING}, which has proven better than one rate for all ({evidence})"
    return f"; no chance is given, as one {_BY_TESTING} has not proven better than one rate for all ({evidence})"


def why_not(row: Row) -> str:
    """Why a score is not forecast, after `Not forecast:` or `no forecast:`."""
    state = row["names"][2]
    if state == Display.PASSED:
        return "it would be of {until_day}, a day that has passed, as nothing later than {on_day} is known"
    if state == Display.ANYWHERE:
        return (
            f"the best could be anywhere: {_IF_TESTED}, four of five such cases lie between "
            f"{{numbers[{_PLACE_OF_LOW}]:score}} and {{numbers[{_PLACE_OF_LOW + 1}]:score}}, more than {WIDEST:.0%} "
            f"of the way from chance to the ceiling; {_score(row)}{_chance(row)}"
        )
    return f"{_score(row)}: not enough for a forecast{_chance(row)}; by what was known on {{on_day}}"


def _forecast(row: Row) -> str:
    """What it is worth without its condition, then the condition, and what it is worth with it."""
    return f"{unconditional_skill_sentence(_basis(row).either, row['kind'])}; {_IF_TESTED}: {_score(row)}{_chance(row)}"


_IF_TESTED = "if a stronger model is tested between {on_day} and {until_day}"
_NOT_USED_UP = (
    f"at the expected rate the headroom does not fall below {USED_UP_AT:.0%} within {MONTHS_AHEAD / 12:.0f} years"
)


def _far_off(row: Row) -> str:
    soonest = (
        "" if row["numbers"][0] is None else "; one forecast in ten says within {numbers[0]:.0f} months of {on_day}"
    )
    return f"{_NOT_USED_UP}{soonest}"


WITHOUT = "a part of a benchmark, no dated results within a year, fewer than five, or the ceiling is passed"

SENTENCES: Mapping[str, Sentence] = {
    "no_forecast": f"no forecast: {WITHOUT}",
    "forecast_not_shown": lambda row: f"no forecast: {why_not(row)}",
    "forecast": _forecast,
    "far_off": _far_off,
    "every_year_from": (
        "if a stronger model is tested every year from {on_day}; no upper end means beyond "
        f"{MONTHS_AHEAD / 12:.0f} years"
    ),
}
