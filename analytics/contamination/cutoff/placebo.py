"""The break tested on days on which nothing can break: how far off a model can lie by itself."""

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.contamination.cutoff.break_at import FEWEST_MONTHS, Break
from benchhealth.analytics.contamination.cutoff.panel import Panel
from benchhealth.analytics.contamination.tail import tail


def placebos(panel: Panel) -> Iterator[tuple[int, NDArray[np.int64], date, date]]:
    """The model, the others, a day and the first month of every test that the panel allows where nothing can break.

    The day is the middle of the months after the end of the model's training data; others ended no later. A stated end
    that is too early leaves a break in these months: such a model makes the factor larger.
    """
    for model, end in enumerate(panel.ends):
        later = sorted({month for month in panel.month if end is not None and month > end})
        if end is None or not panel.is_newest[model] or len(later) < 2 * FEWEST_MONTHS:
            continue
        day = later[len(later) // 2]
        others = [
            index for index in range(len(panel.model_ids)) if index != model and (panel.ends[index] or day) <= end
        ]
        yield model, np.array(others, dtype=np.int64), day, later[0]


def placebo_calibration(panels: Sequence[Panel]) -> tuple[float, float]:
    """(degrees of freedom, factor of errors) by which breaks are judged: those of the placebos' studentised breaks.

    Months differ for a model in more than chance, which the scatter of a few months does not show: the factor is the
    placebos' root mean square, at least 1, and the degrees are those of `tail`, heavy where there are few placebos.
    """
    breaks = [
        panel.test(model, others, day, since=since) for panel in panels for model, others, day, since in placebos(panel)
    ]
    z = np.array([placebo.excess / placebo.error for placebo in breaks if placebo is not None and placebo.error > 0])
    degrees, scale = tail(z)
    spread = float(np.sqrt(np.mean(z**2))) if z.size else 1.0
    return degrees, max(1.0, scale, spread)


def calibrated(tested: Break, calibration: tuple[float, float]) -> Break:
    """The break with the error and degrees of freedom that `placebo_calibration` gives."""
    degrees, factor = calibration
    return Break(tested.excess, factor * tested.error, min(degrees, tested.degrees), tested.room)
