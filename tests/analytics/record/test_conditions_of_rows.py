"""Conditions of results as they stand in the record: attempts, tuning, shots, subsets, scaffolds, metrics."""

import polars as pl
import pytest

from benchhealth.analytics.record.conditions.recognise import with_condition
from benchhealth.analytics.record.conditions.references import curated_references
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.lineages.one_id import in_one_id
from benchhealth.warehouse.registry import Registry
from tests.support.curated_facts import curated
from tests.support.frames import frames, result

Printed = tuple[str, str, str, float, str]
"""Source, benchmark, published name, score as printed, setting."""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return curated()


def held(registry: Registry, *rows: Printed) -> pl.DataFrame:
    facts: Frames = frames(
        result(benchmark_id, name.lower(), score, source_id=source, published_name=name, setting=setting)
        for source, benchmark_id, name, score, setting in rows
    )
    return with_condition(in_one_id(facts.result.collect(), registry.benchmark_alias), registry.condition)


@pytest.mark.parametrize(
    ("row", "condition"),
    [
        (("llm-stats", "hellaswag", "gemma-3n-e4b-it-litert-preview", 0.786, ""), "excluded"),
        (("llm-stats", "bbh", "qwen-2.5-32b-instruct", 0.845, ""), "excluded"),
        (("llm-stats", "mmlu-pro", "qwen-2.5-32b-instruct", 0.69, ""), "no tools"),
        (("llm-stats", "triviaqa", "mistral-small-3.1-24b-instruct-2503", 0.805, ""), "excluded"),
        (("llm-stats", "gsm8k", "mimo-v2.5-pro", 0.996, ""), "excluded"),
        (("llm-stats", "mmlu", "ernie-4.5", 0.419, ""), "excluded"),
        (("llm-stats", "math", "llama-4-scout", 0.503, "4-shot em_maj1@1"), "excluded"),
        (("llm-stats", "mgsm", "llama-4-scout", 0.906, "0-shot"), "no tools"),
        (("llm-stats", "mmlu", "qwen-2.5-coder-32b-instruct", 0.751, ""), "excluded"),
        (("llm-stats", "swe-bench-verified", "mimo-v2.5-pro", 0.357, ""), "excluded"),
        (("llm-stats", "swe-bench-verified", "mimo-v2.5-pro", 0.789, ""), "maker's own scaffold"),
        (("epoch", "winogrande", "Llama-3.1-405B", 89.2, "5-shot"), "excluded"),
        (("epoch", "mmlu", "Qwen-14B", 53.4, "5-shot"), "excluded"),
        (("epoch", "mmlu", "Qwen-14B", 66.3, "5-shot"), "no tools"),
        (("epoch-hub", "bbh", "Llama-3.1-405B", 0.829, "3-shot"), "no tools"),
        (("epoch", "arc-challenge", "DeepSeek-V3", 95.3, "25-shot"), "excluded"),
        (("epoch-hub", "triviaqa", "DeepSeek-V3", 0.829, "5-shot"), "excluded"),
        (("epoch", "hellaswag", "DeepSeek-V3", 88.9, "10-shot"), "excluded"),
        (("epoch", "mmlu", "DeepSeek-V3", 87.1, "5-shot"), "excluded"),
        (("epoch", "mmlu", "DeepSeek-V3", 87.2, "5-shot"), "no tools"),
        (("epoch", "mmlu", "Mistral-7B-Instruct-v0.2", 62.5, "5-shot"), "excluded"),
        (("epoch-hub", "piqa", "Mistral-7B-Instruct-v0.1", 0.822, ""), "excluded"),
        (("epoch", "piqa", "Mistral-7B-Instruct-v0.2", 82.2, "0-shot"), "excluded"),
        (("llm-stats", "aime-2025", "nemotron-3-nano-30b-a3b", 0.992, ""), "tools"),
        (("llm-stats", "aime-2025", "gpt-oss-20b-high", 0.987, ""), "tools"),
        (("llm-stats", "llm-stats-gpqa", "gpt-oss-20b-high", 0.742, ""), "tools"),
        (("llm-stats", "aime-2025", "gpt-oss-120b", 0.925, ""), "as reported"),
        (("llm-stats", "hle", "nemotron-3-nano-30b-a3b", 0.155, ""), "tools"),
        (("llm-stats", "llm-stats-gpqa", "nemotron-3-nano-30b-a3b", 0.75, ""), "tools"),
        (("milestones", "gsm8k", "PaLM-540B", 74.4, "majority of 40"), "no tools, several attempts"),
        (("milestones", "gsm8k", "Minerva-540B", 78.5, "majority of k samples"), "no tools, several attempts"),
        (
            ("milestones", "gsm8k", "Chinchilla", 87.3, "fine-tuned, reranked by a reward model"),
            "no tools, fine-tuned, several attempts",
        ),
        (("milestones", "imagenet", "Five Base + Five HiRes", 66.3, ""), "standard, ensemble"),
        (("milestones", "imagenet", "ViT-L + 2 more", 66.3, ""), "standard"),
        (
            ("milestones", "openbookqa", "PaLM 540B (Self Improvement)", 93.0, "self-improved, chain of thought"),
            "no tools, fine-tuned",
        ),
        (("milestones", "math", "Minerva-540B", 50.3, "majority of k samples"), "no tools, several attempts"),
        (("llm-stats", "math", "mistral-small-24b-base-2501", 0.4598, "5-shot, MaJ"), "no tools, several attempts"),
        (("llm-stats", "math", "llama-3.1-405b", 0.738, "0-shot, em_maj1@1"), "no tools"),
        (("llm-stats", "gsm8k", "mistral-large", 0.93, "5-shot, maj@1"), "no tools"),
        (
            ("milestones", "mbpp", "LaMDA-137B", 59.6, "few-shot, any of its samples right"),
            "no tools, several attempts",
        ),
        (("milestones", "humaneval", "code-davinci-002", 65.8, "CodeT"), "no tools, several attempts"),
        (("llm-stats", "gpqa-diamond", "claude-3-7-sonnet-20250219", 0.848, "Diamond"), "no tools, several attempts"),
        (
            (
                "model-cards",
                "gpqa-diamond",
                "Claude Opus 4",
                79.6,
                "extended thinking up to 64K tokens, no parallel test-time compute",
            ),
            "no tools",
        ),
        (("milestones", "imagenet", "AlexNet", 64.0, "ensemble of 7"), "standard, ensemble"),
        (
            ("forecastbench", "forecastbench-baseline/market", "LLM Crowd (a, b) median", 61.0, ""),
            "standard, ensemble",
        ),
        (("milestones", "boolq", "ST-MoE-32B", 92.4, ""), "no tools, fine-tuned"),
        (("milestones", "commonsenseqa", "UnifiedQA", 79.1, ""), "no tools"),
        (("milestones", "commonsenseqa", "CAGE-reasoning", 64.7, ""), "excluded"),
        (("milestones", "commonsenseqa", "KEAR", 89.4, "ensemble"), "no tools, ensemble"),
        (("milestones", "vqa-v2", "MUTAN", 67.4, ""), "excluded"),
        (("milestones", "hellaswag", "MUPPET Roberta Large", 86.4, ""), "no tools, fine-tuned"),
        (("epoch-hub", "boolq", "t5-3b", 0.899, ""), "no tools, fine-tuned"),
        (("epoch", "boolq", "T5-3B", 89.9, ""), "no tools, fine-tuned"),
        (("epoch-hub", "boolq", "palm-2-l", 0.909, "1-shot"), "no tools"),
        (("milestones", "superglue", "T5-11B", 89.3, "fine-tuned"), "standard"),
        (("milestones", "mmlu", "UnifiedQA", 48.9, "fine-tuned on other tasks"), "no tools"),
        (("milestones", "lambada", "PaLM-540B", 89.7, "few-shot"), "standard, few-shot"),
        (("epoch-hub", "lambada", "gopher-280b", 0.745, "0-shot"), "standard, zero-shot"),
        (("epoch-hub", "openbookqa", "phi-2", 0.736, "10-shot"), "no tools, few-shot"),
        (("llm-stats", "tau2-bench", "gemma-4-31b-it", 0.864, ""), "standard, retail only"),
        (("model-cards", "tau2-bench", "Gemma 4 31B", 76.9, "average over 3"), "standard"),
        (("llm-stats", "tau2-bench", "gemini-3.1-pro-preview", 0.993, ""), "standard, telecom only"),
        (("llm-stats", "tau2-bench/telecom", "o3", 0.582, "Function calling benchmark (telecom domain)"), "standard"),
        (
            ("tau2", "tau2-bench-voice/retail", "pine", 60.0, "user simulator=v1.0, scaffold=custom"),
            "scaffold custom, simulated user v1.0",
        ),
        (("epoch-hub", "video-mme/long", "gemini-1.5-pro-001-feb24", 0.674, ""), "excluded"),
        (("llm-stats", "tau-bench/retail", "gpt-4.1", 0.68, "Avg 5 runs, no custom tools/prompting"), "as reported"),
        (("llm-stats", "swe-bench-multilingual", "deepseek-v3.1", 0.545, "Agent mode"), "as reported"),
        (("llm-stats", "swe-bench-verified", "kimi-k2-instruct", 0.518, "scaffold=Agentless"), "Agentless"),
        (("llm-stats", "swe-bench-verified", "gpt-5", 0.749, ""), "maker's own scaffold"),
        (("openhands-index", "swe-bench-verified", "gpt-5", 0.7, "scaffold=OpenHands 1.8.3"), "OpenHands"),
        (
            ("model-cards", "mmmlu", "Claude Opus 4", 88.8, "subset=14 languages, 14 non-English languages"),
            "no tools",
        ),
        (("llm-stats", "truthfulqa", "phi-4-mini", 0.664, "MC2, 10-shot"), "no tools, MC2"),
        (("llm-stats", "truthfulqa", "mai-thinking-1", 0.88, ""), "no tools, metric not stated"),
    ],
)
def test_a_row_says_under_what_it_was_measured(registry: Registry, row: Printed, condition: str) -> None:
    assert held(registry, row)["condition"].to_list() == [condition]


def test_epochs_runs_of_swe_bench_verified_are_of_484_problems(registry: Registry) -> None:
    row = held(registry, ("epoch", "swe-bench-verified", "claude-opus-4", 0.622, "")).row(0, named=True)
    assert (row["condition"], row["n_items"]) == ("Epoch's scaffold, 484 of 500 problems", 484)


def test_livecodebench_has_one_id_and_says_of_which_problems_a_row_is(registry: Registry) -> None:
    rows = held(
        registry,
        ("livecodebench", "livecodebench", "O3-Mini", 0.7, ""),
        ("llm-stats", "llm-stats-livecodebench", "deepseek-r1", 0.659, ""),
        ("llm-stats", "llm-stats-livecodebench", "glm-4.5", 0.729, "2407-2501"),
        ("llm-stats", "llm-stats-livecodebench", "magistral-small-2506", 0.513, "v5"),
        ("model-cards", "model-cards-livecodebench", "Gemini 2.5 Pro", 0.69, "1/1/2025-5/1/2025 window"),
    )
    assert set(rows["benchmark_id"]) == {"livecodebench"}
    assert rows["condition"].to_list() == [
        "no tools, the board's problems",
        "no tools, problems not stated",
        "no tools, problems of 2407-2501",
        "no tools, v5",
        "no tools, problems of 1/1/2025-5/1/2025",
    ]


@pytest.mark.parametrize("word", ["several attempts", "ensemble", "fine-tuned"])
def test_no_benchmark_is_judged_by_several_attempts_or_by_tuned_models(registry: Registry, word: str) -> None:
    assert curated_references(registry.condition).filter(pl.col("curators").str.contains(word)).is_empty()
