"""Reports of a run: what it did for each source, and in total."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "failed"]


@dataclass
class SourceReport:
    """What a run has done so far for one source, and at its end what it did.

    `unchanged` counts files that the upstream still serves in the version that was stored before. `refused` counts old
    versions that the parser could not read, or that were held, and that a later one has replaced; `dismissed` those
    that a curator refused for good. `deferred` counts files that wait for the next run because the API limit is
    reached, which is no failure. `held` names the files whose newest version drifted too far from the last good one,
    which stays in service until a curator decides; that is no failure either. `errors` names every failure with its
    file.
    """

    source_id: str
    snapshots: int = 0
    results: int = 0
    rejections: int = 0
    unchanged: int = 0
    refused: int = 0
    dismissed: int = 0
    deferred: int = 0
    errors: tuple[str, ...] = ()
    held: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Failed where any file could not be brought up to date through a fault, its own or of the way to it."""
        return "failed" if self.errors else "ok"

    def summary(self) -> str:
        """What the run of the source did, in one line for a log."""
        clauses = [f"{self.snapshots} new snapshots, {self.results} results, {self.rejections} rejections"]
        clauses.append(f"{self.unchanged} files unchanged")
        if self.refused:
            clauses.append(f"{self.refused} superseded versions refused or held")
        if self.dismissed:
            clauses.append(f"{self.dismissed} versions refused for good by a curator")
        if self.deferred:
            clauses.append(f"API limit reached; {self.deferred} files wait for the next night")
        if self.held:
            clauses.append(f"quarantined: {'; '.join(self.held)}")
        if self.errors:
            clauses.append(f"failed: {'; '.join(self.errors)}")
        return ", ".join(clauses)


@dataclass(frozen=True)
class IngestReport:
    """What a run did for all its sources together."""

    sources: tuple[SourceReport, ...]

    @property
    def deferred(self) -> int:
        """Files that wait for the next run because the API limit is reached."""
        return sum(source.deferred for source in self.sources)

    def __str__(self) -> str:
        failed = [source.source_id for source in self.sources if source.status == "failed"]
        held_sources = [source.source_id for source in self.sources if source.held]
        quarantined = f"; quarantined: {', '.join(held_sources)}" if held_sources else ""
        counts = (
            f"{sum(source.snapshots for source in self.sources)} new snapshots with "
            f"{sum(source.results for source in self.sources)} results from {len(self.sources)} sources"
        )
        waiting = f"; API limit reached, {self.deferred} files wait for the next night" if self.deferred else ""
        return counts + waiting + quarantined + (f"; failed: {', '.join(failed)}" if failed else "")


def exit_code(report: IngestReport) -> int:
    """0 if all sources went well, 2 if some failed, 1 if all did."""
    failed = sum(source.status == "failed" for source in report.sources)
    if not failed:
        return 0
    return 1 if failed == len(report.sources) else 2
