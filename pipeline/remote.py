"""What is shared between machines: facts in a lake, generations at an object address. Neither is there by default."""

import logging
from functools import cache

from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.objects.access import Access, AddressError
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.generations import Follower, Published
from benchhealth.warehouse.places.lake import LEASE_SECONDS, Lake
from benchhealth.warehouse.places.location import place

LOGGER = logging.getLogger(__name__)
LAKE = "ducklake:postgres:"
SHORTEST_LEASE = 2.0


def arrange(settings: Settings) -> None:
    """Store the facts of the home where BENCHHEALTH_STORE says. Raises AddressError for an invalid address."""
    if settings.store is None:
        place(settings.home, None)
        return
    libpq = settings.store.removeprefix(LAKE)
    if libpq in (settings.store, ""):
        raise AddressError(f"BENCHHEALTH_STORE should be {LAKE}<libpq connection string>, or unset for a file")
    data_path = settings.store_data
    # A lake that was made before knows where its files are, and they may be in S3.
    in_s3 = data_path.startswith("s3://") if data_path is not None else bool(settings.aws)
    access = Access.of(settings.aws) if in_s3 else None
    place(settings.home, Lake(libpq, data_path, access, _seconds(settings.lease_seconds)))


def _seconds(text: str | None) -> float:
    try:
        seconds = LEASE_SECONDS if text is None else float(text)
    except ValueError:
        seconds = 0
    if not SHORTEST_LEASE <= seconds < float("inf"):
        raise AddressError(f"BENCHHEALTH_LEASE_SECONDS is {text!r}; it should be a number from {SHORTEST_LEASE:g} up")
    return seconds


def shared_generations(settings: Settings) -> Published | None:
    """The generations at the address of BENCHHEALTH_GENERATIONS; None where they stay in the home."""
    return None if settings.generations is None else _generations_at(settings.generations, Access.of(settings.aws))


@cache
def _generations_at(address: str, access: Access) -> Published:
    return Published(Bucket(address, access))


def refresh(settings: Settings) -> None:
    """Fetch the generation in service at the address, once; where that fails the home keeps its own."""
    if elsewhere := shared_generations(settings):
        Follower(elsewhere, settings.home).look()


def follow(settings: Settings) -> Follower | None:
    """Keep the home in step with the address for as long as this process lives."""
    elsewhere = shared_generations(settings)
    if elsewhere is None:
        return None
    follower = Follower(elsewhere, settings.home)
    follower.start()
    return follower
