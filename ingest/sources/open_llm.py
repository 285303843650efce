"""The Open LLM Leaderboards, as exported into `csv/huggingface_v1.csv` (closed 2024-06) and `csv/huggingface_v2.csv`.

Each is the mean of six tests, run by Hugging Face on models of the hub; the tests are parts. The second prints scores
rescaled so that chance is 0. What the columns do not say by themselves:

- `flagged` is inverted: it is TRUE for the models that were *not* flagged (the export negated its logical columns).
  `features_is_flagged`, since 2024-12, is as it says. In either, most models are not flagged, or the file is refused.
  Flagged models (mostly for contamination) are excluded, as the leaderboard itself hides them.
- 1,553 models of the first have one of nine instants as their date: their results were filed together, and nobody
  submitted them at that moment. Such an instant is no date.
- 582 models have 0 in GSM8K. A model that does no better than guessing in MMLU may well solve nothing. One that clearly
  does better and prints exactly 0 was stopped or not run; neighbours of equal skill print 5 to 70. Such zeros are no
  scores, nor is an average that counts them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Set
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, declared_file, read_csv
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

REPOSITORY = "fboulnois/llm-leaderboard-csv"

GUESSING_IN_MMLU = 30.0
"""Percent; four answers give 25, and always choosing one letter, or a broken prompt, up to a few points more."""

FILED_TOGETHER = 7
"""So many models with one instant were not submitted one by one: the largest group of others has 6."""

ROUNDING = 0.05
"""Points by which a printed average may differ from the mean of the printed parts."""


class _Test(NamedTuple):
    slug: str
    metric: str
    n_items: str = ""


V1 = {
    "arc": _Test("arc-challenge", "normalised accuracy, 25-shot", "1172"),
    "hellaswag": _Test("hellaswag", "normalised accuracy, 10-shot", "10042"),
    "mmlu": _Test("mmlu", "mean accuracy over subjects, 5-shot"),
    "truthfulqa": _Test("truthfulqa", "mc2, 0-shot"),
    "winogrande": _Test("winogrande", "accuracy, 5-shot", "1267"),
    "gsm8k": _Test("gsm8k", "accuracy, 5-shot", "1319"),
}
V2 = {
    "ifeval": _Test("ifeval", "strict accuracy"),
    "bbh": _Test("bbh", "normalised accuracy above chance, 3-shot"),
    "math": _Test("math-lvl-5", "exact match, 4-shot"),
    "gpqa": _Test("gpqa", "normalised accuracy above chance, 0-shot"),
    "musr": _Test("musr", "normalised accuracy above chance, 0-shot"),
    "mmlu_pro": _Test("mmlu-pro", "accuracy above chance, 5-shot"),
}


class _Layout(NamedTuple):
    """Where one form of the file has what: `tests` maps columns to tests; `not_flagged` marks a clean model."""

    benchmark: str
    name: str
    tests: Mapping[str, _Test]
    average: str
    model: str
    precision: str
    flagged: str
    not_flagged: str
    date: str
    chat_template: str = ""
    official: str = ""
    uploaded: str = ""


FIRST = _Layout("openllm-v1", "Open LLM Leaderboard 1", V1, "average", "model", "precision", "flagged", "TRUE", "date")
SECOND = _Layout(
    "openllm-v2",
    "Open LLM Leaderboard 2",
    {{"math": "math_lvl_5", "mmlu_pro": "mmlupro"}.get(key, key): test for key, test in V2.items()},
    "average",
    "model",
    "precision",
    "flagged",
    "TRUE",
    "submission_date",
    "chat_template",
    "maintainers_highlight",
    "upload_to_hub_date",
)
RENAMED = SECOND._replace(
    tests={f"evaluations_{key}_normalized_score": test for key, test in V2.items()},
    average="model_average_score",
    model="model_name",
    precision="model_precision",
    flagged="features_is_flagged",
    not_flagged="FALSE",
    date="metadata_submission_date",
    chat_template="model_has_chat_template",
    official="features_is_official_provider",
    uploaded="metadata_upload_date",
)
LAYOUTS = {"huggingface_v1.csv": (FIRST,), "huggingface_v2.csv": (SECOND, RENAMED)}

_INSTANT = re.compile(r"(\d{4}-\d{2}-\d{2})T[\d:.]+Z?", re.ASCII)
_LOGICAL = ("TRUE", "FALSE")


def parse(body: bytes, path: str) -> Parsed:
    """Read one export: seven rows (the average and its six parts) for every model."""
    layouts = declared_file(LAYOUTS, path)
    records = read_csv(body, [])
    layout = next((layout for layout in layouts if records and _fits(records[0], layout)), None)
    if layout is None:
        raise PayloadError(f"no known form: {list(records[0].cells)[:12] if records else 'no models'}")
    flagged = sum(record.cells[layout.flagged] != layout.not_flagged for record in records)
    if flagged > len(records) / 2:
        raise PayloadError(f"{flagged} of {len(records)} models flagged: {layout.flagged!r} has changed its meaning")
    problems = [_problem(record, layout) for record in records]
    wrong = [problem for problem in problems if problem and not problem.startswith("excluded")]
    if len(wrong) > len(records) / 2:
        raise PayloadError(f"most lines contradict themselves: {wrong[0]}")
    pairs = list(zip(records, problems, strict=True))
    times = Counter(record.cells[layout.date].strip() for record in records)
    together = {time for time, models in times.items() if _INSTANT.fullmatch(time) and models >= FILED_TOGETHER}
    return Parsed(
        rows=[row for record, problem in pairs for row in _rows(record, layout, problem, together)],
        models=[_model(record, layout) for record, problem in pairs if not problem and _is_official(record, layout)],
        benchmarks=_facts(layout),
    )


SOURCE = Source(
    key="open-llm",
    title="Open LLM Leaderboards 1 and 2",
    homepage="https://huggingface.co/open-llm-leaderboard",
    licence="MPL-2.0",
    redistributable=True,
    kind="crawl",
    cadence="closed since 2025-03",
    files=tuple(
        GithubFile(f"open-llm/openllm-v{edition}", REPOSITORY, "main", f"csv/huggingface_v{edition}.csv")
        for edition in (1, 2)
    ),
    parse=parse,
)


def _fits(record: Record, layout: _Layout) -> bool:
    named = (layout.average, layout.model, layout.precision, layout.flagged, layout.date, *layout.tests)
    return all(column in record.cells for column in named)


def _problem(record: Record, layout: _Layout) -> str:
    """Why nothing of this line may be used, or empty."""
    if record.problem:
        return record.problem
    cells = record.cells
    flagged = cells[layout.flagged]
    if flagged not in _LOGICAL:
        return f"{layout.flagged} is neither TRUE nor FALSE: {flagged[:50]!r}"
    try:
        test_scores = [read_number(cells[column]) for column in layout.tests]
        average = read_number(cells[layout.average])
    except UnreadableError as error:
        return f"incomplete: {error}"
    if abs(average - sum(test_scores) / len(test_scores)) > ROUNDING:
        return f"the average {average:g} is not the mean of the parts, {sum(test_scores) / len(test_scores):.2f}"
    return "" if flagged == layout.not_flagged else "excluded: flagged by the leaderboard"


def _rows(record: Record, layout: _Layout, problem: str, together: Set[str]) -> list[RawRow]:
    cells = record.cells
    not_run = "" if problem else _not_run(cells)
    published = cells[layout.date].strip()
    if published in together:
        published = ""
    instant = _INSTANT.fullmatch(published)
    chat = bool(layout.chat_template) and cells.get(layout.chat_template) == "TRUE"
    average = RawRow(
        row=f"line {record.line}, column {layout.average}",
        benchmark=layout.benchmark,
        model=cells[layout.model],
        score=cells[layout.average],
        dated_on=instant[1] if instant else published,
        date_basis="submission",
        setting=join_settings([cells[layout.precision].strip(), "chat template" if chat else ""]),
        reject=problem or not_run,
    )
    return [average] + [
        average._replace(
            row=f"line {record.line}, column {column}",
            benchmark=f"{layout.benchmark}/{test.slug}",
            score=cells[column],
            reject=problem or (not_run if column == "gsm8k" else ""),
        )
        for column, test in layout.tests.items()
    ]


def _not_run(cells: Mapping[str, str]) -> str:
    """The reason why a 0 in GSM8K is not a score, or empty; both cells are known to be numbers."""
    if "gsm8k" not in cells or read_number(cells["gsm8k"]) != 0:
        return ""
    mmlu = read_number(cells["mmlu"])
    if mmlu <= GUESSING_IN_MMLU:
        return ""
    return f"0 in GSM8K from a model with {mmlu:g} in MMLU: stopped or not run, no score"


def _is_official(record: Record, layout: _Layout) -> bool:
    """Whether the model's own maker uploaded it: other uploads are copies, and their dates not the model's."""
    return record.cells.get(layout.official) == "TRUE" and not is_nothing(record.cells.get(layout.uploaded, ""))


def _model(record: Record, layout: _Layout) -> ModelFact:
    name = record.cells[layout.model]
    return ModelFact(
        row=f"line {record.line}, column {layout.uploaded}",
        model=name,
        organisation=name.split("/")[0] if "/" in name else "",
        released_on=record.cells[layout.uploaded],
        open_weights="true",
    )


def _facts(layout: _Layout) -> list[BenchmarkFact]:
    average = BenchmarkFact(
        benchmark=layout.benchmark,
        name=layout.name,
        metric="mean of six tests",
        domain="mixed",
        modality="text",
        released_on="2023-05-08" if layout.benchmark == "openllm-v1" else "2024-06-26",
        paper_url="https://huggingface.co/docs/leaderboards/open_llm_leaderboard/about",
    )
    return [average] + [
        average.part(test.slug, test.slug, test.metric)._replace(n_items=test.n_items) for test in layout.tests.values()
    ]
