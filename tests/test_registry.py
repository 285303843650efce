"""The curated facts themselves: complete, consistent, and equal to what can be recomputed from published files."""

import csv
import fnmatch
import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from statistics import median

import polars as pl
import pytest

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.names.identity import normalise
from benchhealth.ingest.run.walk import board_of
from tests.support.curated_facts import REGISTRY, curated

ROOT = Path(__file__).resolve().parents[1]
UPSTREAM = ROOT.parent / "shared" / "upstream"
SOURCED = ("n_items", "floor", "ceiling", "human", "labels", "refresh")
ADDRESS = re.compile(r"https?://\S+( https?://\S+)*")

needs_upstream = pytest.mark.skipif(not UPSTREAM.exists(), reason="the published files are not on this machine")

Row = dict[str, str]


def rows(name: str) -> list[Row]:
    with (REGISTRY / f"{name}.csv").open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def benchmarks() -> dict[str, Row]:
    return {row["benchmark_id"]: row for row in rows("benchmark")}


def published(repo: str, path: str) -> Iterator[tuple[str, str]]:
    """(commit, text) of every stored version of a published file, oldest first."""
    with (UPSTREAM / "index.jsonl").open(encoding="utf-8") as index:
        versions = [entry for entry in map(json.loads, index) if (entry["repo"], entry["path"]) == (repo, path)]
    for entry in sorted(versions, key=lambda version: version["committed_at"]):
        blob = UPSTREAM / "blobs" / entry["sha256"][:2] / f"{entry['sha256']}.gz"
        yield entry["commit"], gzip.decompress(blob.read_bytes()).decode("utf-8-sig")


def newest(repo: str, path: str) -> str:
    *_, (_, text) = published(repo, path)
    return text


def test_what_is_refused_is_a_file_or_a_board_of_its_source() -> None:
    files = {source.key: source.files for source in SOURCES}
    for row in rows("refused"):
        assert ADDRESS.fullmatch(row["source_url"])
        of_source = files[row["source_id"]]
        assert board_of(of_source, row["path"]) or row["path"] in {entry.board_id for entry in of_source}


def test_every_source_that_the_registry_names_is_in_the_catalogue() -> None:
    keys = {source.key for source in SOURCES}
    named = [
        (key, f"{file.name}, row {number}, column {column}: no source {key!r} in ingest/catalog.py")
        for file in sorted(REGISTRY.glob("*.csv"))
        for number, row in enumerate(rows(file.stem), start=1)
        for column in ("source_id", "other_source_id", "board_id")
        if (key := row.get(column, "").split("/")[0])
    ]
    assert len(named) > len(rows("breakpoint"))
    for key, unknown in named:
        assert fnmatch.filter(keys, key), unknown


def test_the_warehouse_reads_the_registry() -> None:
    registry = curated()
    assert registry.benchmark.height == len(benchmarks())
    assert registry.alias.height == len(registry.aliases())


@pytest.mark.parametrize("row", rows("benchmark"), ids=lambda row: row["benchmark_id"])
def test_a_benchmark_names_the_source_of_every_fact(row: Row) -> None:
    facts = [(row[fact], row[f"{fact}_source"]) for fact in SOURCED]
    facts.append((row["released_on"], row["released_source"]))
    for fact, source in facts:
        assert bool(fact) == bool(source)
        assert not source or ADDRESS.fullmatch(source)
    assert row["paper_url"]
    assert row["confidence"] in ("high", "medium", "low")
    assert row["refresh"] in ("", "static", "annual", "versioned", "rolling", "continuous")


@pytest.mark.parametrize("row", rows("benchmark"), ids=lambda row: row["benchmark_id"])
def test_a_benchmark_has_floor_human_and_ceiling_on_one_scale(row: Row) -> None:
    floor, human, ceiling = (float(row[fact]) if row[fact] else None for fact in ("floor", "human", "ceiling"))
    if row["higher_is_better"] == "false":
        assert ceiling in (0.0, None)
        assert floor is None or ceiling is None or floor > ceiling
        assert human is None or human > (ceiling or 0)
    else:
        assert floor is None or ceiling is None or floor < ceiling
        assert human is None or (floor or 0) < human <= (ceiling or 1)
    if row["unit"] in ("percent", "fraction"):
        assert all(value is None or 0 <= value <= 1 for value in (floor, human, ceiling))
        assert ceiling is not None
    else:
        assert floor is None


def test_a_ceiling_below_the_maximum_says_the_label_error_it_comes_from() -> None:
    for row in benchmarks().values():
        error = re.match(r"label errors: ([\d.]+)%", row["ceiling_basis"])
        if error:
            assert float(row["ceiling"]) == pytest.approx(1 - float(error[1]) / 100, abs=1e-9)
        elif row["ceiling"]:
            best = 0 if row["higher_is_better"] == "false" else 10 if row["unit"] == "points" else 1
            assert float(row["ceiling"]) == best
            assert row["ceiling_basis"].startswith("metric minimum" if best == 0 else "metric maximum")


def test_every_ceiling_below_the_maximum_is_a_check_of_the_whole_test() -> None:
    checks: dict[str, set[float]] = {}
    for row in rows("label_error"):
        if row["covers"] in ("whole", "sample"):
            checks.setdefault(row["benchmark_id"], set()).add(float(row["share_flawed"]))
    upwards = [row for row in benchmarks().values() if row["higher_is_better"] == "true"]
    measured = {row["benchmark_id"]: row for row in upwards if float(row["ceiling"] or 1) < 1}
    assert measured
    for benchmark_id, row in measured.items():
        assert round(1 - float(row["ceiling"]), 4) in checks[benchmark_id]


def test_a_check_names_its_source_and_counts_whole_questions() -> None:
    for row in rows("label_error"):
        assert ADDRESS.fullmatch(row["source_url"])
        if row["n_checked"]:
            for share in filter(None, (row["share_flawed"], row["share_unreachable"])):
                counted = float(share) * int(row["n_checked"])
                assert abs(counted - round(counted)) <= 0.00005 * int(row["n_checked"]) + 1e-9


def test_errors_of_a_part_are_told_and_are_no_ceiling_of_the_whole() -> None:
    by_id = benchmarks()
    for row in rows("label_error"):
        if row["covers"] == "part":
            assert float(by_id[row["benchmark_id"]]["ceiling"]) == 1
            assert by_id[row["benchmark_id"]]["ceiling_basis"].startswith("metric maximum; ")
            assert not by_id[row["benchmark_id"]]["ceiling_basis"].endswith("label errors unknown")


def test_ids_are_unique_and_dates_are_iso() -> None:
    for name, key in (("benchmark", "benchmark_id"), ("twin", "twin_id")):
        assert not [one for one, count in Counter(row[key] for row in rows(name)).items() if count > 1]
    for text in (
        *(row["released_on"] for row in rows("benchmark")),
        *(row["observed_on"] for row in rows("twin")),
        *(row["on_date"] for row in rows("breakpoint")),
    ):
        assert not text or date.fromisoformat(text).isoformat() == text


def test_twins_and_reports_are_about_benchmarks_of_the_registry_and_breakpoints_about_boards() -> None:
    by_id = benchmarks()
    for row in rows("twin"):
        for benchmark_id in (row["original_id"], row["other_id"]):
            assert benchmark_id in by_id or row["source_id"], "what the registry does not hold needs its source named"
        assert ADDRESS.fullmatch(row["source_url"])
    for row in rows("breakpoint"):
        assert len(row["board_id"].split("/")) in (2, 3), "a board, or a column of one"
        assert ADDRESS.fullmatch(row["source_url"])
    for row in rows("contamination_report"):
        assert row["benchmark_id"] in by_id
        assert ADDRESS.fullmatch(row["reference_url"])
        assert row["subject_kind"] in ("corpus", "model")
        assert not row["share"] or 0 <= float(row["share"]) <= 1


def test_an_alias_gives_one_published_name_one_model() -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows("alias"):
        name, setting = normalise(row["published_name"])
        spelt = row["published_name"] if "/" in row["published_name"] else f"{name} {setting}"
        assert seen.setdefault((row["source_id"], spelt), row["model_id"]) == row["model_id"]
        assert normalise(row["model_id"]) == (row["model_id"], "")
        assert (name, setting) != (row["model_id"], row["setting"]), "the rule alone finds this model and setting"
        assert row["reason"]


def test_an_alias_does_not_point_at_another_alias() -> None:
    named = ((row, normalise(row["published_name"])[0]) for row in rows("alias"))
    names = {(row["source_id"], name) for row, name in named if name != row["model_id"]}
    assert not [row for row in rows("alias") if (row["source_id"], row["model_id"]) in names]


@needs_upstream
def test_mmlu_ceiling_is_the_share_of_flawed_questions() -> None:
    kinds = Counter(
        row["error_type"]
        for row in csv.DictReader(io.StringIO(newest("aryopg/mmlu-redux", "outputs/multi_expert_helm/all.csv")))
    )
    share = 1 - kinds["ok"] / kinds.total()
    assert float(benchmarks()["mmlu"]["ceiling"]) == pytest.approx(1 - share, abs=5e-5)
    unanswerable = kinds["wrong_groundtruth"] + kinds["no_correct_answer"] + kinds["multiple_correct_answers"]
    assert f"{unanswerable} of {kinds.total():,}" in benchmarks()["mmlu"]["note"]


@needs_upstream
def test_label_errors_of_the_subjects_of_mmlu_are_counted_in_the_published_file() -> None:
    """The file holds 100 questions of each subject, in the order of their names; what they ask shows it."""
    text = newest("aryopg/mmlu-redux", "outputs/multi_expert_helm/all.csv")
    questions = list(csv.DictReader(io.StringIO(text)))
    checks = {row["benchmark_id"]: row for row in rows("label_error") if row["benchmark_id"].startswith("mmlu")}
    subjects = sorted(set(checks) - {"mmlu"})
    assert len(questions) == 100 * len(subjects)
    blocks = {subject: questions[100 * index : 100 * index + 100] for index, subject in enumerate(subjects)}
    for subject, mark in (
        ("moral-scenarios", "For which of these two scenarios"),
        ("high-school-world-history", "This question refers to the following information"),
        ("professional-medicine", "-year-old"),
        ("astronomy", "the"),
    ):
        assert sum(mark in row["question"] for row in blocks[f"mmlu/{subject}"]) > 50
    for subject, block in blocks.items():
        kinds = Counter(row["error_type"] for row in block)
        assert float(checks[subject]["share_flawed"]) == pytest.approx((100 - kinds["ok"]) / 100)
        unreachable = kinds["wrong_groundtruth"] + kinds["no_correct_answer"]
        assert float(checks[subject]["share_unreachable"]) == pytest.approx(unreachable / 100)
    # The paper's abstract names the worst: 57% of the questions in Virology.
    assert float(checks["mmlu/virology"]["share_flawed"]) == 0.57


@needs_upstream
def test_lines_of_mmmu_are_rows_of_its_board() -> None:
    board = json.loads(newest("MMMU-Benchmark/mmmu-benchmark.github.io", "leaderboard_data.json"))["leaderboardData"]
    printed = {row["info"]["name"]: row.get("validation", {}).get("overall") for row in board}
    by_id = benchmarks()["mmmu"]
    assert float(by_id["human"]) == pytest.approx(float(printed["Human Expert (High)"]) / 100, abs=1e-9)
    assert float(by_id["floor"]) == pytest.approx(float(printed["Random Choice"]) / 100, abs=1e-9)


@needs_upstream
@pytest.mark.parametrize(("benchmark_id", "path"), [("squad-1.1", "out-v1.1.json"), ("squad-2.0", "out-v2.0.json")])
def test_every_squad_score_is_a_count_of_the_questions(benchmark_id: str, path: str) -> None:
    entries = json.loads(newest("rajpurkar/SQuAD-explorer", path))["leaderboard"]
    printed = [(entry.get("scores") or {}).get("exact_match") for entry in entries]
    scores = [float(score) for score in printed if score is not None]
    n = int(benchmarks()[benchmark_id]["n_items"])
    assert scores
    assert all(abs(round(score * n / 100) * 100 / n - score) < 6e-4 for score in scores)


@needs_upstream
@pytest.mark.parametrize(
    ("benchmark_id", "path"),
    [
        ("imagenet", "imagenet"),
        ("imagenetv2-mf", "imagenetv2-matched-frequency"),
        ("imagenet-real", "imagenet-real"),
        ("imagenet-a", "imagenet-a"),
        ("imagenet-a-clean", "imagenet-a-clean"),
        ("imagenet-r", "imagenet-r"),
        ("imagenet-r-clean", "imagenet-r-clean"),
        ("imagenet-sketch", "sketch"),
    ],
)
def test_every_timm_score_is_a_count_of_the_images(benchmark_id: str, path: str) -> None:
    text = newest("huggingface/pytorch-image-models", f"results/results-{path}.csv")
    n = int(benchmarks()[benchmark_id]["n_items"])
    scores = [float(row["top1"]) for row in csv.DictReader(io.StringIO(text))]
    assert all(abs(round(score * n / 100) * 100 / n - score) < 6e-4 for score in scores)


@needs_upstream
@pytest.mark.parametrize(
    ("benchmark_id", "task"),
    [
        ("winogrande", "winogrande"),
        ("piqa", "piqa"),
        ("commonsenseqa", "commonsense_qa"),
        ("boolq", "boolq"),
        ("gsm8k", "gsm8k"),
        ("openbookqa", "openbookqa"),
        ("arc-challenge", "arc_challenge"),
    ],
)
def test_harness_splits_follow_from_published_standard_errors(benchmark_id: str, task: str) -> None:
    """The harness prints sqrt(p (1 - p) / (n - 1)), which gives n."""
    results = json.loads(newest("socialfoundations/lm-harmony", "notebooks/all_results.json"))
    errors = results["direct_eval_stderr"][task]
    n = int(benchmarks()[benchmark_id]["n_items"])
    for model, share in results["direct_eval"][task].items():
        if 0 < share < 1:
            assert share * (1 - share) / errors[model] ** 2 + 1 == pytest.approx(n, rel=1e-6)


@needs_upstream
def test_glue_human_scores_are_the_row_of_the_leaderboard() -> None:
    text = newest("socialfoundations/benchbench", "benchbench/data/glue/leaderboard.tsv")
    human = next(row for row in csv.DictReader(io.StringIO(text), delimiter="\t") if "Human" in row["Name"])
    by_id = benchmarks()
    for benchmark_id, column, part in (
        ("glue", "Score", 0),
        ("glue/cola", "CoLA", 0),
        ("glue/sst-2", "SST-2", 0),
        ("glue/mrpc", "MRPC", 1),
        ("glue/sts-b", "STS-B", 0),
        ("glue/qqp", "QQP", 1),
        ("glue/mnli/m", "MNLI-m", 0),
        ("glue/mnli/mm", "MNLI-mm", 0),
        ("glue/qnli", "QNLI", 0),
        ("glue/rte", "RTE", 0),
        ("glue/wnli", "WNLI", 0),
    ):
        printed = float(human[column].split("/")[part])
        assert float(by_id[benchmark_id]["human"]) == pytest.approx(printed / 100, abs=1e-9)


@needs_upstream
def test_imagenet_a_scores_jump_at_their_breakpoint() -> None:
    """Scoring within 200 classes lifts nearly every model, which no re-evaluation does."""
    (commit,) = (
        row["source_url"].rsplit("/", 1)[1]
        for row in rows("breakpoint")
        if (row["board_id"], row["kind"]) == ("timm/imagenet-a", "rules")
    )
    before: dict[tuple[str, str], float] = {}
    for version, text in published("huggingface/pytorch-image-models", "results/results-imagenet-a.csv"):
        now = {(row["model"], row["img_size"]): float(row["top1"]) for row in csv.DictReader(io.StringIO(text))}
        risen = [now[model] - before[model] > 0.5 for model in now.keys() & before.keys()]
        if version == commit:
            assert sum(risen) > 0.9 * len(risen)
            return
        before = now
    pytest.fail("the version of the breakpoint is not there")


@needs_upstream
def test_lmarena_shifts_as_a_whole_at_its_breakpoints_alone_and_the_big_renaming_is_explained_by_the_rules() -> None:
    """Whole-board moves by 2, within the ratings' own error of 2.3, occur in summer 2025 and are no breakpoint."""
    breaks = {
        row["source_url"].rsplit("/", 1)[-1]: row["kind"]
        for row in rows("breakpoint")
        if row["board_id"].startswith("lmarena/")
    }
    before: dict[str, float] = {}
    vanished: dict[str, int] = {}
    shifts: dict[str, float] = {}
    for commit, text in published("fboulnois/llm-leaderboard-csv", "csv/lmsys.csv"):
        entries = list(csv.DictReader(io.StringIO(text)))
        column = "arena_score" if "arena_score" in entries[0] else "arena_elo"
        now = {" ".join(filter(None, normalise(row["model"]))): float(row[column]) for row in entries if row[column]}
        common = now.keys() & before.keys()
        if common:
            moves = [now[model] - before[model] for model in common]
            shifts[commit] = median(moves)
            if commit in breaks:
                assert sum(abs(move - shifts[commit]) <= 1 for move in moves) > 0.9 * len(moves), commit
        vanished[commit] = len(before.keys() - now.keys())
        before = now
    assert {commit: shift for commit, shift in shifts.items() if abs(shift) > 2} == {
        "e49c928ebaa1fd02ceb46d000dbb2118f3bc6624": -3,
        "69c8fa9999a300a57633565022973321d799f3b2": 10,
        "26166d538a76b4b6d2447c6c9253bbdfb1c30a7e": 5,
    }
    assert breaks == dict.fromkeys((commit for commit, shift in shifts.items() if abs(shift) > 2), "scale")
    assert sum(shift == 0 for shift in shifts.values()) == len(shifts) - 8
    assert vanished["1ac6fdb5fe9aea7dd295d50e1af7c381c8ac8cb3"] == 0
    assert vanished["c9f3a88fbcbe27907dcc8c0bb131297d7644e4c3"] == 30


def test_no_lineage_splices_two_releases_of_livebench() -> None:
    """Each release has other questions: a board of its own, however much the site calls all of them LiveBench."""
    registry = curated()
    assert registry.lineage.filter(pl.col("board_id").str.contains("livebench")).is_empty()
    assert registry.benchmark_alias.filter(pl.col("alias_id").str.contains("livebench")).is_empty()


def test_every_breakpoint_of_a_board_that_moved_has_its_address_in_the_lineage() -> None:
    registry = curated()
    of_the_arena = registry.breakpoint.filter(pl.col("board_id").str.contains("/lmarena-text"))
    assert of_the_arena.height >= 10
    assert set(of_the_arena["board_id"]) <= set(registry.lineage["board_id"])


def test_every_bundled_source_is_named_with_where_it_is_published() -> None:
    document = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "data" / "snapshot").glob("*.parquet"):
        assert re.search(rf"^\| {re.escape(path.stem)} \| https://\S+.* \| .+ \|$", document, re.MULTILINE), path.stem


NAMED = ("humaneval", "mmlu", "gsm8k", "math", "swe-bench", "gpqa-diamond", "hellaswag", "mt-bench")


def test_what_is_used_up_names_what_measures_the_same() -> None:
    by_id = benchmarks()
    named = {row["benchmark_id"] for row in rows("successor")}
    assert set(NAMED) <= named
    for row in rows("successor"):
        assert row["benchmark_id"] in by_id
        assert row["successor_id"] in by_id
        assert ADDRESS.fullmatch(row["source_url"])


def test_both_sides_of_a_twin_are_of_one_family() -> None:
    """They share tasks or a pool of them, so that their ends are no independent evidence."""
    by_id = benchmarks()
    family = {row["benchmark_id"]: row["family"] for row in rows("family")}
    pairs = {(row["original_id"], row["other_id"]) for row in rows("twin") if row["original_id"] != row["other_id"]}
    pairs_of_benchmarks = [pair for pair in pairs if all(one in by_id and "/" not in one for one in pair)]
    assert len(pairs_of_benchmarks) >= 20
    assert [pair for pair in pairs_of_benchmarks if family.get(pair[0], pair[0]) != family.get(pair[1], pair[1])] == []
    assert {family[name] for name in ("math", "math-500", "math-level-5", "aime-2026")} == {"contest mathematics"}


def test_every_arena_of_the_official_dataset_leads_the_board_that_others_copy() -> None:
    registry = curated()
    feeds = registry.lineage.filter(
        pl.col("precedence") == "feed", pl.col("board_id").str.starts_with("lmarena-dataset/")
    )
    copied = registry.lineage.filter(pl.col("board_id").str.starts_with("lmarena-daily/"))
    assert copied.height >= 11
    assert set(copied["lineage_id"]) <= set(feeds["lineage_id"])
    names = dict(registry.benchmark_alias.select("alias_id", "benchmark_id").iter_rows())
    for address, shown in feeds.select("board_id", "lineage_id").iter_rows():
        stored = address.split("/")[1]
        assert names.get(stored, stored) == shown.split("/")[1]
