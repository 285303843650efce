"""lm-harmony: 61 language models on 24 tasks and three corpora, as published and after equal fine-tuning on each task.

`direct_eval` and `train_before_test` hold scores by task and model, with standard errors beside them. They answer two
questions, so they are two benchmarks: `lm-harmony-<task>` and `lm-harmony-<task>-tuned`. Items and prompts are those
of the source, which is why none stands under the registry's name. The three corpora of 2025 are losses, where lower is
better and no error is given. CoLA is a correlation and can be negative.
"""

from collections.abc import Iterator, Mapping

from benchhealth.ingest.formats.bodies import as_text, pointer, read_object, slug
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

PAPER = "https://github.com/socialfoundations/lm-harmony"
TASKS = (
    "anli_r1",
    "arc_challenge",
    "arc_easy",
    "boolq",
    "cola",
    "commonsense_qa",
    "gsm8k",
    "headqa_en",
    "hellaswag",
    "mathqa",
    "medmcqa",
    "mnli",
    "mrpc",
    "nq_open",
    "openbookqa",
    "piqa",
    "qnli",
    "qqp",
    "rte",
    "sciq",
    "social_iqa",
    "sst2",
    "wic",
    "winogrande",
)
CORPORA = ("arxiv_2025", "stackexchange_2025", "wiki_2025")
PREPARATIONS = {"direct_eval": "", "train_before_test": "-tuned"}
"""Key of the file to the ending of the benchmark_id."""

EXACT_MATCH = ("gsm8k", "nq_open")

Scores = Mapping[str, Mapping[str, object]]


def parse(body: bytes, _path: str) -> Parsed:
    """Read both tables. A task that is not known here is refused: its unit and direction would be a guess."""
    document = read_object(body, "not an object")
    tables = {key: (_table(document, key), _table(document, f"{key}_stderr")) for key in PREPARATIONS}
    return Parsed(
        rows=[row for key, (scores, errors) in tables.items() for row in _rows(key, scores, errors)],
        benchmarks=[_fact(key, task) for key, (scores, _) in tables.items() for task in scores],
    )


SOURCE = Source(
    key="lm-harmony",
    title="lm-harmony: language models as published and after equal fine-tuning",
    homepage=PAPER,
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(GithubFile("lm-harmony/tasks", "socialfoundations/lm-harmony", "main", "notebooks/all_results.json"),),
    parse=parse,
)


def benchmark_of(key: str, task: str) -> str:
    """The benchmark_id of a task under one of the two preparations."""
    return f"lm-harmony-{slug(task)}{PREPARATIONS[key]}"


def _table(document: Mapping[str, object], key: str) -> Scores:
    table = document.get(key)
    if not isinstance(table, dict) or not table:
        raise PayloadError(f"no table {key}")
    unknown = sorted(set(table) - {*TASKS, *CORPORA})
    if unknown:
        raise PayloadError(f"unknown tasks in {key}: {', '.join(unknown)[:200]}")
    if not all(isinstance(models, dict) and models for models in table.values()):
        raise PayloadError(f"a task without models in {key}")
    return table


def _rows(key: str, scores: Scores, errors: Scores) -> Iterator[RawRow]:
    for task, models in scores.items():
        for model, score in models.items():
            yield RawRow(
                row=pointer(key, task, model),
                benchmark=benchmark_of(key, task),
                model=model,
                score=as_text(score),
                unit=_unit(task),
                std_error=as_text(errors.get(task, {}).get(model)),
            )


def _unit(task: str) -> str:
    if task in CORPORA:
        return "loss"
    return "correlation" if task == "cola" else "fraction"


def _fact(key: str, task: str) -> BenchmarkFact:
    unit = _unit(task)
    metric = {"loss": "language modelling loss", "correlation": "Matthews correlation"}.get(unit, "accuracy")
    prepared = ", after fine-tuning on the task" if PREPARATIONS[key] else ", as published"
    return BenchmarkFact(
        benchmark=benchmark_of(key, task),
        name=f"{task} (lm-harmony{prepared})",
        metric="exact match" if task in EXACT_MATCH else metric,
        unit=unit,
        higher_is_better=unit != "loss",
        domain="language-modelling" if unit == "loss" else "nlu",
        modality="text",
        paper_url=PAPER,
    )
