"""Printed scores of language models, found again in the record: each looks up one cell and shows that names resolve."""

from collections.abc import Mapping

from benchhealth.analytics.reproduction.claim import Compute, score

COMPUTED: Mapping[str, Compute] = {
    "mmlu-gpt-3": score("epoch", "mmlu", "text-davinci-001"),
    "mmlu-chinchilla": score("epoch", "mmlu", "chinchilla-70b"),
    "mmlu-gpt-4": score("epoch", "mmlu", "gpt-4-0314"),
    "hellaswag-gpt-4": score("epoch", "hellaswag", "gpt-4-0314", setting="10-shot"),
    "winogrande-gpt-4": score("epoch", "winogrande", "gpt-4-0314"),
    "arc-challenge-gpt-4": score("epoch", "arc-challenge", "gpt-4"),
    "gsm8k-gpt-4": score("epoch", "gsm8k", "gpt-4-0314"),
    "gpqa-opus": score("epoch", "gpqa-diamond", "claude-3-opus-20240229"),
    "gpqa-sonnet": score("epoch", "gpqa-diamond", "claude-3-5-sonnet-20240620"),
    "gpqa-gpt-4o": score("epoch", "gpqa-diamond", "gpt-4o-2024-05-13"),
}
