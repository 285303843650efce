"""Steps of a running best against the error of the two scores they lie between."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from benchhealth.analytics.goodhart.advances import BY_ITEM, CLUSTERED, small_advances
from benchhealth.analytics.record.by_item.clusters import clusters_of
from benchhealth.analytics.statistics.units.clustered_share import wilson
from tests.analytics.goodhart.measure_inputs import by_subject, inputs, inputs_of_facts, measure_rows
from tests.support.clustered_items import item_test
from tests.support.frames import benchmark, frames, result, with_items
from tests.support.reason_sentences import reason

SCORES = (0.50, 0.60, 0.605, 0.70, 0.704, 0.80)


def rows(name: str, **more: object) -> list[dict[str, object]]:
    return [
        result(name, f"m{index}", score, dated_on=date(2025, 1 + index, 1), std_error=0.01, **more)
        for index, score in enumerate(SCORES)
    ]


def test_a_step_counts_as_small_up_to_1_96_errors_of_the_difference() -> None:
    # Steps .10, .005, .095, .004, .096 against 1.96 * .01 * sqrt(2) = .0277: two of five.
    by_benchmark = by_subject(measure_rows(small_advances, inputs(rows("a"))))
    assert by_benchmark["a"].value == pytest.approx(0.4)
    assert (by_benchmark["a"].low, by_benchmark["a"].high) == pytest.approx(wilson(0.4, 5))
    assert by_benchmark["a"].n == 5
    assert by_benchmark["all"].value == pytest.approx(0.4)


def test_no_step_goes_across_a_breakpoint_and_none_without_an_error() -> None:
    broken = [{"board_id": "lab/a", "on_date": date(2025, 3, 1)}]
    rows_of = measure_rows(small_advances, inputs(rows("a"), breakpoints=broken))
    assert (rows_of[0].n, rows_of[0].value) == (4, pytest.approx(0.25))
    unknown = [{**row, "std_error": None} for row in rows("b")]
    rows_of = measure_rows(small_advances, inputs([*rows("a"), *unknown]))
    assert rows_of[0].n == 5
    assert reason(rows_of[0]) == "5 of 10 steps left out: an error is not known"
    assert measure_rows(small_advances, inputs(unknown))[0].status == "insufficient"


def test_parts_and_uncurated_benchmarks_do_not_count() -> None:
    listed = [benchmark("a"), benchmark("a/part"), benchmark("b", curated=False)]
    rows_of = measure_rows(small_advances, inputs([*rows("a"), *rows("a/part"), *rows("b")], listed))
    assert rows_of[0].n == 5
    assert measure_rows(small_advances, inputs([]))[0].status == "insufficient"


def test_years_are_compared_over_sources_that_report_in_all_of_them() -> None:
    def of(name: str, source: str, year: int) -> list[dict[str, object]]:
        scores = [score + (year - 2023) / 3 for score in (0.01, 0.1, 0.105, 0.2, 0.204, 0.3)]
        by = {"source_id": source, "board_id": f"{source}/{name}", "std_error": 0.01}
        return [
            result(name, f"{source}-{year}-{index}", score, dated_on=date(year, 1 + index, 1), **by)
            for index, score in enumerate(scores)
        ]

    pairs = zip("abc", "xyz", strict=True)
    always = [row for name, source in pairs for year in (2024, 2025) for row in of(name, source, year)]
    every = inputs([*always, *of("d", "lately", 2025)])
    by_year = {(row.subject_kind, row.year): row for row in measure_rows(small_advances, every)}
    assert by_year["all", 2024].n == 3 * 5
    assert by_year["all", 2025].n == 3 * 6, "not those of the source that does not report in 2024"
    assert by_year["all", None].n == 3 * 11 + 5, "over all years every source counts"


def test_steps_known_item_by_item_are_also_said_over_clusters() -> None:
    """A step of four items, all gained: beyond its paired error, within it alone, and over ten passages of which four
    hold one each; then a step of forty items that lie in one passage."""
    hits = [np.arange(400) < 200, np.arange(400) < 204, (np.arange(400) < 204) | (np.arange(400) >= 360)]
    scores = [float(one.mean()) for one in hits]
    listed = [
        result("a", f"m{index}", score, dated_on=date(2025, 1 + index, 1), n_items=400, source_row=f"m{index}")
        for index, score in enumerate(scores)
    ]
    facts = with_items(frames(listed), {f"m{index}": one.astype(float) for index, one in enumerate(hits)})
    plain = inputs_of_facts(facts)
    assert [row.measure for row in measure_rows(small_advances, plain)][:2] == ["small_advances", BY_ITEM]
    passages = np.arange(400) // 40
    clusters = clusters_of([item_test(facts, np.stack(hits), passages)])
    evidence = replace(plain.evidence, item_clusters=clusters)
    by_item, over = (
        measure_rows(small_advances, replace(plain, evidence=evidence), name)[0] for name in (BY_ITEM, CLUSTERED)
    )
    assert (by_item.n, by_item.value, by_item.numbers) == (2, pytest.approx(0.5), (1.0,))
    assert (over.n, over.value) == (2, pytest.approx(1.0))
    assert reason(over) == "of these 1 would be within error were no items shared"
