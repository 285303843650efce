"""What happened to benchmarks and has no other home: retirements, exploits, withdrawn results, access."""

import polars as pl

from benchhealth.analytics.record.frames import INCIDENT
from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER, CURATED_KINDS
from benchhealth.warehouse.curated.checked import CuratedFile, Rule, one_of

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
    optional=True,
)
"""`said` is what the source says in our words, `place` where it does with a few of its own; the other side beside."""
