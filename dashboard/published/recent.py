"""What readers asked for last, kept as long as it has room."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import polars as pl

Built = TypeVar("Built")

ROOM = 40 * 2**20
"""How many bytes all remembered objects may take together."""

LARGEST_KEPT = ROOM // 4
"""Larger things are not kept: they would drive out what many readers share."""

_ASSUMED_BYTES = 1_000
"""Bytes of a thing that says nothing of its size."""


def weight(built: object) -> int:
    """About how many bytes a thing takes: a frame what its columns do, a chart what it says in `weight`."""
    if isinstance(built, pl.DataFrame):
        return _ASSUMED_BYTES + int(built.estimated_size())
    if isinstance(built, str):
        return len(built)
    if isinstance(built, tuple | list) and len(built) < _ASSUMED_BYTES:
        return sum((weight(part) for part in built), _ASSUMED_BYTES)
    if isinstance(built, tuple | list | dict):
        return _ASSUMED_BYTES + 100 * len(built)
    return _ASSUMED_BYTES + int(getattr(built, "weight", 0))


class Recent:
    """Things by key, the ones asked for last; safe for threads, and one is built while others are read."""

    def __init__(self, room: int = ROOM, largest: int = LARGEST_KEPT) -> None:
        self._room, self._largest = room, largest
        self._things: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._taken = 0
        self._lock = threading.Lock()
        self._building: dict[Hashable, threading.RLock] = {}

    def get(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """What is kept under `key`, else what `build` returns, once for all that ask meanwhile."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return cast(Built, self._things[key][0])
            building = self._building.setdefault(key, threading.RLock())
        with building:
            with self._lock:
                if key in self._things:
                    return cast(Built, self._things[key][0])
            try:
                built = build()
                self._keep(key, built)
            finally:
                with self._lock:
                    self._building.pop(key, None)
            return built

    def _keep(self, key: Hashable, built: object) -> None:
        taken = weight(built)
        if taken > self._largest:
            return
        with self._lock:
            self._things[key] = (built, taken)
            self._taken += taken
            while self._taken > self._room:
                _, (_, freed) = self._things.popitem(last=False)
                self._taken -= freed
