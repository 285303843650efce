"""The words of who measures: what became of best scores, and how houses are called."""

from datetime import date

import polars as pl

from benchhealth.analytics.corroboration.classes import CLAIMED, CONFIRMED, MEASURED, QUOTED
from benchhealth.dashboard.words.measurers.houses import NOBODY_NAMED, house_name
from benchhealth.dashboard.words.measurers.records import sentence

UNTIL = date(2026, 8, 22)


def _said(*classes: str, reporter: str = "self") -> str:
    rows = [{"benchmark_id": f"b{at // 2}", "class": one, "reporter": reporter} for at, one in enumerate(classes)]
    return sentence(pl.DataFrame(rows, schema=dict.fromkeys(("benchmark_id", "class", "reporter"), pl.String)), UNTIL)


def test_best_scores_are_counted_by_what_became_of_them() -> None:
    assert _said(MEASURED, CONFIRMED, CLAIMED, CLAIMED) == (
        "It set the best score of its day 4 times, on 2 curated benchmarks: others measured 1, its maker reports 3. "
        "Of these 1 confirmed by an independent party and 2 reported by the maker alone; data to Aug 2026 at the "
        "latest."
    )
    assert "its maker reports all of them. Of these none was confirmed yet: 2" in _said(CLAIMED, CLAIMED)
    assert "twice, on 1 curated benchmark, as others measured; data to" in _said(MEASURED, MEASURED)
    assert _said() == ""
    passed_on = _said(MEASURED, QUOTED, reporter="third_party")
    assert "others measured 1; 1 only stand in a list of others' numbers; data to" in passed_on


def test_a_house_is_called_as_its_source_or_by_its_own_name() -> None:
    titles = {"epoch": "Epoch AI, benchmark data"}
    assert [house_name(one, titles) for one in ("epoch", "aider", "hle-board", "strange", "", None)] == [
        "Epoch AI",
        "Aider",
        "Humanity's Last Exam, its own board",
        "strange",
        NOBODY_NAMED,
        NOBODY_NAMED,
    ]
