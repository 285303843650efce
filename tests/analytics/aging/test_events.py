"""What happened to a benchmark: each event by hand, of facts that a reader can check, and in the order of days."""

from datetime import date

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.aging import events
from benchhealth.analytics.aging.events import KINDS, life_events
from benchhealth.analytics.aging.stock import BEGUN, life_years, stage_stock
from benchhealth.analytics.record.frames import FAMILY, Frames
from benchhealth.analytics.record.tables import PUBLISHED
from tests.analytics.aging.test_lives import AS_OF, FIVE, RELEASE, on, result_at
from tests.support.frames import Row, benchmark, frames, result
from tests.support.histories import histories_of as history_of
from tests.support.soaking import examples

LEAK = {"benchmark_id": "exam", "kind": "contamination", "on_date": on(10), "source_url": "https://example.org/leak"}


def happened(rows: list[Row], incidents: list[Row] | None = None, newer: int = 15, **about: object) -> pl.DataFrame:
    exam = benchmark("exam", **{"released_on": RELEASE, **about})
    facts = frames([*FIVE, *rows], [exam, benchmark("newer", released_on=on(newer))])
    successor = pl.DataFrame(
        [{"benchmark_id": "exam", "successor_id": "newer", "why": "harder"}], schema=PUBLISHED["successor"]
    )
    made = history_of(facts, AS_OF)
    return life_events(
        made.evidence,
        made.evidence.frontier,
        made.verdict,
        made.history,
        pl.DataFrame(incidents or [], schema=PUBLISHED["incident"]),
        Frames(**{**vars(facts), "successor": successor}),
    ).filter(benchmark_id="exam")


def test_each_event_has_its_day_its_model_and_its_score() -> None:
    rows = happened([result_at("elm", 0.96, 20), result_at("yew", 0.5, 25)], [LEAK], floor=0.0, ceiling=1.0, human=0.9)
    days = dict(rows.select("kind", "on_day").iter_rows())
    assert days["released"] == RELEASE
    assert days["first_result"] == on(4)
    assert days["half"] == on(6), "0.5 is halfway from 0 to 1, and the third of the five has it"
    assert days["human_passed"] == days["saturated"] == days["last_best"] == on(20)
    assert days["contaminated"] == on(10)
    assert days["successor"] == on(15)
    assert days["last_result"] == on(25)
    best = rows.row(by_predicate=pl.col("kind") == "last_best", named=True)
    assert (best["model_id"], best["value"]) == ("elm", 0.96)
    assert best["snapshot_id"] and best["source_row"] and best["seen_on"]
    assert rows["on_day"].is_sorted()
    assert rows.schema == PUBLISHED["life_event"]


def test_what_is_not_known_is_left_out() -> None:
    kinds = set(happened([], floor=None, ceiling=None)["kind"])
    assert kinds == {"released", "first_result", "last_best", "last_result", "successor"}


def test_the_first_result_is_the_earliest_although_it_is_no_step_of_the_best() -> None:
    withdrawn = result("exam", "ash", 0.97, dated_on=on(3), observed_on=on(4), n_items=5_000)
    days = dict(happened([withdrawn], floor=0.0, ceiling=1.0).select("kind", "on_day").iter_rows())
    assert days["first_result"] == on(3) < days["half"]


def test_half_of_the_scale_is_reached_by_a_first_result_that_is_no_step() -> None:
    """A better result of the same month may be older than the first: then that is no step of the best."""
    of_the_month = result("exam", "fir", 0.75, dated_on=on(1), date_precision="month")
    rows = [result_at("ash", 0.7, 0.5), of_the_month, result_at("elm", 0.96, 20)]
    days = dict(happened(rows, floor=0.0, ceiling=1.0).select("kind", "on_day").iter_rows())
    assert days["half"] == days["first_result"] == on(0.5)


def test_what_came_out_before_is_no_successor() -> None:
    kinds = happened([], newer=-3)["kind"].to_list()
    assert "successor" not in kinds and "released" in kinds


@examples(4)
@given(st.lists(st.tuples(st.floats(0.3, 0.99), st.integers(10, 60)), max_size=6))
def test_events_are_of_known_kinds_once_each_and_halves_come_before_the_last_best(
    points: list[tuple[float, int]],
) -> None:
    rows = [result_at(f"x{index}", score, months) for index, (score, months) in enumerate(points)]
    made = happened(rows, floor=0.2, ceiling=1.0)
    assert set(made["kind"]) <= set(KINDS)
    assert made.select("kind", "other_id").is_duplicated().sum() == 0
    days = dict(made.select("kind", "on_day").iter_rows())
    assert days["first_result"] <= days.get("half", days["last_best"]) <= days["last_best"] <= days["last_result"]


def history(*rows: tuple[str, str, date, date | None]) -> pl.DataFrame:
    named = [
        {"benchmark_id": of, "stage": stage, "from_on": begin, "until_on": end, "basis": "by date"}
        for of, stage, begin, end in rows
    ]
    return pl.DataFrame(named, schema=PUBLISHED["verdict_history"])


def test_it_runs_out_since_the_stretch_that_goes_on() -> None:
    """As the verdict has it: a stretch that ended, as later models stood apart again, is none of its life."""
    spring, summer, autumn, winter = (date(2013, month, 1) for month in (3, 6, 9, 12))
    rows = history(
        *(("a", "compressing", spring, summer), ("a", "discriminating", summer, autumn)),
        *(("a", "compressing", autumn, winter), ("a", "saturated", winter, None)),
        *(("b", "compressing", spring, summer), ("b", "discriminating", summer, None)),
    )
    verdicts = pl.DataFrame([{"benchmark_id": "a", "stage": "saturated", "since": winter}], schema=PUBLISHED["verdict"])
    began = events._stages(verdicts, rows).select("benchmark_id", "kind", "on_day").rows()
    assert began == [("a", "saturated", winter), ("a", "running_out", autumn)]


def of_two() -> tuple[pl.DataFrame, pl.DataFrame, Frames]:
    curated = [{"benchmark_id": of, "curated": True, "released_on": date(2013, 1, 1)} for of in ("a", "b", "a/part")]
    source = pl.DataFrame([{"source_id": "lab", "known_until": date(2013, 6, 15)}], schema=PUBLISHED["source"])
    families = [{"benchmark_id": of, "family": "letters"} for of in ("a", "b")]
    facts = Frames(**{**vars(frames([])), "family": pl.DataFrame(families, schema=FAMILY)})
    return pl.DataFrame(curated, schema=PUBLISHED["benchmark"]), source, facts


def test_the_stock_counts_each_benchmark_once_at_each_months_end() -> None:
    benchmarks, source, facts = of_two()
    rows = stage_stock(
        history(
            ("a", "emerging", date(2013, 1, 5), date(2013, 3, 31)),
            ("a", "discriminating", date(2013, 3, 31), None),
            ("b", "emerging", date(2013, 2, 1), None),
            ("a/part", "emerging", date(2013, 1, 1), None),
            ("wild", "emerging", date(2013, 1, 1), None),
        ),
        benchmarks,
        source,
        facts,
    )
    by_month = {(day, stage): (n, families) for day, stage, n, families in rows.iter_rows()}
    assert by_month == {
        (date(2013, 1, 31), "emerging"): (1, 1),
        (date(2013, 2, 28), "emerging"): (2, 1),
        (date(2013, 3, 31), "discriminating"): (1, 1),
        (date(2013, 3, 31), "emerging"): (1, 1),
        (date(2013, 4, 30), "discriminating"): (1, 1),
        (date(2013, 4, 30), "emerging"): (1, 1),
        (date(2013, 5, 31), "discriminating"): (1, 1),
        (date(2013, 5, 31), "emerging"): (1, 1),
        (date(2013, 6, 15), "discriminating"): (1, 1),
        (date(2013, 6, 15), "emerging"): (1, 1),
    }
    assert rows["month_on"].min() > BEGUN


def lives(families: dict[str, str]) -> pl.DataFrame:
    ended = {"died": True, "exit_on": date(2015, 6, 1)}
    return pl.DataFrame(
        [
            {"benchmark_id": of, "family": family, "exit": 10.0 * index, **ended}
            for index, (of, family) in enumerate(families.items())
        ]
    )


def test_ages_at_the_end_are_medians_over_families_with_the_interval_of_order_statistics() -> None:
    ids = [f"b{index}" for index in range(9)]
    curated = pl.DataFrame(
        [{"benchmark_id": of, "curated": True, "released_on": date(2013, 1, 1)} for of in ids],
        schema=PUBLISHED["benchmark"],
    )
    _, source, _ = of_two()
    row = life_years(lives({of: of for of in ids}), curated, source).row(
        by_predicate=pl.col("year") == 2015, named=True
    )
    # Of nine values the 95% interval of the median is from the second to the eighth (David & Nagaraja 2003, 7.1)
    assert (row["saturated"], row["families"], row["age"]) == (9, 9, 40.0)
    assert (row["age_low"], row["age_high"]) == (10.0, 70.0)
    two = {of: "one" if index < 8 else of for index, of in enumerate(ids)}
    row = life_years(lives(two), curated, source).row(by_predicate=pl.col("year") == 2015, named=True)
    assert (row["families"], row["age"], row["age_low"]) == (2, 57.5, None)
