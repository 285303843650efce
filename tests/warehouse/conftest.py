"""The warehouse's tests run on both stores: on a file, and on a lake (whole in `make soak`, a cut of them here)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.warehouse.places.location import place
from tests.support.lakes.postgres import Cluster

ON_BOTH = ("test_store", "test_ledger", "test_load", "test_bundle", "test_publish", "test_previous", "test_issued")
"""The modules whose tests keep facts in the folder `tmp_path`."""
CUT = (
    "test_a_batch_is_stored_whole",
    "test_the_same_snapshot_twice_changes_nothing",
    "test_sources_are_replaced_by_key",
    "test_the_ledger_remembers_in_order",
    "test_runs_show_how_they_ended",
    "test_schemas_reach_the_database",
)
"""Of these the lake's side is in the plain suite too."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of a home on both stores, but for those that are marked as being about the file."""
    module = metafunc.module.__name__.rpartition(".")[2]
    about_the_file = metafunc.definition.get_closest_marker("about_the_file") is not None
    if "tmp_path" not in metafunc.fixturenames or module not in ON_BOTH or about_the_file:
        return
    marks = () if metafunc.function.__name__ in CUT else (pytest.mark.soak,)
    metafunc.parametrize("store", ["file", pytest.param("lake", marks=marks)], indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest) -> str:
    """Where the facts of the test's home lie."""
    return str(getattr(request, "param", "file"))


@pytest.fixture
def tmp_path(tmp_path: Path, store: str, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A home, its facts in a file of it or in a new lake."""
    if store == "lake":
        cluster: Cluster = request.getfixturevalue("cluster")
        place(tmp_path, cluster.lake(tmp_path / "lake"))
    yield tmp_path
    place(tmp_path, None)
