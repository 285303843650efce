"""A report on many benchmarks at once, two pages in all: which still measure, what to ask for, and why."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analytics.record.tables import STAGES
from dashboard.pages.benchmark.instead import alternatives
from dashboard.published.benchmarks import is_alive
from dashboard.published.generation import View
from dashboard.report import words
from dashboard.report.case import Case, case
from dashboard.report.evidence import citing, link
from dashboard.report.tree import Cell, Part, Section, Table
from dashboard.words.numbers import UNKNOWN, day_of, month_of, of, percent, score
from dashboard.words.stages import FLAG_WORDS, ORDER, STAGE_WORDS, stage_label
from dashboard.words.text import count, listed, short, shorten, words_within

ROWS = 24
"""The most benchmarks that a field's table names; what is left out is counted."""
SOURCES = 8
WHOLE = 44
"""The most letters of a name."""


def part(view: View, subject: str, benchmark_ids: Sequence[str], origin: str, address: str) -> Part:
    """The two pages about these benchmarks; `subject` is what they are called together."""
    rank = {stage: at for at, stage in enumerate(ORDER)}
    found = sorted((case(view, one) for one in benchmark_ids), key=lambda one: (rank[one.verdict["stage"]], one.name))
    cases = _told_apart(found)
    rows = pl.DataFrame(
        [{**one.row, "name": one.name} for one in cases],
        schema_overrides={"stage": pl.String, "flags": pl.List(pl.String)},
        infer_schema_length=None,
    )
    alive = rows.filter(is_alive()).height
    title = f"{subject}: {alive} of {count(len(cases), 'benchmark')} still {'measures' if alive == 1 else 'measure'}"
    days = [one.verdict["known_until"] for one in cases if one.verdict["known_until"]]
    known = f"known until {day_of(max(days))} at the latest" if days else "until when this is known is not on record"
    return Part(
        key="field",
        title=title,
        stage=None,
        line=f"{count(len(cases), 'curated benchmark')} · {known}",
        front=(_verdict(cases, rows, alive), _meaning(rows), _table(cases)),
        back=(_evidence(cases), _unknown(cases), _sources(view, cases), citing(title, address, origin)),
    )


def _told_apart(cases: Sequence[Case]) -> list[Case]:
    """The cases under short names; those that would have the same one keep the whole."""
    names = [short(one.name) for one in cases]
    return [
        replace(one, facts={**one.facts, "name": name if names.count(name) == 1 else words_within(one.name, WHOLE)})
        for one, name in zip(cases, names, strict=True)
    ]


def _verdict(cases: Sequence[Case], rows: pl.DataFrame, alive: int) -> str:
    by_stage = [
        f"{number} {'is' if number == 1 else 'are'} {STAGE_WORDS[stage].lower()}"
        for stage in ORDER
        if (number := rows.filter(pl.col("stage") == stage).height)
    ]
    old = rows.filter(pl.col("stage") == "discriminating").height - alive
    seen = f" Of the first, {old} {'was' if old == 1 else 'were'} not looked at for six months." if old else ""
    own = rows.filter(pl.col("flags").list.contains("self_reported")).height
    makers = f" On {own} of them most results are the makers' own." if own else ""
    return f"Of {count(len(cases), 'benchmark')}, {listed(by_stage)}.{seen}{makers}"


def _meaning(rows: pl.DataFrame) -> Section:
    good, short_of, used, unknown = (
        rows.filter(pl.col("stage").is_in(stages))["name"].to_list()
        for stages in (("discriminating",), ("compressing",), ("saturated",), ("unknown", "emerging"))
    )
    lines = [
        f"{said} {listed(names)}."
        for names, said in (
            (good, "Would show progress, beyond its error and measured by somebody else: a better result on"),
            (short_of, "Only where the difference is larger than its error, and never alone: a better result on"),
            (used, "Would not show progress: a better result on"),
            (unknown, "Cannot be said from public results, so applicants should show it:"),
        )
        if names
    ]
    return Section("What this means for a decision", points=tuple(lines), framed=True)


def _table(cases: Sequence[Case]) -> Section:
    rows = tuple(_row(one) for one in cases[:ROWS])
    head = ("benchmark", "verdict", "room left", "best", "known until", "ask for instead, or beside it")
    left = f"{count(len(cases) - ROWS, 'further benchmark')} on the dashboard." if len(cases) > ROWS else ""
    return Section("Benchmark by benchmark", table=Table(head, rows, (24, 17, 12, 9, 12, 26)), note=left)


def _row(one: Case) -> tuple[Cell, ...]:
    best = one.known("frontier")
    room = words.room(one)[0]
    return (
        one.name,
        stage_label(one.verdict["stage"]),
        room,
        score(best["value"], one.facts["unit"]) if best else UNKNOWN,
        month_of(one.verdict["known_until"]).replace(UNKNOWN.lower(), UNKNOWN),
        _successors(one),
    )


def _successors(one: Case) -> str:
    found = alternatives(one.view, one.facts).head(3)
    names = list(dict.fromkeys(short(name) for name in found["name"]))
    return shorten(", ".join(names[:2]), 60) if names else "a new or private set"


def _evidence(cases: Sequence[Case]) -> Section:
    rows = tuple(
        (
            one.name,
            f"{one.row['models']:,}",
            _share(one, "self_reported_share"),
            _share(one, "resolution_top5"),
            _percent(one, "contamination_max_share"),
            ", ".join(FLAG_WORDS[flag] for flag in one.verdict["flags"]) or "none",
        )
        for one in cases[:ROWS]
    )
    head = ("benchmark", "models", "by makers", "top pairs told apart", "items seen in training", "flags")
    return Section(
        "Evidence",
        table=Table(head, rows, (26, 9, 13, 14, 14, 24), right=(1,)),
        note=(
            "By makers: models whose results only the maker reports. Top pairs: how many pairs of the five best differ "
            "beyond their error. Items seen: the largest share that a report documents."
        ),
    )


def _share(one: Case, indicator: str) -> str:
    row = one.known(indicator)
    return of(round(row["value"] * int(row["n"])), int(row["n"])) if row and row["n"] else UNKNOWN.lower()


def _percent(one: Case, indicator: str) -> str:
    row = one.known(indicator)
    return percent(row["value"]) if row else "no report"


def _unknown(cases: Sequence[Case]) -> Section:
    lines = []
    for said, lacking in (
        ("No verdict", [one for one in cases if one.verdict["stage"] == STAGES[0]]),
        ("Chance is not known", [one for one in cases if one.facts["floor"] is None]),
        ("How people score is not known", [one for one in cases if one.facts["human"] is None]),
        ("No second measurement", [one for one in cases if one.known("twin_gap") is None]),
        ("No report and no test of answers seen in training", [one for one in cases if not _looked(one)]),
    ):
        if lacking:
            lines.append(f"{said}: {len(lacking)} of {len(cases)} ({_few([one.name for one in lacking])}).")
    return Section("What is not known", points=tuple(lines))


def _looked(one: Case) -> bool:
    return one.known("contamination_max_share") is not None or one.known("anomaly_share") is not None


def _few(names: list[str]) -> str:
    return listed([*names[:6], f"{len(names) - 6} more"] if len(names) > 7 else names)


def _sources(view: View, cases: Sequence[Case]) -> Section:
    """Whose results these are, those known latest first."""
    ids = [one.id for one in cases]
    listed_ids = ", ".join(f"$b{at}" for at in range(len(ids)))
    counted = view.query(
        "SELECT s.source_id, count(DISTINCT r.benchmark_id)::BIGINT AS benchmarks FROM result r "  # noqa: S608
        f"JOIN snapshot s USING (snapshot_id) WHERE r.benchmark_id IN ({listed_ids}) GROUP BY ALL",
        **{f"b{at}": one for at, one in enumerate(ids)},
    )
    titled = counted.join(view.table("source"), on="source_id", how="left")
    ordered = titled.sort("benchmarks", "source_id", descending=[True, False])
    rows: list[tuple[Cell, ...]] = [
        (
            link(shorten((row["title"] or row["source_id"]).split(":")[0], 60), row["homepage"]),
            shorten(row["licence"] or "unknown", 30),
            f"{row['benchmarks']:,}",
            day_of(row["known_until"]),
        )
        for row in ordered.head(SOURCES).iter_rows(named=True)
    ]
    left = f"{count(ordered.height - SOURCES, 'further source')} on the dashboard." if ordered.height > SOURCES else ""
    head = ("source", "licence", "of these", "known until")
    return Section("Sources", table=Table(head, tuple(rows), (46, 22, 12, 20), right=(2,)), note=left)
