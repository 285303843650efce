"""BenchBench: the multi-task leaderboards that Zhang and Hardt (2024) analysed, as tables of early 2024.

What each table's columns are is declared in `TABLES`: the board's overall score is the benchmark, its tasks are parts.
`a/b` in a cell is two metrics of one task, the second of them a part of the part; the board takes their mean (and that
of MNLI's two halves, parts of `glue/mnli`) as the task's score. The diagnostic sets do not count in a board's score and
are benchmarks of their own. A name that a board lists again is the same model in another setting, `entry 2` and so on:
the boards do not say what differs. HELM and HEIM have a mean win rate over their own models as overall score; HEIM's
arrows say which way is better. HELM's table of summarisation is read as the analysis counts it, more as better in every
column, though density and compression have no better in themselves. VTAB's header lacks the name of its first column,
and one of its cells (Cond-BigGAN on Caltech101) looks like a fraction among percentages: it is read as printed, as the
analysis did. Not read: ImageNet by class, and the unformatted copy of BBH.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, path_parts, read_csv, slug
from benchhealth.ingest.formats.metrics import Column
from benchhealth.ingest.formats.numbers import is_nothing, loose_day
from benchhealth.ingest.names.identity import NameRefusedError, join_settings, normalise
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/socialfoundations/benchbench"
PLACES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("glue", "MRPC"): ("glue/mrpc/f1", "glue/mrpc"),
    ("glue", "STS-B"): ("glue/sts-b", "glue/sts-b/spearman"),
    ("glue", "QQP"): ("glue/qqp/f1", "glue/qqp"),
    ("glue", "MNLI-m"): ("glue/mnli/m",),
    ("glue", "MNLI-mm"): ("glue/mnli/mm",),
    ("glue", "AX"): ("glue-ax",),
    ("superglue", "CB"): ("superglue/cb/f1", "superglue/cb"),
    ("superglue", "MultiRC"): ("superglue/multirc", "superglue/multirc/em"),
    ("superglue", "ReCoRD"): ("superglue/record", "superglue/record/em"),
    ("superglue", "AX-b"): ("superglue-ax-b",),
    ("superglue", "AX-g"): ("superglue-ax-g/parity", "superglue-ax-g"),
}
"""(benchmark, column) to what it holds where that is not just a part of the benchmark by the column's name; of two the
first stands before the slash."""

CORRELATIONS = frozenset({"glue-ax", "superglue-ax-b"})
"""Matthews correlations times 100 of diagnostic sets, which can be negative."""

_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})T[\d.-]+")
_ARROW = re.compile(r"\s*([↑↓])\s*(?:\[ sort \])?\s*")
_SUBJECT = re.compile(r"harness\|hendrycksTest-(\w+)\|5")


@dataclass(frozen=True)
class Table:
    """One leaderboard: its benchmark, which columns are the model and the overall score, and which hold no scores."""

    benchmark: str
    name: str
    model: str
    overall: str
    metric: str
    unit: str = "percent"
    domain: str = "nlu"
    modality: str = "text"
    skip: frozenset[str] = field(default_factory=frozenset)
    setting: str = ""
    higher_is_better: bool = True
    paper_url: str = HOMEPAGE
    released_on: str = ""


def _helm(kind: str, unit: str = "fraction", model: str = "Model", *, higher_is_better: bool = True) -> Table:
    return Table(
        f"benchbench-helm-{kind}",
        f"HELM Classic, {kind}",
        model,
        "Mean win rate",
        "mean win rate",
        unit,
        higher_is_better=higher_is_better,
        paper_url="https://arxiv.org/abs/2211.09110",
        released_on="2022-11-16",
    )


_GLUE_SKIP = frozenset({"Rank", "Name", "URL"})
_HEIM = (
    "aesthetics_auto",
    "aesthetics_human",
    "alignment_auto",
    "alignment_human",
    "black_out",
    "nsfw",
    "nudity",
    "originality",
    "quality_auto",
    "quality_human",
)
TABLES: Mapping[str, Table] = {
    "glue/leaderboard": Table("glue", "GLUE", "Model", "Score", "macro-average of 9 tasks", skip=_GLUE_SKIP),
    "superglue/leaderboard": Table(
        "superglue", "SuperGLUE", "Model", "Score", "macro-average of 8 tasks", skip=_GLUE_SKIP
    ),
    "bbh/leaderboard": Table(
        "bbh",
        "BIG-Bench Hard",
        "Model",
        "Average",
        "accuracy",
        domain="reasoning",
        skip=frozenset({"Rank", "Company", "Release", "Parameters"}),
    ),
    "mmlu/leaderboard": Table(
        "mmlu",
        "MMLU",
        "model_name",
        "average_score",
        "accuracy",
        "fraction",
        domain="knowledge",
        skip=frozenset({"", "split_name"}),
        setting="5-shot",
    ),
    "openllm/leaderboard": Table(
        "openllm-v1", "Open LLM Leaderboard 1", "Model", "Average", "mean of 6 tests", skip=frozenset({"T"})
    ),
    "mteb/leaderboard": Table(
        "benchbench-mteb",
        "MTEB English, early 2024",
        "Model",
        "Average (56 datasets)",
        "mean over data sets",
        domain="embedding",
        skip=frozenset({"Rank", "-", "Model Size (GB)", "Embedding Dimensions", "Max Tokens"}),
    ),
    "vtab/leaderboard": Table(
        "benchbench-vtab",
        "VTAB",
        "Model",
        "Mean (selected datasets)",
        "mean accuracy",
        domain="image-classification",
        modality="image",
    ),
    "bigcode/leaderboard": Table(
        "benchbench-bigcode",
        "BigCode models leaderboard",
        "Models",
        "Win",
        "win rate",
        domain="code",
        skip=frozenset({"T", "Throughput"}),
    ),
    "imagenet/leaderboard_raw": Table(
        "imagenet",
        "ImageNet",
        "Weight",
        "Acc@1",
        "top-1 accuracy",
        domain="image-classification",
        modality="image",
        skip=frozenset({"Params", "GFLOPS", "Recipe"}),
    ),
    "helm/accuracy": _helm("accuracy", model="Model/adapter"),
    "helm/bias": _helm("bias", higher_is_better=False),
    "helm/calibration": _helm("calibration", higher_is_better=False),
    "helm/efficiency": _helm("efficiency", "seconds", higher_is_better=False),
    "helm/fairness": _helm("fairness"),
    "helm/robustness": _helm("robustness"),
    "helm/summarization": _helm("summarization", "points"),
    "helm/toxicity": _helm("toxicity", higher_is_better=False),
    **{
        f"heim/{kind}": Table(
            f"benchbench-heim-{kind.replace('_', '-')}",
            f"HEIM, {kind.replace('_', ' ')}",
            "Model/adapter",
            "Mean win rate",
            "mean win rate",
            "points",
            domain="image-generation",
            modality="image",
            paper_url="https://arxiv.org/abs/2311.04287",
            released_on="2023-11-07",
        )
        for kind in _HEIM
    },
}
_PATH = re.compile(rf"(?:.*/)?({'|'.join(TABLES)})\.tsv")


class _Part(NamedTuple):
    """One metric of one column: where in `a/b` cells it stands, its benchmark_id and how it is read."""

    header: str
    place: int
    benchmark: str
    column: Column


def parse(body: bytes, path: str) -> Parsed:
    """Read one leaderboard: a row for every model, task and metric."""
    name = path_parts(_PATH, path)[1]
    table = TABLES[name]
    if name == "vtab/leaderboard":
        if not body.lstrip(b"\xef\xbb\xbf").startswith(table.overall.encode()):
            raise PayloadError("the first column of the header is not the mean")
        body = table.model.encode() + b"\t" + body.lstrip(b"\xef\xbb\xbf")
    records = [_bare(record) for record in read_csv(body, [table.model], delimiter="\t")]
    if not records or table.overall not in {_plain(header) for header in records[0].cells}:
        raise PayloadError(f"no models, or no column {table.overall!r}")
    boards = list(_metric_columns(table, records[0].cells))
    if len({board.benchmark for board in boards}) < len(boards):
        raise PayloadError("two columns of one name")
    entries = _entries(records, table)
    return Parsed(
        rows=[
            _score_row(record, table, board, entry)
            for record, entry in zip(records, entries, strict=True)
            for board in boards
        ],
        models=[
            *(_model(record, table) for record in records if "Release" in record.cells),
            *(fact for record in records for fact in _team(record, table)),
        ],
        benchmarks=[_fact(table, board) for board in boards],
    )


SOURCE = Source(
    key="benchbench",
    title="BenchBench: GLUE, SuperGLUE, HELM, BBH, MMLU, VTAB and other multi-task boards, early 2024",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(GithubTree("benchbench/{0}", "socialfoundations/benchbench", "main", rf"benchbench/data/{_PATH.pattern}"),),
    parse=parse,
)


def _bare(record: Record) -> Record:
    """The record with columns named without the marks of the page that they were copied from, but for the arrow."""
    return record._replace(cells={_ARROW.sub(r" \1", name).strip(): cell for name, cell in record.cells.items()})


def _plain(header: str) -> str:
    return header.rstrip("↑↓ ")


def _metric_columns(table: Table, headers: Mapping[str, str]) -> Iterator[_Part]:
    for header in headers:
        if header == table.model or header in table.skip:
            continue
        name = _plain(header)
        if name == table.overall:
            unit = table.unit if table.unit in ("percent", "fraction") else "fraction"
            yield _Part(header, 0, table.benchmark, Column(unit, higher_is_better=True, reject=""))
            continue
        subject = _SUBJECT.fullmatch(name)
        words = slug(subject[1] if subject else name)
        words = {"acc-5": "top5", "arc": "arc-challenge"}.get(words, words)
        higher = not header.endswith("↓") if table.unit == "points" else table.higher_is_better
        reject = "" if words else "a column without a name"
        for index, benchmark in enumerate(PLACES.get((table.benchmark, name), (f"{table.benchmark}/{words}",))):
            unit = "points" if benchmark in CORRELATIONS else table.unit
            yield _Part(header, index, benchmark, Column(unit, higher, reject))


def _entries(records: list[Record], table: Table) -> list[str]:
    """For each record what tells it from those before it under the same name; empty for the first."""
    occurrences: Counter[str] = Counter()
    entries = []
    for record in records:
        published = _name(record.cells[table.model])
        try:
            name = " ".join(normalise(published))
        except NameRefusedError:
            name = published
        occurrences[name] += 1
        entries.append("" if occurrences[name] == 1 else f"entry {occurrences[name]}")
    return entries


def _team(record: Record, table: Table) -> Iterator[ModelFact]:
    """The maker behind the team that handed an entry in, where it is named so: `T5 Team - Google`."""
    _, dash, maker = record.cells.get("Name", "").partition(" Team - ")
    if dash and table.benchmark in ("glue", "superglue"):
        yield ModelFact(
            row=f"line {record.line}, column Name", model=_name(record.cells[table.model]), organisation=maker
        )


def _score_row(record: Record, table: Table, board: _Part, entry: str) -> RawRow:
    cells = record.cells
    score = cells[board.header].strip()
    double = len(PLACES.get((table.benchmark, board.header), ())) == 2
    halves = score.split("/") if double else [score]
    reject = record.problem
    if double and len(halves) != 2 and not is_nothing(score):
        reject = reject or f"one number where two are printed: {score[:30]!r}"
    score = halves[board.place] if board.place < len(halves) else ""
    dated = _DATED.fullmatch(cells.get("split_name", "").strip())
    return RawRow(
        row=f"line {record.line}, column {board.header}",
        benchmark=board.benchmark,
        model=_name(cells[table.model]),
        score=score,
        unit=board.column.unit,
        dated_on=dated[1] if dated else "",
        date_basis="evaluation",
        setting=join_settings([table.setting, entry]),
        kind="human" if cells[table.model].strip().endswith("Human Baselines") else "model",
        reject=reject,
    )


def _name(published: str) -> str:
    """`details_01-ai__Yi-34B` is the name of a file of results of 01-ai/Yi-34B."""
    return published.strip().removeprefix("details_").replace("__", "/", 1)


def _model(record: Record, table: Table) -> ModelFact:
    return ModelFact(
        row=f"line {record.line}",
        model=record.cells[table.model],
        organisation=record.cells.get("Company", ""),
        released_on=loose_day(record.cells["Release"].replace("/", "-")),
        reject=record.problem,
    )


def _fact(table: Table, board: _Part) -> BenchmarkFact:
    header = _plain(board.header)
    is_overall = board.benchmark == table.benchmark
    ids = PLACES.get((table.benchmark, header), (board.benchmark,))
    second = board.benchmark.removeprefix(min(ids, key=len)).strip("/")
    return BenchmarkFact(
        benchmark=board.benchmark,
        name=table.name if is_overall else f"{table.name}: {header}" + (f", {second}" if second else ""),
        metric=table.metric if is_overall else header,
        unit=board.column.unit,
        higher_is_better=board.column.higher_is_better,
        domain=table.domain,
        modality=table.modality,
        released_on=table.released_on,
        paper_url=table.paper_url,
    )
