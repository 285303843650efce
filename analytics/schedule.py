"""Named values computed from one another: each waits for its inputs, and those that wait for none run together."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from inspect import Parameter, Signature, signature
from itertools import chain
from typing import Any


class Field:
    """A field of another entry's value, as a function of that value."""

    def __init__(self, entry_name: str, name: str) -> None:
        """The field `name` of the value of this entry."""
        self.entry_name, self.name = entry_name, name
        self.__signature__ = Signature([Parameter(entry_name, Parameter.POSITIONAL_OR_KEYWORD)])

    def __call__(self, **values: Any) -> Any:  # noqa: ANN401 - whatever the field is
        """The field of the value that is given by the name of its entry."""
        return getattr(values[self.entry_name], self.name)


@dataclass(frozen=True)
class Entry:
    """One named value: it is computed from the values that the function's parameters are named after.

    A parameter that can be given by keyword alone is an option of the function and no input.
    """

    name: str
    function: Callable[..., Any]

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the values that it is computed from."""
        parameters = signature(self.function).parameters.values()
        return tuple(parameter.name for parameter in parameters if parameter.kind is not Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class StepsDone:
    """How far a computation is: `done` of its `steps` are computed, those of these names are at work."""

    done: int
    steps: int
    names: tuple[str, ...] = ()


OnProgress = Callable[[StepsDone], None]


def ignored(_progress: StepsDone) -> None:
    """A listener for progress that does nothing, where nobody wants to hear of it."""


class GraphError(ValueError):
    """Two entries have one name, or a name is asked for that nothing computes."""


def run(
    entries: Sequence[Entry],
    given_values: Mapping[str, Any],
    wanted: Iterable[str],
    *,
    workers: int = 1,
    on_progress: OnProgress = ignored,
) -> dict[str, Any]:
    """The values named by `wanted`, and nothing computed that they do not need.

    `given_values` stand in for entries of the same name. Entries must be pure: the answer does not depend on
    `workers`, the number of threads. A value is let go once nothing that is left to compute reads it. `on_progress`
    is called in this thread, before the first step and after each. The first exception that an entry raises is
    raised here. Raises GraphError before anything is computed, graphlib.CycleError where entries wait for one
    another.
    """
    names = tuple(wanted)
    needed = _needed(_by_name(entries), given_values, names)
    values = dict(given_values)
    readers = Counter(chain(names, *(set(entry.inputs) for entry in needed.values())))
    order = TopologicalSorter(
        {entry.name: [key for key in entry.inputs if key not in values] for entry in entries if entry.name in needed}
    )
    order.prepare()
    waiting = _chains(needed)
    ready: list[str] = []
    running: dict[Future[Any], str] = {}
    computed = 0
    with ThreadPoolExecutor(workers) as pool:
        try:
            while order.is_active():
                # The longest chain first; of equal ones the last come, so that values are let go before more are made.
                ready = sorted((*ready, *reversed(order.get_ready())), key=waiting.__getitem__)
                while ready and len(running) < workers:
                    name = ready.pop()
                    entry = needed[name]
                    running[pool.submit(entry.function, **{key: values[key] for key in entry.inputs})] = name
                on_progress(StepsDone(computed, len(needed), tuple(running.values())))
                finished = wait(running, return_when=FIRST_COMPLETED).done
                while finished:
                    future = finished.pop()
                    name = running.pop(future)
                    values[name] = future.result()
                    order.done(name)
                    computed += 1
                    for key in set(needed[name].inputs):
                        readers[key] -= 1
                        if not readers[key]:
                            del values[key]
                    del future  # it holds its value
        finally:
            for future in running:
                future.cancel()
    on_progress(StepsDone(computed, len(needed)))
    return {name: values[name] for name in names}


def count(entries: Sequence[Entry], given_names: Iterable[str], wanted: Iterable[str]) -> int:
    """How many steps `run` makes of the same. Raises GraphError as it does."""
    return len(_needed(_by_name(entries), dict.fromkeys(given_names), wanted))


def _by_name(entries: Sequence[Entry]) -> dict[str, Entry]:
    by_name = {entry.name: entry for entry in entries}
    if len(by_name) < len(entries):
        names = [entry.name for entry in entries]
        raise GraphError(f"declared twice: {', '.join(sorted({name for name in names if names.count(name) > 1}))}")
    return by_name


def _needed(entries: Mapping[str, Entry], given_values: Mapping[str, Any], wanted: Iterable[str]) -> dict[str, Entry]:
    """The entries that the wanted names rest on, down to what is given."""
    needed: dict[str, Entry] = {}
    open_names = list(wanted)
    while open_names:
        name = open_names.pop()
        if name in given_values or name in needed:
            continue
        if name not in entries:
            raise GraphError(f"neither given nor computed: {name}")
        needed[name] = entries[name]
        open_names += entries[name].inputs
    return needed


def _chains(needed: Mapping[str, Entry]) -> dict[str, int]:
    """For each entry the number of entries that can only run one after another from it on, itself included.

    What most others wait for, one by one, decides when all are computed (Hu 1961, doi:10.1287/opre.9.6.841).
    """
    readers: dict[str, list[str]] = {name: [] for name in needed}
    for name, entry in needed.items():
        for key in entry.inputs:
            if key in readers:
                readers[key].append(name)
    chain: dict[str, int] = {}
    for name in TopologicalSorter(readers).static_order():
        chain[name] = 1 + max((chain[reader] for reader in readers[name]), default=0)
    return chain
