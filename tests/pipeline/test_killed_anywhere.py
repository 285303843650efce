"""Five hundred kills of nights, those over a file here: nothing is lost or doubled, and nobody notices."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.killing import (
    KILLS,
    OWN,
    POINTS,
    SOURCES,
    Calm,
    calm_nights,
    check_kills,
    check_two_kills_of_a_night,
    check_whole,
    killed,
    succeed,
    timeless,
)
from tests.support.lakes.homes import Files
from tests.support.night_process import AFTER, Job, Kill, Point
from tests.support.replay import SERVE, facts, unlike
from tests.support.soaking import Soak

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calm]:
    with calm_nights(tmp_path_factory.mktemp("nights"), Files()) as nights:
        yield nights


@pytest.mark.soak
@pytest.mark.parametrize("phase", KILLS["file"])
def test_kills_lose_nothing_double_nothing_and_disturb_nobody(
    phase: str, calm: Calm, tmp_path: Path, soak: Soak
) -> None:
    check_kills(KILLS["file"][phase], phase, calm, tmp_path, soak)


@pytest.mark.soak
def test_a_night_killed_as_it_writes_and_as_it_publishes_is_finished_by_the_next(
    calm: Calm, tmp_path: Path, soak: Soak
) -> None:
    check_two_kills_of_a_night(calm, tmp_path, soak)


@pytest.mark.soak
def test_an_import_killed_as_it_writes_is_finished_by_the_next(
    tmp_path: Path, soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut of it, whatever script runs here: Streamlit's tests leave a page in its place."""
    page, own_file = tmp_path / "page.py", tmp_path / "own.csv"
    page.write_text("raise SystemExit(9)")
    own_file.write_text(OWN)
    script = ModuleType("__main__")
    script.__file__ = str(page)
    monkeypatch.setitem(sys.modules, "__main__", script)
    calm, job = (Job(tmp_path / name, "import", SOURCES, path=own_file) for name in ("calm", "home"))
    succeed(calm)
    reference = timeless(facts(calm.home))
    assert killed(
        replace(job, kill=Kill(Point("import", "benchhealth.warehouse.store:append", AFTER), 3, 0)), soak.random
    )
    assert check_whole(timeless(facts(job.home)), reference) == 0
    succeed(job)
    assert not unlike(timeless(facts(job.home)), reference)


def test_all_phases_are_killed_five_hundred_times() -> None:
    assert sum(sum(phases.values()) for phases in KILLS.values()) == 500
    assert {point.phase for point in POINTS} | {"any"} == set(KILLS["lake"]) == {"lease", *KILLS["file"]}
