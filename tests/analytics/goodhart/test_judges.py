"""Judges and models of their own family: published win rates, an independent method, and what is too few."""

import numpy as np
import pytest
from scipy import stats

from benchhealth.analytics.goodhart.judges import own_family
from benchhealth.analytics.goodhart.measure import MeasureInputs
from tests.analytics.goodhart.measure_inputs import by_subject, inputs, measure_rows
from tests.support.frames import benchmark, result
from tests.support.reason_sentences import reason

MODELS = ("gpt-3.5-turbo-1106", "gpt4-0613", "gpt4-0314", "mistral-large-2402", "claude-3-opus-20240229")
PUBLISHED = {  # win rates against gpt4_1106_preview, from the leaderboards that AlpacaEval publishes by judge
    "alpacaeval-2-raw": (0.0918, 0.1576, 0.2207, 0.2144, 0.2911),
    "alpacaeval-judge-claude-3-opus": (0.062112, 0.081366, 0.152174, 0.164596, 0.274534),
    "alpacaeval-judge-mistral-large-2402": (0.115584, 0.181404, 0.253238, 0.280455, 0.329472),
}
MAKERS = [
    {"model_id": name, "organisation": maker}
    for name, maker in zip(MODELS, ("OpenAI", "OpenAI", "OpenAI", "Mistral AI", "Anthropic"), strict=True)
]


def published(factor: float = 1.0) -> MeasureInputs:
    """The published win rates; the odds of every judge for its own models times `factor`."""
    family = {"alpacaeval-2-raw": "OpenAI", "alpacaeval-judge-claude-3-opus": "Anthropic"}
    rows = [
        result(judge, name, _times(rate, factor if made["organisation"] == family.get(judge) else 1.0))
        for judge, rates in PUBLISHED.items()
        for name, rate, made in zip(MODELS, rates, MAKERS, strict=True)
    ]
    rows += [result(judge, "gpt4-1106-preview", 0.5) for judge in PUBLISHED]
    return inputs(rows, models=MAKERS)


def _times(rate: float, factor: float) -> float:
    odds = factor * rate / (1 - rate)
    return odds / (1 + odds)


def test_published_win_rates_by_students_t_for_two_groups() -> None:
    logit = {judge: np.log(np.array(rates) / (1 - np.array(rates))) for judge, rates in PUBLISHED.items()}
    others = (logit["alpacaeval-judge-claude-3-opus"] + logit["alpacaeval-judge-mistral-large-2402"]) / 2
    difference = logit["alpacaeval-2-raw"] - others
    expected = stats.ttest_ind(difference[:3], difference[3:])
    ends = expected.confidence_interval(0.95)
    by_judge = by_subject(measure_rows(own_family, published(), "own_family_by_judges"))["alpacaeval-2-raw"]
    assert by_judge.value == pytest.approx(np.exp(difference[:3].mean() - difference[3:].mean()))
    assert (by_judge.low, by_judge.high) == (pytest.approx(np.exp(ends.low)), pytest.approx(np.exp(ends.high)))
    assert by_judge.n == 5
    assert reason(by_judge) == "3 of 5 models are of the judge's family, against other judges of the same answers"


def test_a_preference_that_is_put_in_comes_out_as_a_factor() -> None:
    before = by_subject(measure_rows(own_family, published(), "own_family_by_judges"))
    after = by_subject(measure_rows(own_family, published(3.0), "own_family_by_judges"))
    # The judge's own odds tripled; those of the anthropic judge moved one model of the other two judges as well.
    openai, anthropic = "alpacaeval-2-raw", "alpacaeval-judge-claude-3-opus"
    assert after[openai].value == pytest.approx(before[openai].value * 3 * 3 ** (0.5 / 2), rel=1e-6)
    assert after[anthropic].value == pytest.approx(before[anthropic].value * 3 * 3 ** (0.5 * 3 / 4), rel=1e-6)


def test_a_stricter_judge_shows_no_preference() -> None:
    rng = np.random.default_rng(5)
    strength = rng.normal(-1, 1, 12)
    names = [f"m{index}" for index in range(12)]
    made = [{"model_id": n, "organisation": "OpenAI" if index < 6 else "other"} for index, n in enumerate(names)]
    rows = [
        result(judge, name, float(1 / (1 + np.exp(-(s + shift + e)))))
        for judge, shift in (("alpacaeval-2-raw", -2.0), ("alpacaeval-judge-claude-3-opus", 0.0))
        for name, s, e in zip(names, strength, rng.normal(0, 0.05, 12), strict=True)
    ]
    by_judge = by_subject(measure_rows(own_family, inputs(rows, models=made), "own_family_by_judges"))[
        "alpacaeval-2-raw"
    ]
    assert by_judge.value == pytest.approx(1, abs=0.12)
    assert by_judge.low is not None
    assert by_judge.high is not None
    assert by_judge.low < 1 < by_judge.high


def test_against_human_votes_the_rating_is_taken_off() -> None:
    rng = np.random.default_rng(6)
    rating = rng.normal(1200, 80, 30)
    names = [f"m{index}" for index in range(30)]
    is_own = np.arange(30) < 8
    up = 0.7 * np.log(10) * (rating - 1200) / 400 + np.log(2) * is_own + rng.normal(0, 0.05, 30)
    rows = [result("alpacaeval-2", n, float(1 / (1 + np.exp(-u)))) for n, u in zip(names, up, strict=True)]
    rows += [result("lmarena-text", n, float(r)) for n, r in zip(names, rating, strict=True)]
    listed = [benchmark("alpacaeval-2"), benchmark("lmarena-text", unit="rating", floor=None, ceiling=None)]
    models = [{"model_id": n, "organisation": "OpenAI" if mine else "x"} for n, mine in zip(names, is_own, strict=True)]
    by_judge = by_subject(measure_rows(own_family, inputs(rows, listed, models=models), "own_family_by_humans"))
    assert by_judge["alpacaeval-2"].value == pytest.approx(2, rel=0.08)
    assert by_judge["alpacaeval-1"].status == "insufficient"


def test_nothing_published_is_said_for_every_judge() -> None:
    rows = measure_rows(own_family, inputs([]))
    assert {row.status for row in rows} == {"insufficient"}
    assert all(reason(row).startswith("too few to compare") for row in rows)
