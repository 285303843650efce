"""What the analytics layer reads: facts as polars frames, already restricted to what was known at one `as_of`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from benchhealth.analytics.packed import ROWS_AT_ONCE
from benchhealth.analytics.record.conditions.recognise import CONDITION
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import (
    COUNT,
    DAY,
    FLAG,
    INSTANT,
    NUMBER,
    TEXT,
    by_type,
    schemas_of,
    table_field,
)

ITEM_RESULT = pl.Schema({**PUBLISHED["item_result"], "source_id": TEXT, "stands": FLAG})
"""A result item by item: the row of `result` with that `snapshot_id` and `source_row`, packed over a list of the frame
`item`. An item of its `n_items` that is not in the list has the outcome 0. `stands` is whether it is the newest that
its source holds to be true of the model under this setting."""

RESULT = pl.Schema(
    {
        **{name: kind for name, kind in PUBLISHED["result"].items() if name != "side"},
        "source_id": TEXT,
        "board_id": TEXT,
        "observed_at": PUBLISHED["snapshot"]["observed_at"],
        "published_name": TEXT,
        "kind": TEXT,
        "printed_in": TEXT,
    }
)
"""A result joined with its snapshot. `board_id` is the address of its leaderboard, `<source_id>/<benchmark as stored>`
(`analytics.record.lineages` says how it is shown);
`published_name` is the model as the source printed it; `kind` is model, human, random or cheating (only `model`
rows are ranked); where the source gives no `dated_on`, or a day more than a month before the model's
release, it is that release if known (`date_basis` model_release), else the day on which the result first appeared in
its file (`date_basis` snapshot). A result that was there at the first look at its file appeared on no known day: its
`dated_on` is null, and `observed_at` of that look is an upper bound. `condition` is what
`analytics.record.conditions.recognise` makes of the row; `stands` whether it is what its source holds to be true now
(`analytics.record.conditions.standing`). `printed_in` is the document or board that the row names as where its number
stands; null where it names none."""

BENCHMARK = pl.Schema({name: kind for name, kind in PUBLISHED["benchmark"].items() if name != "known_until"})
SOURCE = pl.Schema({name: kind for name, kind in PUBLISHED["source"].items() if name != "known_until"})
"""The columns of the published tables without `known_until`, which an assessment computes."""

LOOK = pl.Schema({"source_id": TEXT, "board_id": TEXT, "looked_at": INSTANT})
"""Until when an answer of a source spoke for one of its files; `board_id` is the board that the file's snapshots
follow, or EVERY_BOARD."""

EVERY_BOARD = ""
"""The `board_id` of a look at a source whose files are fetched all at once."""

DESIGN_EFFECT = pl.Schema({name: kind for name, kind in PUBLISHED["design_effect"].items() if name != "basis"})
"""What shared items did on tests whose items may not be passed on, as it was measured with them."""

ITEM_LABEL = pl.Schema({"source_id": TEXT, "item": TEXT, "label": TEXT, "source_url": TEXT})
"""What people found wrong with an item of a source's test. An item without a row, of a source that has rows, was
checked and found right."""

PRINTED_NUMBER = by_type(
    (TEXT, "claim_id area class statement"),
    (NUMBER, "published"),
    (TEXT, "unit"),
    (NUMBER, "tolerance"),
    (TEXT, "tolerance_reason"),
    (NUMBER, "null_value"),
    (TEXT, "null_reason interval paper"),
    (COUNT, "year"),
    (TEXT, "place opened why source_url"),
)
"""A number that a paper prints, or that is ours: `analytics.reproduction` has the function of each."""

PAPER_TABLE = pl.Schema({"paper": TEXT, "subject": TEXT, "measure": TEXT, "value": NUMBER, "source_url": TEXT})
"""A cell of a table that a paper's authors published, where the paper's number is made of the whole table."""

TWIN_PAIR = by_type(
    (TEXT, "twin_id original_id other_id kind source_id other_source_id"),
    (DAY, "observed_on"),
    (TEXT, "test note source_url"),
)
"""A declared pair of measurements of the same thing. `source_id` restricts both sides to one source (null: any), or
the original alone where `other_source_id` names the source of the other side. Of an independent rerun the original are
the results that makers report of their own models, the other those of third parties; both may be of one benchmark.
`observed_on` pins both sides to the snapshots current on that day (null: the newest); `test` names the null
hypothesis of the residuals: `difference` (both sides are the same test, so equal scores are expected) or `fit`
(the line through all models is expected)."""

PRECEDENCE = ("feed", "own", "crawl")
"""Who leads where several addresses of one board cover the same days, the first before the others: the publisher's feed
of data, the board's own files, a copy made by others."""

LINEAGE = by_type((TEXT, "board_id lineage_id"), (DAY, "from_on until_on"), (TEXT, "precedence note source_url"))
"""Addresses (`<source>/<benchmark as stored>`, or `<source>/*` for all of a source) of boards that go on under another:
`lineage_id` is how the board is shown, `*` in it the benchmark. An address counts `from_on` to `until_on` (null: from
its first day, without end). Not for another edition with other items: scores of one lineage are of one measurement."""

MEASURER = by_type((TEXT, "board_id document measured_by organisation quotes names_authors note source_url"))
"""Who measured what a board lists: `board_id` is an address as in LINEAGE, or EVERY_PLACE for what is printed in a
`document`, whichever board lists it; a document goes before the board. `measured_by` is a house, null where each row
would have to say. `organisation` makes models and is the house, or wrote the document: what it says of its own models
is a maker's word. `quotes`: the benchmarks, with commas between, on which the document says that its numbers of others'
models are from their makers' own papers. `names_authors`: the pattern of published names that name the authors of the
paper which the row cites."""

EVERY_PLACE = "*"
"""The `board_id` of a document in MEASURER."""

CUTOFF = pl.Schema({"model_id": TEXT, "cutoff_on": DAY, "source_id": TEXT, "source_url": TEXT})
"""The day on which a model's training data ended, reconciled like the table `model`: at most one row for each model,
with a source that states it."""

MODEL_CLAIM = pl.Schema(
    {
        **{name: kind for name, kind in PUBLISHED["model"].items() if name != "released_precision"},
        **by_type((DAY, "cutoff_on"), (TEXT, "source_id"), (INSTANT, "observed_at"), (TEXT, "source_url")),
    }
)
"""What each source last said about each attribute of each model, null where it never did: one row for each model and
source. A null source is a curator. `observed_at` and `source_url` are of the newest file that says anything of it."""

AS_PUBLISHED = ("benchbench",)
"""Sources that are the tables of a published analysis: their boards are taken whole, as its authors define them. Every
column is a task and every line an entry: a name listed again counts again, and so does the line of human scores.
Elsewhere a model is on a board once, in its best setting of each task, and humans are not."""

PAPERS = ("milestones",)
"""Sources that hold what single papers print, read by hand: they look at nothing by themselves."""

NO_SCORE = "no score"
"""The reason for which a cell without a number is no result."""

EMPTY_CELL = pl.Schema({"source_id": TEXT, "benchmark_id": TEXT, "published_name": TEXT, "source_row": TEXT})
"""A cell of a board `AS_PUBLISHED` that holds no score, in the newest version of its file: an entry of nothing else is
on the board of its authors, and has no result."""

LISTED_NAME = pl.Schema({"entity": TEXT, "listed": TEXT, "name": TEXT, "key": TEXT, "source_id": TEXT})
"""A name that a registry of names lists under one of its own entries; `entity` is model or benchmark, `key` what the
name would be among the ids here. Claims for a curator: nothing is merged by them."""

FAMILY = pl.Schema({"benchmark_id": TEXT, "family": TEXT, "why": TEXT, "source_url": TEXT})
"""Which benchmarks share tasks, or draw them from one pool or in one form: they are solved together, and are no
independent evidence of how benchmarks age. One that has no row is a family of its own."""

LABEL_ERROR = by_type(
    (TEXT, "benchmark_id covers part"),
    (COUNT, "n_checked"),
    (NUMBER, "share_flawed share_unreachable"),
    (TEXT, "method source_url note"),
)
"""Checks of a test's labels. `covers` is whole, sample (of the whole) or part. `share_flawed` counts every fault that
was looked for, `share_unreachable` only questions on which no right answer scores: they alone bound a score."""

INCIDENT = pl.Schema(
    {
        name: kind
        for name, kind in PUBLISHED["incident"].items()
        if name not in ("home", "board_id", "part", "n", "share")
    }
)
"""What happened to a benchmark and has no other home, as incident.csv has it."""


class SchemaError(ValueError):
    """A frame does not have the columns and types that its table is defined with."""


@dataclass(frozen=True)
class Frames:
    """Facts known at one instant; each field is a frame with the schema of `SCHEMAS` under its name.

    Results are many, and each step reads a few of their columns or one part of them after the other: so they are lazy,
    and whoever loads them decides how they are held.
    """

    benchmark: pl.DataFrame = field(metadata={"schema": BENCHMARK})
    model: pl.DataFrame = field(metadata={"schema": PUBLISHED["model"]})
    source: pl.DataFrame = field(metadata={"schema": SOURCE})
    snapshot: pl.DataFrame = field(metadata={"schema": PUBLISHED["snapshot"]})
    result: pl.LazyFrame = field(metadata={"schema": RESULT})
    breakpoint: pl.DataFrame = field(metadata={"schema": PUBLISHED["breakpoint"]})
    contamination_report: pl.DataFrame = field(metadata={"schema": PUBLISHED["contamination_report"]})
    twin_pair: pl.DataFrame = field(metadata={"schema": TWIN_PAIR})
    successor: pl.DataFrame = table_field(PUBLISHED["successor"])
    lineage: pl.DataFrame = table_field(LINEAGE)
    measurer: pl.DataFrame = table_field(MEASURER)
    cutoff: pl.DataFrame = table_field(CUTOFF)
    model_claim: pl.DataFrame = table_field(MODEL_CLAIM)
    listed_name: pl.DataFrame = table_field(LISTED_NAME)
    empty_cell: pl.DataFrame = table_field(EMPTY_CELL)
    look: pl.DataFrame = table_field(LOOK)
    condition: pl.DataFrame = table_field(CONDITION)
    mention: pl.DataFrame = table_field(PUBLISHED["mention"])
    incident: pl.DataFrame = table_field(INCIDENT)
    price: pl.DataFrame = table_field(PUBLISHED["price"])
    family: pl.DataFrame = table_field(FAMILY)
    label_error: pl.DataFrame = table_field(LABEL_ERROR)
    item_result: pl.DataFrame = table_field(ITEM_RESULT)
    item: pl.DataFrame = table_field(PUBLISHED["item"])
    design_effect: pl.DataFrame = table_field(DESIGN_EFFECT)
    item_label: pl.DataFrame = table_field(ITEM_LABEL)
    kept_out: pl.DataFrame = table_field(PUBLISHED["kept_out"])
    printed_number: pl.DataFrame = table_field(PRINTED_NUMBER)
    left_out: pl.DataFrame = table_field(PUBLISHED["left_out"])
    paper_table: pl.DataFrame = table_field(PAPER_TABLE)

    def __post_init__(self) -> None:
        for name, expected in SCHEMAS.items():
            frame: pl.DataFrame | pl.LazyFrame = getattr(self, name)
            schema = frame.collect_schema()
            if schema != expected:
                raise SchemaError(f"{name}: expected {expected}, got {schema}")


SCHEMAS = schemas_of(Frames)
"""The schema of every frame of `Frames`, by name."""

RESULT_ORDER = ("benchmark_id", "observed_at", "snapshot_id", "model_id", "setting", "reporter", "source_row")
"""The one order of results: by benchmark first, so that a run of rows is all of some benchmarks."""

_ORDERS = {
    "item": ("list_id", "place"),
    "item_result": ("benchmark_id", "snapshot_id", "model_id", "setting", "reporter", "source_row"),
}


def in_order(frames: Frames) -> Frames:
    """The same facts with the rows of each frame in one order, whatever order they came in.

    Sums of floating-point numbers depend on their order in the last digit, and of equal rows the first is taken. A
    frame that is in order already is not copied.
    """
    ordered = {name: _sorted(name, getattr(frames, name)) for name in SCHEMAS if name != "result"}
    return Frames(**ordered, result=_sorted_results(frames.result))


def _sorted_results(result: pl.LazyFrame) -> pl.LazyFrame:
    rows = result.select(pl.len()).collect().item()
    keys = result.select(RESULT_ORDER)
    pieces = (keys.slice(begin, ROWS_AT_ONCE + 1).collect() for begin in range(0, rows, ROWS_AT_ONCE))
    if all(_order_of(piece, RESULT_ORDER).is_sorted() for piece in pieces):
        return result
    return result.sort(RESULT_ORDER, maintain_order=True).collect().lazy()


def _sorted(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    order = _order_of(frame, _ORDERS.get(name, frame.columns))
    return frame if order.is_sorted() else frame[order]


def _order_of(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    return frame.select(place=pl.arg_sort_by(keys, maintain_order=True))["place"]


def benchmark_by_benchmark(result: pl.LazyFrame, at_once: int = ROWS_AT_ONCE) -> Iterator[pl.LazyFrame]:
    """Results that are `in_order`, in parts of whole benchmarks, of about `at_once` rows each.

    Of one benchmark where it alone has more. Of no rows there is one part, without rows.
    """
    sizes = result.group_by("benchmark_id").agg(size=pl.len()).collect().sort("benchmark_id")["size"].to_list()
    begin = end = 0
    for size in sizes:
        if end > begin and end + size - begin > at_once:
            yield result.slice(begin, end - begin)
            begin = end
        end += size
    yield result.slice(begin, end - begin)


def parts(rows: pl.DataFrame, at_once: int, size: pl.Expr | None = None) -> Iterator[pl.DataFrame]:
    """The rows in parts of whole benchmarks, of about `at_once` rows each (of one benchmark where it alone has more).

    For what is computed of each benchmark alone, and is large of all at once. Of no rows there is no part.
    `size` says of a benchmark's rows how many they are to count as; without it each counts once.
    """
    sizes = rows.group_by("benchmark_id").agg(size=pl.len() if size is None else size).sort("benchmark_id")
    for _, benchmarks in sizes.group_by(pl.col("size").cum_sum() // at_once, maintain_order=True):
        yield rows.join(benchmarks, on="benchmark_id", how="semi", maintain_order="left")


def is_part(column: str = "benchmark_id") -> pl.Expr:
    """Whether an id is that of a part of a benchmark, `<benchmark>/<part>`."""
    return pl.col(column).str.contains("/", literal=True)


def is_whole(column: str = "benchmark_id") -> pl.Expr:
    """Whether an id is that of a benchmark itself and not of a part; parts have no verdict of their own."""
    return ~is_part(column)


def source_of_board() -> pl.Expr:
    """The source in a `board_id`, `<source>/<benchmark>`."""
    return pl.col("board_id").str.splitn("/", 2).struct.field("field_0")


def benchmark_of_board() -> pl.Expr:
    """The benchmark, or part of one, in a `board_id`, `<source>/<benchmark>`."""
    return pl.col("board_id").str.splitn("/", 2).struct.field("field_1")
