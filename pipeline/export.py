"""Open data: every published table as files that anybody may use, without what a licence keeps back."""

from pathlib import Path

import polars as pl

from analytics.record.tables import PUBLISHED
from dashboard.published.csv import neutral_csv
from pipeline.settings import Settings
from warehouse.read import Generation, open_current

NAMES_OF_OTHERS = ("result", "rejection", "rank", "alias")
"""Tables that carry rows of single sources; rows of sources that may not be passed on are left out of them."""


def export(settings: Settings, *, to: Path, kind: str) -> None:
    """Write one file per published table, and a README with generation, licences and what was left out.

    `kind` is parquet or csv; text cells of a CSV cannot act as formulas. Raises NoGeneration if nothing is published.
    """
    generation = open_current(settings.home)
    try:
        to.mkdir(parents=True, exist_ok=True)
        for name in PUBLISHED:
            frame = _shareable(generation, name)
            if kind == "parquet":
                frame.write_parquet(to / f"{name}.parquet", compression="zstd")
            else:
                (to / f"{name}.csv").write_bytes(neutral_csv(frame))
        (to / "README.md").write_text(_readme(generation), encoding="utf-8")
    finally:
        generation.close()


def _shareable(generation: Generation, name: str) -> pl.DataFrame:
    """The table without rows of sources that are not redistributable."""
    frame = generation.table(name)
    source = generation.table("source")
    closed = source.filter(~pl.col("redistributable"))["source_id"].to_list()
    if not closed or name not in NAMES_OF_OTHERS:
        return frame
    if "snapshot_id" in frame.columns:
        snapshots = generation.table("snapshot").filter(pl.col("source_id").is_in(closed))
        return frame.join(snapshots, on="snapshot_id", how="anti")
    if "source_id" in frame.columns:
        return frame.filter(~pl.col("source_id").is_in(closed))
    return frame.filter(~pl.col("board_id").str.split("/").list.first().is_in(closed))


def _readme(generation: Generation) -> str:
    sources = generation.table("source").sort("source_id")
    lines = [
        "# benchhealth, open data",
        "",
        f"Generation {generation.name}. Each row of `result` names its `snapshot`, which holds the address, the",
        "commit and the SHA-256 of the file it was read from. Indicators and verdicts are inferences of benchhealth.",
        "",
        "| source | licence | rows included |",
        "| --- | --- | --- |",
    ]
    for row in sources.iter_rows(named=True):
        included = "yes" if row["redistributable"] else "no: its licence does not allow it"
        lines.append(f"| [{row['title']}]({row['homepage']}) | {row['licence']} | {included} |")
    return "\n".join(lines) + "\n"
