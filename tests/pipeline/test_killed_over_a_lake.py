"""Kills of nights whose facts lie in a lake: as over a file, and the lease of the dead passes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.killing import KILLS, Calm, calm_nights, check_kills, check_two_kills_of_a_night
from tests.support.lakes.homes import Lakes
from tests.support.lakes.postgres import Cluster
from tests.support.replay import SERVE
from tests.support.soaking import Soak

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout"),
]


@pytest.fixture(scope="module")
def calm(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calm]:
    lakes = Lakes(cluster, tmp_path_factory.mktemp("lakes"))
    with calm_nights(tmp_path_factory.mktemp("nights"), lakes) as nights:
        yield nights
    lakes.forget()


@pytest.mark.parametrize("phase", KILLS["lake"])
def test_kills_lose_nothing_double_nothing_and_disturb_nobody(
    phase: str, calm: Calm, tmp_path: Path, soak: Soak
) -> None:
    check_kills(KILLS["lake"][phase], phase, calm, tmp_path, soak)


def test_a_night_killed_as_it_writes_and_as_it_publishes_is_finished_by_the_next(
    calm: Calm, tmp_path: Path, soak: Soak
) -> None:
    check_two_kills_of_a_night(calm, tmp_path, soak)
