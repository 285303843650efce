"""The words of the answer to: is there room left?"""

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers import parts
from benchhealth.dashboard.words.numbers import day_of, month_of, percent, points, score
from benchhealth.dashboard.words.prose.corroboration import CLAIMS_APART, is_apart
from benchhealth.dashboard.words.prose.judged.ceilings import CEILINGS
from benchhealth.dashboard.words.text import capital, count

NOT_LOADED = "no results loaded"
_UNKNOWN = {
    "not_in_bundle": (NOT_LOADED, "None of the sources that are loaded here has a result of it"),
    "only_elsewhere": (
        "measured under other conditions",
        "Its results are of other conditions alone, which are not counted as one",
    ),
    "no_result": (parts.NOBODY, "No model has a result on it"),
    "no_scale": ("", "What its scores count is not on record, so how much is left cannot be said"),
    "no_span": ("", "The ceiling that is stated for it does not lie above chance, so how much is left cannot be said"),
    "open_ended": ("no ceiling", "Its scale has no ceiling, so there is no room that could run out"),
}


def wording(row: Row, _names: parts.Names) -> parts.Wording:
    """What is left of the way from chance to the ceiling, the best score, and the limits of the replies."""
    best = _best(row)
    top = _only_in_papers(row)
    more = (*((f"{best}.",) if best else ()), *top)
    if row["case"] in _UNKNOWN:
        number, sentence = _UNKNOWN[row["case"]]
        return parts.Wording(number, sentence, more)
    items = f" over {count(row['n'], 'item')}" if row["n"] else ""
    beside = f"; {best[:1].lower()}{best[1:]}" if best else ""
    if row["case"] == "chance_unknown":
        least, most = percent(max(0.0, row["low"])), percent(max(0.0, row["high"]))
        sentence = (
            f"Between {least} and {most} of the way from chance to the ceiling is left{items}, as chance is not known "
            f"and may be anything up to {percent(LIMITS.highest_chance)}{beside}"
        )
        return parts.Wording(f"at least {least} left", sentence, (*top, *_ceiling_basis(row), _limits()))
    number = parts.room(row)
    scale = "of the scale" if row["bound"] else "of the way from chance to the ceiling"
    error = "" if row["low"] is not None else ", error not known"
    chance = "; its chance level is not known" if row["bound"] else ""
    sentence = f"{capital(parts.room_with_error(row))} {scale} is left{items}{error}{chance}{beside}"
    return parts.Wording(f"{number} left{_other_best(row)}", sentence, (*top, *_ceiling_basis(row), _limits()))


def _other_best(row: Row) -> str:
    """The best of the side that does not decide what is left, where makers are ahead of others."""
    if above := handed_in(row):
        return f"; handed in: {above}"
    if not _makers_lead(row):
        return ""
    unit = row["second_unit"]
    if abs(row["second"] - row["measured"]) < abs(row["second"] - row["claimed"]):
        return f"; makers report {score(row['claimed'], unit)}"
    return f"; others measured {score(row['measured'], unit)}"


def _ceiling_basis(row: Row) -> tuple[str, ...]:
    """What the ceiling rests on, where audits do not bound it."""
    basis = CEILINGS.get(row["kind"] or "")
    return (f"{basis}.",) if basis else ()


def _best(row: Row) -> str:
    if both_bests := two_bests(row):
        return both_bests
    if row["second"] is None:
        return ""
    if is_others_alone(row):
        best = f"The best score of other parties is {score(row['second'], row['second_unit'])} ({_until(row)})"
        above = handed_in(row)
        return f"{best}, and {above} was handed in that no others measured" if above else best
    on = f" ({month_of(row['on_day'])})" if row["on_day"] else ""
    models, best = count(row["count"] or 0, "listed model"), score(row["second"], row["second_unit"])
    return f"The best score of {models} is {best}{on}{parts.condition_note(row)}"


def handed_in(row: Row) -> str:
    """The score that was handed in to a list above the best of others, as text; empty where none is known."""
    return "" if row.get("handed_in") is None else score(row["handed_in"], row["second_unit"])


def is_others_alone(row: Row) -> bool:
    """Whether the best score is by others and no maker claims any; one handed in to a list may be higher."""
    return row["on_day"] is None and row["claimed"] is None and row["second"] == row["measured"]


def _only_in_papers(row: Row) -> tuple[str, ...]:
    """The note where only papers print a score as high as the best known one; empty where another source does too."""
    if row["known_top"] is None:
        return ()
    top = score(row["known_top"], row["second_unit"] or "fraction")
    if row["known_top"] in (row["second"], row["claimed"]):
        return (f"That {top} is of papers alone: no board or other collection here holds as much.",)
    return (f"Papers print {top}, and no board or other collection here holds as much: it misses the known top.",)


def passed_by_makers_alone(row: Row, human: float | None, is_higher_better: bool) -> str:
    """`by makers' reports alone` where only what makers claim is past how people score; empty otherwise."""
    measured, claimed = row["measured"], row["claimed"]
    if measured is None or claimed is None or human is None:
        return ""
    past = [best > human if is_higher_better else best < human for best in (measured, claimed)]
    return " by makers' reports alone" if past == [False, True] else ""


def two_bests(row: Row) -> str:
    """The best that others measured and the best that makers claim, where both are to be said."""
    measured, claimed, unit = row["measured"], row["claimed"], row["second_unit"]
    if measured is None or claimed is None or not (is_apart(measured, claimed, unit) or _is_below_claim(row)):
        return ""
    return (
        f"The best score of other parties is {score(measured, unit)} ({_until(row)}), "
        f"of the makers {score(claimed, unit)} (until {month_of(row['claimed_on'])})"
    )


def _is_below_claim(row: Row) -> bool:
    """Whether the best is that of others, and makers claim another that is printed as another number."""
    unit = row["second_unit"]
    return row["second"] == row["measured"] and score(row["measured"], unit) != score(row["claimed"], unit)


def _until(row: Row) -> str:
    """Until when others measured, and under which condition."""
    condition = parts.stated_condition(row)
    return f"until {month_of(row['measured_on'])}" + (f"; under: {condition}" if condition else "")


def _makers_lead(row: Row) -> bool:
    """Whether makers claim more than others measured, by so much that both are to be said."""
    measured, claimed = row["measured"], row["claimed"]
    if measured is None or claimed is None or claimed <= measured:
        return False
    return is_apart(measured, claimed, row["second_unit"])


def two_numbers(row: Row) -> str:
    """`83% measured, 96% claimed`, where makers claim more by so much that both are to be said; else empty."""
    if not _makers_lead(row):
        return ""
    return f"{score(row['measured'], row['second_unit'])} measured, {score(row['claimed'], row['second_unit'])} claimed"


def both_numbers_sentence(row: Row, elsewhere: Row | None = None, claimed_under: str | None = None) -> str:
    """The sentence below a title with `two_numbers`: whose each is, until when, over how many models.

    `elsewhere` is the best that others measured in a condition that does not count, where there is one: it is said
    where it bears out what makers claim. `claimed_under` is the condition of what makers claim: it is said where it is
    another than the one that counts.
    """
    clauses = (count(row["count"] or 0, "listed model"), parts.stated_condition(row))
    other = _claimed_under(claimed_under) if claimed_under and claimed_under != row["condition"] else ""
    sentence = f"{bests(row)}. {', '.join(clause for clause in clauses if clause)}{other}."
    if elsewhere is None or row["claimed"] - elsewhere["score"] > CLAIMS_APART:
        return sentence
    best = f"{score(elsewhere['score'], row['second_unit'])} ({day_of(elsewhere['dated_on'])})"
    return f"{sentence} In another condition, {elsewhere['condition']}, others measured {best}."


def _claimed_under(condition: str) -> str:
    return "; the claim states no condition" if condition == UNSTATED else f"; claimed under: {condition}"


def bests(row: Row) -> str:
    """Both bests with their days: `83% measured by others until 24 Apr 2026; 96% claimed until 11 Aug 2026`."""
    measured, claimed, unit = row["measured"], row["claimed"], row["second_unit"]
    clauses = (
        "" if measured is None else f"{score(measured, unit)} measured by others until {day_of(row['measured_on'])}",
        "" if claimed is None else f"{score(claimed, unit)} claimed by makers until {day_of(row['claimed_on'])}",
    )
    return "; ".join(clause for clause in clauses if clause)


def _limits() -> str:
    """A sentence with the limits of headroom below which the answer is "partly" or "no"."""
    no, partly = percent(LIMITS.exhausted_headroom), percent(LIMITS.narrow_headroom)
    near = points(LIMITS.headroom_margin)
    return (
        f"With less than {partly} left the answer is partly, with less than {no} left it is no; "
        f"within {near} of a limit the answer of last month stays."
    )
