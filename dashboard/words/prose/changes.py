"""A sentence for each case of a change, to follow the name of what changed."""

import re
from collections.abc import Mapping

from benchhealth.analytics.corroboration.classes import CLASSES
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.history import FIFTH_MODEL, GROWN_UP, OTHERS_STOPPED, RISEN
from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.prose.record import PROPOSED
from benchhealth.dashboard.words.prose.template import Sentence
from benchhealth.dashboard.words.text import count
from benchhealth.dashboard.words.why import PHRASES


def _of_year(row: Row) -> str:
    """The model with the year in which it came out, where that is known."""
    return "{names[0]}" if row["numbers"][0] is None else "{names[0]} of {numbers[0]:.0f}"


_PARTS = {
    "break_waits": "a proposed break of a board awaits a curator",
    "break_decided": "a curator has decided about a proposed break",
    "age": "out for long enough now, with as many models as before",
}


def _stage(row: Row) -> str:
    """What changed beneath a changed stage, in a few words."""
    clauses = [_cause_text(name, *row["numbers"]) for name in row["names"]]
    return "; ".join(clauses) or "results or facts behind it changed, of as many models as before"


def _cause_text(name: str, rules: float | None, models: float | None, more: float | None, pairs: float | None) -> str:
    match name:
        case "rules":
            return f"judged by version {rules:.0f} of the rules"
        case "first_models":
            return f"first evidence: {count(int(models or 0), 'model')}"
        case "models":
            return f"{_difference(int(more or 0))} on record"
        case "pairs":
            return f"{pairs:.0f} of 10 pairs of the top five differ"
    return _PARTS[name]


def _difference(more: int) -> str:
    if more > 0:
        return count(more, "more model", "more models")
    return count(-more, "model fewer", "models fewer")


def _kept_out(row: Row, one_is: str, several_are: str) -> str:
    """Which files in which version are kept out, and what stays in service in their place."""
    further = len(row["names"]) - 1
    files, fault, whose = "{names[0]}", one_is, "its"
    if further:
        files, fault, whose = f"{{names[0]}} and {count(further, 'file')} more", several_are, "their"
    version = "" if row["on_day"] is None else f" in {whose} version of {day_of(row['on_day'])}"
    copy = row["until_day"]
    stays = "no copy yet" if copy is None else f"the copy of {day_of(copy)} stays in service"
    if row["board_id"] is None:  # a listing, of which it is not known what it would have led to
        stays = "what is stored stays in service"
    return f"{files}{version} {fault}; {stays}"


def _stage_began(row: Row) -> str:
    """Why the stage began, of the rules' case and of how its day is set (`verdict.history`)."""
    case, day_set_by = row["names"]
    waited = _WAITED.get(day_set_by)
    if waited and row["after"] != "unknown":
        return waited
    return _WHY.get(case) or PHRASES.get(case, "its results say so")


_WAITED = {
    FIFTH_MODEL: f"{LIMITS.min_models} models now, the fewest that a verdict takes",
    GROWN_UP: f"{LIMITS.young_months:.0f} months old, and models enough",
    OTHERS_STOPPED: "others than the makers stopped measuring, so makers' numbers decide",
    RISEN: "what came before was no end: more than half of the rest is gone since",
}
"""By how the day of a stage is set, where that is the reason that it begins then."""

_WHY = {
    "measures": "there is room, and its models differ beyond error",
    "few_models": f"results of fewer than {LIMITS.min_models} models",
    "young": f"first results; not {LIMITS.young_months:.0f} months old",
    "few_and_dormant": "few models, and nobody reports any more",
    "few_and_undated": "few models, and none has a day",
    "room_and_order_unknown": "neither its room nor its order is known",
    "constant_answer_ahead": "an answer that never changes is ahead",
    "other_condition": "most models are measured under another condition",
    "proposed_break": "a proposed break awaits a curator",
}
"""By the case of the rules, where `words.why` has no phrase; the shortest that tells it from the others."""
assert {*_WHY, *PHRASES} == set(STAGE_OF)

WHO = {
    "measured": "measured by others",
    "confirmed": "its maker's, confirmed by others",
    "lower": "its maker's; others measured less",
    "contradicted": "its maker's, contradicted by others",
    "claimed": "its maker's alone",
    "quoted": "passed on, and nobody says who measured it",
    "not_comparable": "its maker's; others measured it under another condition",
}
"""Who measured a best score, by the class of table `corroboration`."""
assert set(WHO) == set(CLASSES)


def _best_then(row: Row) -> str:
    whose = row["names"][1]
    return f"{{names[0]}}, {WHO[whose]}" if whose else "{names[0]}"


def _released(row: Row) -> str:
    models = row["n"]
    return f"came out; {count(models, 'model')} so far" if models else "came out; known from documents alone"


def _nothing_new(row: Row) -> str:
    return f"nothing new since {day_of(row['until_day'])} (expected: {cadence_text(row['names'][0])})"


def cadence_text(cadence: str) -> str:
    """The cadence of a source: `some times a month`, no rate of anything counted, is `several times monthly`."""
    return re.sub(r"^some (\w+) a (\w+)", r"several \1 \2ly", cadence)


SENTENCES: Mapping[str, Sentence] = {
    "stage_changed": _stage,
    "new_benchmark": lambda row: f"new here, with {count(row['n'] or 0, 'model')}",
    "newly_flagged": "newly flagged",
    "flagged_no_longer": "no longer flagged",
    "rules_changed": "benchmarks are judged by version {after} of the rules, where it was version {before}",
    "best_now": lambda row: f"{_of_year(row)} holds the best score",
    "best_found_late": lambda row: f"found late: {_of_year(row)} holds the best score",
    "best_taken_back": lambda row: f"the best score was corrected or taken back; {_of_year(row)} is best",
    "scale_moved": lambda row: f"the scale moved on {day_of(row['until_day'])}; not compared",
    "condition_changed": "is judged under “{names[0]}”, where it was “{names[1]}”; not compared",
    "first_since": lambda row: f"{{names[0]}} is first since {day_of(row['on_day'])}, where {{names[1]}} was",
    "stage_began": _stage_began,
    "came_out": _released,
    "best_then": _best_then,
    "first_then": "{names[0]} is first, where {names[1]} was",
    "nothing_new": _nothing_new,
    "not_seen": lambda row: f"not seen since {day_of(row['until_day'])} (expected: {cadence_text(row['names'][0])})",
    "version_held": lambda row: _kept_out(row, "is held", "are held"),
    "not_read": lambda row: _kept_out(row, "could not be read", "could not be read"),
    "read_first": "is read for the first time",
    "read_again": "is read again",
    "new_results": lambda row: count(row["n"], "new result"),
    "rows_replaced": lambda row: f"{count(row['n'], 'row')} replaced by its source",
    "not_compared": "not compared across this day",
    "broke": "{names[0]}",
    "happened": "{names[0]}: {names[1]}",
    "break_proposed": lambda row: (
        f"looks like a change of {{names[1]}} ({PROPOSED[row['names'][0]]}); not compared until a curator decides"
    ),
}
