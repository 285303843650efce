"""The files that take longest are begun first: begun last, one of them would keep one process alone at work."""

import pytest

SUITE = (
    "tests/dashboard/test_every_chart.py",
    "tests/pipeline/test_check_command.py",
    "tests/pipeline/test_bad_homes.py",
    "tests/dashboard/test_every_page.py",
    "tests/ingest/run/test_real_breaks.py",
    "tests/pipeline/test_commands.py",
    "tests/dashboard/serving/test_downloads.py",
    "tests/warehouse/test_publish.py",
    "tests/analytics/test_another_source.py",
    "tests/pipeline/test_sentences.py",
    "tests/analytics/record/lineages/test_lineages.py",
    "tests/pipeline/test_report_command.py",
    "tests/dashboard/test_shared_links.py",
    "tests/dashboard/test_browser.py",
    "tests/dashboard/test_hostile_names.py",
)
"""Of `make test`; the first makes the home of all bundled facts, which later ones wait for."""

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
