"""The files that take longest are begun first: begun last, one of them would keep one process alone at work."""

import pytest

SUITE = (
    "tests/dashboard/test_every_chart.py",
    "tests/pipeline/test_check_command.py",
    "tests/api/test_facts.py",
    "tests/warehouse/test_publish.py",
    "tests/warehouse/sharing/test_sharing.py",
    "tests/dashboard/serving/test_charts.py",
    "tests/dashboard/report/test_report.py",
    "tests/dashboard/serving/test_downloads.py",
    "tests/pipeline/test_shipped.py",
    "tests/dashboard/pages/overview/test_years_in_browser.py",
    "tests/dashboard/test_browser.py",
    "tests/warehouse/queries/test_queries.py",
    "tests/pipeline/doctor/test_of_a_lake.py",
    "tests/pipeline/doctor/test_doctor.py",
    "tests/dashboard/serving/test_open_data.py",
    "tests/api/test_agents.py",
    "tests/pipeline/keeping/test_backup.py",
    "tests/dashboard/pages/test_pages.py",
    "tests/test_mutated_inputs.py",
    "tests/ingest/own_results/test_imports.py",
    "tests/ingest/network/test_attacks.py",
    "tests/pipeline/test_commands.py",
    "tests/dashboard/test_every_page.py",
    "tests/dashboard/test_questions.py",
    "tests/dashboard/pages/overview/test_first_screen.py",
    "tests/pipeline/test_surfaces.py",
    "tests/dashboard/serving/test_navigation.py",
    "tests/dashboard/serving/test_decision.py",
    "tests/dashboard/test_stories_in_browser.py",
    "tests/pipeline/test_sentences.py",
    "tests/dashboard/serving/test_share.py",
    "tests/dashboard/serving/described/test_openapi.py",
    "tests/dashboard/pages/benchmark/test_conditions.py",
    "tests/analytics/saturation/test_headroom.py",
    "tests/analytics/aging/test_lives.py",
    "tests/ingest/names/test_identity.py",
    "tests/ingest/run/test_run.py",
    "tests/warehouse/test_load.py",
    "tests/warehouse/test_store.py",
)
"""Of `make test`, whatever takes over about ten seconds.

The first makes the home of all bundled facts, which takes as long as all down to `test_every_page` take beside it:
those do without, and nobody waits.
"""

SOAK = (
    "tests/test_tutorials_whole.py",
    "tests/pipeline/test_killed_anywhere.py",
    "tests/pipeline/test_killed_over_a_lake.py",
    "tests/pipeline/test_nights.py",
    "tests/pipeline/test_faulty_nights.py",
    "tests/pipeline/test_sentences.py",
    "tests/pipeline/test_same_generation.py",
    "tests/pipeline/test_killed_nights.py",
    "tests/ingest/sources/test_mutations.py",
    "tests/ingest/run/test_later_versions.py",
    "tests/test_mutated_inputs.py",
)
"""Of `make soak`: files of minutes and tens of minutes."""


def longest_first(items: list[pytest.Item], files: tuple[str, ...]) -> None:
    """Put the tests of these files first; the order within a file stays."""
    places = {path: place for place, path in enumerate(files)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))
