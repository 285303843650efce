"""Which second measurement speaks for a benchmark, and what it says."""

from typing import Any

import pytest

from benchhealth.analytics.answers.second import CLOSE_POINTS
from benchhealth.analytics.statistics.errors import Z95
from tests.support.answers import answer
from tests.support.frames import benchmark, frames, result

FACTS = frames([result("a", "m", 0.5)], [benchmark("a"), benchmark("b"), benchmark("c")])
ERROR = 1.0


def twins(*declared: dict[str, Any], of: str = "a") -> dict[str, Any]:
    """The answer where these twins are known; of each the gap has the same error."""
    rows = [{"scale": "linear", "original_id": "a", "other_id": "b", "n_models": 20, **each} for each in declared]
    for row in rows:
        error = row.pop("error", ERROR)
        if row["gap"] is not None and error is not None:
            row |= {"gap_low": row["gap"] - Z95 * error, "gap_high": row["gap"] + Z95 * error}
    return answer(FACTS, "second", of, twin=rows)


def test_new_items_agree_within_the_error_of_drawing_them_and_differ_beyond_it() -> None:
    row = twins({"twin_id": "t", "kind": "fresh sample", "gap": 1.5})
    assert (row["reply"], row["case"], row["value"], row["unit"]) == ("yes", "agrees", 1.5, "points")
    assert (row["low"], row["high"]) == pytest.approx((1.5 - Z95, 1.5 + Z95))
    assert (row["n"], row["twin_id"], row["other_id"], row["kind"], row["side"]) == (
        20,
        "t",
        "b",
        "fresh sample",
        "first",
    )
    assert row["evidence"] == ["twin/t"]
    assert twins({"twin_id": "t", "kind": "live split", "gap": 2.5})["reply"] == "no"


def test_an_error_that_hides_what_matters_is_no_agreement() -> None:
    row = twins({"twin_id": "t", "kind": "live split", "gap": 1.0, "error": 9.0})
    assert (row["reply"], row["case"], row["why_unknown"], row["value"]) == (
        "unknown",
        "too_weak",
        "looked_too_weakly",
        None,
    )
    assert row["missed"] == pytest.approx(Z95 * 9.0)
    assert row["missed"] > CLOSE_POINTS


def test_a_rerun_of_the_same_items_is_partly_with_its_kind_and_gap() -> None:
    row = twins({"twin_id": "t", "kind": "independent rerun", "gap": 3.6, "other_id": "a"})
    assert (row["reply"], row["case"], row["kind"], row["value"]) == ("partly", "rerun", "independent rerun", 3.6)
    assert (row["low"], row["high"]) == pytest.approx((3.6 - Z95, 3.6 + Z95))  # that of the table `twin`


def test_new_items_speak_before_a_rerun_and_a_rerun_before_a_variant() -> None:
    variant = {"twin_id": "v", "kind": "harder variant", "gap": 20.0, "n_models": 900}
    rerun = {"twin_id": "r", "kind": "independent rerun", "gap": 3.6, "other_id": "a"}
    fresh = {"twin_id": "f", "kind": "fresh sample", "gap": 0.0}
    assert twins(variant)["case"] == "by_design"
    assert twins(variant, rerun)["twin_id"] == "r"
    assert twins(variant, rerun, fresh)["twin_id"] == "f"
    weak = {**fresh, "error": 9.0}
    assert twins(variant, rerun, weak)["twin_id"] == "r"


def test_what_measures_another_again_says_what_the_other_does() -> None:
    fresh = {"twin_id": "f", "kind": "fresh sample", "gap": 4.0}
    row = twins(fresh, of="b")
    assert (row["reply"], row["value"], row["other_id"], row["side"]) == ("no", -4.0, "a", "second")
    assert twins({**fresh, "kind": "harder variant"}, of="b")["case"] == "none_known"


def test_few_models_no_models_and_no_twin_are_unknown_each_for_its_reason() -> None:
    few = {"twin_id": "t", "kind": "independent rerun", "gap": 3.6, "n_models": 2}
    assert (twins(few)["case"], twins(few)["why_unknown"]) == ("few_models", "looked_too_weakly")
    assert twins({**few, "gap": None, "n_models": 0})["case"] == "not_connected"
    assert twins(of="c")["case"] == "none_known"
