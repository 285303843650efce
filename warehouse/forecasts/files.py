"""The ledgers as files beside the bundled facts: how what was known then travels with the repository."""

from pathlib import Path

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.warehouse.bundle import COMPRESSION_LEVEL, BundleError
from benchhealth.warehouse.forecasts.verdicts import LEDGERS, ledger
from benchhealth.warehouse.sql import quoted, select
from benchhealth.warehouse.store import reading

FOLDER = "ledgers"
"""The name of the folder, below that of the bundled facts."""
_ORDER = ("held_on", "benchmark_id", "horizon_months", "issued_on")
"""What hardly changes from one day to the next stands together."""


def write(home: Path, bundle: Path) -> list[Path]:
    """Write each ledger that holds anything to a Parquet file of `to/ledgers`; the same ledger gives the same file.

    Nothing is written where a source has facts that may not be passed on, as what was said rests on all of them. What
    is said of benchmarks with results of share-alike sources lies in a folder of its own, which is named after their
    licence, as it repeats scores of theirs; where two such licences meet on a benchmark it stays.
    """
    with reading(home) as connection:
        listed = select(connection, "SELECT * FROM source WHERE source_id IN (SELECT source_id FROM snapshot)")
        if with_terms(listed, Terms.CLOSED):
            return []
        own_terms = ", ".join(map(quoted, ("", *with_terms(listed, Terms.OWN_TERMS))))
        sql = f"""
            SELECT benchmark_id, min(licence) AS licence, count(DISTINCT licence) AS licences
            FROM result JOIN snapshot USING (snapshot_id) JOIN source USING (source_id)
            WHERE source_id IN ({own_terms}) GROUP BY benchmark_id
        """  # noqa: S608 - own
        apart = select(connection, sql)
    written = []
    for name in LEDGERS:
        rows = ledger(home, name).join(apart, on="benchmark_id", how="left", maintain_order="left")
        of_one = rows.filter(pl.col("licences").fill_null(1) == 1).drop("licences")
        for (licence,), rows_of_licence in of_one.group_by("licence", maintain_order=True):
            folder = bundle / FOLDER / str(licence or "")
            written.append(_write_parquet(rows_of_licence.drop("licence"), folder / f"{name}.parquet"))
    return written


def _write_parquet(rows: pl.DataFrame, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    try:
        ordered = rows.sort(column for column in _ORDER if column in rows.columns)
        ordered.write_parquet(partial, compression="zstd", compression_level=COMPRESSION_LEVEL)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target


def read(bundle: Path) -> dict[str, pl.DataFrame]:
    """The ledgers in the folder of the bundled facts. Raises BundleError for a file that `write` did not make.

    By Arrow, as `warehouse.bundle.unpack` says.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and most commands read no bundle
    from pyarrow.parquet import read_table  # noqa: PLC0415 - as above

    tables = {}
    for name, schema in LEDGERS.items():
        frames = []
        for path in sorted((bundle / FOLDER).rglob(f"{name}.parquet")):
            try:
                rows = read_table(path)
                rows.validate(full=True)
                frames.append(pl.DataFrame(pl.from_arrow(rows)))
            except (pa.ArrowException, OSError, ValueError, pl.exceptions.PolarsError) as error:
                raise BundleError(f"{path}: {error}") from error
            if frames[-1].schema != schema:
                raise BundleError(f"{path}: expected {schema}, got {frames[-1].schema}")
        if frames:
            tables[name] = pl.concat(frames)
    return tables
