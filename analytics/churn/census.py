"""How much of the printed order exists: over all boards by year and by domain."""

import numpy as np
import polars as pl

from benchhealth.analytics.record.frames import Frames, benchmark_of_board
from benchhealth.analytics.record.lineages.one_id import RELEASE
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

FEWEST_MODELS = 5
"""With fewer models a board has no top of which an order could be said."""

FEWEST_BOARDS = 5
"""With fewer boards of known errors no share is given."""

YEAR, DOMAIN = "year", "domain"
_SCHEMA = PUBLISHED["order_census"]


def order_census(
    board_card: pl.DataFrame, benchmark_facts: pl.DataFrame, design_effect: pl.DataFrame, frames: Frames
) -> pl.DataFrame:
    """Table `order_census`: of the boards of curated benchmarks, on how many the printed order is more than error.

    Each board of FEWEST_MODELS models or more counts once a year, as it was last seen in it; by domain the boards of
    the last year. `first_apart` of those with known errors have one model tied for first (`board_card`). Their `share`,
    of FEWEST_BOARDS boards or more, has the interval of boards that come in families: parts and releases of one
    benchmark, and those that data/registry/family.csv names, go together (`clustered_share`). `neighbours_apart` counts
    pairs of neighbours of the printed top ten, one pair at a time. `second_apart` counts the boards whose first two
    differ, were the errors of all models independent, and `second_apart_shared` were they shared as much as on any like
    test (`correlation`, the largest of `design_effect`): where items are not known, the truth lies between.
    """
    boards = _boards(board_card, benchmark_facts, frames)
    if boards.is_empty():
        return pl.DataFrame(schema=_SCHEMA)
    largest = design_effect["correlation"].drop_nulls().max()
    correlation = None if largest is None else float(largest)  # type: ignore[arg-type]
    last = boards.filter(pl.col(YEAR) == pl.col(YEAR).max())
    groups = [
        *((YEAR, f"{year}", rows) for (year,), rows in boards.group_by(YEAR, maintain_order=True)),
        *((DOMAIN, f"{name}", rows) for (name,), rows in last.drop_nulls(DOMAIN).group_by(DOMAIN, maintain_order=True)),
    ]
    counted = [_group_row(grouping, group, rows, correlation) for grouping, group, rows in groups]
    table = pl.DataFrame(counted, schema=_SCHEMA, orient="row")
    return table.sort(pl.col("grouping") != YEAR, "group")


def _boards(cards: pl.DataFrame, facts: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Each board as it was last seen in each year, with `domain` and `family`."""
    of_year = cards.with_columns(
        benchmark_id=benchmark_of_board(),
        year=pl.col("observed_at").dt.year(),
    ).filter(pl.col("n_models") >= FEWEST_MODELS)
    newest = of_year.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id", YEAR))
    curated = facts.filter("curated").select("benchmark_id", domain="domain_group")
    return (
        newest.join(curated, on="benchmark_id", maintain_order="left")
        .join(families(curated, frames), on="benchmark_id", maintain_order="left")
        .sort(YEAR, "board_id")
    )


def families(benchmarks: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """The `family` of each `benchmark_id`: as data/registry/family.csv has it, else parts and releases of one go
    together."""
    release_of = pl.col("benchmark_id").str.split("/").list.first().str.replace(RELEASE, "")
    named = frames.family.select("benchmark_id", "family")
    joined = benchmarks.select("benchmark_id").join(named, on="benchmark_id", how="left", maintain_order="left")
    return joined.with_columns(family=pl.coalesce("family", release_of))


def _group_row(grouping: str, group: str, rows: pl.DataFrame, correlation: float | None) -> dict[str, object]:
    with_ties = rows.filter(pl.col("ties_reason").is_null())
    pairs = rows.drop_nulls(["difference", "difference_error"])
    row: dict[str, object] = {
        "grouping": grouping,
        "group": group,
        "boards": rows.height,
        "families": rows["family"].n_unique(),
        "known": with_ties.height,
        "first_apart": with_ties.filter(pl.col("tied_first") == 1).height,
        "neighbours": int(rows["neighbours"].sum()),
        "neighbours_apart": int(rows["neighbours_apart"].sum()),
        "seconds": pairs.height,
        "second_apart": _count_apart(pairs, 0.0),
        "second_apart_shared": None if correlation is None else _count_apart(pairs, correlation),
        "correlation": correlation,
        "seen_until": rows["observed_at"].max(),
    }
    if with_ties.height >= FEWEST_BOARDS:
        is_sole_leader = (with_ties["tied_first"] == 1).to_numpy()
        row["share"], row["low"], row["high"] = clustered_share(is_sole_leader, with_ties["family"].to_numpy())
    return row


def _count_apart(pairs: pl.DataFrame, correlation: float) -> int:
    """On how many boards the first two differ by more than their error, at this correlation of errors."""
    error = pairs["difference_error"] * float(np.sqrt(1 - correlation))
    return int((pairs["difference"] > Z95 * error).sum())
