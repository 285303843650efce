"""Turns: one at a time, no reader before another because he asks more, and nobody waits for ever."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from benchhealth.dashboard.guard.turns import Busy, Turns
from tests.support import asgi_client


async def _line(turns: Turns, *readers: str) -> list[str]:
    """In which order they had their turns, who came while somebody else had his."""
    order: list[str] = []

    async def one(reader: str) -> None:
        async with turns.turn_async(reader):
            order.append(reader)

    async with turns.turn_async("somebody"):
        waiting = []
        for reader in readers:
            waiting.append(asyncio.create_task(one(reader)))
            await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return order


def test_who_asks_much_waits_for_himself_alone() -> None:
    turns = Turns(most=8, per_reader=4, seconds=60)
    assert asgi_client.finished(_line(turns, "a", "a", "a", "b", "c", "b")) == ["a", "b", "c", "a", "b", "a"]
    assert asgi_client.finished(_line(turns, "a", "b", "new")) == ["new", "b", "a"]


def test_those_who_come_once_are_served_as_they_came() -> None:
    assert asgi_client.finished(_line(Turns(most=8, per_reader=4, seconds=60), *"fbdace")) == list("fbdace")


def test_the_line_has_an_end_and_none_of_it_is_one_reader_s() -> None:
    async def crowd(turns: Turns, *readers: str) -> list[BaseException | None]:
        async def one(reader: str) -> None:
            async with turns.turn_async(reader):
                pass

        async with turns.turn_async("somebody"):
            waiting = [asyncio.create_task(one(reader)) for reader in readers]
            await asyncio.sleep(0)
        return await asyncio.gather(*waiting, return_exceptions=True)  # type: ignore[return-value]

    outcomes = asgi_client.finished(crowd(Turns(most=4, per_reader=2, seconds=60), *"aaabbcd"))
    assert [isinstance(error, Busy) for error in outcomes] == [False, False, True, False, False, True, True]


def test_who_waited_long_enough_is_told_and_the_line_goes_on() -> None:
    turns = Turns(most=4, per_reader=2, seconds=0.02)

    async def waits() -> None:
        async with turns.turn_async("a"):
            with pytest.raises(Busy):
                async with turns.turn_async("b"):
                    raise AssertionError
        async with turns.turn_async("b"):
            pass

    asgi_client.finished(waits())
    with turns.turn("a"), pytest.raises(Busy), turns.turn("b"):
        raise AssertionError
    with turns.turn("b"):
        pass


def test_a_failure_within_a_turn_is_its_own_and_gives_it_back() -> None:
    turns = Turns(most=4, per_reader=2, seconds=60)
    for _ in range(2):
        with pytest.raises(TimeoutError, match="own"), turns.turn("a"):
            raise TimeoutError("its own")


def test_who_goes_away_while_he_waits_holds_nobody_up() -> None:
    async def leaves(turns: Turns) -> None:
        async def one() -> None:
            async with turns.turn_async("b"):
                raise AssertionError

        async with turns.turn_async("a"):
            waiting = asyncio.create_task(one())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with turns.turn_async("c"):
            pass

    asgi_client.finished(leaves(Turns(most=1, per_reader=1, seconds=60)))


def test_threads_and_a_loop_share_one_line() -> None:
    turns, begun, end = Turns(most=4, per_reader=2, seconds=60), Event(), Event()
    order: list[str] = []

    def page() -> None:
        with turns.turn("page"):
            begun.set()
            end.wait(60)
            order.append("page")

    async def address() -> None:
        async def ends() -> None:
            end.set()

        async def asks() -> None:
            async with turns.turn_async("address"):
                order.append("address")

        await asyncio.gather(asks(), ends())

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(page)
        assert begun.wait(60)
        asgi_client.finished(address())
        done.result()
    assert order == ["page", "address"]
