"""A reader without a browser sees the map over the socket, and what is sent again is little."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.support import asgi_client


def test_a_change_of_the_map_sends_what_changed_alone(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    protocol = import_module("perf.protocol")

    async def read() -> None:
        async with protocol.Reader(server) as reader:
            first = await reader.visit()
            changed = [await reader.pick("stage_box", *chosen) for chosen in ((0,), (0, 1), ())]
        assert first.wire < first.plain / 2  # packed
        assert first.wire < 300_000
        assert max(each.plain for each in changed) < first.plain - 1_000  # no menu
        async with protocol.Reader(server, "benchmark", benchmark="no-such") as reader:
            assert (await reader.visit()).plain < first.plain

    asgi_client.finished(read())
