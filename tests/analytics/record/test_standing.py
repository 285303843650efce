"""Which rows stand: what sources corrected does not, what they only stopped listing does."""

from collections.abc import Iterable, Sequence
from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.conditions.standing import standing
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.frontier import frontier, history_of
from benchhealth.ingest.sources import swe_bench
from tests.support.frames import Row, frames, result
from tests.support.upstream import Version, needs_upstream, versions

FIRST, SECOND, THIRD = date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)
DATED = date(2025, 12, 1)


def row(model: str, score: float = 0.78, on: date = FIRST, of: str = "exam", **more: object) -> Row:
    """A row that its source dates, in the one file of the source, at an address that holds its name."""
    shared = {"snapshot_id": f"file {on}", "board_id": "lab/file", "dated_on": DATED, "score_published": score * 100}
    place = {"source_row": f"/{model}/{of}"}
    return result(of, model, score, observed_on=on, **{**shared, **place, **more})


def stands(rows: Iterable[Row]) -> list[bool]:
    facts = frames(rows)
    return standing(facts.result.collect(), facts.snapshot)["stands"].to_list()


def test_of_one_row_the_newest_version_stands() -> None:
    assert stands([row("a"), row("a", 0.80, SECOND), row("a", 0.81, THIRD)]) == [False, False, True]


def test_what_is_no_longer_listed_stands() -> None:
    assert stands([row("old"), row("a"), row("a", 0.80, SECOND)]) == [True, False, True]


def test_a_corrected_date_replaces() -> None:
    assert stands(
        [row("grok-3", dated_on=date(2024, 2, 19)), row("grok-3", on=SECOND, dated_on=date(2025, 2, 19))]
    ) == [
        False,
        True,
    ]


def test_a_corrected_reporter_replaces_whatever_the_score() -> None:
    assert stands([row("a"), row("a", 0.75, SECOND, reporter="self")]) == [False, True]


def test_two_reporters_side_by_side_both_stand() -> None:
    both = [row("a"), row("a", on=SECOND), row("a", 0.75, SECOND, reporter="self", source_row="/a (2)/exam")]
    assert stands(both) == [False, True, True]


def test_a_reworded_setting_replaces_and_another_run_does_not() -> None:
    assert stands([row("a", setting="high"), row("a", on=SECOND, setting="high effort")]) == [False, True]
    other = row("a", 0.90, SECOND, setting="high effort", source_row="/a-high/exam")
    assert stands([row("a", setting="low effort"), other]) == [True, True]


def test_a_relabelled_name_replaces() -> None:
    assert stands([row("gpt-4o1"), row("o1", on=SECOND)]) == [False, True]


@pytest.mark.parametrize(
    "other",
    [
        {"dated_on": date(2026, 1, 20)},
        {"score": 0.79},
        {"date_basis": "snapshot"},
    ],
)
def test_another_model_does_not_replace(other: dict[str, object]) -> None:
    new = row("newcomer", on=SECOND, **{"score": 0.78, **other})  # type: ignore[arg-type]
    assert stands([row("old"), new]) == [True, True]


def test_a_print_that_two_rows_have_relabels_none() -> None:
    new = [row("o1", on=SECOND), row("o2", on=SECOND)]
    assert stands([row("old"), *new]) == [True, True, True]


def tasks(name: str, scores: Sequence[float], on: date, **more: object) -> list[Row]:
    return [row(name, score, on, f"exam/{index}", **more) for index, score in enumerate(scores)]


def test_a_name_with_the_same_scores_in_every_task_is_the_same_and_one_equal_score_is_none() -> None:
    before = tasks("gpt-5-chat-latest", (0.1, 0.2, 0.3), FIRST, dated_on=FIRST)
    same = tasks("gpt-5-chat", (0.1, 0.2, 0.3), SECOND, dated_on=SECOND)
    assert stands([*before, *same]) == [False] * 3 + [True] * 3
    another = tasks("gpt-6", (0.1, 0.5, 0.6), SECOND)
    assert stands([*tasks("gpt-5", (0.1, 0.2, 0.3), FIRST), *another]) == [True] * 6


def test_another_file_replaces_nothing() -> None:
    other = row("a", 0.75, SECOND, reporter="self", snapshot_id="other", board_id="lab/other", source_row="/1")
    assert stands([row("a"), other]) == [True, True]


def test_what_a_curator_excluded_does_not_stand() -> None:
    assert stands([row("a", condition=EXCLUDED), row("b")]) == [False, True]


def test_the_past_and_the_curve_hold_standing_rows_alone() -> None:
    wrong = row("grok-3", 0.78, dated_on=date(2024, 2, 19))
    right = row("grok-3", 0.78, SECOND, dated_on=date(2025, 2, 19), reporter="self")
    facts = frames([wrong, right, row("pruned", 0.5, dated_on=date(2024, 1, 5))])
    held = standing(facts.result.collect(), facts.snapshot)
    rows = ranked_results(frames(held.to_dicts()), benchmark_facts(facts))
    past = history_of(rows, THIRD)
    assert sorted(past["dated_on"].to_list()) == [date(2024, 1, 5), date(2025, 2, 19)]
    known_until = pl.DataFrame({"benchmark_id": ["exam"], "known_until": [THIRD]})
    steps = frontier(rows, past, facts.breakpoint, known_until)
    assert steps["dated_on"].to_list() == [date(2024, 1, 5), date(2025, 2, 19), THIRD]


# --- real versions


def mmmu(version: Version) -> Iterable[Row]:
    """What one version of MMMU's board prints of its validation split."""
    seen = set()
    for entry in version.json()["leaderboardData"]:
        info, split = entry["info"], entry.get("validation") or {}
        published = str(split.get("overall") or "-")
        reporter = "self" if split.get("source") == "author" else "third_party"
        key = (info["name"], reporter)
        if published != "-" and info["date"].startswith("20") and key not in seen:
            seen.add(key)
            year, month, day = map(int, info["date"].split("-"))
            yield of_file(
                version, "mmmu", info["name"], float(published), reporter=reporter, dated_on=date(year, month, day)
            )


def of_file(version: Version, benchmark_id: str, name: str, published: float, **more: object) -> Row:
    address = {"source_row": f"/{name}", "date_basis": "submission"}
    file = {
        "snapshot_id": f"{version.committed_at} {version.commit}",
        "observed_at": version.committed_at,
        "board_id": "lab/file",
    }
    return result(benchmark_id, name, published / 100, **{**address, **file, "score_published": published, **more})


def listed(parsed: Iterable[Row]) -> pl.DataFrame:
    facts = frames(parsed)
    return standing(facts.result.collect(), facts.snapshot).sort("observed_at")


@needs_upstream
def test_what_mmmu_corrected_does_not_stand_and_what_it_pruned_does() -> None:
    every = versions("MMMU-Benchmark/mmmu-benchmark.github.io", "leaderboard_data.json")
    held = listed(parsed for version in every for parsed in mmmu(version))

    def standing_of(name: str) -> list[tuple[str, float, date]]:
        rows = held.filter(pl.col("stands"), model_id=name)
        return rows.select("reporter", "score_published", "dated_on").rows()

    # Dated a year early and by third parties until 2025-07-25, since then by their makers.
    assert {("third_party", date(2024, 2, 19)), ("self", date(2025, 2, 19))} <= set(
        held.filter(model_id="Grok 3 Beta").select("reporter", "dated_on").rows()
    )
    assert standing_of("Grok 3 Beta") == [("self", 78.0, date(2025, 2, 19))]
    assert standing_of("Claude 3.7 Sonnet") == [("self", 75.0, date(2025, 2, 24))]
    # Its date alone was corrected.
    assert standing_of("Gemini 2.5 Pro 05-06") == [("self", 79.6, date(2025, 5, 6))]
    # Printed in each other's row until 2025-09-06.
    assert [score for _, score, _ in standing_of("Claude Opus 4")] == [76.5]
    assert [score for _, score, _ in standing_of("Claude Sonnet 4")] == [74.4]
    # Other names of the same rows.
    for old, new in (
        ("GPT-4o1", "o1"),
        ("NVLM-D 1.0 72B", "NVLM-D 1.0 78B"),
        ("DreamPRM1.5", "DreamPRM-1.5 (GPT-5-mini w/ thinking)"),
    ):
        assert standing_of(old) == []
        assert len(standing_of(new)) == 1
    # No longer listed, and corrected by nothing.
    assert standing_of("VILA 1.5") == [("self", 51.9, date(2024, 5, 4))]
    assert standing_of("Gemini 2.5 Pro") == [("self", 81.7, date(2025, 3, 26))]


@needs_upstream
def test_submissions_that_swe_bench_checked_later_stand_once() -> None:
    path = "data/leaderboards.json"
    rows = [
        of_file(
            version,
            parsed.benchmark,
            parsed.model,
            float(parsed.score),
            setting=parsed.setting,
            reporter=parsed.reporter,
            source_row=parsed.row,
            dated_on=date.fromisoformat(parsed.dated_on),
        )
        for version in versions("SWE-bench/swe-bench.github.io", path)[:6]
        for parsed in swe_bench.parse(version.body, path).rows
        if parsed.benchmark == "swe-bench-verified" and not parsed.reject
    ]
    held = listed(rows).with_columns(folder=pl.col("setting").str.split(", ").list.last())
    of_each = held.group_by("folder").agg(
        reporters=pl.col("reporter").n_unique(), stand=pl.col("reporter").filter("stands")
    )
    checked = of_each.filter(pl.col("reporters") == 2)
    assert "20250203_openhands_4x_scaled" in checked["folder"]
    assert checked["stand"].to_list() == [["third_party"]] * checked.height


@needs_upstream
def test_models_that_the_arena_dropped_stand() -> None:
    def rows(version: Version) -> Iterable[Row]:
        for line in version.table():
            score = float(line.get("arena_score") or line["arena_elo"])
            yield of_file(
                version, "arena", line["model"], score, date_basis="snapshot", dated_on=version.committed_at.date()
            )

    days = {
        version.committed_at.date(): version for version in versions("fboulnois/llm-leaderboard-csv", "csv/lmsys.csv")
    }
    before, after = (days[on] for on in (max(on for on in days if on < date(2025, 2, 16)), date(2025, 2, 16)))
    held = listed([*rows(before), *rows(after)])
    gone = held.filter(pl.col("observed_at") == before.committed_at).join(
        held.filter(pl.col("observed_at") == after.committed_at), on="model_id", how="anti"
    )
    assert gone.height == 30
    assert gone["stands"].all()


@needs_upstream
def test_a_score_that_livebench_edited_in_place_stands_as_it_is_now() -> None:
    def rows(version: Version) -> Iterable[Row]:
        for line in version.table():
            for task, score in line.items():
                if task != "model" and score.strip() not in ("", "N/A"):
                    yield of_file(version, f"live/{task}", line["model"], float(score), source_row=line["model"] + task)

    held = listed(
        parsed
        for version in versions("LiveBench/livebench.github.io", "public/table_2024_11_25.csv")
        for parsed in rows(version)
    )
    key = ["benchmark_id", "model_id"]
    edited = (
        held.group_by(key)
        .agg(pl.col("score").n_unique(), newest=pl.col("score").last(), kept=pl.col("score").filter("stands"))
        .filter(pl.col("score") > 1)
    )
    assert edited.height > 20
    assert edited.filter(pl.col("kept").list.len() > 1).height == 0
    standing_now = edited.filter(pl.col("kept").list.len() == 1)
    assert standing_now.height > 20
    assert (standing_now["kept"].list.first() == standing_now["newest"]).all()
