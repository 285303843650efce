"""Two generations compared: each kind of change, what is none, and what is carried over."""

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.change.changes import KINDS, changes
from benchhealth.analytics.change.previous import COMPARED, NO_PREVIOUS, Previous
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.reason_sentences import with_sentence

BEFORE, TODAY = date(2026, 1, 1), date(2026, 1, 10)
Rows = list[dict[str, Any]]


def tables(**rows: Rows) -> dict[str, pl.DataFrame]:
    return {name: pl.DataFrame(rows.get(name, []), schema=PUBLISHED[name]) for name in (*COMPARED, "change")}


def waiting(tables_of: dict[str, pl.DataFrame]) -> dict[str, pl.LazyFrame]:
    return {name: rows.lazy() for name, rows in tables_of.items()}


def made(before: dict[str, pl.DataFrame], after: dict[str, pl.DataFrame]) -> Rows:
    changed = changes(Previous("gen-1", waiting(before)), TODAY, {name: after[name] for name in COMPARED})
    assert changed.schema == PUBLISHED["change"]
    assert set(changed["kind"]) <= set(KINDS)
    assert set(changed["against"]) <= {"gen-1"}
    return with_sentence(changed, "text").to_dicts()


def verdict(stage: str = "emerging", flags: tuple[str, ...] = (), rules: str = "1", of: str = "exam") -> Rows:
    known_facts = {"rules_version": rules, "known_until": BEFORE}
    return [{"benchmark_id": of, "stage": stage, "flags": list(flags), **known_facts}]


def indicator(**values: float) -> Rows:
    return [
        {"benchmark_id": "exam", "indicator": name, "value": value, "status": "ok"} for name, value in values.items()
    ]


def best(score: float, model: str, on: date, unit: str = "percent", condition: str = "no tools") -> dict[str, Rows]:
    interval = {"low": score - 0.01, "high": score + 0.01}
    held = {"benchmark_id": "exam", "score": score, "model_id": model, "condition": condition}
    return {
        "benchmark": [{"benchmark_id": "exam", "unit": unit, "higher_is_better": True}],
        "model": [
            {"model_id": "alpha", "name": "Alpha", "released_on": date(2019, 1, 1)},
            {"model_id": "beta", "name": "Beta"},
        ],
        "verdict": verdict(),
        "indicator": [{**indicator(frontier=score)[0], **interval}],
        "frontier": [{**held, "dated_on": on, "carried": False}, {**held, "dated_on": TODAY, "carried": True}],
    }


def test_the_first_generation_changes_nothing() -> None:
    now = tables(verdict=verdict())
    assert changes(NO_PREVIOUS, TODAY, {name: now[name] for name in COMPARED}).is_empty()


def test_the_same_twice_is_no_change_and_what_changed_lately_is_carried_over() -> None:
    same = {"verdict": verdict(), "source": [{"source_id": "a", "status": "ok"}]}
    old = {"made_on": date(2025, 12, 20), "kind": "stage", "benchmark_id": "exam", "against": "gen-0"}
    older = {**old, "made_on": date(2025, 12, 1)}
    before = waiting(tables(**same, change=[old, older]))
    changed = changes(Previous("gen-1", before), TODAY, {name: tables(**same)[name] for name in COMPARED})
    assert changed.select("made_on", "kind", "against").rows() == [(date(2025, 12, 20), "stage", "gen-0")]


def test_a_stage_changes_and_says_why() -> None:
    before = tables(verdict=verdict(), indicator=indicator(n_models=1))
    now = indicator(n_models=8, headroom=0.13, resolution_top5=0.4)
    after = tables(verdict=verdict("compressing", rules="2"), indicator=now)
    stage, rules = sorted(made(before, after), key=lambda row: str(row["kind"]), reverse=True)
    assert (stage["before"], stage["after"], stage["value"], stage["n"]) == ("emerging", "compressing", 0.13, 8)
    assert stage["text"] == (
        "judged by version 2 of the rules; 7 more models on record; 4 of 10 pairs of the top five differ"
    )
    assert (rules["kind"], rules["before"], rules["after"]) == ("rules", "1", "2")


def test_a_new_benchmark_and_a_flag_that_came_and_went() -> None:
    before = tables(verdict=verdict(flags=("gap", "stale")))
    after = tables(verdict=[*verdict(flags=("gap", "dormant")), *verdict(of="new"), *verdict("unknown", of="bare")])
    kinds = {(row["kind"], row["benchmark_id"], row["before"], row["after"]) for row in made(before, after)}
    assert kinds == {
        ("flag", "exam", None, "dormant"),
        ("flag", "exam", "stale", None),
        ("benchmark", "new", None, "emerging"),
    }


def test_a_record_is_beyond_noise_where_the_intervals_part() -> None:
    before = tables(**best(0.7, "beta", date(2025, 6, 1)))
    (far,) = made(before, tables(**best(0.8, "alpha", TODAY)))
    (near,) = made(before, tables(**best(0.71, "alpha", TODAY)))
    assert (far["kind"], far["beyond_noise"], far["value_before"], far["value"]) == ("best", True, 0.7, 0.8)
    assert far["text"] == "Alpha of 2019 holds the best score"
    assert (near["kind"], near["beyond_noise"]) == ("best", False)


def test_an_old_result_found_late_is_news_of_our_knowledge() -> None:
    (late,) = made(tables(**best(0.7, "beta", date(2025, 6, 1))), tables(**best(0.8, "alpha", date(2019, 2, 1))))
    assert late["kind"] == "best_late"
    assert late["text"] == "found late: Alpha of 2019 holds the best score"


def test_a_lower_best_was_taken_back_and_another_condition_is_not_compared() -> None:
    before = tables(**best(0.7, "beta", date(2025, 6, 1)))
    (lost,) = made(before, tables(**best(0.6, "alpha", date(2025, 5, 1))))
    (other,) = made(before, tables(**best(0.9, "alpha", TODAY, condition="with search")))
    assert lost["kind"] == "best_lost"
    assert (other["kind"], other["beyond_noise"], other["after"]) == ("condition", None, "with search")


def test_a_score_that_moves_by_design_is_no_correction() -> None:
    """As ForecastBench, whose questions resolve from day to day."""

    def moving(score: float, model: str) -> dict[str, Rows]:
        best_of = best(score, model, date(2025, 6, 1))
        return {**best_of, "benchmark": [{**row, "refresh": "continuous"} for row in best_of["benchmark"]]}

    row = {"benchmark_id": "exam", "model_id": "alpha", "setting": "", "reporter": None}
    first = {"snapshot": [{"snapshot_id": "1", "source_id": "a"}]}
    before = tables(**moving(0.7, "alpha"), **first, result=[{**row, "snapshot_id": "1", "score": 0.7, "stands": True}])
    for score, model in ((0.69, "alpha"), (0.71, "alpha"), (0.68, "beta")):
        rows = [
            {**row, "snapshot_id": "1", "score": 0.7, "stands": False},
            {**row, "snapshot_id": "2", "score": score, "stands": True},
        ]
        twice = [*first["snapshot"], {"snapshot_id": "2", "source_id": "a"}]
        after = tables(**moving(score, model), snapshot=twice, result=rows)
        assert {change["kind"] for change in made(before, after)} == {"results"}
    (record,) = made(before, tables(**moving(0.75, "beta"), **first))
    assert record["kind"] in ("best", "best_late")


def test_a_rescale_is_never_a_record() -> None:
    before = tables(**best(1400.0, "beta", date(2025, 6, 1), unit="rating"))
    scale = {"board_id": "arena/exam", "on_date": date(2026, 1, 5), "kind": "scale", "note": "all moved by 60"}
    after = tables(**best(1460.0, "alpha", TODAY, unit="rating"), breakpoint=[scale])
    assert [row["kind"] for row in made(before, after)] == ["break", "rescale"]
    refitted = tables(**best(1403.0, "beta", TODAY, unit="rating"))
    assert made(before, refitted) == []


def board(first: str, low_of_second: int | None, on: int, **more: Rows) -> dict[str, pl.DataFrame]:
    second = "beta" if first == "alpha" else "alpha"
    shared = {"board_id": "arena/exam", "observed_at": datetime(2026, 1, on)}
    rank = [
        {**shared, "model_id": first, "rank": 1, "rank_low": 1},
        {**shared, "model_id": second, "rank": 2, "rank_low": low_of_second},
    ]
    models = [{"model_id": "alpha", "name": "Alpha"}, {"model_id": "beta", "name": "Beta"}]
    return tables(rank=rank, model=models, **more)


@pytest.mark.parametrize(("low", "beyond"), [(2, True), (1, False)])
def test_a_leader_is_beyond_noise_where_the_former_cannot_be_first(low: int, beyond: bool) -> None:
    (row,) = made(board("beta", 1, on=2), board("alpha", low, on=9))
    assert (row["kind"], row["before"], row["after"], row["beyond_noise"]) == ("leader", "beta", "alpha", beyond)
    assert row["text"] == "Alpha is first since 9 Jan 2026, where Beta was"


def test_a_leader_across_a_break_or_of_the_same_version_is_none() -> None:
    broke = [{"board_id": "arena/exam", "on_date": date(2026, 1, 5), "kind": "scale", "note": "moved"}]
    assert [row["kind"] for row in made(board("beta", 2, on=2), board("alpha", 2, on=9, breakpoint=broke))] == ["break"]
    assert made(board("beta", 2, on=2), board("alpha", 2, on=2)) == []


def test_sources_held_back_read_anew_and_corrected() -> None:
    row = {"benchmark_id": "exam", "model_id": "alpha", "setting": "", "reporter": None}
    exam = [{"benchmark_id": "exam", "unit": "percent"}]
    seen = datetime(2025, 11, 18)
    source = {"source_id": "a", "status": "ok", "last_observed_at": seen}
    file_row = {"source_id": "a", "board_id": "a/exam", "path": "exam.csv", "ref": "c1", "state": "held"}
    file_row = {**file_row, "version_at": datetime(2025, 12, 2)}
    before = tables(
        benchmark=exam,
        kept_out=[{**file_row, "ref": "c2", "state": "failed"}],
        source=[source, {**source, "source_id": "b", "status": "never"}],
        snapshot=[{"snapshot_id": "1", "source_id": "a"}],
        result=[{**row, "snapshot_id": "1", "score": 0.5, "stands": True}],
    )
    after = tables(
        benchmark=exam,
        source=[{**source, "status": "held"}, {**source, "source_id": "b"}],
        kept_out=[
            file_row,
            {**file_row, "ref": "c2", "state": "failed"},
            {**file_row, "ref": "c3", "state": "refused"},
        ],
        snapshot=[
            {"snapshot_id": "1", "source_id": "a", "board_id": "a/exam", "observed_at": seen},
            {"snapshot_id": "2", "source_id": "a", "observed_at": datetime(2026, 1, 9)},
        ],
        result=[
            {**row, "snapshot_id": "1", "score": 0.5, "stands": False},
            {**row, "snapshot_id": "2", "score": 0.4, "stands": True},
        ],
    )
    by_kind = {str(row["kind"]): row for row in made(before, after)}
    assert set(by_kind) == {"held", "source", "results", "correction"}
    held = by_kind["held"]
    assert held["text"] == "exam.csv in its version of 2 Dec 2025 is held; the copy of 18 Nov 2025 stays in service"
    assert (held["board_id"], held["benchmark_id"], held["on_day"]) == ("a/exam", "exam", date(2025, 12, 2))
    assert by_kind["source"]["text"] == "is read for the first time"
    assert (by_kind["results"]["n"], by_kind["results"]["on_day"]) == (1, date(2026, 1, 9))
    assert by_kind["correction"]["text"] == "1 row replaced by its source"


def test_files_of_one_source_that_fail_together_are_one_row() -> None:
    """Two listings of one source that does not answer have no board and no day: the key of `change` was twice there."""
    listing = {"source_id": "a", "path": "cost.*", "state": "failed"}
    rows = made(tables(), tables(kept_out=[{**listing, "path": "table.*"}, listing, {**listing, "source_id": "b"}]))
    assert sorted((row["source_id"], row["text"]) for row in rows) == [
        ("a", "cost.* and 1 file more could not be read; what is stored stays in service"),
        ("b", "cost.* could not be read; what is stored stays in service"),
    ]
