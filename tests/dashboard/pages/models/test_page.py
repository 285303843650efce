"""Models drawn whole: one, two beside each other, the list, and what is said where there is nothing."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.corroboration.classes import CLASSES, CONFIRMED
from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.figures.by_benchmark.row_chart import INSIDE, LONG_NAME, labels
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import ONLY_NARROW
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.models import below, listing, page
from benchhealth.dashboard.pages.models.figures import behind_best
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import models, pair, positions
from benchhealth.dashboard.published.twin_pairs import in_setting
from benchhealth.dashboard.widgets.shared import TWO_MODELS
from benchhealth.dashboard.words import models as words
from benchhealth.dashboard.words.models import distance, gap_text, rank_text
from benchhealth.dashboard.words.numbers import UNKNOWN
from benchhealth.warehouse.reader import Reader
from tests.support.rendered_page import markup, publish_tables, rendered, text
from tests.support.small_generation import FORMULA, HOSTILE


@pytest.fixture(scope="module")
def view(small_home: Path) -> View:
    return View(Reader(small_home).current())


def test_without_a_model_the_newest_are_listed(small_home: Path) -> None:
    app = rendered(page, small_home)
    assert "models have results on 3 curated benchmarks or more" in text(app)
    assert [one.label for one in app.get("selectbox")] == ["Find a model", "Maker"]


def test_without_any_the_page_says_so(tmp_path: Path) -> None:
    assert "No model has results on enough curated benchmarks" in text(rendered(page, publish_tables(tmp_path, {})))


def test_one_model_is_held_against_the_best_of_its_day_and_of_today(small_home: Path) -> None:
    then, now = (text(rendered(page, small_home, model="model-30", **more)) for more in ({}, {"clock": "now"}))
    assert "was the best of its day on" in then and "is the best on" in now
    for chart in (then, now):
        assert "Where is nobody ahead of it?" in chart and "Who measured?" in chart
        assert "published number" in chart


@pytest.mark.parametrize(
    ("released_on", "summary", "said"),
    [
        (date(2023, 6, 13), {"n": 12, "best": 4, "beyond": 0}, "was the best of its day on 4 of 12 benchmarks"),
        (date(2023, 6, 13), {"n": 0, "best": 0, "beyond": 0}, ": too few other models by then"),
        (None, {"n": 0, "best": 0, "beyond": 0}, ": its release is not known"),
    ],
)
def test_a_model_is_best_of_those_benchmarks_where_others_can_be_compared(
    released_on: date | None, summary: dict[str, int], said: str
) -> None:
    facts = {"name": "Oak", "released_on": released_on}
    assert said in words.title(facts, {"benchmarks": 23, **summary}, "then")


def test_two_models_are_told_apart_or_not(small_home: Path, view: View) -> None:
    text_shown = text(rendered(page, small_home, model="model-30", other="model-3"))
    rows = pair(view, "model-30", "model-3")
    apart = rows.filter(rows["ahead"].is_in(["first", "other"])).height
    assert f"differ beyond error on {apart} of {rows.height}" in text_shown
    assert apart > 0
    turned = pair(view, "model-3", "model-30")
    assert turned.filter(turned["ahead"] == "first").height == rows.filter(rows["ahead"] == "other").height


@pytest.mark.parametrize("query", [{"model": "<script>no"}, {"model": "model-3", "other": "<script>no"}], ids=len)
def test_an_unknown_model_is_said_to_be_unknown(query: dict[str, str], small_home: Path) -> None:
    assert "holds no model `<script>no`" in markup(rendered(page, small_home, **query))


@pytest.mark.parametrize(("model_id", "name"), [("hostile", HOSTILE), ("formula", FORMULA)])
def test_names_that_try_to_be_markup_are_read_as_they_are(model_id: str, name: str, small_home: Path) -> None:
    app = rendered(page, small_home, model=model_id, other="model-3")
    assert name.split(maxsplit=1)[0] in text(app)
    assert name not in markup(app)


def test_charts_say_what_is_missing(view: View) -> None:
    chart = page.STANDING.of(view, {"model": "chat-1"}, LIGHT)
    assert isinstance(chart, Chart), "the arena has no ceiling: rows without marks"
    assert chart.rows["benchmark_id"].to_list() == ["arena"]
    assert isinstance(TWO_MODELS.of(view, {"model": "chat-1", "other": "model-3"}, LIGHT), Nothing)


def test_what_is_drawn_is_what_the_rows_say(view: View) -> None:
    chart = page.STANDING.of(view, {"model": "model-30", "clock": "now"}, LIGHT)
    assert isinstance(chart, Chart)
    marks = next(trace for trace in chart.figure.data if trace.mode == "markers")
    drawn_ = dict(zip([one[0] for one in marks.customdata], marks.x, strict=True))
    behind = dict(chart.rows.select("benchmark_id", "behind_now").iter_rows())
    assert drawn_ and all(value == pytest.approx(100 * behind[name]) for name, value in drawn_.items())
    assert len(marks.y) == len(set(marks.y))


def test_headings_hide_the_line_behind_them_and_a_phone_says_what_has_no_mark(view: View) -> None:
    figure = page.STANDING.of(view, {"model": "chat-1"}, LIGHT)
    assert isinstance(figure, Chart)
    written = figure.figure.layout.annotations
    (heading,) = (note for note in written if note.text.startswith("<b>"))
    assert heading.bgcolor == LIGHT.paper
    on_phone = [note.text for note in written if note.opacity == ONLY_NARROW]
    assert len(on_phone) == figure.rows.height and all(re.fullmatch(r"[\d.,]+ (behind|ahead)", it) for it in on_phone)


def test_a_list_has_no_empty_cell_for_what_is_not_known() -> None:
    gaps = {f"seen_{end}": pl.Series([None, 0.1], dtype=pl.Float64) for end in ("gap", "low", "high")}
    assert listing._gaps(pl.DataFrame(gaps), "seen") == [UNKNOWN, "10 points behind (10)"]
    assert below._decimal(None) == "–"


def test_the_day_of_a_model_without_release_is_explained_where_one_is_meant() -> None:
    facts = {"organisation": "Oak", "open_weights": None, "released_on": None}
    assert words.model_line(facts) == "Oak · weights not known · release not known"
    assert words.model_line(facts, has_day=True).endswith("release not known, so its day is that of each result")
    released = facts | {"released_on": date(2024, 2, 1)}
    assert words.model_line(released, has_day=True) == "Oak · weights not known · out since Feb 2024"


def test_no_bar_leaves_the_chart_or_reaches_the_scores(view: View) -> None:
    for chart in (
        page.STANDING.of(view, {"model": "model-30"}, LIGHT),
        TWO_MODELS.of(view, {"model": "model-30", "other": "model-3"}, LIGHT),
    ):
        assert isinstance(chart, Chart)
        low, high = chart.figure.layout.xaxis.range
        ends = [end for trace in chart.figure.data if trace.mode == "lines" for end in trace.x]
        column = low + (high - low) / (1 + INSIDE)
        assert ends and low <= min(ends) and max(ends) <= column + 1e-9


def test_medians_say_what_they_leave_out_and_between_what_they_lie() -> None:
    rows = pl.DataFrame({"unit": ["percent"] * 4 + ["rating"], "behind_then": [0.1, 0.0, 0.2, None, -30.0]})
    row = {
        "n_seen": 1, "n_fresh": 1, "seen_low": 0.0, "seen_high": 0.112, "fresh_low": None, "fresh_high": None,
        "seen_gap": 0.05, "fresh_gap": 0.2, "benchmarks": 5,
    }  # fmt: skip
    assert behind_best.title(row) == (
        "Median: 5 points behind (0 to 11) on 1 it could have seen, 20 points behind on 1 fresh or private"
    )
    sentence = behind_best.medians(rows, row, "then")
    assert "over 2 of these benchmarks" in sentence
    assert "Too few for an interval of each" in sentence
    assert "with 95% intervals" in behind_best.medians(rows, row | {"fresh_low": 0.1, "fresh_high": 0.3}, "then")
    assert (
        "Left out are 1 with too few other models, 1 with unknown exposure and 1 in other units (ahead on 1)"
        in sentence
    )
    withheld = behind_best.medians(rows.head(2), row, "then")
    assert "2 of 5 benchmarks" in withheld and "3 of them may not be passed on" in withheld
    assert not behind_best.medians(rows, {"n_seen": 0, "n_fresh": 0}, "then")


def test_what_is_not_told_apart_is_so_once_all_are_counted() -> None:
    assert two_models.why_within_error(pl.DataFrame({"q_value": [0.05, 0.2, None]})) == (
        "not beyond error once all 2 tested are counted"
    )


def test_every_model_is_on_record_once(view: View) -> None:
    rows = models(view)
    assert rows["model_id"].n_unique() == rows.height == view.table("model").height
    assert positions(view, "model-30")["benchmark_id"].n_unique() == positions(view, "model-30").height


def test_words_of_a_place() -> None:
    assert rank_text({"rank": 3, "rank_low": None, "rank_high": None}) == "3, no error"
    assert rank_text({"rank": 3, "rank_low": 1, "rank_high": 1_200}) == "1 to 1,200"
    assert (gap_text(None), gap_text(0.0), gap_text(0.031)) == ("", "level with the best", "3.1 points behind")
    assert distance(-0.05, "percent") == "5 points ahead of"
    assert distance(32.0, "rating") == "32 rating points behind"


def test_names_that_would_be_alike_keep_more() -> None:
    named = labels(["FrontierMath, tiers 1 to 3", "FrontierMath, tier 4", "MMLU (5-shot)"])
    assert len(set(named.values())) == 3
    assert named["MMLU (5-shot)"] == "MMLU"


def test_names_that_are_cut_are_not_alike() -> None:
    parts = [f"ImageNet, the 200 classes of ImageNet-{part}" for part in "AR"]
    long = ["LiveBench reasoning: zebra puzzles, hard", "LiveBench reasoning: zebra puzzles of old, hard"]
    named = labels([*parts, *long, "ImageNet-A (natural adversarial examples)"])
    assert len(set(named.values())) == 5
    assert all(len(name) <= LONG_NAME for name in named.values())
    assert [named[part][-1] for part in parts] == ["A", "R"]


POSITIONS = st.lists(
    st.fixed_dictionaries(
        {
            "behind_then": st.none() | st.sampled_from([-0.1, 0.0, 0.2]),
            "behind_now": st.none() | st.sampled_from([-0.1, 0.0, 0.2]),
            "reporter": st.sampled_from(["self", "others", "both", None]),
            "known_until": st.none() | st.dates(date(2024, 1, 1), date(2026, 8, 22)),
            "fate": st.none() | st.sampled_from(CLASSES),
        }
    ),
    min_size=1,
    max_size=30,
)


@given(POSITIONS, st.sampled_from(["then", "now"]))
def test_what_is_said_of_what_a_model_leads_holds_for_any_model(row_list: list[dict[str, Any]], clock: str) -> None:
    """Counted again row by row: what others measured and what nobody else did are all that it leads."""
    schema = {"behind_then": pl.Float64, "behind_now": pl.Float64, "reporter": pl.String, "known_until": pl.Date}
    rows = pl.DataFrame([{key: row[key] for key in schema} for row in row_list], schema=schema)
    named = rows.with_columns(benchmark_id=pl.Series([f"b{index}" for index in range(len(row_list))], dtype=pl.String))
    fates = {f"b{index}": row["fate"] for index, row in enumerate(row_list) if row["fate"]}
    sentence = words.lead(named, fates, clock)
    led = [row for row in row_list if row[f"behind_{clock}"] is not None and row[f"behind_{clock}"] <= 0]
    alone = [row for row in led if row["reporter"] in {"self", None}]
    measured = len(led) - len(alone)
    self_reported = sum(row["reporter"] == "self" for row in row_list)
    assert (f"{len(led)} benchmark" in sentence and ", of which others" in sentence) == bool(led)
    assert not led or f"others measured {measured or 'none'}" in sentence
    assert (f"on {len(alone)} nobody else did" in sentence) == bool(alone)
    assert f"Of the {len(row_list)} curated benchmark" in sentence
    assert f"its maker alone reports {self_reported or 'none'}" in sentence
    agreed = sum(row["fate"] == CONFIRMED and row["reporter"] in {"others", "both"} for row in led)
    assert (f"{agreed} as high as its maker" in sentence) == bool(agreed)
    assert sentence.endswith(".")
    assert "None" not in sentence


@pytest.mark.parametrize(
    ("original", "other", "named"),
    [
        ("Code, instruct", "Code-Hard, instruct", "Code, instruct → Code-Hard, instruct"),
        ("Arena", "Arena text: hard prompts", "Arena → Arena text: hard prompts"),
        ("Quiz", "Quiz, fresh sample", "Quiz: fresh sample"),
        ("Photos 2012 (val used as test)", "Photos-A (adversarial examples)", "Photos 2012 → Photos-A"),
        ("Board 1: sums", "Board 2 (new): sums", "Board 1: sums → Board 2: sums"),
    ],
)
def test_the_sides_of_a_twin_are_named_once(original: str, other: str, named: str) -> None:
    rows = pl.DataFrame([{"original_name": original, "other_name": other, "kind": "fresh sample"}])
    all_names = [original, other, "Code, complete", "Code-Hard, complete"]
    assert below._pair_texts(rows, all_names) == [named]


def test_what_the_title_speaks_of_is_listed_before_twins_that_are_not_tested() -> None:
    rows = pl.DataFrame(
        {
            "twin_id": ["a", "b", "c", "d", "e"],
            "flagged": [None, False, True, False, None],
            "residual": [None, -1.0, -4.0, 3.0, None],
        }
    )
    assert below.most_telling_first(rows)["twin_id"].to_list() == ["c", "d", "b", "a", "e"]


def test_of_several_results_on_a_twin_each_names_its_setting() -> None:
    rows = pl.DataFrame({"twin_id": ["a", "a", "b"], "model_id": ["oak"] * 3, "setting": ["crop 0.9", "", "crop 0.9"]})
    assert rows.select(in_setting())["in_setting"].to_list() == [" (crop 0.9)", " (setting not stated)", ""]
