"""Printed scores of language models, found again in the record: each looks up one cell and shows that names resolve."""

from benchhealth.analytics.reproduction.claim import PRINTED, Claim, Publication, score

GPT_4 = Publication(
    "OpenAI 2023, GPT-4 technical report",
    2023,
    "https://arxiv.org/abs/2303.08774",
    "table 2, in a copy at fliphtml5.com/sbzbs/rzit/gpt-4",
)
MMLU = Publication(
    "Hendrycks et al. 2021, Measuring massive multitask language understanding",
    2021,
    "https://arxiv.org/abs/2009.03300",
    "the table in the readme of hendrycks/test",
)
CHINCHILLA = Publication(
    "Hoffmann et al. 2022, Training compute-optimal large language models",
    2022,
    "https://arxiv.org/abs/2203.15556",
    "the abstract, and the table in the readme of hendrycks/test",
)
QUOTED = "the number as quoted in public repositories; the announcement itself was not opened"
OPUS = Publication(
    "Anthropic 2024, Claude 3 model family", 2024, "https://www.anthropic.com/news/claude-3-family", QUOTED
)
SONNET = Publication(
    "Anthropic 2024, Claude 3.5 Sonnet", 2024, "https://www.anthropic.com/news/claude-3-5-sonnet", QUOTED
)
GPT_4O = Publication("OpenAI 2024, Hello GPT-4o", 2024, "https://openai.com/index/hello-gpt-4o/", QUOTED)
OWN_RUN = "the number on record is an independent run with another prompt, repeated and averaged; 198 questions"
ONE_ERROR = "one binomial standard error at 198 questions: ours is another run of the same questions"

_PRINTED = (
    ("mmlu-gpt-3", "GPT-3", "MMLU", 43.9, MMLU, "table of results", ("mmlu", "text-davinci-001", "")),
    ("mmlu-chinchilla", "Chinchilla", "MMLU", 67.5, CHINCHILLA, "abstract", ("mmlu", "chinchilla-70b", "")),
    ("mmlu-gpt-4", "GPT-4", "MMLU", 86.4, GPT_4, "table 2", ("mmlu", "gpt-4-0314", "")),
    ("hellaswag-gpt-4", "GPT-4", "HellaSwag", 95.3, GPT_4, "table 2", ("hellaswag", "gpt-4-0314", "10-shot")),
    ("winogrande-gpt-4", "GPT-4", "WinoGrande", 87.5, GPT_4, "table 2", ("winogrande", "gpt-4-0314", "")),
    ("arc-challenge-gpt-4", "GPT-4", "ARC's challenge set", 96.3, GPT_4, "table 2", ("arc-challenge", "gpt-4", "")),
    ("gsm8k-gpt-4", "GPT-4", "GSM8K", 92.0, GPT_4, "table 2", ("gsm8k", "gpt-4-0314", "")),
)

_RUN_AGAIN = (
    ("gpqa-opus", "Claude 3 Opus", 50.4, 3.6, OPUS, "claude-3-opus-20240229"),
    ("gpqa-sonnet", "Claude 3.5 Sonnet", 59.4, 3.5, SONNET, "claude-3-5-sonnet-20240620"),
    ("gpqa-gpt-4o", "GPT-4o", 53.6, 3.5, GPT_4O, "gpt-4o-2024-05-13"),
)

CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            claim_id,
            f"{model} scores {value}% on {test}",
            value,
            0.05,
            paper,
            score("epoch", benchmark, stored, setting=setting),
            why="filed under text-davinci-001 in the table on record" if model == "GPT-3" else "",
            kind="looked up",
            place=place,
            within=PRINTED,
        )
        for claim_id, model, test, value, paper, place, (benchmark, stored, setting) in _PRINTED
    ),
    *(
        Claim(
            claim_id,
            f"{model} scores {value}% on GPQA Diamond",
            value,
            within,
            paper,
            score("epoch", "gpqa-diamond", stored),
            why=OWN_RUN,
            kind="looked up",
            place="table of the announcement",
            within=ONE_ERROR,
            null_value=25,
            null_reason="chance, with four answers to choose from",
        )
        for claim_id, model, value, within, paper, stored in _RUN_AGAIN
    ),
)
