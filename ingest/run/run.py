"""One run over the catalogue: fetch, save, parse, resolve, write; a fault stays with the file that has it."""

import logging
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from benchhealth.ingest.network import raw
from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import GithubApi
from benchhealth.ingest.run.context import RunContext
from benchhealth.ingest.run.progress import Progress, shown_on
from benchhealth.ingest.run.report import IngestReport, SourceReport
from benchhealth.ingest.run.source_run import SourceRun
from benchhealth.ingest.source import Source
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.places.claims import LeaseLost
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store

log = logging.getLogger(__name__)


def ingest(  # noqa: PLR0913  the composition root passes what a run works with
    sources: Sequence[Source],
    store: Store,
    registry: Registry,
    fetcher: Fetcher,
    *,
    history: bool,
    home: Path,
    registry_folder: Path,
    progress: Progress | None = None,
) -> IngestReport:
    """Bring every source up to date; with `history` back to its first version.

    `home` holds the warehouse and the raw bodies, `registry_folder` the facts of papers. Without `progress` a bar is
    drawn on a terminal and lines are logged elsewhere. Never raises for a fault of a source or of its parser. Sources
    that another run works on in the same lake are left to it, and done here if that run dies. A lake that does not
    answer costs the source that it meets; LakeError is raised where it still does not when the next one is begun.
    """
    unfinished = raw.sweep(home, fetcher.now())
    if unfinished:
        log.info("removed %d bodies that a killed run had begun to save", unfinished)
    reports = []
    by_key = {source.key: source for source in sources}
    with (
        nullcontext(progress) if progress is not None else shown_on(sys.stderr) as bar,
        closing(store.claims.each(list(by_key))) as keys,
    ):
        context = RunContext(store, registry, registry_folder, fetcher, GithubApi(fetcher), home, bar, history)
        for key in keys:
            bar.begin(by_key[key].title)
            try:
                done = SourceRun(by_key[key], context).report()
            except LeaseLost as lost:
                log.warning("%s: %s", key, lost)
                continue
            except LakeError as gone:
                done = SourceReport(key, errors=(str(gone),))
            bar.end(done.summary())
            reports.append(done)
    report = IngestReport(tuple(reports))
    if report.deferred:
        log.warning("API limit reached; %d files wait for the next night", report.deferred)
    return report
