"""The Aging page: curves, half-lives, the naive count beside the estimate, and what it says where there is nothing."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.lives import OVERALL
from analytics.survival import survival
from analytics.tables import PUBLISHED
from dashboard import ages, generation
from dashboard.figures import survival as drawing
from dashboard.page import ParameterError
from tests.dashboard.small import NOW
from tests.warehouse.builders import derived, registry
from warehouse.load import load
from warehouse.publish import publish
from warehouse.store import Store


def curves() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    end = rng.uniform(5, 100, 40)
    return survival(
        pl.DataFrame(
            {
                "benchmark_id": [f"benchmark-{at}" for at in range(40)],
                "entry": 0.0,
                "exit": end,
                "died": (end < 60).tolist(),
                "cohorts": [[OVERALL, f"domain: {'code' if at % 2 else 'math'}"] for at in range(40)],
            }
        )
    )


def shown(home: Path, tables: Mapping[str, pl.DataFrame], **query: str) -> AppTest:
    nothing = registry()
    with Store.open(home):
        pass
    publish(home, nothing, load(home, nothing, NOW), {**derived(), **tables}, NOW)
    generation.use(home)
    app = AppTest.from_string("from dashboard.pages.aging import render\nrender()", default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def text(app: AppTest) -> str:
    return "\n".join(block.value for kind in ("title", "subheader", "markdown") for block in app.get(kind))


def test_says_what_is_missing_where_there_is_nothing(tmp_path: Path) -> None:
    assert "No survival curve" in text(shown(tmp_path, {"survival": pl.DataFrame(schema=PUBLISHED["survival"])}))


def test_shows_the_half_life_and_what_counting_the_dead_alone_would_say(tmp_path: Path) -> None:
    said = text(shown(tmp_path, {"survival": curves()}))
    assert "Half of all benchmarks are saturated" in said
    assert "Counting only the benchmarks that saturated" in said


def test_the_address_chooses_what_is_compared(tmp_path: Path) -> None:
    app = shown(tmp_path, {"survival": curves()}, by="domain")
    assert {box.key: box.value for box in app.selectbox}["by"] == "domain"
    assert "math" in text(app)
    view = generation.current()
    assert ages.parts(view) == [OVERALL, "domain"]
    assert set(ages.curves(view, {"by": "domain"})["cohort"]) == {"domain: code", "domain: math"}
    with pytest.raises(ParameterError):
        ages.curves(view, {"by": "nothing"})
    halves = ages.half_lives(view, {})
    assert halves.height == 4
    assert halves.filter(cohort=OVERALL)["at_12"].item() > halves.filter(cohort=OVERALL)["at_48"].item()


def test_at_most_six_curves_are_drawn_and_the_words_say_so() -> None:
    one = curves().filter(cohort=OVERALL)
    many = pl.concat([one.with_columns(cohort=pl.lit(f"domain: number {at}")) for at in range(9)])
    assert len(drawing.drawn_cohorts(many)) == 6
    assert "3 cohorts" in drawing.alt_text(many)
    assert len(drawing.figure(many).data) == 18
    alive = one.with_columns(share=1.0, low=1.0, high=1.0)
    assert drawing.finding(alive.with_columns(cohort=pl.lit("domain: code"))) == "Half of no cohort is saturated yet"
    assert drawing.contrast(pl.DataFrame(schema=PUBLISHED["survival"])) is None
