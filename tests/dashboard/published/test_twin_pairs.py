"""Twins as pages name them: by the names of benchmarks and sources, never by ids."""

import polars as pl

from benchhealth.dashboard.published.twin_pairs import source_name

TITLES = {
    "epoch": "Epoch AI, benchmark data",
    "llm-stats": "LLM Stats: scores that makers report",
    "openhands-agents": "OpenHands Index: the same models under other agents",
    "openhands-index": "OpenHands Index: all models under one agent",
}


def test_the_sides_of_a_twin_have_the_names_of_their_sources() -> None:
    rows = pl.DataFrame(
        {"source_id": ["llm-stats", "openhands-agents"], "other_source_id": ["epoch", "openhands-index"]}
    )
    sides = [rows.select(source_name(side, TITLES)).to_series().to_list() for side in rows.columns]
    assert sides == [["LLM Stats", TITLES["openhands-agents"]], ["Epoch AI", TITLES["openhands-index"]]]
