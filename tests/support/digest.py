"""A world of invented facts, and a digest of every table that an assessment of it gives, to the last bit.

`python -m tests.support.digest SEED SHUFFLE WORKERS` prints the digests as JSON; how many threads polars has is set by
`POLARS_MAX_THREADS`. `--home HOME --as-of DAY` in place of SEED assesses the facts of a home.
"""

import argparse
import hashlib
import json
from dataclasses import fields, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.pipeline.settings import REPOSITORY
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import read_registry
from tests.support.frames import Row, benchmark, frames, result, twin_pair

AS_OF = date(2026, 2, 1)


def world(seed: int, models: int = 40) -> Frames:
    """Models on exams, a twin, a rating, a board of four tasks, in several settings, files and versions."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for number in range(models):
        day = date(2024, 1, 1) + timedelta(days=int(rng.integers(0, 700)))
        skill, maker = float(rng.uniform(0.2, 0.95)), f"org{number % 6}"
        names = ["exam", "fresh", "other", *(f"many/{task}" for task in "abcd")]
        for place, name in enumerate(names):
            for version, observed in enumerate((date(2025, 9, 1), date(2025, 11, 1), date(2026, 1, 1))):
                for source_id in ("lab", "mirror") if place < 2 else ("lab",):
                    score = round(float(np.clip(skill + rng.normal(0, 0.05), 0, 1)), 2)
                    setting = str(rng.choice(["", "5-shot"]))
                    rows.append(
                        result(
                            name,
                            f"{maker}-{number}",
                            score,
                            dated_on=day,
                            observed_on=observed,
                            source_id=source_id,
                            setting=setting,
                            reporter=str(rng.choice(["self", "third_party"])),
                            n_items=500,
                            source_row=f"{name}:{number}:{version}",
                        )
                    )
        for observed in (date(2025, 9, 1), date(2026, 1, 1)):  # a second file that feeds the board of the exam too
            for name in ("second", "exam"):
                score = round(float(rng.uniform(0.2, 0.95)), 1)
                rows.append(
                    result(
                        name,
                        f"{maker}-{number}",
                        score,
                        dated_on=day,
                        observed_on=observed,
                        snapshot_id=f"lab-second-{observed}",
                        board_id=f"lab/{name}",
                        source_row=f"second:{name}:{number}",
                    )
                )
        rows.append(result("arena", f"{maker}-{number}", 1000 + round(200 * skill), std_error=5.0, dated_on=day))
    curated = [
        *(benchmark(name, n_items=500, released_on=date(2023, 6, 1), human=0.8) for name in ("exam", "fresh", "other")),
        *(benchmark(f"many/{task}", n_items=500) for task in "abcd"),
        benchmark("many", released_on=date(2023, 6, 1)),
        benchmark("arena", unit="rating", floor=None, ceiling=None),
    ]
    listed = [
        {
            "model_id": f"org{number % 6}-{number}",
            "name": f"Model {number}",
            "organisation": f"Org {number % 6}",
            "open_weights": number % 2,
        }
        for number in range(models)
    ]
    pair = twin_pair("pair", "exam", "fresh", source_id="lab", kind="fresh sample")
    return frames(rows, curated, models=listed, twin_pairs=[pair])


def shuffled(facts: Frames, seed: int) -> Frames:
    """The same facts with the rows of every frame in another order; seed 0 leaves them."""
    if not seed:
        return facts
    rows = {named.name: getattr(facts, named.name).lazy().collect() for named in fields(facts)}
    mixed = {name: frame.sample(fraction=1, shuffle=True, seed=seed) for name, frame in rows.items()}
    return replace(facts, **{**mixed, "result": mixed["result"].lazy()})


def digests(facts: Frames, as_of: date, workers: int) -> dict[str, str]:
    """For each derived table a digest of its rows as a set; floating-point numbers count with every bit."""
    made = assess(facts, as_of, np.random.default_rng(SEED), workers=workers)
    return {name: _digest(table) for name, table in {**made.tables, "breakpoint": made.breakpoint}.items()}


def _digest(table: pl.DataFrame) -> str:
    flat = table.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join("\x1f")
        for name, kind in table.schema.items()
        if isinstance(kind, pl.List)
    )
    rows = sorted(repr(row) for row in flat.iter_rows())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("shuffle", type=int)
    parser.add_argument("workers", type=int)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--as-of", type=date.fromisoformat, default=AS_OF)
    asked = parser.parse_args()
    if asked.home:
        registry = read_registry(REPOSITORY / "data" / "registry")
        facts = load(asked.home, registry, datetime.combine(asked.as_of, time.max))
    else:
        facts = world(asked.seed)
    print(json.dumps(digests(shuffled(facts, asked.shuffle), asked.as_of, asked.workers)))


if __name__ == "__main__":
    main()
