from datetime import date

import polars as pl
import pytest

from dashboard.pages.overview.figures import sparkline, stages


def test_sparklines_carry_the_running_best_at_equal_distances() -> None:
    frontier = pl.DataFrame(
        {
            "benchmark_id": ["exam"] * 3,
            "dated_on": [date(2020, 1, 1), date(2020, 1, 31), date(2021, 1, 30)],
            "score": [0.5, 0.9, 0.9],
            "carried": [False, False, True],
        }
    )
    line = sparkline.sparklines(frontier, width=4).row(0, named=True)["frontier"]
    assert line == pytest.approx([0.5, 0.9, 0.9, 0.9])
    assert sparkline.sparklines(frontier.clear()).is_empty()


def test_the_stages_sentence_counts_evidence_and_the_unknown_apart() -> None:
    rows = staged(("discriminating", ["gap"]), ("discriminating", []), ("saturated", ["stale"]), *[("unknown", [])] * 3)
    counts = stages.stage_counts(rows)
    assert counts["benchmarks"].sum() == rows.height
    assert stages.finding(counts, date(2025, 1, 3)) == (
        "2 of 2 benchmarks with evidence looked at since 2024-07-03 are alive; 3 are unknown and 1 was not looked at "
        "since"
    )
    assert "No benchmark here" in stages.finding(stages.stage_counts(rows.clear()), None)


def test_what_nobody_reports_is_not_called_alive() -> None:
    """A verdict from results of long ago says nothing about now: dormant is distinct from what is still reported."""
    rows = staged(("discriminating", ["dormant", "gap"]), ("discriminating", ["stale"]), ("compressing", []))
    counts = stages.stage_counts(rows)
    assert stages.alive(rows).is_empty()
    assert stages.finding(counts, date(2025, 1, 3)) == (
        "None of 2 benchmarks with evidence looked at since 2024-07-03 are alive; 1 discriminates but is dormant, 1 is "
        "compressing and 1 was not looked at since"
    )
    assert "discriminating 1, 1 of them dormant" in stages.alt_text(counts)
    assert counts["stage"].to_list()[-1] == stages.UNSEEN
    drawn = stages.figure(counts)
    assert [sum(bar.x) for bar in drawn.data[:2]] == [2, 1]


def staged(*rows: tuple[str, list[str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"stage": pl.String, "flags": pl.List(pl.String)}, orient="row")


def test_the_chart_of_stages_has_an_alternative_in_words() -> None:
    assert "unknown 1" in stages.alt_text(stages.stage_counts(staged(("unknown", []))))
