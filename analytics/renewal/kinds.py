"""Which benchmarks are live, refreshed, private or static, by what the registry says of labels and renewal."""

import polars as pl

from benchhealth.analytics.record.tables.case import first_case

LIVE, REFRESHED, PRIVATE, STATIC = "live", "refreshed", "private", "static"
KINDS = (LIVE, REFRESHED, PRIVATE, STATIC)

_RENEWED_ALWAYS = ("continuous", "rolling")
_RENEWED_AT_TIMES = ("annual", "versioned")
_KEPT_BACK = ("private", "hidden")


def kind() -> pl.Expr:
    """The kind of a benchmark from its columns `refresh` and `labels`; null where the registry does not say.

    live: items or votes come in all the time (continuous, rolling). refreshed: another edition at times (annual,
    versioned). private: never changed, labels kept back (private, hidden). static: never changed, labels public or
    partly so. Renewal goes before labels: a private test that is renewed is of the kind of its renewal.
    """
    refresh, labels = pl.col("refresh"), pl.col("labels")
    return first_case(
        (LIVE, refresh.is_in(_RENEWED_ALWAYS) | (labels == "live").fill_null(value=False)),
        (REFRESHED, refresh.is_in(_RENEWED_AT_TIMES)),
        (PRIVATE, (refresh == "static") & labels.is_in(_KEPT_BACK)),
        (STATIC, (refresh == "static") & labels.is_not_null()),
    )
