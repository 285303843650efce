"""MMLU-Pro item by item, as its authors published what 24 models answered: the numbers that others computed of it."""

import io
import json
import zipfile

import numpy as np
import pytest

from benchhealth.analytics.audit.audit import COMPLETE, WRONG, audit
from benchhealth.analytics.audit.board import ITEMS, Board, board_of
from tests.support.upstream import SHARED, needs_upstream, versions

pytestmark = [needs_upstream, pytest.mark.soak]

REPO = "TIGER-AI-Lab/MMLU-Pro"


def paths() -> list[str]:
    with (SHARED / "upstream" / "index.jsonl").open(encoding="utf-8") as index:
        entries = [json.loads(line) for line in index]
    return sorted({one["path"] for one in entries if one["repo"] == REPO and one["path"].startswith("eval_results/")})


@pytest.fixture(scope="module")
def board() -> Board:
    answered: dict[str, dict[int, float]] = {}
    category: dict[int, str] = {}
    for path in paths():
        with zipfile.ZipFile(io.BytesIO(versions(REPO, path)[-1].body)) as archive:
            name = next(one for one in archive.namelist() if one.endswith(".json") and "__MACOSX" not in one)
            questions = [one for one in json.loads(archive.read(name)) if isinstance(one, dict)]
        model = path.split("model_outputs_")[1].removesuffix("_5shots.zip")
        answered[model] = {one["question_id"]: float(one["pred"] == one["answer"]) for one in questions}
        category |= {one["question_id"]: one["category"] for one in questions}
    items = sorted(category)
    values = np.array([[of.get(item, np.nan) for item in items] for of in answered.values()])
    clusters = [category[item] for item in items]
    return board_of(ITEMS, list(answered), values, [str(item) for item in items], "column_a_model", clusters=clusters)


def test_pairs_and_neighbours_of_the_top_ten(board: Board) -> None:
    assert (len(board.models), len(board.units), board.missing) == (24, 12_032, 1_713)
    over = {rule: audit(board, rule) for rule in (WRONG, COMPLETE)}
    counts = {
        rule: (card["pairs_apart"], card["neighbours_apart"], wide["pairs_apart"], wide["neighbours_apart"])
        for rule, rates in over.items()
        if (card := rates.card) and (wide := rates.over_clusters)
    }
    print(f"pairs and neighbours apart in the top ten, paired and over 14 subjects: {counts}")
    assert counts[COMPLETE] == (43, 7, 34, 2), "items that all answered"
    assert counts[WRONG] == (44, 8, 31, 1), "DeepSeek-Coder-V2 lacks 1,638 items"
    assert summed_over_clusters(over[COMPLETE].board) == 35, "as somebody else computed it, who has the 43 and 7 too"


def summed_over_clusters(board: Board) -> int:
    """Pairs of the top ten apart by sums over subjects with 13 degrees of freedom (Liang & Zeger 1986), as printed."""
    assert board.clusters is not None
    _, of_item = np.unique(np.array(board.clusters), return_inverse=True)
    top = board.values[:10]
    sums = np.stack([np.bincount(of_item, weights=row - row.mean()) for row in top]) / top.shape[1]
    between = sums[:, None] - sums[None, :]
    error = np.sqrt(np.square(between).sum(axis=2) * 14 / 13)
    distance = np.abs(top.mean(axis=1)[:, None] - top.mean(axis=1)[None, :])
    return int((distance > 2.160369 * error)[np.triu_indices(10, 1)].sum())
