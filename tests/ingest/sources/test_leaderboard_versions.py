"""Real versions of ten more leaderboards, where they are at hand: all are read, and say what is known of them."""

import polars as pl
import pytest
from scipy.stats import kendalltau

from benchhealth.ingest.rows import PayloadError
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import BY_KEY, accounted, resolved
from tests.ingest.sources.test_versions import newest, of, real, versions
from tests.support.soaking import some

KEYS = [
    "lmarena-tables",
    "lmarena-daily",
    "swe-bench",
    "aider",
    "alpaca-eval",
    "bigcodebench",
    "bfcl",
    "vectara",
    "open-llm",
    "livecodebench",
]


def readable_versions(key: str) -> list[Resolved]:
    """All stored versions but the one that must be refused."""
    selected = [version for version in versions(key) if version.path != "data.csv" or b"Model Link" in version.body()]
    return [resolved(key, version.path, version.body(), version.committed_on) for version in selected]


def version_of(key: str, path: str, day: str) -> Resolved:
    (version,) = (version for version in versions(key, path) if str(version.committed_on) == day)
    return resolved(key, path, version.body(), version.committed_on)


def places(results: pl.DataFrame) -> pl.DataFrame:
    """(model, setting, score, place from 1) of one board, ties on their mean place."""
    return results.select("model_id", "setting", "score", place=pl.col("score").rank(descending=True))


@real
@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_every_stored_version_is_read_and_accounted_for(key: str) -> None:
    for fact in readable_versions(key):
        assert fact.results.height
        assert fact.rows_in == accounted(fact)
        reasons = fact.rejections["reason"]
        unexplained = fact.rejections.filter(
            ~reasons.str.contains(
                "no score|excluded|duplicate of|not run|a cost of 0|different ratings of the same model"
            )
        )
        assert unexplained.height < 0.06 * fact.rows_in


@real
@pytest.mark.parametrize("key", some(KEYS, plain={*KEYS} - {"open-llm"}))
def test_the_last_version_of_each_file_is_read(key: str) -> None:
    paths = sorted({version.path for version in versions(key)})
    for path in {paths[0], paths[-1]}:
        facts = newest(key, path)
        unsaid = facts.rejections["reason"].is_in(["no score"]).sum()
        assert facts.results.height > facts.rejections.height - unsaid


@real
def test_style_control_reorders_the_arena_and_takes_an_experimental_model_from_2_to_15() -> None:
    raw = of(version_of("lmarena-tables", "data/leaderboard-text.json", "2025-04-07"), "lmarena-text-bt")
    controlled = of(
        version_of("lmarena-tables", "data/leaderboard-text-style-control.json", "2025-04-07"),
        "lmarena-text-style-control",
    )
    both = places(raw).join(places(controlled), on=["model_id", "setting"], validate="1:1")
    assert kendalltau(both["score"], both["score_right"]).statistic == pytest.approx(0.916, abs=0.005)
    maverick = both.filter(pl.col("model_id") == "llama-4-maverick-03-26-experimental")
    assert maverick.select("place", "place_right").row(0) == (2, 15)


@real
def test_length_control_reorders_alpaca_eval_whose_first_place_is_a_constant_answer() -> None:
    path = "src/alpaca_eval/leaderboards/data_AlpacaEval_2/weighted_alpaca_eval_gpt4_turbo_leaderboard.csv"
    facts = newest("alpaca-eval", path)
    controlled, raw = of(facts, "alpacaeval-2"), of(facts, "alpacaeval-2-raw")
    both = places(raw).join(places(controlled), on=["model_id", "setting"], validate="1:1")
    assert kendalltau(both["score"], both["score_right"]).statistic == pytest.approx(0.84, abs=0.02)
    assert (both["place"] - both["place_right"]).abs().max() == 50
    assert controlled.sort("score").select("model_id", "kind").row(-1) == ("nullmodel", "cheating")
    assert controlled.filter(pl.col("kind") == "cheating").height == 1


def bfcl_tables() -> list[bytes]:
    """The versions of BFCL's first file, the refused one first."""
    return sorted((version.body() for version in versions("bfcl", "data.csv")), key=lambda body: b"Model Link" in body)


@real
def test_the_table_whose_header_is_shifted_is_refused_and_every_other_is_read() -> None:
    shifted, *others = bfcl_tables()
    with pytest.raises(PayloadError, match="17 cells under 16 columns"):
        resolved("bfcl", "data.csv", shifted)
    assert all(BY_KEY["bfcl"].parse(body, "data.csv").rows for body in others)


@real
@pytest.mark.parametrize("column", range(1, 6))
def test_a_header_shifted_before_the_scores_is_refused_too(column: int) -> None:
    header, rest = bfcl_tables()[-1].decode().split("\n", 1)
    names = header.strip().split(",")
    shifted = [*names[:column], *names[column + 1 :], "Unnamed"]
    with pytest.raises(PayloadError):
        BY_KEY["bfcl"].parse((",".join(shifted) + "\n" + rest).encode(), "data.csv")


@real
def test_the_open_llm_leaderboard_flags_the_models_that_prove_contamination() -> None:
    facts = newest("open-llm", "csv/huggingface_v1.csv")
    flagged = facts.rejections.filter(pl.col("reason") == "excluded: flagged by the leaderboard")
    averages = flagged.filter(pl.col("source_row").str.ends_with("average"))
    assert averages.height == 109
    assert averages["published"].str.contains("Contamination/contaminated_proof_7b_v1.0").sum() == 2
    assert not of(facts, "openllm-v1")["published_name"].str.contains("contaminated_proof").any()


@real
def test_what_was_filed_at_one_instant_has_no_day() -> None:
    facts = newest("open-llm", "csv/huggingface_v1.csv")
    averages = of(facts, "openllm-v1")
    assert averages.filter(published_name="jondurbin/airoboros-13b-gpt4-1.1")["dated_on"].to_list() == [None]
    per_day = averages.drop_nulls("dated_on").group_by("dated_on").len()
    assert averages["dated_on"].null_count() == 1542 and per_day["len"].max() == 64


@real
def test_zeros_in_gsm8k_stay_where_a_model_guesses_and_go_where_it_does_not() -> None:
    facts = newest("open-llm", "csv/huggingface_v1.csv")
    zeros = of(facts, "openllm-v1/gsm8k").filter(pl.col("score") == 0)
    refused = facts.rejections.filter(pl.col("reason").str.starts_with("0 in GSM8K"))
    mmlu = of(facts, "openllm-v1/mmlu").select("model_id", "setting", mmlu="score")
    assert zeros.join(mmlu, on=["model_id", "setting"], validate="1:1")["mmlu"].max() <= 0.3
    assert refused.filter(pl.col("source_row").str.ends_with("gsm8k")).height == 141
    flagged_or_twice = 582 - 141 - zeros.height
    assert 0 <= flagged_or_twice < 20


@real
def test_a_model_does_worse_on_problems_newer_than_itself() -> None:
    facts = newest("livecodebench", "src/mocks/performances_generation.json")
    assert of(facts, "livecodebench")["n_items"].unique().to_list() == [1055]
    scores = facts.results.filter(pl.col("model_id") == "gpt-4o-2024-08-06")
    by_half = dict(scores.select("benchmark_id", "score").iter_rows())
    assert by_half["livecodebench/2025h1"] < by_half["livecodebench/2023h1"]


@real
def test_swe_bench_submissions_of_one_name_and_day_are_told_apart() -> None:
    for version in versions("swe-bench"):
        facts = resolved("swe-bench", version.path, version.body(), version.committed_on)
        assert not facts.rejections["reason"].str.contains("second value").any()
