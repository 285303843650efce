"""How the conditions of two results of one model differ, as a code; null where the two are comparable."""

import polars as pl

from benchhealth.analytics.record.conditions.kinds import by_kind, words_of
from benchhealth.analytics.record.conditions.recognise import KINDS, UNSTATED
from benchhealth.analytics.record.tables.columns import TEXT

OTHER_CONDITION = "condition"
"""The code where the conditions differ in a word of no known kind."""

SILENT = ("condition_unstated", "scaffold_unstated", "effort_unstated", "shots_unstated")
"""The codes where one of the two does not state something: they may be comparable or not."""

DIFFERENT = (*KINDS, OTHER_CONDITION, "scaffold", "effort")
"""The codes where the two state different things: they are not comparable."""

NONE_UNLESS_STATED = ("tuning", "attempts", "subset")
"""Kinds of conditions that a result without a statement does not have: it is of one attempt, without training on the
task, on all items. Where a benchmark is usually run on a part of its items, this does not hold."""

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
_VAGUE = ("thinking", "reasoning")
"""The words for a model that spends some effort when it is not stated how much."""

_NO_EFFORT = r"\b(?:no|without|non)[- ](?:extended )?(?:thinking|reasoning)\b"
NO_EFFORT = "none"
"""The effort of a model that has none to spend, or was told to spend none."""

_SHOTS = (r"\b(\d+)[- ]shots?\b", r"\b(zero|one|few)[- ]shots?\b")
_SCAFFOLD = (r"\bscaffold=([^,]+)", r"\bagent=([^,]+)", r"([\w.-]+) harness\b")


def with_conditions(rows: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """The rows with what `condition_difference` compares: the condition's words by kind, scaffold, effort, shots.

    `rules` is the frame `condition`: a word stands for its kind.
    """
    setting = pl.col("setting").str.to_lowercase()
    none = pl.when(setting.str.contains(_NO_EFFORT)).then(pl.lit(NO_EFFORT))
    shots = pl.coalesce(*(setting.str.extract(pattern, 1) for pattern in _SHOTS))
    return _with_kinds(rows, rules).with_columns(
        effort=pl.coalesce(none, *(setting.str.extract(pattern, 1) for pattern in _EFFORT)),
        shots=shots.replace({"zero": "0", "one": "1"}),
        scaffold=pl.coalesce(*(setting.str.extract(regex, 1) for regex in _SCAFFOLD)).str.replace_all(r"[^a-z0-9]", ""),
    )


def with_efforts(rows: pl.DataFrame, all_rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with NO_EFFORT where no effort is stated and no row of the same model among `all_rows` has one.

    A row without a statement of a model that has an effort elsewhere may be of any effort, and stays null.
    """
    with_effort = all_rows.filter(pl.col("effort") != NO_EFFORT).select("model_id").unique()
    is_without = pl.col("effort").is_null() & ~pl.col("model_id").is_in(with_effort["model_id"].implode())
    return rows.with_columns(effort=pl.when(is_without).then(pl.lit(NO_EFFORT)).otherwise("effort"))


def condition_difference(suffix: str) -> pl.Expr:
    """The code of SILENT or DIFFERENT that tells how two results differ; null where nothing differs.

    Each row holds both results, as `with_conditions` gives them; columns of the second end in `suffix`. The code is the
    same in either order.
    """

    def second(column: str) -> pl.Expr:
        return pl.col(f"{column}{suffix}")

    def differs(column: str) -> pl.Expr:
        return (pl.col(column) != second(column)).fill_null(value=False)

    def is_unstated_once(column: str) -> pl.Expr:
        return pl.col(column).is_null() != second(column).is_null()

    def has_other_word(kind: str) -> pl.Expr:
        return pl.col(f"word {kind}").ne_missing(second(f"word {kind}"))

    both_stated = (pl.col("condition") != UNSTATED) & (second("condition") != UNSTATED)
    effort, second_effort = pl.col("effort"), second("effort")
    is_vague = (effort.is_in(_VAGUE) & (second_effort != NO_EFFORT)) | (
        second_effort.is_in(_VAGUE) & (effort != NO_EFFORT)
    )
    codes_by_precedence = (
        *(((both_stated | _has_none_unless_stated(kind, suffix)) & has_other_word(kind), kind) for kind in KINDS),
        (both_stated & differs("condition"), OTHER_CONDITION),
        (differs("scaffold"), "scaffold"),
        (differs("effort") & ~is_vague, "effort"),
        (differs("shots"), "shots"),
        (differs("condition"), "condition_unstated"),
        (is_unstated_once("scaffold"), "scaffold_unstated"),
        (differs("effort") | effort.is_null() | second_effort.is_null(), "effort_unstated"),
        (is_unstated_once("shots"), "shots_unstated"),
    )
    return pl.coalesce(*(pl.when(holds).then(pl.lit(code)) for holds, code in codes_by_precedence), pl.lit(None, TEXT))


def _has_none_unless_stated(kind: str, suffix: str) -> pl.Expr:
    """Whether a result that states nothing of this kind does not have it, because it is not usual on the benchmark."""
    usual = pl.any_horizontal(f"usual {kind}", f"usual {kind}{suffix}").fill_null(value=False)
    return pl.lit(kind in NONE_UNLESS_STATED) & ~usual


def _with_kinds(rows: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """`word <kind>` of each kind of a condition, and whether it is the `usual <kind>`; see `kinds.by_kind`."""
    kinds = by_kind(words_of(rows, rules))
    return rows.join(kinds, on=["benchmark_id", "condition"], how="left", maintain_order="left")
