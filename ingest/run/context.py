"""What every part of a run works with."""

from dataclasses import dataclass
from pathlib import Path

from ingest.network.fetch import Fetcher
from ingest.network.github import GithubApi
from ingest.run.progress import Progress
from warehouse.registry import Registry
from warehouse.store import Store


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
