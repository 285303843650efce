"""Rank churn's sections about the top: stays, movement and boards of many tasks, and what they say of nothing."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.churn.dwell import dwell, volatility
from analytics.multi_task.boards import multi_task_boards
from analytics.multi_task.first_place import many_tasks
from analytics.record.tables import PUBLISHED, empty
from dashboard.pages.churn import page as churn
from dashboard.pages.churn import tables as churn_tables
from dashboard.pages.churn.figures import top_ranks
from dashboard.published import generation
from dashboard.published.tables import ParameterError
from dashboard.words.text import count
from tests.support.drawn import drawn, published, text
from tests.support.frames import frames, result

BOARD = "lab/exam"


def ranks() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    rows = [
        (BOARD, datetime(2024, 1, 1) + timedelta(days=5 * at), f"m{model}", place, 1, place, 1.0, "as reported")
        for at in range(30)
        for place, model in enumerate(rng.permutation(24).tolist(), start=1)
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["rank"], orient="row")


def tables() -> dict[str, pl.DataFrame]:
    rank, none = ranks(), empty("breakpoint")
    merit = np.random.default_rng(1).random((12, 4))
    facts = frames([result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12)])
    return {
        "rank": rank,
        "dwell": dwell(rank, none, empty("board")),
        "volatility": volatility(rank, none),
        **many_tasks(multi_task_boards(facts))._asdict(),
    }


def shown(home: Path, made: Mapping[str, pl.DataFrame], **query: str) -> AppTest:
    return drawn(churn, published(home, made), **query)


def test_the_page_says_how_long_stays_last_and_what_first_place_hangs_on(tmp_path: Path) -> None:
    said = text(shown(tmp_path, tables(), board=BOARD))
    assert "half of the stays that were seen to begin last longer than" in said
    assert "Within a month a model moves on average" in said
    assert "Leave out" in said
    assert "with ties corrected" in said
    view = generation.current()
    assert churn_tables.stays(view, {"board": BOARD})["k"].unique().sort().to_list() == [1, 3, 10]
    assert churn_tables.many_tasks(view, {}).height == 1
    assert churn_tables.subsets(view, {"tasks": "lab/many"}).height == 2
    with pytest.raises(ParameterError):
        churn_tables.subsets(view, {"tasks": "nothing"})
    with pytest.raises(ParameterError):
        churn_tables.stays(view, {})


def test_each_section_says_what_is_missing(tmp_path: Path) -> None:
    said = text(shown(tmp_path, {"rank": ranks().head(24)}, board=BOARD))
    for missing in ("Too few stays at the top", "No two months of this board", "task by task"):
        assert missing in said


def test_sentences_about_subsets() -> None:
    row = {
        "order_by": "mean score",
        "first": "oak",
        "challenger": "elm",
        "left_out": ["exam/a", "exam/b"],
        "of": 5,
        "flips": 3,
    }
    assert top_ranks.subset_sentence(row).startswith(
        "Leave out 2 tasks of 5 (a, b) and elm is above oak, which is first by mean score"
    )
    none = {**row, "order_by": "win rate", "challenger": None}
    assert top_ranks.subset_sentence(none) == "No choice of other models takes first place by mean win rate from oak."
    many = top_ranks.subset_sentence({**row, "order_by": "win rate", "left_out": [f"m{at}" for at in range(9)]})
    assert "m5 …" in many
    assert "m6" not in many


def test_figures_hold_every_depth_band_and_board() -> None:
    made = tables()
    stays = made["dwell"].sort("k", "days")
    assert len(top_ranks.stays_figure(stays).data) == 9
    assert "left out" in top_ranks.stays_alt(stays)
    assert len(top_ranks.movement_figure(made["volatility"]).data[0].x) == made["volatility"].height
    assert "gone" in top_ranks.movement_alt(made["volatility"])
    lasting = stays.filter(k=1).with_columns(share=1.0, low=1.0, high=1.0)
    watch = (date(2024, 1, 1), date(2025, 1, 1))
    watched = count(int(lasting["at_risk"][0]), "stay")
    assert top_ranks.stays_finding(lasting, watch) == (
        f"Between 2024-01-01 and 2025-01-01, more than half of those in first place ({watched}) outlast what was "
        "watched"
    )
    both = top_ranks.stays_finding(pl.concat([stays.filter(k=1), lasting.with_columns(k=pl.lit(10, pl.Int64))]), watch)
    assert f"in first place ({watched}); more than half of those in the top 10 ({watched}) outlast" in both
