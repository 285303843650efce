"""Published claims: each is computed from the facts, moves with them, and is null where they are absent."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.record.frames import LABEL_ERROR, Frames
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED, empty
from benchhealth.analytics.reproduction import details, reproduction, studies
from benchhealth.analytics.reproduction.claim import KINDS, Found
from benchhealth.analytics.reproduction.papers import COMPUTED as OF_PAPERS
from benchhealth.analytics.twins.pairs import matched_pairs
from benchhealth.analytics.twins.tables import tables as twins
from tests.support.curated_facts import curated
from tests.support.frames import Row, benchmark, frames, result, twin_pair
from tests.support.upstream import needs_upstream, versions

REGISTRY = Path(__file__).resolve().parents[3] / "data" / "registry"
TWINS = (
    ("imagenet-to-v2", "imagenet", "imagenetv2-mf", "timm"),
    ("humaneval-to-plus", "humaneval", "humaneval-plus", "evalplus"),
    ("imagenet-to-v2-recht", "imagenet", "imagenetv2-mf", "imagenet-v2-recht"),
    ("imagenet-to-v2-testbed", "imagenet", "imagenetv2-mf", "imagenet-testbed"),
    ("cifar-10-to-10.1", "cifar-10", "cifar-10.1", "cifar"),
    ("cifar-10-to-10.1-v4", "cifar-10", "cifar-10.1-v4", "cifar"),
    ("gsm8k-to-gsm1k", "gsm8k", "gsm1k", "gsm1k"),
)
FACTS = curated()
CLAIMS = FACTS.printed_number.to_dicts()
ELSEWHERE = {*OF_PAPERS, "s-index-high-young", "s-index-high-old"}
"""Claims that are tested one by one in test_papers.py."""

STUDY = FACTS.paper_table.filter(paper=studies.PAPER)
"""The saturation study's own column of 60 indices."""

MANY_RESULTS = 9
"""A statistic of fewer results than three models in three manners is none."""

MANY = tuple(f"model-{number}" for number in range(30))
NAMED = {
    ("epoch", "mmlu"): ("text-davinci-001", "gpt-4-0314", "chinchilla-70b"),
    ("epoch", "gsm8k"): ("gpt-4-0314",),
    ("epoch", "winogrande"): ("gpt-4-0314",),
    ("epoch", "arc-challenge"): ("gpt-4",),
    ("epoch", "gpqa-diamond"): ("claude-3-opus-20240229", "claude-3-5-sonnet-20240620", "gpt-4o-2024-05-13"),
    ("evalplus", "humaneval"): ("gpt-4-(may-2023)", *MANY[:12]),
    ("evalplus", "humaneval-plus"): ("gpt-4-(may-2023)", *MANY[:12]),
    ("alpaca-eval", "alpacaeval-2"): ("nullmodel", *MANY[:15]),
    ("alpaca-eval", "alpacaeval-2-raw"): ("nullmodel", *MANY[:15]),
    ("lmarena", "lmarena-text"): ("llama-4-maverick-03-26-experimental", *MANY[:15]),
    ("swe-bench", "swe-bench"): ("claude-2",),
    ("aider", "aider-polyglot"): ("deepseek-r1-+-claude-3-5-sonnet-20241022",),
}


NETWORKS = ("nasnetalarge", "alexnet", "pnasnet-large-tf", "resnet152", "densenet161", "vgg19-bn")
WIDELY_USED = ("vgg11", "vgg13", "vgg16", "resnet18", "resnet34")
ROBUST = ("resnet50", "resnet50-linf-eps4-robust", "resnet50-linf-eps8-robust", "resnet50-l2-eps3-robust")
MULTI_TASK = (
    *("glue", "superglue", "openllm-v1", "mmlu", "bbh"),
    *(f"benchbench-{name}" for name in ("mteb", "vtab", "helm-accuracy", "helm-calibration")),
)


def world(seed: int) -> Frames:
    """Invented scores of everything that any claim reads; the number of models and settings depends on the seed."""
    rng = np.random.default_rng(seed)
    rows = []
    for (source, name), models in NAMED.items():
        for model in models:
            kind = "cheating" if model == "nullmodel" else "model"
            rows.append(result(name, model, rng.uniform(0.1, 0.9), source_id=source, kind=kind))
    paired = {
        "imagenet-v2-recht": (*NETWORKS, *WIDELY_USED, *MANY[:12]),
        "timm": MANY[:12],
        "imagenet-testbed": (*ROBUST, *MANY[: 10 + seed]),
        "cifar": (*WIDELY_USED, *MANY[:12]),
    }
    for source, models in paired.items():
        for name in sorted({side for *_, a, b, owner in TWINS if owner == source for side in (a, b)}):
            rows += [result(name, model, rng.uniform(0.2, 0.8), source_id=source) for model in models]
    rows += [
        result(f"imagenet-testbed-{index}", "resnet50", 0.5, source_id="imagenet-testbed") for index in range(seed + 1)
    ]
    for place, model in enumerate(MANY[:14]):
        original = rng.uniform(0.6, 0.9)
        for name, score in (("gsm8k", original), ("gsm1k", original - 0.3 * (place <= seed) - rng.uniform(0, 0.01))):
            rows.append(result(name, model, score, source_id="gsm1k", std_error=0.02))
    attack = "imagenet-testbed-pgd.l2.eps0.5"
    rows += [result(attack, model, rng.uniform(0.1, 0.9), source_id="imagenet-testbed") for model in ROBUST]
    rows += elsewhere(rng)
    for task in range(4 + seed):
        for ending in ("", "-tuned"):
            name = f"lm-harmony-task-{task}{ending}"
            rows += [result(name, model, rng.uniform(), source_id="lm-harmony") for model in MANY[: 8 + seed]]
    rows += [result("lm-harmony-wiki", model, rng.uniform(), source_id="lm-harmony") for model in MANY[:5]]
    about = [
        benchmark(
            name,
            higher_is_better=name != "lm-harmony-wiki",
            unit="rating" if "arena" in name or "index" in name or "metr" in name else "percent",
        )
        for name in sorted({str(row["benchmark_id"]) for row in rows})
    ]
    test = {"gsm8k-to-gsm1k": "difference"}
    pairs = [twin_pair(*pair[:3], source_id=pair[3], test=test.get(pair[0], "fit")) for pair in TWINS]
    subjects = [
        {"benchmark_id": f"mmlu/{name}", "covers": "sample", "n_checked": 100, "share_flawed": rng.uniform(0, 0.5)}
        for name in ("virology", "law")
    ]
    checks = pl.DataFrame(
        [{**row, "method": "read", "source_url": "https://example.org/mmlu-redux"} for row in subjects],
        schema=LABEL_ERROR,
    )
    return replace(frames(rows, about, twin_pairs=pairs), label_error=checks, paper_table=STUDY)


def elsewhere(rng: np.random.Generator) -> Iterator[Row]:
    """Invented scores that claims read by setting, by day or by version."""
    yield result("hellaswag", "gpt-4-0314", rng.uniform(), source_id="epoch", setting="10-shot")
    yield result("swe-bench", "gpt-4-1106-preview", rng.uniform(), source_id="swe-bench", setting="SWE-agent + GPT 4")
    for name in ("alpacaeval-2", "alpacaeval-2-raw"):
        for model, manner in product(("chatty", "curt", "plain"), ("", "concise", "verbose")):
            yield result(name, model, rng.uniform(0.1, 0.9), source_id="alpaca-eval", setting=manner)
    for place, model in enumerate(MANY[:20]):
        day = date(2022, 1, 1) + timedelta(days=70 * place)
        better = place + rng.uniform()
        yield result("epoch-capabilities-index", model, 60 + better, source_id="eci", dated_on=day)
        yield result("mmmu", model, 0.9 - rng.uniform(0, 0.1), source_id="mmmu", dated_on=day)
        yield result("mmmu-pro", model, 0.5 - rng.uniform(0, 0.1), source_id="mmmu", dated_on=day)
        for seen in (date(2026, 1, 30), date(2026, 3, 4)):
            horizon = 2**better + rng.uniform()
            yield result("metr-horizon-1.1", model, horizon, source_id="metr", dated_on=day, observed_on=seen)


def computed(held: Frames, **more: pl.DataFrame) -> pl.DataFrame:
    held = replace(held, printed_number=FACTS.printed_number)
    return reproduction(
        held, {**{name: empty(name) for name in DERIVED}, **twins(matched_pairs(held))._asdict(), **more}
    )


def other_tables(seed: int) -> dict[str, pl.DataFrame]:
    """Invented rows of the tables that claims read beside the facts."""
    rng = np.random.default_rng(seed)
    boards = [{"board_id": f"benchbench/{name}", "n_models": 12, "n_tasks": 5} for name in MULTI_TASK]
    measures = ("diversity", "ordinal_sensitivity", "cardinal_sensitivity")
    indices = [
        {"benchmark_id": f"saturation-annotations-{name}", "indicator": indicator, "value": rng.uniform()}
        for name in STUDY["subject"].head(40 + seed)
        for indicator in ("s_index_published", "s_index_true_error")
    ]
    return {
        "stability": pl.DataFrame([row | {name: rng.uniform() for name in measures} for row in boards]),
        "indicator": pl.DataFrame(indices),
        "capability": pl.DataFrame([{"model_id": model, "score": rng.uniform()} for model in MANY]),
    }


@pytest.fixture(scope="module")
def worlds() -> list[pl.DataFrame]:
    return [computed(world(seed), **other_tables(seed)) for seed in range(4)]


@pytest.mark.parametrize(
    "claim",
    [row["claim_id"] for row in CLAIMS if row["class"] != "cited" and row["claim_id"] not in ELSEWHERE],
)
def test_what_is_computed_moves_with_the_facts(claim: str, worlds: list[pl.DataFrame]) -> None:
    ours = [table.filter(claim_id=claim)["computed"].item() for table in worlds]
    assert None not in ours
    assert len(set(ours)) > 1


def test_each_claim_has_a_name_of_its_own_and_says_what_its_class_asks_for() -> None:
    for column in ("claim_id", "statement"):
        assert FACTS.printed_number[column].n_unique() == len(CLAIMS)
    for row in CLAIMS:
        name = row["claim_id"]
        assert row["class"] in KINDS
        assert row["source_url"].startswith("https://")
        if row["class"] == "ours":
            assert row["published"] is row["tolerance"] is row["paper"] is row["year"] is row["opened"] is None, name
            continue
        assert row["paper"] and row["opened"], name
        assert row["year"] >= 2000 and row["place"], name
        if row["class"] == "cited":
            assert row["tolerance"] is None and row["why"], name
        else:
            assert row["tolerance"] is not None and row["tolerance"] >= 0 and row["tolerance_reason"], name


def test_a_third_of_what_is_recomputed_was_published_since_2024() -> None:
    years = [row["year"] for row in CLAIMS if row["class"] == "recomputed"]
    assert 3 * sum(year >= 2024 for year in years) >= len(years)


def test_what_is_looked_up_reads_one_result_and_what_is_recomputed_many(worlds: list[pl.DataFrame]) -> None:
    for table in worlds:
        looked_up = table.filter(pl.col("class") == "looked up")
        assert looked_up.filter(pl.col("inputs") != 1)["claim_id"].to_list() == []
        assert looked_up["inputs"].null_count() == 0
        recomputed = table.filter(pl.col("class") == "recomputed", ~pl.col("claim_id").is_in(list(ELSEWHERE)))
        assert recomputed.filter((pl.col("inputs") < MANY_RESULTS).fill_null(value=True))["claim_id"].to_list() == []


def test_nothing_is_said_to_hold_that_nobody_published(worlds: list[pl.DataFrame]) -> None:
    for table in worlds:
        assert set(table.filter(pl.col("holds").is_not_null())["class"]) == {"recomputed", "looked up"}
        ours = table.filter(pl.col("class") == "ours")
        assert ours.select("published", "tolerance", "holds", "paper").null_count().row(0) == (ours.height,) * 4
        cited = table.filter(pl.col("class") == "cited")
        assert cited["computed"].null_count() == cited.height > 0


def test_every_claim_has_its_details() -> None:
    table = details(replace(frames(), printed_number=FACTS.printed_number))
    assert table.schema == PUBLISHED["reproduction_detail"]
    assert table["claim_id"].to_list() == [row["claim_id"] for row in CLAIMS]
    assert table["area"].rle().len() == table["area"].n_unique(), "an area is one run of rows"
    assert not table["unit"].str.contains("^$").any()


@needs_upstream
def test_the_saturation_index_is_the_studys_own_column() -> None:
    body = versions("evaleval/benchmark-saturation", "data/manual_annotation_data.csv")[-1].body
    column = [
        round(float(row["Saturation Index"]), 4)
        for row in csv.DictReader(io.StringIO(body.decode()))
        if row["Name"].strip()
    ]
    assert sorted(column) == sorted(STUDY["value"])


def test_nothing_is_computable_without_facts() -> None:
    table = computed(frames())
    assert table.schema == PUBLISHED["reproduction"]
    assert table.height == len(CLAIMS)
    assert table["computed"].null_count() == table["holds"].null_count() == len(CLAIMS)
    assert not table["claim"].str.contains("(ours: ", literal=True).any()


@pytest.mark.parametrize(("ours", "holds"), [(1.0, True), (1.1, True), (0.9, True), (1.1001, False), (None, None)])
def test_holds_up_to_the_tolerance_and_says_why_where_there_is_something_to_say(
    ours: float | None, holds: bool | None
) -> None:
    said = {"claim_id": "it", "class": "recomputed", "statement": "It is one", "why": "measured otherwise"}
    number = {"published": 1.0, "tolerance": 0.1, "paper": "Who 2024", "place": "table 1"}
    printed = pl.DataFrame([said | number], schema=FACTS.printed_number.schema)
    value = None if ours is None else Found(ours, 7)
    row = reproduction(replace(frames(), printed_number=printed), {}, {"it": lambda _: value}).row(0, named=True)
    assert row["holds"] is holds
    assert row["computed"] == ours
    assert (row["class"], row["paper"], row["place"]) == ("recomputed", "Who 2024", "table 1")
    assert row["inputs"] == (None if ours is None else 7)
    assert row["claim"] == ("It is one" if ours is None else "It is one (ours: measured otherwise)")


def paper(file: str, source: str) -> Iterator[Row]:
    """The rows of a bundled table of accuracies: a model in the first column, a benchmark in each other one."""
    with (REGISTRY / file).open(encoding="utf-8") as body:
        for line in csv.DictReader(body):
            model = line.pop("model")
            for name, cell in line.items():
                if "/" not in name:
                    yield result(name, model.replace("_", "-"), float(cell), source_id=source)


def test_the_papers_own_tables_give_what_the_papers_say() -> None:
    rows = [*paper("paper_cifar.csv", "cifar"), *paper("paper_imagenet_v2.csv", "imagenet-v2-recht")]
    pairs = [twin_pair(*pair[:3], source_id=pair[3]) for pair in TWINS if pair[3] in {"cifar", "imagenet-v2-recht"}]
    held = {
        row["claim_id"]: row["holds"]
        for row in computed(frames(rows, twin_pairs=pairs)).iter_rows(named=True)
        if row["holds"] is not None
    }
    differ = {
        *("imagenet-v2-smallest-drop", "imagenet-v2-widely-used"),
        *("cifar-v4-largest-drop", "cifar-v6-smallest-drop", "cifar-v6-slope"),
    }
    assert {name for name, holds in held.items() if not holds} == differ
    same = {"imagenet-v2-slope", "imagenet-v2-offset", "imagenet-v2-first", "cifar-v6-widely-used"}
    assert same <= held.keys() - differ
    why = {row["claim_id"] for row in CLAIMS if row["why"]}
    assert differ <= why


def test_claims_read_the_newest_version_of_each_file() -> None:
    old = result("winogrande", "gpt-4-0314", 0.99, source_id="epoch", observed_on=date(2024, 1, 1))
    new = result("winogrande", "gpt-4-0314", 0.95, source_id="epoch", observed_on=date(2025, 1, 1))
    table = computed(frames([old, new], [benchmark("winogrande")]))
    assert table.filter(claim_id="winogrande-gpt-4")["computed"].item() == pytest.approx(95)
