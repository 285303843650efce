"""The notebooks of the documentation run from the first cell to the last, as a reader would run them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import benchhealth as bh
from tests.pipeline.conftest import bundled_home
from tests.support.notebooks import NOTEBOOKS, named

__all__ = ["bundled_home"]
NEEDS_NO_FACTS = "2-your-leaderboard"
ROOT = NOTEBOOKS.parents[1]


def run(to: Path, home: Path, *names: str) -> dict[str, str]:
    """The pages that the notebooks become."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.notebooks", str(to), *names],
        cwd=ROOT,
        env={**os.environ, "BENCHHEALTH_HOME": str(home), "IPYTHONDIR": str(to), "JUPYTER_RUNTIME_DIR": str(to)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return {page.stem: page.read_text() for page in to.glob("*.md")}


def test_a_notebook_runs_without_any_facts(tmp_path: Path) -> None:
    (page,) = run(tmp_path, tmp_path / "nothing", NEEDS_NO_FACTS).values()
    assert "share first place" in page and "Warning" not in page


@pytest.mark.soak
def test_all_notebooks_run_over_the_bundled_facts(bundled_home: Path, tmp_path: Path) -> None:
    pages = run(tmp_path, bundled_home)
    assert sorted(pages) == named() and len(pages) == 5
    assert not [name for name, page in pages.items() if "Warning" in page or "Traceback" in page]
    assert bh.open(bundled_home).answer("gpqa-diamond", "order").text in pages["1-five-minutes"]
    assert "A figure: " in pages["1-five-minutes"]


@pytest.mark.soak
def test_the_first_five_minutes_run(bundled_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(bundled_home))
    blocks = re.findall(r"```python\n(.*?)```", (NOTEBOOKS.parent / "index.md").read_text(), re.DOTALL)
    there: dict[str, object] = {"frame": pl.DataFrame({"model": ["a", "b"], "i1": [1, 0], "i2": [1, 1]})}
    for block in blocks:
        exec(block, there)
    assert len(blocks) == 3 and {"facts", "reply", "card"} <= set(there)


def test_the_reference_has_every_public_name() -> None:
    documented = re.findall(r"^::: benchhealth\.(\w+)$", (NOTEBOOKS.parent / "reference.md").read_text(), re.MULTILINE)
    assert sorted(documented) == bh.__all__


def test_notebooks_are_stored_as_they_were_written() -> None:
    """What cells print depends on the facts: it is made with the documentation, and not kept."""
    for name in named():
        cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text())["cells"]
        assert cells[0]["source"][0].startswith("# ")
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if "outputs" in cell)
