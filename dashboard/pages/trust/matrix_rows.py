"""What the matrix draws: for every curated benchmark whether models have seen its items, and by which evidence.

The list that a benchmark stands in is its answer to `seen`, and the last column is its answer to `second`, which says
nothing about items by itself. Numbers in the other columns are those of the published rungs of the ladder.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.answers.seen import CASES, FEWEST_MODELS, TESTS
from benchhealth.analytics.contamination.findings import SMALL_ENOUGH
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.answers import answers_to
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.words.answers.parts import gap, gap_number
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import short

SECOND, NOTED = "second", "noted"
"""The kind of the last column; the text of a report without a share."""
KINDS: Mapping[str, tuple[str, str]] = {
    "report": ("documented", "in training"),
    "declared_training": ("training", "declared"),
    "twin": ("stands out", "on new items"),
    "anomaly": ("beyond what", "others predict"),
    "cutoff_break": ("breaks at", "the cutoff"),
    SECOND: ("on a second", "measurement"),
}
"""The kinds of evidence by the name of their rung, each with the two lines over its column; the twin comes last."""

EVIDENCE, HINT, NOTHING, WEAK, UNKNOWN, BESIDE = "evidence", "hint", "nothing", "weak", "unknown", "beside"
STRENGTHS = (EVIDENCE, HINT, NOTHING, WEAK, UNKNOWN)
FOLDED = (WEAK, UNKNOWN)
"""The strengths without an answer, which are folded into one line until it is opened."""
SMALL_ENOUGH_TEXT = percent(SMALL_ENOUGH)
WORDS: Mapping[str, str] = {
    EVIDENCE: REPLY_WORDS["yes"].lower(),
    HINT: REPLY_WORDS["partly"].lower(),
    NOTHING: f"nothing at {SMALL_ENOUGH_TEXT} or more",
    WEAK: "tested too weakly",
    UNKNOWN: "nobody tested",
    BESIDE: "says nothing about items by itself",
}
"""The word for each strength: yes and partly are the replies; the three after them are kinds of unknown."""
SHAPES: Mapping[str, str] = dict(zip((*STRENGTHS, BESIDE), ("■", "▲", "○", "◌", "·", "◇"), strict=True))

_OF_CASE: Mapping[str, str] = {
    **dict.fromkeys(("documented", "documented_little", "documented_unmeasured", "declared"), EVIDENCE),
    **dict.fromkeys(("declared_task", "stand_out"), HINT),
    "nothing_found": NOTHING,
    "too_weak": WEAK,
    **dict.fromkeys(("withheld", "nobody_looked"), UNKNOWN),
}
"""The list of each case of the answer."""
assert set(_OF_CASE) == {case.code for case in CASES}

_RUNGS = ("report", "declared_training", *TESTS)
_SQL = """
    SELECT r.benchmark_id, r.rung AS kind, r.level, r.value, r.n, r.reason, r.source_url
    FROM contamination_risk r JOIN benchmark b USING (benchmark_id)
    WHERE r.model_id IS NULL AND b.curated AND r.rung IN $rungs
        AND (r.status = 'ok' OR r.rung = 'report' AND r.level <> 'unknown')
"""


@always
def cells(view: View) -> pl.DataFrame:
    """What is known of each curated benchmark by kind: one row a cell; an unknown one has none.

    Columns: benchmark_id, kind, strength, text (the number in the cell), value, n, reason, source_url.
    """
    rungs = view.query(_SQL, rungs=list(_RUNGS)).filter(
        ~pl.col("kind").is_in(TESTS) | (pl.col("n").fill_null(0) >= FEWEST_MODELS)
    )
    worded = rungs.with_columns(strength=_strength(), text=texts(rungs.select("kind", "value", "n").to_struct(), _text))
    return pl.concat([worded.drop("level"), _second(view)], how="diagonal").select(
        "benchmark_id", "kind", "strength", "text", "value", "n", "reason", "source_url"
    )


@always
def benchmarks(view: View) -> pl.DataFrame:
    """Every curated whole benchmark: benchmark_id, name, label, known_until, strength (of the strongest).

    Those with the most evidence come first.
    """
    all_cells = cells(view)
    by_benchmark = all_cells.group_by("benchmark_id").agg(
        share=pl.col("value").filter(pl.col("kind") == "report").max(),
        found=(pl.col("kind") != SECOND).sum(),
    )
    strengths = answers_to(view, "seen").select(
        "benchmark_id", strength=pl.col("case").replace_strict(_OF_CASE, return_dtype=pl.String)
    )
    curated = view.table("benchmark").filter(pl.col("curated").fill_null(value=False) & is_whole())
    ranks = {strength: index for index, strength in enumerate(STRENGTHS)}
    return (
        curated.select("benchmark_id", name=pl.coalesce("name", "benchmark_id"), known_until="known_until")
        .join(by_benchmark, on="benchmark_id", how="left")
        .join(strengths, on="benchmark_id", how="left")
        .with_columns(pl.col("strength").fill_null(UNKNOWN))
        .sort(
            pl.col("strength").replace_strict(ranks, return_dtype=pl.Int64), "share", "found",
            pl.col("name").str.to_lowercase(), descending=[False, True, True, False], nulls_last=True,
        )
        .select("benchmark_id", "name", "known_until", "strength")
        .pipe(_labelled)
    )  # fmt: skip


def counts(rows: pl.DataFrame) -> dict[str, int]:
    """The number of these benchmarks at each strength of evidence."""
    by_strength = dict(rows.group_by("strength").len().iter_rows())
    return {strength: int(by_strength.get(strength, 0)) for strength in STRENGTHS}


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    """With `label`: the short name where no other benchmark shares it, else the full name."""
    short_name = texts(rows["name"], short)
    return rows.with_columns(label=pl.when(short_name.is_unique()).then(short_name).otherwise("name"))


def _strength() -> pl.Expr:
    """The strength of a rung: documented evidence is `yes`, a model that stands out is `partly`."""
    level, kind = pl.col("level"), pl.col("kind")
    return first_case(
        (WEAK, level == "unknown"),
        (EVIDENCE, (kind == "report") | ((kind == "declared_training") & (level == "high"))),
        (NOTHING, level == "low"),
        (HINT, ALWAYS),
    )


def _text(cell: Row) -> str:
    value, n = cell["value"], cell["n"] or 0
    if not isinstance(value, float):
        return NOTED
    if cell["kind"] == "report":
        return percent(value)
    if cell["kind"] == "declared_training":
        return str(n)
    return f"{round(value * n):,} of {n:,}"


def _second(view: View) -> pl.DataFrame:
    """The gap of each curated benchmark to its second measurement, where the answer has one."""
    curated = view.table("benchmark").filter(pl.col("curated").fill_null(value=False))["benchmark_id"]
    rows = answers_to(view, "second").filter(
        pl.col("value").is_not_null(), pl.col("benchmark_id").is_in(curated.implode())
    )
    return rows.select(
        "benchmark_id",
        "value",
        "n",
        kind=pl.lit(SECOND),
        strength=pl.lit(BESIDE),
        text=texts(rows.select("value", "unit").to_struct(), gap_number),
        reason=pl.format("{}, {}", texts(rows.select("value", "unit").to_struct(), gap), "kind"),
    )
