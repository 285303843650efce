"""Titles, subtitles and alt texts of the charts about items."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.items.information import ENOUGH_MODELS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.items.clusters import cluster_of
from benchhealth.dashboard.words.items.limits import NEAR_BEST
from benchhealth.dashboard.words.numbers import percent, percent_interval
from benchhealth.dashboard.words.text import capital, known, listed, words_within

NOTHING = "No results item by item."
ORDER = "from the hardest item to the easiest"
NO_SUBJECTS = "No clusters of items are known."
WHAT_SUBJECTS_TAKE = "It takes a file that says what each item belongs to: a subject, a passage, a repository."
LABEL = 30
"""The name of a subject is cut after this many characters."""


def charts_line(kind: str | None) -> str:
    """What the line says behind which two charts are; `kind` is what the clusters of items are called, if any."""
    return f"At which strength it parts models best{'' if kind is None else f', and how hard each {kind} is'}"


def strip_title(row: Row, subject: str = "") -> str:
    """How many items no model solves, and how many all do."""
    of_subject = f" of {subject}" if subject else ""
    return (
        f"{row['by_none']:,} of {row['n_items']:,} items{of_subject} are solved by no model, {row['by_all']:,} by all"
    )


def strip_subtitle(row: Row) -> str:
    """What a piece of the strip is, and what guessing alone would leave unsolved."""
    subtitle = f"Each item is a sliver, coloured by how many of {row['n_models']} models solve it."
    if row.get("none_by_guessing") is not None:
        guess = f"{row['n_models']} models guessed and were right {percent(row['floor'])} of the time"
        subtitle += f" If all {guess}, about {_item_count(row['none_by_guessing'])} would be solved by none."
    return f"{subtitle[:-1]}{known(row['known_until'])}."


def strip_alt(row: Row, solved: pl.DataFrame) -> str:
    """The alternative text of the strip of items by how many models solve them."""
    widest = solved.sort("items", descending=True).row(0, named=True)
    return (
        f"A bar of {row['n_items']:,} items in order of how many of {row['n_models']} models solve them. "
        f"{row['by_none']:,} are solved by none and {row['by_all']:,} by all; most often, {widest['items']:,} times, "
        f"by {widest['solved_by']}."
    )


def middle(row: Row) -> str:
    """A clause that says how many models solve the item in the middle."""
    number = f"{row['by_median']:g}"
    return f"the middle item is solved by {number} of {row['n_models']}"


def curve_title(row: Row, *, below: bool) -> str:
    """Where the test distinguishes models best; as an inference where the height is not known.

    `below` is whether that is below all of the models.
    """
    best = "below all of these" if below else f"near {percent(row['peak_score'])}"
    if row["top_share"] is None:
        return f"It seems to distinguish models best {best}; the top is not known"
    interval = percent_interval(row["top_share_low"], row["top_share_high"])
    return f"At its top it distinguishes models {percent(row['top_share'])} as sharply as at best ({interval})"


def curve_subtitle(row: Row) -> str:
    """The test and the models behind the curve, and what may be read off it."""
    too_few = f", too few of the {ENOUGH_MODELS} that an interval takes" if row["top_share"] is None else ""
    models = f"{row['n_models']} models, the ticks{too_few}"
    return f"How sharply it distinguishes neighbours at each strength, from {models}{known(row['known_until'])}."


def curve_alt(row: Row, *, below: bool) -> str:
    """The alternative text of the curve of information over the strength of models."""
    highest = "below all models" if below else f"near a score of {percent(row['peak_score'])}"
    return (
        f"A curve over the strength of models, highest {highest}. The strongest of "
        f"{row['n_models']} models, {row['first_name']}, scored {percent(row['best'])}; beyond it the curve is dotted."
    )


def subject_name(cluster: str) -> str:
    """The name of a subject: its id without hyphens."""
    return cluster.replace("-", " ").replace("_", " ")


def subjects_title(rows: pl.DataFrame) -> str:
    """Which subjects are hardest, and which is easiest; `rows` sorted from the hardest."""
    names = [words_within(subject_name(name), LABEL) for name in rows["cluster"]]
    hardest = names[:1] if rows.height < 5 else names[:2]
    verb = "are" if len(hardest) > 1 else "is"
    return f"{capital(listed(hardest))} {verb} hardest, {names[-1]} is easiest"


def subjects_subtitle(row: Row, rows: pl.DataFrame, n_drawn: int) -> str:
    """What a bar is, how many items a cluster has, and which are drawn where not all are."""
    sizes = rows["n_items"].to_list()
    size = f"{min(sizes):,} to {max(sizes):,} items each" if min(sizes) != max(sizes) else f"{min(sizes):,} items each"
    drawn = f"the {n_drawn // 2} hardest and the {n_drawn // 2} easiest of " if n_drawn < rows.height else ""
    columns = "the numbers are the mean score and the items that none solves"
    kind = cluster_of(row["source_id"])
    return f"The same colours by {kind}: {drawn}{rows.height}, {size}; {columns}{known(row['known_until'])}."


def subjects_alt(row: Row, rows: pl.DataFrame) -> str:
    """The alternative text of the bars of subjects: the hardest and the easiest one."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    return (
        f"A bar a {cluster_of(row['source_id'])}. The mean score is lowest on {first['cluster']} "
        f"({percent(first['mean'])}, {first['by_none']:,} items solved by none) and highest on {last['cluster']} "
        f"({percent(last['mean'])}, {last['by_none']:,})."
    )


def _item_count(number: float) -> str:
    return f"{round(number, -1):,.0f}" if number >= 100 else f"{number:.0f}"


def beyond(row: Row, best: float | None) -> list[str]:
    """What the grey field beyond the strongest model says, in short lines."""
    lines = ["no model here", "is this strong"]
    if best is not None and best > row["best"] + NEAR_BEST:
        lines += [f"today's best, {percent(best)},", "was not seen", "item by item"]
    return lines


def of_what(row: Row, source: str) -> str:
    """The source, condition, models and answers of an item test, and until when it is known."""
    models, answers = f"{row['n_models']} models", f"{row['answers']:,} answers"
    return f"{source}, {row['condition']}: {models}, {answers}{known(row['known_until'])}."


def what_it_takes(models: int, examples: Sequence[str]) -> str:
    """What results item by item take, and where there are some: links in markdown."""
    takes = f"It takes a file that says which items each model solved, of {models} models or more on the same items."
    return f"{takes} There are some of {listed(list(examples))}." if examples else takes


CANDIDATES_LINK = "List of ids"
