"""Results of the lm-evaluation-harness: `results_*.json`, one model on any number of tasks.

A task's metrics stand as `<metric>,<filter>` beside their `_stderr`. A task with one metric is a benchmark under that
metric; of several none is taken for the main one, each is a part (`<benchmark>/<metric>`), and so is a task of a group
that has scores of its own (`mmlu/mmlu-anatomy`). Filter, shots and a limit of items are the setting. Accuracies, exact
match and F1 are fractions; every other metric has a unit of its own name, and the file must say which way is better.
https://github.com/EleutherAI/lm-evaluation-harness
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from benchhealth.ingest.formats.bodies import as_text, object_at, pointer, slug, value_at
from benchhealth.ingest.formats.numbers import day_of_instant
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow

_FRACTION = re.compile(r"(?:.*_)?(?:acc|em|f1|mc[12]|exact_match|pass@\d+)(?:_.*)?")
_PRETRAINED = re.compile(r"(?:^|,)(?:pretrained|model)=([^,]+)")
_NOT_METRICS = ("alias", "name", "sample_len", "sample_count", "samples")

Json = Mapping[str, Any]


class _Score(NamedTuple):
    """One published number of a task: where it stands, and under which metric and filter."""

    key: str
    metric: str
    filter: str


def is_lm_eval(document: object) -> TypeGuard[Json]:
    """Whether a JSON document is what the harness writes."""
    return isinstance(document, dict) and isinstance(document.get("results"), dict) and "config" in document


def parse_lm_eval(document: Json, name_of: Callable[[str], str]) -> Parsed:
    """Every metric of every task as a row; `name_of` gives the benchmark_id for a task.

    `document` is the file with its numbers as published text. Raises PayloadError where no model or no metric is named.
    """
    model = _model(document)
    if not model:
        raise PayloadError("no model_name, and no model in config.model_args")
    rows: list[RawRow] = []
    facts: dict[str, BenchmarkFact] = {}
    for task, metrics in document["results"].items():
        if not isinstance(metrics, dict) or not slug(task):
            rows.append(_without_name(task, model))
            continue
        for row, fact in _rows(document, task, metrics, model, _benchmark(document, task, name_of)):
            rows.append(row)
            facts.setdefault(fact.benchmark, fact)
    if not rows:
        raise PayloadError("no task with a metric")
    return Parsed(rows=rows, benchmarks=list(facts.values()))


def _without_name(task: str, model: str) -> RawRow:
    reject = "not the results of a named task"
    return RawRow(row=pointer("results", task), benchmark="", model=model, score="", reject=reject)


def _model(document: Json) -> str:
    arguments = value_at(document, "config", "model_args")
    if isinstance(arguments, dict):
        published = as_text(arguments.get("pretrained") or arguments.get("model"))
    else:
        match = _PRETRAINED.search(as_text(arguments))
        published = match[1].strip() if match else ""
    return as_text(document.get("model_name")) or published


def _benchmark(document: Json, task: str, name_of: Callable[[str], str]) -> str:
    """The benchmark of a task: a part of the outermost group that has scores of its own, else one for itself."""
    groups = object_at(document, "group_subtasks")
    outermost, visited = task, {task}
    while parent := _group_of(groups, outermost):
        if parent in visited or not list(_scores(object_at(document, "results", parent))):
            break
        outermost = parent
        visited.add(parent)
    return name_of(task) if outermost == task else f"{name_of(outermost)}/{slug(task)}"


def _group_of(groups: Json, task: str) -> str:
    return next((group for group, tasks in groups.items() if isinstance(tasks, list) and task in tasks), "")


def _rows(
    document: Json, task: str, metrics: Json, model: str, benchmark: str
) -> Iterator[tuple[RawRow, BenchmarkFact]]:
    scores = list(_scores(metrics))
    several = len({score.metric for score in scores}) > 1
    counted = object_at(document, "n-samples", task)
    for score in scores:
        higher = as_text(value_at(document, "higher_is_better", task, score.metric))
        unit = "fraction" if _FRACTION.fullmatch(score.metric) else score.metric
        row = RawRow(
            row=pointer("results", task, score.key),
            benchmark=f"{benchmark}/{slug(score.metric)}" if several else benchmark,
            model=model,
            score=as_text(metrics[score.key]),
            unit=unit,
            std_error=_std_error(metrics, score),
            n_items=as_text(counted.get("effective")),
            dated_on=day_of_instant(as_text(document.get("date"))),
            date_basis="evaluation",
            setting=join_settings([_shots(value_at(document, "n-shot", task)), _filter(score), _limit(counted)]),
            reject="" if unit == "fraction" or higher else f"no word on which way of {score.metric} is better",
        )
        name = f"{task}, {score.metric}" if several else task
        yield (
            row,
            BenchmarkFact(
                benchmark=row.benchmark,
                name=name,
                metric=score.metric,
                unit=unit,
                higher_is_better=higher != "false",
            ),
        )


def _scores(metrics: Json) -> Iterator[_Score]:
    for key in metrics:
        metric, _, filter_name = key.partition(",")
        if metric not in _NOT_METRICS and not metric.endswith("_stderr") and slug(metric):
            yield _Score(key, metric, filter_name)


def _std_error(metrics: Json, score: _Score) -> str:
    """The metric's standard error; the harness writes N/A where it has none."""
    return as_text(metrics.get(f"{score.metric}_stderr,{score.filter}", metrics.get(f"{score.metric}_stderr")))


def _shots(number: object) -> str:
    return f"{as_text(number)}-shot" if as_text(number).isdecimal() else ""


def _filter(score: _Score) -> str:
    return "" if score.filter in ("", "none") else f"filter {score.filter}"


def _limit(counted: Json) -> str:
    """That only some of the items were asked: another test than the whole."""
    evaluated, available = as_text(counted.get("effective")), as_text(counted.get("original"))
    return "" if not (evaluated and available) or evaluated == available else f"{evaluated} of {available} items"
