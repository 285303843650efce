"""A sentence for each case of an indicator: why it has no value, or what its value rests on."""

import re
from collections.abc import Mapping

from benchhealth.analytics.churn.noise import FEWEST_INCUMBENTS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.saturation.activity import RECENT_DAYS
from benchhealth.analytics.saturation.growth import (
    BURST,
    BURST_POINTS,
    BURST_RISE,
    CONTINUOUS,
    CURVE_POINTS,
    FEWEST_DAYS,
    FEWEST_MONTHS,
    STAGNANT,
)
from benchhealth.analytics.saturation.headroom import ANSWERS, EACH, REFUTED
from benchhealth.analytics.saturation.resolution import TENTH
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS
from benchhealth.analytics.statistics.winners_curse import SHRINK_AT_LEAST
from benchhealth.analytics.twins.tables import FEWEST_RERUN
from benchhealth.dashboard.words.prose.judged.ceilings import ASSUMED, ceiling
from benchhealth.dashboard.words.prose.record import PROPOSED
from benchhealth.dashboard.words.prose.template import Sentence
from benchhealth.dashboard.words.text import NO_RESULT

_BURST_TIME = f"{BURST_POINTS / CURVE_POINTS:.0%}"
GROWTH: Mapping[str, str] = {
    CONTINUOUS: "the best score rose over the whole time",
    BURST: (
        f"the best score was flat at first, then {BURST_RISE:.0%} of the rise or more came within {_BURST_TIME} of the "
        "time"
    ),
    STAGNANT: "the best score rose, then hardly any more",
}
"""The phrase for each class of growth of the best score."""

_LATE = "{numbers[2]:i} of {n} results date from the last third ({on_day} to {until_day})"


def _grew(row: Row) -> str:
    shares = (
        "{numbers[0]:%} of the rise came in the first two thirds of the time, {numbers[1]:%} in its fastest "
        f"{_BURST_TIME}"
    )
    return f"{{kind}}: {GROWTH[row['kind']]}; {shares}; {_LATE}"


def _breaks_wait(row: Row) -> str:
    """Kind, board, day and evidence of the first proposed break of each board."""
    return "; ".join(
        f"{{names[{index}]}} of {{names[{index + 1}]}} on {{names[{index + 2}]}}: {_spoke_for(row, index)}"
        for index in range(0, len(row["names"]), 4)
    )


def _spoke_for(row: Row, index: int) -> str:
    """The evidence of one break, with its places in the numbers of the whole row."""
    return re.sub(
        r"numbers\[(\d)\]", lambda match: f"numbers[{index + int(match[1])}]", PROPOSED[row["names"][index + 3]]
    )


_OF_TOP = {"maximum": ASSUMED, REFUTED: REFUTED}
"""The kinds of a top that is not the stated ceiling."""


def _scale_ends(bottom: str, row: Row) -> str:
    """Both ends of the scale, and whether the error is known."""
    basis, kind = (*row["names"], None)[:2]  # generations before this column have the first alone
    top = ceiling("{numbers[0]:score}", _OF_TOP.get(row["kind"], kind), basis and "{names[0]}")
    checked = (*row["numbers"], None)[3]  # generations before this one had no error of the ceiling
    if row["numbers"][2] is None:
        interval = "no interval, as the standard error is unknown"
    elif checked is None:
        interval = _OF_BEST
    else:
        interval = f"{_OF_BEST} and that of {{numbers[3]:i}} items checked for label errors"
    return f"ceiling {top}, {bottom} {{numbers[1]:score}}; {interval}"


_OF_BEST = "the interval holds the error of the best score"


def _human_line(row: Row) -> str:
    """The human score, and what of its error the interval of a margin over it holds."""
    line = "human baseline {numbers[0]:score}"
    if len(row["numbers"]) == 1 or row["numbers"][3] is None:
        return line
    _, people, items, _ = row["numbers"]
    known_numbers = [
        *([] if people is None else ["one person" if people == 1 else "{numbers[1]:i} people"]),
        *([] if items is None else ["{numbers[2]:i} items"]),
    ]
    assumed = [
        *([f"{ANSWERS} answers"] if people is None and items is None else []),
        *([f"{EACH} of each person"] if people is None or items is None else []),
    ]
    unknown = [f"taken as {', '.join(assumed)}, as no source says"] if assumed else []
    rests_on = "; ".join([*([" and ".join(known_numbers)] if known_numbers else []), *unknown])
    return f"{line} ({rests_on}); the interval holds the errors of both"


_BY_OTHERS = "; of what others than the makers measured"

OF_SATURATION: Mapping[str, Sentence] = {
    "breaks_wait": _breaks_wait,
    "no_result": "no model has a result",
    "no_dated_result": "all results were there at the first look: none has a date",
    "no_dated_results": "no model has a dated result",
    "open_ended": "the scale is open-ended",
    "chance_unknown": "chance level unknown",
    "ceiling_not_above_chance": "the ceiling does not lie above chance",
    "ceiling_is_worst": "the ceiling is the worst possible score",
    "few_to_shrink": f"fewer than {SHRINK_AT_LEAST} models near the best have a standard error",
    "above_chance": lambda row: _scale_ends("chance", row),
    "above_worst": lambda row: _scale_ends("worst possible score", row),
    "above_chance_by_others": lambda row: f"{_scale_ends('chance', row)}{_BY_OTHERS}",
    "above_worst_by_others": lambda row: f"{_scale_ends('worst possible score', row)}{_BY_OTHERS}",
    "no_constant_answer": "nobody is on record who tried an answer that is the same to every item",
    "constant_answer": "an answer that is the same to every item has {numbers[0]:score}, the best {numbers[1]:score}",
    "error_known": "an error of the best score is known",
    "error_and_items_unknown": "no error of the best score is stated, and the number of items is not known",
    "no_human_baseline": "no human baseline is documented",
    "human_of_other_tasks": "the human score that is documented is of other tasks than models answer",
    "human_not_passed": "the human baseline has not been passed",
    "human_passed_undated": "passed by a result that was there at the first look: no day is known",
    "human_passed": "human baseline {numbers[0]:score} passed on {on_day}",
    "human_baseline": _human_line,
    "fewer_than_two": "fewer than two models",
    "errors_of_top_unknown": "the standard error is not known for all of the top five",
    "pairs_differ": "{numbers[0]:i} of {n} pairs differ by more than their 95% error",
    "top_not_by_item": "the top five are not known item by item",
    "top_not_by_cluster": f"{FEWEST_CLUSTERS} clusters of items or more are not known for all of the top five",
    "pairs_differ_by_cluster": (
        "{numbers[0]:i} of {n} pairs differ by more than their 95% error if other clusters of items were drawn "
        "({numbers[1]:i} are there; a missing answer counts as wrong)"
    ),
    "pairs_differ_by_item": "{numbers[0]:i} of {n} pairs differ by more than their 95% error, item by item",
    "fewer_than_ten": f"fewer than {TENTH} models",
    "errors_of_best_and_tenth_unknown": "the standard error is not known for both the best and the tenth",
    "errors_are_zero": "the standard errors are stated as zero",
    "over_error": "of what error explains between the best and the tenth",
    "only_shares": "defined for scores between 0 and 1",
    "no_published_top": "no paper was read for its highest score",
    "published_top_missing": (
        "papers print {numbers[0]:r3} ({names[0]}); the best that a board or collection here holds is {numbers[1]:r3}"
    ),
    "published_top_alone": "papers print {numbers[0]:r3} ({names[0]}); no board or collection here has a result of it",
    "published_top_listed": "papers print {numbers[0]:r3}; a board or collection here holds {numbers[1]:r3}",
    "outside_shares": "scores outside 0 to 1",
    "fewer_than_five": "fewer than five models",
    "items_unknown": "the number of items is unknown",
    "errors_of_first_and_fifth_unknown": "the standard errors of the first and the fifth model are not both known",
    "ratings_move": "ratings move with the whole board",
    "few_days": f"results of fewer than {FEWEST_DAYS} days",
    "few_months": f"less than {FEWEST_MONTHS:.0f} months from the first result to the last look",
    "no_curve": "the best score over time is not known",
    "grew": _grew,
    "never_rose": f"{{kind}}: no later result beat the first; {_LATE}",
    "newest_result": "newest result {on_day}; data to {known_until}",
    "never_looked_at": "none of its sources was ever read",
    "known_until": "data to {known_until}",
    "errors_of_steps_unknown": "the standard error is not known for every step of the best score",
    "best_undated": "the best result was there at the first look: no day is known",
    "within_error_since": "within error of the best since {on_day}; data to {known_until}",
    "tries_since": "{n} results of models first measured after {on_day}, none of them an advance beyond error",
    "release_unknown": "release date unknown",
    "no_source": NO_RESULT,
    "not_yet_released": "not released when its sources were last read",
    "released": "released {on_day}",
    "reporter_unknown": "of no result is it known who reported it",
    "listed_by_maker": "{numbers[0]:i} of {n} listed models",
    "under_condition": "condition: {names[0]}",
    "another_condition": "models under {names[0]}: {numbers[0]:i}; under {names[1]}: {numbers[1]:i}",
    "no_document": f"no document of the last {RECENT_DAYS} days is known",
    "not_mentioned": "none of the documents read mentions it, which is weak evidence that none does",
    "mentioned_by": "{names:list}",
    "never_mentioned": "no maker's document that was read mentions it",
    "last_mentioned": "last mentioned {on_day} by {names[0]}",
}

_OF_RUNNER = "those that {names[0]:or the other source} lists, over {n} models"

OF_OTHERS: Mapping[str, Sentence] = {
    "no_comparable_snapshots": "no two comparable snapshots in the last 12 months",
    "summed_over": "summed over {n} comparisons of {other_id}, {numbers[0]:i} places by newcomers",
    "noise_unknown": f"noise of changes is unknown: fewer than {FEWEST_INCUMBENTS} models are listed on both days",
    "noise_alone": (
        "over {n} comparisons {numbers[0]:r3} were exchanged, noise of changes alone would give {numbers[1]:r3}; "
        "{numbers[2]:i} newcomers are left out"
    ),
    "ratings_recomputed": "ratings are recomputed by design",
    "scores_move": "scores move as the test goes on: no move is an edit",
    "seen_once": "no result was seen in two snapshots",
    "no_twin": "no twin is known: a rerun of the same items is none",
    "none_on_both_sides": "no model was measured on both sides of the twin",
    "against_twin": "points against {other_id} ({kind:words})",
    "no_twin_anew": "no twin of new items, a fresh sample or a live split",
    "no_residual_tested": "no residual of this twin could be tested",
    "higher_than_twin": "{numbers[0]:i} of {n} results are lower on {other_id} than their score here leads to expect",
    "no_rerun": "no independent rerun of what makers report is known",
    "few_rerun": f"fewer than {FEWEST_RERUN} models have both a maker's and a rerun",
    "makers_above": f"makers' numbers are {{value:size}} points above {_OF_RUNNER}",
    "makers_below": f"makers' numbers are {{value:size}} points below {_OF_RUNNER}",
    "not_stitched": "shares too few models with other benchmarks to be placed on a common scale",
    "best_has_capability": "the best model has capability {numbers[0]:r2}",
    "within_range": "the best model is within its range or below",
    "left_range": "left on {on_day:or an unknown day}, by the first result of {names[0]}",
}
