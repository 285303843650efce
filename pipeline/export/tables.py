"""Open data: every published table as files that anybody may use, without what may not leave."""

import json
import logging
from contextlib import closing
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.sharing import Terms, terms
from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.analytics.record.tables.declared import Form, Table
from benchhealth.dashboard.words.terms.citing import published_as
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.sharing.csv import write_csv
from benchhealth.warehouse.sharing.csvw import SUFFIX, description
from benchhealth.warehouse.sharing.generation import OLDER, SharedGeneration
from benchhealth.warehouse.sharing.rules import RULES, WITHHELD

LOGGER = logging.getLogger(__name__)

LEVEL, GROUP = 9, 200_000
"""Compression level of Parquet and rows of a row group: fixed, so that later versions of Polars write the same."""


def export(settings: Settings, *, to: Path, kind: str) -> None:
    """Write one file per published table, a folder for each source with terms of its own, and a README in each.

    `kind` is parquet or csv; text cells of a CSV cannot act as formulas, and a file beside it says what its columns
    mean. `warehouse.sharing` decides what may leave. Raises NoGeneration if none can be read, NotShareable if the
    generation is too old to say which sources its rows rest on.
    """
    with closing(open_current(settings.home)) as generation:
        path = generation.path
    write_tables(path, to, kind)


def write_tables(path: Path, target: Path, kind: str) -> None:
    """As `export`, of the generation in this file; the same generation gives the same bytes."""
    generation = SharedGeneration(path)
    try:
        if generation.lacking:
            LOGGER.warning("not written, as %s: %s", OLDER, ", ".join(sorted(generation.lacking)))
        counts = {name: _write(generation, name, target, kind) for name in PUBLISHED if name not in generation.lacking}
        (target / "README.md").write_text(_readme(generation, counts), encoding="utf-8")
        for source_id in generation.with_own_terms:
            _export_apart(path, source_id, generation.table("source"), target / source_id, kind)
    finally:
        generation.close()


def _export_apart(path: Path, source_id: str, sources: pl.DataFrame, target: Path, kind: str) -> None:
    """The rows that leave under the licence of this source alone; no folder where there are none."""
    generation = SharedGeneration(path, source_id)
    try:
        counts = {name: _write(generation, name, target, kind, empty=False) for name in PUBLISHED}
        if not any(counts.values()):
            return
        about = sources.row(by_predicate=pl.col("source_id") == source_id, named=True)
        (target / "README.md").write_text(_readme_apart(generation.name, about, counts), encoding="utf-8")
    finally:
        generation.close()


def _write(generation: SharedGeneration, name: str, target: Path, kind: str, *, empty: bool = True) -> int:
    """Write the table, without rows only where `empty` says so, and return how many it has."""
    rows = in_order(generation.table(name), TABLES[name]) if kind == "parquet" else None
    count = generation.count(name) if rows is None else rows.height
    if not (count or empty):
        return 0
    target.mkdir(parents=True, exist_ok=True)
    if rows is not None:
        rows.write_parquet(
            target / f"{name}.parquet", compression="zstd", compression_level=LEVEL, row_group_size=GROUP
        )
    else:
        file = target / f"{name}.csv"
        write_csv(generation.pieces(name), file)
        columns = json.dumps(description(TABLES[name], file.name), indent=1)
        file.with_name(f"{file.name}{SUFFIX}").write_text(f"{columns}\n", encoding="utf-8")
    return count


def in_order(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """The rows by the key of their table, and by all that can be compared where cells of the key are withheld."""
    comparable = [column.name for column in table.columns if column.form not in (Form.TEXTS, Form.NUMBERS)]
    return rows.sort(list(dict.fromkeys((*table.key, *comparable))), nulls_last=True, maintain_order=True)


def _readme(generation: SharedGeneration, counts: dict[str, int]) -> str:
    lines = [
        "# benchhealth, open data",
        "",
        f"{published_as(generation.name)}. Each row of `result` names its `snapshot`, which holds the address, the",
        "commit and the SHA-256 of the file it was read from. Indicators and verdicts are inferences of benchhealth;",
        "`fact_source` names the sources of every benchmark. Of sources that may not be passed on there are no rows,",
        "scores or names of models here, and of what somebody imported nothing at all. A sentence that would name such",
        f"a thing reads `{WITHHELD}`, a cell that only such a source says is empty.",
        "",
        "| source | licence | its rows |",
        "| --- | --- | --- |",
    ]
    for row in generation.table("source").sort("source_id").iter_rows(named=True):
        lines.append(f"| [{row['title']}]({row['homepage']}) | {row['licence']} | {_place_of(row)} |")
    lines += ["", "| table | rows | rows withheld | what decides about a row |", "| --- | ---: | ---: | --- |"]
    lines += [
        f"| {name} | {count} | {generation.count_whole(name) - count} | {RULES[name].rests_on} |"
        for name, count in counts.items()
    ]
    if generation.lacking:
        lines += ["", f"Not written, as {OLDER}: {', '.join(f'`{name}`' for name in sorted(generation.lacking))}."]
    for table in (table for table in TABLES.values() if table.name not in generation.lacking):
        lines += ["", f"## {table.name}", "", f"A row is {table.row}.", "", "| column | unit | meaning |"]
        lines += [
            "| --- | --- | --- |",
            *(f"| {column.name} | {column.unit} | {column.meaning} |" for column in table.columns),
        ]
    return "\n".join(lines) + "\n"


def _place_of(source: dict[str, object]) -> str:
    its = terms(str(source["licence"]), redistributable=bool(source["redistributable"]))
    return {
        Terms.OPEN: "here",
        Terms.OWN_TERMS: f"under its licence in `{source['source_id']}/`, where there are any",
        Terms.CLOSED: "none: its licence does not allow it",
        Terms.IMPORTED: "none",
    }[its]


def _readme_apart(generation: str, source: dict[str, object], rows_of_tables: dict[str, int]) -> str:
    lines = [
        f"# {source['title']}",
        "",
        f"{published_as(generation)} of benchhealth. These are rows of [{source['title']}]({source['homepage']}),",
        "brought into the form of benchhealth's tables, and what benchhealth computed from them. All of it may be",
        f"passed on under the licence of that source, {source['licence']}, and is no part of the files outside this",
        "folder.",
        "",
        "| table | rows |",
        "| --- | ---: |",
        *(f"| {name} | {rows} |" for name, rows in rows_of_tables.items() if rows),
    ]
    return "\n".join(lines) + "\n"
