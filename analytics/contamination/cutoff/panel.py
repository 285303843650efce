"""Models by cells of dated items: which models are compared, and on which side of a day a cell lies."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.contamination.cutoff.break_at import FEWEST_MONTHS, Break, Cells, break_at
from benchhealth.analytics.statistics.arrays import Flags, Numbers
from benchhealth.analytics.statistics.group_mean import group_mean

EARLIER_BY = timedelta(days=90)
"""How much earlier the training of the models must have ended that a model is compared with."""
FEWEST_OTHERS = 5
"""The fewest models whose mean measures how hard a month was."""
ROUNDED = timedelta(days=3)
"""A training end stated as the 28th to 30th of a month is the end of that month."""


@dataclass(frozen=True)
class Panel:
    """The models of one version of one file by the cells that all of them have: `score` has shape (models, cells).

    `ends` is null where nobody states the end of a model's training data; a release is no such statement. `month` is
    the first day of each cell's month.
    """

    benchmark_id: str
    model_ids: list[str]
    score: Numbers
    items: Numbers
    month: list[date]
    stratum: NDArray[np.int64]
    ends: list[date | None]
    said_by: list[str]
    is_newest: list[bool]

    def peers(self, model: int) -> NDArray[np.int64]:
        """The models whose training ended at least EARLIER_BY before this one's."""
        end = self.ends[model]
        earlier = [
            end is not None and model_end is not None and model_end + EARLIER_BY <= end for model_end in self.ends
        ]
        return np.flatnonzero(earlier)

    def sides(self, on: date) -> tuple[Flags, Flags]:
        """Which cells lie wholly before a day and which wholly after it; the month that it parts is neither."""
        after_month = [(month.replace(day=28) + timedelta(days=4)).replace(day=1) for month in self.month]
        before = np.array([following <= on + ROUNDED for following in after_month])
        after = np.array([month > on for month in self.month])
        return before, after

    def with_leak(self, model: int, before: Flags, share: float) -> "Panel":
        """The panel if the model had known that share of the items of the cells `before`."""
        score = self.score.copy()
        score[model, before] += share * (1 - score[model, before])
        return replace(self, score=score)

    def test(self, model: int, peers: NDArray[np.int64], on: date, since: date = date.min) -> Break | None:
        """The break of a model at a day against the mean of its `peers`, over months from `since` on."""
        before, after = self.sides(on)
        recent = np.array([cell_month >= since for cell_month in self.month])
        before, after = before & recent, after & recent
        enough = all(
            len({self.month[index] for index in np.flatnonzero(side)}) >= FEWEST_MONTHS for side in (before, after)
        )
        used = before | after
        if not enough or peers.size < FEWEST_OTHERS:
            return None
        mean = self.score[peers][:, used].mean(axis=0)
        month = np.array([month.year * 12 + month.month for month in self.month])
        cells = Cells(self.score[model][used], mean, self.items[used], self.stratum[used], month[used])
        return break_at(cells, before[used])


def panels(dated: pl.DataFrame, training_ends: pl.DataFrame) -> list[Panel]:
    """Every version of every file with dated items (`exposure.dated_items`) and the stated ends of training data.

    A model in several settings counts once, by their mean.
    """
    rows = dated.join(training_ends, on="model_id", how="left")
    newest = pl.col("observed_at") == pl.col("observed_at").max().over("whole", "source_id", "model_id")
    grouped = rows.with_columns(is_newest=newest).group_by("whole", "source_id", "snapshot_id", maintain_order=True)
    return [panel for _, of_panel in grouped if (panel := _panel(of_panel)) is not None]


def _panel(rows: pl.DataFrame) -> Panel | None:
    cell = ["month", "stratum"]
    mean = rows.group_by("model_id", *cell).agg(group_mean("score"), pl.col("n_items").max())
    n_models = mean["model_id"].n_unique()
    full = mean.filter(pl.len().over(cell) == n_models).sort("model_id", *cell)
    if full.is_empty() or full["n_items"].null_count():
        return None
    about = rows.unique("model_id").sort("model_id")
    first_model = full.filter(pl.col("model_id") == full["model_id"][0])
    return Panel(
        benchmark_id=rows["whole"][0],
        model_ids=about["model_id"].to_list(),
        score=full["score"].to_numpy().reshape(n_models, first_model.height),
        items=first_model["n_items"].to_numpy().astype(np.float64),
        month=first_model["month"].to_list(),
        stratum=first_model["stratum"].rank("dense").to_numpy().astype(np.int64),
        ends=about["end"].to_list(),
        said_by=about["said_by"].fill_null("").to_list(),
        is_newest=about["is_newest"].to_list(),
    )
