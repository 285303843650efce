"""What the bundled facts must show, through the whole program: published numbers, recomputed, not copied.

The numbers in here were published by others (the papers and boards named in each test) or follow from a published
file by one definition; none was taken from this program's own output.
"""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.churn.churn import WHOLE_BOARD
from benchhealth.warehouse.read import Generation
from tests.pipeline.conftest import benchhealth

pytestmark = pytest.mark.xdist_group("bundle")


def twin(generation: Generation, twin_id: str, scale: str = "linear") -> dict[str, float]:
    return generation.query(
        "SELECT * FROM twin WHERE twin_id = $id AND scale = $scale", {"id": twin_id, "scale": scale}
    ).row(0, named=True)


def verdict(generation: Generation, benchmark_id: str) -> dict[str, list[str]]:
    return generation.query("SELECT * FROM verdict WHERE benchmark_id = $id", {"id": benchmark_id}).row(0, named=True)


def test_imagenet_order_replicates_on_v2_while_scores_fall(bundled: Generation) -> None:
    fit = twin(bundled, "imagenet-to-v2")
    assert fit["gap"] == pytest.approx(10.86, abs=0.05)
    assert fit["slope"] == pytest.approx(1.194, abs=0.01)
    assert fit["r2"] == pytest.approx(0.984, abs=0.0005)
    assert fit["kendall_tau"] == pytest.approx(0.940, abs=0.0005)
    assert fit["kendall_tau_top"] == pytest.approx(0.61, abs=0.01)


def test_gsm1k_finds_some_models_and_not_others(bundled: Generation) -> None:
    fit = twin(bundled, "gsm8k-to-gsm1k")
    flagged = bundled.query("SELECT * FROM twin_residual WHERE twin_id = 'gsm8k-to-gsm1k' AND flagged")
    assert fit["slope"] == pytest.approx(1.002, abs=0.01)
    assert fit["r2"] == pytest.approx(0.992, abs=0.002)
    assert fit["gap"] == pytest.approx(2.07, abs=0.005)
    assert abs(flagged.height - 14) <= 2
    assert (flagged["residual"] < 0).all()
    assert (flagged["q_value"] <= 0.05).all()


def test_humaneval_loses_points_under_more_tests(bundled: Generation) -> None:
    assert twin(bundled, "humaneval-to-plus")["gap"] == pytest.approx(4.97, abs=0.1)


def test_squad_top_ten_freezes(bundled: Generation) -> None:
    years = bundled.query(
        "SELECT * FROM churn WHERE board_id = 'squad/squad-2.0' AND k = 10 AND month(to_on) = 12 ORDER BY from_on"
    )
    assert years["to_on"].to_list() == [date(year, 12, 31) for year in range(2019, 2024)]
    assert (10 - years["entered"]).to_list() == [0, 2, 5, 10, 10]


def test_squad_human_line_was_passed_and_the_board_was_not_looked_at_since(bundled: Generation) -> None:
    human = bundled.query("SELECT human FROM benchmark WHERE benchmark_id = 'squad-2.0'").item()
    passed = bundled.query(
        "SELECT min(dated_on) FROM frontier WHERE benchmark_id = 'squad-2.0' AND score > $human", {"human": human}
    ).item()
    stated = verdict(bundled, "squad-2.0")
    # 86.831 exact match is the leaderboard's human row.
    assert human == pytest.approx(0.86831)
    assert passed in (date(2019, 3, 15), date(2019, 3, 20))
    assert stated["stage"] == "saturated"
    # Its repository was seen last on 2024-03-28, five months after the newest submission: dormant or not, nobody knows.
    assert "stale" in stated["flags"] and "dormant" not in stated["flags"]


def test_dropped_models_are_leavers_and_no_reordering(bundled: Generation) -> None:
    board = _whole_board(bundled, date(2025, 2, 16))
    assert board["left"] == 30
    assert board["kendall_tau"] == pytest.approx(1.0)


def test_renamed_models_are_renames(bundled: Generation) -> None:
    board = _whole_board(bundled, date(2024, 11, 5))
    # 29 names: the two formats of Llama 3.1 405B, each listed with a name of its own, are one model.
    assert board["renamed"] == 28
    assert board["left"] == 0


def _whole_board(generation: Generation, on: date) -> dict[str, float]:
    rows = generation.query(
        "SELECT * FROM churn WHERE board_id = 'lmarena/lmarena-text' AND to_on = $on AND k = $whole",
        {"on": on, "whole": WHOLE_BOARD},
    )
    return rows.row(0, named=True)


def test_imagenet_is_judged_against_its_wrong_labels(bundled: Generation) -> None:
    ceiling = bundled.query("SELECT ceiling FROM benchmark WHERE benchmark_id = 'imagenet'").item()
    # 5.83% of the validation labels are wrong: Northcutt et al. 2021.
    assert ceiling == pytest.approx(1 - 0.0583)
    assert any("label errors" in reason for reason in verdict(bundled, "imagenet")["reasons"])


def test_every_row_in_is_kept_or_rejected_with_a_reason(bundled: Generation) -> None:
    snapshots = bundled.table("snapshot")
    counted = bundled.query("SELECT snapshot_id, count(*) AS counted FROM rejection GROUP BY ALL")
    joined = snapshots.join(counted, on="snapshot_id", how="left").with_columns(pl.col("counted").fill_null(0))
    assert (snapshots["rows_in"] == snapshots["rows_kept"] + snapshots["rows_rejected"]).all()
    assert (joined["counted"] == joined["rows_rejected"]).all()
    assert (bundled.table("rejection")["reason"].str.len_chars() > 0).all()


def test_few_results_carry_no_verdict(bundled: Generation) -> None:
    thin = bundled.query(
        """
        SELECT stage FROM verdict JOIN (
            SELECT benchmark_id, count(DISTINCT model_id) AS models FROM result GROUP BY ALL
        ) USING (benchmark_id) WHERE models <= 3
        """
    )
    assert thin.height > 0
    assert set(thin["stage"]) <= {"unknown", "emerging"}


def test_an_indicator_without_a_value_says_why(bundled: Generation) -> None:
    indicators = bundled.table("indicator")
    silent = indicators.filter(pl.col("status") != "ok")
    assert silent["value"].is_null().all()
    assert (silent["reason"].str.len_chars() > 0).all()


def test_bundled_sources_may_be_passed_on(bundled: Generation) -> None:
    sources = bundled.table("source").filter(pl.col("last_observed_at").is_not_null())
    assert sources["redistributable"].all()
    assert (sources["licence"].str.len_chars() > 0).all()


@pytest.mark.soak
def test_a_second_init_changes_nothing(bundled_home: Path) -> None:
    before = sorted(path.name for path in (bundled_home / "published").iterdir())
    done = benchhealth(bundled_home, "init")
    assert done.returncode == 0
    assert "already initialised" in done.stderr
    assert sorted(path.name for path in (bundled_home / "published").iterdir()) == before


@pytest.mark.parametrize(
    ("model_id", "released_on"),
    [
        ("kimi-k2-instruct", date(2025, 7, 11)),
        ("gpt-4o-2024-05-13", date(2024, 5, 13)),
        ("gpt-3.5-turbo-0125", date(2024, 1, 25)),
        ("mistral-large-2407", date(2024, 7, 24)),
        ("deepseek-v3.1", date(2025, 8, 21)),
        ("grok-4-0709", date(2025, 7, 9)),
    ],
)
def test_a_model_came_out_when_its_maker_says(bundled: Generation, model_id: str, released_on: date) -> None:
    """Days from the makers' own names and announcements; one source each has them months or years before."""
    held = bundled.query("SELECT released_on FROM model WHERE model_id = $id", {"id": model_id})
    before = bundled.query(
        "SELECT * FROM result WHERE model_id = $id AND dated_on < $day - INTERVAL 31 DAY",
        {"id": model_id, "day": released_on},
    )
    assert held["released_on"].to_list() == [released_on]
    assert before.is_empty()


def test_no_curated_curve_steps_before_the_model_was_there(bundled: Generation) -> None:
    early = bundled.query(
        """
        SELECT f.benchmark_id, f.dated_on, f.model_id, m.released_on
        FROM frontier f JOIN model m USING (model_id) JOIN benchmark b USING (benchmark_id)
        WHERE b.curated AND NOT f.carried AND f.dated_on < m.released_on - INTERVAL 31 DAY
        """
    )
    assert early.rows() == []
