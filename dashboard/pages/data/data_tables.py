"""Where the facts of a generation come from: sources, snapshots, runs, and the rows that were refused."""

import polars as pl

from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.analytics.record.model_facts.release import AGREE
from benchhealth.analytics.record.tables import PUBLISHED, REFUSED
from benchhealth.dashboard.published.files.places import file_address
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View

SAMPLE_LIMIT = 1_000
"""Rejected rows shown at once; the CSV of the published table holds them all."""

_SOURCES = """
    WITH said AS (
        SELECT source_id, count(*)::BIGINT AS snapshots, sum(rows_in)::BIGINT AS rows_in,
            sum(rows_kept)::BIGINT AS rows_kept, sum(rows_rejected)::BIGINT AS rows_rejected
        FROM snapshot GROUP BY source_id
    )
    SELECT s.source_id, s.title, s.homepage, s.licence, s.redistributable, s.cadence, s.status,
        s.kind, s.known_until, s.last_observed_at, s.last_fetched_at,
        coalesce(d.snapshots, 0) AS snapshots, coalesce(d.rows_in, 0) AS rows_in,
        coalesce(d.rows_kept, 0) AS rows_kept, coalesce(d.rows_rejected, 0) AS rows_rejected
    FROM source s LEFT JOIN said d USING (source_id) ORDER BY s.source_id
"""
_REASONS = """
    SELECT s.source_id, regexp_replace(r.reason, '[0-9]+', 'N', 'g') AS reason, count(*)::BIGINT AS rows,
        count(DISTINCT s.snapshot_id)::BIGINT AS snapshots, max(s.observed_at) AS last_observed_at
    FROM rejection r JOIN snapshot s USING (snapshot_id)
    GROUP BY ALL ORDER BY rows DESC, s.source_id, reason
"""
_REJECTED = """
    SELECT s.source_id, r.reason, r.published, r.source_row, s.observed_at, s.url
    FROM rejection r JOIN snapshot s USING (snapshot_id)
    WHERE ($source = '' OR s.source_id = $source)
        AND ($reason = '' OR regexp_replace(r.reason, '[0-9]+', 'N', 'g') = $reason)
    ORDER BY s.observed_at DESC, s.source_id, r.source_row LIMIT $limit
"""
_CONFLICTS = """
    SELECT c.id AS model_id, c.attribute, c.value, c.source_id, c.chosen, c.reason,
        abs(date_diff('day', try_cast(c.value AS DATE), try_cast(c.chosen AS DATE)))::BIGINT AS days_apart,
        coalesce(r.results, 0)::BIGINT AS results
    FROM fact_conflict c
    LEFT JOIN (SELECT model_id, count(*) AS results FROM result GROUP BY model_id) r ON r.model_id = c.id
    WHERE c.entity = 'model' AND c.attribute = 'released_on' AND c.chosen IS NOT NULL
        AND abs(date_diff('day', try_cast(c.value AS DATE), try_cast(c.chosen AS DATE))) > $days
    ORDER BY days_apart DESC, model_id, source_id
"""


def sources(view: View, _params: Params) -> pl.DataFrame:
    """Every source with its licence, freshness, and the rows read, kept and rejected over all its snapshots."""
    return view.kept("sources", lambda: view.query(_SOURCES))


def runs(view: View, _params: Params) -> pl.DataFrame:
    """Every run, the newest first, with how long it took."""
    return (
        view.table("run")
        .with_columns(minutes=(pl.col("ended_at") - pl.col("started_at")).dt.total_seconds() / 60)
        .sort("started_at", "run_id", descending=True)
    )


def snapshots(view: View, params: Params) -> pl.DataFrame:
    """Every version of every file, the newest first; of one `source` where that is given."""
    rows = view.table("snapshot")
    if params.get("source"):
        rows = rows.filter(pl.col("source_id") == _source(view, params))
    return rows.sort("observed_at", "snapshot_id", descending=True)


def proposed_breakpoints(view: View, _params: Params) -> pl.DataFrame:
    """The proposed breakpoints, which no curator has judged, the newest first; `kind` is what each looks like."""
    rows = view.table("breakpoint").filter(pl.col("kind").str.starts_with(PROPOSED))
    return rows.with_columns(pl.col("kind").str.strip_prefix(PROPOSED)).sort(
        "on_date", "board_id", descending=[True, False]
    )


def kept_out(view: View, _params: Params) -> pl.DataFrame:
    """Versions of files that are not in service, and why: those that a curator has to look at come first."""
    return view.table("kept_out").sort(
        pl.col("state") == REFUSED, "since", "source_id", "path", descending=[False, True, False, False]
    )


def likely(view: View, _params: Params) -> pl.DataFrame:
    """Pairs of models that may be one under two names, the likeliest first; no curator has merged or judged them."""
    return view.table("likely_alias").with_columns(pl.col("sources", "other_sources").list.join(", "))


def baselines(view: View, _params: Params) -> pl.DataFrame:
    """Chance and human scores that boards print where no fact is known: those used in its place come first."""
    return view.table("baseline").sort("taken", "benchmark_id", "attribute", "place", descending=[True, *[False] * 3])


def conflicts(view: View, _params: Params) -> pl.DataFrame:
    """Stated release dates that are not used, more than AGREE from the one that is, the farthest first."""
    return view.query(_CONFLICTS, days=AGREE.days)


def reasons(view: View, params: Params) -> pl.DataFrame:
    """Why rows were rejected, by source, the most frequent first; numbers in a reason are written N."""
    rows = view.kept("reasons", lambda: view.query(_REASONS))
    return rows.filter(pl.col("source_id") == _source(view, params)) if params.get("source") else rows


def rejected_rows(view: View, params: Params) -> pl.DataFrame:
    """Rejected rows, the newest first, at most SAMPLE_LIMIT: what was published, where, and why it was rejected."""
    source_id = _source(view, params) if params.get("source") else ""
    rows = view.query(_REJECTED, source=source_id, reason=params.get("reason", ""), limit=SAMPLE_LIMIT)
    addresses = [file_address(url, row) for url, row in rows.select("url", "source_row").iter_rows()]
    return rows.with_columns(place=pl.Series(addresses, dtype=pl.String)).drop("url")


def _source(view: View, params: Params) -> str:
    source_id = params["source"]
    if source_id not in set(view.table("source")["source_id"]):
        raise ParameterError(f"no source {source_id!r}")
    return source_id


def _whole_table(name: str) -> PublishedTable:
    return PublishedTable(f"published-{name}", lambda view, _params: view.table(name), published=name)


SOURCES = PublishedTable("sources", sources)
RUNS = PublishedTable("runs", runs)
SNAPSHOTS = PublishedTable("snapshots", snapshots)
PROPOSALS = PublishedTable("proposed-breakpoints", proposed_breakpoints)
KEPT_OUT = PublishedTable("kept-out", kept_out)
CONFLICTS = PublishedTable("release-date-conflicts", conflicts)
BASELINES = PublishedTable("baselines", baselines)
LIKELY = PublishedTable("likely-aliases", likely)
REASONS = PublishedTable("rejection-reasons", reasons)
REJECTED = PublishedTable("rejected", rejected_rows)
DOWNLOADS = tuple(_whole_table(name) for name in PUBLISHED)
"""The tables of the contract as they are published, under `csv/published-<name>`."""
