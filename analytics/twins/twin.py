"""Two measurements of the same thing compared: the gap, the line, the order kept, and the models off the expectation.

A model whose score on the second is lower than expected "scores higher on the original than its twin predicts". That
is all it says: exposure to the original's items is one cause among several (tuning to its format, luck, prompts).

On the linear scale of a bounded unit everything is in points, hundredths of the unit: `gap`, `intercept`, and in the
residuals `original`, `other`, `expected`, `residual`, `std_error`. An open-ended unit is left as it is.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analytics.record.boards import best, newest, rankable
from analytics.record.conditions.references import in_reference, references
from analytics.record.frames import Frames
from analytics.record.tables import PUBLISHED, empty
from analytics.statistics.false_discovery import q_values_within
from analytics.statistics.rank_agreement import kendall_tau
from analytics.statistics.regression import Line, least_squares, logit, probit
from analytics.twins.off_line import off_line

TOP = 50
"""How many models, best by the original, make its top; half of them where there are fewer than twice as many."""

FALSE_DISCOVERIES = 0.05
"""Expected share of false flags among the flags of one twin, and among those of one model over its twins."""

FEWEST_FOR_RESIDUALS = 10
"""With fewer models the line follows each of them too closely to be held against any."""

RERUN = "independent rerun"
"""The kind of twin whose original is what makers report of their own models, and the other what third parties find."""

Numbers = NDArray[np.float64]


class TwinTables(NamedTuple):
    """The tables `twin` and `twin_residual`."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame


class Pairs(NamedTuple):
    """The models measured on both sides, by model id; scores and errors in points, an unknown error is NaN.

    `share_*` are the scores as fractions and `items_*` the numbers of items (NaN: unknown), for the probit scale.
    `sign` is +1 where higher is better on both sides, -1 where lower is, and 0 where the sides differ. `dated_on` is
    the first day on which the original was known to list the model, None where only the first version of its file
    says so: it may have been there before.
    """

    model_id: list[str]
    original: Numbers
    other: Numbers
    original_error: Numbers
    other_error: Numbers
    share_original: Numbers
    share_other: Numbers
    items_original: Numbers
    items_other: Numbers
    sign: int
    bounded: bool
    setting: Sequence[str] = ()
    dated_on: Sequence[date | None] = ()


class Matched(NamedTuple):
    """A row of `twin_pair` with the models that it connects."""

    declared: Mapping[str, Any]
    pairs: Pairs


def matched(frames: Frames) -> list[Matched]:
    """Every declared pair with the models measured on both sides, by twin_id.

    Both sides are read from the newest version of each file, as of the end of `observed_on` where that is set. Within
    one source, models are matched on model and setting, so one model in three settings is three points; between
    sources, where settings have no common names, each model is matched in its best setting on either side. Either side
    holds the condition alone by which its benchmark is judged.
    """
    declared = replace(frames, result=of_twins(frames))
    return matched_among(in_reference(rankable(declared), references(declared)), frames.twin_pair)


def matched_among(rows: pl.DataFrame, twin_pair: pl.DataFrame) -> list[Matched]:
    """Every declared pair with the models that these rankable `rows` have on both sides, by twin_id."""
    parts = rows.partition_by("benchmark_id", as_dict=True).items()
    by_benchmark = defaultdict(rows.clear, {str(name): part for (name,), part in parts})
    return [Matched(row, _pairs(by_benchmark, row)) for row in twin_pair.sort("twin_id").iter_rows(named=True)]


def of_twins(frames: Frames) -> pl.DataFrame:
    """The results of benchmarks that are a side of a declared pair."""
    named = pl.concat([frames.twin_pair["original_id"], frames.twin_pair["other_id"]]).unique()
    return frames.result.filter(pl.col("benchmark_id").is_in(named.implode()))


def twins(frames: Frames) -> TwinTables:
    """Tables `twin` and `twin_residual` for every declared pair, also those that no model connects (n_models 0).

    Each pair is read as `matched` says.

    `twin` has a row for the scale `linear` and, for bounded units, one for `probit` and one for `logit`. There
    `n_models` leaves out the scores of exactly 0 or 1 whose number of items is unknown (see `regression.probit`): the
    difference between the rows is their count. `gap` is the mean of original minus other; slope, interval and
    intercept are of the least squares line of the other on the original; `kendall_tau_top` is over the top 50 (or top
    half) by the original, with all that equal the last of them. What is undefined (fewer than three models, constant
    scores) is null.
    """
    return tables(matched(frames))


def tables(twin_pairs: Sequence[Matched]) -> TwinTables:
    """The two tables of these pairs, as `twins` says."""
    summaries: list[dict[str, object]] = []
    residual_tables = []
    for declared, pairs in twin_pairs:
        line = least_squares(pairs.original, pairs.other)
        named = {name: declared[name] for name in ("twin_id", "original_id", "other_id", "kind")}
        summaries.append({**named, "scale": "linear", **_summary(pairs.original, pairs.other, pairs.sign, line)})
        if pairs.bounded:
            for name, scale in (("probit", probit), ("logit", logit)):
                summaries.append({**named, "scale": name, **_curved_summary(pairs, scale)})
        found = residuals(declared["twin_id"], pairs, line, declared["test"])
        residual_tables.append(found.with_columns(kind=pl.lit(declared["kind"])))
    return TwinTables(
        pl.DataFrame(summaries, schema=PUBLISHED["twin"], orient="row"),
        over_all_twins(pl.concat(residual_tables)) if residual_tables else empty("twin_residual"),
    )


def residuals(twin_id: str, pairs: Pairs, line: Line | None, test: str) -> pl.DataFrame:
    """The residuals of one twin: other minus expected for each model, tested for being worse than expected.

    `test` is `difference` (the original's score is expected) or `fit` (the line through the models that are not off it
    is). `p_value` is one-sided; all columns of table `twin_residual` but those that `over_all_twins` adds. Where an
    error or a line is missing, where the better direction differs between the sides, or with fewer than ten models for
    `fit` the p-value is null. Raises ValueError for another `test`.
    """
    nothing = np.full(pairs.original.size, np.nan)
    if test == "difference":
        expected = pairs.original
        error = np.sqrt(pairs.original_error**2 + pairs.other_error**2)
        p = worse(pairs.sign * (pairs.other - expected), error)
    elif test == "fit":
        expected, error, p = _against_line(pairs, line)
    else:
        raise ValueError(f"{twin_id}: no test is named {test!r}")
    if pairs.sign == 0:
        p = nothing
    columns = {
        "original": pairs.original,
        "other": pairs.other,
        "expected": expected,
        "residual": pairs.other - expected,
        "std_error": error,
        "p_value": p,
    }
    return (
        pl.DataFrame({"model_id": pl.Series(pairs.model_id, dtype=pl.String), **columns})
        .with_columns(pl.col(columns.keys()).fill_nan(None))
        .select(pl.lit(twin_id).alias("twin_id"), "model_id", *columns)
    )


def _against_line(pairs: Pairs, line: Line | None) -> tuple[Numbers, Numbers, Numbers]:
    """What the line expects, the standard error of each residual and its p-value, as `off_line` finds them.

    With too few models, or where none can be found off the line, the expectation is that of least squares.
    """
    nothing = np.full(pairs.original.size, np.nan)
    if pairs.original.size >= FEWEST_FOR_RESIDUALS:
        errors = pairs.original_error, pairs.other_error
        found = off_line(pairs.original, pairs.other, *errors, pairs.sign or 1)
        if found is not None:
            return found.expected, found.error, found.p_value
    return nothing if line is None else line.at(pairs.original), nothing, nothing


def over_all_twins(residual: pl.DataFrame) -> pl.DataFrame:
    """Table `twin_residual` of rows with a `kind`: with `q_value` and `flagged` over all results of each model.

    A model with many twins has many chances of being off one. So its p-values in twins of one kind are first adjusted
    for one another, and then, within each twin, those of all its models (Benjamini-Hochberg both times); `flagged` is
    q <= FALSE_DISCOVERIES.
    """
    of_model = q_values_within(residual, ("kind", "model_id"), q="adjusted")
    return (
        q_values_within(of_model, ("twin_id",), p="adjusted")
        .with_columns(flagged=pl.col("q_value") <= FALSE_DISCOVERIES)
        .select(PUBLISHED["twin_residual"].names())
        .match_to_schema(PUBLISHED["twin_residual"])
    )


def worse(shortfall: Numbers, error: Numbers) -> Numbers:
    """One-sided p-value of a result this far below what is expected. Negative is worse.

    Without any error a result below is certain (0) and any other is no evidence (1); an unknown error gives NaN.
    """
    certain = error == 0
    tail = special.ndtr(shortfall / np.where(certain, 1.0, error))
    return np.where(certain, np.where(shortfall < 0, 0.0, 1.0), tail)


def _summary(original: Numbers, other: Numbers, sign: int, line: Line | None) -> dict[str, object]:
    top = _top(original * (sign or 1))
    return {
        "n_models": original.size,
        "gap": float((original - other).mean()) if original.size else None,
        "slope": line and line.slope,
        "slope_low": line and line.slope_low,
        "slope_high": line and line.slope_high,
        "intercept": line and line.intercept,
        "r2": line and line.r2,
        "kendall_tau": kendall_tau(original, other),
        "kendall_tau_top": kendall_tau(original[top], other[top]),
    }


def _curved_summary(pairs: Pairs, scale: Callable[[Numbers, Numbers], Numbers]) -> dict[str, object]:
    original = scale(pairs.share_original, pairs.items_original)
    other = scale(pairs.share_other, pairs.items_other)
    usable = np.isfinite(original) & np.isfinite(other)
    original, other = original[usable], other[usable]
    return _summary(original, other, pairs.sign, least_squares(original, other))


def _top(merit: Numbers) -> NDArray[np.bool_]:
    k = min(TOP, merit.size // 2)
    if k == 0:
        return np.zeros(merit.size, dtype=bool)
    last = float(np.partition(merit, merit.size - k)[merit.size - k])
    return np.greater_equal(merit, last)


def _pairs(rows: Mapping[str, pl.DataFrame], declared: Mapping[str, Any]) -> Pairs:
    """The rows of both sides, given by benchmark, matched; scores of both in the same order."""
    source, until = declared["source_id"], declared["observed_on"]
    other_source = declared["other_source_id"] or source
    key = ["model_id", "run"] if source is not None and source == other_source else ["model_id"]
    listed = [
        _side(rows[declared[side]], declared["kind"], side, of)
        for side, of in (("original_id", source), ("other_id", other_source))
    ]
    sides = [
        best(newest(side.with_columns(run=_run()), until), key).select(
            *("model_id", "run", "setting", "score", "error", "sign", "bounded"),
            items=pl.col("n_items").cast(pl.Float64),
        )
        for side in listed
    ]
    both = (
        sides[0]
        .join(sides[1], on=key, suffix="_other", maintain_order="none")
        .join(_first_seen(listed[0]), on="model_id", how="left", maintain_order="none")
        .sort(key)
    )
    signs = set(both["sign"]) | set(both["sign_other"])
    bounded = bool(both["bounded"].all() and both["bounded_other"].all()) and not both.is_empty()
    points = 100.0 if bounded else 1.0
    column = {name: both[name].fill_null(np.nan).to_numpy() for name in both.columns if both[name].dtype == pl.Float64}
    return Pairs(
        model_id=both["model_id"].to_list(),
        original=points * column["score"],
        other=points * column["score_other"],
        original_error=points * column["error"],
        other_error=points * column["error_other"],
        share_original=column["score"],
        share_other=column["score_other"],
        items_original=column["items"],
        items_other=column["items_other"],
        sign=int(signs.pop()) if len(signs) == 1 else 0,
        bounded=bounded,
        setting=both["setting"].to_list(),
        dated_on=both["seen_on"].to_list(),
    )


def _run() -> pl.Expr:
    """How a model was run: the setting without the set of tasks, in which the two sides differ by their nature."""
    return pl.col("setting").str.replace_all(r"(?:^|, )subset=[^,]+", "").str.strip_prefix(", ")


def _side(rows: pl.DataFrame, kind: str, side: str, source: str | None) -> pl.DataFrame:
    """The rows of every version of a benchmark that count for one side of a pair."""
    counts = []
    if source is not None:
        counts.append(pl.col("source_id") == source)
    if kind == RERUN:
        counts.append(pl.col("reporter") == ("self" if side == "original_id" else "third_party"))
    return rows.filter(*counts) if counts else rows


def _first_seen(rows: pl.DataFrame) -> pl.DataFrame:
    """`seen_on` of each model, as `Pairs.dated_on` says."""
    day = pl.col("dated_on")
    return rows.group_by("model_id").agg(seen_on=pl.when(~day.is_null().any()).then(day.min()))
