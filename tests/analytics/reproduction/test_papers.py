"""The claims of the registry: each is computed as its row says, and each tolerance can fail."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.record.frames import PAPER_TABLE, Frames
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED, empty
from benchhealth.analytics.reproduction import COMPUTED, SCORES_OF, reproduction
from benchhealth.analytics.reproduction.papers import OBSERVATIONAL
from benchhealth.analytics.statistics.summaries.correlation import correlation_interval
from benchhealth.analytics.statistics.summaries.principal_share import component_shares, with_filled_cells
from benchhealth.warehouse.curated.checked import RegistryError
from benchhealth.warehouse.registry import Registry, read_registry
from tests.support.curated_facts import curated
from tests.support.frames import Row, benchmark, frames, result

FOLDER = Path(__file__).resolve().parents[3] / "data" / "registry"
MODELS = tuple(f"model-{number}" for number in range(12))


@pytest.fixture(scope="module")
def registry() -> Registry:
    return curated()


def ours(facts: Frames, claim: str, registry: Registry, **tables: pl.DataFrame) -> dict[str, object]:
    held = replace(facts, printed_number=registry.printed_number)
    computed = reproduction(held, {**{name: empty(name) for name in DERIVED}, **tables})
    return computed.row(by_predicate=pl.col("claim_id") == claim, named=True)


def test_each_row_has_its_function_and_each_function_its_row(registry: Registry) -> None:
    computed = registry.printed_number.filter(pl.col("class") != "cited")
    assert sorted(computed["claim_id"]) == sorted(COMPUTED)
    assert not SCORES_OF.keys() - COMPUTED.keys()


@pytest.mark.parametrize(
    ("claim", "tolerance"), [("arena-open-gap", 6.0), ("imagenet-v2-offset", 4.1), ("eci-pace", 2.5)]
)
def test_a_tolerance_that_is_too_wide_stops_the_reading(claim: str, tolerance: float, tmp_path: Path) -> None:
    """At most a quarter of the way to what no effect, or another method, would give: +-4.1 on -20.2 was no test."""
    for file in FOLDER.glob("*.csv"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    printed = pl.read_csv(tmp_path / "printed_number.csv", infer_schema=False)
    wide = pl.when(claim_id=claim).then(pl.lit(str(tolerance))).otherwise("tolerance")
    printed.with_columns(tolerance=wide).write_csv(tmp_path / "printed_number.csv")
    with pytest.raises(RegistryError, match="too wide"):
        read_registry(tmp_path)


def test_what_is_left_out_says_why_and_is_claimed_nowhere(registry: Registry) -> None:
    assert registry.left_out.schema == PUBLISHED["left_out"]
    assert registry.left_out.null_count().row(0) == (0,) * registry.left_out.width
    assert not set(registry.left_out["statistic"]) & set(registry.printed_number["statement"])


def arena(day: date, ratings: dict[str, float]) -> Iterator[Row]:
    for name, rating in ratings.items():
        yield result("lmarena-text", name, rating, source_id="lmarena", observed_on=day)


RATING = benchmark("lmarena-text", unit="rating", floor=None, ceiling=None)


def model(model_id: str, **more: object) -> Row:
    return {"model_id": model_id, "name": model_id, **more}


def test_gaps_of_the_arena_are_the_middle_of_the_months_looks(registry: Registry) -> None:
    looks = (
        (date(2025, 1, 31), 2000.0),
        (date(2025, 2, 1), 1020.0),
        (date(2025, 2, 10), 1030.0),
        (date(2025, 2, 28), 1100.0),
    )
    rest = {name: 900.0 - place for place, name in enumerate(MODELS[:8])}
    rows = [row for day, best in looks for row in arena(day, {"closed": best, "open": 1000.0, **rest})]
    about = [model("closed", open_weights=False), model("open", open_weights=True)]
    facts = frames(rows, [RATING], models=about)
    gap = ours(facts, "arena-open-gap", registry)
    assert (gap["computed"], gap["low"], gap["high"]) == pytest.approx((3.0, 2.0, 10.0))
    tenth = ours(facts, "arena-tenth-gap", registry)
    assert tenth["computed"] == pytest.approx(100 * (1030 / 893 - 1))


@pytest.mark.parametrize(
    ("claim", "source", "name", "how"),
    [
        ("livebench-arena", "livebench", "livebench-2024-06-24", "pearson"),
        ("mixeval-arena", "boards-2024", "boards-2024-mixeval", "spearman"),
    ],
)
def test_correlations_are_of_the_first_looks(claim: str, source: str, name: str, how: str, registry: Registry) -> None:
    rng = np.random.default_rng(4)
    ratings = dict(zip(MODELS, rng.uniform(900, 1300, len(MODELS)), strict=True))
    scores = {one: (rating - 900) ** 2 / 2e5 + rng.uniform(0, 0.1) for one, rating in ratings.items()}
    rows = [*arena(date(2024, 6, 19), ratings), *arena(date(2024, 8, 1), dict.fromkeys(MODELS, 1000.0))]
    rows += [result(name, one, score, source_id=source) for one, score in scores.items()]
    claim_row = ours(frames(rows, [RATING, benchmark(name)]), claim, registry)
    both = pl.DataFrame({"a": list(ratings.values()), "b": list(scores.values())})
    r = both.select(pl.corr("a", "b", method=how)).item()
    assert claim_row["computed"] == pytest.approx(r)
    assert (claim_row["low"], claim_row["high"]) == pytest.approx(correlation_interval(r, 12, ranks=how == "spearman"))


def test_drops_to_mmlu_pro_are_of_the_models_of_its_time(registry: Registry) -> None:
    rows = []
    for place, name in enumerate(MODELS):
        rows.append(result("mmlu", name, 0.8, source_id="lmarena-tables"))
        rows.append(result("boards-2024-mmlu-pro", name, 0.62 - 0.01 * place, source_id="boards-2024"))
    about = [model(name, released_on=date(2024, 7 if name == MODELS[-1] else 5, 1)) for name in MODELS]
    sizes = [benchmark("mmlu", n_items=14042), benchmark("mmlu-pro", n_items=12032), benchmark("boards-2024-mmlu-pro")]
    facts = frames(rows, sizes, models=about)
    least, most = (ours(facts, f"mmlu-pro-{size}-drop", registry) for size in ("smallest", "largest"))
    assert (least["computed"], most["computed"]) == pytest.approx((18.0, 28.0))
    half = 196 * np.sqrt(0.8 * 0.2 / 14042 + 0.62 * 0.38 / 12032)
    assert least["low"] == pytest.approx(18.0 - half, abs=1e-3)


def test_the_largest_loss_on_humaneval_is_of_the_first_look(registry: Registry) -> None:
    rows = []
    for day, factor in ((date(2023, 9, 4), 0.9), (date(2024, 1, 1), 0.5)):
        for place, name in enumerate(MODELS):
            rows.append(result("humaneval", name, 0.5, source_id="evalplus", observed_on=day))
            more = 0.5 * factor - 0.01 * (place == 3)
            rows.append(result("humaneval-plus", name, more, source_id="evalplus", observed_on=day))
    facts = frames(rows, [benchmark("humaneval", n_items=164), benchmark("humaneval-plus")])
    claim_row = ours(facts, "humaneval-plus-largest-loss", registry)
    assert claim_row["computed"] == pytest.approx(100 * (1 - 72 / 82))
    assert claim_row["low"] < 12 < claim_row["high"]  # type: ignore[operator]


def test_three_components_hold_what_the_authors_own_table_says(registry: Registry) -> None:
    claim_row = ours(replace(frames(), paper_table=registry.paper_table), "three-components", registry)
    assert claim_row["computed"] == pytest.approx(96.76, abs=0.01)
    assert claim_row["holds"] and claim_row["inputs"] == 610
    assert claim_row["low"] < 97 < claim_row["high"]  # type: ignore[operator]
    of_it = registry.paper_table.filter(paper=OBSERVATIONAL)
    assert (of_it["subject"].n_unique(), of_it["measure"].n_unique()) == (77, 8)
    wide = of_it.pivot("measure", index="subject", values="value").drop("subject").drop_nulls().to_numpy()
    shares = component_shares(wide)
    assert shares is not None
    assert shares[:3] == pytest.approx([0.7865, 0.9149, 0.9654], abs=1e-4)


def test_shares_of_components_are_those_of_the_covariance() -> None:
    table = np.random.default_rng(2).normal(size=(40, 5)) @ np.diag([5, 3, 1, 1, 0.5])
    values = np.sort(np.linalg.eigvalsh(np.cov(table.T)))[::-1]
    assert component_shares(table) == pytest.approx(np.cumsum(values) / values.sum())
    assert component_shares(table[:2]) is None
    assert component_shares(np.ones((5, 3))) is None
    assert with_filled_cells(table, 2) == pytest.approx(table)
    line = np.outer(np.arange(8.0), [1.0, 2.0, 3.0])
    hole = line.copy()
    hole[3, 1] = np.nan
    assert with_filled_cells(hole, 1) == pytest.approx(line, abs=1e-3)


def test_shares_of_the_saturation_study_by_age(registry: Registry) -> None:
    ages = ((date(2024, 1, 1), 0.8), (date(2024, 6, 1), 0.1), (date(2022, 1, 1), 0.9), (date(2019, 1, 1), 0.9))
    names = [f"saturation-annotations-{place}" for place in range(len(ages))]
    about = [benchmark(name, released_on=day) for name, (day, _) in zip(names, ages, strict=True)]
    # A benchmark of the same name without the study's in front, and another day.
    about.append(benchmark("0", released_on=date(2010, 1, 1)))
    index = pl.DataFrame(
        [(name, "s_index_published", value) for name, (_, value) in zip(names, ages, strict=True)],
        schema=["benchmark_id", "indicator", "value"],
        orient="row",
    )
    young, old = (ours(frames([], about), f"s-index-high-{of}", registry, indicator=index) for of in ("young", "old"))
    assert (young["computed"], young["inputs"]) == (50.0, 2)
    assert (old["computed"], old["inputs"]) == (100.0, 1)


def test_reports_are_counted_by_document(registry: Registry) -> None:
    document = {"document_kind": "model_card", "source_id": "model-cards"}
    rows = [{**document, "document": f"card {n}", "benchmark_id": "mmlu"} for n in range(20)]
    rows += [{**document, "document": f"card {n}", "benchmark_id": "gpqa-diamond"} for n in (1, 1, 2, 3, 4, 5)]
    claim_row = ours(frames(mentions=rows), "reports-gpqa", registry)
    assert (claim_row["computed"], claim_row["low"]) == (25.0, None)


def test_a_forecast_is_held_against_the_best_before_its_day(registry: Registry) -> None:
    rows = [
        result("swe-bench-verified", "a", 0.8, source_id="llm-stats", dated_on=date(2025, 12, 31)),
        result("swe-bench-verified", "b", 0.9, source_id="llm-stats", dated_on=date(2026, 1, 1)),
        result("swe-bench-verified", "c", 0.7, source_id="epoch-hub", dated_on=date(2025, 5, 1)),
    ]
    claim_row = ours(frames(rows, [benchmark("swe-bench-verified", n_items=500)]), "swe-bench-forecast", registry)
    assert (claim_row["computed"], claim_row["inputs"], claim_row["holds"]) == (80.0, 2, False)
    assert (claim_row["low"], claim_row["high"]) == pytest.approx((76.27, 83.27), abs=0.01)


@pytest.mark.parametrize(("ranks", "variance"), [(False, 1.0), (True, 1.06)])
def test_the_interval_of_a_correlation(ranks: bool, variance: float) -> None:
    low, high = correlation_interval(0.5, 28, ranks=ranks)
    half = 1.959964 * np.sqrt(variance / 25)
    assert (low, high) == pytest.approx((np.tanh(np.arctanh(0.5) - half), np.tanh(np.arctanh(0.5) + half)), abs=1e-6)
    assert correlation_interval(1.0, 9) == (1.0, 1.0)
    assert correlation_interval(0.3, 3) == (-1.0, 1.0)


@pytest.mark.parametrize("empty_of", [lambda table: table.clear()], ids=["no table"])
def test_nothing_is_computed_without_facts(
    empty_of: Callable[[pl.DataFrame], pl.DataFrame], registry: Registry
) -> None:
    facts = replace(frames(), printed_number=registry.printed_number, paper_table=pl.DataFrame(schema=PAPER_TABLE))
    table = reproduction(facts, {name: empty_of(empty(name)) for name in DERIVED})
    assert table["computed"].null_count() == table.height == registry.printed_number.height
