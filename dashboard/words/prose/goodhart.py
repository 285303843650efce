"""A sentence for each case of a finding of table `goodhart`."""

from collections.abc import Mapping

from benchhealth.analytics.goodhart import (
    advances,
    concentration,
    correlation,
    cost,
    judges,
    premium,
    pressure,
    selection,
)
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.series.break_test import FEWEST_POINTS as POINTS_TO_BREAK
from benchhealth.dashboard.words.prose.template import Sentence


def _years(row: Row) -> str:
    """The years that are compared and the sources that report in all of them."""
    first, last = (f"{year:.0f}" for year in row["numbers"])
    return f"{first if first == last else f'{first} to {last}'}: {{names:list}}"


_OVER_PAIRS = "q = {numbers[0]:.3f} over {numbers[1]:i} pairs"
_OVER_ALL = "{numbers[0]:.2f} over all {numbers[1]:i} models"
_OF_FAMILY = "{numbers[0]:i} of {n} models are of the judge's family, against"
_JUDGES = f"{_OF_FAMILY} other judges of the same answers"
_HUMANS = f"{_OF_FAMILY} human votes ({judges.HUMANS})"

SENTENCES: Mapping[str, Sentence] = {
    "no_steps_with_errors": "no two steps of a running best have known errors",
    "steps_by_item": "of these {numbers[0]:i} would be within error were no items shared",
    "steps_left_out": "{numbers[0]:i} of {numbers[1]:i} steps left out: an error is not known",
    "few_steps": f"fewer than {advances.FEWEST_ADVANCES} steps with errors",
    "no_source_of_code": "no source on record says whether a model's code is public",
    "no_dated_entry": "no dated entry",
    "weights_known": "{numbers[0]:,.0f} of {numbers[1]:,.0f} are by models of which it is known",
    "same_sources": _years,
    "no_source_dates": "no source dates five results in a year",
    "entries_most_on": lambda row: (
        f"{{numbers[0]:,.0f}} entries, most on {{names[0]}} ({row['numbers'][1] / row['numbers'][0]:.0%})"
    ),
    "few_benchmarks": f"fewer than {premium.FEWEST_GROUPS} benchmarks with {premium.FEWEST_MATCHED} results each "
    "that differ",
    "few_groups": f"fewer than {premium.FEWEST_GROUPS} with {premium.FEWEST_MATCHED} results that differ",
    "few_benchmarks_entered": f"{{n}} benchmarks, {concentration.FEWEST_IN_YEAR} are needed",
    "few_organisations_entered": f"{{n}} organisations, {concentration.FEWEST_IN_YEAR} are needed",
    "no_leaderboard": (
        f"no leaderboard with known errors has {selection.FEWEST_ORGANISATIONS} organisations with "
        f"{selection.FEWEST_ENTRIES} entries"
    ),
    "few_could_be_first": "{numbers[0]:i} entries could have come first by chance, 4 are needed to shrink",
    "could_be_first": "{numbers[0]:i} of {n} entries could have come first by chance",
    "against_judges": _JUDGES,
    "against_humans": _HUMANS,
    "too_few_against_judges": f"too few to compare: {_JUDGES}",
    "too_few_against_humans": f"too few to compare: {_HUMANS}",
    "few_on_both_sides": (
        f"{{n}} models on both sides, {int(correlation.FEWEST_AT_FRONTIER / correlation.FRONTIER_SHARE)} are needed "
        f"for {correlation.FEWEST_AT_FRONTIER} at the frontier"
    ),
    "models_on_a_line": "the models up to {numbers[0]:.0f} do not differ, or lie on a line",
    correlation.BELOW: f"below the {_OVER_ALL}: range restriction alone does not explain it",
    correlation.NOT_BELOW: f"not clearly below the {_OVER_ALL}: range restriction can explain it",
    "no_priced_run": "no run with a cost is on record",
    "few_at_edge": f"fewer than {cost.FEWEST_ON_EDGE} of {{n}} runs are at the edge",
    "at_edge": "{numbers[0]:i} of {n} runs are at the edge",
    "few_points": f"{{n}} points, {POINTS_TO_BREAK} are needed",
    "few_days_to_part": "the models came on too few days to part them",
    "q_over_pairs": _OVER_PAIRS,
    "no_break_found": f"no break is found ({_OVER_PAIRS})",
    "no_lower_level": f"no lower level in points ({_OVER_PAIRS})",
    "broke_between": f"between {{on_day}} and {{until_day}} ({_OVER_PAIRS})",
    "no_line_of_points": "fewer than three points on both sides, or all equal on the proxy",
    "few_under_pressure": f"{{n}} benchmarks, {pressure.FEWEST_BENCHMARKS} are needed",
    "benchmarks_alike": "all benchmarks are alike",
    "no_matched_reports": "no model has both a self-reported and a third-party score",
    "of_rerun": "as on the benchmark's page: against {names[0]}, in one condition",
    "drawn_from": "drawn towards the common mean from {numbers[0]:.1f}",
    "over_benchmarks": "{numbers[0]:i} benchmarks",
}
