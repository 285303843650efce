"""From one published generation to the contents of a report: chosen, worded and cut to fit two pages."""

from collections.abc import Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any

import polars as pl

from dashboard.figures import curve
from dashboard.figures.base import is_bounded, score_text
from dashboard.published import standings
from dashboard.published.generation import View
from dashboard.published.results import drawn, frontier, ids, results
from dashboard.words.sentences import about, basis
from dashboard.words.stages import FLAG_MEANING, STAGE_MEANING, stage_label
from dashboard.words.text import day, one_line, shorten
from pipeline.errors import UsageError
from pipeline.report.sections import headroom_said, indicator_rows, sections
from pipeline.report.tree import Curve, Report, Sheet, Table

Facts = Mapping[str, Any]
NAME_LIMIT = 70
CLOSE = 5
"""How many known ids are named beside one that is not known."""


def compose(view: View, benchmark_ids: Sequence[str]) -> Report:
    """The report on these benchmarks, each once, in the order asked for.

    Raises UsageError for an id that the generation does not hold, naming ids close to it.
    """
    chosen = list(dict.fromkeys(benchmark_ids))
    _check(chosen, ids(view))
    sheets = tuple(_sheet(view, benchmark_id) for benchmark_id in chosen)
    verdicts = view.table("verdict")
    as_of: date = verdicts["as_of"].max()  # type: ignore[assignment]
    return Report(
        title=f"Benchmark health: {sheets[0].name}" if len(sheets) == 1 else "Benchmark health",
        generation=view.name,
        as_of=as_of,
        rules_version=", ".join(verdicts["rules_version"].unique().sort()),
        cover=_cover(view, sheets) if len(sheets) > 1 else None,
        sheets=sheets,
    )


def _check(asked: Sequence[str], known: Sequence[str]) -> None:
    unknown = [benchmark_id for benchmark_id in asked if benchmark_id not in set(known)]
    if not unknown:
        return
    said = [f"no benchmark called {one_line(benchmark_id)!r}{_near(benchmark_id, known)}" for benchmark_id in unknown]
    raise UsageError("; ".join(said))


def _near(unknown: str, known: Sequence[str]) -> str:
    """Ids that hold what was asked for, then ids that are spelt like it."""
    asked = unknown.strip().casefold().replace(" ", "-").replace("_", "-")
    holding = sorted((known_id for known_id in known if asked and asked in known_id.casefold()), key=len)
    alike = get_close_matches(asked, known, n=CLOSE, cutoff=0.5)
    near = list(dict.fromkeys([*holding, *alike]))[:CLOSE]
    return f" (did you mean {', '.join(near)}?)" if near else ""


def _sheet(view: View, benchmark_id: str) -> Sheet:
    row = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    facts = {**row, "name": shorten(row["name"] or benchmark_id, NAME_LIMIT)}
    verdict = _verdict(view, benchmark_id)
    every = results(view, {"benchmark": benchmark_id})
    return Sheet(
        benchmark_id=benchmark_id,
        name=facts["name"],
        stage=verdict["stage"],
        stage_meaning=STAGE_MEANING[verdict["stage"]],
        flags=tuple((flag, FLAG_MEANING[flag]) for flag in verdict["flags"]),
        reasons=tuple(verdict["reasons"]),
        facts=_about(facts),
        curve=_curve(view, facts, every),
        sections=sections(view, facts, every),
    )


def _verdict(view: View, benchmark_id: str) -> dict[str, Any]:
    found = view.table("verdict").filter(pl.col("benchmark_id") == benchmark_id)
    if found.is_empty():
        return {"stage": "unknown", "flags": [], "reasons": ["no verdict was published for it"]}
    return found.row(0, named=True)


def _about(facts: Facts) -> tuple[tuple[str, str], ...]:
    missing = [
        label
        for label, key in (
            ("number of items", "n_items"),
            ("chance level", "floor"),
            ("ceiling", "ceiling"),
            ("human baseline", "human"),
        )
        if facts[key] is None
    ]
    unknown = [("not known", ", ".join(missing))] if missing else []
    return (*about(facts), *unknown, ("id", facts["benchmark_id"]), ("basis", basis(facts)))


def _curve(view: View, facts: Facts, every: pl.DataFrame) -> Curve | None:
    """The curve of what models scored; None where no result is on record."""
    steps = frontier(view, {"benchmark": facts["benchmark_id"]})
    ranked = drawn(every, facts, steps)
    if ranked.is_empty():
        return None
    spans = [] if is_bounded(facts["unit"]) else standings.spans(view, facts["benchmark_id"])
    steps = curve.since_last_move(steps, spans)
    return Curve(
        finding=curve.finding(facts, steps, spans),
        alt=curve.alt_text(facts, ranked, steps),
        facts=facts,
        results=ranked,
        steps=steps,
    )


def _cover(view: View, sheets: Sequence[Sheet]) -> Table:
    """All benchmarks of the report in one table: stage, flags, room left, best score, newest result."""
    rows = []
    for sheet in sheets:
        known = indicator_rows(view, sheet.benchmark_id)
        unit = sheet.curve.facts["unit"] if sheet.curve else None
        newest = sheet.curve.results["dated_on"].max() if sheet.curve else None
        rows.append(
            (
                sheet.name,
                stage_label(sheet.stage),
                ", ".join(flag.replace("_", " ") for flag, _ in sheet.flags) or "none",
                headroom_said(known),
                score_text(known["frontier"]["value"], unit) if "frontier" in known else "unknown",
                day(newest),  # type: ignore[arg-type]
            )
        )
    return Table(
        head=("benchmark", "stage", "flags", "room left [95%]", "best", "newest result"),
        rows=tuple(rows),
        widths=(26, 17, 16, 19, 10, 12),
        right=(4,),
    )
