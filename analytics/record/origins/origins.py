"""Origins: of rows that are one number, which one is the original, which one counts, and whether it is independent.

One number printed by five aggregators has one origin. Two printed scores are one number where their digits are equal,
or one is the rounding of the other. Rows of one model on one benchmark are copies where the digits
are equal (rounding counted in) and the conditions do not differ, and where one of the places does not measure by itself
or both are of one house: two that measure may well find the same. What an older address of a board says of a row that
its leading address says otherwise was corrected, and does not count.
"""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.frames import PRECEDENCE
from benchhealth.analytics.record.origins.houses import SELF as _SELF
from benchhealth.analytics.record.origins.houses import measurer_ids, with_houses
from benchhealth.analytics.record.tables.columns import COUNT, FLAG, TEXT, by_type

MOST_DECIMALS = 6
"""Decimals that are looked at; no source prints more of a measured score."""

ENOUGH_DIGITS = 3
"""Digits in which two numbers must agree to be one: with two, one pair in ten agrees by chance."""

FEW_DIGITS = 2
"""Digits that are enough between places that only pass numbers on, where they are the same digits."""

_NOISE = 1e-9


def decimals(score: pl.Expr) -> pl.Expr:
    """How many decimals a score was printed with, at most MOST_DECIMALS; a zero at the end was lost in reading."""
    candidates = [
        pl.when((score.round(n_decimals) - score).abs() < _NOISE).then(pl.lit(n_decimals, pl.Int64))
        for n_decimals in range(MOST_DECIMALS)
    ]
    return pl.coalesce(*candidates, pl.lit(MOST_DECIMALS, pl.Int64))


def digits(score: pl.Expr, n_decimals: pl.Expr) -> pl.Expr:
    """How many digits that is, without zeros in front: 0.851 has three, 1344.5 has five."""
    before = (score.abs().log10().floor() + 1).clip(lower_bound=0).cast(pl.Int64)
    return pl.when(score == 0).then(pl.lit(0, pl.Int64)).otherwise(n_decimals + before)


def _is_same_number() -> pl.Expr:
    """Whether both scores of a pair are one number as printed: equal, or the coarser is the finer rounded."""
    fewest = pl.min_horizontal("decimals", "decimals_of")
    unlike = pl.col("decimals") != pl.col("decimals_of")
    rounding = pl.when(unlike).then(pl.lit(0.5) * pl.lit(10.0).pow(-fewest)).otherwise(0.0)
    return (pl.col("score") - pl.col("score_of")).abs() <= rounding + _NOISE


RESULT_KEY = ("snapshot_id", "benchmark_id", "model_id", "setting", "reporter")

ORIGIN = pl.Schema(
    {
        **dict.fromkeys(RESULT_KEY, TEXT),
        **by_type(
            (COUNT, "origin"),
            (TEXT, "basis"),
            (FLAG, "counts"),
            (TEXT, "origin_reporter measured_by"),
            (FLAG, "quoted independent"),
        ),
    }
)
"""A standing row and the number that it is. `origin` counts the numbers of one model on one benchmark from 1: all rows
of one number share it. `basis`: `original`, `lineage` (the same number at another address of the board), `digits` (the
same number elsewhere), `corrected` (the leading address of the board says another). `counts`: true in one row of each
number, the one that says most about how it was measured; in none where all were corrected. `origin_reporter`: who
reported the original, self or third_party. `measured_by`: the house that measured it, null where nobody says. `quoted`:
a third party's row whose original is the maker's. `independent`: the number was measured or first reported by somebody
else than the maker."""

ORIGINAL, _LINEAGE, _DIGITS, _CORRECTED = "original", "lineage", "digits", "corrected"
_PAIR = ["benchmark_id", "model_id"]
_HOPS = 3
"""From a copy to its original: a quote of a quote of a quote."""


def origins(rows: pl.DataFrame, lineage: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """The origin of each of these results, in the order of `rows`; schema ORIGIN.

    `rows` stand, are of models and have a finite score (columns of `frames.RESULT`); `lineage` and
    `measurer` are the frames of these names.
    """
    described = _described(rows, lineage, measurer)
    several = described.filter(described.select(_PAIR).is_duplicated())
    pairs = several.join(several, on=_PAIR, suffix="_of").filter(pl.col("place") != pl.col("place_of"))
    pairs = pairs.with_columns(
        same=_is_same_number(),
        one_line=(pl.col("line") == pl.col("line_of")) & (pl.col("whole") != pl.col("whole_of")),
    )
    original = _roots(described, _copied(pairs), _corrected(pairs))
    return _columns(described.join(original, on="place", how="left", maintain_order="left")).select(ORIGIN.names())


def _described(rows: pl.DataFrame, lineage: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """The rows with what their origin depends on; `order`: of two rows of one number the lower is the original."""
    words = pl.when(pl.col("condition") == UNSTATED).then(0).otherwise(pl.col("condition").str.count_matches(", ") + 1)
    described = (
        rows.select(*RESULT_KEY, "score", "condition", "dated_on", "source_id", "printed_in", *measurer_ids())
        .with_row_index("place")
        .with_columns(decimals=decimals(pl.col("score")), words=words)
        .with_columns(digits=digits(pl.col("score"), pl.col("decimals")))
        .pipe(_with_house, measurer)
        .pipe(_with_lineage, lineage)
    )
    order = ["measures", "is_self", "rank", "decimals", "is_dated", "words", "source_id", "setting", "place"]
    down = [True, True, False, True, True, True, False, False, False]
    return (
        described.with_columns(is_self=pl.col("reporter") == _SELF, is_dated=pl.col("dated_on").is_not_null())
        .sort(order, descending=down, nulls_last=True)
        .with_row_index("order")
        .sort("place")
    )


def with_passed_on(rows: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """The rows with `passed_on`: a third party prints it and the registry does not know who measured it.

    `rows` have `board_id`, `source_id`, `printed_in` and `reporter`; their order is kept.
    """
    named = ["board_id", "source_id", "printed_in"]
    boards = rows.select(named).unique().with_columns(measurer_ids())
    collects = with_houses(boards, measurer).select(named, passed_on=pl.col("named").is_null())
    is_own = (pl.col("reporter") == _SELF).fill_null(value=False)
    return rows.join(collects, on=named, how="left", nulls_equal=True, maintain_order="left").with_columns(
        passed_on=pl.col("passed_on") & ~is_own
    )


def _with_house(described: pl.DataFrame, measurer: pl.DataFrame) -> pl.DataFrame:
    """`house`, who measured the row (null: its maker, or nobody says), `measures`, whether it has one, and `collects`.

    A board `collects` that passes on what others measured.
    """
    return (
        with_houses(described, measurer)
        .with_columns(collects=pl.col("named").is_null(), house=pl.when(pl.col("reporter") != _SELF).then("named"))
        .with_columns(measures=pl.col("house").is_not_null())
        .drop("named", "of_house", "quotes")
    )


def _with_lineage(described: pl.DataFrame, lineage: pl.DataFrame) -> pl.DataFrame:
    """`line`, the board that an address belongs to, and `rank`, the least of which leads; of no lineage its own.

    `has_ended`: the address counts only until some day, so that what the leading one says is of another day.
    """
    precedence = pl.col("precedence").replace_strict(PRECEDENCE, range(len(PRECEDENCE)))
    ranked = (
        lineage.with_columns(has_ended=pl.col("until_on").is_not_null())
        .with_columns(rank=pl.when("has_ended").then(len(PRECEDENCE)).otherwise(precedence))
        .sort("rank")
        .unique("board_id", keep="first", maintain_order=True)
        .select("board_id", "lineage_id", pl.col("rank").cast(pl.Int64), "has_ended")
    )
    of_board = ranked.select(whole="board_id", own_line="lineage_id", own_rank="rank", own_ended="has_ended")
    of_all = ranked.select(all="board_id", all_line="lineage_id", all_rank="rank", all_ended="has_ended")
    benchmark = pl.col("benchmark_id").str.extract("^([^/]+)")
    return (
        described.join(of_board, on="whole", how="left", maintain_order="left")
        .join(of_all, on="all", how="left", maintain_order="left")
        .with_columns(
            line=pl.coalesce("own_line", pl.col("all_line").str.replace("*", benchmark, literal=True), "whole"),
            rank=pl.coalesce("own_rank", "all_rank", 0),
            has_ended=pl.coalesce("own_ended", "all_ended", False),
        )
        .drop("own_line", "own_rank", "own_ended", "all_line", "all_rank", "all_ended")
    )


def _copied(pairs: pl.DataFrame) -> pl.DataFrame:
    """For each copy (`place`) its original (`of`, a place) and the `basis`."""
    shared_digits = pl.min_horizontal("digits", "digits_of")
    one_house = (pl.col("house") == pl.col("house_of")).fill_null(value=False)
    neither = ~pl.col("measures") & ~pl.col("measures_of")
    together = neither | pl.col("one_line") | one_house
    same_decimals = pl.col("decimals") == pl.col("decimals_of")
    one_row = (pl.col("setting") == pl.col("setting_of")) & (pl.col("reporter") == pl.col("reporter_of"))
    is_repeated = pl.col("one_line") & one_row & same_decimals
    enough = (shared_digits >= ENOUGH_DIGITS) | ((shared_digits >= FEW_DIGITS) & same_decimals & together) | is_repeated
    one_source = pl.col("source_id") == pl.col("source_id_of")
    passes_on = ~pl.col("measures") | ~pl.col("measures_of") | one_house | pl.col("one_line")
    may_be = pl.when(one_source).then(pl.col("collects") & pl.col("collects_of")).otherwise(passes_on)
    return (
        pairs.filter("same", enough & may_be & _comparable() & (pl.col("order") > pl.col("order_of")))
        .with_columns(same_setting=pl.col("setting") == pl.col("setting_of"))
        .sort("place", "same_setting", "order_of", descending=[False, True, False])
        .unique("place", keep="first", maintain_order=True)
        .select("place", of="place_of", basis=pl.when("one_line").then(pl.lit(_LINEAGE)).otherwise(pl.lit(_DIGITS)))
    )


def _corrected(pairs: pl.DataFrame) -> pl.Series:
    """The places of rows that the leading address of their board has with another number."""
    one_row = (pl.col("setting") == pl.col("setting_of")) & (pl.col("reporter") == pl.col("reporter_of"))
    older = pl.col("one_line") & (pl.col("rank") > pl.col("rank_of")) & ~pl.col("has_ended") & one_row
    repeated = pairs.filter(older).group_by("place").agg(pl.col("same").any())
    return repeated.filter(~pl.col("same"))["place"]


def _comparable() -> pl.Expr:
    """Whether the conditions do not differ; of a row that says nothing of its setting the condition is not known."""
    equal = pl.col("condition") == pl.col("condition_of")
    silent = [(pl.col(f"setting{side}") == "") | (pl.col(f"condition{side}") == UNSTATED) for side in ("", "_of")]
    return equal | silent[0] | silent[1]


def _roots(described: pl.DataFrame, copied: pl.DataFrame, corrected: pl.Series) -> pl.DataFrame:
    """`root`, the place of the original of each row (its own where it is no copy), and the `basis`."""
    original_of = dict(copied.select("place", "of").iter_rows())
    chained = copied.with_columns(root="of")
    for _ in range(_HOPS):
        chained = chained.with_columns(root=pl.col("root").replace(original_of))
    plain = pl.col("place")
    return (
        described.select("place")
        .join(chained.select("place", "basis", "root"), on="place", how="left", maintain_order="left")
        .with_columns(
            root=pl.coalesce("root", plain),
            basis=pl.when(plain.is_in(corrected.implode()))
            .then(pl.lit(_CORRECTED))
            .otherwise(pl.col("basis").fill_null(ORIGINAL)),
        )
    )


def _columns(described: pl.DataFrame) -> pl.DataFrame:
    """The columns of ORIGIN, from the rows with `root` and `basis`."""
    original = described.select(root="place", origin_reporter="reporter", measured_by="house")
    most = ["root", "words", "is_set", "measures", "is_dated", "decimals", "order"]
    down = [False, True, True, True, True, True, False]
    counted = (
        described.filter(pl.col("basis") != _CORRECTED)
        .with_columns(is_set=pl.col("setting") != "")
        .sort(most, descending=down)
        .unique("root", keep="first", maintain_order=True)["place"]
    )
    return described.join(original, on="root", how="left", maintain_order="left").with_columns(
        origin=pl.col("root").rank("dense").over(_PAIR).cast(COUNT),
        counts=pl.col("place").is_in(counted.implode()),
        quoted=(pl.col("reporter") != _SELF) & (pl.col("origin_reporter") == _SELF),
        independent=pl.col("origin_reporter") != _SELF,
    )
