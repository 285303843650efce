"""One page drawn without a browser, over a generation of just the tables that a test is about."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import polars as pl
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from benchhealth.analytics.record.tables import empty
from benchhealth.dashboard.published import generation
from benchhealth.warehouse import publish as publishing
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store
from tests.support.facts import derived, fact_tables, publish, registry
from tests.support.small_generation import NOW

# Each run of a page looks through all installed packages for components, which takes longer than to draw the page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def publish_tables(home: Path, tables: Mapping[str, pl.DataFrame], curated: Registry | None = None) -> Path:
    """Publish a generation without facts in which all derived tables but these are empty; the home."""
    with Store.open(home):
        pass
    if curated is None:
        publishing.publish(home, {**_of_no_facts(), **derived(), **tables}, NOW)
    else:
        publish(home, curated, load(home, curated, NOW), {**derived(), **tables}, NOW)
    return home


@cache
def _of_no_facts() -> Mapping[str, pl.DataFrame]:
    """The published tables of facts of a home that has none, the same for each."""
    with TemporaryDirectory() as folder:
        home, curated = Path(folder), registry()
        with Store.open(home):
            pass
        made = fact_tables(home, curated, load(home, curated, NOW), NOW, empty("copy"))
        return {name: rows.lazy().collect() for name, rows in made.items()}


def rendered(page: ModuleType, home: Path, **query: str) -> AppTest:
    """The page as a visitor of this address gets it."""
    generation.use(home)
    app = AppTest.from_string(f"from {page.__name__} import PAGE\nPAGE.render()", default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def markup(app: AppTest) -> str:
    """Everything said on the page as it was written, marks that keep text from being markup included."""
    return "\n".join(block.value for kind in ("title", "header", "subheader", "markdown") for block in app.get(kind))


def text(app: AppTest) -> str:
    """Everything said on the page, without those marks."""
    return markup(app).replace("\\", "").replace("\u2060", "")
