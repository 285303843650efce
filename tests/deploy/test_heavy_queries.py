"""No question in SQL ends a replica of 2 GiB behind the shipped proxy, whatever its answer grows to."""

import asyncio
from pathlib import Path

import pytest

from tests.support import mixed_generation as mixed
from tests.support.growing_queries import GROWS
from tests.support.heavy_queries import LIMIT, ask_all
from tests.support.proxy import needs_nginx
from tests.support.soaking import Soak

pytestmark = needs_nginx


@pytest.mark.soak
def test_no_question_ends_a_replica(tmp_path: Path, soak: Soak) -> None:
    mixed.build(tmp_path / "home")
    seen = asyncio.run(ask_all(tmp_path / "home", tmp_path, 10, list(GROWS)))
    soak.say("\n".join(seen.lines()))
    assert seen.ended == []
    assert max(seen.most.values()) < LIMIT
    assert not any("no answer" in answer or ": 502" in answer or ": 5" in answer for answer in seen.answers)
