"""Official feeds that could not be reached: read in the form that is documented, held in any other."""

import io
import json
from collections.abc import Mapping

import polars as pl
import pytest

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.rows import PayloadError, UnknownFormError
from benchhealth.ingest.run.web.walk import editions
from benchhealth.ingest.sources.lmarena_dataset import ARENAS, COLUMNS, DAY
from benchhealth.pipeline.night import _chosen_sources
from tests.ingest.sources.payload_rows import BY_KEY, resolved

ENTRY = {"rank": 1, "modelId": "alder/Alder-2", "value": 80.5, "verified": False}


def board(**changed: object) -> pl.DataFrame:
    """A Parquet table as others read it: two models on two days, one category and the whole."""
    days = ["2025-05-01", "2025-05-01", "2025-05-01", "2025-05-02"]
    columns: Mapping[str, object] = {
        "model_name": ["alder-2", "birch-5", "alder-2", "alder-2"],
        "organization": ["alder", "birch", "alder", "alder"],
        "license": ["Proprietary", "MIT", "Proprietary", "Proprietary"],
        "rating": [1400.125, 1300.0, 1380.0, 1402.5],
        "rating_lower": [1396.205, None, 1376.0, 1398.0],
        "rating_upper": [1404.045, None, 1384.0, 1406.0],
        "variance": [4.0, None, 4.0, 4.0],
        "vote_count": [5000, 120, 300, 5200],
        "rank": [1, 2, 1, 1],
        "category": ["overall", "overall", "math", "overall"],
        DAY: days,
    }
    return pl.DataFrame({**columns, **changed})


def versions(table: pl.DataFrame) -> list[bytes]:
    out = io.BytesIO()
    table.write_parquet(out)
    return [body for _, body in editions(out.getvalue(), DAY)]


def test_the_arenas_history_is_read_day_by_day() -> None:
    first, second = (resolved("lmarena-dataset", "text", body) for body in versions(board()))
    assert first.results.select("benchmark_id", "model_id", "score", "std_error", "n_items").rows() == [
        ("lmarena-text-bt", "alder-2", 1400.125, 2.0, 5000),
        ("lmarena-text-bt", "birch-5", 1300.0, None, 120),
        ("lmarena-text-bt/math", "alder-2", 1380.0, 2.0408, 300),
    ]
    assert first.results["dated_on"].cast(pl.String).unique().to_list() == ["2025-05-01"]
    assert second.results["score"].to_list() == [1402.5]
    assert first.models.select("model_id", "open_weights").rows() == [("alder-2", False), ("birch-5", None)]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (
            board().rename({"rating": "arena_score"}),
            "columns not found: ['rating']; columns not known: ['arena_score']",
        ),
        (board().with_columns(style=pl.lit("x")), "columns not known: ['style']"),
        (board().drop("vote_count"), "columns not found: ['vote_count']"),
        (board().with_columns(rating=pl.lit("high")), "no rating is a number"),
        (board().with_columns(category=pl.lit("full")), "no category 'overall'"),
        (board().with_columns(pl.col(DAY).str.replace_all("-", "/")), "no column leaderboard_publish_date of days"),
        (board().drop(DAY), "no column leaderboard_publish_date of days"),
    ],
)
def test_a_table_of_another_form_is_held_with_what_differs(table: pl.DataFrame, reason: str) -> None:
    for body in versions(table):
        with pytest.raises(UnknownFormError) as refused:
            BY_KEY["lmarena-dataset"].parse(body, "text")
        assert reason in str(refused.value)


def test_days_that_are_no_editions_of_one_board_are_held() -> None:
    with pytest.raises(UnknownFormError, match=f"not one {DAY}"):
        BY_KEY["lmarena-dataset"].parse(board().write_csv().encode(), "text")


def test_the_columns_are_those_that_are_asked_for_and_every_arena_is_a_board_of_its_own() -> None:
    assert tuple(board().columns) == COLUMNS
    assert len({benchmark for benchmark, _ in ARENAS.values()}) == len(ARENAS) == 14
    with pytest.raises(PayloadError, match="not an arena"):
        BY_KEY["lmarena-dataset"].parse(b"", "agent")


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"error": "gated"}, "not a list of entries"),
        ([], "not a list of entries"),
        ([ENTRY, "x"], "not as documented"),
        ([{**ENTRY, "score": 1}, {"rank": 2, "model_id": "a", "value": 1, "verified": False}], r"\['modelId'\]"),
    ],
)
def test_a_leaderboard_of_another_form_is_held(document: object, reason: str) -> None:
    with pytest.raises(UnknownFormError, match=reason):
        BY_KEY["hf-leaderboards"].parse(json.dumps(document).encode(), "openai/gsm8k")


def test_a_field_more_changes_nothing() -> None:
    body = json.dumps([{**ENTRY, "isBaseModel": True}]).encode()
    assert resolved("hf-leaderboards", "openai/gsm8k", body).results["score"].to_list() == [0.805]


def test_feeds_that_are_off_by_default_are_asked_when_they_are_named() -> None:
    off = {source.key for source in SOURCES if not source.default}
    assert off == {"hf-leaderboards", "lmarena-dataset"}
    assert {source.key for source in _chosen_sources(None)} == {source.key for source in SOURCES} - off
    assert [source.key for source in _chosen_sources(["lmarena-dataset"])] == ["lmarena-dataset"]
