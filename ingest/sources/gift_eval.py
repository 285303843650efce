"""GIFT-Eval, forecasting of time series: a folder for each model, in it its scores on 97 tasks and a card.

`all_results.csv` has a line a task (`data set/frequency/term`) and a column a metric. The two that the board ranks by
are taken: the weighted quantile loss, which is the task's score, and MASE. Lower is better, and neither has an upper
end: a model that diverges can have 1e24, which no scale holds and is rejected. Tables differ in what stands beside (a
column of line numbers, no domain), and one has two spellings of its model. `config.json` is the makers' own word: whose
the model is, and whether test data were in its training. Their yes is a report; their no is a declared exclusion, since
it shows nothing.
"""

import re

from benchhealth.ingest.formats.bodies import Record, as_text, path_parts, pointer, read_csv, read_json, slug
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import BenchmarkFact, ContaminationReport, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/SalesforceAIResearch/gift-eval"
BENCHMARK = "gift-eval"
WHOLE = BenchmarkFact(
    benchmark=BENCHMARK,
    name="GIFT-Eval",
    metric="rank over tasks, which the board computes",
    unit="rank",
    higher_is_better=False,
    domain="forecasting",
    modality="time-series",
    released_on="2024-10",
    paper_url="https://arxiv.org/abs/2410.10393",
)
LOSS = "eval_metrics/mean_weighted_sum_quantile_loss"
MASE = "eval_metrics/MASE[0.5]"
METRICS = {LOSS: ("", "weighted quantile loss"), MASE: ("/mase", "MASE")}
"""Column to what follows the task in the benchmark's id, and the metric's name."""

DECLARED = "declared by the maker: test data in the training data"
_PATH = re.compile(r"results/([^/]+)/(all_results\.csv|config\.json)")


def parse(body: bytes, path: str) -> Parsed:
    """Read one file of a model's folder: its scores, or its card."""
    match = path_parts(_PATH, path)
    return _scores(body) if match[2] == "all_results.csv" else _card(body)


SOURCE = Source(
    key="gift-eval",
    title="GIFT-Eval, forecasting of time series",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="some models a week",
    files=(GithubTree("gift-eval/{0}", "SalesforceAIResearch/gift-eval", "main", _PATH.pattern),),
    parse=parse,
)


def _scores(body: bytes) -> Parsed:
    records = read_csv(body, ["dataset", "model", *METRICS], empty="a table without tasks")
    rows = [_score_row(record, column) for record in records for column in METRICS]
    facts = {
        row.benchmark: _fact(record, column)
        for record in records
        for column in METRICS
        if not (row := _score_row(record, column)).reject
    }
    return Parsed(rows=rows, benchmarks=list(facts.values()))


def _score_row(record: Record, column: str) -> RawRow:
    task = slug(record.cells["dataset"])
    return RawRow(
        row=f"line {record.line}, column {column}",
        benchmark=f"{BENCHMARK}/{task}{METRICS[column][0]}",
        model=record.cells["model"],
        score=record.cells[column],
        unit="loss",
        reject=record.problem or ("" if task else "a line without a task"),
    )


def _fact(record: Record, column: str) -> BenchmarkFact:
    suffix, metric = METRICS[column]
    task = record.cells["dataset"]
    return WHOLE._replace(
        benchmark=f"{BENCHMARK}/{slug(task)}{suffix}",
        name=f"GIFT-Eval, {task}{f': {metric}' if suffix else ''}",
        metric=metric,
        unit="loss",
    )


def _card(body: bytes) -> Parsed:
    """What the makers say of their model; a card without a field says nothing about it."""
    card = read_json(body)
    if not isinstance(card, dict) or "model" not in card:
        raise PayloadError("not the card of a model")
    model = as_text(card["model"])
    organisation = as_text(card.get("org"))
    leaked = as_text(card.get("testdata_leakage"))
    link = as_text(card.get("model_link"))
    refused = "" if leaked == "Yes" else f"not a declaration: {leaked!r}"
    report = ContaminationReport(
        row=pointer("testdata_leakage"),
        benchmark=BENCHMARK,
        subject=model,
        method=DECLARED,
        reference_url=link if link.startswith("https://") else HOMEPAGE,
        split="test",
        reject="excluded: declared to be without test data" if leaked == "No" else refused,
    )
    models = [] if is_nothing(organisation) else [ModelFact(pointer("org"), model, organisation=organisation)]
    return Parsed(models=models, benchmarks=[WHOLE], reports=[report])
