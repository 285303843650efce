"""What curators wrote down in data/registry, read once in a process."""

from functools import cache
from pathlib import Path

from benchhealth.ingest.names.identity import Aliases, with_normalised
from benchhealth.warehouse.registry import Registry, read_registry

REGISTRY = Path(__file__).resolve().parents[2] / "data" / "registry"


@cache
def curated() -> Registry:
    """The project's own registry."""
    return read_registry(REGISTRY)


@cache
def curated_aliases() -> Aliases:
    """The project's own aliases, with their normalised forms."""
    return with_normalised(curated().aliases())
