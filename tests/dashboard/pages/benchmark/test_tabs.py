"""The tabs of a benchmark: only the open one is drawn, each over what the small generation has or lacks."""

import re
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.pages.benchmark.tabs import churn, contamination, indicators, sources, top_models
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.widgets import wrong
from benchhealth.dashboard.words.answers import instead as words_of_instead
from benchhealth.warehouse.reader import Reader
from tests.support.rendered_page import markup, publish_tables, rendered, text

SAID = {
    "Life": "dated events in",
    "Top models": "The first 18 of",
    "Churn": "was seen on 1 day",
    "Twins": "Results beyond their error",
    "Contamination": "Do scores break at the end of training?",
    "Who reports": "Its last document that was read",
    "All indicators": "What this rests on; data to",
    "Outlook": "The record.",
    "Sources": "Every published number",
}


@pytest.fixture
def view(small_home: Path) -> View:
    generation.use(small_home)
    return generation.current()


@pytest.mark.parametrize("tab", SAID)
def test_the_open_tab_alone_is_drawn(tab: str, small_home: Path) -> None:
    app = rendered(benchmark_page, small_home, benchmark="exam", tab=tab)
    text_shown = text(app)
    assert SAID[tab] in text_shown
    others = [words for name, words in SAID.items() if name != tab]
    assert not [words for words in others if words in text_shown]
    assert len(app.get("title")) == 1


@pytest.mark.parametrize("tab", SAID)
@pytest.mark.parametrize("benchmark_id", ["silent-exam", "strange"])
def test_a_benchmark_of_which_hardly_anything_is_known_says_what_is_missing(
    tab: str, benchmark_id: str, small_home: Path
) -> None:
    text_shown = text(rendered(benchmark_page, small_home, benchmark=benchmark_id, tab=tab))
    assert "no results loaded" in text_shown if benchmark_id == "silent-exam" else "not enough is known" in text_shown
    assert text_shown.count("[Unknown]**") >= 5
    assert not re.search(r"\b(until|to) not known", text_shown)


def test_no_key_of_an_indicator_reaches_the_reader(small_home: Path) -> None:
    app = rendered(benchmark_page, small_home, benchmark="exam", tab="All indicators")
    for word in ("months_since", "headroom_of", "resolution_top5", "self_reported"):
        assert word not in text(app).replace("methods#", "").split("Why this verdict")[0]
    table = indicators.rows_of(
        {
            "headroom": {
                "value": None,
                "low": None,
                "high": None,
                "n": 3,
                "status": "insufficient",
                "case": "chance_unknown",
            }
        },
        {"unit": "percent"},
    )
    assert table.select("indicator", "value", "known").rows() == [("Headroom", "Not known", False)]


def test_a_report_is_offered_where_the_operator_wants_them(small_home: Path) -> None:
    wrong.use("https://example.org/new")
    try:
        shown = markup(rendered(benchmark_page, small_home, benchmark="exam", tab="Top models"))
        assert shown.count("[Something wrong?](<https://example.org/new?title=") == 3
        assert "exam%20chart%20curve" in shown
    finally:
        wrong.use(None)
    assert "Something wrong?" not in text(rendered(benchmark_page, small_home, benchmark="exam"))


def test_six_questions_stand_in_one_order_whatever_is_known(view: View) -> None:
    asked = [question for question, _ in contamination.QUESTIONS.values()]
    for benchmark_id in ("exam", "silent-exam"):
        facts = {"benchmark_id": benchmark_id, "labels": "public", "released_on": None, "known_until": None}
        answered = contamination.answers(view, facts)
        assert [question for question, _, _ in answered] == asked
    by = dict(zip(contamination.QUESTIONS, answered, strict=True))
    assert by["cutoff_break"][1].words.startswith("not known: ")


def test_one_place_that_was_exchanged_is_one_place(tmp_path: Path) -> None:
    step = {"board_id": "arena/exam", "k": 10, "exchanged": 1, "newcomers": 0, "expected_turnover": 0.0}
    days = {"from_on": date(2025, 1, 1), "to_on": date(2025, 2, 1), "spans_breakpoint": False}
    home = publish_tables(tmp_path, {"churn": pl.DataFrame([{**step, **days}], schema=PUBLISHED["churn"])})
    (sentence,) = churn.exchange_sentences(View(Reader(home).current()), "exam")
    assert "exchanged 1 place of the top ten in 1 comparison" in sentence


@pytest.mark.parametrize(("labels", "words"), [("public", "public since Jan 2024"), ("mixed", "out since Jan 2024")])
def test_since_when_models_could_have_seen_items_is_a_month(labels: str, words: str) -> None:
    exposed = pl.DataFrame([{"level": "moderate", "status": "ok"}])
    answer = contamination.QUESTIONS["exposure"][1](None, exposed, {"labels": labels, "released_on": date(2024, 1, 9)})
    assert answer.words == f"1 of 1 could: {words}, before their training ended"


TESTED = {"status": "ok", "n": 19, "value": 0.0, "level": "unknown", "detectable": 0.33, "reason": None}
TEST = contamination.QUESTIONS["anomaly"][1]


@pytest.mark.parametrize(
    ("row", "mark", "words"),
    [
        ({}, contamination.UNKNOWN_MARK, "0 of 19 tested do, at 5% false discoveries; a leak below 33% would have"),
        ({"level": "low"}, contamination.NONE_FOUND, "0 of 19 tested do"),
        ({"detectable": None}, contamination.UNKNOWN_MARK, "any would have been missed"),
        ({"level": "moderate", "value": 2 / 19}, contamination.HINT, "2 of 19 tested do"),
        ({"level": "moderate", "value": 0.5, "n": 4}, contamination.UNKNOWN_MARK, "2 of 4 tested do"),
        ({"status": "insufficient", "reason": "why"}, contamination.UNKNOWN_MARK, "not known: why"),
    ],
)
def test_a_test_that_is_too_weak_has_found_nothing_out(row: dict[str, object], mark: str, words: str) -> None:
    answer = TEST({**TESTED, **row}, pl.DataFrame(), {})
    assert answer.mark == mark
    assert words in answer.words


def test_reports_and_declarations_are_those_of_the_answer() -> None:
    report, declared = (contamination.QUESTIONS[name][1] for name in ("report", "declared_training"))
    row = {"status": "ok", "level": "moderate", "value": 0.02, "n": 2, "reason": None}
    assert report(row, pl.DataFrame(), {}).words == "up to 2% of the items, by 2 reports"
    assert report({**row, "value": None}, pl.DataFrame(), {}).mark == contamination.HINT
    assert declared({**row, "value": 3.0}, pl.DataFrame(), {}).mark == contamination.HINT
    test = declared({**row, "value": 3.0, "level": "high"}, pl.DataFrame(), {})
    assert (test.mark, test.words) == (contamination.EVIDENCE_MARK, "the developers of 3 models name the test itself")


def test_models_are_chosen_by_weights_and_by_maker_of_whom_one_row_may_name_several() -> None:
    rows = pl.DataFrame(
        {
            "model": ["a", "b", "c", "d"],
            "organisation": ["Alpha", "Alpha, Beta", None, "Beta"],
            "open_weights": [True, False, None, True],
        }
    )
    assert top_models.models_of_choice(rows, {"weights_of": "open"})["model"].to_list() == ["a", "d"]
    assert top_models.models_of_choice(rows, {"weights_of": "closed"})["model"].to_list() == ["b"]
    assert top_models.models_of_choice(rows, {"maker": "Beta"})["model"].to_list() == ["b", "d"]
    assert top_models.models_of_choice(rows, {"maker": "Beta,Alpha", "weights_of": "open"})["model"].to_list() == [
        "a",
        "d",
    ]
    assert top_models.models_of_choice(rows, {})["model"].to_list() == ["a", "b", "c", "d"]
    with pytest.raises(ParameterError):
        top_models.models_of_choice(rows, {"weights_of": "half"})


def test_each_source_has_its_results_and_the_day_until_which_it_can_speak(view: View) -> None:
    row = sources.by_source(view, "exam").row(0, named=True)
    assert (row["source_id"], row["results"], row["versions"]) == ("exams", 30, 1)
    assert row["says"] == "measured by others"
    raw = "https://raw.githubusercontent.com/a/b/0b9a18fdeadbeef/c.csv"
    assert sources._version({"ref": "0b9a18fdeadbeef", "url": raw}) == "commit 0b9a18f"
    assert sources._version({"ref": "0b9a18fdeadbeef", "url": "https://arxiv.org"}) == "file"
    assert sources._version({"ref": "v1.2", "url": raw}) == "file"


def test_rows_that_name_papers_of_their_own_link_to_these_and_not_to_the_host_of_papers() -> None:
    row = {"kind": "paper", "homepage": "https://arxiv.org", "url": "https://arxiv.org", "ref": "cf3ac00"}
    papers = {**row, "cited": ["https://arxiv.org/abs/1", "https://arxiv.org/abs/2"]}
    assert sources._newest(papers).count("https://arxiv.org/abs/") == 2
    assert sources._source_page(papers) is None
    assert "arxiv.org/abs/3" in sources._newest({**row, "url": "https://arxiv.org/abs/3", "cited": []})


def test_what_is_lost_is_said_two_things_at_most() -> None:
    row = {"models": 10, "loses": ["fewer_models", "ranks_differently", "no_human"]}
    assert words_of_instead.losses({**row, "loses": []}, 100, 2) == []
    assert words_of_instead.losses(row, 100, 2) == [
        "10 models were measured on it, 100 here",
        "ranks models differently (tau below 0.50)",
    ]


def test_what_a_benchmark_lacks_is_said() -> None:
    row = {"models": 4, "known_until": date(2025, 3, 2), "reservations": ["not_looked", "few_models", "makers_all"]}
    assert words_of_instead.reservations(row) == [
        "no source read since Mar 2025",
        "4 models only",
        "all models' best results are their makers' own",
    ]
    assert words_of_instead.reservations({**row, "reservations": None}) == []


def test_why_one_may_stand_in_is_said() -> None:
    asked = {"construct": "word problems", "answer_kind": "short answer"}
    same = "asks for word problems as well, answered alike (short answer)"
    assert words_of_instead.reason({"why": "harder questions"}, asked) == "harder questions"
    assert words_of_instead.reason({"why": None}, asked) == same
