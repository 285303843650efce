"""How often the tests raise a flag where the truth is known: nothing leaked, or a simulated leak."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.contamination import twins
from benchhealth.analytics.contamination.anomaly import anomaly
from benchhealth.analytics.contamination.cutoff import cutoff
from benchhealth.analytics.contamination.cutoff.cutoff import calibrated, placebo_calibration, placebos
from benchhealth.analytics.contamination.findings import FLAGGED_AT, ONE_SIDED, RungInputs
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import wilson_high, wilson_low

LEAKS = (0.0, 0.1, 0.2, 0.3, 0.5)
"""Shares of items put in; 0 is how often a test errs."""

Flagged = Iterator[tuple[str, str, float | None, int, float, bool]]


def calibrate(inputs: RungInputs, risk: pl.DataFrame) -> pl.DataFrame:
    """Table `contamination_calibration`: of each test rung the share of models with p at most 5%, by share leaked.

    `truth` says why we know it: "placebo day" - the break is tested at the middle of the months after a model's
    training ended, where nothing can break; "unseen benchmark" - the anomaly is tested on benchmarks that the model
    cannot have seen; "formula" - the power of a normal test with the twin's own standard errors, no data. A leak is
    put into each model's scores in turn: of the items not solved, that share is. `low` and `high` are Wilson's 95%;
    null for a formula. "documented" - pairs whose report documents a high share: how many of them the tests flag by
    themselves.
    """
    rows = [*_placebo(inputs), *_unseen(inputs), *_formula(inputs), *_documented(risk)]
    table = pl.DataFrame(
        rows, schema=["rung", "truth", "leak", "n", "flagged", "counted"], orient="row", infer_schema_length=None
    )
    schema = PUBLISHED["contamination_calibration"]
    if table.is_empty():
        return pl.DataFrame(schema=schema)
    share, n = pl.col("flagged"), pl.col("n")
    return table.with_columns(
        low=pl.when("counted").then(wilson_low(share, n)), high=pl.when("counted").then(wilson_high(share, n))
    ).match_to_schema(schema, extra_columns="ignore", integer_cast="upcast")


def _placebo(inputs: RungInputs) -> Flagged:
    of_leak: dict[float, list[float]] = {leak: [] for leak in LEAKS}
    calibration = placebo_calibration(inputs.panels)
    for panel in inputs.panels:
        for model, peers, day, since in placebos(panel):
            before = panel.sides(day)[0]
            for leak in LEAKS:
                tested = panel.with_leak(model, before, leak).test(model, peers, day, since=since)
                if tested is not None and tested.error > 0:
                    of_leak[leak].append(calibrated(tested, calibration).p_value)
    yield from _shares(cutoff.RUNG.key, "placebo day", of_leak)


def _unseen(inputs: RungInputs) -> Flagged:
    of_leak: dict[float, list[Numbers]] = {leak: [] for leak in LEAKS}
    for board in inputs.boards:
        control = board.is_fresh & board.left_out.inside
        for leak in LEAKS:
            of_leak[leak].append(board.with_leak(leak)[control])
    yield from _shares(
        anomaly.RUNG.key,
        "unseen benchmark",
        {leak: np.concatenate(samples or [np.zeros(0)]) for leak, samples in of_leak.items()},
    )


def _shares(rung: str, truth: str, of_leak: dict[float, list[float]] | dict[float, Numbers]) -> Flagged:
    for leak, p_values in of_leak.items():
        values = np.asarray(p_values)
        if values.size:
            yield rung, truth, leak, values.size, float((values <= FLAGGED_AT).mean()), True


def _formula(inputs: RungInputs) -> Flagged:
    pairs = twins.excesses(inputs).filter(pl.col("leak_error") > 0)
    if pairs.is_empty():
        return
    error = pairs["leak_error"].to_numpy()
    for leak in LEAKS:
        yield (
            twins.RUNG.key,
            "formula",
            leak,
            pairs.height,
            float(special.ndtr(leak / error - ONE_SIDED).mean()),
            False,
        )


def _documented(risk: pl.DataFrame) -> Flagged:
    pairs = risk.drop_nulls("model_id")
    documented = pairs.filter((pl.col("rung") == "report") & (pl.col("level") == "high")).select(
        "benchmark_id", "model_id"
    )
    for rung in (cutoff.RUNG.key, twins.RUNG.key, anomaly.RUNG.key):
        tested = pairs.filter(pl.col("rung") == rung).join(documented, on=["benchmark_id", "model_id"], how="semi")
        if tested.height:
            share = tested.select((pl.col("p_value") <= FLAGGED_AT).mean()).item()
            yield rung, "documented", None, tested.height, float(share), True
