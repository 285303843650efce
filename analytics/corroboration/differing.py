"""What differs between the conditions of two results of one model: a code, null where they are comparable."""

import polars as pl

from benchhealth.analytics.record.conditions.kinds import by_kind, words_of
from benchhealth.analytics.record.conditions.recognise import KINDS, UNSTATED
from benchhealth.analytics.record.tables.columns import TEXT

OTHER_CONDITION = "condition"
"""The conditions differ in a word of no known kind."""

SILENT = ("condition_unstated", "scaffold_unstated", "effort_unstated", "shots_unstated")
"""One of the two does not say: they may be comparable, and may be not."""

DIFFERENT = (*KINDS, OTHER_CONDITION, "scaffold", "effort")
"""The two say different things: they are not comparable."""

PLAIN = ("tuning", "attempts", "subset")
"""Kinds of which who says nothing has none: one attempt, no training on the task, all items. Not so where the benchmark
is usually run on a part: whoever says nothing may have run that."""

_LEVELS = "minimal|low|medium|high|xhigh|max"
_EFFORT = (
    rf"\b({_LEVELS})[- ](?:reasoning[- ])?effort\b",
    rf"\beffort[:= ]+({_LEVELS})\b",
    rf"\bthinking \(({_LEVELS})\)",
    rf"\(({_LEVELS})\)",
    r"\bthinking (?:budget )?(\d+k?)\b",
    r"\b(\d+k) (?:tokens )?thinking\b",
    r"\b(thinking|reasoning)\b",
)
_SOME = ("thinking", "reasoning")
"""Said of a model that spends some effort, and not how much."""

_NO_EFFORT = r"\b(?:no|without|non)[- ](?:extended )?(?:thinking|reasoning)\b"
NO_EFFORT = "none"
"""The effort of a model that has none to spend, or was told to spend none."""

_SHOTS = (r"\b(\d+)[- ]shots?\b", r"\b(zero|one|few)[- ]shots?\b")
_SCAFFOLD = (r"\bscaffold=([^,]+)", r"\bagent=([^,]+)", r"([\w.-]+) harness\b")


def with_conditions(rows: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """The rows with what `differing` compares: the words of the condition by kind, scaffold, effort, shots.

    `rules` is the frame `condition`: a word stands for its kind.
    """
    setting = pl.col("setting").str.to_lowercase()
    none = pl.when(setting.str.contains(_NO_EFFORT)).then(pl.lit(NO_EFFORT))
    shots = pl.coalesce(*(setting.str.extract(pattern, 1) for pattern in _SHOTS))
    return _with_kinds(rows, rules).with_columns(
        effort=pl.coalesce(none, *(setting.str.extract(pattern, 1) for pattern in _EFFORT)),
        shots=shots.replace({"zero": "0", "one": "1"}),
        scaffold=pl.coalesce(*(setting.str.extract(one, 1) for one in _SCAFFOLD)).str.replace_all(r"[^a-z0-9]", ""),
    )


def with_efforts(rows: pl.DataFrame, every: pl.DataFrame) -> pl.DataFrame:
    """The rows with NO_EFFORT where none is said of a model that has no row with one among `every`, told as well.

    Of the others silence may mean any effort.
    """
    graded = every.filter(pl.col("effort") != NO_EFFORT).select("model_id").unique()
    silent = pl.col("effort").is_null() & ~pl.col("model_id").is_in(graded["model_id"].implode())
    return rows.with_columns(effort=pl.when(silent).then(pl.lit(NO_EFFORT)).otherwise("effort"))


def differing(other: str) -> pl.Expr:
    """The code of SILENT or DIFFERENT by which two results differ; `other` is what columns of the second end in.

    It is the same whichever comes first, and null where nothing differs.
    """

    def both(column: str) -> tuple[pl.Expr, pl.Expr]:
        return pl.col(column), pl.col(f"{column}{other}")

    def differs_in(column: str) -> pl.Expr:
        one, two = both(column)
        return pl.when((one != two).fill_null(value=False)).then(pl.lit(column))

    def unstated_in(column: str) -> pl.Expr:
        one, two = both(column)
        return pl.when(one.is_null() != two.is_null()).then(pl.lit(f"{column}_unstated"))

    one, two = both("condition")
    stated = (one != UNSTATED) & (two != UNSTATED)
    effort, effort_by = both("effort")
    effort_differs = (effort != effort_by).fill_null(value=False)
    vague = (effort.is_in(_SOME) & (effort_by != NO_EFFORT)) | (effort_by.is_in(_SOME) & (effort != NO_EFFORT))
    kinds = [
        pl.when((stated | _is_plain(kind, other)) & _unlike(f"word {kind}", other)).then(pl.lit(kind)) for kind in KINDS
    ]
    return pl.coalesce(
        *kinds,
        pl.when(stated & (one != two)).then(pl.lit(OTHER_CONDITION)),
        differs_in("scaffold"),
        pl.when(effort_differs & ~vague).then(pl.lit("effort")),
        differs_in("shots"),
        pl.when(one != two).then(pl.lit("condition_unstated")),
        unstated_in("scaffold"),
        pl.when(effort_differs | effort.is_null() | effort_by.is_null()).then(pl.lit("effort_unstated")),
        unstated_in("shots"),
        pl.lit(None, TEXT),
    )


def _is_plain(kind: str, other: str) -> pl.Expr:
    """Whether who says nothing of this kind is known to have none: the one that says something has not the usual."""
    usual = pl.any_horizontal(f"usual {kind}", f"usual {kind}{other}").fill_null(value=False)
    return pl.lit(kind in PLAIN) & ~usual


def _unlike(column: str, other: str) -> pl.Expr:
    return pl.col(column).ne_missing(pl.col(f"{column}{other}"))


def _with_kinds(rows: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """`word <kind>` of each kind of a condition, and whether it is the `usual <kind>`; see `kinds.by_kind`."""
    kinds = by_kind(words_of(rows, rules))
    return rows.join(kinds, on=["benchmark_id", "condition"], how="left", maintain_order="left")
