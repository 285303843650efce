from pathlib import Path

import pytest

from tests.support.changed import LISTED_IN, LISTS, ROOT, mirrors

TOP = ["tests/test_architecture.py"]
DEEPER = ("tests/warehouse/test_publish.py", "tests/analytics/twins/test_gap.py", "tests/analytics/test_one.py")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in (
        *TOP,
        "tests/warehouse/test_publish.py",
        "tests/analytics/twins/test_gap.py",
        "tests/analytics/test_one.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "tests/analytics/twins/payload").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("analytics/twins/twin.py", ["tests/analytics/twins/test_gap.py"]),
        ("analytics/graph.py", ["tests/analytics/test_one.py"]),
        ("analytics/churn/rank.py", ["tests/analytics/test_one.py"]),
        ("tests/analytics/twins/payload/a.json", ["tests/analytics/twins/test_gap.py"]),
        ("tests/warehouse/test_publish.py", ["tests/warehouse/test_publish.py"]),
        ("tests/warehouse/test_gone.py", ["tests/warehouse/test_publish.py"]),
        ("data/registry/alias.csv", []),
        ("pyproject.toml", []),
    ],
)
def test_a_file_brings_the_tests_that_mirror_it(repository: Path, changed: str, tests: list[str]) -> None:
    assert [str(path) for path in mirrors([Path(changed)], repository)] == sorted({*TOP, *tests})


def test_nothing_changed_leaves_what_holds_of_all_files() -> None:
    assert Path("tests/test_architecture.py") in mirrors([])
    assert all((ROOT / path).parent == ROOT / "tests" for path in mirrors([]))


@pytest.mark.parametrize("room", LISTED_IN)
def test_a_change_of_a_room_brings_the_tests_that_hold_lists(room: str) -> None:
    assert all((ROOT / path).exists() for path in LISTS)
    assert set(map(Path, LISTS)) <= set(mirrors([Path(room) / "nowhere" / "new.py"]))
    assert not set(map(Path, LISTS)) & set(mirrors([Path("pipeline/night.py")]))
