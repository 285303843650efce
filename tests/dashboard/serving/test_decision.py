"""A decision by address: page, report, feed, file and SQL say the same, and what is asked amiss is refused."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import polars as pl
import pytest
from starlette.applications import Starlette

from benchhealth.analytics.answers.desk.rules import ROLES
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.decide.page import DECIDED, MODELS, PANEL
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.answers import answers_to
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.deciding.panel import complete, independent_scores
from benchhealth.dashboard.published.deciding.question import (
    Question,
    answer_to,
    decision_words,
    domains,
    question_of,
    sql,
    usual_since,
)
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.report.tree import Section, Tile
from benchhealth.dashboard.serving.feeds.changes import routes
from benchhealth.dashboard.serving.feeds.decision import feed_of
from benchhealth.dashboard.serving.printed import reports
from benchhealth.dashboard.serving.printed.reports import decision_of
from benchhealth.dashboard.words.desk.panel import on_benchmarks
from tests.support import asgi_client, small_generation

ATOM = "{http://www.w3.org/2005/Atom}"
get = partial(asgi_client.get, Starlette(routes=[*routes(), *reports.routes()]))
HOST = {"Host": "dash.example"}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("decided")
    small_generation.build(made)
    return made


@pytest.fixture(autouse=True)
def _served(small: Path) -> Iterator[None]:
    generation.use(small)
    yield
    generation.use(small)


@pytest.fixture
def bundled_view(bundled_home: Path) -> View:
    generation.use(bundled_home)
    return generation.current()


every_fifth = pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)], ids=["some", "all"])


def asked_of(view: View) -> list[Question]:
    """Every role and domain, as it is asked where nothing else is chosen."""
    questions = [question_of(view, {"for": role, "domain": domain}) for role in ROLES for domain in domains(view)]
    return [one for one in questions if one is not None]


def test_an_address_asks_and_names_the_same_question() -> None:
    view = generation.current()
    given = {"for": "ship", "domain": "language", "since": "2024-04", "makers": "1", "budget": "100"}
    asked = question_of(view, given)
    assert asked is not None
    assert asked.params == given
    assert question_of(view, asked.params) == asked
    assert question_of(view, {"for": "fund"}) is None
    usual = question_of(view, {"domain": "language"})
    assert usual == Question("publish", "language", since=usual_since(view))
    assert question_of(view, {"domain": "language", "since": "any"}) == Question("publish", "language")


@pytest.mark.parametrize(
    "wrong",
    [{"domain": "cooking"}, {"for": "eat"}, {"construct": "songs"}, {"since": "2024-13"}, {"budget": "-1"}],
)
@pytest.mark.parametrize("path", ["/feed.xml", "/feed.json", "/decision.html", "/decision.pdf"])
def test_what_is_asked_amiss_is_refused(path: str, wrong: Mapping[str, str]) -> None:
    assert get(path, {"domain": "language", **wrong}, **HOST).status == 400


@pytest.mark.parametrize("path", ["/feed.json", "/decision.html"])
def test_without_a_domain_nothing_is_decided(path: str) -> None:
    assert get(path, {}, **HOST).status == 400


def test_none_is_an_answer_everywhere() -> None:
    answer = decision_words(generation.current(), Question("publish", "science"))
    assert answer.title == "The only benchmark could not carry your claim"
    assert answer.needed.startswith("What would be needed: more items")
    for path in ("/feed.xml", "/feed.json", "/decision.html"):
        sent = get(path, {"domain": "science", "since": "any"}, **HOST)
        assert sent.status == 200
        assert answer.title in sent.body and answer.needed in sent.body


@every_fifth
def test_page_report_feed_and_file_say_the_same(bundled_view: View, step: int) -> None:
    for asked in asked_of(bundled_view)[::step]:
        answer, decided = decision_words(bundled_view, asked), answer_to(bundled_view, asked)
        (part,) = decision_of(bundled_view, asked, "https://dash.example/").parts
        printed = repr((part.title, part.line, part.front, part.back))
        entry = feed_of(bundled_view, asked, "https://dash.example/").entries[0]
        rows = DECIDED.build(bundled_view, asked.params)
        assert (part.title, entry.title) == (answer.title, answer.title)
        assert rows["benchmark_id"].to_list() == [*decided.ids, *(one.benchmark_id for one in answer.others)]
        for card in answer.cards:
            assert card.why and card.reservation
            for text in (card.name, card.why, card.reservation):
                assert text in entry.text
            assert all(
                repr(text)[1:-1] in printed for text in (card.why, card.reservation, *dict(card.numbers).values())
            )
        assert all(isinstance(block, str | Section | tuple) for block in part.front)
        assert any(isinstance(one, Tile) for block in part.front if isinstance(block, tuple) for one in block) == bool(
            answer.cards
        )


def test_the_best_beside_the_room_is_the_score_that_the_room_is_above(bundled_view: View) -> None:
    answered = answer_to(bundled_view, Question("ship", "agents"))
    rooms = {row["benchmark_id"]: row["second"] for row in answers_to(bundled_view, "room").to_dicts()}
    highest = dict(benchmarks(bundled_view).select("benchmark_id", "best").iter_rows())
    rows = [row for row in (*answered.chosen, *answered.others) if row["room"] is not None]
    assert all(row["best"] == rooms[row["benchmark_id"]] for row in rows)
    assert any(row["best"] != highest[row["benchmark_id"]] for row in rows)


def test_chosen_models_are_drawn_with_what_they_lack(bundled_view: View) -> None:
    asked = Question("publish", "code", since=usual_since(bundled_view))
    ids = answer_to(bundled_view, asked).ids
    rows = independent_scores(bundled_view, ids)
    alone, every = (rows.group_by("model_id").len().filter(pl.col("len") == many)["model_id"] for many in (1, len(ids)))
    picked = [alone.sort()[0], every.sort()[0]]
    drawn = PANEL.of(bundled_view, {**asked.params, "models": "|".join(picked)}, LIGHT)
    assert isinstance(drawn, Chart)
    assert set(drawn.rows["model_id"]) == set(picked)
    assert drawn.title == f"1 of 2 chosen models is listed, and measured by others, {on_benchmarks(list(ids))}"
    assert drawn.method == "desk"
    unmeasured = bundled_view.table("model").filter(~pl.col("model_id").is_in(rows["model_id"].implode()))["model_id"][
        0
    ]
    nobody = PANEL.of(bundled_view, {**asked.params, "models": unmeasured}, LIGHT)
    assert isinstance(nobody, Nothing) and "chosen" in nobody.reason
    for wrong in ("nobody", "|".join(bundled_view.table("model")["model_id"].head(MODELS + 1))):
        with pytest.raises(ParameterError):
            PANEL.of(bundled_view, {**asked.params, "models": wrong}, LIGHT)


@every_fifth
def test_the_panel_counts_the_models_that_cards_count(bundled_view: View, step: int) -> None:
    for asked in asked_of(bundled_view)[::step]:
        for row in answer_to(bundled_view, asked).chosen:
            counted = independent_scores(bundled_view, (row["benchmark_id"],)).height
            assert counted == row["by_others"] <= row["models"], row["benchmark_id"]
    listed = bundled_view.table("position").filter("listed").group_by("benchmark_id").agg(listed=pl.len())
    decided = bundled_view.table("decision").filter(pl.col("role") == "publish", pl.col("models") > 0)
    both = decided.join(listed, on="benchmark_id")
    assert both.height == decided.height and (both["listed"] == both["models"]).all()


@every_fifth
def test_the_sql_chooses_the_same(bundled_view: View, step: int) -> None:
    decision = bundled_view.table("decision")
    extra = [
        Question("publish", "agents", independent=False),
        Question("fund", "code", "issues of repositories"),
        Question("publish", "code", budget=5),
    ]
    for asked in (*asked_of(bundled_view)[::step], *extra):
        with duckdb.connect() as connection:
            connection.register("decision", decision.to_arrow())
            chosen = connection.sql(sql(asked)).pl()["benchmark_id"].to_list()
        assert chosen == list(answer_to(bundled_view, asked).ids), asked


def test_the_feed_speaks_when_choice_stage_or_reservation_change(bundled_view: View) -> None:
    asked = Question("publish", "agents", since=usual_since(bundled_view))
    before = feed_of(bundled_view, asked, "https://dash.example/")
    again = feed_of(bundled_view, asked, "https://other.example/")
    later = feed_of(bundled_view, Question("publish", "agents"), "https://dash.example/")
    assert before.entries[0].identity == again.entries[0].identity, "an address is no news"
    assert before.entries[0].identity != later.entries[0].identity, "another question has another feed"
    ids = set(answer_to(bundled_view, asked).ids)
    assert {entry.address.partition("benchmark=")[2] for entry in before.entries[1:]} <= ids


def test_both_forms_of_the_feed_have_what_they_must(bundled_view: View) -> None:
    assert bundled_view
    params = {"domain": "agents", "for": "publish"}
    xml, sent = get("/feed.xml", params, **HOST), get("/feed.json", params, **HOST)
    root, feed = ElementTree.fromstring(xml.body), json.loads(sent.body)
    assert sent.headers["content-type"].startswith("application/feed+json")
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"].startswith("http://dash.example/feed.json?for=publish&domain=agents")
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [item["id"] for item in feed["items"]]
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [item["title"] for item in feed["items"]]
    assert len({item["id"] for item in feed["items"]}) == len(feed["items"])


@every_fifth
def test_the_pdf_has_two_pages_at_most(bundled_view: View, step: int) -> None:
    for asked in asked_of(bundled_view)[::step]:
        (part,) = decision_of(bundled_view, asked, "").parts
        assert part.front and part.back
    assert get("/decision.pdf", {"domain": "knowledge"}, **HOST).status == 200


def test_only_models_that_are_complete_stand_in_the_panel() -> None:
    rows = pl.read_csv(
        StringIO(
            "benchmark_id,model_id,model,score\na,x,X,0.5\nb,x,X,0.4\na,y,Y,0.9\nb,z,Z,0.1\nb,w,W,0.2\na,w,W,0.5\n"
        )
    )
    filled = complete(rows, ["a", "b"])
    assert filled.select("model_id", "benchmark_id").rows() == [("w", "a"), ("w", "b"), ("x", "a"), ("x", "b")]
    either = complete(rows, ["a", "b"], least=1)
    assert either["model_id"].unique(maintain_order=True).to_list() == ["y", "w", "x", "z"], "by the first benchmark"
