"""What is said of the rules of verdicts: their definitions, and a sentence for each reason of a verdict.

A sentence states what was measured or documented, never what anybody did. It is made of rows of the table
`verdict_reason` alone, and of the sentences of the indicators that they rest on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.reasons import BY_MARGIN, DENIED, KEPT_OUT
from benchhealth.analytics.verdict.rule import Comparison, Rule, Unknown
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.words.prose.template import published_number

Number = Callable[[float, int], str]
"""How a number of a sentence is written, given how many decimals it bears."""

OPPOSITE = {"below": "not below", "at most": "above", "above": "not above", "at least": "below"}


class MeasureWords(NamedTuple):
    """The words for a measure that rules compare.

    `name` stands in definitions, with keys of indicators in backticks and `{threshold}` for a number of `Thresholds`.
    `shown` are templates for a row's own numbers; the first is used whose numbers are all known.
    """

    name: str
    shown: tuple[str, ...]
    decimals: int = 3


_OF_INTERVAL = "headroom is {value} (95% interval {low} to {high})"


def _lower_end(key: str, decimals: int, *otherwise: str) -> MeasureWords:
    template = f"{key} is {{value}} and the lower end of its 95% interval is {{low}}"
    return MeasureWords(f"the lower end of the interval of `{key}`", (template, *otherwise), decimals)


MEASURED: Mapping[str, MeasureWords] = {
    "headroom_max": MeasureWords(
        "`headroom` (where the chance level is unknown: as if it were {highest_chance:g})",
        (
            _OF_INTERVAL,
            "headroom is {value}",
            "headroom is no more than {compared} even if the chance level is {chance}",
        ),
    ),
    "headroom_min": MeasureWords(
        "`headroom` (where the chance level is unknown: as if it were the worst possible score)",
        (_OF_INTERVAL, "headroom is {value}", "headroom may be as small as {compared}"),
    ),
    "headroom_max.high": MeasureWords(
        "the upper end of the interval of `headroom` (where the chance level is unknown: as if it were "
        "{highest_chance:g})",
        (
            "headroom is {value} and the upper end of its 95% interval is {high}",
            "the upper end of the 95% interval of headroom is {compared} even if the chance level is {chance}",
        ),
    ),
    "human_margin.low": _lower_end("human_margin", 3),
    "human_margin_low": _lower_end("human_margin", 3, "human_margin is {value}, its error not known")._replace(
        name="the lower end of the interval of `human_margin` (where no error is known: the margin itself)"
    ),
    "spread_top10": MeasureWords("`spread_top10`", ("spread_top10 is {value}",), decimals=2),
    "months_since_release": MeasureWords(
        "`age_months` plus `months_since_look`",
        (
            "it was released {compared} months before the assessment (age_months {value}, months_since_look "
            "{other_value})",
        ),
        decimals=1,
    ),
    "months_without_advance": MeasureWords(
        "`months_since_advance` minus `months_since_result`",
        (
            "results came in for {compared} months after the last advance (months_since_advance {value}, "
            "months_since_result {other_value})",
        ),
        decimals=1,
    ),
    "months_since_result": MeasureWords(
        "`months_since_result`",
        (
            "the newest dated result was {compared} months old when a source was last read (months_since_result "
            "{value})",
        ),
        decimals=1,
    ),
    "makers_known": MeasureWords(
        "`makers_mentioning_12m` (where no document is known: 0)",
        ("makers_mentioning_12m is {value}", "makers_mentioning_12m is not known and counts as {compared}"),
        decimals=0,
    ),
    "twin_gap.low": _lower_end("twin_gap", 2),
    "maker_premium.low": _lower_end("maker_premium", 2),
}
"""The measures that are not an indicator under its own name with three decimals."""

DECIMALS: Mapping[str, int] = {
    "proposed_breaks": 0,
    "models_elsewhere": 0,
    "condition_stated": 0,
    "best_has_error": 0,
    "n_models": 0,
    "tries_since_advance": 0,
    "turnover_excess_12m": 2,
    "months_since_look": 1,
}

MEANING: Mapping[str, str] = {
    "undecided": "what came since may be another measurement; nothing is computed across it until a curator decides",
    "outdone": "an answer that is the same to every item beats every model, so what scores measure is not known",
    "uncompared": "results that could be compared were measured under another condition than the one that counts",
    "unstated": "the results are taken as reported, without knowing whether tools, agents or several attempts helped",
    "few": "too few models to judge the top of the leaderboard",
    "young": "too new to judge",
    "exhausted": "hardly anything of the scale is left, also when errors count",
    "nearly_exhausted": "hardly anything of the scale is left",
    "surely_narrow_all_told": "little of the scale is left, also when errors count",
    "surely_narrow": "little of the scale is left",
    "narrow": "little of the scale may be left",
    "not_wide": "part of the scale is left",
    "unweighed": "whether it is saturated cannot be judged, as neither an error nor the number of its items is known",
    "human_passed": "the best model is better than the human baseline",
    "human_reached": "the best model is at the human baseline or above",
    "unresolved": "the top five cannot be put in order",
    "crowded": "the top five can hardly be put in order",
    "no_spread": "whether strong and weak models differ by more than their errors cannot be said",
    "bunched": "not even the best and the tenth differ beyond error",
    "stalled": "new models did not improve the best score beyond error",
    "dormant": "no source has a later result, and no maker's card that was read mentions it",
    "contaminated": "contamination is documented, rung 2 of the ladder of evidence",
    "gap": "models score higher here than on the twin",
    "premium": "makers' numbers are higher than independent runs of the same benchmark",
    "unstable": "models that stay listed exchange places of the top ten by more than noise explains",
    "self_reported": "most models' best results are reported by their makers",
    "stale": "what its sources say now was not read",
}
"""What it means that a rule holds; that of an indicator which is not known needs no more words."""

DENIED_MEANING: Mapping[str, str] = {
    "not_wide": "much of the scale is left",
    "crowded": "models of the top five differ by more than their errors",
    "bunched": "models of different strength differ by more than their errors",
}
"""What it means that neither a rule holds nor a stricter one."""


def definition(rule: Rule, limits: Thresholds) -> str:
    """The condition in words, such as `headroom is below 0.25 ± 0.02`; `±` gives the margin of a threshold."""
    return " and ".join(_defined(test, limits) for test in rule.tests)


def _defined(test: Comparison | Unknown, limits: Thresholds) -> str:
    if isinstance(test, Unknown):
        return f"`{test.indicator}` is not known"
    margin = "" if test.margin is None else f" ± {getattr(limits, test.margin):g}"
    threshold = 0.0 if test.threshold is None else float(getattr(limits, test.threshold))
    name = measure_words(test.measure.column).name.format(**vars(limits))
    return f"{name} is {test.side} {threshold:g}{margin}"


def measure_words(measure: str) -> MeasureWords:
    """The name of a measure and the templates of its numbers; from its column where none are declared."""
    plain = MeasureWords(f"`{measure}`", (f"{measure} is {{value}}",), DECIMALS.get(measure, 3))
    return MEASURED.get(measure, plain)


def by_reason(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    """Rows of `verdict_reason`, those of each reason together."""
    for _, of_reason in groupby(rows, key=lambda row: (row["benchmark_id"], row["place"])):
        yield list(of_reason)


def sentence(rows: Sequence[Row], bases: Mapping[str, str | None]) -> str:
    """The published sentence of one reason; `rows` are its rows, `bases` what the indicators rest on, by key."""
    row = rows[0]
    means = reason_meaning(row)
    return f"{reason_numbers(rows)}{f': {means}' if means else ''}{_basis_note(row, bases)}"


def reason_meaning(row: Row) -> str:
    """What a reason means; empty where only the margin keeps a rule from holding, or where its words say it all."""
    if row["how"] == KEPT_OUT:
        return ""
    return (DENIED_MEANING if row["how"] == DENIED else MEANING).get(row["rule"], "")


def reason_numbers(rows: Sequence[Row], number: Number = published_number) -> str:
    """The numbers of a reason, and on which side of which thresholds they are."""
    return f"{', and '.join(_reason_part(row, number) for row in rows)}{_but_not_stricter(rows, number)}"


def _reason_part(row: Row, number: Number) -> str:
    if row["side"] == "unknown":
        return f"{row['indicator']} is not known"
    return f"{numbers_text(row, number)}, {_threshold_side(row, number)}"


def numbers_text(row: Row, number: Number = published_number) -> str:
    """The numbers of one row of reasons, in words. Raises ValueError where one that the words need is null."""
    words = measure_words(row["measure"])
    numbers = {name: row[name] for name in ("value", "low", "high", "other_value", "compared", "chance")}
    written = {name: number(value, words.decimals) for name, value in numbers.items() if value is not None}
    for template in words.shown:
        try:
            return template.format(**written)
        except KeyError:
            continue
    raise ValueError(f"no words for {row['measure']} of {row['benchmark_id']}: a number of it is not known")


def _threshold_side(row: Row, number: Number) -> str:
    decided_by, limit = row["how"], _limit(row["threshold"], number)
    side = f"{row['side']} {limit}"
    if decided_by in (BY_MARGIN, KEPT_OUT):
        before = f"it was {'' if decided_by == BY_MARGIN else 'not '}at the end of last month"
        why = f"{before}, and it is past the limit by no more than {_limit(row['margin'], number)}"
        return f"{'still' if decided_by == BY_MARGIN else 'not yet'} counted as {side} ({why})"
    if decided_by == DENIED:
        side = f"{OPPOSITE[row['side']]} {limit}"
    seems_equal = round(row["compared"], measure_words(row["measure"]).decimals) == row["threshold"]
    return f"just {side}" if seems_equal and side.startswith(("below", "above")) else side


def _but_not_stricter(rows: Sequence[Row], number: Number) -> str:
    """A clause that the stricter threshold for the same number is not reached."""
    with_stricter = [row for row in rows if row["stricter"] is not None]
    return "".join(f" but {OPPOSITE[row['side']]} {_limit(row['stricter'], number)}" for row in with_stricter)


def _limit(value: float, number: Number) -> str:
    return f"{value:g}" if number is published_number else number(value, 3)


def _basis_note(row: Row, bases: Mapping[str, str | None]) -> str:
    notes = [bases.get(key) for key in row["rests_on"] or ()]
    if row["how"] == KEPT_OUT or not notes or None in notes:
        return ""
    return f" ({'; '.join(text for text in notes if text)})"
