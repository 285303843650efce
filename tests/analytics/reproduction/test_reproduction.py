"""Published claims: each is computed from the facts, moves with them, and is null where they are absent."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analytics.record.frames import Frames
from analytics.record.tables import DERIVED, PUBLISHED, empty
from analytics.reproduction import AREAS, CLAIMS, details, reproduction, saturation
from analytics.reproduction.claim import Claim
from analytics.twins.twin import twins
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
MANY = tuple(f"model-{number}" for number in range(30))
NAMED = {
    ("ito", "imagenet"): MANY[:4],
    ("epoch", "mmlu"): ("text-davinci-001", "gpt-4-0314", "chinchilla-70b", "gopher-280b", "palm-540b"),
    ("epoch", "gsm8k"): ("palm-540b", "gpt-4-0314"),
    ("epoch", "hellaswag"): ("gpt-4-0314",),
    ("epoch", "winogrande"): ("gpt-4-0314",),
    ("epoch", "arc-challenge"): ("gpt-4",),
    ("epoch", "gpqa-diamond"): ("claude-3-opus-20240229", "claude-3-5-sonnet-20240620", "gpt-4o-2024-05-13"),
    ("squad", "squad-1.1/f1"): ("bert-(ensemble)-(google-ai-language)", "spanbert-(single-model)-(fair-&-uw)"),
    ("squad", "squad-2.0/f1"): (
        "albert-(ensemble-model)-(google-research-&-ttic)",
        "spanbert-(single-model)-(fair-&-uw)",
    ),
    ("evalplus", "humaneval"): ("gpt-4-(may-2023)", *MANY[:12]),
    ("evalplus", "humaneval-plus"): ("gpt-4-(may-2023)", *MANY[:12]),
    ("alpaca-eval", "alpacaeval-2"): ("nullmodel", *MANY[:15]),
    ("alpaca-eval", "alpacaeval-2-raw"): ("nullmodel", *MANY[:15]),
    ("lmarena", "lmarena-text"): ("llama-4-maverick-03-26-experimental", *MANY[:15]),
    ("swe-bench", "swe-bench"): ("claude-2", "swe-agent-+-gpt-4-(1106)"),
    ("aider", "aider-polyglot"): ("deepseek-r1-+-claude-3-5-sonnet-20241022",),
}


NETWORKS = ("nasnetalarge", "alexnet", "pnasnet-large-tf", "resnet152", "densenet161", "vgg19-bn")
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
        "imagenet-v2-recht": (*NETWORKS, *MANY[:12]),
        "timm": MANY[:12],
        "imagenet-testbed": (*ROBUST, *MANY[: 10 + seed]),
        "cifar": MANY[:12],
    }
    for source, models in paired.items():
        for name in sorted({side for *_, a, b, owner in TWINS if owner == source for side in (a, b)}):
            rows += [result(name, model, rng.uniform(0.2, 0.8), source_id=source) for model in models]
    rows += [result(f"imagenet-testbed-{at}", "resnet50", 0.5, source_id="imagenet-testbed") for at in range(seed + 1)]
    for place, model in enumerate(MANY[:14]):
        original = rng.uniform(0.6, 0.9)
        for name, score in (("gsm8k", original), ("gsm1k", original - 0.3 * (place <= seed) - rng.uniform(0, 0.01))):
            rows.append(result(name, model, score, source_id="gsm1k", std_error=0.02))
    attack = "imagenet-testbed-pgd.l2.eps0.5"
    rows += [result(attack, model, rng.uniform(0.1, 0.9), source_id="imagenet-testbed") for model in ROBUST]
    for task in range(3 + seed):
        for ending in ("", "-tuned"):
            name = f"lm-harmony-task-{task}{ending}"
            rows += [result(name, model, rng.uniform(), source_id="lm-harmony") for model in MANY[: 8 + seed]]
    rows += [result("epoch-capabilities-index", model, rng.uniform(60, 160), source_id="eci") for model in MANY]
    rows += [result("lm-harmony-wiki", model, rng.uniform(), source_id="lm-harmony") for model in MANY[:5]]
    about = [
        benchmark(
            name,
            higher_is_better=name != "lm-harmony-wiki",
            unit="rating" if "arena" in name or "index" in name else "percent",
        )
        for name in sorted({str(row["benchmark_id"]) for row in rows})
    ]
    test = {"gsm8k-to-gsm1k": "difference"}
    pairs = [twin_pair(*pair[:3], source_id=pair[3], test=test.get(pair[0], "fit")) for pair in TWINS]
    return frames(rows, about, twin_pairs=pairs)


def computed(held: Frames, **more: pl.DataFrame) -> pl.DataFrame:
    return reproduction(held, {**{name: empty(name) for name in DERIVED}, **twins(held)._asdict(), **more})


def other_tables(seed: int) -> dict[str, pl.DataFrame]:
    """Invented rows of the tables that claims read beside the facts."""
    rng = np.random.default_rng(seed)
    boards = [{"board_id": f"benchbench/{name}"} for name in MULTI_TASK]
    measures = ("diversity", "ordinal_sensitivity", "cardinal_sensitivity")
    indices = [
        {"benchmark_id": f"saturation-annotations-{name}", "indicator": indicator, "value": rng.uniform()}
        for name in list(saturation.PUBLISHED)[: 40 + seed]
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


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.claim_id)
def test_what_is_computed_moves_with_the_facts(claim: Claim, worlds: list[pl.DataFrame]) -> None:
    ours = [table.filter(claim_id=claim.claim_id)["computed"].item() for table in worlds]
    assert None not in ours
    assert len(set(ours)) > 1


def test_at_least_25_claims_each_with_its_source_and_a_name_of_its_own() -> None:
    assert len(CLAIMS) >= 25
    for column in ("claim_id", "sentence"):
        assert len({getattr(claim, column) for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.source_url.startswith("https://")
        assert claim.tolerance >= 0


def test_every_claim_has_its_details() -> None:
    table = details()
    assert table.schema == PUBLISHED["reproduction_detail"]
    assert table["claim_id"].to_list() == [claim.claim_id for claim in CLAIMS]
    assert table["area"].unique(maintain_order=True).to_list() == [area for area, _ in AREAS]
    assert not table["unit"].str.contains("^$").any()


@needs_upstream
def test_the_saturation_index_is_the_studys_own_column() -> None:
    body = versions("evaleval/benchmark-saturation", "data/manual_annotation_data.csv")[-1].body
    column = [
        round(float(row["Saturation Index"]), 4)
        for row in csv.DictReader(io.StringIO(body.decode()))
        if row["Name"].strip()
    ]
    assert sorted(column) == sorted(saturation.PUBLISHED.values())


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
    claim = Claim("it", "It is one", 1, 0.1, "https://example.org", lambda _: ours, why="measured otherwise")
    row = reproduction(frames(), {}, [claim]).row(0, named=True)
    assert row["holds"] is holds
    assert row["computed"] == ours
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
    differ = {"imagenet-v2-smallest-drop", "cifar-v4-largest-drop", "cifar-v6-smallest-drop"}
    assert {name for name, holds in held.items() if not holds} == differ
    assert {"cifar-v4-slope", "cifar-v4-gap", "imagenet-v2-first", "imagenet-v2-largest-drop"} <= held.keys() - differ
    why = {claim.claim_id for claim in CLAIMS if claim.why}
    assert differ <= why


def test_claims_read_the_newest_version_of_each_file() -> None:
    from datetime import date

    old = result("hellaswag", "gpt-4-0314", 0.99, source_id="epoch", observed_on=date(2024, 1, 1))
    new = result("hellaswag", "gpt-4-0314", 0.95, source_id="epoch", observed_on=date(2025, 1, 1))
    table = computed(frames([old, new], [benchmark("hellaswag")]))
    assert table.filter(claim_id="hellaswag-gpt-4")["computed"].item() == pytest.approx(95)
