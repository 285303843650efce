"""What is said of pairs measured twice: with their number, population and day, and no share of few families."""

from datetime import datetime
from typing import Any

import pytest

from benchhealth.dashboard.words.measurers import reruns


def row(**of: object) -> dict[str, Any]:
    counts = {"pairs": 1_234, "same": 1_179, "turned": 54, "contradicted": 30, "benchmarks": 9, "families": 9}
    share = {"share": 0.9554, "low": 0.9201, "high": 0.9755}
    return {"kind": "makers", "apart": True, **counts, **share, "seen_until": datetime(2026, 8, 19), **of}


FEW = row(kind="others", pairs=20, same=20, turned=0, contradicted=0, families=3, share=None, low=None, high=None)


def test_the_title_is_of_so_many_pairs_and_the_subtitle_says_which_and_until_when() -> None:
    assert reruns.title(row()) == (
        "Of 1,234 pairs that differ beyond error in makers’ numbers, others put 96% in the same order"
    )
    within = row(apart=False, pairs=302, same=220, turned=81, share=0.7285, low=0.667, high=0.7823)
    subtitle = reruns.subtitle([FEW, row(), within])
    assert subtitle.startswith("Makers’ own numbers against those of a house that made none of the models")
    assert "1,179 of 1,234 in the same order, 96% (92 to 98%); 54 in the other, 30 of these" in subtitle
    assert "Of those within error: 220 of 302 in the same order, 73% (67 to 78%)" in subtitle
    assert subtitle.endswith("until 19 Aug 2026.")


@pytest.mark.parametrize(("of", "expected"), [(row(), "96% (92 to 98%)"), (FEW, "no share is given of fewer than 5")])
def test_each_row_says_its_share_or_why_there_is_none(of: dict[str, Any], expected: str) -> None:
    assert expected in reruns.of_row(of)
