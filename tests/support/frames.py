"""Small frames for tests of analytics: rows as dicts, everything not named gets a plain default."""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, datetime, time
from functools import cache
from typing import Any

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.by_item.packing import NamedRun, packed_runs
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import SCHEMAS, Frames
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.schedule import run

Row = dict[str, Any]

OBSERVED = date(2026, 1, 1)
"""The day of the snapshot where a row names none."""


def result(
    benchmark_id: str,
    model_id: str,
    score: float,
    *,
    dated_on: date = OBSERVED,
    observed_on: date = OBSERVED,
    source_id: str = "lab",
    **more: object,
) -> Row:
    """One stored version of one result; `snapshot_id` names the source, the benchmark and the day observed."""
    row: Row = {
        "snapshot_id": f"{source_id}-{benchmark_id.split('/', maxsplit=1)[0]}-{observed_on}",
        "benchmark_id": benchmark_id,
        "model_id": model_id,
        "setting": "",
        "reporter": "third_party",
        "score": score,
        "score_published": score,
        "std_error": None,
        "n_items": None,
        "dated_on": dated_on,
        "date_basis": "evaluation",
        "source_row": f"{benchmark_id}:{model_id}",
        "source_id": source_id,
        "board_id": f"{source_id}/{benchmark_id}",
        "observed_at": datetime.combine(observed_on, time()),
        "published_name": model_id,
        "kind": "model",
        "condition": "as reported",
        "stands": True,
        "printed_in": None,
    }
    return {**row, **more}


def benchmark(benchmark_id: str, **more: object) -> Row:
    """A bounded, higher-is-better benchmark of a known floor and ceiling; override what the test is about."""
    row: Row = {
        "benchmark_id": benchmark_id,
        "name": benchmark_id.upper(),
        "domain": "text",
        "domain_group": "language",
        "construct": "reading",
        "answer_kind": "short answer",
        "modality": "text",
        "metric": "accuracy",
        "higher_is_better": True,
        "unit": "percent",
        "floor": 0.0,
        "ceiling": 1.0,
        "ceiling_basis": "maximum of the metric",
        "ceiling_checked": None,
        "human": None,
        "human_people": None,
        "human_items": None,
        "n_items": None,
        "released_on": None,
        "labels": "public",
        "refresh": "static",
        "paper_url": None,
        "curated": True,
    }
    return {**row, **more}


def twin_pair(twin_id: str, original_id: str, other_id: str, **more: object) -> Row:
    """A declared twin of any source, newest snapshots, residuals from the fitted line."""
    row: Row = {
        "twin_id": twin_id,
        "original_id": original_id,
        "other_id": other_id,
        "kind": "fresh_sample",
        "source_id": None,
        "observed_on": None,
        "test": "fit",
        "note": "",
        "source_url": "https://example.org",
    }
    return {**row, **more}


def frames(
    results: Iterable[Row] = (),
    benchmarks: Iterable[Row] | None = None,
    *,
    models: Iterable[Mapping[str, Any]] = (),
    breakpoints: Iterable[Mapping[str, Any]] = (),
    reports: Iterable[Mapping[str, Any]] = (),
    twin_pairs: Iterable[Row] = (),
    looked_on: date = date.max,
    mentions: Iterable[Mapping[str, Any]] = (),
    listed_names: Iterable[Mapping[str, Any]] = (),
) -> Frames:
    """Frames holding these rows; benchmarks default to one plain row for each id named in the results.

    Every source is a board that was last looked at on the day `looked_on`, as a rule after all else.
    `snapshot` and `source` follow from the results. Missing columns of models, breakpoints and reports are null.
    """
    rows = list(results)
    names = sorted({str(row["source_id"]) for row in rows})
    looks = [{"source_id": name, "board_id": "", "looked_at": datetime.combine(looked_on, time())} for name in names]
    listed = (
        [benchmark(name) for name in sorted({str(row["benchmark_id"]) for row in rows})]
        if benchmarks is None
        else list(benchmarks)
    )
    return Frames(
        benchmark=frame("benchmark", listed),
        model=frame("model", models),
        source=frame("source", [{"source_id": name, "kind": "board"} for name in names]),
        snapshot=_snapshots(rows),
        result=frame("result", rows).lazy(),
        breakpoint=frame("breakpoint", breakpoints),
        contamination_report=frame("contamination_report", reports),
        twin_pair=frame("twin_pair", twin_pairs),
        look=frame("look", looks),
        mention=frame("mention", mentions),
        listed_name=frame("listed_name", listed_names),
    )


def with_items(
    facts: Frames, outcomes: Mapping[str, Iterable[float]], n_items: int | None = None, clusters: Sequence[str] = ()
) -> Frames:
    """The facts with the results at these addresses item by item; each benchmark has its own items, by number.

    `clusters` name what each item belongs to, where that is known.
    """
    runs, rows = [], []
    for row in facts.result.collect().filter(pl.col("source_row").is_in(list(outcomes))).iter_rows(named=True):
        solved = [float(one) for one in outcomes[row["source_row"]]]
        names = [f"{row['benchmark_id']} {index}" for index in range(len(solved))]
        runs.append(NamedRun(row["source_row"], row["benchmark_id"], n_items, names, solved, clusters))
        rows.append({**row, "n_items": n_items or len(solved)})
    return of_runs(facts, runs, rows)


def of_runs(facts: Frames, runs: Sequence[NamedRun], rows: Sequence[Mapping[str, Any]]) -> Frames:
    """The facts with these runs packed; `rows` are the results that they are of, in their order."""
    packed, items = packed_runs("lab", runs)
    full = [{**row, **run._asdict()} for row, run in zip(rows, packed, strict=True)]
    lists = pl.DataFrame(items, schema=SCHEMAS["item"], orient="row")
    return replace(facts, item_result=frame("item_result", full), item=lists)


def frame(table: str, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """A frame with the schema of that table; columns that a row does not name are null."""
    schema = SCHEMAS[table]
    full = [{name: row.get(name) for name in schema} for row in rows]
    return pl.DataFrame(full, schema=schema, orient="row")


def _snapshots(rows: list[Row]) -> pl.DataFrame:
    """One snapshot for each snapshot_id; its board is the file's: the source and the whole benchmark."""
    snapshots: dict[str, Row] = {}
    for row in rows:
        snapshot = snapshots.setdefault(
            row["snapshot_id"],
            {
                "snapshot_id": row["snapshot_id"],
                "source_id": row["source_id"],
                "board_id": str(row["board_id"]).rsplit("/", 1)[0]
                if str(row["board_id"]).count("/") > 1
                else row["board_id"],
                "observed_at": row["observed_at"],
                "fetched_at": row["observed_at"],
                "url": f"https://example.org/{row['snapshot_id']}",
                "ref": row["snapshot_id"],
                "sha256": "",
                "rows_in": 0,
                "rows_kept": 0,
                "rows_rejected": 0,
            },
        )
        snapshot["rows_in"] += 1
        snapshot["rows_kept"] += 1
    return frame("snapshot", snapshots.values())


def dated_boards(facts: Frames, as_of: date) -> pl.DataFrame:
    """The table `board`: until when each is known."""
    boards: pl.DataFrame = run(ENTRIES, {"frames": facts, "as_of": as_of}, ("board",))["board"]
    return boards


_STEPS = {entry.name: entry for entry in ENTRIES}
_EVIDENCE: dict[tuple[date, bytes], Evidence] = {}
_KEPT = 64
"""How much evidence is kept at most, of the facts that were asked about last."""


@cache
def _read_by(name: str) -> frozenset[str]:
    """The derived tables that the value of this name rests on, as they are given."""
    if name in DERIVED:
        return frozenset([name])
    inputs = _STEPS[name].inputs if name in _STEPS else ()
    return frozenset().union(*map(_read_by, inputs))


def _content(tables: Iterable[object]) -> bytes:
    """What distinguishes these tables, row for row, and whatever else is among them."""
    return pickle.dumps([one.collect() if isinstance(one, pl.LazyFrame) else one for one in tables])


def evidence_of(facts: Frames, as_of: date, tables: Mapping[str, pl.DataFrame] | None = None) -> Evidence:
    """What indicators read, of the facts and these derived tables; all other derived tables are empty.

    Steps of the graph are pure, so it is computed once of the same facts, and tables that it only hands on are put in.
    """
    derived = {name: empty(name) for name in DERIVED} | dict(tables or {})
    inputs = _STEPS["evidence"].inputs
    handed_on = {name: derived[name] for name in inputs if name in DERIVED}
    read = frozenset(derived.keys() - DERIVED).union(*(_read_by(name) for name in inputs if name not in DERIVED))
    given = [getattr(facts, field.name) for field in fields(facts)]
    content = _content([*given, *((name, derived[name]) for name in sorted(read))])
    evidence = _EVIDENCE.pop((as_of, content), None)
    if evidence is None:
        evidence = run(ENTRIES, {"frames": facts, "as_of": as_of, **derived}, ("evidence",))["evidence"]
    _EVIDENCE[as_of, content] = evidence
    if len(_EVIDENCE) > _KEPT:
        del _EVIDENCE[next(iter(_EVIDENCE))]
    return replace(evidence, **handed_on)


def passing_on(facts: Frames, *sources: str) -> Frames:
    """The frames, in which these sources only pass on what others measured."""
    rows = [{"board_id": f"{source}/*", "measured_by": None, "note": "", "source_url": ""} for source in sources]
    return replace(facts, measurer=frame("measurer", rows))
