"""All tables about twins, each declared pair matched once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import empty
from benchhealth.analytics.twins.gap import gaps
from benchhealth.analytics.twins.groups import ROBUST, ages, dated, groups, robustness
from benchhealth.analytics.twins.pairs import Matched, matched
from benchhealth.analytics.twins.power import powers
from benchhealth.analytics.twins.shared import mean_gap, measured
from benchhealth.analytics.twins.twin import tables


class AllTwinTables(NamedTuple):
    """Every published table whose name begins with `twin`."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame
    twin_gap: pl.DataFrame
    twin_power: pl.DataFrame
    twin_group: pl.DataFrame
    twin_age: pl.DataFrame
    twin_robustness: pl.DataFrame


def twin_tables(frames: Frames, twin_rng: np.random.Generator, design_effect: pl.DataFrame) -> AllTwinTables:
    """Every table of every declared pair; what each holds is said where it is computed."""
    shared = measured(design_effect)
    pairs = matched(frames)
    power = powers(pairs, twin_rng)
    twin, residual = tables(pairs, shared)
    released = dict(frames.benchmark.select("benchmark_id", "released_on").iter_rows())
    days = {declared["twin_id"]: dated(each, frames.model) for declared, each in pairs}
    by_age = [
        ages(each, declared["kind"], days[declared["twin_id"]], released.get(declared["original_id"])).select(
            pl.lit(declared["twin_id"]).alias("twin_id"), pl.all()
        )
        for declared, each in pairs
    ]
    robust = [robustness(declared["twin_id"], each) for declared, each in pairs if declared["kind"] in ROBUST]
    return AllTwinTables(
        twin=twin,
        twin_residual=residual,
        twin_gap=gaps(pairs, residual, days, power, shared),
        twin_power=power,
        twin_group=groups(residual, frames.model, _by_items(pairs)),
        twin_age=pl.concat([empty("twin_age"), *by_age]),
        twin_robustness=pl.concat([empty("twin_robustness"), *robust]),
    )


def _by_items(twin_pairs: Sequence[Matched]) -> dict[str, float]:
    """Of twins that expect the original's own score, what the draw of the items adds to the variance of a mean."""
    held = {
        declared["twin_id"]: mean_gap(pairs, declared["kind"])
        for declared, pairs in twin_pairs
        if declared["test"] == "difference"
    }
    return {twin_id: gap.by_items for twin_id, gap in held.items() if gap is not None and gap.by_items}
