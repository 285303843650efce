"""Real versions of the upstreams' files, where they are at hand: all parse, and say what is known of them."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from itertools import pairwise

import polars as pl
import pytest

from benchhealth.ingest.formats.livebench_tables import CATEGORY_OF
from benchhealth.ingest.source import BundledFile, Files, FromWeb, GithubFile, WebArchive
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import BY_KEY, ROOT, SHARED, resolved

UPSTREAM = SHARED / "upstream"
real = pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the stored upstream files are not here")
KEYS = ["lmarena", "livebench", "new-livebench", "squad", "timm", "epoch", "evalplus"]


@dataclass(frozen=True)
class Version:
    repo: str
    path: str
    committed_on: date
    sha256: str

    def body(self) -> bytes:
        return gzip.decompress((UPSTREAM / "blobs" / self.sha256[:2] / f"{self.sha256}.gz").read_bytes())


@cache
def index() -> tuple[Version, ...]:
    lines = (UPSTREAM / "index.jsonl").read_text().splitlines()
    return tuple(
        Version(
            row["repo"],
            row["path"],
            datetime.fromisoformat(row["committed_at"]).astimezone(UTC).date(),
            row["sha256"],
        )
        for row in map(json.loads, lines)
    )


def follows(file: Files, version: Version) -> bool:
    if isinstance(file, WebArchive):
        folders = [copy.folder for copy in file.copies if copy.repo == version.repo]
        return any(re.fullmatch(re.escape(folder) + rf"(?:{file.pattern})", version.path) for folder in folders)
    if isinstance(file, BundledFile | FromWeb) or file.repo != version.repo:
        return False
    if isinstance(file, GithubFile):
        return file.path == version.path
    return re.fullmatch(file.pattern, version.path) is not None


def versions(key: str, path: str = "") -> Iterator[Version]:
    for version in index():
        if (not path or version.path == path) and any(follows(file, version) for file in BY_KEY[key].files):
            yield version


@cache
def newest(key: str, path: str) -> Resolved:
    version = max(versions(key, path), key=lambda version: version.committed_on)
    return resolved(key, path, version.body(), version.committed_on)


def of(facts: Resolved, benchmark: str) -> pl.DataFrame:
    return facts.results.filter(pl.col("benchmark_id") == benchmark)


def kept_share(facts: list[Resolved]) -> float:
    return sum(fact.results.height + fact.models.height for fact in facts) / sum(fact.rows_in for fact in facts)


@real
@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_every_stored_version_is_read_and_accounted_for(key: str) -> None:
    facts = [resolved(key, version.path, version.body(), version.committed_on) for version in versions(key)]
    assert facts
    assert all(fact.results.height + fact.models.height for fact in facts)
    assert not any(fact.results.select(pl.struct(pl.nth(0, 1, 2, 3)).is_duplicated().any()).item() for fact in facts)
    assert kept_share(facts) > 0.8


@real
@pytest.mark.parametrize("key", KEYS)
def test_the_first_and_the_last_version_of_each_file_are_read(key: str) -> None:
    for path in sorted({version.path for version in versions(key)}):
        in_time = sorted(versions(key, path), key=lambda version: version.committed_on)
        for version in {in_time[0], in_time[-1]}:
            facts = resolved(key, path, version.body(), version.committed_on)
            assert facts.results.height + facts.models.height > facts.rejections.height, (path, version)


@real
def test_squads_year_end_top_tens_and_the_day_that_people_were_passed() -> None:
    results = of(newest("squad", "out-v2.0.json"), "squad-2.0")
    top = {
        year: set(
            results.filter(pl.col("dated_on") <= date(year, 12, 31))
            .group_by("model_id")
            .agg(pl.col("score").max())
            .top_k(10, by="score")["model_id"]
        )
        for year in range(2018, 2024)
    }
    assert [len(top[year] & top[year + 1]) for year in range(2018, 2023)] == [0, 2, 5, 10, 10]
    assert results.filter(pl.col("score") > 0.86831)["dated_on"].min() == date(2019, 3, 20)


@real
def test_humaneval_loses_5_points_to_its_harder_tests() -> None:
    scores = newest("evalplus", "results.json").results.pivot(
        "benchmark_id", index="model_id", values="score_published"
    )
    gap = (scores["humaneval"] - scores["humaneval-plus"]).mean()
    assert gap == pytest.approx(4.97, abs=0.1)


@real
def test_imagenet_and_v2_have_the_same_models_in_the_same_settings() -> None:
    original = of(newest("timm", "results/results-imagenet.csv"), "imagenet")
    other = of(newest("timm", "results/results-imagenetv2-matched-frequency.csv"), "imagenetv2-mf")
    pairs = original.join(other, on=["model_id", "setting"], validate="1:1")
    assert pairs.height == original.height == other.height
    assert (pairs["score_published"] - pairs["score_published_right"]).mean() == pytest.approx(10.86, abs=0.05)


@real
def test_livebenchs_categories_are_those_that_it_publishes() -> None:
    published = [
        version
        for version in index()
        if version.repo == "LiveBench/livebench.github.io"
        and re.fullmatch(r"public/categories_\d{4}_\d\d_\d\d\.json", version.path)
    ]
    assert len(published) >= 10
    for version in published:
        for category, tasks in json.loads(version.body()).items():
            assert {CATEGORY_OF[task] for task in tasks} == {category}
        table = version.path.replace("categories", "table").replace(".json", ".csv")
        # A release may get a column more after its first day, and its categories are published again with it.
        latest = max(versions("livebench", table), key=lambda version: version.committed_on)
        header = latest.body().decode().splitlines()[0].split(",")
        assert set(header[1:]) == {task for tasks in json.loads(version.body()).values() for task in tasks}


@real
def test_lmarena_dropped_thirty_models_and_left_the_scores_as_they_were() -> None:
    around = [
        version for version in versions("lmarena") if date(2025, 2, 10) <= version.committed_on <= date(2025, 2, 17)
    ]
    boards = [
        resolved("lmarena", version.path, version.body()).results.select("published_name", "setting", "score")
        for version in sorted(around, key=lambda version: version.committed_on)
    ]
    dropped = {
        (before.height - before.join(after, on=["published_name", "setting"], how="semi").height)
        for before, after in pairwise(boards)
    }
    assert 30 in dropped


@real
def test_the_papers_table_is_the_papers() -> None:
    paper = json.loads((SHARED / "reference" / "gsm1k_2405.00332v4.json").read_text())
    facts = resolved("gsm1k", "paper_gsm1k.csv", (ROOT / "data/registry/paper_gsm1k.csv").read_bytes())
    for benchmark in ("gsm8k", "gsm1k"):
        ours = of(facts, benchmark)
        assert dict(zip(ours["published_name"], ours["score"], strict=True)) == {
            model["model"]: model[benchmark] for model in paper["models"]
        }
        assert set(ours["n_items"]) == {paper[f"n_{benchmark}"]}
