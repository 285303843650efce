"""EvalPlus: HumanEval and MBPP with their own tests and with many more (+), greedy pass@1.

`results.json` since 2024-03, before that `humaneval.csv`, `humanevalplus.csv` and `mbpp.csv`, whose columns changed
three times. While there was a column `Size`, it is part of the model's name, as upstream itself wrote later. Of the
early columns only the greedy `pass@1*` is comparable with what followed; sampled pass@k is not read. MBPP here is
EvalPlus's selection of MBPP's problems, not the whole, and so a benchmark of its own. `prompted` is the setting.
"""

from collections.abc import Iterator, Mapping, Sequence

from benchhealth.ingest.formats.bodies import Record, object_at, owner_of, pointer, read_csv, read_object, value_at
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HUMANEVAL, HUMANEVAL_PLUS, MBPP, MBPP_PLUS = "humaneval", "humaneval-plus", "mbpp-evalplus", "mbpp-plus"
PAPER = "https://arxiv.org/abs/2305.01210"
NAMES = {
    HUMANEVAL: "HumanEval",
    HUMANEVAL_PLUS: "HumanEval+",
    MBPP: "MBPP, EvalPlus's selection with the base tests",
    MBPP_PLUS: "MBPP+",
}
JSON_BENCHMARKS = {"humaneval": HUMANEVAL, "humaneval+": HUMANEVAL_PLUS, "mbpp": MBPP, "mbpp+": MBPP_PLUS}
CSV_BENCHMARKS = {
    "humaneval.csv": (HUMANEVAL, HUMANEVAL_PLUS),
    "humanevalplus.csv": (HUMANEVAL_PLUS, HUMANEVAL_PLUS),
    "mbpp.csv": (MBPP, MBPP_PLUS),
}
"""File to the benchmarks of its base and its plus column; a file with one column holds the first."""

_PROMPTED = {"true": "prompted", "false": "not prompted", "": ""}


def parse(body: bytes, path: str) -> Parsed:
    """Read one of the four files: a row for every model and benchmark."""
    file_name = path.rsplit("/", 1)[-1]
    if file_name == "results.json":
        rows, models = _json_rows(body)
    elif file_name in CSV_BENCHMARKS:
        rows, models = _csv_rows(body, *CSV_BENCHMARKS[file_name]), []
    else:
        raise PayloadError(f"not a file of this source: {path}")
    ids = {row.benchmark for row in rows}
    return Parsed(rows=rows, models=models, benchmarks=[_fact(benchmark) for benchmark in NAMES if benchmark in ids])


# One board: results.json took the place of the three tables in 2024-03.
SOURCE = Source(
    key="evalplus",
    title="EvalPlus",
    homepage="https://evalplus.github.io",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a year",
    files=tuple(
        GithubFile("evalplus/results", "evalplus/evalplus.github.io", "main", name)
        for name in ("results.json", *CSV_BENCHMARKS)
    ),
    parse=parse,
)


def _json_rows(body: bytes) -> tuple[list[RawRow], list[ModelFact]]:
    document = read_object(body, "not an object with a key for each model")
    rows = [row for model, entry in document.items() for row in _entry_rows(model, entry)]
    if all(row.reject for row in rows):
        raise PayloadError("no model with a pass@1")
    return rows, [fact for model, entry in document.items() for fact in _makers(model, entry)]


def _makers(model: str, entry: object) -> Iterator[ModelFact]:
    """Who published the weights, where the entry's link leads to them."""
    link = value_at(entry, "link")
    if isinstance(link, str) and (owner := owner_of(link)):
        yield ModelFact(row=pointer(model, "link"), model=model, organisation=owner)


def _entry_rows(model: str, entry: object) -> list[RawRow]:
    where = pointer(model)
    scores = list(_scores(entry))
    if not scores:
        return [RawRow(row=where, benchmark=HUMANEVAL, model=model, score="", reject="no pass@1 of a known form")]
    prompted = value_at(entry, "prompted")
    word = str(prompted).casefold() if isinstance(prompted, bool | str) else ""
    return [
        RawRow(
            row=f"{where}/{address}",
            benchmark=benchmark,
            model=model,
            score=score,
            setting=_PROMPTED.get(word, ""),
            reject="" if word in _PROMPTED else f"prompted is {word!r}",
        )
        for address, benchmark, score in scores
    ]


def _scores(entry: object) -> Iterator[tuple[str, str, str]]:
    """(address, benchmark, score) of one model: `pass@1` since 2024-04-19, `pass@1_base` and `pass@1_plus` before."""
    for group, ending in (("pass@1", ""), ("pass@1_base", ""), ("pass@1_plus", "+")):
        for key, score in object_at(entry, group).items():
            benchmark = JSON_BENCHMARKS.get(key + ending, f"evalplus-{key}{ending}")
            yield f"{group}/{key}", benchmark, score if isinstance(score, str) else ""


def _csv_rows(body: bytes, base: str, plus: str) -> list[RawRow]:
    records = read_csv(body, ["Model"], empty="a table without models")
    columns = _columns(records[0].cells, base, plus)
    return [_csv_row(record, column, benchmark) for record in records for column, benchmark in columns]


def _columns(header: Mapping[str, str], base: str, plus: str) -> Sequence[tuple[str, str]]:
    if "pass@1_base" in header and "pass@1_plus" in header:
        return [("pass@1_base", base), ("pass@1_plus", plus)]
    for column in ("pass@1*", "pass@1"):
        if column in header:
            return [(column, base)]
    raise PayloadError(f"no column of greedy pass@1 among {list(header)}")


def _csv_row(record: Record, column: str, benchmark: str) -> RawRow:
    cells = record.cells
    size = cells.get("Size", "").strip()
    prompted = cells.get("prompted", "").strip().casefold()
    problem = record.problem
    if not problem and prompted not in _PROMPTED:
        problem = f"prompted is {prompted!r}"
    return RawRow(
        row=f"line {record.line}, column {column}",
        benchmark=benchmark,
        model=cells["Model"].strip() + (f"-{size}" if size not in ("", "N/A") else ""),
        score=cells.get(column, ""),
        setting=_PROMPTED.get(prompted, ""),
        reject=problem,
    )


def _fact(benchmark: str) -> BenchmarkFact:
    return BenchmarkFact(
        benchmark=benchmark,
        name=NAMES[benchmark],
        metric="pass@1",
        domain="code",
        modality="text",
        paper_url=PAPER,
    )
