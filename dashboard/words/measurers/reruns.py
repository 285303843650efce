"""Whether a second measurement gives the same order of two models, in words: rows of the table `order_rerun`."""

from collections.abc import Mapping, Sequence

from benchhealth.analytics.measurers.order_rerun import FEWEST_FAMILIES, MAKERS, OTHERS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import day_of, percent, percent_interval
from benchhealth.dashboard.words.text import count

WHOSE: Mapping[str, str] = {MAKERS: "makers’ own numbers", OTHERS: "numbers of others than the makers"}


def name(row: Row) -> str:
    """The name of a group of pairs: whose they are, whether they differ beyond error, and how many."""
    certainty = "beyond error" if row["apart"] else "within error"
    return f"{'Makers' if row['kind'] == MAKERS else 'Others'}, {certainty} ({row['pairs']:,})"


def title(row: Row) -> str:
    """The finding: how many pairs that differ beyond error in one measurement have the same order in a second."""
    whose = "makers’ numbers" if row["kind"] == MAKERS else "one house’s numbers"
    pairs = f"{row['pairs']:,} pairs that differ beyond error in {whose}"
    return f"Of {pairs}, others put {percent(row['share'])} in the same order"


def of_row(row: Row) -> str:
    """The counts of pairs in the same and in the other order when measured again, with the share's interval."""
    share = (
        f"no share is given of fewer than {FEWEST_FAMILIES} families"
        if row["share"] is None
        else f"{percent(row['share'])} ({percent_interval(row['low'], row['high'])})"
    )
    equal = row["pairs"] - row["same"] - row["turned"]
    return (
        f"{row['same']:,} of {row['pairs']:,} in the same order, {share}; {row['turned']:,} in the other, "
        f"{row['contradicted']:,} of these beyond the second’s error; {equal:,} equal; on "
        f"{count(row['benchmarks'], 'benchmark')} of {count(row['families'], 'family', 'families')}"
    )


def subtitle(rows: Sequence[Row]) -> str:
    """What was compared, and the pairs within error beside those beyond it."""
    first = next(row for row in rows if row["share"] is not None and row["apart"])
    beside = next((row for row in rows if row["kind"] == first["kind"] and not row["apart"]), None)
    against = "" if beside is None else f" Of those within error: {of_row(beside)}."
    until = max(row["seen_until"] for row in rows)
    return (
        f"{WHOSE[first['kind']].capitalize()} against those of a house that made none of the models, on the same "
        f"curated benchmark under the same condition: {of_row(first)}.{against} Beyond error is by the first’s "
        f"95% errors, one pair at a time; prompts, effort and versions may differ; until {day_of(until)}."
    )
