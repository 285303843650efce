"""The page that says what changed, the lines it is made of, and the card and line on other pages."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.changes import page as changes
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.published.happened import months
from benchhealth.dashboard.widgets import changed
from benchhealth.dashboard.words.happened import months as words
from benchhealth.dashboard.words.happened.changes import what_changed
from tests.support.facts import benchmark, registry
from tests.support.rendered_page import publish_tables, rendered, text

DAY = date(2025, 1, 3)
HOSTILE = "<b>Best</b> *exam* [here](javascript:alert(1))"


def row(kind: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any cell
    return {"made_on": DAY, "kind": kind, "benchmark_id": "exam", "against": "gen-20250102T040000Z-000001", **more}


ROWS = [
    row("stage", before="compressing", after="saturated", value=0.09, text="12 more models on record"),
    row("flag", after="dormant", text="newly flagged"),
    row("leader", board_id="lab/exam", after="oak", beyond_noise=False, n=3, text="Oak is first since 1 Jan 2025"),
    row("rules", benchmark_id=None, before="1", after="2", text="judged by version 2"),
    row("held", benchmark_id=None, source_id="lab", after="held", text="the newest version drifts too far"),
    row("results", benchmark_id=None, source_id="lab", n=12, on_day=DAY, text="12 new results"),
    row(
        "best",
        model_id="oak",
        beyond_noise=True,
        text="Oak holds the best score",
        value_before=0.7,
        low_before=0.69,
        high_before=0.71,
        value=0.8,
        low=0.79,
        high=0.81,
    ),
    row("flag", against="gen-20250101T040000Z-000000", before="gap", text="no longer flagged"),
]


JUNE = date(2026, 6, 16)
SCORES = {"value_before": 0.7, "low_before": 0.69, "high_before": 0.71, "value": 0.8, "low": 0.79, "high": 0.81}


def dated(kind: str, on: date = JUNE, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any cell
    return {"on_day": on, "kind": kind, "benchmark_id": "exam", **more}


DATED = [
    dated("stage", before="emerging", after="discriminating", value=0.4, text="there is room"),
    dated("stage", benchmark_id="exam/part", before="emerging", after="discriminating", text="there is room"),
    dated("stage", benchmark_id="wild", before="emerging", after="saturated", text="nothing is left"),
    dated("best", model_id="oak", before="elm", after="oak", beyond_noise=True, corroboration="claimed", **SCORES),
    dated("leader", board_id="lab/exam", after="oak", beyond_noise=True, late=False, text="Oak is first"),
    dated("leader", date(2026, 8, 17), board_id="lab/exam", after="elm", beyond_noise=True, late=True, text="found"),
    dated("break", board_id="lab/exam", after="names", text="names moved"),
    dated("break", benchmark_id="quiz", board_id="lab/quiz", after="names", text="names moved"),
    dated("benchmark", benchmark_id="lab/newest", text="came out", after="unknown"),
    dated(
        "silent",
        date(2026, 7, 2),
        benchmark_id=None,
        source_id="lab",
        after="nothing_new",
        text="nothing new since then",
    ),
    dated("stage", date(2013, 5, 2), before="unknown", after="emerging", text="first results"),
]


def home(folder: Path, rows: list[dict[str, Any]], by_day: list[dict[str, Any]] = DATED) -> Path:
    named = [
        benchmark("exam", HOSTILE, released_on=date(2012, 1, 1)),
        benchmark("quiz", "Quiz"),
        benchmark("exam/part", "A part"),
    ]
    tables = {
        "change": pl.DataFrame(rows, schema=PUBLISHED["change"]),
        "dated_change": pl.DataFrame(by_day, schema=PUBLISHED["dated_change"]),
    }
    return publish_tables(folder, tables, registry(named))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return home(tmp_path_factory.mktemp("changes"), ROWS)


@pytest.fixture
def view(made: Path) -> View:
    generation.use(made)
    return generation.current()


SUMMER = "2026-06..2026-08"


def test_the_months_of_an_address_are_counted_and_listed(made: Path) -> None:
    app = rendered(changes, made, month=SUMMER)
    text_shown = text(app)
    assert "Folded: 1 part of the same families." in [box.label for box in app.expander]
    assert "Summer 2026: the one new best score is beyond error, none measured by others" in text_shown
    assert "1 benchmark changed stage, none became saturated." in text_shown
    assert "A best score is over all leaderboards of a benchmark, a first place on one." in text_shown
    assert "The one new first place is beyond error on its leaderboard" in text_shown
    assert "Beyond error: the one before cannot be first there any more." in text_shown
    for line in (
        "too new → still measuring: there is room",
        "Oak is first, beyond its error",
        "1 more first place came to light when a source was read after a gap",
        "names moved and 1 more board",
        "came out",
        "1 source without news",
        "nothing new since then",
    ):
        assert line in text_shown, line
    assert "nothing is left" not in text_shown, "nobody curated it"
    assert "nothing is left" in text(rendered(changes, made, month=SUMMER, uncurated="true"))


def test_a_benchmark_that_changed_stage_twice_is_counted_so(view: View) -> None:
    changed_once = months.changes_in(view, months.Span(date(2026, 6, 1), date(2026, 8, 1)))
    assert words.stages_title(changed_once) == "1 can tell models apart now"
    back = changed_once.stages.with_columns(after=pl.lit("compressing"))
    twice = changed_once._replace(stages=pl.concat([changed_once.stages, back]))
    assert words.stages_title(twice) == "1 can tell models apart now and 1 began to run out; 1 changed again"


def test_a_source_that_fell_silent_twice_is_listed_once(tmp_path: Path) -> None:
    twice = [row | {"on_day": date(2026, 6, 2)} for row in DATED if row["kind"] == "silent"]
    generation.use(home(tmp_path, ROWS, [*DATED, *twice]))
    changed = months.changes_in(generation.current(), months.Span(date(2026, 6, 1), date(2026, 8, 1)))
    assert changed.silent["on_day"].to_list() == [date(2026, 7, 2)]


def test_a_month_without_a_change_says_so(made: Path) -> None:
    text_shown = text(rendered(changes, made, month="2013-06"))
    assert "Nothing changed in June 2013; 1 curated benchmark had come out" in text_shown
    assert "1 benchmark changed stage" in text(rendered(changes, made, month="2013-05"))


def test_an_address_that_names_no_month_shows_the_newest(made: Path, view: View) -> None:
    assert rendered(changes, made, month="soon").title[0].value
    with pytest.raises(ParameterError, match="such as 2026-07"):
        changes.BEST.of(view, {"month": "soon"}, LIGHT)
    with pytest.raises(ParameterError, match="after the last"):
        changes.BEST.of(view, {"month": "2026-08..2026-06"}, LIGHT)


def test_arrows_step_a_month_and_the_address_says_so(made: Path) -> None:
    app = rendered(changes, made, month="2013-05")
    app.button(key="month_right").click().run()
    assert app.query_params["month"] == "2013-06"
    assert "Nothing changed in June 2013" in text(app)
    assert app.button(key="month_left").disabled is False


def test_the_last_edition_counts_and_says_each_change(made: Path) -> None:
    text_shown = text(rendered(changes, made, uncurated="true", period="edition"))
    assert "1 benchmark moved; the one new best score is beyond error" in text_shown
    assert "It added 12 results of 1 source" in text_shown
    assert "against the generation made on 2 Jan 2025 at 04:00" in text_shown
    for line in (
        "running out → saturated: 12 more models on record",
        "1 newly flagged *no new results*",
        "Oak is first since 1 Jan 2025, within its error, 3 tied for first",
        "the newest version drifts too far",
        "judged by version 2",
    ):
        assert line in text_shown
    assert "a twin scores lower" not in text_shown


def test_one_benchmark_can_be_asked_for(made: Path) -> None:
    text_shown = text(rendered(changes, made, benchmark="exam"))
    assert "6 dated changes of" in text_shown
    assert "running out → saturated: 12 more models on record" in text_shown
    assert "drifts too far" not in text_shown
    assert "1 dated change of Quiz" in text(rendered(changes, made, benchmark="quiz"))
    assert "Nothing changed." in text(rendered(changes, made, benchmark="exam/nowhere"))


def test_a_first_edition_is_compared_with_none_and_says_so(tmp_path: Path) -> None:
    text_shown = text(rendered(changes, home(tmp_path, []), month=SUMMER, period="edition"))
    assert "Since the last generation: none yet" in text_shown
    assert "Summer 2026" in text_shown


def test_where_only_uncurated_benchmarks_changed_the_edition_says_so(tmp_path: Path) -> None:
    made = home(tmp_path, [row("stage", benchmark_id="lab/unknown", text="new")])
    text_shown = text(rendered(changes, made, period="edition"))
    assert "No curated benchmark changed in the last generation" in text_shown
    assert "switch on “Uncurated too”" in text_shown


def test_best_scores_are_drawn_with_what_they_were(view: View) -> None:
    chart = changes.BEST.of(view, {"period": "edition", "uncurated": "1"}, LIGHT)
    assert isinstance(chart, Chart)
    assert chart.title == "1 new best score; the one known error is passed"
    assert chart.rows.select("value_before", "value").row(0) == (0.7, 0.8)
    by_month = changes.BEST.of(view, {"month": SUMMER}, LIGHT)
    assert isinstance(by_month, Chart)
    assert by_month.title == "A maker alone stands behind the one new best score beyond error"
    assert by_month.rows["corroboration"].to_list() == ["claimed"]
    assert isinstance(changes.BEST.of(view, {"month": "2013-05"}, LIGHT), Nothing)


def test_a_page_about_one_benchmark_has_a_line(view: View) -> None:
    sentence = changed.of_one(view, "exam")
    assert sentence.startswith("**Changed on 3 Jan 2025:** ")
    assert "and 2 more changes" in sentence
    assert "feed.xml?benchmark=exam" in sentence
    assert changed.of_one(view, "quiz") == ""


def test_published_names_stay_text(view: View) -> None:
    rows = changes.rows_of(view, {"benchmark": "exam"}).filter(kind="stage").to_dicts()
    assert rows
    for line in map(changed.change_line, rows):
        assert "](javascript" not in line
        assert "<b>" not in line


def test_the_digest_of_a_month_names_what_is_beyond_error_and_counts_the_rest(view: View) -> None:
    of_june = months.changes_in(view, months.span_of("2026-06", None))
    lines = dict(words.digest(of_june, of_june))
    assert lines["Stages"].endswith("is still measuring, was too new.")
    assert "70% → 80% by" in lines["Best scores"]
    assert "(its maker alone)" in lines["Best scores"]
    assert list(lines)[-1] == "Data to"
    of_past = months.changes_in(view, months.span_of("2013-06", None))
    assert dict(words.digest(of_past, of_past))["Nothing"] == "No change of these months is on record."


def test_a_digest_says_of_how_many_changes_it_may_pass_on_some(view: View) -> None:
    every = months.changes_in(view, months.span_of("2026-06", None))
    lines = dict(words.digest(every._replace(best=every.best.clear()), every))
    assert lines["Best scores"] == "Of 1 new best score none may be passed on."
    assert "passed on" not in lines["First places"]


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.integers(-400, 400), st.integers(0, 40))
def test_months_are_counted_and_written_the_same(day: date, step: int, longer: int) -> None:
    first = months.months_later(day, 0)
    span = months.Span(first, months.months_later(first, longer))
    assert months.span_of(span.address, None) == span
    assert span.months == longer + 1
    assert span.moved(step).moved(-step) == span
    assert span.until > span.last


def test_a_first_place_beyond_the_error_of_the_last_first_may_still_be_tied_with_others() -> None:
    lead = {
        **dict.fromkeys(PUBLISHED["dated_change"]),
        "kind": "leader",
        "text": "Oak is first",
        "title": "Lab: boards",
    }
    said = {n: what_changed({**lead, "beyond_noise": True, "n": n}) for n in (1, 3)}
    assert said[3] == "on Lab, Oak is first, beyond its error, but 3 tied for first"
    assert said[1] == "on Lab, Oak is first, beyond its error"
    assert what_changed({**lead, "beyond_noise": False, "n": 3}).endswith("within its error, 3 tied for first")


def test_a_score_before_that_may_not_leave_is_not_called_unknown() -> None:
    best = {"kind": "best", "text": "oak", "unit": "percent", "value_before": None, "value": 0.9, "beyond_noise": True}
    assert what_changed(best) == "best score of all leaderboards not passed on → 90%, beyond its error: oak"
