"""The curator's queues: what a curator has to judge, what was refused, and what every run did."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import REFUSED, TABLES, declared
from benchhealth.analytics.record.tables.declared import Column
from benchhealth.dashboard.pages.data import data_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import empty, filters, links, tables
from benchhealth.dashboard.widgets.tables import GridColumn, Listing, Look, sized
from benchhealth.dashboard.words.text import code, count, day, markdown

ALL_CHOICES = "all"

RUN_COLUMNS = (GridColumn(declared.number("minutes", "How long the run took, in minutes."), format="%.1f"),)
PROPOSAL_COLUMNS = (
    *sized("breakpoint", board_id=230),
    GridColumn(declared.text("kind", "What the step looks like.", label="looks like"), width=100),
    GridColumn(declared.text("note", "What speaks for it.", label="evidence"), width=420),
)
KEPT_OUT_COLUMNS = sized("kept_out", board_id=200, path=200, reason=420, ref=110)
CONFLICT_COLUMNS = (
    GridColumn(declared.text("model_id", "The model that the date is of.", label="model"), width=220),
    declared.count("results", "Published results of the model.", label="results of the model"),
)
ALIAS_COLUMNS = (
    *sized("likely_alias", model_id=200, other_id=200, sources=160, other_sources=160),
    GridColumn(TABLES["likely_alias"].by_name["points"], width=70, format="%.1f"),
)
REASON_COLUMNS: Sequence[Column | GridColumn] = (
    TABLES["snapshot"].by_name["source_id"],
    *sized("rejection", reason=420),
    declared.count("rows", "Rows rejected for this reason."),
    declared.day("last_observed_at", "The day of the newest file with such a row.", label="last in a file of"),
)
REJECTED_COLUMNS: Sequence[Column | GridColumn] = (
    *sized("rejection", published=300, source_row=110),
    GridColumn(declared.link("place", "The file, at the row where that can be opened.", label="file"), width=70),
    declared.day("observed_at", "The day of the file.", label="file of"),
)
SNAPSHOT_COLUMNS = (
    GridColumn(TABLES["snapshot"].by_name["observed_at"], pinned=True),
    *sized("snapshot", board_id=230, ref=110),
)


def _newest_run(_view: View, rows: pl.DataFrame) -> str:
    newest = rows.row(0, named=True)
    # A run publishes before it ends, so a generation always shows the run that made it as under way.
    under_way = "was under way when this generation was published"
    ended = under_way if newest["ended_at"] is None else f"ended {markdown(newest['status'] or 'unknown')}"
    return f"The newest run, `{newest['command']}` of {day(newest['started_at'])}, {ended}."


def _waiting(_view: View, rows: pl.DataFrame) -> str:
    refused = rows.filter(pl.col("state") == REFUSED).height
    return (
        f"Of {count(rows.height - refused, 'file')} the newest version is not in service and the last good one stays; "
        f"{count(refused, 'version')} a curator refused for good."
    )


_LISTINGS: Mapping[str, Listing] = {
    "Proposed breaks": Listing(
        "Proposed breakpoints",
        "proposed-breakpoints",
        data_tables.PROPOSALS,
        (
            "No step of a board looks like another measurement.",
            "Where consecutive versions do, and no curator has marked the day, the step is listed here.",
        ),
        lambda _, rows: (
            f"Judged by nobody yet: {count(rows.height, 'step')} between consecutive versions that may have changed "
            "the measurement. Until somebody does, nothing is computed across one: the curve of the benchmark stops "
            "before the day, and it has no verdict."
        ),
        "Proposed breakpoints with board, day, kind and evidence, the newest first",
        ("board_id", "on_date", "kind", "note"),
        Look(columns=PROPOSAL_COLUMNS, declared_in=("breakpoint",), visible_rows=8),
    ),
    "Kept out": Listing(
        "Versions held back",
        "kept-out",
        data_tables.KEPT_OUT,
        (
            "No version of a file is held back.",
            "One that drifts too far from the last good one, or cannot be read, is listed here with the reason.",
        ),
        _waiting,
        "Versions of files that are not in service, with board, file, version, state and reason",
        ("board_id", "path", "version_at", "state", "since", "reason", "ref"),
        Look(columns=KEPT_OUT_COLUMNS, declared_in=("kept_out",), visible_rows=8),
    ),
    "Release dates": Listing(
        "Disagreements about dates",
        "date-disagreements",
        data_tables.CONFLICTS,
        (
            "No source gives another release date than the one that stands.",
            "Dates that are more than a month from the one that stands are listed here, with the reason.",
        ),
        lambda _, rows: (
            f"{count(rows.height, 'statement')} about when {count(rows['model_id'].n_unique(), 'model')} came out "
            f"{'is' if rows.height == 1 else 'are'} more than a month from the date that stands. Undated results are "
            "dated by it. A curator's word goes first, then the date in the maker's own name for the model, a list "
            "made for the purpose, and what independent sources agree on. All that lost is in the table "
            "`fact_conflict`."
        ),
        "Dates of release that do not stand, the farthest from the date that does first, with source and reason",
        ("model_id", "value", "source_id", "chosen", "days_apart", "results", "reason"),
        Look(columns=CONFLICT_COLUMNS, declared_in=("fact_conflict",), visible_rows=8),
    ),
    "Baselines": Listing(
        "Printed baselines",
        "baselines",
        data_tables.BASELINES,
        ("No board prints a baseline that is not known already.", "Random and human rows are listed here."),
        lambda _, rows: (
            f"{count(rows.height, 'row')} of boards give a chance level or a human score where no fact is on record. "
            f"{rows['taken'].sum()} stand in until a curator writes the fact with its source; the rest is listed only."
        ),
        "Chance and human scores that boards print, with the row that prints each and whether it stands in",
        ("benchmark_id", "attribute", "value", "taken", "published_name", "source_id", "source_row"),
    ),
    "Likely aliases": Listing(
        "Likely aliases",
        "likely-aliases",
        data_tables.LIKELY,
        (
            "No two names look like one model.",
            "Pairs with like names, or with equal scores on several benchmarks, are listed here for a curator.",
        ),
        lambda _, rows: (
            f"{count(rows.height, 'pair')} of names may be one model under two names. Nothing is merged on likeness: "
            "each stays two models until a curator finds the reason at a source and writes an alias. Points add up "
            "what speaks for a pair: its words, one maker, equal scores. A file that lists both with other scores "
            "speaks against it."
        ),
        "Pairs of names that may be one model, the likeliest first, with what speaks for each",
        (
            *("model_id", "other_id", "points", "why", "n_results", "n_other_results", "n_shared", "n_equal"),
            *("sources", "other_sources"),
        ),
        Look(columns=ALIAS_COLUMNS, declared_in=("likely_alias",), visible_rows=8),
    ),
    "Snapshots": Listing(
        "Snapshots",
        "snapshots",
        data_tables.SNAPSHOTS,
        ("No snapshot is on record.", "A snapshot is one version of one file of a source."),
        lambda _, rows: (
            f"{count(rows.height, 'version')} of {count(rows['board_id'].n_unique(), 'file')}, the newest first."
        ),
        "Snapshots, the newest first, with rows stored and rejected",
        (
            *("observed_at", "source_id", "board_id", "rows_in", "rows_kept", "rows_rejected", "url", "ref"),
            "fetched_at",
        ),
        Look(columns=SNAPSHOT_COLUMNS, declared_in=("snapshot",)),
    ),
    "Runs": Listing(
        "Runs",
        "runs",
        data_tables.RUNS,
        ("No run is on record.", "`benchhealth nightly` leaves a row here, whatever comes of it."),
        _newest_run,
        "Runs, the newest first, with status and duration",
        ("started_at", "command", "status", "minutes", "detail", "ended_at", "run_id"),
        Look(columns=RUN_COLUMNS, declared_in=("run",), visible_rows=8),
    ),
}


def _rejections(view: View) -> None:
    st.header("Rejected rows", anchor="rejections")
    all_reasons = data_tables.reasons(view, {})
    if all_reasons.is_empty():
        empty.nothing("No row was rejected.", "Every row that the sources published could be read and stored.")
        return
    st.markdown(
        "A row that does not fit is never guessed at: it stands here as it was published, with its reason. "
        "Reasons that begin with *excluded* are declared rules, not faults."
    )
    asked_source = st.query_params.get("source")
    source_ids = all_reasons["source_id"].unique().sort().to_list()
    if asked_source and asked_source not in source_ids:
        empty.nothing(
            f"No row of a source {code(asked_source)} was rejected.",
            f"[All rejected rows]({links.address('data')}#rejections) are below.",
        )
    by_source, by_reason = st.columns([1, 3])
    with by_source:
        source_id = filters.pick_one("source", "Source", [ALL_CHOICES, *source_ids])
    params = {} if source_id == ALL_CHOICES else {"source": source_id}
    counted = data_tables.reasons(view, params)
    with by_reason:
        reason = filters.pick_one("reason", "Reason", [ALL_CHOICES, *counted["reason"].unique(maintain_order=True)])
    tables.show(
        view,
        counted,
        data_tables.REASONS,
        params,
        alt="Reasons for rejection with the number of rows, by source",
        columns=REASON_COLUMNS,
        visible_rows=8,
    )
    if reason != ALL_CHOICES:
        params = {**params, "reason": reason}
    rows = data_tables.rejected_rows(view, params)
    newest = "The newest " if rows.height == data_tables.SAMPLE_LIMIT else ""
    st.markdown(f"{newest}{count(rows.height, 'row')} as published, with the place in the file:")
    tables.show(
        view,
        rows.select("published", "reason", "source_row", "place", "source_id", "observed_at"),
        data_tables.REJECTED,
        params,
        alt="Rejected rows as published, with reason and place",
        columns=REJECTED_COLUMNS,
        declared_in=("rejection", "snapshot"),
    )


QUEUES: Mapping[str, Callable[[View], None]] = {
    "Rejected rows": _rejections,
    **{name: listing.show for name, listing in _LISTINGS.items()},
}


def show(view: View) -> None:
    """Draw the choice of a queue, and the one that is chosen."""
    QUEUES[filters.segments("queue", "Queue", {name: name for name in QUEUES})](view)
