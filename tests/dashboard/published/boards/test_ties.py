"""The cards of boards with the names that words need: one board speaks for a benchmark, all surfaces count alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation, reigns, results
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.serving.badges import badge
from benchhealth.dashboard.words.boards import ties as words

BOARD = "arena/arena"
CHARTS = {spec.name: spec for page in PAGES for spec in page.charts}


@pytest.fixture
def view(small_home: Path) -> Iterator[View]:
    generation.use(small_home)
    yield generation.current()


def test_a_board_has_its_newest_card_with_names(view: View) -> None:
    card = ties.of_board(view, BOARD)
    assert card is not None
    assert len(card["tied_names"]) == 2 < card["tied_first"]
    assert card["board_name"] == "Arena" and card["first_name"] == card["tied_names"][0]
    assert ties.of_board(view, "nobody/nothing") is None


def test_one_board_speaks_for_a_benchmark(view: View) -> None:
    for benchmark_id, card in ties.of_benchmarks(view).items():
        assert card["board_id"] == results.boards(view, benchmark_id)[0]
    assert ties.of_benchmark(view, "nothing") is None


def test_the_card_of_a_day_is_of_the_last_look_until_then(view: View) -> None:
    days = reigns.board(view, BOARD).days
    first, last = ties.on_day(view, {"board": BOARD, "day": str(days[0])}), ties.on_day(view, {"board": BOARD})
    assert first is not None and last is not None
    assert (first["observed_at"].date(), last["observed_at"].date()) == (days[0], days[-1])
    assert ties.card(view, {"board": BOARD}).height >= len(days)
    with pytest.raises(ParameterError):
        ties.card(view, {"board": "nobody/nothing"})


def test_boards_top_models_and_badge_count_the_same(view: View) -> None:
    card = ties.of_benchmark(view, "arena")
    assert card is not None
    sentence = words.tied_first_sentence(card["tied_first"], card["tied_names"])
    assert sentence == "3 are tied for first"
    top = CHARTS["top"].of(view, {"benchmark": "arena"}, LIGHT)
    day = CHARTS["board-day"].of(view, {"board": card["board_id"]}, LIGHT)
    assert getattr(top, "title", "") == sentence
    assert getattr(day, "subtitle", "").startswith("3 are tied for first on Arena; look of")
    listed_by = view.table("source").filter(source_id=card["board_id"].split("/")[0])["title"][0].split(":")[0]
    assert f"on the list of {listed_by} {words.tie_with_day(card)}" in str(badge(view, "arena"))


def test_much_read_boards_are_those_that_documents_report(view: View) -> None:
    table = ties.much_read(view)
    reported = set(view.table("attention")["benchmark_id"])
    assert table.height <= ties.READ and set(table["benchmark_id"]) <= reported
    assert table["tied_first"].null_count() == 0
