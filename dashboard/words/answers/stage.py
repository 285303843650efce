"""Does it still measure, in words: the stage, since when, and the numbers of the case that made it."""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.probability.stages import DRAWS
from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers import parts
from benchhealth.dashboard.words.numbers import months
from benchhealth.dashboard.words.prose.judged.since import since
from benchhealth.dashboard.words.stages import CALLED_ALL, STAGE_MEANING, STAGE_WORDS, stage_words, sure
from benchhealth.dashboard.words.text import capital, count
from benchhealth.dashboard.words.why import PHRASES

_UNKNOWN = {
    "few_models": "fewer than {least} models have a result",
    "young": "it came out less than {young} months before the assessment",
    "proposed_break": "what came since a proposed break may be another measurement, and no curator has decided",
    "constant_answer_ahead": "an answer that is the same to every item scores above every model, so what its scores "
    "measure is not known",
    "other_condition": "the results that could be compared were measured under another condition",
    "room_and_order_unknown": "neither how much room is left nor the errors at the top are known",
    "few_and_dormant": "fewer than {least} models have a result, and nobody reports it any more",
    "few_and_undated": "fewer than {least} models have a result, and none has a day",
}
_OF_ROOM = ("exhausted", "exhausted_and_crowded", "narrow", "people_reached_and_order_unknown", "measures")


def wording(row: Row, _names: parts.Names) -> parts.Wording:
    """The stage with its day, and the reason with its numbers."""
    case, between = row["case"], row["between"]
    stage = STAGE_OF[case]
    number, doubt = _short(row, stage), sure(stage, row["p"], between)
    meaning = f"{STAGE_WORDS[stage]} means: {STAGE_MEANING[stage]}."
    if case in _UNKNOWN:
        why = _UNKNOWN[case].format(least=LIMITS.min_models, young=f"{LIMITS.young_months:.0f}")
        return parts.Wording(number, f"{capital(number)}: {why}{parts.condition_note(row)}", (meaning,))
    reason = "no rule of another stage holds" if case == "measures" else PHRASES[case]
    beside = "; ".join(phrase for phrase in (f"{doubt}: {reason}" if between else reason, _numbers(row)) if phrase)
    more = (f"{capital(doubt)}.", meaning) if doubt and not between else (meaning,)
    return parts.Wording(number, f"{capital(number)}: {beside}{parts.condition_note(row)}", more)


def _short(row: Row, stage: str) -> str:
    """The stage since when, and in how many simulations where not in all; or the two that it lies between."""
    if row["between"]:
        return stage_words(stage, row["between"]).lower()
    when = since(row["on_day"], row["kind"]) if stage in ("compressing", "saturated") else ""
    named = f"{STAGE_WORDS[stage].lower()} {when}".rstrip()
    return named if row["p"] is None or row["p"] >= CALLED_ALL else f"{named}, in {row['p']:.0%} of {DRAWS} simulations"


def _numbers(row: Row) -> str:
    """The numbers of the case: what is left, which pairs differ, by how much people are passed, how long it stands."""
    case = row["case"]
    models = count(row["n"] or 0, "model")
    left = "" if row["second"] is None else f"{parts.room(row, 'second')} of the scale is left"
    pairs = f"{row['count']} of {count(row['n'] or 0, 'pair')} of the top five differ" if row["n_of"] == "pairs" else ""
    if row["value"] is None:
        return left
    if case in _OF_ROOM:
        measured = f"{parts.room_with_error(row)} of the scale is left"
        if pairs and (row["count"] or 0) > LIMITS.crowded_pairs * (row["n"] or 0):
            return f"{measured}, though {pairs} beyond error: it orders the best in what little is left"
        return f"{measured}, and {pairs}" if pairs else f"{measured} over {models}"
    if case == "people_passed_and_unresolved":
        measured = f"the best is {parts.amount(row['value'], row['unit'])} above people, and {pairs}"
    elif case == "people_reached_and_stalled":
        measured = f"{count(row['count'] or 0, 'model')} tried in {months(row['value'])}"
    elif case == "bunched":
        measured = f"over {models} their difference is {row['value']:.2g} times what error explains"
    else:
        measured = pairs
    return f"{measured}, though {left}" if left else measured
