"""What must hold in a generation before it goes into service, asked of the built file itself."""

from collections.abc import Mapping, Sequence

import duckdb

from benchhealth.analytics.record.tables import FLAGS, PUBLISHED, STAGES, STATUSES
from benchhealth.warehouse.facts import select

KEYS: Mapping[str, tuple[str, ...]] = {
    "benchmark": ("benchmark_id",),
    "model": ("model_id",),
    "alias": ("source_id", "published_name"),
    "source": ("source_id",),
    "snapshot": ("snapshot_id",),
    "result": ("snapshot_id", "benchmark_id", "model_id", "setting", "reporter"),
    "item_result": ("snapshot_id", "benchmark_id", "model_id", "setting", "reporter"),
    "breakpoint": ("board_id", "on_date", "kind"),
    "successor": ("benchmark_id", "successor_id"),
    "claimed_alias": ("entity", "id", "other_id", "listed", "source_id"),
    "board": ("board_id", "source_id"),
    "lineage": ("board_id", "address", "from_on", "leads"),
    "mention": ("benchmark_id", "document", "source_id"),
    "attention": ("benchmark_id", "quarter"),
    "frontier": ("benchmark_id", "dated_on", "carried"),
    "baseline": ("benchmark_id", "attribute", "place"),
    "condition_frontier": ("benchmark_id", "condition", "dated_on", "carried"),
    "weights_frontier": ("benchmark_id", "weights", "dated_on", "carried"),
    "weights_lag": ("benchmark_id",),
    "rank": ("board_id", "observed_at", "model_id"),
    "churn": ("board_id", "from_on", "to_on", "k"),
    "lead": ("board_id", "on_date"),
    "twin": ("twin_id", "scale"),
    "twin_gap": ("twin_id",),
    "twin_power": ("twin_id", "share", "leaked"),
    "twin_group": ("twin_id", "grouping", "group"),
    "twin_age": ("twin_id", "clock", "at"),
    "transfer": ("original_id", "other_id"),
    "stability": ("board_id",),
    "first_place": ("board_id", "order_by"),
    "task_score": ("board_id", "task", "entry"),
    "diversity": ("board_id",),
    "dwell": ("board_id", "k", "days"),
    "volatility": ("board_id", "rank_from"),
    "capability": ("model_id",),
    "position": ("benchmark_id", "model_id"),
    "model_position": ("model_id", "clock"),
    "difficulty": ("benchmark_id",),
    "design_effect": ("source_id", "benchmark_id", "n_items"),
    "forecast": ("benchmark_id", "made_on", "target_on", "method"),
    "forecast_skill": ("method", "horizon_months", "part", "population"),
    "forecast_reliability": ("population", "horizon_months", "from_chance"),
    "forecast_record": ("benchmark_id", "horizon_months", "issued_on"),
    "survival": ("cohort", "months"),
    "hazard": ("covariate", "level", "adjusted_for"),
    "item_age": ("benchmark_id", "source_id", "model_id", "month", "difficulty"),
    "indicator": ("benchmark_id", "indicator"),
    "condition_headroom": ("benchmark_id",),
    "verdict": ("benchmark_id",),
    "verdict_reason": ("benchmark_id", "place", "part"),
    "verdict_stability": ("benchmark_id",),
    "reproduction": ("claim_id",),
    "reproduction_detail": ("claim_id",),
    "run": ("run_id",),
}
"""What identifies a row; a table without an entry may say the same thing twice."""

CONTRADICTIONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "a snapshot's rows are not all accounted for": (
        "SELECT snapshot_id FROM snapshot WHERE rows_in IS DISTINCT FROM rows_kept + rows_rejected",
        (),
    ),
    "a snapshot's rejections are not as many as it counts": (
        """
        SELECT snapshot_id FROM snapshot
        LEFT JOIN (SELECT snapshot_id, count(*) AS found FROM rejection GROUP BY snapshot_id) USING (snapshot_id)
        WHERE coalesce(found, 0) <> rows_rejected
        """,
        (),
    ),
    "a result without its snapshot": ("SELECT snapshot_id FROM result ANTI JOIN snapshot USING (snapshot_id)", ()),
    "a rejection without its snapshot": (
        "SELECT snapshot_id FROM rejection ANTI JOIN snapshot USING (snapshot_id)",
        (),
    ),
    "a snapshot without its source": ("SELECT source_id FROM snapshot ANTI JOIN source USING (source_id)", ()),
    "a result without its benchmark": ("SELECT benchmark_id FROM result ANTI JOIN benchmark USING (benchmark_id)", ()),
    "a mention without its benchmark": (
        "SELECT benchmark_id FROM mention ANTI JOIN benchmark USING (benchmark_id)",
        (),
    ),
    "a result without its model": ("SELECT model_id FROM result ANTI JOIN model USING (model_id)", ()),
    "a result without a basis of its date, or without a date that is not the first look's": (
        "SELECT snapshot_id FROM result WHERE date_basis IS NULL OR (dated_on IS NULL AND date_basis <> 'snapshot')",
        (),
    ),
    "an unknown stage": ("SELECT stage FROM verdict WHERE NOT list_contains($known, stage)", STAGES),
    "an unknown flag": (
        "SELECT flag FROM (SELECT unnest(flags) AS flag FROM verdict) WHERE NOT list_contains($known, flag)",
        FLAGS,
    ),
    "an unknown status": (
        "SELECT status FROM indicator WHERE status IS NULL OR NOT list_contains($known, status)",
        STATUSES,
    ),
    "a value without evidence": (
        "SELECT benchmark_id || ' ' || indicator FROM indicator WHERE (status = 'ok') = (value IS NULL)",
        (),
    ),
    "a Kendall's tau beyond [-1, 1]": (
        """
        SELECT kendall_tau FROM (
            SELECT kendall_tau FROM churn
            UNION ALL SELECT kendall_tau FROM twin UNION ALL SELECT kendall_tau_top FROM twin
        ) WHERE kendall_tau NOT BETWEEN -1 AND 1
        """,
        (),
    ),
}
"""What must not be found, and the query that would find it, with the words that `$known` in it stands for."""


class CheckError(ValueError):
    """A built generation contradicts itself or the contract."""


def check_generation(connection: duckdb.DuckDBPyConnection, heights: Mapping[str, int]) -> None:
    """Check schemas, numbers of rows, keys and cross references of a built generation; raises CheckError."""
    for name, schema in PUBLISHED.items():
        found = select(connection, f'SELECT * FROM "{name}" LIMIT 0').schema  # noqa: S608 - a table of the contract
        if found != schema:
            raise CheckError(f"{name}: expected {schema}, got {found}")
        rows = select(connection, f'SELECT count(*) FROM "{name}"').item()  # noqa: S608 - a table of the contract
        if rows != heights[name]:
            raise CheckError(f"{name}: {heights[name]} rows went in, {rows} are there")
    for name, key in KEYS.items():
        columns = ", ".join(f'"{column}"' for column in key)
        twice = select(
            connection,
            f'SELECT {columns} FROM "{name}" GROUP BY ALL HAVING count(*) > 1 LIMIT 1',  # noqa: S608 - as above
        )
        if not twice.is_empty():
            raise CheckError(f"{name}: more than one row for {dict(zip(key, twice.row(0), strict=True))}")
    for fault, (sql, known) in CONTRADICTIONS.items():
        found_rows = select(connection, sql.replace("$known", str(list(known))))
        if not found_rows.is_empty():
            raise CheckError(f"{fault}: {found_rows.height} times, such as {found_rows.item(0, 0)}")
