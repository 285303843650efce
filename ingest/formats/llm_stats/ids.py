"""LLM Stats' names of benchmarks, as ids: the same for its own repository and for the crawl of its site.

A pair of its names is one benchmark only where this list says so. Names that stand for several editions (gpqa, aime,
livecodebench, arena-hard, bfcl, livebench, video-mme, osworld, mrcr, and hmmt-2025 beside hmmt25, which both hold the
contests of February and of November) or another scale (mt-bench) keep an id of their own.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.addresses import slug

REGISTRY_IDS: Mapping[str, str] = {
    "aa-lcr": "aa-lcr",
    "agieval": "agieval",
    "aider-polyglot": "aider-polyglot",
    "aime-2024": "aime-2024",
    "aime-2025": "aime-2025",
    "aime-2026": "aime-2026",
    "apex-agents": "apex-agents",
    "arc-agi": "arc-agi-1",
    "arc-agi-3": "arc-agi-3",
    "arc-agi-v2": "arc-agi-2",
    "arc-c": "arc-challenge",
    "arcagi2": "arc-agi-2",
    "arena-hard-v2": "arena-hard-v2",
    "automationbench": "automationbench",
    "bbh": "bbh",
    "bfcl-v3": "bfcl-v3",
    "bfcl-v4": "bfcl-v4",
    "big-bench": "big-bench",
    "big-bench-extra-hard": "big-bench-extra-hard",
    "big-bench-hard": "bbh",
    "biomysterybench": "biomysterybench",
    "blueprint-bench-2": "blueprint-bench-2",
    "boolq": "boolq",
    "browsecomp": "browsecomp",
    "browsecomp-zh": "browsecomp-zh",
    "chartqa": "chartqa",
    "charxiv-d": "charxiv-descriptive",
    "charxiv-r": "charxiv-reasoning",
    "commonsenseqa": "commonsenseqa",
    "creative-writing-v3": "creative-writing-v3",
    "critpt": "critpt",
    "cursorbench-3.2": "cursorbench",
    "cybench": "cybench",
    "deepsearchqa": "deepsearchqa",
    "docvqa": "docvqa",
    "drop": "drop",
    "exploitbench": "exploitbench",
    "frontiermath": "frontiermath",
    "gdp-pdf": "gdp-pdf",
    "gdpval": "gdpval",
    "gdpval-aa": "gdpval-aa",
    "global-mmlu-lite": "global-mmlu-lite",
    "gsm8k": "gsm8k",
    "healthbench": "healthbench",
    "healthbench-hard": "healthbench-hard",
    "healthbench-professional": "healthbench-professional",
    "hellaswag": "hellaswag",
    "hle": "hle",
    "hle-verified": "hle-verified",
    "hmmt-feb-26": "hmmt-2026-02",
    "humaneval": "humaneval",
    "humaneval+": "humaneval-plus",
    "humaneval-plus": "humaneval-plus",
    "humanity's-last-exam": "hle",
    "ifbench": "ifbench",
    "ifeval": "ifeval",
    "imo-answerbench": "imo-answerbench",
    "include": "include",
    "legal-agent-benchmark": "legal-agent-benchmark",
    "livebench-20241125": "livebench-2024-11-25",
    "livecodebench-pro": "livecodebench-pro",
    "livecodebench-v5": "livecodebench-v5",
    "livecodebench-v6": "livecodebench-v6",
    "longbench-v2": "longbench-v2",
    "math": "math",
    "math-500": "math-500",
    "mathvision": "mathvision",
    "mathvista": "mathvista",
    "mbpp": "mbpp",
    "mbpp+": "mbpp-plus",
    "mbpp-evalplus": "mbpp-evalplus",
    "mbpp-plus": "mbpp-plus",
    "mcp-atlas": "mcp-atlas",
    "mcp-mark": "mcp-mark",
    "mgsm": "mgsm",
    "mle-bench": "mle-bench",
    "mmlu": "mmlu",
    "mmlu-pro": "mmlu-pro",
    "mmlu-prox": "mmlu-prox",
    "mmlu-redux": "mmlu-redux",
    "mmlu-redux-2.0": "mmlu-redux",
    "mmmlu": "mmmlu",
    "mmmu": "mmmu",
    "mmmu-(val)": "mmmu",
    "mmmu-(validation)": "mmmu",
    "mmmu-pro": "mmmu-pro",
    "mmmuval": "mmmu",
    "mrcr-1m": "mrcr-1m",
    "mrcr-v2": "mrcr-v2",
    "mrcr-v2-(8-needle)": "mrcr-v2-8-needle",
    "multi-if": "multi-if",
    "multichallenge": "multichallenge",
    "musr": "musr",
    "natural-questions": "natural-questions",
    "nq": "natural-questions",
    "omnidocbench-1.5": "omnidocbench-1.5",
    "openbookqa": "openbookqa",
    "osworld-2.0": "osworld-2.0",
    "osworld-verified": "osworld-verified",
    "piqa": "piqa",
    "polymath": "polymath",
    "posttrainbench": "posttrainbench",
    "scicode": "scicode",
    "scienceqa": "scienceqa",
    "screenspot": "screenspot",
    "screenspot-pro": "screenspot-pro",
    "seccodebench": "seccodebench",
    "simpleqa": "simpleqa",
    "simpleqa-verified": "simpleqa-verified",
    "superglue": "superglue",
    "supergpqa": "supergpqa",
    "swe-bench-multilingual": "swe-bench-multilingual",
    "swe-bench-multimodal": "swe-bench-multimodal",
    "swe-bench-pro": "swe-bench-pro",
    "swe-bench-verified": "swe-bench-verified",
    "t2-bench": "tau2-bench",
    "tau-bench": "tau-bench",
    "tau-bench-airline": "tau-bench/airline",
    "tau-bench-retail": "tau-bench/retail",
    "tau2-airline": "tau2-bench/airline",
    "tau2-retail": "tau2-bench/retail",
    "tau2-telecom": "tau2-bench/telecom",
    "tau3-airline": "tau3-bench/airline",
    "tau3-banking": "tau3-banking",
    "tau3-bench": "tau3-bench",
    "tau3-retail": "tau3-bench/retail",
    "tau3-telecom": "tau3-bench/telecom",
    "terminal-bench": "terminal-bench",
    "terminal-bench-2": "terminal-bench-2",
    "terminal-bench-2.1": "terminal-bench-2.1",
    "toolathlon": "toolathlon",
    "triviaqa": "triviaqa",
    "truthfulqa": "truthfulqa",
    "vending-bench-2": "vending-bench-2",
    "widesearch": "widesearch",
    "winogrande": "winogrande",
}
"""Benchmarks that are certainly the registry's, or that other sources know under the same id."""

CONDITIONS: Mapping[str, tuple[str, str]] = {
    "benchcad-with-python-tool": ("benchcad", "tools"),
    "gsm-8k-(cot)": ("gsm8k", "chain of thought"),
    "humanity's-last-exam-(no-tools,-text-only)": ("hle", "no tools, subset=text only"),
    "humanity's-last-exam-(with-tools,-text-only)": ("hle", "tools, subset=text only"),
    "math-(cot)": ("math", "chain of thought"),
    "mathvista-mini": ("mathvista", "subset=testmini"),
    "mmlu-(cot)": ("mmlu", "chain of thought"),
    "mmmu-pro-with-tools": ("mmmu-pro", "tools"),
    "multilingual-mgsm-(cot)": ("mgsm", "chain of thought"),
    "swe-bench-verified-(agentic-coding)": ("swe-bench-verified", "scaffold=agentic"),
    "swe-bench-verified-(agentless)": ("swe-bench-verified", "scaffold=Agentless"),
    "swe-bench-verified-(multiple-attempts)": ("swe-bench-verified", "multiple attempts"),
}
"""Names that say how another benchmark was run: the name of that one, and the setting."""

UNFIT: Mapping[str, str] = {
    "aa-omniscience-index": "an index from -100 to 100 under a largest score of 200",
    "codeforces": "a rating divided by 3,000 and cut at 1",
    "common-voice-15": "a word error rate under a benchmark of accuracies",
    "factscore": "a rate of hallucination under a benchmark of correct facts",
    "fleurs": "word error rates and accuracies under one name",
    "imo-2025": "points and shares under one name",
    "livecodebench-pro": "ratings and shares under one name",
    "longfact-concepts": "a rate of hallucination under a benchmark of correct facts",
    "longfact-objects": "a rate of hallucination under a benchmark of correct facts",
    "mm-mt-bench": "scores on different scales under one name",
    "mme": "scores on different scales under one name",
    "mt-bench": "scores on different scales under one name",
    "nmos": "an opinion score divided by 100",
}
OPEN_ENDED: Mapping[str, str] = {
    "aa-briefcase": "rating",
    "cfeval": "rating",
    "eq-bench": "rating",
    "gdpval-aa": "rating",
    "livecodebench-pro": "rating",
    "lmarena-text": "rating",
    "qwen-react-bench": "rating",
    "qwen-svg": "rating",
    "qwenwebbench": "rating",
    "usamo-2026": "points",
    "vending-bench-2": "dollars",
    "webdev-arena": "rating",
    "yc-bench": "dollars",
}
"""Benchmarks that are published on a scale of their own, with its unit."""

LOWER_IS_BETTER = frozenset({"ci-memories-violation", "siren-agentdojo-attack-success"})


class Meant(NamedTuple):
    """A benchmark_id, and what its name says of how the model was run."""

    benchmark: str
    setting: str = ""


def benchmark_of(published: str) -> Meant:
    """Which benchmark a published name is, with the setting that stands in the name."""
    name, setting = CONDITIONS.get(published, (published, ""))
    # Signs that tell two benchmarks apart would be lost in a slug: graphwalks-bfs-<128k and ->128k.
    spelt = name.replace("<", "under-").replace(">", "over-").replace("+", "-plus").replace("→", "-to-")
    return Meant(REGISTRY_IDS.get(name) or f"llm-stats-{slug(spelt)}", setting)


def unit_of(published: str) -> str:
    """The unit of a benchmark's scores: a share of 1 for all that have no scale of their own."""
    return OPEN_ENDED.get(published, "fraction")
