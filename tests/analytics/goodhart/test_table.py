"""The table: every measure in it, unknown said, nothing depending on the order or the names of rows."""

import random
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchhealth.analytics import goodhart
from benchhealth.analytics.goodhart.measure import ALL, Finding, FindingError, findings_table, no_value
from benchhealth.analytics.goodhart.table import MEASURES, UNITS, table_of
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, STATUSES
from tests.analytics.goodhart.measure_inputs import AS_OF, inputs_of_facts
from tests.support.frames import Row, benchmark, frames, result, twin_pair
from tests.support.reason_sentences import with_sentence

PLUMBING = {"measure", "pairs", "same_sources", "table"}


def world() -> list[Row]:
    """Forty models on an exam and its twin, by five organisations over two years, some reported by their makers."""
    rng = np.random.default_rng(2)
    rows = []
    for index in range(40):
        day = date(2024, 1, 1) + timedelta(days=18 * index)
        score = 0.3 + 0.012 * index + 0.02 * float(rng.normal())
        name = f"org{index % 5}-{index}"
        rows.append(result("exam", name, score, dated_on=day, n_items=500))
        rows.append(result("fresh", name, score - 0.05 + 0.02 * float(rng.normal()), dated_on=day, n_items=500))
        if index % 3 == 0:
            rows.append(result("exam", name, score + 0.03, dated_on=day, source_id="makers", reporter="self"))
    return rows


def facts(rows: list[Row], name: str = "{}") -> Frames:
    models = [
        {
            "model_id": name.format(row["model_id"]),
            "organisation": str(row["model_id"]).split("-", maxsplit=1)[0],
            "open_weights": str(row["model_id"]).startswith(("org0", "org1")),
        }
        for row in sorted(rows, key=lambda row: str(row["model_id"]))
        if row["benchmark_id"] == "fresh"
    ]
    named = [{**row, "model_id": name.format(row["model_id"])} for row in rows]
    pair = twin_pair("pair", "exam", "fresh", source_id="lab", kind="fresh sample")
    return frames(named, [benchmark("exam"), benchmark("fresh")], models=models, twin_pairs=[pair])


def made(of: Frames) -> pl.DataFrame:
    return table_of(inputs_of_facts(of), np.random.default_rng(0))


def test_every_file_is_a_measure_or_what_measures_stand_on() -> None:
    files = {file.stem for file in Path(goodhart.__path__[0]).glob("*.py")} - {"__init__"}
    modules = {measure.compute.__module__.rsplit(".", 1)[-1] for measure in MEASURES}
    assert files == modules | PLUMBING
    assert len(modules) == len(MEASURES)
    for measure in MEASURES:
        assert measure.compute.__doc__


def test_holds_every_measure_in_the_published_schema_and_says_what_is_unknown() -> None:
    table = made(facts(world()))
    assert table.schema == PUBLISHED["goodhart"]
    assert set(table["measure"]) <= set(UNITS)
    assert set(table["status"]) <= set(STATUSES)
    for measure in MEASURES:
        assert set(measure.units) & set(table["measure"]), measure.compute
    unknown = table.filter(pl.col("status") != "ok")
    assert unknown["value"].null_count() == unknown.height
    assert unknown["case"].null_count() == 0


@pytest.mark.soak
def test_order_and_names_of_models_do_not_matter() -> None:
    rows = world()
    dealt = random.Random(4).sample(rows, len(rows))
    straight = made(facts(rows))
    assert_frame_equal(straight, made(facts(dealt)))
    renamed = made(facts(rows, "x-{}"))
    # The family is the first word of a name: there all are one, but no two came on one day.
    assert_frame_equal(straight, renamed)


def test_wordings_never_accuse() -> None:
    text = " ".join(
        [*with_sentence(made(facts(world())))["reason"].drop_nulls(), *(str(m.compute.__doc__) for m in MEASURES)]
    )
    for word in ("cheat", "fraud", "dishonest", "gamed", "lied", "guilty"):
        assert word not in text.casefold()


@pytest.mark.parametrize(
    "wrong",
    [
        Finding("correlation", "pair", "a", None),
        Finding("correlation", "pair", "a", float("nan")),
        Finding("correlation", "pair", "a", 0.5, 0.6, 0.7),
        Finding("correlation", "pair", "a", 0.5, status="insufficient", case="few"),
        Finding("correlation", "pair", "a", status="insufficient"),
        Finding("nonsense", "pair", "a", 0.5),
    ],
)
def test_a_finding_that_contradicts_itself_is_refused(wrong: Finding) -> None:
    with pytest.raises(FindingError):
        findings_table([wrong], UNITS)


def test_the_same_finding_twice_is_refused_and_none_is_an_empty_table() -> None:
    twice = [no_value("correlation", ALL, ALL, "few", 0)] * 2
    with pytest.raises(FindingError, match="twice"):
        findings_table(twice, UNITS)
    assert findings_table([], UNITS).schema == PUBLISHED["goodhart"]
    assert AS_OF.year == 2026
