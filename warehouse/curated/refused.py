"""Versions of files that a curator refused for good: upstream will never mend them, and nothing broke there."""

import polars as pl

from benchhealth.analytics.record.tables.columns import TEXT
from benchhealth.warehouse.curated.checked import CuratedFile, Rule

REFUSED = pl.Schema({"source_id": TEXT, "path": TEXT, "version": TEXT, "reason": TEXT, "source_url": TEXT})
"""One version of one file: `path` as the upstream names it (or the board that it feeds), `version` its commit, its
instant (2026-05-10T07:03:25, UTC) or its day (2026-05-10)."""

_COMMIT = "^[0-9a-f]{7,64}$"
_INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2})?$"

REFUSED_FILE = CuratedFile(
    "refused.csv",
    REFUSED,
    key=("source_id", "path", "version"),
    required=tuple(REFUSED),
    rules=(
        Rule(
            "version",
            ~(pl.col("version").str.contains(_COMMIT) | pl.col("version").str.contains(_INSTANT)),
            "is neither a commit nor an instant such as 2026-05-10T07:03:25 or 2026-05-10",
        ),
    ),
)
