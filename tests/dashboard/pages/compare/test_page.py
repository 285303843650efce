"""The page that compares: what is chosen is its address, and models stand side by side without a sum."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.dashboard.pages.compare import curves, page, panel
from benchhealth.dashboard.pages.compare.curves import MOST_CURVES, chosen_ids
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from tests.support.rendered_page import markup, publish_tables, rendered, text

RANKS = pl.DataFrame(
    [
        ("exam", "a", "A", 1, 1, 2),
        ("exam", "b", "B", 2, 1, 2),
        ("exam", "c", "C", 3, 3, 3),
        ("quiz", "c", "C", 1, None, None),
        ("quiz", "a", "A", 2, None, None),
        ("quiz", "d", "D", 3, None, None),
    ],
    schema={
        "benchmark_id": pl.String,
        "model_id": pl.String,
        "model": pl.String,
        "rank": pl.Int64,
        "rank_low": pl.Int64,
        "rank_high": pl.Int64,
    },
    orient="row",
)


def test_the_address_chooses_and_what_it_names_wrongly_is_left_out(small_home: Path) -> None:
    app = rendered(page, small_home, benchmarks="hard-exam,nope,exam", clock="calendar")
    assert app.session_state["benchmarks_box"] == ["hard-exam", "exam"]
    assert app.session_state["clock_box"] == "calendar"
    assert "2 benchmarks" in text(app)


def test_open_and_closed_weights_are_apart_where_the_generation_tells_them(
    small_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = View.table

    def with_weights(view: View, name: str) -> pl.DataFrame:
        if name != curves.BY_WEIGHTS:
            return table(view, name)
        kinds = [table(view, "frontier").with_columns(weights=pl.lit(kind)) for kind in ("closed", "open")]
        return pl.concat(kinds)

    monkeypatch.setattr(View, "table", with_weights)
    app = rendered(page, small_home, benchmarks="exam,hard-exam", weights="apart")
    assert app.session_state["weights_box"] == "apart"
    assert "of 4 frontiers had reached" in text(app)
    assert "Dotted: open weights." in text(app)


def test_no_more_than_eight_are_compared() -> None:
    ids = ",".join(f"exam-{index}" for index in range(MOST_CURVES + 3))
    assert len(chosen_ids({"benchmarks": ids})) == MOST_CURVES
    assert chosen_ids({"benchmarks": "b,a,b"}) == ["b", "a"]


def test_where_nothing_is_chosen_the_page_says_what_to_do(small_home: Path) -> None:
    app = rendered(page, small_home, benchmarks=",")
    assert "Nothing is chosen." in text(app)
    assert app.title[0].value == "How fast benchmarks are used up"


def test_an_empty_generation_says_so(tmp_path: Path) -> None:
    assert "No benchmark can be compared." in text(rendered(page, publish_tables(tmp_path, {})))


def test_models_come_in_the_order_of_the_chosen_column_and_on_request_only_those_in_all() -> None:
    assert panel.in_rank_order(RANKS, "exam", on_all=False)["model"].to_list() == ["A", "B", "C", "D"]
    assert panel.in_rank_order(RANKS, "quiz", on_all=False)["model"].to_list() == ["C", "A", "D", "B"]
    assert panel.in_rank_order(RANKS, "quiz", on_all=True)["model"].to_list() == ["C", "A"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (None, "–"),
        ({"score": 0.88, "rank": 3, "rank_low": 1, "rank_high": 7}, "88% · 3 (1 to 7)"),
        ({"score": 0.88, "rank": 3, "rank_low": 3, "rank_high": 3}, "88% · 3 (3)"),
        ({"score": 0.88, "rank": 3, "rank_low": None, "rank_high": None}, "88% · 3 (error not known)"),
    ],
)
def test_a_cell_is_a_score_and_a_rank_with_those_that_its_error_leaves_open(
    cell: dict[str, object] | None, expected: str
) -> None:
    assert panel.cell_text(cell, "fraction") == expected


def test_the_name_of_a_benchmark_heads_its_column_as_it_is_written() -> None:
    columns = panel._model_rows(["tau2-Bench", "MMLU"])
    assert [column["label"] for column in columns.values()] == ["Model", "tau2-Bench", "MMLU"]


def test_the_panel_takes_each_rank_from_one_board_as_it_was_last_seen(small_home: Path) -> None:
    generation.use(small_home)
    view = generation.current()
    rows = panel.ranked_models(view, ["exam", "hard-exam", "silent-exam"])
    assert set(rows["benchmark_id"]) <= {"exam", "hard-exam"}
    ranks = view.query("SELECT board_id, max(observed_at)::DATE AS observed_on FROM rank GROUP BY board_id")
    for (_,), of_one in rows.group_by("benchmark_id"):
        assert of_one["board_id"].n_unique() == 1
        assert of_one["model_id"].is_unique().all()
    last = rows.select("board_id", "observed_on").unique()
    assert last.join(ranks, on=["board_id", "observed_on"], how="anti").is_empty()


def test_the_panel_says_of_how_many_and_asks_for_those_in_all(small_home: Path) -> None:
    app = rendered(page, small_home, benchmarks="exam,hard-exam", whole="1")
    text_shown = text(app)
    assert "models" in text_shown and "a rank on both benchmarks" in text_shown
    assert "csv/panel?benchmarks=exam%2Chard-exam" in markup(app)


def test_two_models_are_compared_over_what_both_have_where_the_address_names_them(small_home: Path) -> None:
    app = rendered(page, small_home, benchmarks="exam,hard-exam", model="model-30", other="model-3")
    assert "The two differ beyond error" in text(app)
    assert "that both have under the same condition" in text(app)
    one = rendered(page, small_home, benchmarks="exam,hard-exam", model="model-30")
    assert "Two models are compared." in text(one)
    assert "holds no model `nope`" in markup(rendered(page, small_home, model="model-30", other="nope"))
    apart = rendered(page, small_home, model="chat-1", other="model-3")
    assert "They have no curated benchmark in common under the same condition." in text(apart)


def test_the_choice_of_two_models_is_closed_where_the_address_names_none(small_home: Path) -> None:
    app = rendered(page, small_home, benchmarks="exam,hard-exam")
    assert page.LINE in {one.label for one in app.expander}
    assert "model_box" not in app.session_state
