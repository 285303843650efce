"""What was asked for last is kept as long as it has room."""

import threading

import polars as pl
import pytest

from benchhealth.dashboard.published.generation import Recent, weight


def test_what_is_kept_is_built_once_and_the_oldest_goes_first() -> None:
    recent, built = Recent(room=2_500, largest=2_000), []

    def get(key: str) -> str:
        return recent.get(key, lambda: built.append(key) or key.ljust(1_000))

    for key in ("a", "b", "a", "c", "a", "b"):
        assert get(key).strip() == key
    assert built == ["a", "b", "c", "b"]  # c drove out b, which was asked for longer ago than a


def test_what_is_too_large_is_not_kept() -> None:
    recent, built = Recent(room=10_000, largest=2_000), []
    for _ in range(2):
        recent.get("long", lambda: built.append(1) or "x" * 3_000)
    assert len(built) == 2


def test_a_failure_is_not_kept() -> None:
    recent = Recent()
    with pytest.raises(ZeroDivisionError):
        recent.get("key", lambda: 1 // 0)
    assert recent.get("key", lambda: 1) == 1


def test_one_thing_is_built_while_another_is_read() -> None:
    recent, begun, go_on = Recent(), threading.Event(), threading.Event()
    recent.get("ready", lambda: 1)

    def slowly() -> int:
        begun.set()
        assert go_on.wait(10)
        return 2

    slow = threading.Thread(target=recent.get, args=("slow", slowly))
    slow.start()
    assert begun.wait(10)
    assert recent.get("ready", lambda: 0) == 1
    go_on.set()
    slow.join()
    assert recent.get("slow", lambda: 0) == 2


def test_weight_is_that_of_the_columns() -> None:
    small, large = (pl.DataFrame({"number": range(rows)}) for rows in (10, 10_000))
    assert weight(large) > weight(small) + 50_000
    assert weight([large, small]) > weight(large)
