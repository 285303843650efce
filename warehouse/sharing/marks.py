"""Relations that the rules of sharing look up: which sources, models, benchmarks and pairs may be shown to others.

Each is an SQL query, whose rows are stored before the rules ask for them. In SQL here and in `warehouse.sharing.rules`,
`#name` is a table of the whole generation and `@name` one of these relations. Their names begin alike: `open_` has what
a source prints whose rows may be shown to others; `sealed_` has what another source prints; `imported_` has what rests
on somebody's own results, which stay in the house; `clean_` has what does not rest on such results.
"""

# ruff: noqa: S608  SQL made of this package's own words

from collections.abc import Mapping

from benchhealth.warehouse.sharing.fact_sources import report_key

SOURCE_RELATIONS: Mapping[str, str] = {
    "allowed": "sources whose rows may be among those that leave",
    "imported": "sources whose rows and whatever rests on them stay",
}
"""Relations of one column, `source_id`, that are filled from the table `source`."""

_ALLOWED = "(source_id IS NULL OR source_id IN (FROM @allowed))"
_IMPORTED = "source_id IN (FROM @imported)"
_PAIRS = """
    SELECT DISTINCT benchmark_id, model_id FROM #result
    WHERE (benchmark_id, model_id) IN (SELECT benchmark_id, model_id FROM #contamination_risk WHERE model_id > '')
"""
"""SQL: the pairs of benchmark and model that have both a result and a row in `contamination_risk`."""

RUNGS_OF_REPORTS = "'report', 'declared_training'"
"""The rungs of the ladder of contamination that repeat what a report says of a model."""


def is_stated(entity: str, key: str, attribute: str) -> str:
    """SQL: whether a source whose rows may be shown states this attribute of the entity whose id is in `key`.

    One attribute is looked up at a time, as a view would otherwise hold the whole relation once for each of its cells.
    """
    return f"{key} IN (SELECT id FROM @said WHERE entity = '{entity}' AND attribute = '{attribute}')"


def _ids_stated_by(entity: str, attribute: str, source_condition: str) -> str:
    """SQL: the ids of which a source that meets the condition states this attribute."""
    is_attribute = f"entity = '{entity}' AND attribute = '{attribute}'"
    return f"SELECT DISTINCT id FROM #fact_source WHERE {is_attribute} AND {source_condition}"


RELATIONS: Mapping[str, str] = {
    "open_snapshot": "SELECT snapshot_id FROM #snapshot WHERE source_id IN (FROM @allowed)",
    "said": f"SELECT DISTINCT entity, id, attribute FROM #fact_source WHERE {_ALLOWED}",
    "open_model": _ids_stated_by("model", "model_id", _ALLOWED),
    "open_report": _ids_stated_by("contamination_report", "subject", _ALLOWED),
    "imported_model": _ids_stated_by("model", "model_id", _IMPORTED),
    "imported_benchmark": _ids_stated_by("benchmark", "benchmark_id", _IMPORTED),
    # A benchmark that nobody but an import knows: not even its name leaves.
    "known_benchmark": _ids_stated_by(
        "benchmark", "benchmark_id", "(source_id IS NULL OR source_id NOT IN (FROM @imported))"
    ),
    # What is said about a benchmark rests on its twins too.
    "touched_benchmark": """
        FROM @imported_benchmark
        UNION SELECT other_id FROM #twin WHERE original_id IN (FROM @imported_benchmark)
        UNION SELECT original_id FROM #twin WHERE other_id IN (FROM @imported_benchmark)
    """,
    # Boards of several addresses, and the days on which an allowed source says how they stood.
    "led_board": "SELECT DISTINCT board_id FROM #lineage WHERE leads",
    "open_day": """
        SELECT DISTINCT board_id, unnest(generate_series(from_on, until_on, INTERVAL 1 DAY))::DATE AS on_date
        FROM #lineage WHERE leads AND split_part(address, '/', 1) IN (FROM @allowed)
    """,
    "open_scored": "SELECT DISTINCT model_id FROM #result WHERE snapshot_id IN (FROM @open_snapshot)",
    "open_pair": f"{_PAIRS} AND snapshot_id IN (FROM @open_snapshot)",
    "sealed_pair": f"{_PAIRS} AND snapshot_id NOT IN (FROM @open_snapshot)",
    # A step of a frontier is a result that was published with this very score.
    "open_step": """
        SELECT DISTINCT benchmark_id, model_id, score FROM #result
        WHERE (benchmark_id, model_id, score) IN (
            SELECT benchmark_id, model_id, score FROM #frontier
            UNION SELECT benchmark_id, model_id, score FROM #condition_frontier
            UNION SELECT benchmark_id, model_id, score FROM #weights_frontier
            UNION SELECT benchmark_id, model_id, score FROM #reporter_frontier
        ) AND snapshot_id IN (FROM @open_snapshot)
    """,
    "open_score": """
        SELECT DISTINCT benchmark_id, model_id, score FROM #result
        WHERE (benchmark_id, model_id, score) IN (
            SELECT benchmark_id, model_id, score FROM #position
            UNION SELECT benchmark_id, model_id, self_score FROM #position
            UNION SELECT benchmark_id, model_id, other_score FROM #position
        ) AND snapshot_id IN (FROM @open_snapshot)
    """,
    "open_best": """
        SELECT DISTINCT benchmark_id FROM #frontier SEMI JOIN @open_step USING (benchmark_id, model_id, score)
        WHERE carried
    """,
    # Whose best score, of others or of makers, an allowed source prints: that score and its day may leave.
    "open_side": " UNION ALL ".join(
        f"SELECT benchmark_id, '{side}' AS side FROM #answer WHERE question = 'room' "
        f"AND (benchmark_id, {side}) IN (SELECT (benchmark_id, score) FROM @open_step)"
        for side in ("measured", "claimed")
    ),
    "open_share": f"""
        SELECT DISTINCT benchmark_id, share FROM #contamination_report
        WHERE share IS NOT NULL AND {report_key()} IN (FROM @open_report)
    """,
    "open_reference": f"""
        SELECT DISTINCT benchmark_id, reference_url FROM #contamination_report
        WHERE {report_key()} IN (FROM @open_report) AND reference_url IS NOT NULL
    """,
    # Models of which a report tells that they have seen a benchmark, whether or not they have a result on it.
    "open_told": f"""
        SELECT DISTINCT benchmark_id, model_id FROM #contamination_risk
        WHERE model_id IS NOT NULL AND rung IN ({RUNGS_OF_REPORTS})
            AND (benchmark_id, source_url) IN (FROM @open_reference)
    """,
    # Twins without results of imports on either side, and those that read allowed sources alone.
    "clean_twin": """
        SELECT DISTINCT twin_id FROM #twin
        WHERE original_id NOT IN (FROM @imported_benchmark) AND other_id NOT IN (FROM @imported_benchmark)
    """,
    "open_twin": """
        SELECT DISTINCT twin_id FROM #twin_gap SEMI JOIN @clean_twin USING (twin_id)
        WHERE source_id IN (FROM @allowed) AND (other_source_id IS NULL OR other_source_id IN (FROM @allowed))
    """,
}
"""Every relation by its name, in the order in which they are computed. None holds a null, which `NOT IN` relies on."""
