"""The rules of the verdicts: which conditions there are, and which of them make a stage or a flag.

This is their only home: verdicts, their reasons and the Methods page are made of it. After a change of a test raise
`RULES_VERSION`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.analytics.verdict.rule import Comparison, Measure, Rule, Unknown

HEADROOM_MAX = Measure("headroom_max", "headroom")
HEADROOM_MIN = Measure("headroom_min", "headroom")
HEADROOM_MAX_HIGH = Measure("headroom_max.high", "headroom")
HUMAN_MARGIN_LOW = Measure("human_margin.low", "human_margin")
HUMAN_MARGIN_LOW_OR_VALUE = Measure("human_margin_low", "human_margin")
SPREAD = Measure("spread_top10", "spread_top10")
RESOLUTION = Measure("resolution_top5", "resolution_top5")
SINCE_RELEASE = Measure("months_since_release", "age_months", "months_since_look")
WITHOUT_ADVANCE = Measure("months_without_advance", "months_since_advance", "months_since_result")
MAKERS_KNOWN = Measure("makers_known", "makers_mentioning_12m")
TWIN_GAP_LOW = Measure("twin_gap.low", "twin_gap")
MAKER_PREMIUM_LOW = Measure("maker_premium.low", "maker_premium")
"""The numbers that rules compare; `analytics.verdict.verdict.values` says what each column holds."""

OF_HEADROOM = ("headroom", "headroom_of_ceiling")
"""What a reason about headroom rests on: the first, and where that is not known both."""


def _own_measure(key: str) -> Measure:
    return Measure(key, key)


def _about_headroom(name: str, measure: Measure, threshold: str, *, speaks_when_denied: bool = False) -> Rule:
    test = Comparison(measure, "below", threshold, "headroom_margin")
    return Rule(name, (test,), about="headroom", rests_on=OF_HEADROOM, speaks_when_denied=speaks_when_denied)


def _about_resolution(name: str, threshold: str, *, speaks_when_denied: bool = False) -> Rule:
    test = Comparison(RESOLUTION, "at most", threshold, "pairs_margin")
    return Rule(name, (test,), about="resolution", speaks_when_denied=speaks_when_denied)


UNDECIDED = Rule("undecided", (Comparison(_own_measure("proposed_breaks"), "above", None),), about="proposed break")
OUTDONE = Rule("outdone", (Comparison(_own_measure("constant_answer_margin"), "above", None),), about="constant answer")
UNCOMPARED = Rule(
    "uncompared", (Comparison(_own_measure("models_elsewhere"), "at least", "min_models"),), about="condition"
)
UNSTATED = Rule(
    "unstated", (Comparison(_own_measure("condition_stated"), "at most", None),), about="condition", rests_on=()
)
TOO_FEW_MODELS = Rule(
    "few", (Comparison(_own_measure("n_models"), "below", "min_models"),), about="models", rests_on=()
)
UNDATED = Rule("undated", (Unknown("months_since_result", "months_since_result"),), about="newest result")
YOUNG = Rule("young", (Comparison(SINCE_RELEASE, "below", "young_months"),), about="age", rests_on=())
NO_HEADROOM = Rule("no_headroom", (Unknown("headroom_min", "headroom"),), about="headroom")
EXHAUSTED = _about_headroom("exhausted", HEADROOM_MAX_HIGH, "exhausted_headroom")
NEARLY_EXHAUSTED = _about_headroom("nearly_exhausted", HEADROOM_MAX, "exhausted_headroom")
SURELY_NARROW_ALL_TOLD = _about_headroom("surely_narrow_all_told", HEADROOM_MAX_HIGH, "narrow_headroom")
SURELY_NARROW = _about_headroom("surely_narrow", HEADROOM_MAX, "narrow_headroom")
NARROW_HEADROOM = _about_headroom("narrow", HEADROOM_MIN, "narrow_headroom")
NOT_WIDE = _about_headroom("not_wide", HEADROOM_MIN, "wide_headroom", speaks_when_denied=True)
"""Rules on headroom, by the number that must lie below the limit. `EXHAUSTED` and `SURELY_NARROW_ALL_TOLD`: the upper
end of its interval. `NEARLY_EXHAUSTED` and `SURELY_NARROW`: headroom, or the largest that it can be where chance is not
known. `NARROW_HEADROOM` and `NOT_WIDE`: headroom, or the smallest that it can be."""
UNWEIGHED = Rule(
    "unweighed",
    (Comparison(_own_measure("best_has_error"), "at most", None), Comparison(HEADROOM_MIN, "below", "narrow_headroom")),
    about="error",
)
HUMAN_PASSED = Rule(
    "human_passed", (Comparison(HUMAN_MARGIN_LOW, "above", None, "headroom_margin"),), about="human baseline"
)
HUMAN_REACHED = Rule(
    "human_reached", (Comparison(HUMAN_MARGIN_LOW_OR_VALUE, "at least", "human_below"),), about="human baseline"
)
NO_RESOLUTION = Rule("no_resolution", (Unknown("resolution_top5", "resolution_top5"),), about="resolution")
UNRESOLVED = _about_resolution("unresolved", "unresolved_pairs")
CROWDED = _about_resolution("crowded", "crowded_pairs", speaks_when_denied=True)
NO_SPREAD = Rule("no_spread", (Unknown("spread_top10", "spread_top10"),), about="spread")
BUNCHED = Rule(
    "bunched", (Comparison(SPREAD, "at most", "spread", "spread_margin"),), about="spread", speaks_when_denied=True
)
STALLED = Rule(
    "stalled",
    (
        Comparison(WITHOUT_ADVANCE, "at least", "stalled_months"),
        Comparison(_own_measure("tries_since_advance"), "at least", "stalled_models"),
    ),
    about="advances",
)
DORMANT = Rule(
    "dormant",
    (
        Comparison(_own_measure("months_since_result"), "above", "dormant_months"),
        Comparison(MAKERS_KNOWN, "below", "makers_mentioning"),
    ),
    about="dormant",
)
CONTAMINATED = Rule(
    "contaminated",
    (Comparison(_own_measure("contamination_max_share"), "at least", "contaminated_share"),),
    about="contaminated",
)
GAP = Rule(
    "gap",
    (
        Comparison(TWIN_GAP_LOW, "above", None),
        Comparison(_own_measure("twin_flagged_share"), "at least", "twin_flagged_share"),
    ),
    about="gap",
    rests_on=("twin_flagged_share",),
)
PREMIUM = Rule("premium", (Comparison(MAKER_PREMIUM_LOW, "above", None),), about="premium")
UNSTABLE = Rule(
    "unstable", (Comparison(_own_measure("turnover_excess_12m"), "at least", "turnover_excess"),), about="unstable"
)
SELF_REPORTED = Rule(
    "self_reported",
    (Comparison(_own_measure("self_reported_share"), "above", "self_reported_share"),),
    about="self_reported",
)
STALE = Rule("stale", (Comparison(_own_measure("months_since_look"), "above", "stale_months"),), about="stale")

FLAG_RULES = (DORMANT, CONTAMINATED, GAP, PREMIUM, UNSTABLE, SELF_REPORTED, STALE)
"""One rule for each flag, which has its name, in the order of the flags."""

REMARKS = (UNSTATED, NARROW_HEADROOM, UNWEIGHED)
"""Rules that make no stage and no flag: a verdict says that they hold."""

RULES = (
    *(UNDECIDED, OUTDONE),
    *(UNCOMPARED, UNSTATED),
    *(TOO_FEW_MODELS, UNDATED, YOUNG),
    *(NO_HEADROOM, EXHAUSTED, NEARLY_EXHAUSTED, SURELY_NARROW_ALL_TOLD, SURELY_NARROW, NARROW_HEADROOM, NOT_WIDE),
    UNWEIGHED,
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
            Case("constant_answer_ahead", (OUTDONE,)),
            Case("other_condition", (UNCOMPARED,)),
            Case("room_and_order_unknown", (NO_HEADROOM, NO_RESOLUTION)),
            Case("few_and_dormant", (TOO_FEW_MODELS, DORMANT)),
            Case("few_and_undated", (TOO_FEW_MODELS, UNDATED)),
        ),
    ),
    ("emerging", (Case("few_models", (TOO_FEW_MODELS,)), Case("young", (YOUNG,)))),
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
