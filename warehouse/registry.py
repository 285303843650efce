"""The curated facts of data/registry, read strictly: a cell that cannot be trusted stops the reading."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from analytics.record.frames import SUCCESSOR, TWIN_PAIR
from analytics.record.tables import PUBLISHED
from analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT
from analytics.record.words import KINDS, WORD, spelt
from analytics.statistics.errors import BOUNDED_UNITS

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
LABEL_ERROR = pl.Schema(
    {
        "benchmark_id": TEXT,
        "covers": TEXT,
        "part": TEXT,
        "n_checked": COUNT,
        "share_flawed": NUMBER,
        "share_unreachable": NUMBER,
        "method": TEXT,
        "source_url": TEXT,
        "note": TEXT,
    }
)
"""Checks of a test's labels. `covers` is whole, sample (of the whole) or part. `share_flawed` counts every fault that
was looked for, `share_unreachable` only questions on which no right answer scores: they alone bound a score."""

TWIN_KINDS = (
    "fresh sample",
    "harder variant",
    "debiased metric",
    "live split",
    "independent rerun",
    "equal preparation",
)
LINE, AS_TEXT = "line of the file", "text of "
"""Beside the columns while they are checked: the line that a row ends on, and each cell as it stands there."""


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
    word: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=WORD))
    label_error: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=LABEL_ERROR))

    def aliases(self) -> dict[tuple[str | None, str], tuple[str, str]]:
        """(source_id or None for any source, published name) to (model_id, setting)."""
        rows = self.alias.select("source_id", "published_name", "model_id", "setting").iter_rows()
        return {(source, name): (model, setting or "") for source, name, model, setting in rows}


@dataclass(frozen=True)
class _Rule:
    """What must not be: `broken` is true in a row whose cell `column` is wrong, null where nothing can be said."""

    column: str
    broken: pl.Expr
    why: str


@dataclass(frozen=True)
class _File:
    """One file: its columns, what identifies a row, which cells may not be empty, which fact needs which other cell.

    A day `to_the_month` may be YYYY-MM or YYYY, which stand for their first day.
    """

    name: str
    schema: pl.Schema
    key: tuple[str, ...]
    required: tuple[str, ...]
    rules: tuple[_Rule, ...] = ()
    sourced: tuple[tuple[str, str], ...] = ()
    to_the_month: tuple[str, ...] = ()
    optional: bool = False


def _one_of(column: str, *known: str) -> _Rule:
    return _Rule(column, ~pl.col(column).is_in(known), f"is not one of {', '.join(known)}")


_BOUNDED = pl.col("unit").is_in(BOUNDED_UNITS)
_ROOM = (
    pl.when("higher_is_better").then(pl.col("ceiling") - pl.col("floor")).otherwise(pl.col("floor") - pl.col("ceiling"))
)
_SLUG = r"^[a-z0-9][a-z0-9._+-]*(/[a-z0-9][a-z0-9._+-]*){0,2}$"

_BENCHMARK_FILE = _File(
    "benchmark.csv",
    BENCHMARK,
    key=("benchmark_id",),
    required=("benchmark_id", "name", "metric", "unit", "higher_is_better"),
    rules=(
        _Rule("benchmark_id", ~pl.col("benchmark_id").str.contains(_SLUG), "is not an id"),
        _one_of("released_precision", "day", "month", "year"),
        _one_of("labels", "public", "hidden", "private", "mixed", "live"),
        _Rule("n_items", pl.col("n_items") == 0, "is not a size"),
        *(
            _Rule(column, _BOUNDED & ~pl.col(column).is_between(0, 1), "is not a fraction of a bounded unit")
            for column in ("floor", "ceiling", "human")
        ),
        _Rule("ceiling", _ROOM <= 0, "leaves no room beyond the floor"),
    ),
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
    to_the_month=("released_on",),
)
_TWIN_FILE = _File(
    "twin.csv",
    TWIN_PAIR,
    key=("twin_id",),
    required=("twin_id", "original_id", "other_id", "kind", "test", "source_url"),
    rules=(_one_of("kind", *TWIN_KINDS), _one_of("test", "difference", "fit")),
)
_BREAKPOINT_FILE = _File(
    "breakpoint.csv",
    BREAKPOINT,
    key=("board_id", "on_date", "kind"),
    required=("board_id", "on_date", "kind", "source_url"),
    rules=(
        _one_of("kind", "scale", "names", "data", "rules", "reset"),
        # A board may be of a benchmark that only its source declares, so here its form is all that can be checked.
        _Rule("board_id", ~pl.col("board_id").str.contains("/"), "is not <source_id>/<benchmark_id>"),
    ),
)
_ALIAS_FILE = _File(
    "alias.csv",
    ALIAS,
    key=("source_id", "published_name"),
    required=("published_name", "model_id", "reason"),
)
_REPORT_FILE = _File(
    "contamination_report.csv",
    CONTAMINATION_REPORT,
    key=("benchmark_id", "subject", "subject_kind", "split", "share", "method", "reference_url"),
    required=("benchmark_id", "subject", "subject_kind", "method", "reference_url"),
    rules=(_Rule("share", ~pl.col("share").is_between(0, 1), "is not a share between 0 and 1"),),
)
_MODEL_FILE = _File("model.csv", MODEL, key=("model_id",), required=("model_id", "source_url"), optional=True)
_OF_A_PART = pl.col("covers") == "part"
_LABEL_ERROR_FILE = _File(
    "label_error.csv",
    LABEL_ERROR,
    key=("benchmark_id", "covers", "part", "source_url"),
    required=("benchmark_id", "covers", "share_flawed", "method", "source_url"),
    rules=(
        _one_of("covers", "whole", "sample", "part"),
        *(
            _Rule(column, ~pl.col(column).is_between(0, 1), "is not a share between 0 and 1")
            for column in ("share_flawed", "share_unreachable")
        ),
        _Rule("share_unreachable", pl.col("share_unreachable") > pl.col("share_flawed"), "exceeds all that is flawed"),
        _Rule("share_unreachable", _OF_A_PART & pl.col("share_unreachable").is_not_null(), "of a part bounds no score"),
        _Rule("n_checked", pl.col("share_unreachable").is_not_null() & pl.col("n_checked").is_null(), "is not told"),
        _Rule("part", pl.col("part").is_not_null() != _OF_A_PART, "is given where, and only where, a part is covered"),
    ),
    optional=True,
)
_SUCCESSOR_FILE = _File(
    "successor.csv",
    SUCCESSOR,
    key=("benchmark_id",),
    required=("benchmark_id", "successor_id", "since", "note", "source_url"),
    optional=True,
)

_SPELT = spelt(pl.col("spelling"))
_WORD_FILE = _File(
    "word.csv",
    WORD,
    key=("kind", "spelling"),
    required=("kind", "spelling"),
    rules=(
        _one_of("kind", *KINDS),
        _Rule("spelling", _SPELT.is_duplicated().over("kind"), "is the same word as another of its kind"),
        _Rule("word", ~spelt(pl.col("word")).is_in(_SPELT.implode()), "has no row of its own"),
    ),
    optional=True,
)


def read_registry(folder: Path) -> Registry:
    """Read and check every file of a folder; all but the first five may be missing.

    Raises RegistryError for a missing file or column, a value of the wrong kind, a key twice, a fact without its
    source, a floor beyond the ceiling, or a reference to a benchmark that is not there.
    """
    benchmark = _read(folder, _BENCHMARK_FILE)
    known = benchmark["benchmark_id"]
    source, other_source = pl.col("source_id"), pl.coalesce("other_source_id", "source_id")
    same = (pl.col("original_id") == pl.col("other_id")) & source.eq_missing(other_source)
    twin = _read(
        folder,
        _TWIN_FILE,
        _unknown("original_id", source, known),
        _unknown("other_id", other_source, known),
        _Rule("other_id", same, "is a twin of itself"),
    )
    return Registry(
        benchmark=benchmark,
        twin=twin,
        breakpoint=_read(folder, _BREAKPOINT_FILE),
        alias=_read(folder, _ALIAS_FILE).with_columns(pl.col("setting").fill_null("")),
        contamination_report=_read(folder, _REPORT_FILE, _unknown("benchmark_id", pl.lit(None, TEXT), known)),
        model=_read(folder, _MODEL_FILE),
        successor=_read(folder, _SUCCESSOR_FILE),
        word=_read(folder, _WORD_FILE),
        label_error=_read(folder, _LABEL_ERROR_FILE, _unknown("benchmark_id", pl.lit(None, TEXT), known)),
    )


def _unknown(column: str, source: pl.Expr, known: pl.Series) -> _Rule:
    """Neither a benchmark of the registry, nor a part of one, nor (where the source is named) one of that source's own.

    Sources name their own benchmarks after themselves: `openllm-v1` of open-llm, `lmarena-text` of lmarena-daily.
    """
    whole = pl.col(column).str.split("/").list.first()
    same_word = whole.str.split("-").list.first() == source.str.split("-").list.first()
    same_letters = whole.str.replace_all("-", "").str.starts_with(source.str.replace_all("-", ""))
    own = (same_word | same_letters).fill_null(value=False)
    return _Rule(column, ~whole.is_in(known.implode()) & ~own, "is not a benchmark of the registry")


def _read(folder: Path, file: _File, *rules: _Rule) -> pl.DataFrame:
    """The rows of a file, none of which breaks a rule of the file or one of the others given."""
    path = folder / file.name
    if not path.exists():
        if file.optional:
            return pl.DataFrame(schema=file.schema)
        raise RegistryError(file.name, 0, "", "the file is missing")
    columns = file.schema.names()
    rows = pl.DataFrame(_lines(path, file), schema={LINE: COUNT, **dict.fromkeys(columns, TEXT)}, orient="row")
    text = rows.with_columns(pl.col(columns).str.strip_chars().replace("", None))
    typed = [_typed(file, column).alias(column) for column in columns]
    both = text.select(LINE, pl.col(columns).name.prefix(AS_TEXT), *typed)
    _refuse(file, both, [*_rules_of(file), *rules])
    twice = both.with_columns(before=pl.col(LINE).first().over(file.key)).filter(pl.col(LINE) > pl.col("before"))
    for line, before in twice.select(LINE, "before").head(1).iter_rows():
        raise RegistryError(file.name, line, file.key[0], f"the same key as line {before}")
    return both.select(columns)


def _lines(path: Path, file: _File) -> list[tuple[int | str, ...]]:
    """The line that each row ends on and its cells as text, in the order of the schema."""
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
            order = [header.index(column) for column in file.schema]
            lines: list[tuple[int | str, ...]] = []
            for cells in reader:
                if len(cells) != len(header):
                    why = f"{len(cells)} cells under {len(header)} columns"
                    raise RegistryError(file.name, reader.line_num, "", why)
                lines.append((reader.line_num, *(cells[at] for at in order)))
        except (csv.Error, UnicodeDecodeError) as error:
            raise RegistryError(file.name, reader.line_num, "", str(error)) from error
    return lines


def _typed(file: _File, column: str) -> pl.Expr:
    """The value of a cell; null where it is empty or not of the column's kind."""
    cell, kind = pl.col(column), file.schema[column]
    if kind == NUMBER:
        return cell.cast(NUMBER, strict=False)
    if kind == COUNT:
        return pl.when(cell.str.contains("^[0-9]+$")).then(cell).cast(COUNT, strict=False)
    if kind == FLAG:
        return cell.replace_strict({"true": True, "false": False}, default=None, return_dtype=FLAG)
    if kind == DAY:
        if column in file.to_the_month:
            cell = cell.str.replace("^([0-9]{4})$", "$1-01").str.replace("^([0-9]{4}-[0-9]{2})$", "$1-01")
        return (
            pl.when(cell.str.contains("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")).then(cell).str.to_date("%Y-%m-%d", strict=False)
        )
    return cell


_MISREAD = {
    NUMBER: "is not a number",
    COUNT: "is not a whole number",
    FLAG: "is neither true nor false",
    DAY: "is not an ISO date",
}


def _rules_of(file: _File) -> Iterator[_Rule]:
    """Every rule of one file, its kinds of cells first: the others read values."""
    for column, kind in file.schema.items():
        if kind in _MISREAD:
            misread = pl.col(AS_TEXT + column).is_not_null() & pl.col(column).is_null()
            yield _Rule(column, misread, _MISREAD[kind])
        if kind == NUMBER:
            yield _Rule(column, ~pl.col(column).is_finite(), "is not finite")
    for column in file.required:
        yield _Rule(column, pl.col(column).is_null(), "empty")
    yield from file.rules
    for fact, source in file.sourced:
        missing = pl.col(fact).is_not_null() & pl.col(source).is_null()
        yield _Rule(source, missing, f"{fact} is given without it")


def _refuse(file: _File, rows: pl.DataFrame, rules: Sequence[_Rule]) -> None:
    """Raise RegistryError for the first line that breaks a rule, and the first rule that it breaks."""
    broken = rows.select(rule.broken.fill_null(value=False).alias(str(at)) for at, rule in enumerate(rules))
    for place, *marks in broken.with_row_index().filter(pl.any_horizontal(pl.exclude("index"))).head(1).iter_rows():
        rule = rules[marks.index(True)]
        cell = rows[AS_TEXT + rule.column][place]
        why = rule.why if cell is None else f"{cell!r} {rule.why}"
        raise RegistryError(file.name, rows[LINE][place], rule.column, why)
