"""Biology reruns: 27 models on eight biology tests, each ten times, by people who make none of them.

`*_summary.csv` has a line a model, test and way of asking: the mean accuracy of the ten runs, which is the score, and
their standard deviation, which says how much one run differs from the next on the same questions. That is no error of
the mean: it leaves out that other questions might have been drawn, and comes as a test of its own (`spread`). Three
of the tests are the biology of a larger one: of GPQA (main set) and MMLU a subset, which is a condition; WMDP is known
here by its biology alone. `baselines` is what experts, other people and chance reach; MMLU's are of all its subjects.
The day is that of the last of the ten runs, out of the names of their files. `*_all_runs.csv` has the runs one by one
and says nothing else; it is not read.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.numbers import read_count, read_day, read_number, readable
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/lennijusten/biology-benchmarks"
COLUMNS = (
    *("inspect_model_name", "benchmark", "benchmark_publication_date", "task_args", "prompt_schema", "total_samples"),
    *("mean_accuracy", "std_accuracy", "baselines", "num_runs", "filenames"),
)
MEAN, SPREAD = "mean_accuracy", "std_accuracy"
DEVIATION = "standard deviation"
"""The unit of the spread: it has no ceiling, and nothing of a test is used up by it."""


class _Test(NamedTuple):
    benchmark: str
    name: str
    subset: str
    arguments: Mapping[str, str]
    """What the line must say is asked, besides how."""


_GPQA = {"subset": "gpqa_main", "subtasks": "Biology"}
TESTS: Mapping[str, _Test] = {
    "gpqa": _Test("gpqa-main", "GPQA main, biology", "biology", _GPQA),
    "mmlu": _Test("mmlu", "MMLU, biology", "biology", {"subtasks": "biology"}),
    "wmdp": _Test("biology-reruns-wmdp-bio", "WMDP, biology", "", {"subset": "wmdp-bio"}),
    "vct": _Test("biology-reruns-vct-text", "VCT without images", "", {"mode": "mr", "subtasks": "no_images"}),
    "pubmedqa": _Test(
        "biology-reruns-pubmedqa", "PubMedQA", "", {"subset": "pubmed_qa_labeled_fold0_bigbio_qa", "split": "test"}
    ),
    "lab-bench-litqa2": _Test("biology-reruns-litqa2", "LAB-Bench: LitQA2", "", {"subset": "LitQA2"}),
    "lab-bench-protocolqa": _Test("biology-reruns-protocolqa", "LAB-Bench: ProtocolQA", "", {"subset": "ProtocolQA"}),
    "lab-bench-cloningscenarios": _Test(
        "biology-reruns-cloning-scenarios", "LAB-Bench: CloningScenarios", "", {"subset": "CloningScenarios"}
    ),
}
PROMPTS: Mapping[str, str] = {"zero_shot": "0-shot", "five_shot": "5-shot", "zero_shot_cot": "0-shot, cot"}
HOW = frozenset({"n_shot", "cot", "split", "reasoning_tokens", "reasoning_effort"})
"""Arguments that say how is asked, and of which set of published questions."""

PEOPLE: Mapping[str, tuple[str, str]] = {
    "expert": ("Experts", "human"),
    "non_expert": ("Non-experts", "human"),
    "random": ("Random answers", "random"),
}
OF_THE_WHOLE = "excluded: of all subjects of MMLU, not of biology"

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})T")
_HOST = re.compile(r"(?:together|grok|mistral)/(?=.)")


def parse(body: bytes, path: str) -> Parsed:
    """Read the table of means: two rows for every line, and one for experts, others and chance on every test."""
    if not path.endswith("_summary.csv"):
        raise PayloadError(f"not the table of means: {path}")
    records = read_csv(body, COLUMNS, empty="a table without models")
    rows = [row for record in records for row in _rows(record)]
    return Parsed(
        rows=rows + list(_baselines(records)), models=list(_models(records)), benchmarks=list(_facts(records))
    )


SOURCE = Source(
    key="biology-reruns",
    title="Biology reruns: eight tests, ten runs a model (Justen)",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(
        GithubFile(
            "biology-reruns/biology-reruns",
            "lennijusten/biology-benchmarks",
            "main",
            "preprint/data/log_results/20250507_summary.csv",
        ),
    ),
    parse=parse,
)


def _rows(record: Record) -> Iterator[RawRow]:
    cells = record.cells
    test = TESTS.get(cells["benchmark"])
    setting, problem = _setting(cells, test)
    days = sorted(_DAY.findall(cells["filenames"]))
    mean = RawRow(
        row=f"line {record.line}, column {MEAN}",
        benchmark=test.benchmark if test else cells["benchmark"],
        model=_model(cells),
        score=cells[MEAN],
        unit="fraction",
        n_items=cells["total_samples"],
        dated_on=days[-1] if days else "",
        date_basis="evaluation" if days else "",
        setting=setting,
        reject=record.problem or problem,
    )
    yield mean
    yield mean._replace(
        row=f"line {record.line}, column {SPREAD}",
        benchmark=_spread(cells["benchmark"]),
        score=cells[SPREAD],
        unit=DEVIATION,
        n_items="",
    )


def _model(cells: Mapping[str, str]) -> str:
    """The name by which the model was called, without the host that answered."""
    return _HOST.sub("", cells["inspect_model_name"], count=1)


def _setting(cells: Mapping[str, str], test: _Test | None) -> tuple[str, str]:
    """The setting of a run, and why it is refused: (setting, reason), the reason empty where it is not."""
    if test is None:
        return "", "unknown test"
    arguments = _literal(cells["task_args"])
    unknown = sorted(set(arguments) - HOW - set(test.arguments))
    if not arguments or unknown:
        return "", f"unknown arguments: {', '.join(unknown) or cells['task_args']!r}"
    for name, value in test.arguments.items():
        if str(arguments.get(name)).strip("[]'\"") != value:
            return "", f"another set of questions: {name} is {arguments.get(name)!r}"
    if cells["prompt_schema"] not in PROMPTS:
        return "", f"unknown way of asking: {cells['prompt_schema']!r}"
    effort, budget = arguments.get("reasoning_effort"), arguments.get("reasoning_tokens")
    settings = (
        f"subset={test.subset}" if test.subset else "",
        PROMPTS[cells["prompt_schema"]],
        f"{effort} effort" if effort else "",
        f"thinking={budget} tokens" if budget else "",
        f"mean of {cells['num_runs']} runs",
    )
    return ", ".join(setting for setting in settings if setting), ""


def _literal(text: str) -> dict[str, object]:
    """A dictionary as Python prints it, empty where it is none."""
    try:
        parsed = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return {}
    return {str(key): value for key, value in parsed.items()} if isinstance(parsed, dict) else {}


def _baselines(records: list[Record]) -> Iterator[RawRow]:
    """What people and chance reach, once a test: every line of a test says it."""
    tests: set[str] = set()
    for record in records:
        cells = record.cells
        key, test = cells["benchmark"], TESTS.get(cells["benchmark"])
        if test is None or key in tests:
            continue
        tests.add(key)
        for group, value in _literal(cells["baselines"]).items():
            if group in PEOPLE and value is not None:
                name, kind = PEOPLE[group]
                yield RawRow(
                    row=f"line {record.line}, column baselines, {group}",
                    benchmark=test.benchmark,
                    model=name,
                    score=str(value),
                    unit="fraction",
                    setting=f"subset={test.subset}" if test.subset else "",
                    kind=kind,
                    reject=record.problem or (OF_THE_WHOLE if key == "mmlu" and kind == "human" else ""),
                )


def _models(records: list[Record]) -> Iterator[ModelFact]:
    named: set[str] = set()
    for record in records:
        model = _model(record.cells)
        maker = record.cells.get("epoch_organization", "").split(",")[0]
        if maker and not record.problem and model not in named:
            named.add(model)
            yield ModelFact(f"line {record.line}, column epoch_organization", model, organisation=maker)


def _facts(records: list[Record]) -> Iterator[BenchmarkFact]:
    first = {record.cells["benchmark"]: record for record in reversed(records) if record.cells["benchmark"] in TESTS}
    for key, record in first.items():
        test, cells = TESTS[key], record.cells
        chance = _literal(cells["baselines"]).get("random")
        fact = BenchmarkFact(
            benchmark=test.benchmark,
            name=test.name,
            metric="accuracy",
            unit="fraction",
            domain="science-qa",
            modality="text",
            floor=readable(str(chance), read_number),
            n_items=readable(cells["total_samples"], read_count),
            released_on=readable(cells["benchmark_publication_date"], read_day),
            paper_url=HOMEPAGE,
        )
        yield fact
        yield fact._replace(
            benchmark=_spread(key),
            name=f"{test.name}: spread of ten runs",
            metric="standard deviation of the accuracy between runs",
            unit=DEVIATION,
            higher_is_better=False,
            floor="",
            n_items="",
        )


def _spread(key: str) -> str:
    return f"biology-reruns-spread-{key}"
