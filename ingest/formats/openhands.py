"""The result files of the OpenHands Index: `scores.json` and `metadata.json` in a folder for each model.

One team runs every model on the same five benchmarks; its own agent's runs stand in `results/`, those under other
agents in `alternative_agents/AGENT/`. A file of scores does not name its model, its folder does; an empty list is a
model whose runs have not come in, or went to another folder. The agent and its version are the setting: from the entry,
else from the folder (`v1.8.3_NAME`), else unknown.

Of SWE-bench Multimodal the development split is used, and since 2026-01-25 `score` counts only the tasks that can be
solved: that is a part of its own, and the share of all tasks carries on in `component_scores`. Metrics of other names
are those of the first files, which were examples of the form.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, object_at, pointer, read_json, value_at
from benchhealth.ingest.formats.metrics import cost_of
from benchhealth.ingest.formats.numbers import day_of_instant, number_or_none
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow

HOMEPAGE = "https://index.openhands.dev"
REPOSITORY = "OpenHands/openhands-index-results"
OWN_AGENT = "OpenHands"
AGENTS = {
    "acp-claude": "Claude Code",
    "acp-codex": "Codex",
    "acp-gemini": "Gemini CLI",
    "claude_code": "Claude Code",
    "openhands_subagents": "OpenHands Sub-agents",
}
"""Folder of an agent to its name, as the metadata of 2026-06 give it."""


class _Test(NamedTuple):
    benchmark: str
    n_items: str
    subset: str = ""


TESTS = {
    "swe-bench": _Test("swe-bench-verified", "500"),
    "swe-bench-multimodal": _Test("swe-bench-multimodal-dev", "102"),
    "swt-bench": _Test("swt-bench-verified", "433"),
    "gaia": _Test("gaia", "165", "subset=validation"),
    "commit0": _Test("commit0-lite", "16"),
}
"""Benchmark as the files call it to ours, and how many tasks it has; a file does not say how many were run."""

SOLVABLE = "solveable_accuracy"
_EXAMPLES = ("resolve_rate", "success_rate", "test_pass_rate")
_ROUNDING = 0.0501
_FOLDER = re.compile(r"(?:v(?P<version>\d+\.\d+\.\d+)_|20\d{4}(?:\d\d)?_)?(?P<model>.+)")
_PROXY = re.compile(r"litellm_proxy-(?:(?:anthropic|openai|deepseek|gemini|moonshot|fireworks_ai)-)?")


def read_folder(body: bytes, agent: str, folder: str, file: str) -> Parsed:
    """Read one file of a model's folder. `agent` is the folder of the agent, empty for the index's own."""
    match = _FOLDER.fullmatch(folder)
    document = read_json(body)
    if match is None or (agent and agent not in AGENTS):
        raise PayloadError(f"an unknown agent or no model: {agent}/{folder}")
    if file == "metadata.json":
        return Parsed(models=[_model(document)])
    if not isinstance(document, list) or not all(isinstance(entry, dict) for entry in document):
        raise PayloadError("not a list of scores")
    scaffold = AGENTS.get(agent, OWN_AGENT)
    model = _PROXY.sub("", match["model"])
    rows = [
        row for index, entry in enumerate(document) for row in _rows(index, entry, model, scaffold, match["version"])
    ]
    benchmark_ids = dict.fromkeys(row.benchmark for row in rows if not row.reject)
    return Parsed(rows=rows, benchmarks=[fact for name in benchmark_ids if "/" in name for fact in _facts(name)])


def _model(document: object) -> ModelFact:
    name, openness = (as_text(value_at(document, key)) for key in ("model", "openness"))
    if not name or not openness:
        raise PayloadError("not what is said about a model")
    weights = {"open_weights": "true", "closed_api_available": "false"}.get(openness, "")
    return ModelFact("/model", name, released_on=as_text(value_at(document, "release_date")), open_weights=weights)


def _rows(index: int, entry: Entry, model: str, scaffold: str, version: str | None) -> Iterator[RawRow]:
    name, metric = as_text(entry.get("benchmark")), as_text(entry.get("metric"))
    test = TESTS.get(name)
    if test is None:
        yield RawRow(pointer(index), "", model, as_text(entry.get("score")), reject=f"an unknown benchmark: {name!r}")
        return
    row = RawRow(
        row=pointer(index, "score"),
        benchmark=test.benchmark,
        model=model,
        score=as_text(entry.get("score")),
        n_items=_count_of_tasks(as_text(entry.get("score")), test.n_items),
        dated_on=day_of_instant(as_text(entry.get("submission_time"))),
        date_basis="submission",
        setting=_setting(entry, scaffold, version, test.subset),
        reject=_problem(metric, name),
    )
    yield from _components(row, entry.get("component_scores"), index) if metric == SOLVABLE else (row,)
    for field, part, unit in (("cost_per_instance", "cost", "dollars"), ("average_runtime", "runtime", "seconds")):
        if entry.get(field) is not None:
            address, unknown = pointer(index, field), f"a {part} of 0: not recorded"
            yield cost_of(row, address, as_text(entry[field]), part=part, of_nothing=unknown)._replace(unit=unit)


def _components(row: RawRow, components: object, index: int) -> Iterator[RawRow]:
    """The share of the tasks that can be solved, and that of all tasks where the file has it."""
    scores = object_at(components)
    yield row._replace(benchmark=f"{row.benchmark}/solvable", n_items=as_text(scores.get("solveable_total")))
    if scores.get("combined_accuracy") is not None:
        where = pointer(index, "component_scores", "combined_accuracy")
        score = as_text(scores["combined_accuracy"])
        test_items = TESTS["swe-bench-multimodal"].n_items
        yield row._replace(row=where, score=score, n_items=_count_of_tasks(score, test_items))


def _count_of_tasks(score: str, n_items: str) -> str:
    """The number of tasks where the printed percentage is a share of that many, to its one decimal; else unknown."""
    percentage = number_or_none(score)
    if percentage is None or not 0 <= percentage <= 100:
        return ""
    passed = round(percentage / 100 * float(n_items))
    return n_items if abs(100 * passed / float(n_items) - percentage) <= _ROUNDING else ""


def _problem(metric: str, name: str) -> str:
    if metric in _EXAMPLES:
        return f"an example of the form: {metric} is no metric of this index"
    is_metric = metric == "accuracy" or (metric == SOLVABLE and name == "swe-bench-multimodal")
    return "" if is_metric else f"an unknown metric of {name}: {metric!r}"


def _setting(entry: Entry, scaffold: str, folder_version: str | None, subset: str) -> str:
    """`scaffold=OpenHands 1.15.0`; another agent in its own version, with that of the harness around it."""
    harness = as_text(entry.get("agent_version")).removeprefix("v") or folder_version or ""
    agent_version = as_text(entry.get("acp_agent_version")).removeprefix("v")
    if scaffold == OWN_AGENT:
        words = f"scaffold={scaffold} {harness}".strip()
    else:
        words = f"scaffold={scaffold} {agent_version}".strip() + f" in {OWN_AGENT} {harness}".rstrip()
    return f"{words}, {subset}" if subset else words


def _facts(benchmark: str) -> Iterator[BenchmarkFact]:
    test, _, measure = benchmark.partition("/")
    names = {
        "solvable": ("share of the solvable tasks solved", "percent"),
        "cost": ("cost of a task", "dollars"),
        "runtime": ("running time of a task", "seconds"),
    }
    metric, unit = names[measure]
    yield BenchmarkFact(
        benchmark=benchmark,
        name=f"{test}: {measure}",
        metric=metric,
        unit=unit,
        higher_is_better=unit == "percent",
        domain="agentic" if test == "gaia" else "agentic-code",
        floor="0" if unit == "percent" else "",
        paper_url=HOMEPAGE,
    )
