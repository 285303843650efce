"""Why numbers of one model on one benchmark differ: the facts of each, and how they differ from those of the first."""

import polars as pl

from benchhealth.analytics.record.tables import as_published
from benchhealth.analytics.statistics.errors import Z95

_PAIR = ["benchmark_id", "model_id"]
_DIGITS = 6
_COMPARED = {
    "condition": "condition",
    "setting": "setting",
    "reporter": "who",
    "house": "house",
    "name": "printed",
    "items": "n_items",
    "day": "measured_on",
}
"""The column that each of ASPECTS is read from."""

ASPECTS = tuple(_COMPARED)
"""In what two numbers can be unlike: what they were run under, who reports and who measured, the name as printed (which
may be of another snapshot of the model), how many items, and the day."""


def differing_numbers(standing_numbers: pl.DataFrame, position: pl.DataFrame) -> pl.DataFrame:
    """Table `differing_number`: all standing numbers of each model and benchmark that has two or more unlike scores.

    `place` 1 is the number that is held against the others: the one that ranks the model (table `position`), or else
    its best; the others follow by score, the better first. Copies of one number stand once, `copies` counts the others.
    `difference` is the score less that of place 1, `difference_error` its standard error as if the two tests were
    independent (null where one is not known), `within` whether 1.96 of them cover it. `unlike` lists in what they
    differ: condition, setting, reporter, house, name, items or day, where both say something and not the same; a
    setting that one alone states counts, so does an unstated condition. A release of the model is no day of a
    measurement, so days are compared where both are of an evaluation, submission or paper. Names are compared without
    case and signs.
    """
    several = pl.col("score").round(_DIGITS).n_unique().over(_PAIR) > 1
    copies = pl.len().over([*_PAIR, "origin"]) - 1
    rows = standing_numbers.with_columns(copies=copies).filter("counts").filter(several)
    placed = _in_fixed_order(rows, position).with_columns(
        printed=pl.col("published_name").str.to_lowercase().str.replace_all(r"[^a-z0-9]+", ""),
        measured_on=pl.when(pl.col("date_basis").is_in(["evaluation", "submission", "paper"])).then("dated_on"),
    )
    is_first = pl.col("place") == 1
    first = placed.filter(is_first).select(*_PAIR, "score", "error", "source_id", *_COMPARED.values())
    unlike = [
        pl.when(pl.col(column) != pl.col(f"{column}_first")).then(pl.lit(aspect))
        for aspect, column in _COMPARED.items()
    ]
    error = (pl.col("error").pow(2) + pl.col("error_first").pow(2)).sqrt()
    difference = pl.col("score") - pl.col("score_first")
    compared = placed.join(first, on=_PAIR, suffix="_first", how="left", maintain_order="left").with_columns(
        difference=difference,
        difference_error=error,
        within=difference.abs() <= Z95 * error,
        unlike=pl.concat_list(unlike).list.drop_nulls(),
        against_source_id="source_id_first",
    )
    of_others = pl.when(~is_first).then(pl.col("difference", "difference_error", "within"))
    return as_published(compared.with_columns(of_others).sort(*_PAIR, "place"), "differing_number")


def _in_fixed_order(rows: pl.DataFrame, position: pl.DataFrame) -> pl.DataFrame:
    ranking = position.select(*_PAIR, "condition", pl.col("score").round(_DIGITS).alias("rounded"), ranks=True)
    order = [*_PAIR, "ranks", "merit", "error", "condition", "setting", "source_id", "source_row"]
    descending = [False, False, True, True, False, False, False, False, False]
    return (
        rows.with_columns(rounded=pl.col("score").round(_DIGITS))
        .join(ranking, on=[*_PAIR, "condition", "rounded"], how="left", maintain_order="left")
        .with_columns(pl.col("ranks").fill_null(value=False))
        .sort(order, descending=descending, nulls_last=True)
        .with_columns(place=pl.int_range(1, pl.len() + 1).over(_PAIR))
    )
