"""What a generation holds of one model: its twins, the ladder of evidence, and what is missing."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from benchhealth.analytics.own.apart import is_in_newest_version
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import ParameterError, View, did_you_mean, slug
from benchhealth.dashboard.published.models import own_models
from benchhealth.dashboard.words.text import one_line

_RESULTS = "SELECT DISTINCT benchmark_id FROM result WHERE model_id = $model"
_LINES = """
SELECT
    coalesce(b.name, benchmark_id) AS benchmark, benchmark_id, setting, reporter, r.n_items,
    observed_at, board_id AS file
FROM result r JOIN snapshot USING (snapshot_id) JOIN benchmark b USING (benchmark_id) WHERE model_id = $model
"""


@dataclass(frozen=True)
class CheckedModel:
    """One model of a generation; `own` where nobody but the reader has results of it."""

    view: View
    model_id: str
    name: str
    own: bool

    @cached_property
    def twins(self) -> list[Row]:
        """Its results on twins with what is known of each: those of fresh items first, of them the least q."""
        mine = self.view.table("twin_residual").filter(model_id=self.model_id)
        mine = mine.rename({"original": "original_score", "other": "other_score"})
        about = twin_pairs.twins(self.view, {}).drop("tested", "flagged", "slope", "intercept")
        tests = self.view.table("twin_gap").select("twin_id", "test", "power10", "power30")
        rows = mine.join(about, on="twin_id").join(tests, on="twin_id")
        is_fresh = pl.col("kind").is_in(SAMPLED)
        return list(
            rows.with_columns(twin_pairs.in_setting(), fresh=is_fresh)
            .sort("fresh", "q_value", "twin_id", descending=[True, False, False], nulls_last=True)
            .iter_rows(named=True)
        )

    @cached_property
    def uncompared_twins(self) -> list[Row]:
        """Twins of new items that no source compares it on; `both` and `has_first` tell where it has results."""
        benchmark_ids = self.benchmarks
        done = {(row["original_id"], row["other_id"]) for row in self.twins}
        rows = twin_pairs.twins(self.view, {}).filter(
            pl.col("kind").is_in(SAMPLED)
            & (pl.col("original_id").is_in(benchmark_ids) | pl.col("other_id").is_in(benchmark_ids))
            & (pl.col("original_id") != pl.col("other_id"))
        )
        return [
            {
                **row,
                "both": row["original_id"] in benchmark_ids and row["other_id"] in benchmark_ids,
                "has_first": row["original_id"] in benchmark_ids,
            }
            for row in rows.iter_rows(named=True)
            if (row["original_id"], row["other_id"]) not in done
        ]

    @cached_property
    def benchmarks(self) -> list[str]:
        """The ids of the benchmarks on which the model has a result."""
        return self.view.query(_RESULTS, model=self.model_id)["benchmark_id"].sort().to_list()

    @cached_property
    def sizes(self) -> list[Row]:
        """The benchmarks of one's own files on different numbers of items: how many there are, and the most items."""
        if not self.own:
            return []
        lines = self.view.query(_LINES, model=self.model_id).filter(is_in_newest_version())
        sizes = lines.group_by("benchmark_id", "benchmark", "setting", "reporter").agg(
            files=pl.len(), items=pl.col("n_items").max(), several=pl.col("n_items").drop_nulls().n_unique() > 1
        )
        return list(sizes.filter("several").select("benchmark", "files", "items").sort(pl.all()).iter_rows(named=True))

    def rung(self, name: str) -> pl.DataFrame:
        """Its rows of one rung of the ladder, with the benchmark's name and until when it is known."""
        named = self.view.table("benchmark").select(
            "benchmark_id", benchmark=pl.coalesce("name", "benchmark_id"), until="known_until"
        )
        rows = self.view.rows("contamination_risk", model_id=self.model_id, rung=name)
        return rows.join(named, on="benchmark_id", how="left", maintain_order="left")


def named_model(view: View, id_or_name: str) -> CheckedModel:
    """The model of that id or name. Raises ParameterError where there is none, naming those close to it."""
    models = view.table("model").select("model_id", name=pl.coalesce("name", "model_id"))
    word = one_line(id_or_name)
    spelt = slug(word)
    is_named = pl.col("name").str.to_lowercase() == word.casefold()
    matches = models.filter(pl.col("model_id").is_in([word, spelt]) | is_named)
    by_ids = (matches.filter(model_id=candidate_id) for candidate_id in (word, spelt))
    exact = next((rows for rows in (*by_ids, matches) if rows.height == 1), None)
    if exact is None:
        raise ParameterError(
            f"no model called {word!r}{_near_names_hint(spelt, matches if matches.height else models, view)}"
        )
    model_id, name = exact.row(0)
    return CheckedModel(view, model_id, name, model_id in own_models(view))


def _near_names_hint(id_or_name: str, models: pl.DataFrame, view: View) -> str:
    """A hint at models whose names contain the word or are spelt like it: the reader's own, else any."""
    mine = models.filter(pl.col("model_id").is_in(list(own_models(view))))
    hints = (did_you_mean(id_or_name, named["model_id"].to_list(), dict(named.iter_rows())) for named in (mine, models))
    return next(filter(None, hints), "; `benchhealth import` and `benchhealth assess` bring one")
