"""The work of a night and its parts: ingest, assess, publish, each a run in the ledger."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import Ledgers
from benchhealth.analytics.assess import assess as assess_frames
from benchhealth.analytics.own.apart import PublicAndOwn
from benchhealth.analytics.own.assessment import assess_apart
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.dashboard.published.generation import did_you_mean, slug
from benchhealth.dashboard.words.prose.tables import with_prose
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.names.stored_names import follow_rules
from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.own_results.imports import KEY as OWN_RESULTS
from benchhealth.ingest.own_results.imports import read_path, store_reading
from benchhealth.ingest.run.progress import shown_on
from benchhealth.ingest.run.report import exit_code
from benchhealth.ingest.run.run import ingest as ingest_sources
from benchhealth.ingest.source import ENDED, BundledFile, Source
from benchhealth.pipeline import watching
from benchhealth.pipeline.alert import after_night
from benchhealth.pipeline.errors import UsageError, line
from benchhealth.pipeline.keeping.retention import prune
from benchhealth.pipeline.remote import shared_generations
from benchhealth.pipeline.run import Outcome, Run, SourceProgress, as_run, recorded_if_failed, step_progress
from benchhealth.pipeline.settings import Settings, end_of, now
from benchhealth.pipeline.shipped import publish_shipped, shipped_tables
from benchhealth.warehouse.bundle import dump, read_bundles, restore
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.forecasts.files import read as read_ledgers
from benchhealth.warehouse.forecasts.files import write as write_ledgers
from benchhealth.warehouse.forecasts.issued import issue, issued
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, enter, fill, ledger
from benchhealth.warehouse.keeping.editions import digest_of
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.publish import fact_tables
from benchhealth.warehouse.publish import publish as publish_tables
from benchhealth.warehouse.read import NoGeneration, open_current, previous
from benchhealth.warehouse.registry import Registry, read_registry
from benchhealth.warehouse.sql import SOURCE
from benchhealth.warehouse.status import kept_out_table, newest_look
from benchhealth.warehouse.store import Store
from benchhealth.warehouse.watch.reasons import EDITION, RETENTION

LOGGER = logging.getLogger(__name__)
PUBLISHING = "publishing"
"""What a run that assesses has for itself, where several write facts."""
RULES = "names"
_STEPS = ("stated",)
RULES_PATIENCE = 600.0
"""Seconds that a run waits while another one names the stored facts anew."""


def init(settings: Settings) -> None:
    """The first generation, from the bundled facts and without network; nothing is done where all is there already.

    It is as of the newest look at any source, whatever the day is: the same facts say the same in a year.
    """
    with Store.open(settings.home, anew=True) as store:
        bundles = _unread(store, sorted(settings.bundle.glob("*.parquet")))
        is_first = not store.snapshot_ids() and shared_generations(settings) is None
        ledgers = read_ledgers(settings.bundle)
        if not bundles and _has_generation(settings.home):
            LOGGER.info("already initialised: %s", settings.home)
            return

        def work(run: Run) -> Outcome:
            with run.phase("restore"):
                _restore(store, bundles)
                _follow_rules(store, read_registry(settings.registry), always=True)
                fill(store, ledgers, now())
            last_seen = newest_look(settings.home)
            if last_seen is None:
                raise UsageError(f"no bundled facts in {settings.bundle}")
            detail = f"{len(bundles)} bundled sources, as last seen on {last_seen.date()}"
            if is_first and last_seen.date() < now().date() and (tables := shipped_tables(settings)) is not None:
                return Outcome(0, f"{detail}, tables as shipped", lambda: publish_shipped(settings, tables))
            with run.phase("assess"):
                return Outcome(0, detail, _assess(settings, store, run, end_of(last_seen.date())))

        with store.claims.hold(PUBLISHING, *(path.stem for path in bundles)):
            as_run(settings, store, "init", work)
    _say_what_is_known(settings.home)


def ingest(settings: Settings, *, keys: Sequence[str] | None, history: bool, mirror: str | None) -> int:
    """Pull from the upstreams; the exit code of the contract. Publishes nothing."""
    named = _chosen_sources(keys)
    with Store.open(settings.home) as store:
        sources = named if history or keys is not None else _of_tonight(store)
        command = f"ingest{' --history' if history else ''}"

        def work(run: Run) -> Outcome:
            return _ingest(settings, store, run, sources, history=history, mirror=mirror)

        with store.claims.hold(*keys or ()):
            code = as_run(settings, store, command, work)
        _delete_unneeded(settings, store, lambda: prune(settings.home, store, settings.keep, now()))
        return code


def assess(settings: Settings, *, as_of: date | None) -> None:
    """Recompute everything as known on `as_of` (default: now) and publish a generation."""
    instant = end_of(as_of) if as_of else now()
    with Store.open(settings.home) as store:

        def work(run: Run) -> Outcome:
            stored = store.source_ids()
            store.write_sources(_source_rows([source for source in SOURCES if source.key in stored]))
            _follow_rules(store, read_registry(settings.registry))
            with run.phase("assess"):
                return Outcome(0, f"as of {instant.date()}", _assess(settings, store, run, instant))

        with store.claims.hold(PUBLISHING):
            as_run(settings, store, "assess", work)


def nightly(settings: Settings, *, mirror: str | None) -> int:
    """Ingest, assess, publish. The generation is published even where sources failed: it says so.

    At the end the operator is told where a hand is needed.
    """
    try:
        code = _night(settings, mirror)
    except Locked:
        raise
    except Exception as failure:
        after_night(settings, failure)
        raise
    after_night(settings)
    return code


def _night(settings: Settings, mirror: str | None) -> int:
    with Store.open(settings.home) as store, ExitStack() as held_claims:
        busy: list[Locked] = []

        def work(run: Run) -> Outcome:
            pulled = _ingest(settings, store, run, _of_tonight(store), history=False, mirror=mirror)
            try:
                held_claims.enter_context(store.claims.hold(PUBLISHING))
            except Locked as other:
                busy.append(other)
                return replace(pulled, detail=f"{pulled.detail}; left to another run to publish")
            with run.phase("assess"):
                return replace(pulled, publish=_assess(settings, store, run, now()))

        def tidy() -> None:
            prune(settings.home, store, settings.keep, now())
            store.tidy()

        code = as_run(settings, store, "nightly", work)
        if busy:
            raise busy[0]
        _delete_unneeded(settings, store, tidy)
        _keep_edition(settings, store)
        return code


def _delete_unneeded(settings: Settings, store: Store, work: Callable[[], object]) -> None:
    """What is not needed any more is deleted; where that fails the run has done its own work, and `status` says it."""
    try:
        recorded_if_failed(settings, store, RETENTION, work)
    except (OSError, DatabaseFault, Locked):
        watching.write_state(settings, ())


def _keep_edition(settings: Settings, store: Store) -> None:
    """Keep the edition of the last full month, where this home was at work by its end; a failure only alarms."""
    from benchhealth.pipeline.export.edition import command as editions  # noqa: PLC0415 - imports pages

    try:
        recorded_if_failed(settings, store, EDITION, lambda: editions.keep_last(settings))
    except Exception as problem:
        LOGGER.error("edition: %s", line(problem))
        watching.write_state(settings, ())


def import_results(settings: Settings, path: Path) -> None:
    """Take in results that somebody made. Raises ImportRefused, before anything is stored, where a row is no result."""
    with Store.open(settings.home) as store:
        reading = read_path(path, read_registry(settings.registry), home=settings.home, observed_at=now())
        if not reading.files:
            LOGGER.info("import: %s", reading)
            return

        def work(_run: Run) -> Outcome:
            store_reading(reading, store, settings.home)
            return Outcome(0, str(reading))

        with store.claims.hold(OWN_RESULTS):
            as_run(settings, store, "import", work)
    LOGGER.info("`benchhealth assess` publishes a generation with them")


def bundle(settings: Settings, *, folder: Path) -> None:
    """Rewrite the bundled facts: a Parquet file for each source whose licence allows passing it on, and the ledgers."""
    folder.mkdir(parents=True, exist_ok=True)
    with Store.open(settings.home):
        for source in SOURCES:
            if source.redistributable and source.default:
                path = dump(settings.home, source.key, folder)
                LOGGER.info("%s: %.1f MB", path.name, path.stat().st_size / 1e6)
        for path in write_ledgers(settings.home, folder):
            LOGGER.info("%s/%s: %.1f MB", path.parent.name, path.name, path.stat().st_size / 1e6)


def _restore(store: Store, bundles: Sequence[Path]) -> None:
    store.write_sources(_source_rows(SOURCES))
    restore(store, read_bundles(*bundles))
    store.ledger.record(*map(_bundle_entry, bundles))
    for path in bundles:
        LOGGER.info("read %s", path.name)


def _ingest(  # noqa: PLR0913  what was asked for, as the commands have it
    settings: Settings, store: Store, run: Run, sources: Sequence[Source], *, history: bool, mirror: str | None
) -> Outcome:
    store.write_sources(_source_rows(SOURCES))
    registry = read_registry(settings.registry)
    _follow_rules(store, registry)
    with (
        run.phase("ingest"),
        shown_on(sys.stderr) as bar,
        closing(Fetcher(mirror, now, settings.token)) as fetcher,
    ):
        report = ingest_sources(
            sources,
            store,
            registry,
            fetcher,
            history=history,
            home=settings.home,
            registry_folder=settings.registry,
            progress=SourceProgress(bar, run, len(sources)),
        )
    return Outcome(exit_code(report), str(report))


def _follow_rules(store: Store, registry: Registry, *, always: bool = False) -> None:
    """Stored facts named by today's rules and aliases, so that a corrected alias reaches what came in before it."""
    with store.claims.hold(RULES, patience=RULES_PATIENCE):
        changed = follow_rules(store, registry, now(), always=always)
    if changed:
        LOGGER.info("names: %d stored rows follow the rules and aliases of today", changed)


def _assess(settings: Settings, store: Store, run: Run, as_of: datetime) -> Callable[[], Path]:
    """Compute every derived table as known at `as_of`; what is returned publishes them with the facts.

    Once published, forecasts and verdicts about public benchmarks are entered in their ledgers.
    """
    elsewhere = shared_generations(settings)
    if elsewhere is not None:
        elsewhere.fetch(settings.home)  # what this generation is compared with, and follows
    registry = read_registry(settings.registry)
    public, imported = load_apart(settings.home, registry, as_of)
    public = replace(public, kept_out=kept_out_table(settings.home, watching.board_of))
    rng = np.random.default_rng(SEED)
    last = previous(settings.home)
    ledgers = Ledgers(issued(settings.home), ledger(settings.home, FORECASTS), ledger(settings.home, VERDICTS))
    frames, workers = public, os.cpu_count() or 1
    with step_progress(run) as on_progress:
        if imported is None:
            assessment = assess_frames(
                public,
                as_of.date(),
                rng,
                previous=last,
                ledgers=ledgers,
                workers=workers,
                on_progress=on_progress,
                steps=_STEPS,
            )
        else:
            apart = PublicAndOwn(public, imported)
            frames = apart.all_frames
            assessment = assess_apart(
                apart, as_of.date(), rng, previous=last, ledgers=ledgers, workers=workers, on_progress=on_progress
            )

    forecasts = assessment.tables["forecast"].join(public.benchmark, on="benchmark_id", how="semi")

    def publish() -> Path:
        facts = fact_tables(settings.home, registry, frames, assessment.tables["copy"])
        tables = {**facts, **with_prose(assessment.tables)}
        published_at = now()
        hand_over = elsewhere.hand_over if elsewhere else None
        path = publish_tables(settings.home, tables, published_at, keep=settings.keep.generations, hand_over=hand_over)
        entered = issue(store, forecasts, generation=path.stem, as_of=as_of.date(), published_at=published_at)
        LOGGER.info("forecasts: %d entered in the ledger", entered)
        entered = enter(
            store, assessment.steps["stated"], generation=path.stem, as_of=as_of.date(), published_at=published_at
        )
        LOGGER.info("verdicts: %d entered in the ledger", entered)
        return path

    return publish


def _chosen_sources(keys: Sequence[str] | None) -> tuple[Source, ...]:
    if keys is None:
        return tuple(source for source in SOURCES if source.default)
    by_key = {source.key: source for source in SOURCES}
    if unknown := [f"{key}{did_you_mean(slug(key), sorted(by_key))}" for key in sorted(set(keys) - by_key.keys())]:
        raise UsageError(f"no source called {', '.join(unknown)}; there are {', '.join(sorted(by_key))}")
    return tuple(by_key[key] for key in keys)


def _of_tonight(store: Store) -> tuple[Source, ...]:
    """The sources that a night asks: not those that never change again, once something of them is stored.

    Facts of papers that come with the program ask nobody, so they are read again where a curator corrected them.
    """
    stored = store.sources_with_facts()
    return tuple(
        source
        for source in _chosen_sources(None)
        if source.kind not in ENDED
        or source.key not in stored
        or all(isinstance(files, BundledFile) for files in source.files)
    )


def _source_rows(sources: Sequence[Source]) -> pl.DataFrame:
    rows = [
        (
            source.key,
            source.title,
            source.homepage,
            source.licence,
            source.redistributable,
            source.cadence,
            source.kind,
        )
        for source in sources
    ]
    return pl.DataFrame(rows, schema=SOURCE, orient="row")


def _bundle_url(path: Path) -> str:
    return f"bundle:{path.name}"


def _unread(store: Store, bundles: Sequence[Path]) -> list[Path]:
    """The bundled files whose contents were not restored yet."""
    last = store.ledger.last_of([_bundle_url(path) for path in bundles])
    restored = {(entry.url, entry.sha256) for entry in last.values()}
    return [path for path in bundles if (_bundle_url(path), digest_of(path)) not in restored]


def _bundle_entry(path: Path) -> LedgerEntry:
    return LedgerEntry(
        source_id=path.stem,
        url=_bundle_url(path),
        path=path.name,
        ref="bundle",
        etag="",
        sha256=digest_of(path),
        state="written",
        detail="restored from the bundled snapshot",
        at=now(),
    )


def _say_what_is_known(home: Path) -> None:
    """Name each source with the day until which it is known, the newest first."""
    with closing(open_current(home)) as generation:
        sources = generation.table("source").drop_nulls("known_until")
    for source_id, until in sources.sort("known_until", "source_id", descending=[True, False])[
        ["source_id", "known_until"]
    ].iter_rows():
        LOGGER.info("known until %s: %s", until, source_id)


def _has_generation(home: Path) -> bool:
    """Whether a generation with the tables of this edition is in service."""
    try:
        with closing(open_current(home)) as generation:
            return generation.is_of_this_edition()
    except NoGeneration as missing:
        LOGGER.info("%s", missing)
        return False
