"""After damage and `restore` the next night goes on as if nothing had been: against the real upstream files."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from benchhealth.ingest.network import raw
from benchhealth.warehouse.store import fact_table
from tests.pipeline.conftest import SERVE
from tests.pipeline.keeping.conftest import Command
from tests.support.breakage import DAMAGES, Damage
from tests.support.replay import evening, facts, pull, unlike

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout"),
]

KEYS = ("aider", "evalplus", "swe-bench")
BEFORE, AFTER = date(2024, 8, 31), date(2024, 9, 30)
HIT = [damage for damage in DAMAGES if damage.part in ("facts", "body")]
"""Without a generation: what a night reads is facts and bodies."""


def bodies(home: Path) -> set[str]:
    return {path.name for path in (home / raw.FOLDER).glob("*/*.gz")}


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home after one night, and one after the next too, never damaged."""
    one, two = tmp_path_factory.mktemp("night") / "one", tmp_path_factory.mktemp("night") / "two"
    pull(one, KEYS, *evening(BEFORE))
    shutil.copytree(one, two)
    pull(two, KEYS, *evening(AFTER))
    assert fact_table(two, "snapshot").height > fact_table(one, "snapshot").height
    return one, two


@pytest.mark.parametrize("damage", HIT, ids=lambda damage: damage.name)
def test_the_night_after_a_restore_equals_one_of_a_home_that_was_never_damaged(
    damage: Damage, nights: tuple[Path, Path], tmp_path: Path, command: Command
) -> None:
    one, two = nights
    home = tmp_path / "home"
    shutil.copytree(one, home)
    assert command(home, "backup", "--to", tmp_path / "b.tar") == (0, "")
    damage.apply(home)
    assert command(home, "restore", "--replace", "--from", tmp_path / "b.tar") == (0, "")
    pull(home, KEYS, *evening(AFTER))
    assert not unlike(facts(home), facts(two))
    assert bodies(home) == bodies(two)
