"""Whether the top models differ beyond error, in words."""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers.parts import Names, Wording, condition_note
from benchhealth.dashboard.words.text import count


def wording(row: Row, _names: Names) -> Wording:
    """How many pairs of the top five differ beyond error."""
    if row["case"] == "too_few_models":
        return Wording("fewer than two models", "Fewer than two models have a result on it")
    if row["case"] == "errors_unknown":
        return Wording(
            "errors not known",
            "Not every one of the top five has a known error, so how many of them differ is not known",
        )
    pairs = f"{row['count']} of {count(row['n'], 'pair')}"
    end = ", though hardly any room is left above them" if row["case"] == "apart_at_the_end" else ""
    sentence = f"{pairs} of the top five differ by more than their 95% error{condition_note(row)}{end}"
    by_item = "" if row["second"] is None else f"Item by item {round(row['second'])} of {row['n']} pairs do. "
    partly, no = (round(limit * row["n"]) for limit in (LIMITS.crowded_pairs, LIMITS.unresolved_pairs))
    limits = f"Each pair is taken alone: up to {partly} of {row['n']} pairs the answer is partly, up to {no} no."
    return Wording(pairs, sentence, (f"{by_item}{limits}",))
