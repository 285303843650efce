"""What each of Epoch AI's tables holds: which column is which benchmark's score, in which unit, run how.

Release dates of benchmarks are those of `data/benchmark_optim.csv` in the same repository.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

REPOSITORY = "https://github.com/epoch-research/benchmark-stitching"


class Column(NamedTuple):
    """A column of scores; `bare` says that its percentages carry no sign.

    `part` is a part of the table's benchmark (begins with a slash) or another benchmark's id.
    """

    header: str
    part: str = ""
    unit: str = "percent"
    bare: bool = False
    std_error: str = ""
    n_items: str = ""


@dataclass(frozen=True)
class Table:
    """A collected table: its benchmark, columns of scores, who is scored (the first that is given), run how, when."""

    benchmark: str
    columns: tuple[Column, ...]
    model: tuple[str, ...] = ("Model version", "Name")
    setting: tuple[str, ...] = ()
    dated: str = ""
    release_column: str = ""

    def benchmark_of(self, column: Column) -> str:
        """The benchmark_id that the column's scores belong to."""
        return column.part if column.part[:1] not in ("", "/") else self.benchmark + column.part


class Run(NamedTuple):
    """A task of Epoch's own runs: its benchmark, and the number of items run where Epoch ran a part of them."""

    benchmark: str
    n_items: str = ""


class Benchmark(NamedTuple):
    """A benchmark that the project's registry does not hold."""

    name: str
    metric: str
    domain: str
    released_on: str
    paper_url: str
    unit: str = "percent"
    modality: str = "text"


def _one(benchmark: str, header: str, *, setting: tuple[str, ...] = ("Shots",)) -> Table:
    return Table(benchmark, (Column(header),), setting=setting)


_GAMES = {
    "BabyAI": "babyai",
    "Crafter": "crafter",
    "TextWorld": "textworld",
    "BabalsAI": "babaisai",
    "MiniHack": "minihack",
    "NetHack": "nethack",
}
_LENGTHS = ("0", "400", "1k", "2k", "4k", "8k", "32k", "60k", "120k", "192k")
_VIDEOS = ("Short", "Medium", "Long")
_LEVELS = ("Paper", "Wood", "Bronze", "Silver", "Gold")

TABLES: Mapping[str, Table] = {
    "aider_polyglot": Table(
        "aider-polyglot", (Column("Percent correct", bare=True),), model=("Model version",), setting=("Edit format",)
    ),
    "anli": _one("anli", "Score"),
    "arc_agi": _one("arc-agi-1", "Score", setting=()),
    "arc_ai2": Table(
        "arc-challenge", (Column("Challenge score"), Column("Easy score", part="arc-easy")), setting=("Shots",)
    ),
    "balrog": Table(
        "balrog",
        (
            Column("Average progress", std_error="Average Standard error"),
            *(
                Column(f"{game} progress", f"/{part}", std_error=f"{game} Standard error")
                for game, part in _GAMES.items()
            ),
        ),
        model=("Model version",),
        dated="Date added",
    ),
    "bbh": _one("bbh", "Average"),
    "boolq": _one("boolq", "Score"),
    "cadeval": Table("cadeval", (Column("Overall pass (%)", n_items="Total tasks"),), setting=("Prompt",)),
    "csqa2": _one("commonsenseqa-2", "Score"),
    "cybench": Table(
        "cybench",
        (
            Column("Unguided % Solved"),
            Column("Subtask-Guided % Solved", "/subtask-guided"),
            Column("Subtasks % Solved", "/subtasks"),
        ),
        model=("Model version",),
    ),
    "deepresearch": Table("deep-research-bench", (Column("Average score"),), model=("Model version",)),
    "factorio_learning_environment": Table(
        "factorio-learning-environment",
        (Column("Lab Success %"), Column("Production score", "/production-score", "points")),
        model=("Model version",),
        setting=("Tools",),
        dated="Date added",
    ),
    "fictionlivebench": Table(
        "fiction-livebench",
        (
            Column("16k token score"),
            *(Column(f"{length} token score", f"/{length}-tokens") for length in _LENGTHS),
        ),
        model=("Model version",),
    ),
    "geobench": Table(
        "geobench",
        (Column("ACW Country %"), Column("ACW Avg Score", "/average-score", "points")),
        model=("Model version",),
        setting=("Tools",),
    ),
    "gsm8k": _one("gsm8k", "EM"),
    "gso_bench": Table(
        "gso",
        (Column("Score OPT@1"), Column("Score OPT@10", "/opt-at-10")),
        model=("Model version",),
        setting=("Scaffold",),
    ),
    "hellaswag": _one("hellaswag", "Overall accuracy"),
    "lambada": _one("lambada", "Score"),
    "lech_mazur_writing": Table("lech-mazur-writing", (Column("Mean score", unit="points"),), model=("Model version",)),
    "livebench": Table(
        "livebench",
        (Column("Global average", bare=True),),
        model=("Model version", "id"),
        release_column="LiveBench Version",
    ),
    "mcbench": Table(
        "mc-bench",
        (Column("ELO", unit="rating", n_items="Votes"), Column("Win rate", "/win-rate", n_items="Votes")),
    ),
    "metr": Table(
        "metr-horizon",
        (Column("Time horizon", unit="minutes"), Column("average_score", "/mean-score", "fraction")),
        model=("Model version",),
    ),
    "mmlu": _one("mmlu", "EM"),
    "openbookqa": _one("openbookqa", "Accuracy"),
    "os_world": Table(
        "osworld",
        (Column("Score", bare=True),),
        model=("Model version", "Agent"),
        setting=("Agent",),
        dated="Date added",
    ),
    "osuniverse": Table(
        "osuniverse",
        (Column("Weighted Score"), *(Column(level, f"/{level.casefold()}") for level in _LEVELS)),
        model=("Model version",),
        setting=("Agent",),
    ),
    "piqa": _one("piqa", "Score"),
    "scienceqa": _one("scienceqa", "Score"),
    "simple_bench": Table("simplebench", (Column("Score (AVG@5)"),), model=("Model version",)),
    "superglue": _one("superglue", "Score", setting=()),
    "terminal_bench": Table(
        "terminal-bench",
        (Column("Accuracy mean", std_error="Accuracy SE"),),
        model=("Model version",),
        setting=("Agent",),
    ),
    "the_agent_company": Table(
        "the-agent-company",
        (Column("% Resolved"), Column("% Score", "/score")),
        model=("Model version",),
        setting=("Model",),
        dated="Date",
    ),
    "triviaqa": _one("triviaqa", "EM"),
    "videomme": Table(
        "video-mme",
        (
            Column("Overall (no subtitles)"),
            Column("Overall (with subtitles)", "/with-subtitles"),
            *(Column(f"{length} videos (no subtitles)", f"/{length.casefold()}") for length in _VIDEOS),
            *(
                Column(f"{length} videos (with subtitles)", f"/{length.casefold()}-with-subtitles")
                for length in _VIDEOS
            ),
        ),
        setting=("Name", "Frames"),
    ),
    "vpct": Table("vpct", (Column("Correct"),), model=("Model version",)),
    "weirdml": Table("weirdml", (Column("Accuracy"),), model=("Model version",)),
    "winogrande": _one("winogrande", "Accuracy"),
}
"""`data/external_benchmark_<key>.csv` to what it holds."""

RUNS: Mapping[str, Run] = {
    "GPQA diamond": Run("gpqa-diamond"),
    "MATH level 5": Run("math-level-5"),
    "OTIS Mock AIME 2024-2025": Run("otis-mock-aime"),
    "FrontierMath-2025-02-28-Private": Run("frontiermath"),
    "FrontierMath-2025-02-28-Public": Run("epoch-frontiermath-public"),
    "FrontierMath-Tier-4-2025-07-01-Private": Run("frontiermath-tier-4"),
    "FrontierMath-Tier-4-2025-07-01-Public": Run("epoch-frontiermath-tier-4-public"),
    "SWE-Bench verified": Run("swe-bench-verified", "484"),
}
"""Epoch's name of a task to its benchmark. Epoch runs 484 of SWE-bench Verified's 500 problems."""

BENCHMARKS: Mapping[str, Benchmark] = {
    "arc-easy": Benchmark("ARC-Easy (AI2)", "accuracy", "science-qa", "2018-03-14", "https://arxiv.org/abs/1803.05457"),
    "cadeval": Benchmark(
        "CadEval",
        "share of objects passed",
        "code",
        "2025-04-22",
        "https://willpatrick.xyz/cadevalresults_20250422_095709/",
    ),
    "commonsenseqa-2": Benchmark(
        "CommonsenseQA 2.0", "accuracy", "commonsense", "2022-01-14", "https://arxiv.org/abs/2201.05320"
    ),
    "factorio-learning-environment": Benchmark(
        "Factorio Learning Environment", "lab tasks solved", "agentic", "2025-03-06", "https://arxiv.org/abs/2503.09617"
    ),
    "lech-mazur-writing": Benchmark(
        "Lech Mazur's creative writing",
        "mean judge score",
        "llm-judge",
        "2025-01-31",
        "https://github.com/lechmazur/writing",
        unit="points",
    ),
    "mc-bench": Benchmark(
        "MC-Bench", "Elo of built structures", "human-preference", "2024-10-16", REPOSITORY, unit="rating"
    ),
    "osuniverse": Benchmark(
        "OSUniverse", "weighted score", "computer-use", "2025-05-06", "https://arxiv.org/abs/2505.03570"
    ),
    "weirdml": Benchmark(
        "WeirdML",
        "accuracy",
        "code",
        "2025-01-16",
        "https://www.lesswrong.com/posts/LfQCzph7rc2vxpweS/introducing-the-weirdml-benchmark",
    ),
    "epoch-frontiermath-public": Benchmark(
        "FrontierMath, the public problems", "accuracy", "math", "2025-02-28", "https://epoch.ai/frontiermath"
    ),
    "epoch-frontiermath-tier-4-public": Benchmark(
        "FrontierMath Tier 4, the public problems", "accuracy", "math", "2025-07-01", "https://epoch.ai/frontiermath"
    ),
}
"""Benchmarks of these tables that the project's registry does not hold."""
