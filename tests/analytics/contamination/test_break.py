"""The break at the end of training data: false positives, power, a published finding, and what leaves it alone."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.contamination.cutoff.break_at import Cells, break_at
from benchhealth.analytics.contamination.cutoff.cutoff import calibrated, find, placebo_calibration, placebos
from benchhealth.analytics.contamination.cutoff.panel import Panel, panels
from benchhealth.analytics.contamination.exposure import dated_items, training_ends
from benchhealth.analytics.contamination.findings import FLAGGED_AT, SMALL_ENOUGH
from benchhealth.analytics.record.frames import CUTOFF
from benchhealth.analytics.statistics.series.serial import coloured
from tests.analytics.contamination.rung_inputs import rung_inputs
from tests.support.frames import frame, frames, result
from tests.support.reason_sentences import with_sentence
from tests.support.simulated_leaks import END, contest
from tests.support.upstream import needs_upstream, versions


def p_of(panel: Panel) -> float:
    break_of = panel.test(0, panel.peers(0), END)
    assert break_of is not None
    return break_of.p_value


def rate(runs: int, leak: float, drift: float = 0.15, level: float = FLAGGED_AT) -> float:
    rng = np.random.default_rng(20231130)
    return float(np.mean([p_of(contest(rng, leak, drift)) <= level for _ in range(runs)]))


@pytest.mark.parametrize("drift", [0.0, 0.15])
def test_harder_months_raise_no_more_flags_than_stated(drift: float) -> None:
    runs = 200
    assert rate(runs, 0.0, drift) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def size_of_months(runs: int, strength: float, spread: float = 0.1) -> float:
    """How often a break is found where months have something of their own for the model, neighbours by `strength`."""
    rng = np.random.default_rng(20261122)
    breaks = []
    for _ in range(runs):
        panel = contest(rng)
        own_noise = spread * np.sqrt(1 - strength**2) * coloured(rng.standard_normal((11, 1)), strength)[:, 0]
        score = panel.score.copy()
        score[0] = np.clip(score[0] + np.repeat(own_noise, 3), 0, 1)
        breaks.append(p_of(replace(panel, score=score)) <= FLAGGED_AT)
    return float(np.mean(breaks))


@pytest.mark.parametrize("strength", [0.0, 0.5])
def test_months_that_follow_one_another_are_no_break_thin(strength: float) -> None:
    runs = 200
    assert size_of_months(runs, strength) <= 0.07 + 3 * np.sqrt(0.07 * 0.93 / runs)


@pytest.mark.soak
@pytest.mark.parametrize("spread", [0.05, 0.1])
@pytest.mark.parametrize("strength", [0.0, 0.3, 0.5])
def test_months_that_follow_one_another_are_no_break(strength: float, spread: float) -> None:
    runs = 3_000
    rate_found = size_of_months(runs, strength, spread)
    print(f"break at a cutoff, AR(1) {strength} of months that spread by {spread}: size {rate_found:.4f}")
    assert rate_found <= 0.07 + 2 * np.sqrt(0.07 * 0.93 / runs)


def test_a_leak_is_seen() -> None:
    assert rate(60, 0.1) > 0.4
    assert rate(60, 0.3) > 0.95


@pytest.mark.soak
@pytest.mark.parametrize("drift", [0.0, 0.15, 0.3])
def test_false_positives_and_power_at_length(drift: float) -> None:
    runs = 2000
    for level in (0.05, 0.01):
        share = rate(runs, 0.0, drift, level)
        print(f"break, drift {drift}, nothing leaked, level {level}: {share:.4f}")
        assert share <= level + 3 * np.sqrt(level * (1 - level) / runs)
    for leak in (0.1, 0.3):
        print(f"break, drift {drift}, leak {leak}: {rate(runs, leak, drift):.4f}")


def test_the_interval_covers_the_excess() -> None:
    rng = np.random.default_rng(7)
    tests = [contest(rng).test(0, np.arange(1, 26), END) for _ in range(200)]
    held = np.mean([one is not None and one.interval[0] <= 0 <= one.interval[1] for one in tests])
    assert held >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 200)


def test_the_month_that_the_day_parts_is_neither_before_nor_after() -> None:
    panel = contest(np.random.default_rng(0))
    before, after = panel.sides(date(2023, 8, 14))
    neither = {month for month, one, other in zip(panel.month, before, after, strict=True) if not one and not other}
    assert neither == {date(2023, 8, 1)}
    before, after = panel.sides(END)
    assert (before | after).all()


def test_only_models_trained_earlier_are_compared_with() -> None:
    panel = contest(np.random.default_rng(0))
    late: list[date | None] = [END, END - timedelta(days=89), END - timedelta(days=90), None, *panel.ends[4:]]
    others = replace(panel, ends=late).peers(0)
    assert 1 not in others and 3 not in others and 2 in others


def test_too_little_to_compare_is_no_test() -> None:
    panel = contest(np.random.default_rng(0))
    assert panel.test(0, np.arange(1, 5), END) is None
    assert panel.test(0, panel.peers(0), date(2023, 6, 30)) is None
    assert panel.test(0, panel.peers(0), date(2030, 1, 1)) is None
    cells = np.linspace(0, 1, 12)
    strata = np.tile([0, 1, 2], 4)
    month = np.arange(12) // 3
    assert break_at(Cells(cells, cells, np.ones(12), strata, month), np.ones(12, dtype=bool)) is None
    assert break_at(Cells(cells[:6], cells[:6], np.ones(6), strata[:6], month[:6]), np.arange(6) < 3) is None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 0.5))
def test_relabelling_and_the_order_of_cells_and_models_change_nothing(seed: int, leak: float) -> None:
    rng = np.random.default_rng(seed)
    panel = contest(rng, leak)
    cells = rng.permutation(panel.items.size)
    models = np.concatenate([[0], 1 + rng.permutation(len(panel.model_ids) - 1)])
    moved = replace(
        panel,
        score=panel.score[models][:, cells],
        items=panel.items[cells],
        month=[panel.month[cell] for cell in cells],
        stratum=2 - panel.stratum[cells],
    )
    assert p_of(moved) == pytest.approx(p_of(panel), rel=1e-6)


def test_knowing_more_items_never_looks_less_like_a_break() -> None:
    panel = contest(np.random.default_rng(3))
    before = panel.sides(END)[0]
    excesses = []
    for leak in (0.0, 0.2, 0.5, 1.0):
        break_of = panel.with_leak(0, before, leak).test(0, panel.peers(0), END)
        assert break_of is not None
        excesses.append(break_of.excess)
    assert excesses == sorted(excesses)


def test_rows_say_what_was_found_and_what_could_have_been() -> None:
    rng = np.random.default_rng(11)
    tables = find(rung_inputs(panels=[contest(rng, 0.4), replace(contest(rng), benchmark_id="clean contest")]))
    pairs = tables.filter(pl.col("model_id").is_not_null())
    assert pairs["level"].to_list() == ["low", "high"]
    assert pairs["detectable"][0] <= SMALL_ENOUGH and pairs["detectable"][1] < 0.5
    assert "higher on items from before the end of its training data" in with_sentence(pairs)["reason"][1]
    all_models = tables.filter(pl.col("model_id").is_null())
    assert dict(all_models.select("benchmark_id", "value").iter_rows()) == {"clean contest": 0.0, "contest": 1.0}


def test_all_zeros_all_ones_and_nothing_are_no_evidence() -> None:
    panel = contest(np.random.default_rng(0))
    for value in (0.0, 1.0):
        assert find(rung_inputs(panels=[replace(panel, score=np.full_like(panel.score, value))])).is_empty()
    assert find(rung_inputs(panels=[])).is_empty()


def test_dated_parts_become_cells_that_every_model_has() -> None:
    rows = [
        result(f"lcb/2023h2/2023-0{month}-{level}", model, 0.1 * month, n_items=5, setting=setting)
        for month in (7, 8)
        for level in ("easy", "hard")
        for model, setting in (("a", "low"), ("a", "high"), ("b", ""))
        if (month, level, model) != (8, "hard", "b")
    ]
    rows.append(result("lcb/2023h2", "a", 0.5))
    (panel,) = panels(dated_items(frames(rows).result), training_ends(frames(rows).model, frame("cutoff", [])))
    assert panel.benchmark_id == "lcb" and panel.model_ids == ["a", "b"]
    assert panel.score.shape == (2, 3) and set(panel.month) == {date(2023, 7, 1), date(2023, 8, 1)}


@needs_upstream
def test_livecodebench_as_its_authors_saw_it() -> None:
    """The DeepSeek coders score lower after August 2023, beyond what older models do; Claude 3 does not.

    Jain et al. 2024 (arXiv:2403.07974, section 5.1) describe it by figures and give no number of it to compare with.
    """
    body = versions("LiveCodeBench/livecodebench.github.io", "src/mocks/performances_generation.json")[1].json()
    items: dict[tuple[str, str, str], list[float]] = {}
    for one in body["performances"]:
        day = datetime.fromtimestamp(one["date"] / 1000, UTC)
        items.setdefault((one["model"], f"{day:%Y-%m}", one["difficulty"]), []).append(one["pass@1"] / 100)
    rows = [
        result(f"lcb/x/{month}-{level}", model, float(np.mean(scores)), n_items=len(scores))
        for (model, month, level), scores in items.items()
    ]
    stated = [
        {
            "model_id": one["model_repr"],
            "source_id": "lab",
            "cutoff_on": datetime.fromtimestamp(released / 1000, UTC).date(),
        }
        for one in body["models"]
        if (released := one["release_date"])
    ]
    cutoff = pl.DataFrame([{**dict.fromkeys(CUTOFF), **one} for one in stated], schema=CUTOFF)
    ends = training_ends(frame("model", []), cutoff)
    tables = find(rung_inputs(panels=panels(dated_items(frames(rows).result), ends))).drop_nulls("model_id")
    excess = dict(tables.select("model_id", "value").iter_rows())
    assert excess["DSCoder-33b-Base"] == pytest.approx(21.2, abs=1.5)
    assert excess["DSCoder-33b-Ins"] == pytest.approx(18.5, abs=1.5)
    flagged = set(tables.filter(pl.col("q_value") <= FLAGGED_AT)["model_id"])
    assert {"DSCoder-33b-Base", "DSCoder-33b-Ins", "DSCoder-6.7b-Ins", "WCoder-33B-V1.1"} <= flagged
    assert not any(name.startswith(("GPT", "Claude")) for name in flagged)


def test_breaks_where_nothing_can_break_make_the_test_more_careful_and_never_less() -> None:
    rng = np.random.default_rng(12)
    worlds = [contest(rng) for _ in range(6)]
    model, others, day, since = next(placebos(worlds[0]))
    assert model == 0 and 0 not in others and day > since > END
    degrees, factor = placebo_calibration(worlds)
    break_of = worlds[0].test(0, worlds[0].peers(0), END)
    assert break_of is not None
    wide = calibrated(break_of, (degrees, factor))
    assert factor >= 1 and wide.error >= break_of.error and wide.degrees <= break_of.degrees
    assert wide.excess == break_of.excess and (wide.p_value - 0.5) * (break_of.p_value - 0.5) >= 0
    # half of the models jump in the middle of the months after their training, each by as much
    jump = np.outer(np.arange(26) % 2, np.arange(33) // 3 >= 7) * 0.4
    odd = [replace(one, score=np.clip(one.score + jump, 0, 1)) for one in worlds]
    assert placebo_calibration(odd)[1] > factor
    assert placebo_calibration([]) == (4.0, 1.0)
