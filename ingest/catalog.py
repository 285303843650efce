"""The explicit catalogue of sources: one line each, no discovery."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from ingest.rows import Parsed
from ingest.sources import epoch, evalplus, gsm1k, livebench, lmarena, squad, timm

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

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern.
    """

    board_id: str
    repo: str
    branch: str
    anchors: tuple[str, ...]
    pattern: str


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
)
"""Every source. The files of EvalPlus are one board: `results.json` took the place of the three tables in 2024-03."""
