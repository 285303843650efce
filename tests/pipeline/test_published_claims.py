"""What papers print beside what the bundled facts give: each claim of the registry, and how many papers hold."""

import polars as pl
import pytest

from benchhealth.warehouse.read import Generation

pytestmark = pytest.mark.xdist_group("bundle")

OURS = {
    "arena-open-gap": (1.69, True),
    "arena-tenth-gap": (3.67, False),
    "livebench-arena": (0.924, True),
    "mixeval-arena": (0.922, False),
    "mmlu-pro-smallest-drop": (16.15, True),
    "mmlu-pro-largest-drop": (31.94, False),
    "humaneval-plus-largest-loss": (23.08, True),
    "three-components": (96.76, True),
    "s-index-high-young": (47.37, False),
    "s-index-high-old": (54.55, True),
    "reports-gpqa": (74.29, True),
    "swe-bench-forecast": (80.9, False),
}
"""By claim: our number, and whether the printed one is within its tolerance."""


@pytest.fixture(scope="module")
def claims(bundled: Generation) -> pl.DataFrame:
    return bundled.query("SELECT * FROM reproduction")


def test_each_claim_of_the_registry_gives_what_it_gave_when_it_was_written(claims: pl.DataFrame) -> None:
    table = claims.filter(pl.col("claim_id").is_in(list(OURS)))
    assert table.height == len(OURS)
    for claim, ours, holds in table.select("claim_id", "computed", "holds").iter_rows():
        assert (ours, holds) == (pytest.approx(OURS[claim][0], abs=0.006), OURS[claim][1]), claim


def test_as_many_papers_hold_as_the_changelog_says(claims: pl.DataFrame) -> None:
    judged = claims.filter(pl.col("class") == "recomputed", pl.col("holds").is_not_null())
    papers = judged.group_by("paper").agg(pl.col("holds").all())
    assert (judged.height, judged["holds"].sum(), papers.height, papers["holds"].sum()) == (59, 43, 19, 10)
    with_interval = claims.filter(pl.col("low").is_not_null())
    assert (
        (with_interval["low"] <= with_interval["computed"]) & (with_interval["computed"] <= with_interval["high"])
    ).all()
    assert with_interval["interval"].null_count() == 0


def test_boards_have_fewer_that_may_be_first_where_errors_are_alike(bundled: Generation) -> None:
    tied = bundled.query("SELECT * FROM tied_first WHERE n_models > 5")
    assert (tied["tied_correlated"] <= tied["tied_independent"]).all()
    polyglot = tied.filter(board_id="aider/aider-polyglot").row(0, named=True)
    assert (polyglot["tied_independent"], polyglot["tied_correlated"], polyglot["n_models"]) == (9, 5, 57)
    assert polyglot["correlation"] == pytest.approx(0.578, abs=1e-3)
