"""Until when anything is known: by looks at sources of others alone."""

from datetime import date
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.sharing import LICENCE_OF_IMPORTS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import last_look
from benchhealth.dashboard.published.happened.months import known_day
from benchhealth.dashboard.widgets.shell import last_seen
from tests.support.rendered_page import publish_tables

LOOK, IMPORTED = date(2026, 8, 22), date(2026, 11, 28)


def test_who_imports_results_of_their_own_has_not_looked_at_the_sources_of_others(tmp_path: Path) -> None:
    rows = [
        {"source_id": "lab", "licence": "MIT", "redistributable": True, "known_until": LOOK},
        {"source_id": "import", "licence": LICENCE_OF_IMPORTS, "redistributable": False, "known_until": IMPORTED},
    ]
    generation.use(publish_tables(tmp_path, {"source": pl.DataFrame(rows, schema=PUBLISHED["source"])}))
    view = generation.current()
    assert last_look(view) == known_day(view) == LOOK
    assert last_seen(view) == "22 Aug 2026"
