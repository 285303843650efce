"""A sentence for each case of conflicts between sources, of likely aliases, and of what a cut of a board leaves out."""

from collections.abc import Mapping
from datetime import date

from benchhealth.analytics.multi_task.boards import MOST_MODELS
from benchhealth.analytics.record.model_facts import reconcile, release
from benchhealth.analytics.record.steps import REWRITE_AT_LEAST
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import day_of, points
from benchhealth.dashboard.words.prose.template import Sentence
from benchhealth.dashboard.words.text import NO_RESULT, capital


def _alike(name: str, row: Row) -> str:
    """Why two models may be one: their names, their maker, their scores."""
    (one_maker,) = row["numbers"]
    clauses = [
        name,
        "one maker" if one_maker else "",
        "equal scores on {n_equal} of {n_shared} shared benchmarks" if row["n_equal"] else "",
    ]
    return "; ".join(clause for clause in clauses if clause)


def _but_for(row: Row) -> str:
    return _alike(f"the same name but for {'{names:list}' if row['names'] else 'a repeated word'}", row)


_LEFT_OUT: Mapping[str, str] = {
    "means_once": "each mean over data sets once, that over all of them not",
    "tasks": "{part:,.0f} of {whole:,.0f} tasks, those on a bounded scale that a third of the models ran",
    "models": "{part:,.0f} of {whole:,.0f} models, those that ran half of these tasks",
    "longest": f"the best {MOST_MODELS} of {{whole:,.0f}} models by mean rank",
}


def _left_out(row: Row) -> str:
    sizes = zip(row["names"], row["numbers"][::2], row["numbers"][1::2], strict=True)
    return "; ".join(_LEFT_OUT[name].format(part=remaining, whole=total) for name, remaining, total in sizes)


_EDITED = (
    f"{{numbers[0]:i}} of {{numbers[1]:i}} past scores edited, {{numbers[2]:i}} by {points(REWRITE_AT_LEAST)} or more"
)
PROPOSED: Mapping[str, str] = {
    "scores_moved": "{numbers[0]:i} of {numbers[1]:i} past scores move, "
    "the median from {numbers[2]:r4} to {numbers[3]:r4}",
    "rows_renamed": "{numbers[0]:i} of {numbers[1]:i} rows vanish and reappear with the same scores under other names",
    "rows_mostly_new": "{numbers[0]:i} of {numbers[1]:i} rows vanish and {numbers[2]:i} others appear",
    "order_lost": "rank agreement with the past is {numbers[0]:r2}",
    "points_edited": _EDITED + " (median {numbers[3]:r2} points)",
    "scores_edited": _EDITED + " (median {numbers[3]:r2})",
}
"""What speaks for each case of a proposed breakpoint."""

SENTENCES: Mapping[str, Sentence] = {
    **PROPOSED,
    "handed_over": "from {names[0]}, last seen on {until_day}, to {names[1]}: {names[2]}",
    release.CURATED: "a curator looked it up",
    release.IN_THE_NAME: "the maker's own name for the model holds the date",
    release.AUTHORITY: "a list made for this says so",
    release.AGREEMENT: "independent sources agree",
    release.ALONE: "no other source speaks of it",
    release.UNDECIDED: "nothing decides between the sources: the one that is best on dates of release",
    release.NEAR: "within 31 days of the day that stands",
    release.BEFORE_NAME: "before the date in the maker's name for the model",
    release.AFTER_NAME: "not of the month in the maker's name for the model",
    release.ALREADY_SEEN: "results of the model were published before",
    release.UPLOADED: "the day of an upload, and no release",
    release.TUNED_BEFORE: "its version tuned to follow instructions was out before",
    reconcile.NEWEST: "nothing decides between the sources: the newest word",
    reconcile.AFTER_RELEASE: "after the model was released",
    "alike_order": lambda row: _alike("the same words in another order or spelling", row),
    "alike_core": _but_for,
    "alike_letter": lambda row: _alike("one letter apart", row),
    "alike_scores": lambda row: _alike("", row),
    "left_out": _left_out,
    "nothing_left": "nothing is left that could be compared",
}


NOTHING_TO_DRAW = (f"{capital(NO_RESULT)}.", "The curve begins with the first one that a source prints.")
NO_DATED_RESULT = (
    "No dated result under its condition is on record.",
    "Nothing can be drawn in time. What has no date, or another condition, stands in the tab *Sources*.",
)
"""What stands in place of a curve that has no result, or none with a day."""


def nothing_before(break_on: date) -> tuple[str, str]:
    """What stands in place of a curve whose dated results all lie behind a proposed break."""
    return (
        f"A proposed break of {day_of(break_on)} awaits a curator.",
        "Nothing dated before it is on record, and nothing is computed across it.",
    )
