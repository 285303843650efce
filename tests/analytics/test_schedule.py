"""The scheduler: every value from its inputs, nothing that is not asked for, the same with any number of threads."""

from collections.abc import Callable, Sequence
from graphlib import CycleError
from inspect import Parameter, Signature
from typing import Any, get_args, get_origin, get_type_hints
from weakref import ReferenceType, ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.described import graph_text
from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.record.tables import COMPLETED, DERIVED, TABLES
from benchhealth.analytics.schedule import Entry, Field, GraphError, StepsDone, count, run
from tests.support.soaking import examples


def total(*read: str) -> Callable[..., int]:
    """A function whose parameters have these names."""

    def function(**values: int) -> int:
        return sum(values.values()) + 1

    function.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in read])  # type: ignore[attr-defined]
    return function


@st.composite
def graphs(draw: st.DrawFn) -> Sequence[Entry]:
    """Entries that rest on any of those before them, in any order."""
    entries = []
    for place in range(draw(st.integers(1, 12))):
        earlier = [entry.name for entry in entries]
        inputs = draw(st.lists(st.sampled_from(earlier), max_size=4, unique=True)) if earlier else []
        entries.append(Entry(f"e{place}", total(*inputs)))
    return draw(st.permutations(entries))


@given(graphs(), st.integers(1, 4))
@examples(20, soak=60)
def test_values_do_not_depend_on_the_number_of_threads(entries: Sequence[Entry], workers: int) -> None:
    names = [entry.name for entry in entries]
    assert run(entries, {}, names, workers=workers) == run(entries, {}, names)


def test_only_what_is_needed_is_computed() -> None:
    def fail() -> int:
        raise AssertionError

    entries = (Entry("a", fail), Entry("b", total("a")), Entry("c", total("b")), Entry("d", fail))
    assert run(entries, {"a": 1}, ("c",)) == {"c": 3}
    assert run(entries, {"b": 5}, ("b",)) == {"b": 5}


@given(graphs(), st.integers(1, 4))
@settings(max_examples=30)
def test_each_step_is_told(entries: Sequence[Entry], workers: int) -> None:
    progress: list[StepsDone] = []
    wanted = entries[0].name
    run(entries, {}, [wanted], workers=workers, on_progress=progress.append)
    steps = count(entries, (), [wanted])
    assert {step.steps for step in progress} == {steps}
    assert [step.done for step in progress] == sorted(step.done for step in progress)
    assert (progress[0].done, progress[-1].done, progress[-1].names) == (0, steps, ())
    assert all(0 < len(step.names) <= workers for step in progress[:-1])
    assert wanted in progress[-2].names
    assert count(entries, [wanted], [wanted]) == 0


@given(graphs())
@examples(20, soak=60)
def test_a_step_is_begun_when_no_other_that_could_be_has_more_to_follow(entries: Sequence[Entry]) -> None:
    begun: list[str] = []
    run(entries, {}, [entry.name for entry in entries], on_progress=lambda done: begun.extend(done.names))
    inputs = {entry.name: entry.inputs for entry in entries}

    def chain(name: str) -> int:
        return 1 + max((chain(reader) for reader in inputs if name in inputs[reader]), default=0)

    for place, name in enumerate(begun):
        ready = {other for other in begun[place:] if set(inputs[other]) <= set(begun[:place])}
        assert chain(name) == max(chain(other) for other in ready)


def test_a_value_is_let_go_once_nothing_reads_it() -> None:
    class Large:
        pass

    seen: list[ReferenceType[Large]] = []

    def small(large: Large) -> int:
        seen.append(ref(large))
        return 1

    entries = (
        Entry("large", Large),
        Entry("small", small),
        Entry("gone", lambda small: seen[0]() is None),
    )
    assert run(entries, {}, ("gone",)) == {"gone": True}
    seen.clear()
    assert run(entries, {}, ("gone", "large"))["gone"] is False


def test_what_cannot_be_computed_is_refused_before_anything_is() -> None:
    ran = []
    good = Entry("good", lambda: ran.append(1))
    with pytest.raises(GraphError, match="neither given nor computed: nowhere"):
        run((good, Entry("a", total("good", "nowhere"))), {}, ("a",))
    with pytest.raises(GraphError, match="declared twice: good"):
        run((good, good), {}, ("good",))
    with pytest.raises(CycleError):
        run((good, Entry("a", total("b", "good")), Entry("b", total("a"))), {}, ("a",))
    assert ran == []


def test_what_an_entry_raises_is_raised() -> None:
    def fail(a: int) -> int:
        raise ZeroDivisionError

    entries = (
        Entry("a", total()),
        Entry("b", fail),
        Entry("c", total("a")),
        Entry("d", total("b", "c")),
    )
    with pytest.raises(ZeroDivisionError):
        run(entries, {}, ("d",), workers=2)


def test_every_derived_table_is_an_entry_and_every_entry_serves_one() -> None:
    by_name = {entry.name: entry for entry in ENTRIES}
    served, open_names = set(), [*DERIVED, *COMPLETED]
    while open_names:
        name = open_names.pop()
        if name not in served and name not in GIVEN:
            served.add(name)
            assert name in by_name, f"add an Entry of the name {name!r} to analytics/graph.py"
            open_names += by_name[name].inputs
    assert served == by_name.keys()
    text = graph_text()
    assert all(f"{name} " in text for name in by_name)


def test_options_are_no_inputs_and_a_field_is_read_by_the_name_of_its_entry() -> None:
    def chosen(a: int, *, fewest: int = 3) -> complex:
        return complex(a, fewest)

    entries = (Entry("one", chosen), Entry("part", Field("one", "imag")))
    assert (entries[0].inputs, entries[1].inputs) == (("a",), ("one",))
    assert run(entries, {"a": 1}, ("one", "part")) == {"one": complex(1, 3), "part": 3.0}


def _made() -> dict[str, Any]:
    """The type of every value of the graph, as its function declares it."""
    made: dict[str, Any] = dict(GIVEN)
    for entry in ENTRIES:
        by = entry.function
        if isinstance(by, type):  # a class is made by calling it
            made[entry.name] = by
        else:
            made[entry.name] = (
                get_type_hints(made[by.entry_name])[by.name] if isinstance(by, Field) else get_type_hints(by)["return"]
            )
    return made


def _fits(made: object, read: object) -> bool:
    if made == read or made in get_args(read):
        return True
    origins = get_origin(made), get_origin(read)
    return None not in origins and issubclass(*origins) and get_args(made) == get_args(read)


def test_each_parameter_has_the_type_of_the_value_that_it_is_named_after() -> None:
    made = _made()
    wrong = [
        (entry.name, name, read, made[name])
        for entry in ENTRIES
        if not isinstance(entry.function, Field)
        for name, read in get_type_hints(entry.function).items()
        if name in entry.inputs and not _fits(made[name], read)
    ]
    assert wrong == []


def test_every_table_is_made_by_the_entry_that_it_is_declared_with() -> None:
    by_name = {entry.name: entry for entry in ENTRIES}
    for name in (*DERIVED, *COMPLETED):
        entry, _, field = TABLES[name].made_by.partition(".")
        function = by_name[name].function
        assert (function.entry_name, function.name) == (entry, field) if isinstance(function, Field) else entry == name


def test_each_random_generator_has_one_reader() -> None:
    draws = [name for entry in ENTRIES for name in entry.inputs if name.endswith("_rng")]
    assert sorted(draws) == sorted(name for name in GIVEN if name.endswith("_rng"))
