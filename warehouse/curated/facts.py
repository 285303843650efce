"""What is curated beside benchmark.csv: domains, human lines, releases, incidents, the conditions that results hold
under, numbers that papers print with their tables, and what was measured or checked once and cannot be repeated.
"""

import polars as pl

from benchhealth.analytics.record.conditions import recognise
from benchhealth.analytics.record.frames import DESIGN_EFFECT, INCIDENT, ITEM_LABEL, PAPER_TABLE, PRINTED_NUMBER
from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER, CURATED_KINDS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import DAY, TEXT
from benchhealth.analytics.record.words import DOMAIN, GROUPS, word_of
from benchhealth.analytics.reproduction.claim import KINDS, LARGEST_TOLERANCE
from benchhealth.warehouse.curated.checked import PATTERN_RULE, CuratedFile, Rule, one_of

DOMAIN_FILE = CuratedFile(
    "domain.csv",
    DOMAIN,
    key=("domain", "modality"),
    required=("domain", "domain_group"),
    rules=(one_of("domain_group", *GROUPS),),
)
"""Which group each domain belongs to: a curated benchmark of a domain without one is refused."""


def has_group(domains: pl.DataFrame, words: pl.DataFrame) -> tuple[Rule, ...]:
    """The rule of benchmark.csv that a domain, in whichever spelling of `words`, has a group; none without the file."""
    if domains.is_empty():
        return ()
    of_any_modality = domains.filter(pl.col("modality").is_null())["domain"]
    return (Rule("domain", ~word_of("domain", words).is_in(of_any_modality.implode()), "has no group in domain.csv"),)


HUMAN_LINE = pl.Schema({"benchmark_id": TEXT, "tasks": TEXT, "why": TEXT, "source_url": TEXT})

OTHERS = "others"
"""People answered another set of tasks than models: the score is shown, and nothing is held against it."""

HUMAN_LINE_FILE = CuratedFile(
    "human_line.csv",
    HUMAN_LINE,
    key=("benchmark_id",),
    required=tuple(HUMAN_LINE),
    rules=(one_of("tasks", OTHERS, "superset", "same draw"),),
)
"""On which tasks the people scored whose line a benchmark is read against. Without a row, people answered the tasks
that models answer. `superset`: these and more. `same draw`: another sample, drawn with theirs."""

RELEASED = pl.Schema({"benchmark_id": TEXT, "released_on": DAY, "note": TEXT, "source_url": TEXT})

RELEASED_FILE = CuratedFile("released.csv", RELEASED, key=("benchmark_id",), required=tuple(RELEASED))
"""The release of benchmarks whose source says none and that benchmark.csv does not hold, or holds without a day: no
result is older. `*` at the end of an id stands for whatever follows."""


def with_release(benchmarks: pl.DataFrame, released: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks with the curated `released_on` where they have none."""
    named = pl.col("benchmark_id")
    curated = [
        pl.when(named.str.starts_with(name[:-1]) if name.endswith("*") else named == name).then(pl.lit(day))
        for name, day in released.select("benchmark_id", "released_on").iter_rows()
    ]
    return benchmarks.with_columns(pl.coalesce("released_on", *curated))


_DISPUTED = pl.col("disputed_by").is_not_null()

INCIDENT_FILE = CuratedFile(
    "incident.csv",
    INCIDENT,
    key=("benchmark_id", "on_date", "kind", "subject"),
    required=("benchmark_id", "kind", "subject", "said", "place", "source_url"),
    rules=(
        one_of("kind", *CURATED_KINDS),
        Rule("score", (pl.col("kind") == CONSTANT_ANSWER) != pl.col("score").is_not_null(), "is not of this kind"),
        *(
            Rule(column, pl.col(column).is_not_null() != _DISPUTED, "and who disputes it are stated together")
            for column in ("dispute", "dispute_url")
        ),
    ),
    to_the_month=("on_date",),
)
"""What has no other home: retirements, exploits, withdrawn results, access.

`said` is what the source says in our words, `place` where it does with a few of its own; the other side beside."""

_OF_ALL = pl.col("benchmark_id") == recognise.EVERY_BENCHMARK

_REFERENCES = pl.col("condition").filter(pl.col("is_reference")).n_unique().over("benchmark_id", "kind")

_FILLED = pl.col("condition").str.contains("{}", literal=True)

CONDITION_FILE = CuratedFile(
    "condition.csv",
    recognise.CONDITION,
    key=("benchmark_id", "kind", "field", "pattern"),
    required=("benchmark_id", "condition", "kind", "is_reference", "note"),
    rules=(
        one_of("kind", *recognise.KINDS),
        one_of("field", *recognise.FIELDS, recognise.PRINTED, recognise.FILE_AND_DAY),
        Rule("condition", pl.col("condition").str.contains(",", literal=True), "has a comma, which joins conditions"),
        Rule("condition", _FILLED & ~pl.col("pattern").str.contains(r"\("), "has {} and the pattern no group"),
        Rule(
            "pattern", pl.col("pattern").is_not_null() != pl.col("field").is_not_null(), "needs a field, and a field it"
        ),
        PATTERN_RULE,
        Rule("pattern", _OF_ALL & pl.col("pattern").is_null(), "of all benchmarks needs one"),
        Rule("is_reference", pl.col("is_reference") & (_OF_ALL | _FILLED), "is of one benchmark and one condition"),
        Rule(
            "is_reference",
            pl.col("is_reference") & pl.col("condition").is_in([recognise.EXCLUDED, recognise.UNSTATED]),
            "is nothing to judge by",
        ),
        Rule(
            "is_reference",
            pl.col("is_reference") & (pl.col("kind") != "version") & (_REFERENCES > 1),
            "is another reference of the same kind",
        ),
        Rule("source_url", ~_OF_ALL & pl.col("source_url").is_null(), "empty"),
    ),
)
"""Each row is a part of a condition and one way to recognise it. A benchmark has at most one reference of each kind,
and several where the kind is `version`."""

DESIGN_EFFECT_FILE = CuratedFile(
    "design_effect.csv",
    DESIGN_EFFECT,
    key=("source_id", "benchmark_id", "n_items"),
    required=tuple(name for name in DESIGN_EFFECT if not name.startswith("cluster")),
    rules=(
        Rule("cluster_ratio", pl.col("cluster_ratio") <= 0, "is not a ratio of variances"),
        Rule("correlation", ~pl.col("correlation").is_between(-1, 1), "is not a correlation"),
        Rule("variance_ratio", pl.col("variance_ratio") <= 0, "is not a ratio of variances"),
        Rule("slope_spread", pl.col("slope_spread") < 0, "is not a variance"),
        Rule("pairs", pl.col("pairs") * 2 != pl.col("n_runs") * (pl.col("n_runs") - 1), "are not all pairs"),
        *(
            Rule(column, pl.col(column) > pl.col("pairs"), "is more than all pairs")
            for column in ("apart_paired", "apart_unpaired")
        ),
    ),
)
"""`analytics.items.design_effects` of the items themselves, at the address and on the day of each row; a test repeats
the measurement where the files are at hand."""

ITEM_LABEL_FILE = CuratedFile(
    "item_label.csv",
    ITEM_LABEL,
    key=("source_id", "item"),
    required=tuple(ITEM_LABEL),
)
"""What people who checked every item of a source's test found wrong with some; all others they found right."""

_DISTANCE = (pl.col("published") - pl.col("null_value")).abs()

JUDGED = ("recomputed", "looked up")

_ADDRESS = Rule("source_url", ~pl.col("source_url").str.starts_with("https://"), "is no address")

PRINTED_NUMBER_FILE = CuratedFile(
    "printed_number.csv",
    PRINTED_NUMBER,
    key=("claim_id",),
    required=("claim_id", "area", "class", "statement", "unit", "source_url"),
    rules=(
        one_of("class", *KINDS),
        Rule("published", (pl.col("class") != "ours") & pl.col("published").is_null(), "is missing"),
        Rule("tolerance", pl.col("class").is_in(JUDGED) & pl.col("tolerance").is_null(), "is missing"),
        Rule("why", (pl.col("class") == "cited") & pl.col("why").is_null(), "is missing"),
        Rule(
            "tolerance",
            (pl.col("tolerance") < 0) | (pl.col("tolerance") > LARGEST_TOLERANCE * _DISTANCE + 1e-9),
            "is too wide for a tolerance that can fail",
        ),
        _ADDRESS,
    ),
    sourced=(
        *(("published", name) for name in ("paper", "year", "place", "opened")),
        *(("tolerance", name) for name in ("published", "tolerance_reason", "null_value", "null_reason")),
    ),
)

PAPER_TABLE_FILE = CuratedFile(
    "paper_table.csv",
    PAPER_TABLE,
    key=("paper", "subject", "measure"),
    required=tuple(PAPER_TABLE),
    rules=(_ADDRESS,),
)

LEFT_OUT_FILE = CuratedFile(
    "left_out.csv",
    PUBLISHED["left_out"],
    key=("paper", "statistic"),
    required=tuple(PUBLISHED["left_out"]),
    rules=(
        one_of(
            "reason",
            "no outcomes by item",
            "number not read",
            "no exact number",
            "judgements not on record",
            "runs not on record",
            "record too short",
        ),
        _ADDRESS,
    ),
)
