"""The explicit catalogue of sources: one line each, no discovery."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from ingest.rows import Parsed
from ingest.sources import (
    aider,
    alpaca_eval,
    benchbench,
    bfcl,
    bigcodebench,
    cifar,
    eee,
    epoch,
    evalplus,
    gsm1k,
    helm_config,
    imagenet_testbed,
    imagenet_v2_recht,
    ito,
    livebench,
    livecodebench,
    llm_stats,
    lm_contamination,
    lm_harmony,
    lmarena,
    lmarena_daily,
    lmarena_tables,
    mteb,
    nlp_progress,
    open_llm,
    saturation_annotations,
    sota_extractor,
    squad,
    swe_bench,
    timm,
    vectara,
)

Parse = Callable[[bytes, str], Parsed]


@dataclass(frozen=True)
class GithubFile:
    """One file of a public repository, followed commit by commit."""

    board_id: str
    repo: str
    branch: str
    path: str
    media_types: tuple[str, ...] = ("text/plain", "text/csv", "application/json")


@dataclass(frozen=True)
class GithubTree:
    """All files of a repository whose path matches `pattern` (a full regex match).

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern.
    """

    board_id: str
    repo: str
    branch: str
    pattern: str


@dataclass(frozen=True)
class GithubArchive:
    """A repository taken whole: at every commit of an anchor file, all members matching `pattern`, from one archive.

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern. With `folder`, a full regex match too, the
    members of each folder whose path it matches are one file under that path, and `board_id` takes the groups of
    `folder`: for repositories of very many small files.
    """

    board_id: str
    repo: str
    branch: str
    anchors: tuple[str, ...]
    pattern: str
    folder: str = ""


@dataclass(frozen=True)
class BundledFile:
    """Facts of a paper that the project keeps in data/registry; `url` is the paper, `published_on` its date."""

    board_id: str
    path: str
    url: str
    published_on: date


Files = GithubFile | GithubTree | GithubArchive | BundledFile


@dataclass(frozen=True)
class Source:
    """One upstream: who it is, what may be done with it, where its files are and how they are read."""

    key: str
    title: str
    homepage: str
    licence: str
    redistributable: bool
    cadence: str
    files: tuple[Files, ...]
    parse: Parse


_TIMM = "huggingface/pytorch-image-models"
_ARENA = "lmarena/arena-catalog"
_FBOULNOIS = "fboulnois/llm-leaderboard-csv"

SOURCES: tuple[Source, ...] = (
    Source(
        key="lmarena",
        title="LMArena (Chatbot Arena), text leaderboard",
        homepage="https://github.com/fboulnois/llm-leaderboard-csv",
        licence="MPL-2.0",
        redistributable=True,
        cadence="daily until 2025-04",
        files=(GithubFile("lmarena/lmarena-text", "fboulnois/llm-leaderboard-csv", "main", "csv/lmsys.csv"),),
        parse=lmarena.parse,
    ),
    Source(
        key="livebench",
        title="LiveBench",
        homepage="https://livebench.ai",
        licence="Apache-2.0",
        redistributable=True,
        cadence="weekly",
        files=(
            GithubTree(
                "livebench/livebench-{0}-{1}-{2}",
                "LiveBench/livebench.github.io",
                "main",
                r"public/table_(\d{4})_(\d{2})_(\d{2})\.csv",
            ),
        ),
        parse=livebench.parse,
    ),
    Source(
        key="squad",
        title="SQuAD leaderboards",
        homepage="https://rajpurkar.github.io/SQuAD-explorer/",
        licence="MIT",
        redistributable=True,
        cadence="closed since 2023",
        files=(
            GithubFile("squad/squad-1.1", "rajpurkar/SQuAD-explorer", "master", "out-v1.1.json"),
            GithubFile("squad/squad-2.0", "rajpurkar/SQuAD-explorer", "master", "out-v2.0.json"),
        ),
        parse=squad.parse,
    ),
    Source(
        key="timm",
        title="PyTorch Image Models, results",
        homepage="https://github.com/huggingface/pytorch-image-models",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a year",
        files=tuple(
            GithubFile(f"timm/{benchmark}", _TIMM, "main", f"results/{name}")
            for name, (benchmark, _) in timm.BENCHMARKS.items()
        ),
        parse=timm.parse,
    ),
    Source(
        key="epoch",
        title="Epoch AI, benchmark data",
        homepage="https://github.com/epoch-research/benchmark-stitching",
        licence="MIT",
        redistributable=True,
        cadence="some times a year",
        files=(
            GithubArchive(
                "epoch/{0}",
                "epoch-research/benchmark-stitching",
                "main",
                ("data/benchmarks_runs.csv", "data/benchmark_optim.csv"),
                r"data/(external_benchmark_\w+|benchmarks_runs|model_versions)\.csv",
            ),
        ),
        parse=epoch.parse,
    ),
    Source(
        key="evalplus",
        title="EvalPlus",
        homepage="https://evalplus.github.io",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a year",
        files=tuple(
            GithubFile("evalplus/results", "evalplus/evalplus.github.io", "main", name)
            for name in ("results.json", *evalplus.CSV_BENCHMARKS)
        ),
        parse=evalplus.parse,
    ),
    Source(
        key="gsm1k",
        title="GSM8K and GSM1k side by side (Zhang et al. 2024)",
        homepage=gsm1k.PAPER,
        licence="CC-BY-4.0",
        redistributable=True,
        cadence="once",
        files=(
            # The month of the paper's number: the day of its fourth version is not on record here.
            BundledFile("gsm1k/gsm1k", "data/registry/paper_gsm1k.csv", gsm1k.PAPER, date(2024, 5, 1)),
        ),
        parse=gsm1k.parse,
    ),
    Source(
        key="lmarena-tables",
        title="LMArena's own tables: Elo, MT-bench and MMLU, later ratings with and without style control",
        homepage="https://github.com/lmarena/arena-catalog",
        licence="Apache-2.0",
        redistributable=True,
        cadence="closed since 2025-05",
        files=(
            GithubTree("lmarena-tables/tables", _ARENA, "main", r"leaderboard_table_\d{8}(?:-\d+)?\.csv"),
            GithubFile("lmarena-tables/lmarena-text-bt", _ARENA, "main", "data/leaderboard-text.json"),
            GithubFile(
                "lmarena-tables/lmarena-text-style-control", _ARENA, "main", "data/leaderboard-text-style-control.json"
            ),
        ),
        parse=lmarena_tables.parse,
    ),
    Source(
        key="lmarena-daily",
        title="LMArena's text leaderboards by category, day by day",
        homepage="https://github.com/Scarlett9826/arena-ai-leaderboards",
        licence="MIT",
        redistributable=True,
        cadence="daily",
        files=tuple(
            GithubTree(
                f"lmarena-daily/{benchmark}",
                "Scarlett9826/arena-ai-leaderboards",
                "main",
                rf"data/lmarena/\d{{4}}-\d{{2}}-\d{{2}}/{subset}\.json",
            )
            for subset, benchmark in lmarena_daily.FILES.values()
        ),
        parse=lmarena_daily.parse,
    ),
    Source(
        key="swe-bench",
        title="SWE-bench leaderboards",
        homepage="https://www.swebench.com",
        licence="CC-BY-NC-4.0",
        redistributable=False,
        cadence="some times a month",
        files=tuple(
            GithubFile("swe-bench/submissions", "SWE-bench/swe-bench.github.io", "master", path)
            for path in ("template/data.json", "data/leaderboards.json")
        ),
        parse=swe_bench.parse,
    ),
    Source(
        key="aider",
        title="Aider's leaderboards",
        homepage="https://aider.chat/docs/leaderboards/",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a month",
        files=tuple(
            GithubFile(f"aider/{board.benchmark}", "Aider-AI/aider", "main", f"aider/website/_data/{name}")
            for name, board in aider.BOARDS.items()
        ),
        parse=aider.parse,
    ),
    Source(
        key="alpaca-eval",
        title="AlpacaEval, with and without length control, by several judges",
        homepage="https://tatsu-lab.github.io/alpaca_eval/",
        licence="Apache-2.0",
        redistributable=True,
        cadence="closed since 2024-12",
        files=tuple(
            GithubFile(
                f"alpaca-eval/{board}", "tatsu-lab/alpaca_eval", "main", f"src/alpaca_eval/leaderboards/{path}.csv"
            )
            for board, path in alpaca_eval.FILES.items()
        ),
        parse=alpaca_eval.parse,
    ),
    Source(
        key="bigcodebench",
        title="BigCodeBench",
        homepage="https://bigcode-bench.github.io",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a month",
        files=tuple(
            GithubFile(f"bigcodebench/{benchmark}", "bigcode-bench/bigcode-bench.github.io", "main", name)
            for name, (benchmark, _, _) in bigcodebench.FILES.items()
        ),
        parse=bigcodebench.parse,
    ),
    Source(
        key="bfcl",
        title="Berkeley Function Calling Leaderboard",
        homepage="https://gorilla.cs.berkeley.edu/leaderboard.html",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a month",
        files=tuple(
            GithubFile(f"bfcl/{editions[0].benchmark}", "ShishirPatil/gorilla", "gh-pages", name)
            for name, editions in bfcl.FILES.items()
        ),
        parse=bfcl.parse,
    ),
    Source(
        key="vectara",
        title="Vectara's hallucination leaderboard",
        homepage="https://github.com/vectara/hallucination-leaderboard",
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a month",
        files=(GithubFile("vectara/vectara-hallucination", "vectara/hallucination-leaderboard", "main", "README.md"),),
        parse=vectara.parse,
    ),
    Source(
        key="open-llm",
        title="Open LLM Leaderboards 1 and 2",
        homepage="https://huggingface.co/open-llm-leaderboard",
        licence="MPL-2.0",
        redistributable=True,
        cadence="closed since 2025-03",
        files=tuple(
            GithubFile(f"open-llm/openllm-v{edition}", _FBOULNOIS, "main", f"csv/huggingface_v{edition}.csv")
            for edition in (1, 2)
        ),
        parse=open_llm.parse,
    ),
    Source(
        key="livecodebench",
        title="LiveCodeBench, problem by problem",
        homepage="https://livecodebench.github.io",
        licence="CC-BY-SA-4.0",
        redistributable=False,
        cadence="some times a year",
        files=(
            GithubFile(
                "livecodebench/livecodebench",
                "LiveCodeBench/livecodebench.github.io",
                "main",
                "src/mocks/performances_generation.json",
            ),
        ),
        parse=livecodebench.parse,
    ),
    Source(
        key="cifar",
        title="CIFAR-10 and CIFAR-10.1 side by side (Recht et al. 2018)",
        homepage=cifar.PREDICTIONS,
        licence="MIT",
        redistributable=True,
        cadence="once",
        files=(
            # The day on which the authors committed the predictions that the accuracies follow from.
            BundledFile("cifar/cifar-10.1", "data/registry/paper_cifar.csv", cifar.PREDICTIONS, date(2018, 6, 25)),
        ),
        parse=cifar.parse,
    ),
    Source(
        key="imagenet-v2-recht",
        title="ImageNet and ImageNetV2 side by side (Recht et al. 2019)",
        homepage="https://github.com/modestyachts/ImageNetV2",
        licence="MIT",
        redistributable=True,
        cadence="once",
        files=(
            # The month of the paper's number.
            BundledFile(
                "imagenet-v2-recht/imagenetv2-mf",
                "data/registry/paper_imagenet_v2.csv",
                imagenet_v2_recht.PAPER,
                date(2019, 2, 1),
            ),
        ),
        parse=imagenet_v2_recht.parse,
    ),
    Source(
        key="imagenet-testbed",
        title="ImageNet testbed: natural and synthetic shifts, adversarial attacks (Taori et al. 2020)",
        homepage="https://github.com/modestyachts/imagenet-testbed",
        licence="MIT",
        redistributable=True,
        cadence="closed since 2021-09",
        files=(
            GithubFile("imagenet-testbed/imagenet", "modestyachts/imagenet-testbed", "master", "robustness_top1s.csv"),
        ),
        parse=imagenet_testbed.parse,
    ),
    Source(
        key="lm-harmony",
        title="lm-harmony: language models as published and after equal fine-tuning",
        homepage=lm_harmony.PAPER,
        licence="MIT",
        redistributable=True,
        cadence="once",
        files=(GithubFile("lm-harmony/tasks", "socialfoundations/lm-harmony", "main", "notebooks/all_results.json"),),
        parse=lm_harmony.parse,
    ),
    Source(
        key="llm-stats",
        title="LLM Stats: scores that makers report about their own models",
        homepage="https://llm-stats.com",
        licence="CC-BY-4.0",
        redistributable=True,
        cadence="some times a month",
        files=(
            # The anchors are lists of models on offer, which change whenever a model is added.
            GithubArchive(
                "llm-stats/{0}",
                "JonathanChavezTamales/llm-leaderboard",
                "main",
                tuple(
                    f"data/providers/{name}/models.json" for name in ("anthropic", "openai", "google", "xai", "groq")
                ),
                r"data/(benchmarks/[^/]+|organizations/[^/]+/models/[^/]+/(?:benchmarks|model))\.json",
            ),
        ),
        parse=llm_stats.parse,
    ),
    Source(
        key="ito",
        title="ITO: the history of Papers with Code to 2022",
        homepage=ito.HOMEPAGE,
        licence="CC-BY-SA-4.0",
        redistributable=False,
        cadence="closed since 2022-09",
        files=(
            *(
                GithubFile(
                    f"ito/{name.removesuffix('.csv')}",
                    "OpenBioLink/ITO",
                    "master",
                    f"notebooks/global_dynamics/data/example/{name}",
                )
                for name in ito.EXAMPLES
            ),
            GithubFile("ito/sota", "OpenBioLink/ITO", "master", f"notebooks/global_dynamics/data/{ito.SOTA}"),
            GithubFile(
                "ito/trajectories",
                "OpenBioLink/ITO",
                "master",
                f"notebooks/adriano_trajectories_notebooks/{ito.TRAJECTORIES}",
            ),
        ),
        parse=ito.parse,
    ),
    Source(
        key="sota-extractor",
        title="sota-extractor: leaderboards collected for Papers with Code",
        homepage=sota_extractor.HOMEPAGE,
        licence="CC-BY-SA-4.0",
        redistributable=False,
        cadence="closed since 2021-07",
        files=tuple(
            GithubFile(
                f"sota-extractor/{name.removesuffix('.json')}",
                "paperswithcode/sota-extractor",
                "master",
                f"data/tasks/{name}",
            )
            for name in sota_extractor.FILES
        ),
        parse=sota_extractor.parse,
    ),
    Source(
        key="mteb",
        title="MTEB, results of embedding models",
        homepage=mteb.HOMEPAGE,
        licence="CC0-1.0",
        redistributable=True,
        cadence="daily; taken again when a model's card changes",
        files=(
            GithubArchive(
                "mteb/{0}/{1}",
                "embeddings-benchmark/results",
                "main",
                tuple(f"results/{folder}/model_meta.json" for folder in mteb.ANCHORS),
                r"results/[^/]+/[^/]+/[^/]+\.json",
                folder=r"results/([^/]+)/([^/]+)",
            ),
        ),
        parse=mteb.parse,
    ),
    Source(
        key="nlp-progress",
        title="NLP-progress: the state of the art by task",
        homepage=nlp_progress.HOMEPAGE,
        licence="MIT",
        redistributable=True,
        cadence="closed since 2024-06",
        files=(GithubTree("nlp-progress/{0}", "sebastianruder/NLP-progress", "master", r"english/([^/]+)\.md"),),
        parse=nlp_progress.parse,
    ),
    Source(
        key="lm-contamination",
        title="LM Contamination Index",
        homepage=lm_contamination.HOMEPAGE,
        licence="none stated",
        redistributable=False,
        cadence="closed since 2023-11",
        files=(GithubFile("lm-contamination/index", "hitz-zentroa/lm-contamination", "main", "data.json"),),
        parse=lm_contamination.parse,
    ),
    Source(
        key="helm-config",
        title="HELM's configuration: releases of models and notes on contamination",
        homepage=helm_config.HOMEPAGE,
        licence="Apache-2.0",
        redistributable=True,
        cadence="some times a month",
        files=(
            GithubFile("helm-config/models", "stanford-crfm/helm", "main", helm_config.MODELS),
            GithubFile("helm-config/notes", "stanford-crfm/helm", "main", helm_config.NOTES),
        ),
        parse=helm_config.parse,
    ),
    Source(
        key="saturation-annotations",
        title="Benchmark saturation study: top five of 60 benchmarks, annotated by hand",
        homepage=saturation_annotations.HOMEPAGE,
        licence="MIT",
        redistributable=True,
        cadence="once",
        files=(
            GithubFile(
                "saturation-annotations/annotations",
                "evaleval/benchmark-saturation",
                "main",
                "data/manual_annotation_data.csv",
            ),
        ),
        parse=saturation_annotations.parse,
    ),
    Source(
        key="eee",
        title="Every Eval Ever, sample records",
        homepage=eee.HOMEPAGE,
        licence="MIT",
        redistributable=True,
        cadence="some times a year",
        files=(GithubTree("eee/{0}", "evaleval/auto-benchmarkcard", "main", r"external/eee_samples/([^/]+)\.json"),),
        parse=eee.parse,
    ),
    Source(
        key="benchbench",
        title="BenchBench: GLUE, SuperGLUE, HELM, BBH, MMLU, VTAB and other multi-task boards, early 2024",
        homepage=benchbench.HOMEPAGE,
        licence="MIT",
        redistributable=True,
        cadence="once",
        files=(GithubTree("benchbench/{0}", "socialfoundations/benchbench", "main", benchbench.PATTERN),),
        parse=benchbench.parse,
    ),
)
"""Every source. The files of EvalPlus are one board: `results.json` took the place of the three tables in 2024-03."""
