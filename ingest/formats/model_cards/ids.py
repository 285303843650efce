"""The registry of model cards' names of benchmarks, as ids: those of whole families, and those of single editions.

Mentions are filed under names that may stand for several editions (`aime` for any year, `terminal_bench` for 1.0 to
3.0): such a name keeps an id of the source's own, because nobody can say which edition was meant. Scores are filed
under the edition as well.
"""

from collections.abc import Mapping

from benchhealth.ingest.formats.addresses import slug

SAME: Mapping[str, str] = {
    "aa_lcr": "aa-lcr",
    "agieval": "agieval",
    "aider_polyglot": "aider-polyglot",
    "arc_agi_2": "arc-agi-2",
    "arc_agi_3": "arc-agi-3",
    "automationbench": "automationbench",
    "bfcl": "bfcl",
    "bigbench_extra_hard": "big-bench-extra-hard",
    "biomysterybench": "biomysterybench",
    "blueprint_bench_2": "blueprint-bench-2",
    "browsecomp": "browsecomp",
    "browsecomp_zh": "browsecomp-zh",
    "chartqa": "chartqa",
    "chatbot_arena": "lmarena-text",
    "critpt": "critpt",
    "cursor_bench": "cursorbench",
    "deepsearchqa": "deepsearchqa",
    "docvqa": "docvqa",
    "drop": "drop",
    "exploitbench": "exploitbench",
    "gdp_pdf": "gdp-pdf",
    "gpqa": "gpqa-main",
    "gpqa_diamond": "gpqa-diamond",
    "gsm8k": "gsm8k",
    "healthbench": "healthbench",
    "healthbench_professional": "healthbench-professional",
    "hle": "hle",
    "humaneval": "humaneval",
    "ifbench": "ifbench",
    "ifeval": "ifeval",
    "imo_answer_bench": "imo-answerbench",
    "legal_agent_benchmark": "legal-agent-benchmark",
    "livebench": "livebench",
    "livecodebench": "livecodebench",
    "livecodebench_pro": "livecodebench-pro",
    "math_500": "math-500",
    "mathvision": "mathvision",
    "mathvista": "mathvista",
    "mbpp": "mbpp",
    "mcp_atlas": "mcp-atlas",
    "mcp_mark": "mcp-mark",
    "mle_bench": "mle-bench",
    "mmlu": "mmlu",
    "mmlu_pro": "mmlu-pro",
    "mmlu_redux": "mmlu-redux",
    "mmmlu": "mmmlu",
    "mmmu": "mmmu",
    "mmmu_pro": "mmmu-pro",
    "multichallenge": "multichallenge",
    "posttrainbench": "posttrainbench",
    "scicode": "scicode",
    "seccodebench": "seccodebench",
    "super_gpqa": "supergpqa",
    "swe_bench_multilingual": "swe-bench-multilingual",
    "swe_bench_pro": "swe-bench-pro",
    "swe_bench_verified": "swe-bench-verified",
    "tau2_bench": "tau2-bench",
    "tool_decathlon": "toolathlon",
    "video_mme": "video-mme",
    "widesearch": "widesearch",
}
"""Names that are one benchmark under which other sources have results. A harder subset or a stricter check of the same
problems (HealthBench Hard, HumanEval+, MATH-500 beside MATH) is mentioned under the name of the whole."""

EDITIONS: Mapping[str, tuple[str, str]] = {
    "apex_agents": ("apex-agents", ""),
    "automationbench_private": ("automationbench", "subset=private"),
    "automationbench_public": ("automationbench", "subset=public"),
    "bfcl_v3": ("bfcl-v3", ""),
    "bfcl_v4": ("bfcl-v4", ""),
    "gdpval_aa": ("gdpval-aa", ""),
    "hle_verified": ("hle-verified", ""),
    "livecodebench_v5": ("livecodebench-v5", ""),
    "mathvista_mini": ("mathvista", "subset=testmini"),
    "mrcr_1m": ("mrcr-1m", ""),
    "mrcr_v2": ("mrcr-v2", ""),
    "omnidocbench_1_5": ("omnidocbench-1.5", ""),
    "osworld_2.0": ("osworld-2.0", ""),
    "aime_2024": ("aime-2024", ""),
    "aime_2025": ("aime-2025", ""),
    "aime_2026": ("aime-2026", ""),
    "hle_full": ("hle", "subset=all questions"),
    "hmmt_2026_feb": ("hmmt-2026-02", ""),
    "livecodebench_v6": ("livecodebench-v6", ""),
    "longbench_v2": ("longbench-v2", ""),
    "mcp_atlas_public": ("mcp-atlas", "subset=public"),
    "mmmlu_14_non_english_languages": ("mmmlu", "subset=14 languages"),
    "osworld_verified": ("osworld-verified", ""),
    "simpleqa": ("simpleqa", ""),
    "simpleqa_verified": ("simpleqa-verified", ""),
    "swe_bench_verified_anthropic_489": ("swe-bench-verified", "subset=489 problems"),
    "terminal_bench_1": ("terminal-bench", ""),
    "terminal_bench_2.0": ("terminal-bench-2", ""),
    "terminal_bench_2.1": ("terminal-bench-2.1", ""),
    "vending_bench_2": ("vending-bench-2", ""),
}
"""Instruments of scores that are told apart by edition or subset: the benchmark, and the subset as a setting."""

OWN_PROBLEMS = frozenset({"livecodebench", "bfcl", "livebench", "chatbot_arena"})
"""Names of boards whose problems change: a maker's score under the bare name is of some window or part of them, and is
no result of the board."""

UNITS: Mapping[str, str] = {"codeforces": "rating", "livecodebench_pro": "rating", "vending_bench": "dollars"}
"""Benchmarks that are measured on a scale of their own, which the list of mentions does not say."""


def mentioned(published: str) -> str:
    """The benchmark_id that a mention is filed under."""
    return SAME.get(published) or f"model-cards-{slug(published)}"


def measured(instrument: str) -> tuple[str, str]:
    """The benchmark_id of a score, and the subset that its instrument names as a setting."""
    if instrument in EDITIONS:
        return EDITIONS[instrument]
    if instrument in SAME and instrument not in OWN_PROBLEMS:
        return SAME[instrument], ""
    return f"model-cards-{slug(instrument)}", ""
