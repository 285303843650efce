"""Every answer about every curated benchmark of the bundled facts: the same in Python, by address and from tools."""

import json
from pathlib import Path

import pytest
from mcp.client.client import Client

import benchhealth as bh
from benchhealth.api.agents import server
from benchhealth.dashboard.words.answers.sentences import TITLES
from tests.api.conftest import serve
from tests.pipeline.conftest import bundled_home
from tests.support.asgi_client import finished
from tests.support.soaking import Soak

__all__ = ["bundled_home"]


@pytest.mark.soak
def test_every_answer_is_the_same_through_every_door(bundled_home: Path, address: str, soak: Soak) -> None:
    serve(bundled_home)
    here, there = bh.open(bundled_home, address=address), bh.open(address)
    pairs = [(one, question) for one in here.benchmarks()["benchmark_id"] for question in TITLES]

    async def by_tools() -> list[object]:
        async with Client(server.server(here)) as client:
            replies = []
            for one, question in pairs:
                result = await client.call_tool("answer", {"benchmark": one, "question": question})
                replies.append(result.structured_content)
            return replies

    differing = [
        (one, question)
        for (one, question), answer in zip(pairs, finished(by_tools()), strict=True)
        if not here.answer(one, question).as_dict()
        == there.answer(one, question).as_dict()
        == json.loads(json.dumps(answer))
    ]
    soak.say(f"answers: {len(pairs):,} of {here.benchmarks().height} benchmarks, {len(differing)} differ between doors")
    assert len(pairs) > 1_500
    assert differing == []
