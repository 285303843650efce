"""What each table of Epoch AI's benchmarking hub holds: which column is which score, in which unit, run how.

Almost all scores are fractions, whatever the header says (`Overall pass (%)` holds 0.32); three boards keep the
percentages of their own site. What is printed as an error is taken only where it could be checked: HLE's is the half
width of a 95% interval (1.96 times the binomial error of 2,500 questions, row by row), WeirdML's a hundredth of what
its own board says, that of APEX-Agents is in points beside fractions and of unknown kind, and PostTrainBench prints a
deviation between runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from benchhealth.ingest.formats.epoch_rows import Z95
from benchhealth.ingest.formats.epoch_tables import BENCHMARKS, Benchmark


class HubColumn(NamedTuple):
    """A column of scores. `older` is its header in earlier copies; an `added` column is not in all of them.

    `part` is a part of the table's benchmark (begins with a slash). `error_over` is how many times too large
    `std_error` is printed.
    """

    header: str
    part: str = ""
    unit: str = "fraction"
    older: str = ""
    added: bool = False
    std_error: str = ""
    error_over: float = 1.0
    n_items: str = ""


@dataclass(frozen=True)
class HubTable:
    """A table: its benchmark, columns of scores, the columns that say how the model was run, and when.

    `model` names the column that stands in where `Model version` is empty. `edition` is the column that says which
    edition of the benchmark a row is of, `editions` the benchmark of each; `sourced` refuses rows that name no source;
    `always` is a condition that holds for the whole board (ARC Prize's: 253 of 257 scores are its semi-private ones).
    """

    benchmark: str
    columns: tuple[HubColumn, ...]
    model: str = "Name"
    setting: tuple[str, ...] = ()
    named_setting: bool = False
    dated: str = ""
    dated_added: bool = False
    date_basis: Literal["evaluation", "submission"] = "submission"
    edition: str = ""
    editions: tuple[tuple[str, str], ...] = ()
    sourced: bool = False
    always: str = ""


def _one(benchmark: str, header: str, *setting: str) -> HubTable:
    return HubTable(benchmark, (HubColumn(header),), setting=setting)


def _shots(benchmark: str, header: str) -> HubTable:
    return _one(benchmark, header, "Shots")


def _run(benchmark: str, n_items: str = "") -> HubTable:
    """Epoch's own runs: the mean over scorers and repeats, with its standard error."""
    column = HubColumn("mean_score", std_error="stderr", n_items=n_items)
    return HubTable(benchmark, (column,), dated="Started at", date_basis="evaluation")


_GAMES = ("BabyAI", "Crafter", "TextWorld", "BabaIsAI", "MiniHack", "NetHack")
_LENGTHS = ("0", "400", "1k", "2k", "4k", "8k", "32k", "60k", "120k", "192k")
_VIDEOS = ("Short", "Medium", "Long")

OWN_RUNS: Mapping[str, HubTable] = {
    "chess_puzzles": _run("chess-puzzles"),
    "frontiermath": _run("frontiermath"),
    "frontiermath_tier_4": _run("frontiermath-tier-4"),
    "gpqa_diamond": _run("gpqa-diamond"),
    "math_level_5": _run("math-level-5"),
    "otis_mock_aime_2024_2025": _run("otis-mock-aime"),
    "simpleqa_verified": _run("simpleqa-verified"),
    "swe_bench_verified": _run("swe-bench-verified"),
}
"""What Epoch ran itself. Of SWE-bench Verified's 500 problems it runs 484."""

COLLECTED: Mapping[str, HubTable] = {
    "adversarial_nli": _shots("anli", "Score"),
    "aider_polyglot": HubTable(
        "aider-polyglot",
        (HubColumn("Percent correct", unit="percent"),),
        setting=("Edit format",),
        dated="Date of evaluation",
        dated_added=True,
        date_basis="evaluation",
    ),
    "apex_agents": HubTable(
        "apex-agents", (HubColumn("Pass@1 score"), HubColumn("Mean score", "/mean-score")), named_setting=True
    ),
    "arc_agi": HubTable("arc-agi-1", (HubColumn("Score"),), named_setting=True, always="subset=semi-private"),
    "arc_agi_2": HubTable("arc-agi-2", (HubColumn("Score"),), named_setting=True, always="subset=semi-private"),
    "arc_ai2": HubTable(
        "arc-challenge", (HubColumn("Challenge score"), HubColumn("Easy score", "arc-easy")), setting=("Shots",)
    ),
    "balrog": HubTable(
        "balrog",
        (
            HubColumn("Average progress", std_error="Average Standard error"),
            *(
                HubColumn(
                    f"{game} progress",
                    f"/{game.casefold()}",
                    std_error=f"{game} Standard error",
                    older="BabalsAI progress" if game == "BabaIsAI" else "",
                )
                for game in _GAMES
            ),
        ),
        dated="Date added",
    ),
    "bbh": _shots("bbh", "Average"),
    "bool_q": _shots("boolq", "Score"),
    "cad_eval": HubTable("cadeval", (HubColumn("Overall pass (%)", n_items="Total tasks"),), setting=("Prompt",)),
    "common_sense_qa_2": _shots("commonsenseqa-2", "Score"),
    "cybench": HubTable(
        "cybench",
        (
            HubColumn("Unguided % Solved"),
            HubColumn("Subtask-Guided % Solved", "/subtask-guided"),
            HubColumn("Subtasks % Solved", "/subtasks"),
        ),
    ),
    "deepresearchbench": HubTable("deep-research-bench", (HubColumn("Average score"),), sourced=True),
    "fictionlivebench": HubTable(
        "fiction-livebench",
        (
            HubColumn("16k token score"),
            *(HubColumn(f"{length} token score", f"/{length}-tokens") for length in _LENGTHS),
        ),
    ),
    "gdpval": HubTable("gdpval", (HubColumn("Win + tie rate (%)"), HubColumn("Win Rate (%)", "/wins"))),
    "geobench": HubTable(
        "geobench",
        (HubColumn("ACW Country %"), HubColumn("ACW Avg Score", "/average-score", "points")),
        setting=("Tools",),
    ),
    "gsm8k": _shots("gsm8k", "EM"),
    "gso": HubTable(
        "gso",
        (
            HubColumn("Score OPT@1"),
            HubColumn("Score OPT@10", "/opt-at-10"),
            HubColumn("OPT@1 (hack-adjusted)", "/hack-adjusted", added=True),
        ),
        setting=("Scaffold",),
        dated="Evaluation date",
        dated_added=True,
        date_basis="evaluation",
    ),
    "hella_swag": _shots("hellaswag", "Overall accuracy"),
    "hle": HubTable("hle", (HubColumn("Accuracy", std_error="Accuracy Standard Error", error_over=Z95),)),
    "lambada": _shots("lambada", "Score"),
    "lech_mazur_writing": HubTable("lech-mazur-writing", (HubColumn("Mean score", unit="points"),)),
    "live_bench": HubTable(
        "livebench",
        (HubColumn("Global average", unit="percent"),),
        edition="LiveBench Version",
        editions=(("LiveBench-2024-11-25", "livebench-2024-11-25"),),
    ),
    "metr_time_horizons": HubTable(
        "metr-horizon",
        (
            HubColumn("Time horizon", unit="minutes"),
            HubColumn("average_score", "/mean-score"),
            HubColumn("Time Horizon (80%)", "/p80", "minutes", added=True),
        ),
        edition="METR version",
        editions=(("", "metr-horizon"), ("METR-Horizon-v1.1", "metr-horizon-1.1")),
    ),
    "mmlu": _shots("mmlu", "EM"),
    "open_book_qa": _shots("openbookqa", "Accuracy"),
    "os_world": HubTable(
        "osworld-verified",
        (HubColumn("Score", unit="percent"),),
        model="Agent",
        setting=("Agent",),
        dated="Date added",
    ),
    "piqa": _shots("piqa", "Score"),
    "posttrainbench": _one("posttrainbench", "Average (%)", "Scaffold"),
    "science_qa": _shots("scienceqa", "Score"),
    "simplebench": _one("simplebench", "Score (AVG@5)"),
    "superglue": _one("superglue", "Score"),
    "swe_bench_bash": HubTable(
        "swe-bench-bash-only",
        (HubColumn("% Resolved"),),
        setting=("SWE-Agent Release Version",),
        dated="Date run",
        date_basis="evaluation",
    ),
    "terminalbench": HubTable(
        "terminal-bench-2",
        (HubColumn("Accuracy mean", std_error="Accuracy SE"),),
        setting=("Agent",),
        dated="Run date",
        date_basis="evaluation",
    ),
    "the_agent_company": HubTable(
        "the-agent-company",
        (HubColumn("% Resolved"), HubColumn("% Score", "/score")),
        setting=("Name", "Environment model"),
        dated="Date",
    ),
    "trivia_qa": _shots("triviaqa", "EM"),
    "video_mme": HubTable(
        "video-mme",
        (
            HubColumn("Overall (no subtitles)"),
            HubColumn("Overall (with subtitles)", "/with-subtitles"),
            *(HubColumn(f"{length} videos (no subtitles)", f"/{length.casefold()}") for length in _VIDEOS),
            *(
                HubColumn(f"{length} videos (with subtitles)", f"/{length.casefold()}-with-subtitles")
                for length in _VIDEOS
            ),
        ),
        setting=("Frames",),
    ),
    "vpct": _one("vpct", "Correct"),
    "webdev_arena": HubTable(
        "lmarena-webdev",
        (HubColumn("Arena Score", unit="rating", n_items="Votes"),),
        dated="Last updated",
        date_basis="evaluation",
    ),
    "weirdml": HubTable("weirdml", (HubColumn("Accuracy", std_error="Accuracy SE", error_over=0.01),)),
    "wino_grande": _shots("winogrande", "Accuracy"),
}
"""`<key>_external.csv` to what it holds: other people's boards and papers (SWE-bench's own is `swe_bench_bash.csv`)."""

HUB_BENCHMARKS: Mapping[str, Benchmark] = {
    **BENCHMARKS,
    "metr-horizon-1.1": Benchmark(
        "METR time horizon 1.1",
        "50% time horizon",
        "agentic",
        "2026-01-29",
        "https://metr.org/blog/2026-1-29-time-horizon-1-1/",
        unit="minutes",
    ),
    "osworld-verified": Benchmark(
        "OSWorld-Verified",
        "tasks completed",
        "computer-use",
        "2025-07-28",
        "https://xlang.ai/blog/osworld-verified",
        modality="multimodal",
    ),
    "lmarena-webdev": Benchmark(
        "LMArena WebDev", "arena rating", "human-preference", "", "https://web.lmarena.ai/leaderboard", unit="rating"
    ),
    "swe-bench-bash-only": Benchmark(
        "SWE-bench Verified, one bare agent for all models",
        "tasks resolved",
        "agentic-code",
        "",
        "https://www.swebench.com/bash-only.html",
    ),
}
"""Benchmarks of these tables that the project's registry does not hold."""
