"""Named values computed from one another: each waits for its inputs, and those that wait for none run together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One named value: the names of the values that it is computed from, in the order of the function's arguments."""

    name: str
    function: Callable[..., Any]
    inputs: tuple[str, ...]


class GraphError(ValueError):
    """Two entries have one name, or a name is asked for that nothing computes."""


def run(
    entries: Sequence[Entry], given: Mapping[str, Any], wanted: Iterable[str], *, workers: int = 1
) -> dict[str, Any]:
    """The values named by `wanted`, and nothing computed that they do not need.

    `given` values stand in for entries of the same name. Entries must be pure: the answer does not depend on `workers`,
    the number of threads. The first exception that an entry raises is raised here. Raises GraphError before anything is
    computed, graphlib.CycleError where entries wait for one another.
    """
    asked = tuple(wanted)
    needed = _needed(_by_name(entries), given, asked)
    values = dict(given)
    order = TopologicalSorter({name: entry.inputs for name, entry in needed.items()})
    order.prepare()
    running: dict[Future[Any], str] = {}
    with ThreadPoolExecutor(workers) as pool:
        try:
            while order.is_active():
                for name in order.get_ready():
                    if name in values:
                        order.done(name)
                    else:
                        entry = needed[name]
                        running[pool.submit(entry.function, *(values[each] for each in entry.inputs))] = name
                finished, _ = wait(running, return_when=FIRST_COMPLETED) if running else ((), None)
                for future in finished:
                    name = running.pop(future)
                    values[name] = future.result()
                    order.done(name)
        finally:
            for future in running:
                future.cancel()
    return {name: values[name] for name in asked}


def _by_name(entries: Sequence[Entry]) -> dict[str, Entry]:
    named = {entry.name: entry for entry in entries}
    if len(named) < len(entries):
        names = [entry.name for entry in entries]
        raise GraphError(f"declared twice: {', '.join(sorted({name for name in names if names.count(name) > 1}))}")
    return named


def _needed(entries: Mapping[str, Entry], given: Mapping[str, Any], wanted: Iterable[str]) -> dict[str, Entry]:
    """The entries that the wanted names rest on, down to what is given."""
    found: dict[str, Entry] = {}
    open_names = list(wanted)
    while open_names:
        name = open_names.pop()
        if name in given or name in found:
            continue
        if name not in entries:
            raise GraphError(f"neither given nor computed: {name}")
        found[name] = entries[name]
        open_names += entries[name].inputs
    return found
