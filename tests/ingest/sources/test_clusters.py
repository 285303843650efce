"""What the problems of programming tests belong to: the repository, or the contest, that they were taken from."""

import json
from collections import Counter

import pytest

from benchhealth.ingest.formats.by_item.repositories import repositories
from benchhealth.ingest.sources import livecodebench, swe_bench, swe_bench_live
from tests.support.upstream import needs_upstream, versions


@pytest.mark.parametrize(
    ("problems", "named"),
    [
        (["oak__tree-7", "oak__big-tree-12"], ("oak/tree", "oak/big-tree")),
        (["big_oak__tree_house-7"], ("big_oak/tree_house",)),
        (["oak__tree-7", "oak-tree-8"], ()),
        (["oak__tree"], ()),
        ([], ()),
    ],
)
def test_a_problem_names_its_repository_or_no_problem_of_the_list_does(
    problems: list[str], named: tuple[str, ...]
) -> None:
    assert repositories(problems) == named


def test_problems_of_one_day_and_platform_are_of_one_contest() -> None:
    entry = {"model": "Alder", "date": 1_692_662_400_000, "difficulty": "easy", "platform": "atcoder", "pass@1": 100.0}
    changes = [
        {"question_id": "1"},
        {"question_id": "2", "platform": "leetcode"},
        {"question_id": "3", "difficulty": "hard"},
    ]
    document = {"performances": [entry | change for change in changes], "models": [{"model_repr": "Alder"}]}
    parsed = livecodebench.parse(json.dumps(document).encode(), "performances_generation.json").items[0]
    assert parsed.clusters == ("atcoder 2023-08-22", "leetcode 2023-08-22", "atcoder 2023-08-22")


@needs_upstream
def test_real_problems_have_a_repository_or_a_contest() -> None:
    bench = versions("SWE-bench/swe-bench.github.io", "data/leaderboards.json")[-1]
    lists = swe_bench.parse(bench.body, "data/leaderboards.json").items
    assert {len(set(items.clusters)) for items in lists} == {12}  # SWE-bench's twelve repositories
    assert {len(items.clusters) for items in lists} == {500}
    live = versions("SWE-bench-Live/swe-bench-live.github.io", "reports-0605.jsonl")[-1]
    assert all(len(items.clusters) == len(items.items) for items in swe_bench_live.parse(live.body, "reports").items)
    code = versions("LiveCodeBench/livecodebench.github.io", "src/mocks/performances_generation.json")[-1]
    sizes = Counter(livecodebench.parse(code.body, "performances").items[0].clusters)
    assert sum(sizes.values()) > 1_000
    assert max(sizes.values()) < 20
