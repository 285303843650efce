"""The whole way of a number at one size: restore, load, assess, publish, draw a page. Runs in a process of its own."""

import logging
import resource
import shutil
import tempfile
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl

from analytics.assess import assess
from analytics.graph import ENTRIES
from analytics.record.frames import Frames
from ingest.rows import Parsed, RawRow
from ingest.run.resolve import resolve
from perf import copies
from perf.clock import Clock, Took
from pipeline.settings import REPOSITORY
from warehouse.bundle import read_bundles, restore, unpack
from warehouse.loading.load import load
from warehouse.publish import fact_tables, publish
from warehouse.registry import Registry, read_registry
from warehouse.store import Store

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
    "lives": "assess: aging",
    "survival": "assess: aging",
    "hazard": "assess: aging",
    "indicator": "assess: indicators, verdicts",
    "sides_before": "assess: indicators, verdicts",
    "verdict": "assess: indicators, verdicts",
}
"""Entries of the graph of tables and the part of the report that they count in; all others are the rest."""

WHOLE, REST = "assess, whole", "assess: everything else"
RESOLVED_ROWS = 3_000


@dataclass(frozen=True)
class Measured:
    """What one size took: parts by name, results stored, and the most memory held at once in bytes."""

    times: int
    results: int
    parts: dict[str, Took]
    peak: int


def measure(times: int) -> Measured:
    """Go the whole way with the bundled facts `times` over, in a folder that is thrown away."""
    logging.disable(logging.WARNING)  # Streamlit warns that no browser is there
    home = Path(tempfile.mkdtemp(prefix="benchhealth-perf-"))
    try:
        clock = Clock()
        curated = copies.registry(read_registry(REPOSITORY / "data" / "registry"), times)
        newest = _restore(clock, home, times)
        frames = _load(clock, home, curated, newest)
        _resolve(clock, frames, curated, times)
        _assess_and_publish(clock, home, curated, frames)
        _draw(clock, home)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return Measured(times, frames.result.height, clock.parts, peak)
    finally:
        shutil.rmtree(home)


def _restore(clock: Clock, home: Path, times: int) -> datetime:
    """Store the bundles; the instant of the newest snapshot."""
    made = copies.bundles(REPOSITORY / "data" / "snapshot", home, times)
    packed = [unpack(pl.scan_parquet(path)) for path in made]
    rows = sum(tables["result"].height for tables in packed)
    sources = pl.concat([tables["source"] for tables in packed])
    newest: datetime = pl.concat([tables["snapshot"]["observed_at"] for tables in packed]).max()  # type: ignore[assignment]
    del packed
    with Store.open(home) as store:
        store.write_sources(sources)
        with clock.part("restore", rows):
            restore(store, read_bundles(*made))
    return newest


def _load(clock: Clock, home: Path, curated: Registry, as_of: datetime) -> Frames:
    with clock.part("load"):
        return load(home, curated, as_of)


def _resolve(clock: Clock, frames: Frames, curated: Registry, times: int) -> None:
    """Resolve rows as a parser would give them: those of stored results, as they were printed."""
    rows = frames.result.filter(pl.col("score_published").is_not_null()).head(RESOLVED_ROWS * times)
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
        resolve(Parsed(rows=raw), source_id="perf", benchmarks=units, aliases=curated.aliases())


def _assess_and_publish(clock: Clock, home: Path, curated: Registry, frames: Frames) -> None:
    newest: datetime = frames.snapshot["observed_at"].max()  # type: ignore[assignment]
    as_of = newest.date()
    timed = tuple(replace(each, function=clock.timed(each.function, PARTS.get(each.name, REST))) for each in ENTRIES)
    with clock.part(WHOLE):
        done = assess(frames, as_of, np.random.default_rng(as_of.toordinal()), entries=timed)
    marked = replace(frames, breakpoint=done.breakpoint)
    with clock.part("publish"):
        publish(home, {**fact_tables(home, curated, marked), **done.tables}, newest)


def _draw(clock: Clock, home: Path) -> None:
    """Draw pages as the server does for a visitor: the first after a publish, and the next ones."""
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415

    from dashboard.published import generation  # noqa: PLC0415
    from dashboard.serving.server import ENTRY_SCRIPT  # noqa: PLC0415

    for module in ("pandas", "dashboard.pages"):  # imported by the first page drawn: not what is measured
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

    from dashboard.pages import PAGES  # noqa: PLC0415
    from dashboard.pages.benchmark.page import PAGE  # noqa: PLC0415
    from dashboard.widgets import links  # noqa: PLC0415

    pages = {
        spec.url_path: st.Page(spec.render, title=spec.title, url_path=spec.url_path, default=spec is PAGE)
        for spec in PAGES
    }
    links.register(pages)
    st.navigation(list(pages.values())).run()
