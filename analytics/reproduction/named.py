"""Published results whose tables are not on record: cited with what is missing, and never counted as held."""

from dataclasses import replace

from benchhealth.analytics.reproduction.claim import Claim, Publication, cited

IMAGENOT = Publication(
    "Salaudeen and Hardt 2024, ImageNot: a contrast with ImageNet preserves model rankings",
    2024,
    "https://arxiv.org/abs/2404.02112",
    "the abstract, at is.mpg.de and at the author's page",
)
SWE_BENCH_PLUS = Publication(
    "Aleithan et al. 2024, SWE-Bench+",
    2024,
    "https://arxiv.org/abs/2410.06992",
    "the abstract, as quoted by eight public repositories",
)
TEST_TASK = Publication(
    "Dominguez-Olmedo, Dorner and Hardt 2025, Training on the test task confounds evaluation and emergence",
    2025,
    "https://arxiv.org/abs/2407.07890",
    "the introduction, in an account at acmrep2026.k117.org",
)
ILLUSION = Publication(
    "Singh et al. 2025, The leaderboard illusion",
    2025,
    "https://arxiv.org/abs/2504.20879",
    "the abstract, as quoted by public repositories",
)

CLAIMS: tuple[Claim, ...] = (
    cited(
        "imagenot-order",
        "Architectures trained anew on ImageNot, a very different data set, rank in 100% of pairs as on ImageNet",
        100,
        IMAGENOT,
        "the paper says that they rank identically; its table of accuracies is in no public file that was found",
    ),
    cited(
        "swe-bench-leakage",
        "In 32.67% of the patches of SWE-Agent with GPT-4 that pass SWE-bench the issue itself gave the solution",
        32.67,
        SWE_BENCH_PLUS,
        "the judgement of each patch is in no public file that was found",
    ),
    *(
        replace(
            cited(
                f"test-task-{name.lower()}",
                f"Of equal pretraining compute, models trained after November 2023 score {value} points more on {name}",
                value,
                TEST_TASK,
                "the scores are public one file a model and task (3,300 files); they and each model's compute are not "
                "on record",
            ),
            place="introduction, 56 models",
            unit="points",
        )
        for name, value in (("MMLU", 7), ("GSM8K", 19))
    ),
    cited(
        "arena-data-openai",
        "OpenAI received 20.4% of the arena's data, by estimate",
        20.4,
        ILLUSION,
        "the battles that the estimate rests on are not public",
    ),
)
