"""Breaks in the real history of EuroEval and the open ASR leaderboard: held, and passed with a curator's word."""

from datetime import date
from statistics import median

import pytest

from tests.ingest.run.test_real_breaks import findings, history, registry
from tests.ingest.sources.test_versions import real
from tests.support.soaking import some

pytestmark = real

PATHS = {board: f"leaderboards/{board}_all.csv" for board in ("english", "european", "german")}
BREAKS = {
    "english": [date(2026, 4, 17)],
    "european": [date(2026, 3, 12), date(2026, 4, 20)],
    "german": [date(2026, 3, 14), date(2026, 4, 17)],
}


@pytest.mark.parametrize("board", some(BREAKS, plain=["german"]))
def test_what_changed_in_bulk_is_held_and_a_curated_breakpoint_lets_it_pass(board: str) -> None:
    assert {on for on, _ in findings("euroeval", PATHS[board])} >= set(BREAKS[board])
    assert list(findings("euroeval", PATHS[board], curated=True)) == []


@pytest.mark.parametrize("board", [pytest.param("english", marks=pytest.mark.soak), "german"])
def test_two_metrics_of_summaries_are_never_one_benchmark(board: str) -> None:
    versions = [version.results for _, version in history("euroeval", PATHS[board])]
    scores: dict[str, list[float]] = {
        metric: [
            score
            for results in versions
            for score in results.filter(results["benchmark_id"].str.ends_with(f"/{metric}"))["score"]
        ]
        for metric in ("bertscore", "chrf3pp")
    }
    assert min(map(len, scores.values())) > 100
    assert max(scores["chrf3pp"]) < 0.5 < median(scores["bertscore"])


def test_the_normaliser_of_the_asr_board_has_a_breakpoint_for_each_of_its_boards() -> None:
    boards = registry().breakpoint.filter(registry().breakpoint["on_date"] == date(2026, 5, 22))["board_id"].to_list()
    assert {"open-asr/librispeech", "open-asr/open-asr-en-shortform"} <= set(boards)
    assert list(findings("open-asr", "scripts/data/en_shortform.csv", curated=True)) == []
