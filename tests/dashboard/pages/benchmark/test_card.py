"""The card of all answers, and that no tab of the page gives another reply or number than it."""

import re
from collections.abc import Mapping
from functools import partial
from html import unescape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.guard.headers import EMBEDDED
from benchhealth.dashboard.pages.benchmark import card, link
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.answers import answers_of, card_of, words_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report import words
from benchhealth.dashboard.report.case import case
from benchhealth.dashboard.serving.badges import badge
from benchhealth.dashboard.serving.printed import card as framed
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.dashboard.words.card.cells import ORDER, UNTIL, kind_of, stage_until
from benchhealth.dashboard.words.text import markdown
from tests.support import asgi_client
from tests.support.rendered_page import markup, rendered, text

TABS: Mapping[str, list[str]] = {
    tab: [key for key, place in card.PLACES.items() if place.tab == tab]
    for tab in {place.tab for place in card.PLACES.values()}
    if tab
}
REPLIES = re.compile(r"\b(?:still reports?|no longer|no trace|it agrees|items held fixed|say so)\b", re.IGNORECASE)
"""What the page said where the answers now stand."""


@pytest.fixture
def view(small_home: Path) -> View:
    generation.use(small_home)
    return generation.current()


def test_every_question_has_a_place_on_the_page() -> None:
    assert list(card.PLACES) == list(TITLES)


@pytest.mark.parametrize("benchmark_id", ["exam", "silent-exam", "strange"])
def test_the_card_has_nine_cells_each_with_a_way_to_its_tab(benchmark_id: str, view: View) -> None:
    drawn_cells, words_of_answers = card.cells(view, benchmark_id), words_of(view, benchmark_id)
    for cell, key in zip(drawn_cells, ORDER, strict=True):
        place = card.PLACES["looked" if key == UNTIL else key]
        assert f"](<benchmark?benchmark={benchmark_id}" in cell
        assert f"#{place.anchor}>)" in cell
        assert f"tab={place.tab.replace(' ', '%20')}" in cell or not place.tab
        if key != UNTIL:
            assert cell.startswith(f":small[[{markdown(words_of_answers[key].question)}]")
            assert f"[{words_of_answers[key].reply}]**" in cell
            assert markdown(words_of_answers[key].number) in cell
        assert "known until" not in cell


def test_paper_and_the_picture_of_a_link_have_the_cells_of_the_card(view: View) -> None:
    cells = {cell.key: cell for cell in card_of(view, "exam")}
    tiles = [tile for row in words.tiles(case(view, "exam")) for tile in row]
    printed = [(tile.question, tile.answer, tile.evidence) for tile in tiles]
    assert printed[: len(ORDER)] == [(cell.question, cell.word, cell.number) for cell in cells.values()]
    lines = [(line.question, line.word, line.below) for line in link.answers(list(cells.values()))]
    assert len(lines) == 3
    assert set(lines) <= set(printed)
    assert [line[0] for line in lines[:2]] == [cells[key].question for key in link.ALWAYS]


@pytest.mark.parametrize("tab", sorted(TABS))
@pytest.mark.parametrize("benchmark_id", ["exam", "silent-exam"])
def test_a_tab_says_the_answer_of_the_card(tab: str, benchmark_id: str, small_home: Path, view: View) -> None:
    app = rendered(benchmark_page, small_home, benchmark=benchmark_id, tab=tab)
    text_shown, words_by_key = text(app), words_of(view, benchmark_id)
    for key in TABS[tab]:
        answer = words_by_key[key]
        assert text_shown.count(f"{answer.question} {answer.tile}") == 1
        assert answer.paragraph in text_shown
    below = text_shown.split("Use beside it")[-1].split("Use instead")[-1]
    assert REPLIES.findall(below) == []


def test_the_title_and_the_curve_stand_beside_the_answers(small_home: Path, view: View) -> None:
    app = rendered(benchmark_page, small_home, benchmark="exam")
    room = words_of(view, "exam")["room"]
    assert app.title[0].value.replace("\\", "").endswith(room.number)
    assert words_of(view, "exam")["instead"].paragraph in text(app)
    assert markup(app).count("Is there room left") == 1


@pytest.mark.usefixtures("view")
def test_the_card_is_framed_in_both_looks_without_a_script() -> None:
    get = partial(asgi_client.get, Starlette(routes=framed.routes()), Host="localhost")
    for params, palette in (({}, LIGHT), ({"theme": "dark"}, DARK)):
        answer = get("/embed/card", {"benchmark": "exam", **params})
        assert answer.status == 200
        assert answer.headers["content-security-policy"] == EMBEDDED
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "<script" not in answer.body and palette.paper in answer.body
        assert answer.body.count("<dt>") + int(answer.headers["x-withheld-rows"]) == len(ORDER)
    assert get("/embed/card", {"benchmark": "exam"}, If_None_Match=answer.headers["etag"]).status == 304


def test_the_badge_has_stage_and_day_of_the_card(view: View) -> None:
    for benchmark_id in ("exam", "silent-exam", "strange"):
        cells = {cell.key: cell for cell in card_of(view, benchmark_id)}
        line = stage_until(list(cells.values()))
        assert line in unescape(str(badge(view, benchmark_id)))
        assert line.startswith(cells["stage"].number)
        day_of = "measured until" if cells[UNTIL].number else "data to"
        assert line.endswith(f", {day_of} {cells[UNTIL].tile}") is (cells[UNTIL].kind != "unknown")
    assert stage_until(()) == "not enough known"


def test_the_ways_to_pass_the_card_on_stand_above_it(small_home: Path) -> None:
    shown = markup(rendered(benchmark_page, small_home, benchmark="exam"))
    for way in ("[Embed](<embed/card?benchmark=exam>)", "[Picture](<share/benchmark/exam.png>)"):
        assert shown.index(way) < shown.index("Is there room left")


def test_that_models_have_seen_the_items_is_the_yes_that_is_bad() -> None:
    row = {"question": "room", "reply": "yes"}
    assert kind_of(row) == "yes"
    assert kind_of({**row, "question": "seen"}) == "no"
    assert kind_of({"question": "seen", "reply": "unknown"}) == "unknown"


def test_the_tab_of_twins_opens_with_the_twin_of_the_answer(small_home: Path, view: View) -> None:
    row = answers_of(view, "exam")["second"]
    twin_id = card.twin_of(row)
    assert twin_id is not None
    assert any(f"twin={twin_id}" in cell for cell in card.cells(view, "exam"))
    assert card.twin_of({"evidence": ["indicator/headroom"]}) is None
    assert card.twin_of(None) is None
    assert f"(twins?twin={twin_id})" in markup(rendered(benchmark_page, small_home, benchmark="exam", tab="Twins"))
