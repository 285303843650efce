"""The ledgers as files beside the bundled facts: how what was known then travels with the repository."""

from pathlib import Path

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.warehouse.bundle import COMPRESSION_LEVEL, BundleError
from benchhealth.warehouse.facts import quoted, select
from benchhealth.warehouse.forecasts.verdicts import LEDGERS, ledger
from benchhealth.warehouse.store import reading

FOLDER = "ledgers"
"""In the folder of the bundled facts."""
_ORDER = ("held_on", "benchmark_id", "horizon_months", "issued_on")
"""What hardly changes from one day to the next stands together."""


def write(home: Path, to: Path) -> list[Path]:
    """Write each ledger that holds anything to a Parquet file of `to/ledgers`; the same ledger gives the same file.

    Nothing is written where a source has facts that may not be passed on, as what was said rests on all of them. Of
    benchmarks with results of a share-alike source no score leaves, as that would mix its rows with others'.
    """
    with reading(home) as connection:
        listed = select(connection, "SELECT * FROM source WHERE source_id IN (SELECT source_id FROM snapshot)")
        if with_terms(listed, Terms.CLOSED):
            return []
        alike = ", ".join(map(quoted, ("", *with_terms(listed, Terms.OWN_TERMS))))
        apart = select(
            connection,
            f"SELECT DISTINCT benchmark_id FROM result JOIN snapshot USING (snapshot_id) WHERE source_id IN ({alike})",  # noqa: S608 - own
        )["benchmark_id"].implode()
    written = []
    for name in LEDGERS:
        rows = _without_scores(ledger(home, name), pl.col("benchmark_id").is_in(apart))
        if rows.is_empty():
            continue
        order = [name for name in _ORDER if name in rows.columns]
        target = to / FOLDER / f"{name}.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.partial")
        try:
            rows.sort(order).write_parquet(partial, compression="zstd", compression_level=COMPRESSION_LEVEL)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        written.append(target)
    return written


def _without_scores(rows: pl.DataFrame, apart: pl.Expr) -> pl.DataFrame:
    """Verdicts without the best score of benchmarks that stand apart; forecasts, which are scores, without those."""
    if "median" in rows.columns:
        return rows.filter(~apart)
    return rows.with_columns(pl.when(~apart).then(name).alias(name) for name in ("best", "best_model", "condition"))


def read(bundle: Path) -> dict[str, pl.DataFrame]:
    """The ledgers in the folder of the bundled facts. Raises BundleError for a file that `write` did not make.

    By Arrow, as `warehouse.bundle.unpack` says.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and most commands read no bundle
    from pyarrow.parquet import read_table  # noqa: PLC0415 - as above

    tables = {}
    for name, schema in LEDGERS.items():
        path = bundle / FOLDER / f"{name}.parquet"
        if not path.exists():
            continue
        try:
            rows = read_table(path)
            rows.validate(full=True)
            tables[name] = pl.DataFrame(pl.from_arrow(rows))
        except (pa.ArrowException, OSError, ValueError, pl.exceptions.PolarsError) as error:
            raise BundleError(f"{path}: {error}") from error
        if tables[name].schema != schema:
            raise BundleError(f"{path}: expected {schema}, got {tables[name].schema}")
    return tables
