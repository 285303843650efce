"""What is done with the results of a home, whatever its size: load, assess, publish, open, resolve, draw pages.

Runs in a process of its own, part by part, each with the most memory that was held in it.
"""

import logging
import os
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import assess
from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.ingest.names.identity import with_normalised
from benchhealth.ingest.rows import Parsed, RawRow
from benchhealth.ingest.run.resolve import resolve
from benchhealth.pipeline.settings import REPOSITORY, now
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.publish import fact_tables, publish
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.registry import Registry, read_registry
from benchhealth.warehouse.store import Store
from perf.clock import Clock, Took

PARTS = {
    "boards": "assess: ranks and churn",
    "rank": "assess: ranks and churn",
    "churn": "assess: ranks and churn",
    "dwell": "assess: ranks and churn",
    "volatility": "assess: ranks and churn",
    "twins": "assess: twins",
    "stitched": "assess: capability",
    "forecasts": "assess: forecasts",
    "transfer": "assess: orders",
    "stability": "assess: orders",
    "first_place": "assess: orders",
    "goodhart": "assess: goodhart",
    "ladder": "assess: contamination",
    "map_month": "assess: aging",
    "lives": "assess: aging",
    "survival": "assess: aging",
    "hazard": "assess: aging",
    "indicator": "assess: indicators, verdicts",
    "sides_before": "assess: indicators, verdicts",
    "replayed": "assess: indicators, verdicts",
    "history_by_date": "assess: indicators, verdicts",
    "verdict_history": "assess: indicators, verdicts",
    "verdict": "assess: indicators, verdicts",
}
"""Entries of the graph of tables and the part of the report that they count in; all others are the rest."""

WHOLE, REST = "assess, whole", "assess: everything else"
RESOLVED_ROWS = 30_000


@dataclass(frozen=True)
class Measured:
    """What one size took: parts by name, and results stored."""

    results: int
    parts: dict[str, Took]


def measure(home: Path, assessed: bool = True) -> Measured:
    """Assess and publish the home as a night does, and draw pages of what is published.

    Where it is not `assessed`, the facts alone are published and read again: tables that are computed are empty.
    """
    logging.disable(logging.WARNING)  # Streamlit warns that no browser is there
    clock = Clock()
    curated = read_registry(REPOSITORY / "data" / "registry")
    with Store.open(home):
        with clock.part("load"):
            frames, _ = load_apart(home, curated, now())
        published_at = now()
        computed = _assess(clock, frames, published_at.date()) if assessed else {}
        with clock.part("publish"):
            facts = fact_tables(home, curated, frames, computed.get("copy", empty("copy")))
            publish(home, _whole({**facts, **computed}), published_at)
    results = int(frames.result.select(pl.len()).collect().item())
    with clock.part("open, every row read"), closing(open_current(home)):
        pass
    _resolve(clock, frames, curated)
    if assessed:
        _draw(clock, home)
    return Measured(results, clock.parts)


def _resolve(clock: Clock, frames: Frames, curated: Registry) -> None:
    """Resolve rows as a parser would give them: those of stored results, as they were printed."""
    rows = frames.result.filter(pl.col("score_published").is_not_null()).head(RESOLVED_ROWS).collect()
    units = dict(frames.benchmark.select("benchmark_id", pl.col("unit").fill_null("percent")).iter_rows())
    raw = [
        RawRow(
            row=f"{place}",
            benchmark=row["benchmark_id"],
            model=row["published_name"],
            score=str(row["score_published"]),
            unit=units[row["benchmark_id"]],
            setting=row["setting"] or "",
            kind=row["kind"],
        )
        for place, row in enumerate(rows.iter_rows(named=True))
    ]
    with clock.part("resolve", len(raw)):
        resolve(Parsed(rows=raw), source_id="perf", benchmarks=units, aliases=with_normalised(curated.aliases()))


def _assess(clock: Clock, frames: Frames, as_of: date) -> dict[str, pl.DataFrame]:
    timed = tuple(replace(each, function=clock.timed(each.function, PARTS.get(each.name, REST))) for each in ENTRIES)
    rng = np.random.default_rng(SEED)
    with clock.part(WHOLE):
        return assess(frames, as_of, rng, entries=timed, workers=os.cpu_count() or 1).tables


def _whole(tables: dict[str, Rows]) -> dict[str, Rows]:
    """The tables with those that nothing computed, empty, and with the columns that nothing computed, null."""
    return {
        name: tables.get(name, empty(name)).lazy().pipe(_with_columns, schema) for name, schema in PUBLISHED.items()
    }


def _with_columns(rows: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
    there = rows.collect_schema()
    return rows.with_columns(pl.lit(None, dtype=kind).alias(name) for name, kind in schema.items() if name not in there)


def _draw(clock: Clock, home: Path) -> None:
    """Draw pages as the server does for a visitor: the first after a publish, and the next ones."""
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415

    from benchhealth.dashboard.published import generation  # noqa: PLC0415
    from benchhealth.dashboard.serving.server import ENTRY_SCRIPT  # noqa: PLC0415

    for module in ("pandas", "benchhealth.dashboard.pages"):  # imported by the first page drawn: not what is measured
        import_module(module)
    generation.use(home)
    overview = AppTest.from_file(ENTRY_SCRIPT, default_timeout=300)
    one = AppTest.from_function(_benchmark_page, default_timeout=300)
    one.query_params["benchmark"] = "imagenet"
    for name, page in (("overview", overview), ("benchmark page", one)):
        for visit in ("first visit", "again"):
            with clock.part(f"{name}, {visit}"):
                page.run()
            if page.exception:
                raise RuntimeError(f"{name}: {page.exception[0].message}")


def _benchmark_page() -> None:
    """The entry script with another page as the first."""
    import streamlit as st  # noqa: PLC0415

    from benchhealth.dashboard.pages import PAGES  # noqa: PLC0415
    from benchhealth.dashboard.pages.benchmark.page import PAGE  # noqa: PLC0415
    from benchhealth.dashboard.widgets import links  # noqa: PLC0415

    pages = {
        spec.url_path: st.Page(spec.render, title=spec.title, url_path=spec.url_path, default=spec is PAGE)
        for spec in PAGES
    }
    links.unpin()
    st.navigation(list(pages.values())).run()
