"""The same facts and the same day give the same tables, to the last bit, whatever else is different."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.digest import AS_OF, digests, shuffled, world
from tests.support.soaking import examples

ROOT = Path(__file__).resolve().parents[2]


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(2, 4))
@settings(examples(1, soak=20), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_the_order_of_rows_and_the_number_of_threads_do_not_show(seed: int, shuffle: int, workers: int) -> None:
    facts = world(seed, models=12)
    assert digests(shuffled(facts, shuffle), AS_OF, workers) == digests(facts, AS_OF, 1)


def assessed(threads: int, *asked: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.digest", *asked],
        cwd=ROOT,
        env={**os.environ, "POLARS_MAX_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    digest_of: dict[str, str] = json.loads(done.stdout)
    return digest_of


@pytest.mark.soak  # the number of threads is varied above
def test_the_number_of_processors_does_not_show() -> None:
    assert assessed(1, "5", "0", "1") == assessed(5, "5", "9", "3")
