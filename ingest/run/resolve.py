"""Raw rows to results and rejections: pure, strict, and every row accounted for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import polars as pl

from analytics.record.tables import DATE_BASES, REPORTERS
from ingest.formats.numbers import UnreadableError, is_nothing, read_count, read_day, read_number
from ingest.names.identity import (
    Aliases,
    Identity,
    NameRefusedError,
    identify,
    join_settings,
    listings,
    printable,
    with_normalised,
)
from ingest.rows import BenchmarkFact, ContaminationReport, ModelFact, Parsed, RawRow
from warehouse.batch import BENCHMARK_FACT, MODEL_FACT, REJECTION_FACT, REPORT_FACT, RESULT_FACT

KINDS = ("model", "human", "random", "cheating")
SUBJECTS = ("model", "corpus")
BOUNDED: Mapping[str, float] = {"percent": 100.0, "fraction": 1.0}
"""Units with a known range, from 0 to the number given; a score in them is stored as a fraction."""

FARTHEST: Mapping[str, float] = {"rating": 1e4, "correlation": 1.0}
"""How far from 0 a score in another unit can lie; in units that are not named, ANYWHERE is the limit."""

ANYWHERE = 1e9
"""Hundreds of times what the highest score of any game or the longest answer measures: farther off is no score."""

_CLOCK_SKEW = timedelta(days=1)
_LONGEST_PUBLISHED = 500

Fact = tuple[Any, ...]
Rejection = tuple[str, str, str]


@dataclass(frozen=True)
class Resolved:
    """What one file says, in the schemas of `warehouse.batch`.

    rows_in = results + models + reports + rejections.
    """

    results: pl.DataFrame
    rejections: pl.DataFrame
    models: pl.DataFrame
    benchmarks: pl.DataFrame
    reports: pl.DataFrame
    rows_in: int


class _RejectedError(ValueError):
    """One row must not become a fact; the message is the reason that is stored with it."""


@dataclass(frozen=True)
class _Context:
    units: Mapping[str, str]
    identity: Callable[[str], Identity]
    observed_on: date | None

    def identify(self, published_name: str) -> Identity:
        try:
            return self.identity(published_name)
        except NameRefusedError as error:
            raise _RejectedError(str(error)) from error


def resolve(
    parsed: Parsed,
    *,
    source_id: str,
    benchmarks: Mapping[str, str],
    aliases: Aliases,
    observed_on: date | None = None,
) -> Resolved:
    """Turn what a parser returned into facts.

    `benchmarks` maps the benchmark_ids that the registry knows to their unit; benchmarks that only the source knows
    come with the rows, and where both know one the registry is right. `observed_on` is the day of the snapshot: a row
    dated later than that (and a day for clocks) is rejected; None switches this off.

    Of rows with the same key (benchmark, model, setting, reporter) the first in the file's order is kept; the others
    are rejected with the address of the first, unless they list the model under another name (see `identity.listings`).
    Nothing is averaged, repaired or dropped without a rejection.
    Raises ValueError where a parser breaks its own contract (an unknown reporter, kind or date basis).
    """
    units = {**{fact.benchmark: fact.unit for fact in parsed.benchmarks}, **benchmarks}
    known = with_normalised(aliases)
    names = lru_cache(maxsize=None)(lambda name: identify(name, source_id, known))
    context = _Context(units, names, observed_on)
    results, unfit_rows = _results(parsed.rows, context)
    models, unfit_models = _models(parsed.models, context)
    reports, unfit_reports = _reports(parsed.reports)
    own_benchmarks = {fact.benchmark: fact for fact in parsed.benchmarks if fact.benchmark not in benchmarks}
    return Resolved(
        results=pl.DataFrame(results, schema=RESULT_FACT, orient="row"),
        rejections=pl.DataFrame(unfit_rows + unfit_models + unfit_reports, schema=REJECTION_FACT, orient="row"),
        models=pl.DataFrame(models, schema=MODEL_FACT, orient="row"),
        benchmarks=pl.DataFrame(
            [_benchmark(fact) for fact in own_benchmarks.values()], schema=BENCHMARK_FACT, orient="row"
        ),
        reports=pl.DataFrame(reports, schema=REPORT_FACT, orient="row"),
        rows_in=len(parsed.rows) + len(parsed.models) + len(parsed.reports),
    )


def _results(rows: list[RawRow], context: _Context) -> tuple[list[Fact], list[Rejection]]:
    kept: list[Fact] = []
    rejected: list[Rejection] = []
    first: dict[Fact, tuple[Fact, str]] = {}
    read = [_attempt(row, context) for row in rows]
    told_apart = iter(_told_apart([fact for fact, _ in read if fact]))
    for row, (fact, fault) in zip(rows, read, strict=True):
        reason = fault
        if fact:
            clear = next(told_apart)
            key, value = clear[:4], clear[4:10]
            if key in first:
                first_value, where = first[key]
                relation = "duplicate of" if first_value == value else "second value for the same key:"
                reason = f"{relation} {where}"
            else:
                first[key] = (value, row.row)
                kept.append(clear)
        if reason:
            rejected.append((row.row, reason, _shown(row.benchmark, row.model, row.score, row.dated_on)))
    return kept, rejected


def _told_apart(facts: list[Fact]) -> list[Fact]:
    """The facts, with a setting that says under which name a model is listed where one file has it under several."""
    groups: dict[Fact, list[int]] = {}
    for place, fact in enumerate(facts):
        groups.setdefault(fact[:4], []).append(place)
    clear = list(facts)
    for places in groups.values():
        if len(places) > 1:
            for place, listing in zip(places, listings([facts[p][11] for p in places]), strict=True):
                model, setting = facts[place][1], join_settings([facts[place][2], listing])
                clear[place] = (facts[place][0], model, setting, *facts[place][3:])
    return clear


def _attempt(row: RawRow, context: _Context) -> tuple[Fact, str]:
    """The row as a fact, else the reason why it is none."""
    _check_contract(row)
    try:
        return _result(row, context), ""
    except (_RejectedError, UnreadableError) as error:
        return (), str(error)


def _result(row: RawRow, context: _Context) -> Fact:
    """The row as a tuple in the order of RESULT_FACT: key (4), values (6), then address, name and kind."""
    if row.reject:
        raise _RejectedError(row.reject)
    size = _size_of_unit(row, context.units)
    identity = context.identify(row.model)
    if is_nothing(row.score):
        raise _RejectedError("no score")
    percent = row.unit == "percent"
    published = read_number(row.score, percent_sign=percent)
    if size and not 0 <= published <= size:
        raise _RejectedError(f"outside 0 to {size:g}: {row.score!r}")
    if not size and abs(published) > FARTHEST.get(row.unit, ANYWHERE):
        raise _RejectedError(f"no score in {row.unit} lies so far from 0: {row.score!r}")
    dated_on = _dated_on(row, context.observed_on)
    return (
        row.benchmark,
        identity.model_id,
        join_settings([*row.setting.split(", "), *identity.setting.split(", ")]),
        row.reporter,
        published / size if size else published,
        published,
        _std_error(row, size),
        None if is_nothing(row.n_items) else read_count(row.n_items),
        dated_on,
        row.date_basis if dated_on else None,
        row.row,
        printable(row.model),
        row.kind,
    )


def _check_contract(row: RawRow) -> None:
    if row.reporter not in REPORTERS or row.kind not in KINDS or (row.dated_on and row.date_basis not in DATE_BASES):
        raise ValueError(f"{row.row}: reporter {row.reporter!r}, kind {row.kind!r}, date basis {row.date_basis!r}")


def _size_of_unit(row: RawRow, units: Mapping[str, str]) -> float:
    """The largest score in the row's unit, 0 where there is none; the benchmark must be measured in a like unit."""
    unit = units.get(row.benchmark)
    if unit is None:
        raise _RejectedError(f"unknown benchmark: {row.benchmark!r}")
    if unit != row.unit and not (unit in BOUNDED and row.unit in BOUNDED):
        raise _RejectedError(f"the row's unit is {row.unit}, the benchmark's is {unit}")
    return BOUNDED.get(row.unit, 0.0)


def _std_error(row: RawRow, size: float) -> float | None:
    if is_nothing(row.std_error):
        return None
    published = read_number(row.std_error, percent_sign=row.unit == "percent")
    if published < 0 or published > (size or FARTHEST.get(row.unit, ANYWHERE)):
        raise _RejectedError(f"not a standard error: {row.std_error!r}")
    return published / size if size else published


def _dated_on(row: RawRow, observed_on: date | None) -> date | None:
    if is_nothing(row.dated_on):
        return None
    day = read_day(row.dated_on)
    if observed_on is not None and day > observed_on + _CLOCK_SKEW:
        raise _RejectedError(f"dated {day}, after the file itself ({observed_on})")
    return day


def _models(facts: list[ModelFact], context: _Context) -> tuple[list[Fact], list[Rejection]]:
    """Keep each fact that adds to what the file already said of the same model, and does not contradict it."""
    kept: list[Fact] = []
    rejected: list[Rejection] = []
    known: dict[str, tuple[Fact, str]] = {}
    for raw in facts:
        try:
            fact = _model(raw, context)
            said, where = known.get(fact[1], ((None,) * 4, raw.row))
            merged = tuple(new if old is None else old for old, new in zip(said, fact[3:], strict=True))
            if any(new is not None and new != sure for new, sure in zip(fact[3:], merged, strict=True)):
                raise _RejectedError(f"contradicts what is said of the same model in {where}")
            if merged == said:
                raise _RejectedError(f"excluded: says nothing that is not already in {where}")
        except (_RejectedError, UnreadableError) as error:
            shown = _shown(raw.model, raw.organisation, raw.released_on, raw.open_weights, raw.knowledge_cutoff)
            rejected.append((raw.row, str(error), shown))
        else:
            known[fact[1]] = (merged, where)
            kept.append(fact)
    return kept, rejected


def _model(raw: ModelFact, context: _Context) -> Fact:
    """The fact as a tuple in the order of MODEL_FACT: address, id, name, then what is said (4)."""
    if raw.reject:
        raise _RejectedError(raw.reject)
    if raw.open_weights not in ("", "true", "false"):
        raise _RejectedError(f"open weights must be true or false: {raw.open_weights!r}")
    return (
        raw.row,
        context.identify(raw.model).model_id,
        printable(raw.model),
        printable(raw.organisation) or None,
        None if is_nothing(raw.released_on) else read_day(raw.released_on),
        {"true": True, "false": False, "": None}[raw.open_weights],
        None if is_nothing(raw.knowledge_cutoff) else read_day(raw.knowledge_cutoff),
    )


def _reports(reports: list[ContaminationReport]) -> tuple[list[Fact], list[Rejection]]:
    """Keep each report once; the same one in other words of the file's is another report."""
    kept: list[Fact] = []
    rejected: list[Rejection] = []
    first: dict[Fact, str] = {}
    for raw in reports:
        try:
            fact = _report(raw)
            if fact[1:] in first:
                raise _RejectedError(f"duplicate of {first[fact[1:]]}")
        except (_RejectedError, UnreadableError) as error:
            shown = _shown(raw.benchmark, raw.subject, raw.split, raw.share, raw.method)
            rejected.append((raw.row, str(error), shown))
        else:
            first[fact[1:]] = raw.row
            kept.append(fact)
    return kept, rejected


def _report(raw: ContaminationReport) -> Fact:
    """The report as a tuple in the order of REPORT_FACT."""
    if raw.subject_kind not in SUBJECTS or raw.unit not in BOUNDED:
        raise ValueError(f"{raw.row}: subject kind {raw.subject_kind!r}, unit {raw.unit!r}")
    if raw.reject:
        raise _RejectedError(raw.reject)
    subject, method = printable(raw.subject), printable(raw.method)
    if not (raw.benchmark and subject and method and raw.reference_url):
        raise _RejectedError("a report without its benchmark, subject, method or reference")
    share, size = None, BOUNDED[raw.unit]
    if not is_nothing(raw.share):
        share = read_number(raw.share, percent_sign=raw.unit == "percent")
        if not 0 <= share <= size:
            raise _RejectedError(f"outside 0 to {size:g}: {raw.share!r}")
        share /= size
    split = printable(raw.split) or None
    return (raw.row, raw.benchmark, subject, raw.subject_kind, split, share, method, raw.reference_url)


def _benchmark(fact: BenchmarkFact) -> Fact:
    """The fact in the order of BENCHMARK_FACT. These are parsers' own constants: an unreadable one is an error."""
    size = BOUNDED.get(fact.unit, 1.0)
    return (
        fact.benchmark,
        fact.name,
        fact.metric,
        fact.unit,
        fact.higher_is_better,
        fact.domain or None,
        fact.modality or None,
        read_number(fact.floor) / size if fact.floor else None,
        read_count(fact.n_items) if fact.n_items else None,
        read_day(fact.released_on) if fact.released_on else None,
        fact.paper_url or None,
    )


def _shown(*cells: str) -> str:
    """What was published, in one line short enough to store and read."""
    return " | ".join(printable(cell) for cell in cells if cell.strip())[:_LONGEST_PUBLISHED]
