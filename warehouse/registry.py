"""The curated facts of data/registry, read strictly: a cell that cannot be trusted stops the reading."""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from analytics.record.columns import COUNT, DAY, FLAG, NUMBER, TEXT
from analytics.record.frames import SUCCESSOR, TWIN_PAIR
from analytics.record.tables import PUBLISHED
from warehouse import cells
from warehouse.cells import Cell, CellError

BENCHMARK = pl.Schema(
    {
        "benchmark_id": TEXT,
        "name": TEXT,
        "domain": TEXT,
        "modality": TEXT,
        "metric": TEXT,
        "unit": TEXT,
        "higher_is_better": FLAG,
        "released_on": DAY,
        "released_precision": TEXT,
        "released_source": TEXT,
        "n_items": COUNT,
        "n_items_source": TEXT,
        "floor": NUMBER,
        "floor_source": TEXT,
        "ceiling": NUMBER,
        "ceiling_basis": TEXT,
        "ceiling_source": TEXT,
        "human": NUMBER,
        "human_note": TEXT,
        "human_source": TEXT,
        "labels": TEXT,
        "labels_source": TEXT,
        "refresh": TEXT,
        "refresh_source": TEXT,
        "paper_url": TEXT,
        "confidence": TEXT,
        "note": TEXT,
    }
)
BREAKPOINT = PUBLISHED["breakpoint"]
ALIAS = pl.Schema({**PUBLISHED["alias"], "reason": TEXT, "source_url": TEXT})
CONTAMINATION_REPORT = pl.Schema({**PUBLISHED["contamination_report"], "note": TEXT})
MODEL = pl.Schema({**PUBLISHED["model"], "source_url": TEXT})

BOUNDED_UNITS = ("percent", "fraction")
TWIN_KINDS = (
    "fresh sample",
    "harder variant",
    "debiased metric",
    "live split",
    "independent rerun",
    "equal preparation",
)

Readers = Mapping[str, Callable[[str], Cell]]


class RegistryError(ValueError):
    """A registry file that cannot be trusted: which file, line and column, and why."""

    def __init__(self, file: str, line: int, column: str, why: str) -> None:
        super().__init__(f"{file}, line {line}, column {column}: {why}")
        self.file = file
        self.line = line
        self.column = column
        self.why = why


@dataclass(frozen=True)
class Registry:
    """The curated facts, one frame per file, with the schemas of this module; null means unknown."""

    benchmark: pl.DataFrame
    twin: pl.DataFrame
    breakpoint: pl.DataFrame
    alias: pl.DataFrame
    contamination_report: pl.DataFrame
    model: pl.DataFrame
    successor: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=SUCCESSOR))

    def aliases(self) -> dict[tuple[str | None, str], tuple[str, str]]:
        """(source_id or None for any source, published name) to (model_id, setting)."""
        rows = self.alias.select("source_id", "published_name", "model_id", "setting").iter_rows()
        return {(source, name): (model, setting or "") for source, name, model, setting in rows}


@dataclass(frozen=True)
class _File:
    name: str
    schema: pl.Schema
    readers: Readers
    key: tuple[str, ...]
    sourced: tuple[tuple[str, str], ...] = ()
    optional: bool = False


_BENCHMARK_FILE = _File(
    "benchmark.csv",
    BENCHMARK,
    {
        "benchmark_id": cells.slug,
        "name": cells.required,
        "metric": cells.required,
        "unit": cells.required,
        "higher_is_better": cells.required_flag,
        "released_on": cells.partial_day,
        "released_precision": cells.one_of("day", "month", "year"),
        "labels": cells.one_of("public", "hidden", "private", "mixed", "live"),
        "n_items": cells.positive_count,
    },
    key=("benchmark_id",),
    sourced=(
        ("released_on", "released_source"),
        ("released_on", "released_precision"),
        ("n_items", "n_items_source"),
        ("floor", "floor_source"),
        ("ceiling", "ceiling_source"),
        ("ceiling", "ceiling_basis"),
        ("human", "human_source"),
        ("labels", "labels_source"),
        ("refresh", "refresh_source"),
    ),
)
_TWIN_FILE = _File(
    "twin.csv",
    TWIN_PAIR,
    {
        "twin_id": cells.required,
        "original_id": cells.required,
        "other_id": cells.required,
        "kind": cells.required_one_of(*TWIN_KINDS),
        "test": cells.required_one_of("difference", "fit"),
        "source_url": cells.required,
    },
    key=("twin_id",),
)
_BREAKPOINT_FILE = _File(
    "breakpoint.csv",
    BREAKPOINT,
    {
        "board_id": cells.required,
        "on_date": cells.required_day,
        "kind": cells.required_one_of("scale", "names", "data", "rules", "reset"),
        "source_url": cells.required,
    },
    key=("board_id", "on_date", "kind"),
)
_ALIAS_FILE = _File(
    "alias.csv",
    ALIAS,
    {
        "published_name": cells.required,
        "model_id": cells.required,
        "setting": cells.text_or_blank,
        "reason": cells.required,
    },
    key=("source_id", "published_name"),
)
_REPORT_FILE = _File(
    "contamination_report.csv",
    CONTAMINATION_REPORT,
    {
        "benchmark_id": cells.required,
        "subject": cells.required,
        "subject_kind": cells.required,
        "method": cells.required,
        "share": cells.share,
        "reference_url": cells.required,
    },
    key=("benchmark_id", "subject", "subject_kind", "split", "share", "method", "reference_url"),
)
_MODEL_FILE = _File(
    "model.csv",
    MODEL,
    {"model_id": cells.required, "source_url": cells.required},
    key=("model_id",),
    optional=True,
)
_SUCCESSOR_FILE = _File(
    "successor.csv",
    SUCCESSOR,
    {
        "benchmark_id": cells.required,
        "successor_id": cells.required,
        "since": cells.required_day,
        "note": cells.required,
        "source_url": cells.required,
    },
    key=("benchmark_id",),
    optional=True,
)


def read_registry(folder: Path) -> Registry:
    """Read and check every registry file of a folder; `model.csv` and `successor.csv` may be missing.

    Raises RegistryError for a missing file or column, a value of the wrong kind, a key twice, a fact without its
    source, a floor beyond the ceiling, or a reference to a benchmark that is not there.
    """
    benchmark = _read(folder, _BENCHMARK_FILE)
    _check_scale(benchmark)
    known = {str(row["benchmark_id"]) for _, row in benchmark}
    twin = _read(folder, _TWIN_FILE)
    for line, row in twin:
        sources = (row["source_id"], row["other_source_id"] or row["source_id"])
        for column, source_id in zip(("original_id", "other_id"), sources, strict=True):
            _resolve((_TWIN_FILE.name, line, column), str(row[column]), source_id, known)
        if row["original_id"] == row["other_id"] and sources[0] == sources[1]:
            raise RegistryError(_TWIN_FILE.name, line, "other_id", "a twin of itself")
    breakpoint_ = _read(folder, _BREAKPOINT_FILE)
    for line, row in breakpoint_:
        # A board may be of a benchmark that only its source declares, so here its form is all that can be checked.
        if "/" not in str(row["board_id"]):
            raise RegistryError(_BREAKPOINT_FILE.name, line, "board_id", "not <source_id>/<benchmark_id>")
    reports = _read(folder, _REPORT_FILE)
    for line, row in reports:
        _resolve((_REPORT_FILE.name, line, "benchmark_id"), str(row["benchmark_id"]), None, known)
    return Registry(
        benchmark=_frame(benchmark, BENCHMARK),
        twin=_frame(twin, TWIN_PAIR),
        breakpoint=_frame(breakpoint_, BREAKPOINT),
        alias=_frame(_read(folder, _ALIAS_FILE), ALIAS),
        contamination_report=_frame(reports, CONTAMINATION_REPORT),
        model=_frame(_read(folder, _MODEL_FILE), MODEL),
        successor=_frame(_read(folder, _SUCCESSOR_FILE), SUCCESSOR),
    )


Line = tuple[int, dict[str, Cell]]


def _read(folder: Path, file: _File) -> list[Line]:
    path = folder / file.name
    if not path.exists():
        if file.optional:
            return []
        raise RegistryError(file.name, 0, "", "the file is missing")
    lines: list[Line] = []
    keys: dict[tuple[Cell, ...], int] = {}
    for line, raw in _raw_lines(path, file):
        row = {column: _cell(file, line, column, text) for column, text in raw.items()}
        key = tuple(row[column] for column in file.key)
        if key in keys:
            raise RegistryError(file.name, line, file.key[0], f"the same key as line {keys[key]}")
        keys[key] = line
        for fact, source in file.sourced:
            if row[fact] is not None and row[source] is None:
                raise RegistryError(file.name, line, source, f"{fact} is given without it")
        lines.append((line, row))
    return lines


def _raw_lines(path: Path, file: _File) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as opened:
        reader = csv.reader(opened, strict=True)
        try:
            header = next(reader, [])
            for wanted in file.schema:
                if wanted not in header:
                    raise RegistryError(file.name, 1, wanted, "the column is missing")
            for found in header:
                if found not in file.schema or header.count(found) > 1:
                    raise RegistryError(file.name, 1, found, "not a column of this file, or twice")
            for texts in reader:
                if len(texts) != len(header):
                    raise RegistryError(
                        file.name, reader.line_num, "", f"{len(texts)} cells under {len(header)} columns"
                    )
                yield reader.line_num, dict(zip(header, texts, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise RegistryError(file.name, reader.line_num, "", str(error)) from error


def _cell(file: _File, line: int, column: str, text: str) -> Cell:
    read = file.readers.get(column) or cells.FOR_TYPE[type(file.schema[column])]
    try:
        return read(text.strip())
    except CellError as error:
        raise RegistryError(file.name, line, column, str(error)) from error


def _check_scale(benchmarks: list[Line]) -> None:
    """Bounded units hold fractions; chance is on the far side of the ceiling, whichever way is better."""
    for line, row in benchmarks:
        for column in ("floor", "ceiling", "human"):
            value = row[column]
            if row["unit"] in BOUNDED_UNITS and isinstance(value, float) and not 0 <= value <= 1:
                raise RegistryError(_BENCHMARK_FILE.name, line, column, f"{value} is not a fraction of a bounded unit")
        floor, ceiling = row["floor"], row["ceiling"]
        if isinstance(floor, float) and isinstance(ceiling, float):
            room = ceiling - floor if row["higher_is_better"] else floor - ceiling
            if room <= 0:
                raise RegistryError(_BENCHMARK_FILE.name, line, "ceiling", f"no room between {floor} and {ceiling}")


def _resolve(place: tuple[str, int, str], benchmark_id: str, source_id: Cell, known: set[str]) -> None:
    """A benchmark of the registry, a part of one, or (where the source is named) one of that source's own."""
    whole = benchmark_id.split("/", 1)[0]
    if whole not in known and not (isinstance(source_id, str) and _is_own(whole, source_id)):
        raise RegistryError(*place, f"{benchmark_id!r} is not a benchmark of the registry")


def _is_own(benchmark_id: str, source_id: str) -> bool:
    """Sources name their own benchmarks after themselves: `openllm-v1` of open-llm, `lmarena-text` of lmarena-daily."""
    same_word = benchmark_id.split("-", 1)[0] == source_id.split("-", 1)[0]
    return same_word or benchmark_id.replace("-", "").startswith(source_id.replace("-", ""))


def _frame(lines: list[Line], schema: pl.Schema) -> pl.DataFrame:
    return pl.DataFrame([row for _, row in lines], schema=schema)
