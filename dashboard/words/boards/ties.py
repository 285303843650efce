"""Who is tied on a board, whether neighbours differ beyond error, what would settle first place: rows of `board_card`.

A row comes with names for its ids (`published.boards.ties`): `first_name`, `second_name`, `settled_by_name`,
`tied_names`, and the `unit` of its board. All texts are plain; what shows them escapes them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchhealth.analytics.churn.card_items import FIRST_NOT_BY_ITEM, NOT_BY_ITEM
from benchhealth.analytics.record.by_item.clusters import NO_CLUSTERS, TOO_FEW_CLUSTERS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS
from benchhealth.dashboard.words.numbers import UNKNOWN, day_of, percent
from benchhealth.dashboard.words.text import count, listed, model_within

TIED = "tied for first"

AT_ONCE = f"{TIED}, all models at once; pair by pair fewer may be"
"""What a reader of pairs must know of ties."""

MANY_TIMES = 10
"""Where more than this many times the test were needed, no number of items settles the first two."""

NAME = 34
"""Letters of a model's name in these sentences."""

NUMBERS_IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""The numbers from zero to ten in words."""

WHY: Mapping[str, str] = {
    "no_error_known": "no error is known",
    "first_without_error": "the error of the first is not known",
    "one_error_known": "only one error is known",
    "one_model": "only one model is listed",
    "equal_scores": "both have the same score",
    "no_item_number": "how many items were asked is not known",
    "other_too_wide": "the other's error alone is wider than their distance",
    "open_scale": "no item is right or wrong on this scale",
    "other_item_numbers": "the first two were asked different numbers of items",
    "not_by_task": "its scores are not known task by task",
    "earlier_look": "tasks are known of the newest look alone",
    "first_two_not_by_task": "the first two are not known task by task",
    "tasks_weighted": "its tasks do not count alike",
    "too_few_tasks": "the first two share too few tasks",
    "no_common_scale": "its tasks have no common scale",
    "no_win_rate": "its tasks have no order",
    "none_flips": "no choice puts another first",
    "condition_unstated": "its condition is not stated",
    NOT_BY_ITEM: "its scores are not known item by item",
    FIRST_NOT_BY_ITEM: "the first is not known item by item",
    NO_CLUSTERS: "no file says which items belong together",
    TOO_FEW_CLUSTERS: f"its items come in fewer than {FEWEST_CLUSTERS} clusters",
}
"""Why a card has no value, by the code of its reason."""


class Answer(NamedTuple):
    """An answer in a few words, and what it rests on."""

    answer: str
    evidence: str


ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")


def tier_name(tier: int | None, size: int) -> str:
    """What heads a tier: `Tied for first`, `Second tier`; of one model `First`; None is of unknown error."""
    if tier is None:
        return "Error not known"
    if tier == 1:
        return "Tied for first" if size > 1 else "First"
    return f"{ORDINALS[tier - 1]} tier" if tier <= len(ORDINALS) else f"Tier {tier}"


def tiers_sentence(tiers: Sequence[int | None], more: int) -> str:
    """How many tiers the shown places fall into: `The first 19 places are three tiers`."""
    phrase = f"The first {len(tiers)} places" if more else f"All {len(tiers)} places" if len(tiers) > 1 else "The place"
    number = len(set(tiers) - {None})
    if not number:
        return f"{phrase} as printed: no error says who could hold which"
    verb = "is" if len(tiers) == 1 else "are"
    number_text = NUMBERS_IN_WORDS[number] if number < len(NUMBERS_IN_WORDS) else number
    return f"{phrase} {verb} {number_text} tier{'' if number == 1 else 's'}"


def headline(row: Row, on: str = "") -> str:
    """Who is tied for first, as a title: `8 are tied for first on ARC-AGI-2`; `on` names the board."""
    on_board = f" on {on}" if on else ""
    if row["n_models"] == 1:
        return f"{_name(row['first_name'])} is the only model{on_board}"
    if row["ties_reason"] is not None:
        return f"Nobody can say who is tied{on_board}: {WHY[row['ties_reason']]}"
    finding = tied_first_sentence(row["tied_first"], row["tied_names"], on_board)
    if row["tied_first"] > 2:
        return f"{f'At least {finding}' if _lacks_errors(row) else finding}{_over_title(row)}"
    return f"{finding}{_among_known(row)}{_over_title(row)}"


def tied_first_sentence(tied: int, names: Sequence[str], on_board: str = "") -> str:
    """How many are tied for first, with the names of the first two; one alone is first."""
    first = [_name(name) for name in names[:2]]
    if tied == 1:
        return f"{first[0]} is first{on_board} by more than its error"
    if tied == len(first):
        return f"{listed(first)} share first place{on_board}"
    return f"{tied} are {TIED}{on_board}"


def tied_of(tied: int) -> str:
    """How many are tied for first, within a sentence about one board: `8 tied for first`."""
    return "first by more than its error" if tied == 1 else f"{tied} {TIED}"


def short(row: Row) -> str:
    """How many are tied for first, of how many models: `8 of 59 tied for first`; empty where unknown."""
    if row["ties_reason"] is not None or row["n_models"] == 1:
        return ""
    if row["tied_first"] == 1:
        return f"first by more than its error{_among_known(row)}"
    least = "at least " if _lacks_errors(row) else ""
    return f"{least}{row['tied_first']} of {row['n_models']} tied for first"


READ_FROM = (
    "The benchmarks that makers’ documents of the last year report most, one board each, where errors are known. More "
    "items help where the distance is real; where two scores nearly coincide no test of this size can part them."
)
"""Sentences on how these leaderboards were chosen, and when more items would help."""


def on_boards(numbers: Sequence[int]) -> str:
    """How many share first place on the boards that are listed: `On 8 much-read boards 2 to 27 models share first`."""
    least, most = min(numbers), max(numbers)
    models = f"{least} to {most} models" if least < most else count(most, "model")
    boards = f"On {len(numbers)} much-read boards" if len(numbers) > 1 else "On one much-read board"
    return f"{boards} {models} could be first"


def tie_with_day(row: Row) -> str:
    """The number tied for first, with the day: `8 of 59 tied for first on 24 Apr 2026`; empty where unknown."""
    counted = short(row)
    return f"{counted}{_on_day(row)}" if counted else ""


def _on_day(row: Row) -> str:
    """The day of the board; a file that somebody brings has none."""
    return f" on {day_of(row['observed_at'])}" if row.get("observed_at") else ""


def tie_sentence(row: Row, score: str) -> Answer:
    """The sentence on who is tied for first; `score` is the printed score of the first."""
    models = f"{count(row['n_models'], 'model')}{_on_day(row)}"
    first = f"{_name(row['first_name'])} is printed first, at {score}"
    if row["ties_reason"] is not None:
        return Answer(UNKNOWN, f"{WHY[row['ties_reason']]}; of {models} {first}")
    least = "At least " if _lacks_errors(row) else ""
    of_models = f"of {models}" + (f", {row['with_error']:,} of them with a known error" if _lacks_errors(row) else "")
    return Answer(f"{least}{count(row['tied_first'], 'model')}", f"{of_models}; {first}")


def neighbours(row: Row) -> Answer:
    """Whether neighbours in the top ten differ beyond error, one pair at a time."""
    apart, n_pairs = row["neighbours_apart"], row["neighbours"]
    if not n_pairs:
        return Answer(UNKNOWN, WHY["one_model" if row["n_models"] == 1 else "no_error_known"])
    reply = "No" if not apart else "Yes" if apart == n_pairs else "Partly"
    pairs = (
        f"{row['pairs_apart']} of {count(row['pairs'], 'pair')} {'does' if row['pairs'] == 1 else 'do'}, one at a time"
    )
    return Answer(f"{reply} ({apart} of {n_pairs})", f"neighbours in the top ten; {pairs}")


def over_clusters(row: Row) -> str:
    """What would differ beyond error over other clusters of items; of a card that knows it."""
    return (
        f"over other clusters of items ({row['clusters']}, such as subjects or repositories) "
        f"{row['neighbours_apart_clustered']} of {count(row['neighbours_clustered'], 'neighbour')} and "
        f"{row['pairs_apart_clustered']} of {count(row['pairs_clustered'], 'pair')}, "
        f"{count(row['tied_first_clustered'], 'model')} could be first"
    )


def by_items(row: Row) -> str:
    """What items say of the top ten, pair by pair and over other clusters, and how missing answers count.

    Empty where no pair is known item by item.
    """
    if not row["pairs_by_item"]:
        return ""
    apart, alone = row["pairs_apart"], row["pairs_apart_alone"]
    changes = f"{alone} were no items shared" if alone != apart else "as many as were no items shared"
    clustered = WHY[row["clustered_reason"]] if row["clusters"] is None else over_clusters(row)
    missing = f"; missing answers ({percent(row['missing_cells'])}) count as wrong" if row["missing_cells"] else ""
    return (
        f"Of the {count(row['pairs'], 'pair')} of the top ten {row['pairs_by_item']} are compared item by item; "
        f"{apart} differ beyond error ({changes}); {clustered}{missing}."
    )


def _over_title(row: Row) -> str:
    """What the title adds where over other clusters of items more could be first."""
    tied = row["tied_first_clustered"]
    return f"; over other clusters of items {tied} could be" if tied is not None and tied > row["tied_first"] else ""


def settles(row: Row) -> Answer:
    """What would settle the order of the first two at the distance that they have."""
    units = {"rating": "votes", "task": "tasks"}.get(row["unit"], "items")
    if row["settle_reason"] in ("equal_scores", "other_too_wide"):
        return Answer(f"No number of {units}", f"of the first two {WHY[row['settle_reason']]}")
    if row["settle_reason"] is not None:
        return Answer(UNKNOWN, WHY[row["settle_reason"]])
    needed, has = row["items_to_settle"], row["n_items"]
    whose = "the test" if row["settled_by"] is None else _name(row["settled_by_name"])
    needed_items = f"{rounded(needed)} at today’s distance"
    if row["times_the_test"] > MANY_TIMES:
        return Answer(f"No number of {units}", f"it would take {needed_items} of the first two; {whose} has {has:,}")
    if needed <= has:
        return Answer(
            "It is settled between two", f"of {has:,} {units} {needed_items} would do, for the first two alone"
        )
    on = "" if row["settled_by"] is None else f" on {whose}"
    return Answer(
        f"{rounded(needed - has)} more {units}{on}", f"at today’s distance of the first two; {whose} has {has:,}"
    )


def settles_briefly(row: Row) -> str:
    """What would settle first place, for a cell: `1,800 more items`, `Not known: no error is known`."""
    answer = settles(row)
    if row["settle_reason"] is not None:
        return f"{answer.answer}: {WHY[row['settle_reason']]}"
    if row["times_the_test"] > MANY_TIMES:
        return f"No number: {rounded(row['items_to_settle'])} against {row['n_items']:,}"
    return answer.answer


def grading_briefly(row: Row) -> str:
    """What decides the first place, in a cell: `53 items of 2,500`, `Not known: no item is right or wrong on it`."""
    answer = grading(row)
    return answer.answer if row["recount_reason"] is None else f"{answer.answer}: {answer.evidence}"


def grading(row: Row) -> Answer:
    """The number of items of the first model that, graded otherwise, put another model first."""
    if row["recount_reason"] is not None:
        return Answer(UNKNOWN, WHY[row["recount_reason"]])
    margin, n_items = row["recount_margin"], row["n_items"]
    if margin == 0:
        return Answer(f"No item of {n_items:,}", "the first two have the same score already")
    return Answer(f"{count(margin, 'item')} of {n_items:,}", "graded otherwise gives another first, or a tie")


def rounded(number: int) -> str:
    """A number of items with two digits: what rests on today's distance is no more exact."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"


def _name(name: str) -> str:
    return model_within(name, NAME)


def _lacks_errors(row: Row) -> bool:
    return bool(row["with_error"] < row["n_models"])


def _among_known(row: Row) -> str:
    return f", among the {row['with_error']} with a known error" if _lacks_errors(row) else ""
