"""What one store takes beside another: `BENCHHEALTH_HOME=NEW BENCHHEALTH_STORE=... python -m perf.stores --home HOME`.

The facts of HOME are put where the settings say: a copy of the file, or all rows into the lake, which is empty; without
one the store begins empty. Then sources are ingested, the facts are loaded as an assessment loads them, the generation
of PUBLISHED is published and read, at an address where BENCHHEALTH_GENERATIONS names one. Seconds are this process's
own: what PostgreSQL and the object store work is not in them, waiting for them is in those by the clock.
"""

import argparse
import shutil
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.pipeline import night
from benchhealth.pipeline.remote import arrange, refresh, shared_generations
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.keeping.transfer import fill
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.publish import publish
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.store import DATABASE, Store
from perf.clock import Clock

SOURCES = ("aider", "evalplus", "lmarena", "livebench", "squad", "timm")


def main() -> None:
    """Measure the store that the environment names, and print a line for each part."""
    parser = argparse.ArgumentParser(prog="python -m perf.stores", description=__doc__)
    parser.add_argument("--home", type=Path, help="one of this edition, whose facts are used and not changed")
    parser.add_argument("--published", type=Path, required=True, help="a home whose generation is published again")
    parser.add_argument("--mirror", required=True, help="upstreams for the sources: " + ", ".join(SOURCES))
    asked = parser.parse_args()
    settings, clock = Settings.from_environment(), Clock()
    settings.home.mkdir(parents=True)
    arrange(settings)
    if asked.home:
        with clock.part("put the facts there"):
            if settings.store:
                fill(settings.home, asked.home / DATABASE)
            else:
                shutil.copy(asked.home / DATABASE, settings.home)
    with Store.open(settings.home):
        pass
    with clock.part("open, and see that nothing is to be done"), Store.open(settings.home):
        pass
    with clock.part(f"ingest {len(SOURCES)} sources with their history"):
        night.ingest(settings, keys=SOURCES, history=True, mirror=asked.mirror)
    with clock.part("ingest them again"):
        night.ingest(settings, keys=SOURCES, history=False, mirror=asked.mirror)
    with clock.part("load the facts"):
        load_apart(settings.home, read_registry(settings.registry), now())
    with Store.open(settings.home) as store, clock.part("tidy"):
        store.tidy()
    with closing(open_current(asked.published)) as generation:
        tables = {name: generation.table(name) for name in PUBLISHED}
    elsewhere = shared_generations(settings)
    with clock.part("publish"):
        publish(settings.home, tables, now(), hand_over=elsewhere.hand_over if elsewhere else None)
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder:
        reader = replace(settings, home=Path(folder) if elsewhere else settings.home)
        with clock.part("take it, open it and read every row"):
            refresh(reader)
            with closing(open_current(reader.home)) as generation:
                generation.read_through()
    for part, took in clock.parts.items():
        print(f"{part:<45}{took.wall:>9.2f} s{took.processor:>9.2f} s of processors{took.peak / 1e6:>9,.0f} MB")


if __name__ == "__main__":
    main()
