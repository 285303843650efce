"""The same facts give the same generation, whichever command made it and on however many processors."""

import shutil
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.read import open_current
from tests.analytics.test_same_tables import assessed
from tests.pipeline.conftest import benchhealth

OF_THE_RUN = {"run"}
DRAWN = ("stage_probability", "churn", "capability", "twin_power", "declared_leakage", "static_dynamic", "item_test")
"""Tables with numbers that random draws decide, and no day of the assessment."""


def published(home: Path) -> dict[str, set[str]]:
    generation = open_current(home)
    try:
        return {name: rows(generation.table(name)) for name in PUBLISHED if name not in OF_THE_RUN}
    finally:
        generation.close()


def as_of(home: Path) -> date:
    """The day of the generation: a first one is of the newest look at its facts."""
    with closing(open_current(home)) as generation:
        (day,) = generation.table("verdict")["as_of"].unique()
    assert isinstance(day, date)
    return day


def rows(table: pl.DataFrame) -> set[str]:
    return {repr(row) for row in table.iter_rows()}


@pytest.mark.soak
def test_init_and_assess_make_the_same_generation(small_home: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(small_home, home, symlinks=True)
    made = published(home)
    assert benchhealth(home, "assess", "--as-of", str(as_of(home))).returncode == 0
    assert published(home) == made


@pytest.mark.soak
def test_nothing_that_is_drawn_moves_on_a_day_that_brings_nothing(small_home: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(small_home, home, symlinks=True)
    made = published(home)
    assert benchhealth(home, "assess", "--as-of", str(as_of(home) + timedelta(days=1))).returncode == 0
    later = published(home)
    assert made["verdict"] != later["verdict"]  # `as_of` at least
    assert {name: later[name] for name in DRAWN} == {name: made[name] for name in DRAWN}
    assert all(made[name] for name in ("stage_probability", "churn", "capability"))


@pytest.mark.soak
def test_the_bundled_facts_in_another_order_on_other_processors(bundled_home: Path) -> None:
    asked = ("--home", str(bundled_home), "--as-of", "2026-11-22")
    one = assessed(1, "0", "0", "1", *asked)
    assert assessed(2, "0", "7", "2", *asked) == one
    assert assessed(5, "0", "8", "3", *asked) == one
