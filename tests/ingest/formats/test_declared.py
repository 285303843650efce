"""What is declared for parsers is of a source that is read, complete, and read as it was published."""

import pytest

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.formats.upstream import (
    REGISTRY,
    NamedBenchmark,
    benchmarks_by_name,
    facts_of,
    scales,
    score_tables,
    source_benchmarks,
)
from benchhealth.warehouse.curated.names import read_upstream


def test_every_declaration_is_of_a_source_that_is_read() -> None:
    keys = {source.key for source in SOURCES}
    for frame in vars(read_upstream(REGISTRY)).values():
        assert set(frame["source_id"]) <= keys
        assert frame.height > 0


@pytest.mark.parametrize("source_id", ["epoch", "epoch-hub"])
def test_every_collected_table_has_columns_and_says_who_is_scored(source_id: str) -> None:
    for name, table in score_tables(source_id).items():
        assert table.model_columns, name
        assert table.columns or table.own_run, name


def test_a_part_is_of_the_table_or_of_the_edition_or_a_benchmark_of_its_own() -> None:
    metr = score_tables("epoch-hub")["metr_time_horizons"]
    assert metr.editions == {"": "metr-horizon", "METR-Horizon-v1.1": "metr-horizon-1.1"}
    assert [metr.benchmark_of(column, "metr-horizon-1.1") for column in metr.columns] == [
        "metr-horizon-1.1",
        "metr-horizon-1.1/mean-score",
        "metr-horizon-1.1/p80",
    ]
    _, easy = score_tables("epoch")["arc_ai2"].columns
    assert score_tables("epoch")["arc_ai2"].benchmark_of(easy) == "arc-easy"


def test_a_board_whose_problems_change_is_mentioned_and_not_scored_under_its_bare_name() -> None:
    assert benchmarks_by_name("model-cards", "mention")["livecodebench"] == NamedBenchmark("livecodebench")
    assert "livecodebench" not in benchmarks_by_name("model-cards", "score")
    assert benchmarks_by_name("model-cards", "score")["mathvista_mini"].setting == "subset=testmini"
    assert "mathvista_mini" not in benchmarks_by_name("model-cards", "mention")


def test_a_scale_says_what_differs_and_nothing_else() -> None:
    declared = scales("llm-stats")
    assert declared["gdpval-aa"] == ("rating", True, "")
    assert declared["ci-memories-violation"] == ("", False, "")
    assert declared["livecodebench-pro"] == ("rating", True, "ratings and shares under one name")


def test_facts_are_of_declared_benchmarks_and_of_all_parts() -> None:
    declared = source_benchmarks("epoch")
    measures = dict.fromkeys([("mmlu", "percent"), ("weirdml", "percent"), ("weirdml/a-b", "points"), ("x/y", "rank")])
    weirdml, part, other = facts_of(measures, declared, "https://example.org")
    assert weirdml == declared["weirdml"]
    assert part == weirdml._replace(benchmark="weirdml/a-b", name="WeirdML: a b", metric="a b", unit="points")
    assert (other.name, other.unit, other.paper_url, other.domain) == ("x: y", "rank", "https://example.org", "")
