"""Eight questions about the items of a test, each answered by a row of `item_test`.

A row comes with names for its ids (`published.boards.items`): `first_name`, `second_name`, `missing_name`. All texts
are plain; what shows them escapes them.
"""

from typing import NamedTuple

from benchhealth.analytics.items.information import ENOUGH_MODELS
from benchhealth.analytics.items.measures import AGREEING, LEAK
from benchhealth.analytics.items.table import OPTIONS_NOT_KNOWN
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.items.clusters import cluster_of, clusters
from benchhealth.dashboard.words.numbers import UNKNOWN, percent, percent_interval
from benchhealth.dashboard.words.text import count, known, model_within

PLAIN, DOUBT, FAINT = "plain", "doubt", "faint"
"""How an answer is to be read: as it is, with a doubt, or as none."""

NAME = 26
"""The name of a model in a tile is cut after this many characters."""

FEW_ODD = 0.5
"""Where a planted leak is odd in fewer models than this share, the test of patterns says nothing."""

WORDED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class TileWords(NamedTuple):
    """A question, its answer in a few words, what that rests on, how it is read, and whether a list goes with it."""

    key: str
    question: str
    answer: str
    evidence: str
    tone: str = PLAIN
    listed: bool = False


def tiles(row: Row) -> list[TileWords]:
    """The eight tiles about a test by item, in their order on the page."""
    return [
        _ends(row),
        _first_two(row),
        _keys(row),
        _fewer(row),
        _clusters(row),
        _patterns(row),
        _odd_items(row),
        _missing_answers_tile(row),
    ]


def _ends(row: Row) -> TileWords:
    ends = row["by_none"] + row["by_all"]
    counts = f"{row['by_none']:,} are solved by none, {row['by_all']:,} by all"
    share = f"{percent(ends / row['n_items'])} of {row['n_items']:,} items do not distinguish these models"
    evidence = f"{share}: {counts}{known(row['known_until'])}"
    return TileWords("ends", "Do all or none solve many of them?", count(ends, "item"), evidence)


def _first_two(row: Row) -> TileWords:
    parting, shared = row["first_alone"] + row["second_alone"], row["shared_items"]
    first, second = (model_within(row[name], NAME) for name in ("first_name", "second_name"))
    share = percent(parting / shared) if shared else UNKNOWN
    alone = f"{first} alone is right on {row['first_alone']:,}, {second} on {row['second_alone']:,}"
    evidence = f"{share} of {shared:,} items that both answered: {alone}{known(row['known_until'])}"
    return TileWords("first_two", "How many distinguish the first two?", f"{parting:,} of {shared:,}", evidence)


def _keys(row: Row) -> TileWords:
    question = "Are keys wrong?"
    if row["candidates"] is None:
        why = (
            "its file does not say which option a model chose"
            if row["candidates_reason"] == OPTIONS_NOT_KNOWN
            else f"it takes {AGREEING} models"
        )
        return TileWords("keys", question, UNKNOWN, why, FAINT)
    evidence, some = f"the {WORDED[AGREEING]} best agree on one other option", bool(row["candidates"])
    if row["precision"] is None:
        evidence += "; nobody has checked them"
    else:
        interval = percent_interval(row["precision_low"], row["precision_high"])
        evidence += (
            f"; of these {row['candidates']:,} items people found the key wrong in {percent(row['precision'])} "
            f"({interval}), {percent(row['recall'])} of all wrong keys that they found{known(row['known_until'])}"
        )
    answer = count(row["candidates"], "candidate")
    return TileWords("keys", question, answer, evidence, DOUBT if some else PLAIN, listed=some)


def _fewer(row: Row) -> TileWords:
    question = "Would fewer items do?"
    if row["draws"] is None:
        return TileWords("fewer", question, UNKNOWN, "the models have no order", FAINT)
    same, draws = row["same_order"], row["draws"]
    answer = "No" if same == 0 else "Seldom" if same < 0.5 * draws else "Often"
    evidence = (
        f"{row['subset_items']:,} drawn at random keep the exact order in {same}; agreement {row['subset_tau']:.2f}, "
        f"{row['subset_tau_low']:.2f} to {row['subset_tau_high']:.2f}"
    )
    return TileWords("fewer", question, f"{answer} ({same} of {draws} draws)", evidence)


def _clusters(row: Row) -> TileWords:
    several = clusters(cluster_of(row["source_id"]))
    question = f"Do the {several} agree?"
    apart, pairs, by_item = row["pairs_apart_clustered"], row["pairs"], row["pairs_apart"]
    if apart is None:
        why = "its file does not say what each item belongs to" if row["n_clusters"] is None else "too few of them"
        return TileWords("clusters", question, UNKNOWN, why, FAINT)
    answer, tone = ("Yes", PLAIN) if apart == by_item else ("No", DOUBT) if apart == 0 else ("Partly", DOUBT)
    evidence = (
        f"pairs of the printed top ten still apart if other {several} had been drawn, with missing answers counted as "
        f"wrong; {by_item} by the errors of its scores"
    )
    return TileWords("clusters", question, f"{answer} ({apart} of {pairs})", evidence, tone)


def _patterns(row: Row) -> TileWords:
    question, odd, models = "Does a model's pattern look odd?", row["odd_patterns"], row["planted"]
    until = known(row["known_until"])
    power = f"of planted leaks of {percent(LEAK)} such a test finds {row['planted_odd']} of {models}"
    if row["planted_odd"] < FEW_ODD * models:
        return TileWords("patterns", question, "No evidence", f"{power}: here it says nothing{until}", FAINT)
    answer = f"A hint ({odd} of {models})" if odd else f"None does (0 of {models})"
    return TileWords("patterns", question, answer, f"{power}: a hint, never proof{until}")


def _odd_items(row: Row) -> TileWords:
    question = "Do odd items show wrong keys?"
    chance = row["against_chance"] if row["against_guessing"] is None else row["against_guessing"]
    guessing = "" if row["against_guessing"] is None else " and models guess"
    share = f"{_tenths(row['against'])} of {row['n_items']:,} items run against ability"
    evidence = f"{share}; {_tenths(chance)} do by chance if no key is wrong{guessing}"
    if row["against_precision"] is not None:
        evidence += f"; of those, people found {percent(row['against_precision'])} wrong"
    evidence += known(row["known_until"])
    if row["n_models"] >= ENOUGH_MODELS and row["against"] > max(chance, row["against_chance"]):
        return TileWords("against", question, f"A hint ({_tenths(row['against'])})", evidence)
    return TileWords("against", question, "No evidence", evidence, FAINT)


def _missing_answers_tile(row: Row) -> TileWords:
    question, cells = "Is anything missing?", row["n_models"] * row["n_items"]
    until = known(row["known_until"])
    unread = (
        "" if not row["unread"] else f"; {percent(row['unread'] / cells)} have no option that could be read: wrong too"
    )
    if not row["missing"]:
        return TileWords("missing", question, "Nothing", f"all {cells:,} results are there{unread}{until}")
    share = f"{_tenths(row['missing'] / cells)} of {cells:,} results"
    of_whom = f"{row['missing_most']:,} of {model_within(row['missing_name'], NAME)}"
    evidence = f"{share}, {of_whom}; counted as wrong{unread}{until}"
    return TileWords("missing", question, count(row["missing"], "answer"), evidence)


def _tenths(share: float) -> str:
    return f"{share * 100:.1f}%"


def solved_by(solved: int, models: int) -> str:
    """How many models: `none of 24`, `6 of 24`, `all 24`."""
    return f"none of {models}" if solved == 0 else f"all {models}" if solved == models else f"{solved} of {models}"
