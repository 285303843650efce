"""What optimising does: each finding in words, choices by the address, what is unknown, and hostile names."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.goodhart.correlation import BELOW, NOT_BELOW
from benchhealth.analytics.goodhart.measure import Finding, findings_table, no_value
from benchhealth.analytics.goodhart.table import UNITS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.field import ceilings, goodhart_tables, more, proxy_tables
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.methods.method_list import BY_GROUP
from tests.support.facts import benchmark, registry
from tests.support.reason_sentences import with_sentence
from tests.support.rendered_page import publish_tables, rendered, text
from tests.support.small_generation import HOSTILE

KIND = "leaderboard and organisation"


def proxy_findings(pair: str, on: date | None = None) -> Iterable[Finding]:
    for year, top in ((2024, 0.8), (2025, 0.7)):
        yield Finding("correlation", "pair", pair, 0.9, 0.85, 0.95, 100, year)
        yield Finding("frontier_correlation", "pair", pair, top, top - 0.05, top + 0.05, 25, year)
        case = NOT_BELOW if on is None else BELOW
        corrected = Finding("frontier_correlation_corrected", "pair", pair, top, 0.5, 0.95, 25, year)
        yield corrected._replace(case=case, numbers=(0.9, 100))
        yield Finding("target_shortfall", "pair", pair, 2024.5 - year, -2.0, 2.0, 30, year)
    yield Finding(
        "decoupling_p", "pair", pair, 0.5 if on is None else 0.001, n=60, case="q_over_pairs", numbers=(0.5, 2)
    )
    for name in ("decoupling_date", "decoupling_size"):
        if on is None:
            yield Finding(name, "pair", pair, status="not_applicable", case="no_break_found", numbers=(0.5, 2))
        elif name == "decoupling_date":
            finding_row = Finding(name, "pair", pair, 2024.5, 2024.3, 2024.6, 60, on_date=on, case="broke_between")
            yield finding_row._replace(on_day=date(2024, 5, 1), until_day=date(2024, 8, 1), numbers=(0.002, 2))
        else:
            yield Finding(name, "pair", pair, 4.0, 2.0, 6.0, 60, on_date=on)


def findings() -> Iterable[Finding]:
    yield from proxy_findings("exam-to-fresh")
    yield from proxy_findings("hard-to-harder", date(2024, 7, 1))
    yield no_value("decoupling_p", "pair", "few", "few_points", 3)
    yield no_value("decoupling_date", "pair", "few", "few_points", 3)
    yield no_value("decoupling_size", "pair", "few", "few_points", 3)
    for index, name in enumerate(("exam", "hostile")):
        yield Finding("entries_a_month", "benchmark", name, 3.0 + index, n=40)
        yield Finding("gap_of_twins", "benchmark", name, 2.0 + index, n=1)
        yield Finding("small_advances", "benchmark", name, 0.4, 0.2, 0.6, 10)
        yield Finding(
            "self_report_premium",
            "benchmark",
            name,
            3.0 * index,
            3.0 * index - 1,
            3.0 * index + 1,
            5,
            case="of_rerun",
            names=("An Institute",),
        )
    yield Finding("pressure_gap", "kind of gap", "twins", 0.1, -0.3, 0.5, 2)
    yield no_value("pressure_gap", "kind of gap", "self-reports", "few_under_pressure", 1)
    yield Finding("small_advances", "all", "all", 0.5, 0.4, 0.6, 200, case="steps_left_out", numbers=(3, 203))
    yield Finding("small_advances", "all", "all", 0.5, 0.3, 0.7, 20, 2025)
    yield Finding("self_report_premium", "all", "all", 1.0, -1.0, 3.0, 50, case="over_benchmarks", numbers=(2,))
    yield Finding("self_report_repeated", "all", "all", 0.25, 0.1, 0.4, 80)
    for maker in ("openai", "meta"):
        yield Finding(
            "self_report_difference", "organisation", maker, 0.1, -1.0, 1.2, 9, case="drawn_from", numbers=(1.0,)
        )
        yield Finding("best_of_n_by_noise", KIND, f"exam: {maker}", 3.0, n=7)
        yield Finding("best_over_typical", KIND, f"exam: {maker}", 9.0, n=7)
        yield Finding("best_over_typical_expected", KIND, f"exam: {maker}", 8.0, n=7)
    yield Finding("best_of_n_excess", KIND, "exam: openai", 1.5, -1.0, 4.0, 7, case="could_be_first", numbers=(5,))
    yield no_value("best_of_n_excess", KIND, "exam: meta", "few_could_be_first", 7, (1,))
    yield Finding("own_family_by_judges", "judge", "hostile", 1.5, 1.1, 2.0, 9, case="against_judges", numbers=(3,))
    yield no_value("own_family_by_humans", "judge", "hostile", "too_few_against_humans", 0, (0,))
    yield Finding("cost_factor_of_ten_points", "benchmark", "exam", 2.0, n=40, case="at_edge", numbers=(9,))
    same = {"case": "same_sources", "numbers": (2024, 2025)}
    yield Finding("sources_compared", "all", "all", 3.0, n=2)._replace(**same, names=("a-board", "b", "c"))
    for year, dollars in ((2024, 100.0), (2025, 2.0)):
        cheapest = Finding("cheapest_at_50", "benchmark", "exam", dollars, n=4, year=year)
        yield cheapest._replace(**same, names=("a-board",))
        gini = Finding("gini_of_benchmarks", "all", "all", 0.5, 0.4, 0.6, 40, year)
        yield gini._replace(case="entries_most_on", numbers=(100.0, 40.0, 0.25), names=("exam",))
        yield Finding("entries_open_weights", "all", "all", 0.6, 0.5, 0.7, 80, year)
        yield Finding("frontier_open_weights", "all", "all", 0.2, 0.1, 0.4, 30, year)
    yield no_value("cost_factor_of_ten_points", "benchmark", "hard", "no_priced_run", 0)
    yield no_value("frontier_open_code", "all", "all", "no_source_of_code", 0)


def tables(findings: Iterable[Finding]) -> dict[str, pl.DataFrame]:
    """The published tables that the page reads, the registry's apart."""
    pairs = (("exam-to-fresh", "exam", "fresh", "fresh sample"), ("hard-to-harder", "hard", "hostile", "live split"))
    twin = [
        {"twin_id": name, "original_id": a, "other_id": b, "kind": kind, "scale": "linear", "n_models": 100}
        for name, a, b, kind in (*pairs, ("few", "exam", "exam", "independent rerun"))
    ]
    gap = [{"twin_id": row["twin_id"], "source_id": "exams"} for row in twin]
    ceilings = [
        ceiling("exam", 0.38, "discriminating", raw_condition="search", headroom_raw=0.03, stage_raw="saturated")
        | {"made_by": "search", "kinds": ["help"], "others": 1},
        ceiling("hard", 0.05, "saturated", others=2),
        ceiling("hostile", 0.60, "discriminating"),
    ]
    return {
        "condition_headroom": pl.DataFrame(
            [_full("condition_headroom", row) for row in ceilings], schema=PUBLISHED["condition_headroom"]
        ),
        "goodhart": with_sentence(findings_table(findings, UNITS)),
        "twin": pl.DataFrame([_full("twin", row) for row in twin], schema=PUBLISHED["twin"]),
        "twin_gap": pl.DataFrame([_full("twin_gap", row) for row in gap], schema=PUBLISHED["twin_gap"]),
    }


def ceiling(benchmark_id: str, headroom: float, stage: str, **more: object) -> dict[str, object]:
    within = {"condition": "no tools", "headroom": headroom, "stage": stage, "others": 0}
    raw = {"raw_condition": "no tools", "headroom_raw": headroom, "stage_raw": stage}
    return {"benchmark_id": benchmark_id, **within, **raw, **more}


def _full(table: str, row: dict[str, object]) -> dict[str, object]:
    return {name: row.get(name) for name in PUBLISHED[table]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("goodhart"), findings())


def made(folder: Path, findings: Iterable[Finding]) -> Path:
    names = {"exam": "Exam", "fresh": "Exam, fresh sample", "hard": "Hard exam", "hostile": HOSTILE}
    curated = registry([benchmark(name, title) for name, title in names.items()])
    return publish_tables(folder, tables(findings), curated)


def shown(folder: Path, **query: str) -> str:
    return text(rendered(field, folder, **query))


def every_part(folder: Path, **query: str) -> str:
    """The findings and everything behind "more" about what optimising does."""
    return "\n".join(shown(folder, **{"chart": chart, **query}) for chart in ("findings", *more.GOODHART))


def test_says_of_each_part_what_is_missing_where_there_is_nothing(tmp_path: Path) -> None:
    folder = made(tmp_path, [])
    text_shown = every_part(folder)
    for reason in (
        "No share of advances can be given",
        "No two reports can be compared",
        "What ten more points cost is not known",
        "No year can be counted",
        "No correlation at the frontier is known",
        "No benchmark has both",
        "No leaderboard shows it",
        "No judge can be compared",
        "No run has a cost on record",
    ):
        assert reason in text_shown, reason


def test_every_finding_and_every_part_says_what_it_found(home: Path) -> None:
    text_shown = every_part(home)
    for sentence in (
        "50% of the advances of 2025 were within error",
        "20 advances in 2025",
        "Whether makers report more than others measure is not clear on average",
        "Ten more points went with ×2 the price on Exam",
        "40 runs on the only 1 board that publish prices enough",
        "Entries of 2025 crowd on few of 40 benchmarks (Gini 0.50; by chance 0.25)",
        "0: all have as many, 1: one has all; each year over the same 3 sources",
        "All years are over the same sources: a-board",
        "2025: open weights set 20% of new bests, 60% of entries",
        "1 of 2 benchmarks has another stage when conditions are kept apart",
        "Among the best quarter of models, 2 of 2 pairs agree less than over all; for Hard exam →",
        "2 pairs are tested for every date at once, with the false discoveries over all pairs held at 5%",
        "A date is given for Hard exam →",
        "For 1 more there are too few models over time.",
        "No link is found between how much is tried and the gap to a second measurement: rank correlation +0.10",
        "50% (40 to 60%) of 200 advances of running bests",
        "50 self-reported scores lie +1.0 points (−1.0 to 3.0) from those of third parties",
        "Higher beyond error on 1 of 2 benchmarks",
        "25% of 80 pairs of scores are one number twice",
        "Exam: the best of 7 entries by openai is estimated to show 1.5 points (−1.0 to 4.0) more than it is worth, "
        "which is within error",
        "In 1 of 1 comparison of a judge",
        "1 more comparison cannot be made",
        "Exam: along the cheapest of 40 runs with a cost, ten points more went with 2.0 times the price",
        "Without a cost on record: Hard exam.",
        "On code: no source on record says whether a model",
        "Of 3 curated benchmarks whose headroom is known, 1 have less than 7% of the scale left within the condition "
        "they are judged by: Hard exam",
        "**Exam**: still measuring under *no tools*, 38% of the scale left; saturated with *search*, 3% left.",
    ):
        assert sentence in text_shown, sentence
    assert "cheat" not in text_shown.casefold()


def test_the_address_chooses_what_is_shown(home: Path) -> None:
    proxy = shown(home, chart="proxy", kind="live split")
    assert (
        "from 2024-07-01 (between 2024-05-01 and 2024-08-01), 4.0 points lower (95%: 2.0 to 6.0) at the same" in proxy
    )
    assert "1 of 1 pair" in proxy and "over 60 models" in proxy
    assert "No benchmark has both." in shown(home, chart="pressure", gap="self-reports")
    by_benchmark = shown(home, chart="advances", by="benchmark")
    assert "On 0 of 2 benchmarks with five advances of known error or more, most of these" in by_benchmark
    makers = shown(home, chart="reports", reports="organisation")
    assert "Of 2 organisations none reports scores that differ from the usual beyond error" in makers


def test_only_what_is_chosen_is_drawn_and_a_chart_that_is_not_there_leads_to_the_findings(home: Path) -> None:
    assert "Ten more points" not in shown(home, chart="cost")
    assert "Ten more points" in shown(home, chart="nothing")
    app = rendered(field, home, chart="cost")
    assert {group.key: group.value for group in app.get("button_group")}["part"] == "goodhart"


def test_every_table_is_served_and_refuses_what_it_does_not_hold(home: Path) -> None:
    generation.use(home)
    view = generation.current()
    asked = {"pair": "exam-to-fresh", "board": "exam", "cost": "exam"}
    for table in (ceilings.CEILINGS, *proxy_tables.TABLES, *goodhart_tables.TABLES):
        assert table.build(view, asked).height > 0, table.name
    for table, wrong in (
        (proxy_tables.FRONTIERS, {"kind": "nothing"}),
        (goodhart_tables.PRESSURE, {"gap": "nothing"}),
        (goodhart_tables.SMALL_ADVANCES, {"by": "nothing"}),
        (goodhart_tables.PREMIUM, {"reports": "nothing"}),
        (goodhart_tables.SELECTION, {"board": "nothing"}),
        (goodhart_tables.COST, {"cost": "nothing"}),
        (goodhart_tables.CONCENTRATION, {"index": "nothing"}),
    ):
        with pytest.raises(ParameterError):
            table.build(view, wrong)
    assert len({table.name for table in field.PAGE.tables}) == len(field.PAGE.tables)


def test_pairs_are_titled_by_what_differs() -> None:
    assert proxy_tables.pair_title("Arena, raw", "Arena, adjusted") == "Arena, raw → … adjusted"
    assert proxy_tables.pair_title("Exam", "Test") == "Exam → Test"
    assert proxy_tables.pair_title("Exam", "Exam") == "Exam → rerun"
    assert proxy_tables.pair_title("Exam, fresh", "Exam,") == "Exam, fresh → Exam,"


def test_every_measure_is_on_the_methods_page() -> None:
    anchors = {entry[0] for entry in BY_GROUP["Goodhart effects"]}
    assert anchors <= definitions.ANCHORS
    for method in definitions.METHODS:
        if method.anchor in anchors:
            assert len(definitions.method_text(method)) > 60
