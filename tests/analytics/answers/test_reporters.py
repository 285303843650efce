"""What the last documents of makers say."""

from datetime import date
from typing import Any

from tests.support.answers import answer
from tests.support.frames import benchmark, frames


def mention(of: str, maker: str, on: date) -> dict[str, Any]:
    return {
        "benchmark_id": of,
        "organisation": maker,
        "document": f"{maker} {on}",
        "mentioned_on": on,
        "source_id": "s",
    }


def reporters(*mentions: dict[str, Any], of: str = "a") -> dict[str, Any]:
    return answer(frames([], [benchmark("a"), benchmark("b"), benchmark("c")], mentions=mentions), "reporters", of)


EARLY, LATE = date(2025, 3, 1), date(2025, 9, 1)


def test_the_last_document_read_of_each_maker_counts() -> None:
    mentions = [mention("a", "X", EARLY), mention("b", "X", LATE), mention("a", "Y", LATE), mention("b", "Z", EARLY)]
    row = reporters(*mentions)
    assert (row["reply"], row["case"], row["count"], row["n"], row["second"]) == ("yes", "shown", 1, 3, 2)
    assert (row["said_by"], row["on_day"], row["known_until"]) == ("Y", LATE, LATE)
    assert row["evidence"] == [f"mention/Y {LATE}"]


def test_shown_earlier_and_never_shown_are_no_with_how_many_were_read() -> None:
    mentions = [mention("a", "X", EARLY), mention("b", "X", LATE)]
    earlier = reporters(*mentions)
    assert (earlier["reply"], earlier["case"], earlier["count"], earlier["on_day"]) == ("no", "shown_earlier", 0, EARLY)
    never = reporters(*mentions, of="c")
    assert (never["reply"], never["case"], never["count"], never["n"]) == ("no", "never_shown", 0, 1)


def test_makers_that_report_it_elsewhere_report_it() -> None:
    """FrontierMath: no system card that was read shows it, and OpenAI's 89% stands in a list of makers' reports."""
    facts = frames([], [benchmark("a"), benchmark("b")], mentions=[mention("b", "X", LATE)])
    claim = {"benchmark_id": "a", "reporter": "self", "carried": True, "score": 0.89, "dated_on": date(2025, 7, 9)}
    row = answer(facts, "reporters", reporter_frontier=[claim])
    assert (row["reply"], row["case"], row["count"]) == ("yes", "reported_elsewhere", 0)
    assert row["on_day"] == claim["dated_on"]
    long_ago = {**claim, "dated_on": date(2024, 7, 9)}
    assert answer(facts, "reporters", reporter_frontier=[long_ago])["case"] == "never_shown"


def test_without_documents_nobody_looked_and_what_comes_after_the_day_is_not_known() -> None:
    assert reporters()["case"] == "no_documents"
    assert reporters(mention("a", "X", date(2026, 6, 1)))["case"] == "no_documents"
