"""Who measured what a row prints, as the registry has it, and whether that is the maker of the model."""

import polars as pl

from benchhealth.analytics.record.frames import EVERY_PLACE
from benchhealth.analytics.record.tables.columns import TEXT

SELF = "self"

_KEY = ("snapshot_id", "benchmark_id", "model_id", "setting")
_STATED_COLUMNS = ("measured_by", "organisation", "quotes")
_TOGETHER = r" *(?:,| & ) *"
"""What stands between the names of the makers of one model."""


def measurer_ids() -> list[pl.Expr]:
    """What the registry names a measurer by: the `whole` board, and `all` of a source."""
    board = pl.col("board_id").str.extract("^([^/]+/[^/]+)")
    return [board.alias("whole"), (pl.col("source_id") + "/*").alias("all")]


def with_houses(rows: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """The rows with `named`, the house that measured them, `of_house`, the maker of models that it is, and `quotes`.

    What a row says of itself (`printed_in`) goes before what its board is, and that before its source. `named` is null
    where the row only passes on what others measured, and where it names a place that the registry does not know.
    `quotes`: on which benchmarks its document prints the words of other makers.
    `rows` have `source_id`, `whole`, `all` and `printed_in`; their order is kept.
    """
    documents = _stated_by(measurer.filter(pl.col("board_id") == EVERY_PLACE), "document", "printed_in")
    boards = _stated_by(measurer.filter(pl.col("document").is_null()), "board_id", "whole")
    sources = _stated_by(measurer.filter(pl.col("document").is_null()), "board_id", "all")
    joined = rows
    for table, key in ((documents, "printed_in"), (boards, "whole"), (sources, "all")):
        joined = joined.join(table, on=key, how="left", maintain_order="left")
    document = pl.col("printed_in").is_not_null()
    board, source = pl.col("has whole").fill_null(value=False), pl.col("has all").fill_null(value=False)

    def first(column: str, otherwise: pl.Expr) -> pl.Expr:
        of_document, of_board, of_source = (f"{column} {key}" for key in ("printed_in", "whole", "all"))
        return (
            pl.when(document)
            .then(of_document)
            .when(board)
            .then(of_board)
            .when(source)
            .then(of_source)
            .otherwise(otherwise)
        )

    return joined.with_columns(
        named=first("measured_by", pl.col("source_id")),
        of_house=first("organisation", pl.lit(None, TEXT)),
        quotes=first("quotes", pl.lit(None, TEXT)),
    ).select(*rows.columns, "named", "of_house", "quotes")


def makers_words(rows: pl.DataFrame, models: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """The results with the reporter `self` where the house or the document is of the maker of the model itself.

    So too where the document says that it quotes the maker's own paper (`quotes` of `frames.MEASURER`), or the
    published name that it is of the authors of the paper (`names_authors`).
    A house never measures its own model independently. `rows` have the columns of `frames.RESULT` up to `stands`,
    `models` are those with their `organisation`: a model of several makers is of each of them. A row beside which its
    file has the maker's own under the same key (an older paper of the same maker) stays as it is: one is enough. The
    order is kept.
    """
    makers = models.select("model_id", makers=pl.col("organisation").str.replace_all(_TOGETHER, "\n").str.split("\n"))
    where = ["source_id", "board_id", "printed_in"]
    houses = with_houses(rows.select(where).unique().with_columns(measurer_ids()), measurer)
    with_house = (
        rows.select(*_KEY, *where, "reporter", "published_name")
        .with_row_index("place")
        .join(houses, on=where, how="left", nulls_equal=True, maintain_order="left")
        .join(makers, on="model_id", how="left", maintain_order="left")
    )
    is_maker = pl.col("makers").list.contains(pl.col("of_house"))
    is_quoted = pl.col("quotes").str.split(", ").list.contains(pl.col("benchmark_id"))
    is_own = is_maker.fill_null(value=False) | is_quoted.fill_null(value=False) | _names_authors(measurer)
    named = pl.when(is_own).then(pl.lit(SELF)).otherwise("reporter")
    renamed = with_house.with_columns(named=named, is_own=is_own & (pl.col("reporter") != SELF))
    of_maker = renamed.filter(pl.col("named") == SELF)
    repeated = of_maker.filter(of_maker.select(_KEY).is_duplicated() & of_maker["is_own"])["place"]
    reporter = pl.when(pl.col("place").is_in(repeated.implode())).then("reporter").otherwise("named")
    return rows.with_columns(renamed.select(reporter=reporter)["reporter"])


def _names_authors(measurer: pl.DataFrame) -> pl.Expr:
    """Whether the published name says that its model is of the authors of the paper that the row cites."""
    patterns = measurer.drop_nulls("names_authors").select("board_id", "names_authors").iter_rows()
    of_source = pl.col("source_id") + "/*"
    named = [(of_source == board) & pl.col("published_name").str.contains(pattern) for board, pattern in patterns]
    return pl.any_horizontal(pl.lit(value=False), *named).fill_null(value=False)


def _stated_by(rows: pl.DataFrame, column: str, key: str) -> pl.DataFrame:
    columns = {f"{name} {key}": name for name in _STATED_COLUMNS}
    return rows.select(pl.col(column).alias(key), **columns, **{f"has {key}": pl.lit(value=True)})
