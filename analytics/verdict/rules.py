"""The rules of the verdicts: which conditions there are, and which of them make a stage or a flag.

This is their only home: verdicts, their reasons and the Methods page are made of it. After a change of a test raise
`RULES_VERSION`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.analytics.verdict.rule import Comparison, Measure, Rule, Unknown

_OF_INTERVAL = "{headroom} (95% interval {headroom.low} to {headroom.high})"
HEADROOM_MAX = Measure(
    "headroom_max",
    "`headroom` (where the chance level is unknown: as if it were {highest_chance:g})",
    (
        f"headroom is {_OF_INTERVAL}",
        "headroom is {headroom}",
        "headroom is no more than {headroom_max} even if the chance level is {highest_chance}",
    ),
)
HEADROOM_MIN = Measure(
    "headroom_min",
    "`headroom` (where the chance level is unknown: as if it were the worst possible score)",
    (
        f"headroom is {_OF_INTERVAL}",
        "headroom is {headroom}",
        "headroom may be as small as {headroom_min}",
    ),
)
HEADROOM_HIGH = Measure(
    "headroom_max.high",
    "the upper end of the interval of `headroom` (where the chance level is unknown: as if it were {highest_chance:g})",
    (
        "headroom is {headroom} and the upper end of its 95% interval is {headroom.high}",
        "the upper end of the 95% interval of headroom is {headroom_max.high} even if the chance level is "
        "{highest_chance}",
    ),
)
HUMAN_MARGIN_LOW = Measure(
    "human_margin.low",
    "the lower end of the interval of `human_margin`",
    ("human_margin is {human_margin} and the lower end of its 95% interval is {human_margin.low}",),
)
HUMAN_MARGIN = Measure(
    "human_margin_low",
    "the lower end of the interval of `human_margin` (where no error is known: the margin itself)",
    (
        "human_margin is {human_margin} and the lower end of its 95% interval is {human_margin.low}",
        "human_margin is {human_margin}, its error not known",
    ),
)
SPREAD = Measure("spread_top10", "`spread_top10`", ("spread_top10 is {spread_top10}",), decimals=2)
RESOLUTION = Measure("resolution_top5", "`resolution_top5`", ("resolution_top5 is {resolution_top5}",))


def _plain(key: str, decimals: int) -> Measure:
    return Measure(key, f"`{key}`", (f"{key} is {{{key}}}",), decimals)


def _about_headroom(name: str, measure: Measure, threshold: str, meaning: str, otherwise: str = "") -> Rule:
    test = Comparison(measure, "below", threshold, "headroom_margin")
    return Rule(name, (test,), meaning, about="headroom", note="{headroom_min.reason}", otherwise=otherwise)


def _about_resolution(name: str, threshold: str, meaning: str, otherwise: str = "") -> Rule:
    test = Comparison(RESOLUTION, "at most", threshold, "pairs_margin")
    return Rule(name, (test,), meaning, about="resolution", note="{resolution_top5.reason}", otherwise=otherwise)


UNDECIDED = Rule(
    "undecided",
    (Comparison(_plain("proposed_breaks", 0), "above", None),),
    "what came since may be another measurement, and nothing is computed across it until a curator decides",
    about="proposed break",
    note="{proposed_breaks.reason}",
)
UNCOMPARED = Rule(
    "uncompared",
    (Comparison(_plain("models_elsewhere", 0), "at least", "min_models"),),
    "results that could be compared were measured under another condition than the one that counts",
    about="condition",
    note="{models_elsewhere.reason}",
)
UNSTATED = Rule(
    "unstated",
    (Comparison(_plain("condition_stated", 0), "at most", None),),
    "the results are taken as reported, without knowing whether tools, agents or several attempts helped",
    about="condition",
)
FEW = Rule(
    "few",
    (Comparison(_plain("n_models", 0), "below", "min_models"),),
    "too few models to judge the top of the leaderboard",
    about="models",
)
UNDATED = Rule(
    "undated",
    (Unknown("months_since_result", "months_since_result"),),
    about="newest result",
    note="{months_since_result.reason}",
)
YOUNG = Rule(
    "young",
    (
        Comparison(
            Measure(
                "months_since_release",
                "`age_months` plus `months_since_look`",
                (
                    "it was released {months_since_release} months before the assessment (age_months {age_months}, "
                    "months_since_look {months_since_look})",
                ),
                decimals=1,
            ),
            "below",
            "young_months",
        ),
    ),
    "too new to judge",
    about="age",
)
NO_HEADROOM = Rule("no_headroom", (Unknown("headroom_min", "headroom"),), about="headroom", note="{headroom.reason}")
EXHAUSTED = _about_headroom(
    "exhausted", HEADROOM_HIGH, "exhausted_headroom", "hardly anything of the scale is left, also when errors count"
)
NEARLY_EXHAUSTED = _about_headroom(
    "nearly_exhausted", HEADROOM_MAX, "exhausted_headroom", "hardly anything of the scale is left"
)
SURELY_NARROW_ALL_TOLD = _about_headroom(
    "surely_narrow_all_told", HEADROOM_HIGH, "narrow_headroom", "little of the scale is left, also when errors count"
)
SURELY_NARROW = _about_headroom("surely_narrow", HEADROOM_MAX, "narrow_headroom", "little of the scale is left")
NARROW = _about_headroom("narrow", HEADROOM_MIN, "narrow_headroom", "little of the scale may be left")
NOT_WIDE = _about_headroom(
    "not_wide", HEADROOM_MIN, "wide_headroom", "part of the scale is left", otherwise="much of the scale is left"
)
HUMAN_PASSED = Rule(
    "human_passed",
    (Comparison(HUMAN_MARGIN_LOW, "above", None, "headroom_margin"),),
    "the best model is better than the human baseline",
    about="human baseline",
    note="{human_margin.reason}",
)
HUMAN_REACHED = Rule(
    "human_reached",
    (Comparison(HUMAN_MARGIN, "at least", "human_below"),),
    "the best model is at the human baseline or above",
    about="human baseline",
    note="{human_margin.reason}",
)
NO_RESOLUTION = Rule(
    "no_resolution",
    (Unknown("resolution_top5", "resolution_top5"),),
    about="resolution",
    note="{resolution_top5.reason}",
)
UNRESOLVED = _about_resolution("unresolved", "unresolved_pairs", "the top five cannot be put in order")
CROWDED = _about_resolution(
    "crowded",
    "crowded_pairs",
    "the top five can hardly be put in order",
    otherwise="models of the top five differ by more than their errors",
)
NO_SPREAD = Rule(
    "no_spread",
    (Unknown("spread_top10", "spread_top10"),),
    "whether strong and weak models differ by more than their errors cannot be said",
    about="spread",
    note="{spread_top10.reason}",
)
BUNCHED = Rule(
    "bunched",
    (Comparison(SPREAD, "at most", "spread", "spread_margin"),),
    "not even the best and the tenth can be told apart",
    about="spread",
    note="{spread_top10.reason}",
    otherwise="models of different strength differ by more than their errors",
)
STALLED = Rule(
    "stalled",
    (
        Comparison(
            Measure(
                "months_without_advance",
                "`months_since_advance` minus `months_since_result`",
                (
                    "results came in for {months_without_advance} months after the last advance "
                    "(months_since_advance {months_since_advance}, months_since_result {months_since_result})",
                ),
                decimals=1,
            ),
            "at least",
            "stalled_months",
        ),
        Comparison(_plain("tries_since_advance", 0), "at least", "stalled_models"),
    ),
    "new models did not improve the best score beyond error",
    about="advances",
    note="{months_since_advance.reason}",
)
DORMANT = Rule(
    "dormant",
    (
        Comparison(
            Measure(
                "months_since_result",
                "`months_since_result`",
                (
                    "the newest dated result was {months_since_result} months old when a source was last looked at "
                    "(months_since_result {months_since_result})",
                ),
                decimals=1,
            ),
            "above",
            "dormant_months",
        ),
        Comparison(
            Measure(
                "makers_known",
                "`makers_mentioning_12m` (where no document is known: 0)",
                (
                    "makers_mentioning_12m is {makers_mentioning_12m}",
                    "makers_mentioning_12m is not known and counts as {makers_known}",
                ),
                decimals=0,
            ),
            "below",
            "makers_mentioning",
        ),
    ),
    "no source has a later result, and no maker's card that was read mentions it",
    about="dormant",
    note="{months_since_result.reason}",
)
CONTAMINATED = Rule(
    "contaminated",
    (Comparison(_plain("contamination_max_share", 3), "at least", "contaminated_share"),),
    "contamination is documented, rung 2 of the ladder of evidence",
    about="contaminated",
    note="{contamination_max_share.reason}",
)
GAP = Rule(
    "gap",
    (
        Comparison(
            Measure(
                "twin_gap.low",
                "the lower end of the interval of `twin_gap`",
                ("twin_gap is {twin_gap} and the lower end of its 95% interval is {twin_gap.low}",),
                decimals=2,
            ),
            "above",
            None,
        ),
        Comparison(_plain("twin_flagged_share", 3), "at least", "twin_flagged_share"),
    ),
    "models score higher here than on the twin",
    about="gap",
    note="{twin_flagged_share.reason}",
)
PREMIUM = Rule(
    "premium",
    (
        Comparison(
            Measure(
                "maker_premium.low",
                "the lower end of the interval of `maker_premium`",
                ("maker_premium is {maker_premium} and the lower end of its 95% interval is {maker_premium.low}",),
                decimals=2,
            ),
            "above",
            None,
        ),
    ),
    "makers' numbers are higher than independent runs of the same benchmark",
    about="premium",
    note="{maker_premium.reason}",
)
UNSTABLE = Rule(
    "unstable",
    (Comparison(_plain("turnover_excess_12m", 2), "at least", "turnover_excess"),),
    "the top ten changes more than noise explains",
    about="unstable",
    note="{turnover_excess_12m.reason}",
)
SELF_REPORTED = Rule(
    "self_reported",
    (Comparison(_plain("self_reported_share", 3), "above", "self_reported_share"),),
    "most results are reported by the makers of the models",
    about="self_reported",
    note="{self_reported_share.reason}",
)
STALE = Rule(
    "stale",
    (Comparison(_plain("months_since_look", 1), "above", "stale_months"),),
    "what its sources say now was not looked at",
    about="stale",
    note="{months_since_look.reason}",
)

FLAG_RULES = (DORMANT, CONTAMINATED, GAP, PREMIUM, UNSTABLE, SELF_REPORTED, STALE)
"""One rule for each flag, which has its name, in the order of the flags."""

REMARKS = (UNSTATED, NARROW)
"""Rules that make no stage and no flag: a verdict says that they hold."""

RULES = (
    UNDECIDED,
    *(UNCOMPARED, UNSTATED),
    *(FEW, UNDATED, YOUNG),
    *(NO_HEADROOM, EXHAUSTED, NEARLY_EXHAUSTED, SURELY_NARROW_ALL_TOLD, SURELY_NARROW, NARROW, NOT_WIDE),
    *(HUMAN_PASSED, HUMAN_REACHED),
    *(NO_RESOLUTION, UNRESOLVED, CROWDED),
    *(NO_SPREAD, BUNCHED),
    STALLED,
    *FLAG_RULES,
)
"""Every rule, in the order of the reasons; those about the same thing from the strictest to the mildest."""


class Case(NamedTuple):
    """One way into a stage: its code, and the rules that all hold."""

    code: str
    rules: tuple[Rule, ...]


STAGE_RULES: tuple[tuple[str, tuple[Case, ...]], ...] = (
    (
        "unknown",
        (
            Case("proposed_break", (UNDECIDED,)),
            Case("other_condition", (UNCOMPARED,)),
            Case("room_and_order_unknown", (NO_HEADROOM, NO_RESOLUTION)),
            Case("few_and_dormant", (FEW, DORMANT)),
            Case("few_and_undated", (FEW, UNDATED)),
        ),
    ),
    ("emerging", (Case("few_models", (FEW,)), Case("young", (YOUNG,)))),
    (
        "saturated",
        (
            Case("exhausted", (EXHAUSTED,)),
            Case("exhausted_and_crowded", (CROWDED, NEARLY_EXHAUSTED)),
            Case("people_passed_and_unresolved", (UNRESOLVED, SURELY_NARROW_ALL_TOLD, HUMAN_PASSED)),
            Case("people_reached_and_stalled", (STALLED, SURELY_NARROW, HUMAN_REACHED)),
            Case("people_reached_and_order_unknown", (NO_RESOLUTION, SURELY_NARROW, HUMAN_REACHED)),
        ),
    ),
    (
        "compressing",
        (
            Case("narrow", (SURELY_NARROW,)),
            Case("bunched", (BUNCHED,)),
            Case("crowded_and_spread_unknown", (CROWDED, NOT_WIDE, NO_SPREAD)),
            Case("crowded_and_room_unknown", (CROWDED, NO_HEADROOM)),
        ),
    ),
)
"""The stages in the order in which they are asked for, each with its cases; a case applies where all its rules hold."""

OTHERWISE = "discriminating"
"""The stage where no case of any other applies."""

MEASURES = "measures"
"""The code of the case in which no other applies."""

STAGE_OF: Mapping[str, str] = {
    **{case.code: stage for stage, cases in STAGE_RULES for case in cases},
    MEASURES: OTHERWISE,
}
"""The stage that each case makes, by the code of the case."""
