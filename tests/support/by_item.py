"""Runs item by item as files may say them, and what is held of them, by name."""

from collections.abc import Sequence

from hypothesis import strategies as st

from benchhealth.analytics.record.by_item.item_results import ItemTest
from benchhealth.analytics.record.by_item.packing import OPTION_BITS, NamedRun

CellsOfItems = dict[str, tuple[float, bool, int]]
"""Outcome, whether it was answered, and the hash of what was chosen, by item; items without a name left out."""

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
OUTCOMES = st.sampled_from([0.0, 1.0]) | st.integers(0, 10).map(lambda n: n / 10) | st.floats(0, 1)


@st.composite
def runs_of_a_file(draw: st.DrawFn) -> list[NamedRun]:
    """Runs of one test: of some all items are named, of some those solved, of some answers are missing."""
    items = draw(st.lists(NAMES, min_size=1, max_size=12, unique=True))
    of_item = {item: draw(st.sampled_from(["law", "art", ""])) for item in items}
    has_clusters, has_options = draw(st.booleans()), draw(st.booleans())
    hashes = st.integers(0, 2**OPTION_BITS - 1) | st.sampled_from([0, 5, 9])
    runs = []
    for number in range(draw(st.integers(1, 5))):
        ordered = draw(st.permutations(items))
        cut = draw(st.integers(0, len(items)))
        missing = ordered[cut:] if draw(st.booleans()) else []
        named = ordered[: cut if missing else draw(st.sampled_from([cut, len(items)]))]
        runs.append(
            NamedRun(
                source_row=f"run {number}",
                benchmark_id="squad-2.0",
                n_items=len(items),
                items=named,
                outcomes=[draw(OUTCOMES) for _ in named],
                clusters=[of_item[item] for item in named] if has_clusters else (),
                chosen=[draw(hashes) for _ in named] if has_options else (),
                missing=missing,
            )
        )
    return runs


def cells_of_run(run: NamedRun) -> CellsOfItems:
    """What a run says of each item that it names."""
    chosen = run.chosen or [0] * len(run.items)
    named = {
        item: (outcome, True, option) for item, outcome, option in zip(run.items, run.outcomes, chosen, strict=True)
    }
    return named | dict.fromkeys(run.missing, (0.0, False, 0))


def cells_of_test(test: ItemTest) -> dict[str, CellsOfItems]:
    """What a test holds of each run, by its row."""
    chosen = [[0] * len(test.items)] * test.runs.height if test.chosen is None else test.chosen.tolist()
    cells = zip(test.outcomes.tolist(), test.answered.tolist(), chosen, strict=True)
    return {
        row: {item: cell for item, cell in zip(test.items, zip(*each, strict=True), strict=True) if item}
        for row, each in zip(test.runs["source_row"], cells, strict=True)
    }


def assert_the_same(runs: Sequence[NamedRun], tests: Sequence[ItemTest]) -> None:
    """Assert that the tests hold what the runs say, cell by cell; what no run names was not solved."""
    cells = {row: of_run for test in tests for row, of_run in cells_of_test(test).items()}
    assert cells.keys() == {run.source_row for run in runs}
    for run in runs:
        expected = cells_of_run(run)
        for item, cell in cells[run.source_row].items():
            assert cell == expected.get(item, (0.0, True, 0))
        assert expected.keys() <= cells[run.source_row].keys()
    of_item = {item: cluster for run in runs for item, cluster in zip(run.items, run.clusters, strict=False) if cluster}
    for test in tests:
        places = [-1] * len(test.items) if test.cluster is None else test.cluster.tolist()
        named = {item: test.clusters[place] for item, place in zip(test.items, places, strict=True) if place >= 0}
        assert named == of_item
