"""Rung 3: a break in score at the end of a model's training data, and on days on which nothing can break."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.contamination.cutoff.break_at import FEWEST_MONTHS, Break
from benchhealth.analytics.contamination.cutoff.panel import Panel
from benchhealth.analytics.contamination.findings import FLAGGED_AT, POWER_80, Rung, RungInputs, in_schema, judged
from benchhealth.analytics.contamination.tail import tail
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.false_discovery import q_values
from benchhealth.analytics.statistics.units.least_p import limited_p


def placebos(panel: Panel) -> Iterator[tuple[int, NDArray[np.int64], date, date]]:
    """The model, its peers, a day and the first month of every test that the panel allows where nothing can break.

    The day is the middle of the months after the end of the model's training data; the peers' ended no later. A stated
    end that is too early leaves a break in these months: such a model makes the factor larger.
    """
    for model, end in enumerate(panel.ends):
        later = sorted({month for month in panel.month if end is not None and month > end})
        if end is None or not panel.is_newest[model] or len(later) < 2 * FEWEST_MONTHS:
            continue
        day = later[len(later) // 2]
        peers = [index for index in range(len(panel.model_ids)) if index != model and (panel.ends[index] or day) <= end]
        yield model, np.array(peers, dtype=np.int64), day, later[0]


def placebo_calibration(panels: Sequence[Panel]) -> tuple[float, float]:
    """(degrees of freedom, factor of errors) by which breaks are judged: those of the placebos' studentised breaks.

    Months differ for a model in more than chance, which the scatter of a few months does not show: the factor is the
    placebos' root mean square, at least 1, and the degrees are those of `tail`, heavy where there are few placebos.
    """
    breaks = [
        panel.test(model, peers, day, since=since) for panel in panels for model, peers, day, since in placebos(panel)
    ]
    studentised = np.array([test.excess / test.error for test in breaks if test is not None and test.error > 0])
    degrees, scale = tail(studentised)
    spread = float(np.sqrt(np.mean(studentised**2))) if studentised.size else 1.0
    return degrees, max(1.0, scale, spread)


def calibrated(tested: Break, calibration: tuple[float, float]) -> Break:
    """The break with the error and degrees of freedom that `placebo_calibration` gives."""
    degrees, factor = calibration
    return Break(tested.excess, factor * tested.error, min(degrees, tested.degrees), tested.room)


def find(inputs: RungInputs) -> pl.DataFrame:
    """The break of each model at the end of its training data, in the newest version that lists it.

    After Roberts et al. 2023, arXiv:2310.10628, and Jain et al. 2024, arXiv:2403.07974. A stated day that is wrong
    makes a break harder to see. Another cause: the kind of items changed at that day in a way that one model alone
    notices.
    """
    calibration = placebo_calibration(inputs.panels)
    rows = [row for panel in inputs.panels for row in _breaks(panel, calibration)]
    if not rows:
        return in_schema(pl.DataFrame(schema={"benchmark_id": pl.String, "value": pl.Float64}), RUNG.key)
    pairs = pl.DataFrame(rows, infer_schema_length=None).sort("benchmark_id", "model_id")
    pairs = pairs.with_columns(q_value=q_values(pairs["p_value"]))
    urls = inputs.cutoff.select("model_id", "cutoff_on", "source_url").sort("cutoff_on").unique("model_id", keep="last")
    return judged(
        pairs.join(urls.drop("cutoff_on"), on="model_id", how="left", maintain_order="left"), RUNG.key, "high"
    )


def _breaks(panel: Panel, calibration: tuple[float, float]) -> Iterator[dict[str, Any]]:
    """The break of each model, judged with `placebo_calibration`; no p-value below what the panel's months carry."""
    for model, end in enumerate(panel.ends):
        if end is None or not panel.is_newest[model]:
            continue
        peers = panel.peers(model)
        break_test = panel.test(model, peers, end)
        if break_test is None or not break_test.error > 0:
            continue
        break_test = calibrated(break_test, calibration)
        low, high = break_test.interval
        errors_needed = float(student.quantile(1 - FLAGGED_AT, break_test.degrees)) + POWER_80
        detectable = errors_needed * break_test.error / break_test.room if break_test.room > 0 else np.inf
        yield {
            "benchmark_id": panel.benchmark_id,
            "model_id": panel.model_ids[model],
            "value": 100 * break_test.excess,
            "low": 100 * low,
            "high": 100 * high,
            "p_value": float(limited_p(break_test.p_value, len(set(panel.month)))),
            "detectable": float(detectable) if detectable <= 1 else None,
            "n": int(panel.items.sum()),
            "case": "break_at_end",
            "until_day": end,
            "numbers": [float(peers.size)],
            "names": [panel.said_by[model]],
        }


RUNG = Rung("cutoff_break", "Break at the end of training data", is_test=True, find=find)
