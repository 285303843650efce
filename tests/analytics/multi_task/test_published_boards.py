"""Every board of the package benchbench: its own numbers, from the files as they are and from the facts as bundled."""

import csv
import io
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.multi_task import zhang_hardt as published
from benchhealth.analytics.multi_task.boards import Board, multi_task_boards
from benchhealth.analytics.multi_task.stability import first_by_mean, first_by_win_rate, stability_of
from benchhealth.analytics.record.frames import EMPTY_CELL, Frames
from benchhealth.warehouse.bundle import read_bundles, restore
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.support.curated_facts import curated
from tests.support.frames import benchmark, frames, result
from tests.support.reason_sentences import with_sentence
from tests.support.upstream import needs_upstream, versions

ROOT = Path(__file__).parents[3]

# benchbench 1.0.1 under torch 2.13.0, scikit-learn 1.9.1: get_diversity and get_sensitivity of measures.cardinal, or of
# measures.ordinal, on the board as its own loader reads it.
PACKAGE = {
    # file: (benchmark here, models, tasks, diversity, sensitivity)
    "glue/leaderboard": ("glue", 87, 9, 0.158506, 0.121123),
    "superglue/leaderboard": ("superglue", 28, 8, 0.133923, 0.111111),
    "openllm/leaderboard": ("openllm-v1", 100, 6, 0.816122, 0.462375),
    "mmlu/leaderboard": ("mmlu", 98, 57, 0.532984, 0.342881),
    "bbh/leaderboard": ("bbh", 107, 27, 0.322887, 0.245283),
    "mteb/leaderboard": ("benchbench-mteb", 83, 112, 0.082712, 0.181311),
    "vtab/leaderboard": ("benchbench-vtab", 16, 19, 0.189747, 0.066667),
    "bigcode/leaderboard": ("benchbench-bigcode", 41, 3, 0.067596, 0.035714),
    "heim/aesthetics_auto": ("benchbench-heim-aesthetics-auto", 26, 60, 0.568828, 0.400000),
    "heim/aesthetics_human": ("benchbench-heim-aesthetics-human", 26, 18, 0.437714, 0.100000),
    "heim/alignment_auto": ("benchbench-heim-alignment-auto", 26, 40, 0.239198, 0.300000),
    "heim/alignment_human": ("benchbench-heim-alignment-human", 26, 23, 0.706929, 0.100000),
    "heim/black_out": ("benchbench-heim-black-out", 26, 20, 0.494497, 0.000000),
    "heim/nsfw": ("benchbench-heim-nsfw", 26, 20, 0.601060, 0.388889),
    "heim/nudity": ("benchbench-heim-nudity", 26, 20, 0.764181, 0.388889),
    "heim/originality": ("benchbench-heim-originality", 26, 20, 0.692696, 0.341886),
    "heim/quality_auto": ("benchbench-heim-quality-auto", 26, 12, 0.819085, 0.100000),
    "heim/quality_human": ("benchbench-heim-quality-human", 26, 7, 0.256397, 0.100000),
    "helm/accuracy": ("benchbench-helm-accuracy", 67, 16, 0.267025, 0.320513),
    "helm/bias": ("benchbench-helm-bias", 67, 30, 0.969460, 0.435897),
    "helm/calibration": ("benchbench-helm-calibration", 67, 12, 0.760147, 0.589744),
    "helm/efficiency": ("benchbench-helm-efficiency", 67, 16, 0.598813, 0.076923),
    "helm/fairness": ("benchbench-helm-fairness", 67, 14, 0.303154, 0.179487),
    "helm/robustness": ("benchbench-helm-robustness", 67, 14, 0.276236, 0.256410),
    "helm/summarization": ("benchbench-helm-summarization", 67, 18, 0.854843, 0.347652),
    "helm/toxicity": ("benchbench-helm-toxicity", 67, 9, 0.904005, 0.447711),
}
CARDINAL = ("glue", "superglue", "openllm", "mmlu", "bbh", "mteb", "vtab")
"""The boards that order by mean score; the others order by mean win rate."""

THREE_DIGITS = 5e-4

COLUMNS = {
    "glue": slice(5, -1),
    "superglue": slice(5, -2),
    "openllm": slice(3, None),
    "mmlu": slice(4, None),
    "bbh": slice(6, None),
    "mteb": slice(6, None),
    "vtab": slice(2, None),
    "bigcode": slice(3, 6),
}
"""Where a file has its tasks; those of HELM and HEIM start in the third column."""

LOWER = {
    "helm": ("ECE", "Representation", "Stereotype", "Toxic fraction", "inference time"),
    "heim": ("\N{DOWNWARDS ARROW}",),
}
"""Words of a column of which less is better."""


def upstream_board(file: str) -> published.Numbers:
    """A table as the package reads it: double metrics at their mean, MNLI's halves one task, means once a data set."""
    body = versions("socialfoundations/benchbench", f"benchbench/data/{file}.tsv")[-1].body
    header, *rows = (row for row in csv.reader(io.StringIO(body.decode("utf-8-sig")), delimiter="\t") if any(row))
    board = file.split("/", maxsplit=1)[0]
    header = ["Model", *header] if board == "vtab" else header
    where = COLUMNS.get(board, slice(2, None))
    scores = np.array([[_cell(cell) for cell in row[where]] for row in rows])
    merit = np.where([any(word in name for word in LOWER.get(board, ())) for name in header[where]], -scores, scores)
    names = header[where]
    times = [int(name.split("(")[1].split()[0]) if board == "mteb" else 1 for name in names]
    if board == "glue":
        halves = [names.index("MNLI-m"), names.index("MNLI-mm")]
        merit[:, halves[0]] = merit[:, halves].mean(axis=1)
        merit[:, halves[1]] = np.nan
    run = ~np.isnan(merit).all(axis=0)
    return np.repeat(merit[:, run], np.array(times)[run], axis=1)


def _cell(text: str) -> float:
    return np.nan if text.strip() in {"-", ""} else float(np.mean([float(part) for part in text.split("/")]))


@needs_upstream
@pytest.mark.parametrize("file", PACKAGE)
def test_measures_equal_those_of_the_package(file: str) -> None:
    merit = upstream_board(file)
    _, models, tasks, diversity, sensitivity = PACKAGE[file]
    assert merit.shape == (models, tasks)
    assert published.diversity(published.filled(merit))[0] == pytest.approx(diversity, abs=THREE_DIGITS)
    by_mean = file.split("/", maxsplit=1)[0] in CARDINAL
    value = merit.mean(axis=1) if by_mean else published.win_rates(merit).mean(axis=1)
    ordered = merit[np.argsort(-value, kind="stable")]
    if by_mean:
        assert published.task_weights(ordered)[0].distance == pytest.approx(sensitivity, abs=1e-6)
    else:
        ((irrelevant, _),) = published.irrelevant_models([published.win_rates(ordered)])
        assert irrelevant.distance == pytest.approx(sensitivity, abs=1e-6)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Frames:
    """The facts of the package's own tables as they are bundled."""
    home = tmp_path_factory.mktemp("benchbench")
    with Store.open(home) as store:
        restore(store, read_bundles(ROOT / "data" / "snapshot" / "benchbench.parquet"))
    return load(home, curated(), datetime(2026, 1, 1))


@pytest.fixture(scope="module")
def listed(bundled: Frames) -> list[Board]:
    return multi_task_boards(bundled)


def test_the_published_table_holds_what_the_package_computes(listed: list[Board]) -> None:
    table = stability_of(listed)
    assert table["as_defined"].all()
    assert set(table["board_id"]) == {f"benchbench/{row[0]}" for row in PACKAGE.values()}
    for file, (benchmark_id, models, tasks, diversity, sensitivity) in PACKAGE.items():
        row = table.row(by_predicate=pl.col("board_id") == f"benchbench/{benchmark_id}", named=True)
        column = "cardinal_sensitivity" if file.split("/")[0] in CARDINAL else "ordinal_sensitivity"
        assert (row["n_models"], row["n_tasks"]) == (models, tasks), file
        assert row["diversity"] == pytest.approx(diversity, abs=THREE_DIGITS), file
        assert row[column] == pytest.approx(sensitivity, abs=THREE_DIGITS), file


def test_what_our_own_cut_leaves_out_stands_beside_it(listed: list[Board]) -> None:
    table = with_sentence(stability_of(listed), "cut")
    rows = {row["board_id"].removeprefix("benchbench/"): row for row in table.iter_rows(named=True)}
    assert rows["bbh"]["cut"] == "the best 100 of 107 models by mean rank"
    assert (rows["bbh"]["cut_models"], rows["bbh"]["cut_tasks"]) == (100, 27)
    assert (rows["benchbench-mteb"]["cut_tasks"], rows["benchbench-mteb"]["n_tasks"]) == (7, 112)
    calibration = rows["benchbench-helm-calibration"]
    assert calibration["cut"] == "48 of 67 models, those that ran half of these tasks"
    assert calibration["cut_diversity"] > calibration["diversity"] + 0.05
    glue = rows["glue"]
    assert glue["cut"] is None
    for name in ("models", "tasks"):
        assert glue[f"cut_{name}"] == glue[f"n_{name}"]
    for name in ("diversity", "ordinal_sensitivity", "cardinal_sensitivity"):
        assert glue[f"cut_{name}"] == glue[name]
    assert rows["benchbench-heim-nudity"]["cut_models"] is None  # open-ended scores alone


def test_no_human_is_named_as_first_or_left_out(listed: list[Board]) -> None:
    boards = {board.board_id: board for board in listed}
    for board_id, human in (("benchbench/glue", "glue-human-baselines"), ("benchbench/superglue", "superglue-human")):
        board = boards[board_id]
        assert [name.startswith(human) for name in board.models].count(True) == 1
        for first_of in (first_by_win_rate(board), first_by_mean(board)):
            assert first_of is not None
            assert not any("human" in name for name in (first_of.first, first_of.challenger or "", *first_of.left_out))


def small() -> Frames:
    """A published board of ten models and three tasks, one of them in seconds, all of whose scores are known."""
    merit = np.random.default_rng(3).random((10, 3))
    rows = [
        result(
            f"many/t{task}", f"m{model}", float(merit[model, task]), source_id="benchbench", board_id="benchbench/many"
        )
        for task in range(3)
        for model in range(10)
    ]
    seconds = benchmark("many/t2", unit="seconds", higher_is_better=False)
    return frames(rows, [benchmark("many/t0"), benchmark("many/t1"), seconds])


def test_a_published_board_has_its_open_ended_tasks_and_its_entries_without_a_score() -> None:
    facts = small()
    (board,) = multi_task_boards(facts)
    assert (len(board.models), len(board.tasks), board.bounded, board.as_defined, board.cut) == (
        10,
        3,
        False,
        True,
        None,
    )
    assert (board.merit[:, 2] <= 0).all()  # fewer seconds are better
    assert first_by_mean(board) is None
    empty = pl.DataFrame(
        [
            ("benchbench", f"many/t{task}", name, f"line {line}, column t{task}")
            for task in range(3)
            for line, name in ((90, "None of it"), (91, "Neither"))
        ],
        schema=EMPTY_CELL,
        orient="row",
    )
    (longer,) = multi_task_boards(replace(facts, empty_cell=empty))
    assert longer.models[:10] == board.models
    assert longer.models[10:] == ["None of it", "Neither"]
    assert np.isnan(longer.merit[10:]).all()


def test_columns_of_means_count_once_for_each_data_set() -> None:
    merit = np.random.default_rng(4).random((8, 4))
    names = [
        "benchbench-mteb",
        *(f"benchbench-mteb/{name}" for name in ("sts-10-datasets", "pairs-3-datasets", "one-1-dataset")),
    ]
    rows = [
        result(name, f"m{model}", float(merit[model, index]), source_id="benchbench", board_id=f"benchbench/{name}")
        for index, name in enumerate(names)
        for model in range(8)
    ]
    (board,) = multi_task_boards(frames(rows))
    assert board.times is not None
    assert dict(zip(board.tasks, board.times.tolist(), strict=True)) == {
        "benchbench-mteb/mean over all data sets": 14,
        "benchbench-mteb/one-1-dataset": 1,
        "benchbench-mteb/pairs-3-datasets": 3,
        "benchbench-mteb/sts-10-datasets": 10,
    }
    assert board.repeated_merit().shape == (8, 28)
    assert board.cut is not None
    assert board.cut.merit.shape == (8, 3)
