"""What the real upstreams changed without a word: what is held, at which version, and what a curator has let pass."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import pairwise

import polars as pl
import pytest

from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.steps import KEY
from benchhealth.ingest.names.identity import with_normalised
from benchhealth.ingest.run.drift import Finding, Scales, drift, released_between
from benchhealth.ingest.run.records import BOUNDED
from benchhealth.ingest.run.resolve import resolve
from benchhealth.ingest.sources.new_livebench import ITEMS
from benchhealth.warehouse.batch import Resolved
from benchhealth.warehouse.registry import Registry
from tests.ingest.sources.payload_rows import BY_KEY, registry_units
from tests.ingest.sources.test_versions import real, versions
from tests.support.curated_facts import curated

pytestmark = real

TEXT = "data/leaderboard-text.json"
STYLE = "data/leaderboard-text-style-control.json"
BASELINE = "leaderboards/csv/leaderboard_baseline.csv"
TOURNAMENT = "leaderboards/csv/leaderboard_tournament.csv"
LIVEBENCH = "public/table_2026_06_25.csv"


@cache
def registry() -> Registry:
    return curated()


@cache
def history(key: str, path: str) -> tuple[tuple[date, Resolved], ...]:
    """Every version of one file as the ingest reads it, oldest first (the index lists them in order)."""
    aliases = with_normalised(registry().aliases())
    return tuple(
        (
            version.committed_on,
            resolve(
                BY_KEY[key].parse(version.body(), path),
                source_id=key,
                benchmarks=registry_units(),
                aliases=aliases,
                observed_on=version.committed_on,
            ),
        )
        for version in sorted(versions(key, path), key=lambda version: version.committed_on)
    )


def scales(version: Resolved) -> Scales:
    units = {**dict(version.benchmarks.select("benchmark_id", "unit").iter_rows()), **registry_units()}
    continuous = registry().benchmark.filter(pl.col("refresh") == CONTINUOUS)["benchmark_id"]
    return Scales({benchmark for benchmark, unit in units.items() if unit in BOUNDED}, set(continuous))


def findings(key: str, path: str, *, curated: bool = False) -> Iterator[tuple[date, Finding]]:
    """What stands against each version as the next one of the one before it."""
    breakpoints = registry().breakpoint.clear() if not curated else registry().breakpoint
    for (since, before), (on, after) in pairwise(history(key, path)):
        released = released_between(breakpoints, since, on)
        for finding in drift(before.results, after.results, source_id=key, scales=scales(after), released=released):
            yield on, finding


def of_wholes(key: str, path: str) -> list[tuple[date, str, str]]:
    """(day, board, kind) of what stands against the boards, their parts left out."""
    return [
        (on, finding.board_id, finding.kind) for on, finding in findings(key, path) if finding.board_id.count("/") == 1
    ]


@pytest.mark.soak
def test_three_shifts_of_the_whole_arena_are_found_and_no_refit_in_85_others() -> None:
    assert len(history("lmarena", "csv/lmsys.csv")) > 85
    assert of_wholes("lmarena", "csv/lmsys.csv") == [
        (date(2025, 5, 20), "lmarena/lmarena-text", "scale"),
        (date(2025, 6, 3), "lmarena/lmarena-text", "scale"),
        (date(2025, 6, 12), "lmarena/lmarena-text", "scale"),
    ]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("path", "board"),
    [(TEXT, "lmarena-text-bt"), (STYLE, "lmarena-text-style-control")],
)
def test_the_json_tables_change_their_scale_twice(path: str, board: str) -> None:
    on = [
        day
        for day, board_id, kind in of_wholes("lmarena-tables", path)
        if (board_id, kind) == (f"lmarena-tables/{board}", "scale")
    ]
    assert on == [date(2025, 5, 27), date(2025, 11, 6)]


@pytest.mark.parametrize(
    ("key", "path", "on", "board", "kind"),
    [
        pytest.param(
            *("vectara", "README.md", date(2025, 11, 18), "vectara/vectara-hallucination", "data"),
            marks=pytest.mark.soak,
        ),
        pytest.param("bfcl", "data_overall.csv", date(2025, 8, 28), "bfcl/bfcl", "data", marks=pytest.mark.soak),
        pytest.param("bfcl", "data_live.csv", date(2025, 8, 28), "bfcl/bfcl-live", "data", marks=pytest.mark.soak),
        pytest.param(
            *("livebench", "public/table_2026_01_08.csv", date(2026, 1, 19), "livebench/livebench-2026-01-08", "data"),
            marks=pytest.mark.soak,
        ),
        ("timm", "results/results-imagenet-a.csv", date(2024, 8, 13), "timm/imagenet-a", "data"),
        ("swe-bench-live", "reports-0605.jsonl", date(2026, 1, 8), "*", "data"),
    ],
)
def test_what_began_anew_is_found(key: str, path: str, on: date, board: str, kind: str) -> None:
    assert (on, board, kind) in [(day, finding.board_id, finding.kind) for day, finding in findings(key, path)]


@pytest.mark.parametrize(
    ("key", "path"),
    [
        pytest.param("lmarena", "csv/lmsys.csv", marks=pytest.mark.soak),
        ("lmarena-tables", TEXT),
        pytest.param("lmarena-tables", STYLE, marks=pytest.mark.soak),
        pytest.param("vectara", "README.md", marks=pytest.mark.soak),
        pytest.param("bfcl", "data_overall.csv", marks=pytest.mark.soak),
        pytest.param("bfcl", "data_live.csv", marks=pytest.mark.soak),
        pytest.param("bfcl", "data_non_live.csv", marks=pytest.mark.soak),
        pytest.param("livebench", "public/table_2026_01_08.csv", marks=pytest.mark.soak),
        pytest.param("swe-bench", "data/leaderboards.json", marks=pytest.mark.soak),
        pytest.param("forecastbench", BASELINE, marks=pytest.mark.soak),
        pytest.param("forecastbench", TOURNAMENT, marks=pytest.mark.soak),
        pytest.param("weirdml", "data/weirdml_data.csv", marks=pytest.mark.soak),
        ("bullshit-benchmark", "data/latest/leaderboard_with_launch.csv"),
        pytest.param("bullshit-benchmark", "data/v2/latest/leaderboard_with_launch.csv", marks=pytest.mark.soak),
        ("metr", "benchmark_results_1_1.yaml"),
        pytest.param("aider", "aider/website/_data/polyglot_leaderboard.yml", marks=pytest.mark.soak),
        pytest.param("timm", "results/results-imagenet-a.csv", marks=pytest.mark.soak),
        ("new-livebench", LIVEBENCH),
        pytest.param("new-livebench", LIVEBENCH.replace("table", "cost"), marks=pytest.mark.soak),
        ("swe-bench-live", "reports-0605.jsonl"),
        pytest.param("mmmu", "leaderboard_data.json", marks=pytest.mark.soak),
        ("model-cards", "data/benchmark_scores.yml"),
    ],
)
def test_with_the_curated_breakpoints_the_newest_version_is_in_service(key: str, path: str) -> None:
    """The gate compares with the last version let pass: replayed here, the newest must be among those."""
    stored = history(key, path)[0]
    held: list[tuple[date, list[Finding]]] = []
    for on, after in history(key, path)[1:]:
        released = released_between(registry().breakpoint, stored[0], on)
        break_found = drift(stored[1].results, after.results, source_id=key, scales=scales(after), released=released)
        if break_found:
            held.append((on, break_found))
        else:
            stored = (on, after)
    assert stored[0] == history(key, path)[-1][0], held[-1]


def test_livebench_edited_32_cells_in_place_and_the_edit_is_stored_as_one() -> None:
    """2026-07-28: a partial rerun of agentic coding passes the gate, so that old and new scores are both stored."""
    edited = date(2026, 7, 28)
    assert all(on != edited for on, _ in findings("new-livebench", LIVEBENCH))
    versions_of = dict(history("new-livebench", LIVEBENCH))
    before, after = versions_of[date(2026, 7, 23)].results, versions_of[edited].results
    both = before.join(after, on=KEY, suffix="_after").filter(pl.col("score") != pl.col("score_after"))
    cells = both.filter(pl.col("benchmark_id").str.contains("/"))
    assert cells.height == 32
    assert set(cells["benchmark_id"].str.split("/").list.last()) == {"javascript", "python", "typescript"}
    gone = before.join(after, on=["model_id", "setting"], how="anti").unique(["model_id", "setting"])
    assert gone.height == 10
    counted = edits(
        pl.concat(
            rows.with_columns(
                snapshot_id=pl.lit(str(on)), source_id=pl.lit("new-livebench"), observed_at=pl.lit(on), merit="score"
            )
            for on, rows in ((date(2026, 7, 23), before), (edited, after))
        )
    )
    assert counted.filter(pl.col("benchmark_id").str.contains("/"))["edited"].sum() == cells.height


def test_livebench_counts_the_questions_of_its_tasks_as_its_costs_do() -> None:
    counts = Counter(
        (column.removeprefix("nq_"), count)
        for version in versions("new-livebench", LIVEBENCH.replace("table", "cost"))
        for row in csv.DictReader(version.body().decode().splitlines())
        for column, count in row.items()
        if column.startswith("nq_")
    )
    most = {task: count for (task, count), _ in reversed(counts.most_common())}
    assert most == ITEMS["2026_06_25"]


def test_the_arena_renamed_thinking_to_high_and_no_model_is_new() -> None:
    """2026-08-13: of seven names that appear six carry on a row, and one (grok-4.6-high) is a newcomer."""
    path = "data/lmarena/2026-08-{}/text.json"
    (_, before), (_, after) = (history("lmarena-daily", path.format(day))[0] for day in (12, 13))
    old, new = (
        version.results.filter(pl.col("benchmark_id") == "lmarena-text-bt").select("model_id", "setting")
        for version in (before, after)
    )
    assert old.join(new, on=["model_id", "setting"], how="anti").is_empty()
    assert new.join(old, on=["model_id", "setting"], how="anti")["model_id"].to_list() == ["grok-4.6"]


@pytest.mark.soak
def test_forecasts_that_resolve_are_no_drift_and_a_new_way_of_adjusting_them_is() -> None:
    """Of 59 steps of each board one is held, though nearly all past scores move in half of them."""
    assert len(history("forecastbench", BASELINE)) == len(history("forecastbench", TOURNAMENT)) == 60
    assert {on for on, _ in findings("forecastbench", BASELINE)} == {date(2026, 5, 23)}
    assert {on for on, _ in findings("forecastbench", TOURNAMENT)} == {date(2026, 5, 21)}


def test_forecasters_carry_on_under_the_names_of_june_2026() -> None:
    """110 of 116 names change on 2026-06-30; all but one of the models are the same in the same setting."""
    days = dict(history("forecastbench", BASELINE))
    keys = ["model_id", "setting"]
    old, new = (
        days[on].results.filter(pl.col("benchmark_id") == "forecastbench-baseline")
        for on in (date(2026, 6, 26), date(2026, 6, 30))
    )
    assert new["published_name"].is_in(old["published_name"].implode()).not_().sum() > 90
    assert old.join(new, on=keys, how="semi").height > 100


@pytest.mark.soak
def test_weirdml_drops_two_tasks_and_bullshit_bench_judges_again() -> None:
    assert (date(2025, 11, 19), "weirdml/weirdml", "data") in of_wholes("weirdml", "data/weirdml_data.csv")
    (first,) = of_wholes("bullshit-benchmark", "data/latest/leaderboard_with_launch.csv")
    assert first == (date(2026, 3, 2), "bullshit-benchmark/bullshit-benchmark-v1", "data")


def test_tau2_listed_two_domains_under_one_anothers_name() -> None:
    path = "web/leaderboard/public/submissions/gemini-3-pro_google_2025-11-18/submission.json"
    scores = [
        dict(version.results.select("benchmark_id", "score_published").iter_rows())
        for _, version in history("tau2", path)
    ]
    airline, retail = "tau2-bench/airline", "tau2-bench/retail"
    assert (scores[0][airline], scores[0][retail]) == (85.3, 73.0)
    assert (scores[1][airline], scores[1][retail]) == (73.0, 85.3)
    assert {domains[airline] for domains in scores[1:]} == {73.0}


@pytest.mark.soak
@pytest.mark.parametrize("name", ["text", "text_style_control"])
def test_no_daily_refit_of_the_arena_is_held(name: str) -> None:
    paths = sorted({v.path for v in versions("lmarena-daily") if v.path.endswith(f"/{name}.json")})
    days = [(path, history("lmarena-daily", path)[0][1]) for path in paths]
    assert len(days) > 15
    for (_, before), (path, after) in pairwise(days):
        assert (
            drift(before.results, after.results, source_id="lmarena-daily", scales=Scales(set()), released=set()) == []
        ), path
