"""Who measured a number: one answer in results, positions, comparisons and curves of all bundled facts."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.boards.difference import score_pair
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.boards import difference as words

_BOTH = """
    SELECT p.benchmark_id, p.model_id, bool_or(r.side = 'others') AS others, bool_or(r.side = 'self') AS self,
        any_value(p.other_score) IS NOT NULL AS other_score, any_value(p.self_score) IS NOT NULL AS self_score
    FROM position p JOIN result r USING (benchmark_id, model_id, condition) WHERE r.stands GROUP BY ALL
"""
_ELSEWHERE = """
    SELECT r.benchmark_id, r.condition, min(r.model_id) AS a, max(r.model_id) AS b
    FROM result r ANTI JOIN position p USING (benchmark_id, model_id)
    WHERE r.stands AND r.side IS NULL AND r.reporter = 'third_party' AND r.condition <> $unstated
    GROUP BY ALL HAVING count(DISTINCT r.model_id) > 1 ORDER BY ALL
"""
_STANDING = "SELECT side FROM result WHERE stands AND benchmark_id = $benchmark AND model_id = $model"


@pytest.fixture
def view(bundled_home: Path) -> View:
    generation.use(bundled_home)
    return generation.current()


def test_positions_have_the_sides_of_the_results_below_them(view: View) -> None:
    rows = view.query(_BOTH)
    assert rows.height > 10_000
    for side, score in (("others", "other_score"), ("self", "self_score")):
        unlike = rows.filter(pl.col(side).fill_null(value=False) != pl.col(score))
        assert unlike.is_empty(), unlike


def test_a_number_that_a_list_passes_on_is_nobodys_in_a_comparison(view: View) -> None:
    compared = 0
    for benchmark_id, _, one, other in view.query(_ELSEWHERE, unstated=UNSTATED).head(40).iter_rows():
        sides = [set(view.query(_STANDING, benchmark=benchmark_id, model=model)["side"]) for model in (one, other)]
        if any(len(of_model) > 1 for of_model in sides):
            continue
        answer = score_pair(view, {"benchmark": benchmark_id, "a": one, "b": other})
        if answer.unlike:
            continue
        assert [answer.first.who, answer.second.who] == [None, None]
        assert words.facts(answer)[-1].reply == "Not stated"
        compared += 1
    assert compared
