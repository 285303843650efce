"""One board under successive addresses: who leads a lineage on which days, and what the others say meanwhile.

An address is a board as one source keeps it, `<source>/<benchmark as stored there>`. The frame `lineage` says which
addresses are one board. On each day one of them leads; the others that cover the day are checks and count nowhere
else. Where the lead passes from one to another the board was handed over, and nothing is computed across that.
"""

import polars as pl

from benchhealth.analytics.record.frames import PRECEDENCE
from benchhealth.analytics.record.tables import PUBLISHED

_DAY = pl.col("observed_at").dt.date()
_PLAIN = pl.concat_str("source_id", pl.lit("/"), "benchmark_id")
"""The `board_id` of a board that has no lineage: its source and its benchmark."""


def follow(rows: pl.DataFrame, lineage: pl.DataFrame) -> pl.DataFrame:
    """The rows that count, with the `board_id` under which their board is shown, and `led_until`.

    `rows` have an address as `board_id`, `source_id`, `benchmark_id`, `observed_at`. Of a lineage those remain that
    the leading address says; `led_until` is the day from which another leads, null for the one that leads last. A
    board of no lineage is shown as `<source_id>/<benchmark_id>`. The order of rows is not kept.
    """
    inside = rows.filter(_may_be_followed(lineage))
    instants = _instants(inside, lineage)
    if instants.is_empty():
        return rows.with_columns(board_id=_PLAIN, led_until=pl.lit(None, dtype=pl.Date))
    addresses = instants.select("board_id").unique()
    unmoved = rows.join(addresses, on="board_id", how="anti")
    led = inside.join(_with_ends(instants), on=["board_id", "observed_at"])
    return pl.concat(
        [
            unmoved.with_columns(board_id=_PLAIN, led_until=pl.lit(None, dtype=pl.Date)),
            led.with_columns(board_id="shown").select(*rows.columns, "led_until"),
        ]
    )


def standing(followed: pl.DataFrame) -> pl.DataFrame:
    """Those rows of `follow` whose address leads to this day."""
    return followed.filter(pl.col("led_until").is_null())


def stretches(states: pl.DataFrame, lineage: pl.DataFrame) -> pl.DataFrame:
    """Table `lineage`: the stretches of days in which an address led its board, and those in which it was a check.

    `states` are the rankable rows of every state of every board by address. Of a check, `shared` is the most models
    that one of its states has in common with the state that leads then, `difference` the median distance of the scores
    of their best rows, in the score's own unit.
    """
    schema = PUBLISHED["lineage"]
    inside = states.filter(_may_be_followed(lineage))
    instants = _instants(inside, lineage)
    if instants.is_empty():
        return pl.DataFrame(schema=schema)
    stretch = ["shown", "run"]
    return (
        instants.group_by(*stretch)
        .agg(
            pl.col("board_id", "leads", "note", "source_url").first(),
            from_on=_DAY.min(),
            until_on=_DAY.max(),
            states=pl.len().cast(pl.Int64),
        )
        .join(_check_runs(inside, instants), on=stretch, how="left")
        .rename({"board_id": "address", "shown": "board_id"})
        .match_to_schema(schema, extra_columns="ignore", integer_cast="upcast")
        .sort("board_id", "from_on", "address")
    )


def _may_be_followed(lineage: pl.DataFrame) -> pl.Expr:
    """Whether a row is of a source that has a board in a lineage: most are not, and need no closer look."""
    return pl.col("source_id").is_in(lineage["board_id"].str.split("/").list.first().unique().implode())


def _members(rows: pl.DataFrame, lineage: pl.DataFrame) -> pl.DataFrame:
    """Addresses with the rows of the frame about them: `shown`, the days covered, `order` (the least leads).

    A row `<source>/*` is about all boards of a source that have no row of their own; a part of a benchmark is in the
    lineage of its whole. An address covers no day before it was first seen; without an `until_on` it has no end.
    """
    ordered = (
        lineage.with_columns(rank=pl.col("precedence").replace_strict(PRECEDENCE, range(len(PRECEDENCE))))
        .sort("rank", "board_id", "from_on", nulls_last=False)
        .with_row_index("order")
        .rename({"board_id": "whole"})
    )
    addresses = (
        rows.group_by("board_id")
        .agg(pl.col("source_id", "benchmark_id").first(), first=_DAY.min())
        .with_columns(own=pl.col("board_id").str.extract(r"^([^/]+/[^/]+)"), all=pl.col("source_id") + "/*")
        .with_columns(whole=pl.when(pl.col("own").is_in(lineage["board_id"].implode())).then("own").otherwise("all"))
    )
    benchmark = pl.col("benchmark_id").str.extract(r"^([^/]+)")
    suffix = pl.col("benchmark_id").str.extract("(/.*)$").fill_null("")
    return addresses.join(ordered, on="whole").select(
        "board_id",
        "order",
        "note",
        "source_url",
        shown=pl.col("lineage_id").str.replace("*", benchmark, literal=True) + suffix,
        covers_from=pl.max_horizontal("from_on", "first"),
        covers_until=pl.col("until_on").fill_null(pl.date(9999, 12, 31)),
    )


def _instants(rows: pl.DataFrame, lineage: pl.DataFrame) -> pl.DataFrame:
    """Each instant of each address, as `_members` says it, with `leads` and the `run` that it belongs to.

    A run that leads is what one row of the frame says without another between; the checks of a row are one run. An
    address that speaks on a day that no row of it covers comes last: it leads where nobody else covers the day.
    """
    members = _members(rows, lineage)
    covered = pl.col("on").is_between("covers_from", "covers_until")
    instants = (
        rows.select("board_id", "observed_at")
        .unique()
        .with_columns(on=_DAY)
        .join(members, on="board_id")
        .with_columns(order=pl.when(covered).then("order").otherwise(pl.col("order") + lineage.height))
        .sort("order")
        .unique(["board_id", "observed_at"], keep="first", maintain_order=True)
    )
    days = instants.select("shown", "on").unique()
    covering = days.join(members, on="shown").filter(covered)
    leader = (
        pl.concat([frame.select("shown", "on", "order") for frame in (covering, instants)])
        .group_by("shown", "on")
        .agg(best=pl.col("order").min())
    )
    placed = (
        instants.join(leader, on=["shown", "on"])
        .with_columns(leads=pl.col("order") == pl.col("best"))
        .sort("shown", "leads", pl.when("leads").then("observed_at"), "order", "observed_at")
    )
    return placed.with_columns(run=pl.struct("shown", "leads", "order").rle_id()).drop("best", "on")


def _with_ends(instants: pl.DataFrame) -> pl.DataFrame:
    """The instants that lead, with `led_until`, the first day of the next run of their lineage."""
    led = instants.filter("leads")
    runs = led.group_by("shown", "run").agg(begins=_DAY.min()).sort("shown", "run")
    ends = runs.with_columns(led_until=pl.col("begins").shift(-1).over("shown")).drop("begins")
    return led.join(ends, on=["shown", "run"]).select("board_id", "observed_at", "shown", "led_until")


def _check_runs(states: pl.DataFrame, instants: pl.DataFrame) -> pl.DataFrame:
    """For each run of checks `shared` and `difference`, against the state that led at the time."""
    led = instants.filter("leads").select("shown", "observed_at", leader="board_id", led_at="observed_at")
    checks = (
        instants.filter(~pl.col("leads"))
        .sort("observed_at")
        .join_asof(led.sort("observed_at"), on="observed_at", by="shown", check_sortedness=False)
    )
    row = ["board_id", "observed_at", "model_id"]
    scores = states.sort("merit", "score", descending=True).unique(row, keep="first").select(*row, "score")
    meant = scores.rename({"board_id": "leader", "observed_at": "led_at", "score": "leading"})
    pairs = (
        checks.select("shown", "run", "board_id", "observed_at", "leader", "led_at")
        .join(scores, on=["board_id", "observed_at"])
        .join(meant, on=["leader", "led_at", "model_id"])
    )
    return pairs.group_by("shown", "run").agg(
        shared=(pl.col("observed_at").unique_counts().max()).cast(pl.Int64),
        difference=(pl.col("score") - pl.col("leading")).abs().median(),
    )
