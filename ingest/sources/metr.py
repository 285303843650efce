"""METR's time horizons, `benchmark_results_1_*.yaml`: how long a task of people a model does half of the time.

Two suites of tasks, 1.0 and 1.1, each a benchmark of its own: version 1.1 has more tasks and other agents, and all
models were run or fitted again. The horizon at 80% and the mean score are parts. METR published 1.1 once more on
2026-03-03 with all horizons fitted anew. The files are copies that others keep; METR's site serves the last one alone.

Horizons are minutes and spread over orders of magnitude, so the error is taken from the interval on the logarithm:
estimate times ln(high/low) / (2 x 1.96). What METR ran the model in is the setting.
"""

import re
from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import Entry, as_text, declared_file, object_at, pointer, read_yaml, value_at
from benchhealth.ingest.formats.numbers import error_of_ratio, is_nothing
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://metr.org/time-horizons/"
BOARDS = {
    "benchmark_results_1_0.yaml": ("METR-Horizon-v1", "metr-horizon", "METR time horizon 1.0"),
    "benchmark_results_1_1.yaml": ("METR-Horizon-v1.1", "metr-horizon-1.1", "METR time horizon 1.1"),
}
"""File to the name that it must give itself, the benchmark and its title."""

METRICS = {"p50_horizon_length": "", "p80_horizon_length": "/p80", "average_score": "/mean-score"}
_AGENTS = re.compile(r"(?:.*/)?(?P<agent>react|triframe_agent|duet|modular-public|flock(?:-[a-z]+)?)")
_INSPECT = "_inspect"


def parse(body: bytes, path: str) -> Parsed:
    """Read one version's file: three rows for every model."""
    title, benchmark, name = declared_file(BOARDS, path)
    document = read_yaml(body)
    named, results = as_text(value_at(document, "benchmark_name")), object_at(document, "results")
    if named != title or not results:
        raise PayloadError(f"not the results of {title}: {named[:50]!r}")
    rows = [row for key, entry in results.items() for row in _rows(as_text(key), entry, benchmark)]
    models = [fact for key, entry in results.items() for fact in _models(as_text(key), entry)]
    return Parsed(rows=rows, models=models, benchmarks=list(_facts(benchmark, name)))


SOURCE = Source(
    key="metr",
    title="METR, time horizons of models",
    homepage=HOMEPAGE,
    licence="none given",
    redistributable=False,
    kind="crawl",
    cadence="some times a year",
    files=(
        GithubFile("metr/metr-horizon", "IAPS-AI/METR-Time-Horizons", "main", "benchmark_results_1_0.yaml"),
        GithubFile("metr/metr-horizon-1.1", "IAPS-AI/METR-Time-Horizons", "main", "benchmark_results_1_1.yaml"),
        GithubFile("metr/metr-horizon-1.1", "peterhurford/metr_graph", "master", "benchmark_results_1_1.yaml"),
    ),
    parse=parse,
)


def _rows(key: str, entry: object, benchmark: str) -> Iterator[RawRow]:
    if not isinstance(value_at(entry, "metrics"), dict):
        yield RawRow(pointer("results", key), benchmark, key, "", unit="minutes", reject="no metrics")
        return
    for metric, suffix in METRICS.items():
        value = object_at(entry, "metrics", metric)
        horizon = metric != "average_score"
        yield RawRow(
            row=pointer("results", key, "metrics", metric, "estimate"),
            benchmark=f"{benchmark}{suffix}",
            model=_name(key),
            score=as_text(value.get("estimate")),
            unit="minutes" if horizon else "fraction",
            std_error=_std_error(value) if horizon else "",
            dated_on=as_text(value_at(entry, "release_date")),
            date_basis="model_release",
            setting=_setting(value_at(entry, "scaffolds")),
        )


def _name(key: str) -> str:
    """`gpt_5_1_codex_max_inspect` says in which framework the model was run; the agents say that too."""
    return key.removesuffix(_INSPECT)


def _std_error(value: Entry) -> str:
    estimate, low, high = (as_text(value.get(name)) for name in ("estimate", "ci_low", "ci_high"))
    return "" if is_nothing(low) and is_nothing(high) else error_of_ratio(estimate, low, high)


def _setting(scaffolds: object) -> str:
    """The agents in which the model was run, each once: a suite of tasks may have had its own."""
    listed = scaffolds if isinstance(scaffolds, list) else []
    agents = [
        match["agent"] for listed_run in listed if (match := _AGENTS.fullmatch(as_text(listed_run).rpartition(",")[2]))
    ]
    return f"scaffold={' and '.join(dict.fromkeys(agents))}" if agents else ""


def _models(key: str, entry: object) -> Iterator[ModelFact]:
    released_on = as_text(value_at(entry, "release_date"))
    if released_on:
        yield ModelFact(pointer("results", key, "release_date"), _name(key), released_on=released_on)


def _facts(benchmark: str, name: str) -> Iterator[BenchmarkFact]:
    whole = BenchmarkFact(
        benchmark=benchmark,
        name=name,
        metric="50% time horizon",
        unit="minutes",
        domain="agentic",
        modality="text",
        paper_url="https://arxiv.org/abs/2503.14499",
    )
    yield whole.part("p80", "at 80%", "80% time horizon")
    yield whole.part("mean-score", "mean score", "mean score")._replace(unit="fraction", floor="0")
