"""Real files of papers and cross-sections, where they are at hand: they are read, and give the published numbers."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, linregress, norm

from benchhealth.ingest.sources import lm_harmony
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import ROOT, resolved
from tests.ingest.sources.test_versions import newest, of, real, versions

KEYS = [
    "imagenet-testbed",
    "lm-harmony",
    "llm-stats",
    "ito",
    "sota-extractor",
    "nlp-progress",
    "saturation-annotations",
    "benchbench",
]
EXPLAINED = "no score|excluded|duplicate of|second value|unknown whether more|no model name|polarity|cells under"


def pairs(facts: Resolved, original: str, other: str) -> tuple[np.ndarray, np.ndarray]:
    """The scores of the models in both benchmarks, as fractions."""
    both = of(facts, original).join(of(facts, other), on=["model_id", "setting"], validate="1:1")
    return both["score"].to_numpy(), both["score_right"].to_numpy()


@real
@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_every_stored_file_is_read_and_accounted_for(key: str) -> None:
    facts = [resolved(key, version.path, version.body(), version.committed_on) for version in versions(key)]
    reasons = pl.concat([fact.rejections for fact in facts])["reason"]
    assert sum(fact.results.height for fact in facts) > 250
    assert (~reasons.str.contains(EXPLAINED)).sum() < 0.04 * sum(fact.rows_in for fact in facts)


@real
def test_the_testbeds_line_from_imagenet_to_v2_is_the_published_one() -> None:
    x, y = pairs(newest("imagenet-testbed", "robustness_top1s.csv"), "imagenet", "imagenetv2-mf")
    line, probits = linregress(x, y), linregress(norm.ppf(x), norm.ppf(y))
    assert x.size == 335
    assert line.slope == pytest.approx(0.875, abs=0.005)
    assert line.rvalue**2 == pytest.approx(0.996, abs=0.001)
    assert (probits.slope, probits.intercept) == pytest.approx((0.915, -0.284), abs=0.001)
    assert probits.rvalue**2 == pytest.approx(0.999, abs=0.001)


def test_cifar_10_loses_8_points_to_its_first_replica() -> None:
    facts = resolved("cifar", "paper_cifar.csv", (ROOT / "data/registry/paper_cifar.csv").read_bytes())
    x, y = pairs(facts, "cifar-10", "cifar-10.1-v4")
    assert linregress(x, y).slope == pytest.approx(1.617, abs=0.01)
    assert 100 * (x - y).mean() == pytest.approx(8.11, abs=0.005)


def test_imagenet_loses_more_to_matched_frequency_than_to_the_easier_samplings() -> None:
    body = (ROOT / "data/registry/paper_imagenet_v2.csv").read_bytes()
    facts = resolved("imagenet-v2-recht", "paper_imagenet_v2.csv", body)
    gaps = {}
    for other in ("imagenetv2-mf", "imagenetv2-threshold-0.7", "imagenetv2-top-images"):
        x, y = pairs(facts, "imagenet", other)
        gaps[other] = (x - y).mean()
        assert x.size == 65
    assert gaps["imagenetv2-mf"] > gaps["imagenetv2-threshold-0.7"] > 0 > gaps["imagenetv2-top-images"]


@real
@pytest.mark.parametrize(("ending", "published"), [("", 0.517), ("-tuned", 0.755)])
def test_tasks_agree_on_models_more_after_equal_preparation(ending: str, published: float) -> None:
    facts = newest("lm-harmony", "notebooks/all_results.json")
    key = next(key for key, suffix in lm_harmony.PREPARATIONS.items() if suffix == ending)
    wanted = [lm_harmony.benchmark_of(key, task) for task in lm_harmony.TASKS]
    scores = (
        facts.results.filter(pl.col("benchmark_id").is_in(wanted))
        .pivot("benchmark_id", index="model_id", values="score")
        .drop("model_id")
    )
    assert scores.shape == (61, 24)
    taus = [kendalltau(one, other).statistic for one, other in combinations(scores.to_numpy().T, 2)]
    assert float(np.mean(taus)) == pytest.approx(published, abs=0.005)


@real
def test_imagenet_rose_from_63_to_90_in_ten_years_of_papers_with_code() -> None:
    facts = newest("ito", "notebooks/global_dynamics/data/example/imagenet_all_results.csv")
    results = of(facts, "imagenet").sort("dated_on", "score_published")
    assert results.select("published_name", "score_published").row(0) == ("AlexNet", 63.3)
    assert str(results["dated_on"][0]) == "2012-12-01"
    assert results["score_published"].max() == 90.45


@real
def test_llm_stats_are_2224_scores_and_nearly_all_of_them_the_makers_own() -> None:
    facts = [
        resolved("llm-stats", version.path, version.body())
        for version in versions("llm-stats")
        if version.path.endswith(".json")
    ]
    results = pl.concat([fact.results for fact in facts])
    assert sum(fact.rows_in - fact.models.height for fact in facts) == 2224
    assert sum(fact.models.height for fact in facts) == 169
    assert (results["reporter"] == "self").mean() > 0.99
    assert results.filter(pl.col("score_published") > 1)["benchmark_id"].unique().to_list() == ["llm-stats-cfeval"]


@real
def test_the_crawl_of_llm_stats_carries_on_under_the_same_ids() -> None:
    (crawled,) = (version for version in versions("llm-stats") if version.path.endswith(".csv"))
    new = resolved("llm-stats", crawled.path, crawled.body(), crawled.committed_on)
    assert new.results.height + new.rejections.height + new.models.height == new.rows_in
    assert (new.results["reporter"] == "self").mean() > 0.97
    reasons = new.rejections["reason"]
    assert (reasons == "above the largest score, which is 1.0").sum() == 5
    old = {
        benchmark
        for version in versions("llm-stats")
        if version.path.endswith("/benchmarks.json")
        for benchmark in resolved("llm-stats", version.path, version.body()).results["benchmark_id"]
    }
    now = set(new.results["benchmark_id"])
    # GPQA's Diamond is told apart by a method that the crawl leaves out; the others have left the list.
    assert old - now == {
        "gpqa-diamond",
        "llm-stats-mmbench-test",
        "llm-stats-multichallenge-o3-mini-grader",
        "llm-stats-scale-multichallenge",
    }
    assert len(now) > 640


@real
def test_glues_human_line_is_kept_as_human() -> None:
    results = newest("benchbench", "benchbench/data/glue/leaderboard.tsv").results
    people = results.filter(kind="human")
    assert people["model_id"].unique().to_list() == ["glue-human-baselines"]
    assert people.filter(benchmark_id="glue")["score_published"].item() == 87.1
