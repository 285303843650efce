"""The store, registry and clients that every part of a run is given."""

from dataclasses import dataclass
from pathlib import Path

from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import GithubApi
from benchhealth.ingest.run.progress import Progress
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store


@dataclass(frozen=True)
class RunContext:
    """`home` holds the warehouse and the raw bodies, `registry_folder` the facts of papers.

    With `history` each file is walked back to its first version.
    """

    store: Store
    registry: Registry
    registry_folder: Path
    fetcher: Fetcher
    api: GithubApi
    home: Path
    progress: Progress
    history: bool
