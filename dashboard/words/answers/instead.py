"""What to use in its place, and what speaks against each, in words."""

from collections.abc import Mapping

from benchhealth.analytics.answers.instead import UNLIKE
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import Names, Wording, name_or_id, room
from benchhealth.dashboard.words.numbers import correlation, month_of
from benchhealth.dashboard.words.stages import FLAG_MEANING, STAGE_WORDS
from benchhealth.dashboard.words.text import count

NO_ALTERNATIVE = "None that we know of measures the same and still has room"
_REASONS = {
    "named": "is what a curator names",
    "same_construct": "asks for the same in the same form",
    "named_only": "is what a curator names, though something speaks against it",
}


_RESERVATIONS: Mapping[str, str] = {
    "no_result": "no result is on record",
    "not_looked": "no source read since {month}",
    "dormant": "nobody reports it any more",
    "few_models": "{models} only",
    "apart_unknown": "not known whether its top five differ beyond error",
    "crowded": "its top five hardly differ beyond error",
    "measurer_unknown": "not known who measured it",
    "makers_all": "all models' best results are their makers' own",
    "makers_most": FLAG_MEANING["self_reported"],
}
_LOSSES: Mapping[str, str] = {
    "fewer_models": "{measured} on it, {here} here",
    "ranks_differently": "ranks models differently (tau below {unlike})",
    "no_ceiling": "no ceiling is known",
    "no_human": "no human line is known",
    "no_floor": "its chance level is not known",
}


def wording(row: Row, names: Names) -> Wording:
    """The first alternative, why it is one, and what is known of it."""
    if row["case"] == "none_fits":
        return Wording("none known", NO_ALTERNATIVE)
    if row["case"] == "no_construct":
        return Wording("", "What it measures is not on record, so nothing that measures the same can be named")
    other_name = name_or_id(names, row["other_id"])
    left = "" if row["value"] is None else room(row)
    stage = STAGE_WORDS[row["kind"]].lower() if row["kind"] else ""
    state = ", ".join(phrase for phrase in (stage, f"{left} of the scale left" if left else "") if phrase)
    sentence = f"{other_name} {_REASONS[row['case']]}{f' ({state})' if state else ''}"
    alike = (
        "How alike the two rank models is not known: too few are on both."
        if row["second"] is None
        else f"The two rank {count(row['n'], 'model')} alike at Kendall's tau {correlation(row['second'])}."
    )
    return Wording(f"{other_name}{f', {left} left' if left else ''}", sentence, (alike,))


def reservations(row: Row) -> list[str]:
    """Why a better result on the benchmark may not show progress: its `reservations` in words.

    The row has `models` and `known_until` too.
    """
    models, month = count(row["models"], "model"), month_of(row["known_until"])
    return [_RESERVATIONS[code].format(models=models, month=month) for code in row["reservations"] or ()]


def losses(row: Row, models: int, most: int) -> list[str]:
    """What is lost by changing to the other benchmark, at most `most` things; `models` counts those of the first."""
    values: dict[str, str] = {
        "measured": count(row["models"], "model was", "models were") + " measured",
        "here": f"{models:,}",
        "unlike": correlation(UNLIKE),
    }
    return [_LOSSES[code].format(**values) for code in row["loses"][:most]]


def reason(row: Row, construct: Row) -> str:
    """Why the other may stand in: a curator's words, else what both ask for and how it is answered."""
    if row["why"] is not None:
        return str(row["why"])
    return f"asks for {construct['construct']} as well, answered alike ({construct['answer_kind']})"
