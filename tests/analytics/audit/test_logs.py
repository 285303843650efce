"""Boards from logs of harnesses, in the form that each harness writes, one file a model."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchhealth.analytics.audit.board import BoardError
from benchhealth.analytics.audit.logs import from_logs, is_log


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def samples(*right: float) -> bytes:
    """As lm-evaluation-harness logs them."""
    return lines(
        [{"doc_id": index, "target": "A", "resps": [["A"]], "acc": value} for index, value in enumerate(right)]
    )


def inspected(model: str, *values: object, task: str = "exam") -> bytes:
    """As Inspect logs them in JSON."""
    rows = [
        {"id": f"q{index}", "epoch": 1, "scores": {"match": {"value": value}}} for index, value in enumerate(values)
    ]
    return json.dumps({"eval": {"model": model, "task": task}, "samples": rows}).encode()


def packed(body: bytes) -> bytes:
    """The same as Inspect's archive."""
    document, file = json.loads(body), io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": document["eval"]}))
        for sample in document["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    return file.getvalue()


def test_samples_of_lm_evaluation_harness() -> None:
    board = from_logs(
        [
            ("runs/maker__alder/samples_arc_2026-01-02T03-04-05.jsonl", samples(1.0, 0.0, 1.0)),
            ("runs/maker__birch/samples_arc_2026-01-03T03-04-05.jsonl", samples(0.0, 0.0, 1.0)),
        ]
    )
    assert board.models == ("maker/alder", "maker/birch")
    assert board.values.tolist() == [[1, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize("form", [lambda body: body, packed], ids=["json", "eval"])
def test_logs_of_inspect(form: Callable[[bytes], bytes]) -> None:
    alder, birch = form(inspected("alder", "C", "I", "P")), form(inspected("birch", 1, 0, 1))
    board = from_logs([("a.eval", alder), ("b.eval", birch)])
    assert board.models == ("alder", "birch")
    assert board.values.tolist() == [[1, 0, 0.5], [1, 0, 1]]


def test_instance_records_of_every_eval_ever() -> None:
    rows = [
        {"model_id": model, "evaluation_name": "GSM8K", "sample_id": f"q{index}", "evaluation": {"score": score}}
        for model, scores in (("alder", (1.0, 0.0)), ("birch", (1.0, 1.0)))
        for index, score in enumerate(scores)
    ]
    assert from_logs([("both.jsonl", lines(rows))]).values.tolist() == [[1, 0], [1, 1]]


def test_per_instance_files_of_helm() -> None:
    def stats(*right: float) -> bytes:
        rows = [
            {
                "instance_id": f"id{index}",
                "train_trial_index": 0,
                "stats": [{"name": {"name": "exact_match"}, "mean": value}],
            }
            for index, value in enumerate(right)
        ]
        return json.dumps(rows).encode()

    board = from_logs(
        [
            ("mmlu:subject=law,model=alder/per_instance_stats.json", stats(1.0, 0.0)),
            ("mmlu:subject=law,model=birch/per_instance_stats.json", stats(0.0, 0.0)),
        ]
    )
    assert board.models == ("alder", "birch")
    assert board.values.tolist() == [[1, 0], [0, 0]]


def test_lists_of_what_swe_bench_counts_as_resolved() -> None:
    first = json.dumps({"resolved_ids": ["a-1"], "submitted_ids": ["a-1", "a-2"]}).encode()
    second = json.dumps({"resolved": ["a-2"], "no_generation": ["a-1"]}).encode()
    board = from_logs([("alder/report.json", first), ("birch/results.json", second)])
    assert board.values.tolist() == [[1, 0], [0, 1]]


def test_items_that_only_some_answered_are_missing_cells() -> None:
    board = from_logs([("alder.jsonl", samples(1.0, 0.0)), ("birch.jsonl", samples(1.0, 0.0, 1.0))])
    assert np.isnan(board.values).sum() == 1


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([("a.jsonl", samples(1.0, 0.0)[:-9])], "a.jsonl is cut or no JSON"),
        ([("a.json", b"[]")], "no format that is known"),
        ([("a.json", b'{"what": 1}')], "no format that is known"),
        ([("a.json", inspected("x", "C")), ("b.json", inspected("y", "C", task="other"))], "are of 2 tests"),
        ([("a.json", inspected("x", "C"))], "one model alone"),
        ([("a.json", inspected("x", "C")), ("b.json", inspected("x", "I"))], "is there 2 times"),
        ([("a.jsonl", samples(1.0) + b"\n" + samples(0.0))], "the item '0' is there twice"),
        ([("a.jsonl", lines([{"doc_id": 0, "other": 1}, {"doc_id": 1}]))], "none of the metrics"),
        ([("a.jsonl", lines([{"doc_id": 0, "acc": 1.0}, {"doc_id": 1, "acc": float("nan")}]))], "has no acc"),
        ([("a.eval", packed(inspected("x", "C"))[:40])], "cut or no JSON"),
    ],
)
def test_what_is_no_log_is_said_in_a_line(files: list[tuple[str, bytes]], why: str) -> None:
    with pytest.raises(BoardError, match=why) as refused:
        from_logs(files)
    assert "\n" not in str(refused.value)


def test_other_sets_of_items_are_not_compared() -> None:
    one, other = inspected("x", "C"), inspected("y", "C").replace(b'"q0"', b'"other"')
    with pytest.raises(BoardError, match="other sets of items"):
        from_logs([("a.json", one), ("b.json", other)])


def test_logs_are_known_by_their_bytes() -> None:
    assert is_log(b" {}") and is_log(b"[1]") and is_log(packed(inspected("x", "C")))
    assert not is_log(b"model,q1\n")
