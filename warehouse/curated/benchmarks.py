"""What is curated about benchmarks beside benchmark.csv: groups of domains, tasks of human lines, and incidents."""

import polars as pl

from benchhealth.analytics.record.frames import INCIDENT
from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER, CURATED_KINDS
from benchhealth.analytics.record.tables.columns import DAY, TEXT
from benchhealth.analytics.record.words import DOMAIN, GROUPS, word_of
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of

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
