"""Standing rows: what each source holds to be true now, of all that it ever said.

A row stands until its source corrects it. The newer row replaces the older even where the correction changed what a row
is known by (setting, reporter, name); what a source merely stopped listing stands on.
"""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EXCLUDED

FEW_TASKS = 3
"""Benchmarks of one file from which on the same scores under two names are taken for one model, and no coincidence."""

_ROW = ["file", "benchmark_id", "model_id", "setting", "reporter"]
_PRINT = ["score_published", "std_error", "n_items"]


def standing(results: pl.DataFrame, snapshots: pl.DataFrame) -> pl.DataFrame:
    """The results with `stands`: the newest version of each row of each file, if nothing replaced it.

    A row that the next version of its file lacks was replaced by one that is new there:

    corrected - of the same model, with another reporter and the same setting, or at the same address with the same day;
    reworded - of the same model, printing the same under another setting;
    relabelled - of another name, printing what neither version prints twice, with the same day or address.

    Of a name that the file has in three benchmarks or more every one must print the same to be reworded or relabelled:
    single tasks agree by coincidence. What nothing replaced was pruned and stands; what a curator excluded does not.
    """
    files = snapshots.select("snapshot_id", file="board_id")
    rows = (
        results.with_row_index("place")
        .join(files, on="snapshot_id", how="left", maintain_order="left")
        .with_columns(file=pl.coalesce("file", "board_id"))
    )
    versions = (
        rows.select("file", "benchmark_id", "observed_at", "snapshot_id")
        .unique()
        .sort("file", "benchmark_id", "observed_at", "snapshot_id")
        .with_columns(version=pl.int_range(pl.len()).over("file", "benchmark_id"))
        .with_columns(newest=pl.col("version").max().over("file", "benchmark_id"))
    )
    dated = rows.join(versions, on=["file", "benchmark_id", "observed_at", "snapshot_id"], maintain_order="left")
    dated = dated.with_columns(first=pl.col("version").min().over(_ROW), last=pl.col("version").max().over(_ROW))
    is_last = pl.col("version") == pl.col("last")
    vanished = dated.filter(is_last & (pl.col("last") < pl.col("newest"))).with_columns(
        step=pl.col("version") + 1, tasks=pl.len().over("file", "observed_at", "model_id", "setting", "reporter")
    )
    appeared = dated.filter((pl.col("version") == pl.col("first")) & (pl.col("first") > 0)).with_columns(step="version")
    replaced = pl.concat(
        [_corrected(vanished, appeared), _relabelled(vanished, appeared), _relabelled_throughout(vanished, appeared)]
    ).unique()
    stands = is_last & ~pl.col("place").is_in(replaced.implode()) & (pl.col("condition") != EXCLUDED)
    return results.with_columns(dated.select(stands=stands)["stands"])


def _corrected(gone: pl.DataFrame, come: pl.DataFrame) -> pl.Series:
    """The `place` of rows of the same model that were replaced: another reporter, the same address, or reworded."""
    same = gone.join(come, on=["file", "benchmark_id", "model_id", "step"], suffix="_new")
    other_reporter = pl.col("setting") == pl.col("setting_new")
    same_place = (pl.col("source_row") == pl.col("source_row_new")) & (pl.col("dated_on") == pl.col("dated_on_new"))
    same_score = (pl.col("score_published") == pl.col("score_published_new")) & (pl.col("tasks") < FEW_TASKS)
    return same.filter(other_reporter | same_place | same_score)["place"]


def _relabelled(gone: pl.DataFrame, come: pl.DataFrame) -> pl.Series:
    """The `place` of rows that were replaced by another name with the same print and the same day or address."""
    board = ["file", "benchmark_id", "step"]
    single_gone, single_come = _single(gone, board).filter(pl.col("tasks") < FEW_TASKS), _single(come, board)
    same = single_gone.join(single_come, on=[*board, *_PRINT], suffix="_new", nulls_equal=True)
    dated = (pl.col("date_basis") != "snapshot") & (pl.col("date_basis_new") != "snapshot")
    same_day = dated & (pl.col("dated_on") == pl.col("dated_on_new"))
    same_place = pl.col("source_row") == pl.col("source_row_new")
    return same.filter(same_day | same_place)["place"]


def _single(rows: pl.DataFrame, board: list[str]) -> pl.DataFrame:
    """The rows whose score, error and number of items no other row of the same board and version has."""
    return rows.filter(~rows.select(*board, *_PRINT).is_duplicated())


def _relabelled_throughout(gone: pl.DataFrame, come: pl.DataFrame) -> pl.Series:
    """The `place` of rows whose name prints the same in all of its benchmarks, FEW_TASKS or more, under a new name."""
    name = ["file", "observed_at", "model_id", "setting", "reporter"]
    names = [*name, *(f"{column}_new" for column in name[1:])]
    same = gone.join(come, on=["file", "benchmark_id", "step", *_PRINT], suffix="_new", nulls_equal=True)
    on_all_tasks = (pl.len().over(names) == pl.col("tasks")) & (pl.col("tasks") >= FEW_TASKS)
    return same.filter(on_all_tasks)["place"]
