"""Raw rows to results and rejections: pure, strict, and every row accounted for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from benchhealth.analytics.record.frames import NO_SCORE
from benchhealth.analytics.record.tables import DATE_BASES, KINDS, REPORTERS
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_count, read_day, read_number
from benchhealth.ingest.names.identity import (
    Aliases,
    Identity,
    both_settings,
    identify,
    join_settings,
    listings,
    printable,
)
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, RawRow
from benchhealth.ingest.run.claims.each_once import listed_names, mentions, prices, refuse_month, reports
from benchhealth.ingest.run.claims.item_results import packed_items
from benchhealth.ingest.run.records import (
    BOUNDED,
    Fact,
    Rejection,
    Result,
    as_line,
    frame,
)
from benchhealth.warehouse.batch import (
    BENCHMARK_FACT,
    MENTION_FACT,
    MODEL_FACT,
    NAME_FACT,
    PRICE_FACT,
    REJECTION_FACT,
    REPORT_FACT,
    RESULT_FACT,
    Resolved,
)

FARTHEST: Mapping[str, float] = {"rating": 1e4, "correlation": 1.0, "correlation in percent": 100.0}
"""How far from 0 a score in another unit can lie; in units that are not named, ANYWHERE is the limit."""

ATTRIBUTES = ("organisation", "released_on", "open_weights", "knowledge_cutoff")
"""What a source may say about a model."""

ANYWHERE = 1e9
"""Hundreds of times what the highest score of any game or the longest answer measures: farther off is no score."""

_CLOCK_SKEW = timedelta(days=1)


@dataclass(frozen=True)
class _Context:
    """`named` gives a published name without invisible characters, and who is meant."""

    units: Mapping[str, str]
    named: Callable[[str], tuple[str, Identity]]
    observed_on: date | None
    source_id: str


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
    come with the rows, and where both know one the registry is right. `aliases` are those of
    `identity.with_normalised`. `observed_on` is the day of the snapshot: a row dated later than that (and a day for
    clocks) is rejected; None switches this off.

    Of rows with the same key (benchmark, model, setting, reporter) the first in the file's order is kept; the others
    are rejected with the address of the first, unless they list the model under another name (see `identity.listings`).
    Nothing is averaged, repaired or dropped without a rejection.
    Raises ValueError where a parser breaks its own contract (an unknown reporter, kind or date basis).
    """
    units = {**{fact.benchmark: fact.unit for fact in parsed.benchmarks}, **benchmarks}
    named = lru_cache(maxsize=None)(lambda name: (printable(name), identify(name, source_id, aliases)))
    context = _Context(units, named, observed_on, source_id)
    results, unfit_rows = _results(parsed.rows, context)
    models, unfit_models = _models(parsed.models, context)
    kept_reports, unfit_reports = reports(parsed.reports)
    mentioned, unfit_mentions = mentions(parsed.mentions, units, lambda day: _dated_on(day, observed_on))
    names, unfit_names = listed_names(parsed.names, lambda name: named(name)[1].model_id)
    items, lists, unfit_items = packed_items(parsed.items, results, source_id)
    priced, unfit_prices = prices(parsed.prices, lambda name: named(name)[1].model_id)
    unfit = [
        *(*unfit_rows, *unfit_models, *unfit_reports, *unfit_mentions),
        *(*unfit_names, *unfit_items, *unfit_prices),
    ]
    own_benchmarks = {fact.benchmark: fact for fact in parsed.benchmarks if fact.benchmark not in benchmarks}
    return Resolved(
        results=frame(results, RESULT_FACT),
        rejections=frame(unfit, REJECTION_FACT),
        models=frame(models, MODEL_FACT),
        benchmarks=frame([_benchmark(fact) for fact in own_benchmarks.values()], BENCHMARK_FACT),
        reports=frame(kept_reports, REPORT_FACT),
        mentions=frame(mentioned, MENTION_FACT),
        names=frame(names, NAME_FACT),
        items=items,
        lists=lists,
        prices=frame(priced, PRICE_FACT),
        rows_in=sum(
            len(facts)
            for facts in (
                *(parsed.rows, parsed.models, parsed.reports, parsed.mentions),
                *(parsed.names, parsed.items, parsed.prices),
            )
        ),
    )


def _results(rows: list[RawRow], context: _Context) -> tuple[list[Result], list[Rejection]]:
    accepted: list[Result] = []
    rejected: list[Rejection] = []
    first: dict[tuple[str, ...], Result] = {}
    outcomes = [_attempt(row, context) for row in rows]
    listed_apart = iter(_listed_apart([fact for fact in outcomes if isinstance(fact, Result)]))
    for row, outcome in zip(rows, outcomes, strict=True):
        if isinstance(outcome, Rejection):
            rejected.append(outcome)
            continue
        fact = next(listed_apart)
        before = first.setdefault(fact.key, fact)
        if before is fact:
            accepted.append(fact)
        else:
            relation = "duplicate of" if before.repeats(fact) else "second value for the same key:"
            rejected.append(_rejection(row, f"{relation} {before.source_row}"))
    return accepted, rejected


def _listed_apart(facts: list[Result]) -> list[Result]:
    """The facts, with a setting that says under which name a model is listed where one file has it under several."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, fact in enumerate(facts):
        groups.setdefault(fact.key, []).append(index)
    clear = list(facts)
    for indices in groups.values():
        if len(indices) > 1:
            names = [facts[index].published_name for index in indices]
            for index, listing in zip(indices, listings(names), strict=True):
                clear[index] = facts[index]._replace(setting=join_settings([facts[index].setting, listing]))
    return clear


def _attempt(row: RawRow, context: _Context) -> Result | Rejection:
    """The row as a result, else as a rejection with the reason why it is none."""
    _check_contract(row)
    try:
        return _result(row, context)
    except UnreadableError as error:
        return _rejection(row, str(error))


def _rejection(row: RawRow, reason: str) -> Rejection:
    return Rejection(row.row, reason, as_line(row.benchmark, row.model, row.score, row.dated_on))


def _result(row: RawRow, context: _Context) -> Result:
    if row.reject:
        raise UnreadableError(row.reject)
    size = _size_of_unit(row, context.units)
    published_name, identity = context.named(row.model)
    if is_nothing(row.score):
        raise UnreadableError(NO_SCORE)
    percent = row.unit == "percent"
    published = read_number(row.score, percent_sign=percent)
    if size and not 0 <= published <= size:
        raise UnreadableError(f"outside 0 to {size:g}: {row.score!r}")
    if not size and abs(published) > FARTHEST.get(row.unit, ANYWHERE):
        raise UnreadableError(f"no score in {row.unit} lies so far from 0: {row.score!r}")
    refuse_month(row.dated_on, context.source_id)
    dated_on = _dated_on(row.dated_on, context.observed_on)
    return Result(
        benchmark_id=row.benchmark,
        model_id=identity.model_id,
        setting=both_settings(row.setting, identity.setting),
        reporter=row.reporter,
        score=published / size if size else published,
        score_published=published,
        std_error=_std_error(row, size),
        n_items=None if is_nothing(row.n_items) else read_count(row.n_items),
        dated_on=dated_on,
        date_basis=row.date_basis if dated_on else None,
        source_row=row.row,
        published_name=published_name,
        kind=row.kind,
        printed_in=row.printed_in or None,
        row_setting=row.setting,
    )


def _check_contract(row: RawRow) -> None:
    if row.reporter not in REPORTERS or row.kind not in KINDS or (row.dated_on and row.date_basis not in DATE_BASES):
        raise ValueError(f"{row.row}: reporter {row.reporter!r}, kind {row.kind!r}, date basis {row.date_basis!r}")


def _size_of_unit(row: RawRow, units: Mapping[str, str]) -> float:
    """The largest score in the row's unit, 0 where there is none; the benchmark must be measured in a like unit."""
    unit = units.get(row.benchmark)
    if unit is None:
        raise UnreadableError(f"unknown benchmark: {row.benchmark!r}")
    if unit != row.unit and not (unit in BOUNDED and row.unit in BOUNDED):
        raise UnreadableError(f"the row's unit is {row.unit}, the benchmark's is {unit}")
    return BOUNDED.get(row.unit, 0.0)


def _std_error(row: RawRow, size: float) -> float | None:
    if is_nothing(row.std_error):
        return None
    published = read_number(row.std_error, percent_sign=row.unit == "percent")
    if published < 0 or published > (size or FARTHEST.get(row.unit, ANYWHERE)):
        raise UnreadableError(f"not a standard error: {row.std_error!r}")
    return published / size if size else published


def _dated_on(published: str, observed_on: date | None) -> date | None:
    if is_nothing(published):
        return None
    day = read_day(published)
    if observed_on is not None and day > observed_on + _CLOCK_SKEW:
        raise UnreadableError(f"dated {day}, after the file itself ({observed_on})")
    return day


def _models(facts: list[ModelFact], context: _Context) -> tuple[list[Fact], list[Rejection]]:
    """Keep spellings and each fact that adds to what the file said of the same model, and does not contradict it."""
    accepted: list[Fact] = []
    rejected: list[Rejection] = []
    stated: dict[object, tuple[Fact, str]] = {}
    for raw in facts:
        try:
            fact = _model(raw, context)
            if not raw.is_spelling:
                earlier, row = stated.get(fact["model_id"], ({}, raw.row))
                stated[fact["model_id"]] = _merged(earlier, fact, row), row
        except UnreadableError as error:
            line = as_line(raw.model, raw.organisation, raw.released_on, raw.open_weights, raw.knowledge_cutoff)
            rejected.append(Rejection(raw.row, str(error), line))
        else:
            accepted.append(fact)
    return accepted, rejected


def _merged(earlier: Fact, new: Fact, row: str) -> Fact:
    """What was said of a model and what a new row says. Raises UnreadableError where that contradicts, or adds nothing.

    `row` is the first that said anything of it.
    """
    newly_stated = {name: new[name] for name in ATTRIBUTES if new[name] is not None}
    if any(earlier.get(name, value) != value for name, value in newly_stated.items()):
        raise UnreadableError(f"contradicts what is said of the same model in {row}")
    if newly_stated.items() <= earlier.items():
        raise UnreadableError(f"excluded: says nothing that is not already in {row}")
    return {**earlier, **newly_stated}


def _model(raw: ModelFact, context: _Context) -> Fact:
    if raw.reject:
        raise UnreadableError(raw.reject)
    if raw.open_weights not in ("", "true", "false"):
        raise UnreadableError(f"open weights must be true or false: {raw.open_weights!r}")
    refuse_month(raw.released_on, context.source_id, of_release=True)
    return {
        "source_row": raw.row,
        "model_id": context.named(raw.model)[1].model_id,
        "name": printable(raw.model),
        "organisation": printable(raw.organisation) or None,
        "released_on": None if is_nothing(raw.released_on) else read_day(raw.released_on),
        "open_weights": {"true": True, "false": False, "": None}[raw.open_weights],
        "knowledge_cutoff": None if is_nothing(raw.knowledge_cutoff) else read_day(raw.knowledge_cutoff),
    }


def _benchmark(fact: BenchmarkFact) -> Fact:
    """The fact with its cells read. These are parsers' own constants: an unreadable one is an error."""
    size = BOUNDED.get(fact.unit, 1.0)
    return {
        "benchmark_id": fact.benchmark,
        "name": fact.name,
        "metric": fact.metric,
        "unit": fact.unit,
        "higher_is_better": fact.higher_is_better,
        "domain": fact.domain or None,
        "modality": fact.modality or None,
        "floor": read_number(fact.floor) / size if fact.floor else None,
        "n_items": read_count(fact.n_items) if fact.n_items else None,
        "released_on": read_day(fact.released_on) if fact.released_on else None,
        "paper_url": fact.paper_url or None,
    }
