"""One word for what sources spell in several ways; what no list has stays, and is listed."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.words import KINDS, WORD, in_words, unknown_words
from tests.support.curated_facts import curated

WORDS = curated().word
BENCHMARK = pl.Schema({"benchmark_id": pl.String(), "domain": pl.String(), "modality": pl.String()})
MODEL = pl.Schema({"model_id": pl.String(), "organisation": pl.String()})


def worded(kind: str, *spellings: str | None) -> list[str | None]:
    table = pl.DataFrame({kind: list(spellings)}, schema={kind: pl.String()})
    return in_words(table, WORDS)[kind].to_list()


@pytest.mark.parametrize(
    ("kind", "word", "spellings"),
    [
        ("domain", "mathematics", ("math", "mathematics", "math-multilingual")),
        ("domain", "code", ("coding", "code")),
        ("domain", "agentic-code", ("agentic coding", "agentic-code")),
        ("domain", "commonsense", ("common-sense", "commonsense")),
        ("domain", "summarization", ("summarisation", "summarization")),
        ("domain", "language-modeling", ("language-modelling", "language-modeling")),
        ("domain", "instruction-following", ("if", "instruction-following")),
        ("modality", "multimodal", ("image+text", "multimodal")),
        ("organisation", "Google", ("Google DeepMind", "google", "DeepMind", "Google A.I.")),
        ("organisation", "Meta", ("Meta-Llama", "meta", "Facebook AI Research", "FAIR")),
        ("organisation", "Z.ai", ("Z.ai", "zai", "ZhipuAI", "Zhipu AI", "THUDM")),
        ("organisation", "xAI", ("xAI", "xai", "x-ai")),
        ("organisation", "Mistral AI", ("mistral", "mistralai", "Mistral AI")),
        ("organisation", None, ("anonymous", "N/A", "Unknown", "in review")),
    ],
)
def test_spellings_of_one_word(kind: str, word: str | None, spellings: tuple[str, ...]) -> None:
    assert worded(kind, *spellings) == [word] * len(spellings)


def test_what_no_list_has_stays_and_is_listed_most_frequent_first() -> None:
    assert worded("organisation", "Alder Labs", None, "通义") == ["Alder Labs", None, "通义"]
    benchmark = pl.DataFrame([("a", "math", "text"), ("b", "tapestry", "smell")], schema=BENCHMARK, orient="row")
    model = pl.DataFrame(
        [("m", "Alder Labs"), ("n", "Birch"), ("o", "Birch"), ("p", "Google"), ("q", None)], schema=MODEL, orient="row"
    )
    assert unknown_words(benchmark, model, WORDS).rows() == [
        ("domain", "tapestry", 1),
        ("modality", "smell", 1),
        ("organisation", "Birch", 2),
        ("organisation", "Alder Labs", 1),
    ]


@given(st.sampled_from(KINDS), st.text(max_size=12))
def test_saying_it_twice_changes_nothing(kind: str, text: str) -> None:
    (once,) = worded(kind, text)
    assert worded(kind, once) == [once]


def test_a_registry_without_words_changes_nothing() -> None:
    table = pl.DataFrame([("m", "google")], schema=MODEL, orient="row")
    assert in_words(table, pl.DataFrame(schema=WORD)).equals(table)


def test_each_list_is_closed_and_the_registry_speaks_its_words() -> None:
    registry = curated()
    for kind in KINDS:
        listed = WORDS.filter(pl.col("kind") == kind)
        assert set(listed["word"].drop_nulls()) <= set(listed["spelling"])
    benchmarks = registry.benchmark.select(pl.lit("x").alias("benchmark_id"), "domain", "modality")
    assert unknown_words(benchmarks, registry.model.select("model_id", "organisation"), WORDS).is_empty()


def test_no_maker_is_written_in_small_letters() -> None:
    listed = WORDS.filter(pl.col("kind") == "organisation").drop_nulls("word")
    assert listed.filter(~pl.col("word").str.contains(r"\p{Lu}")).is_empty()
    assert worded("organisation", "openlm-research", "Google Brain & CMU", "DeepSeek,Peking University") == [
        "UC Berkeley",
        "Google & Carnegie Mellon University",
        "DeepSeek & Peking University",
    ]
