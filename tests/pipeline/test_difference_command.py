"""The commands `difference` and `compare`, as they are typed."""

import json
from pathlib import Path

import pytest

from benchhealth.pipeline.cli import main


@pytest.fixture(autouse=True)
def _home(small_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(small_home))


def test_two_scores_are_answered_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["difference", "mmlu", "71.2", "72.4", "--n", "500"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Within error: 1.2 points on MMLU"
    assert any(line.startswith("How many items would settle it? ") for line in lines)


@pytest.mark.parametrize(
    "words",
    [
        ["difference", "no-such-test", "1", "2"],
        ["difference", "mmlu", "71.2", "much"],
        ["difference", "mmlu", "71.2", "72.4", "--n", "-3"],
        ["difference", "mmlu", "0.712", "0.724"],
        ["compare", "nobody", "--on", "mmlu"],
        ["compare", __file__, "no-such-log.jsonl"],
        ["compare", __file__, __file__, "--on", "mmlu"],
    ],
)
def test_what_names_nothing_is_one_line_and_no_traceback(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    assert capsys.readouterr().err.startswith("benchhealth: ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["difference", "mmlu", "0.712", "0.724"], "scores are in percent: for 0.724 of 1 write 72.4, for"),
        (["difference", "mmlo", "71", "72"], "no benchmark 'mmlo' (did you mean mmlu"),
        (["compare", __file__, "no-such-log.jsonl"], "there is no file no-such-log.jsonl"),
        (["compare", __file__, __file__, "--on", "mmlu"], "two logs are compared without --on"),
    ],
)
def test_a_slip_is_named_with_what_to_write(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    assert why in capsys.readouterr().err


def test_scores_below_one_percent_are_taken_with_their_sign(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["difference", "mmlu", "0.7%", "0.9%", "--n", "500"]) == 0
    assert "0.9%" in capsys.readouterr().out


def test_of_two_logs_the_test_is_what_both_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = [tmp_path / model / "samples_arc.jsonl" for model in ("alder", "birch")]
    for log, start in zip(logs, (0, 20), strict=True):
        rows = [{"doc_id": index, "acc": index % (3 if start else 2) == 0} for index in range(start, start + 60)]
        log.parent.mkdir()
        log.write_text("\n".join(json.dumps(row) for row in rows))
    assert main(["compare", *map(str, logs)]) == 0
    answer = capsys.readouterr().out
    assert "over 40 items that both answered" in answer and "the test has 40." in answer
    assert "on record" not in answer


def test_two_logs_are_compared_item_by_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 40 items 3 go to the first alone and 12 to the second: 9 of 40, and a coin falls so in 576 of 32,768."""
    rights = {"alder": [1] * 20 + [1] * 3 + [0] * 12 + [0] * 5, "birch": [1] * 20 + [0] * 3 + [1] * 12 + [0] * 5}
    samples, logs = [], []
    for model, right in rights.items():
        samples.append(tmp_path / model / "samples_arc_2026-01-01.jsonl")
        samples[-1].parent.mkdir()
        samples[-1].write_text("\n".join(json.dumps({"doc_id": index, "acc": one}) for index, one in enumerate(right)))
        logs.append(tmp_path / f"{model}.json")
        rows = [{"id": index, "scores": {"match": {"value": "C" if one else "I"}}} for index, one in enumerate(right)]
        logs[-1].write_text(json.dumps({"eval": {"model": model, "task": "arc"}, "samples": rows}))
    lines = []
    (samples[0].parent / "results_2026-01-01.json").write_text('{"results": {}, "config": {}}')
    for first, second in (samples, [log.parent for log in samples], logs):
        assert main(["compare", str(first), str(second)]) == 0
        lines.append(capsys.readouterr().out.splitlines()[1])
    assert lines[0] == lines[1] == lines[2]
    assert lines[0].startswith("birch (80%) is 22 points above alder (57.5%) over 40 items that both answered")
    assert "3 went better for the first alone, 12 for the second" in lines[0]
    assert "at least as far apart, in 2% of such tests" in lines[0]


def test_runs_of_one_item_are_said_to_be_no_new_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten items, two runs each: three waver, so that .0075 of a variance of .0294 is between runs of one item."""
    letters = {"alder": ["C", "I"] * 3 + ["C", "C"] * 4 + ["I", "I"] * 3, "birch": ["I"] * 20}
    for model, given in letters.items():
        rows = [{"id": index // 2, "scores": {"match": {"value": letter}}} for index, letter in enumerate(given)]
        (tmp_path / f"{model}.json").write_text(json.dumps({"eval": {"model": model, "task": "arc"}, "samples": rows}))
    assert main(["compare", str(tmp_path / "birch.json"), str(tmp_path / "alder.json")]) == 0
    answer = capsys.readouterr().out
    assert "over 10 items that both answered" in answer
    assert "26% of the variance of the difference is between runs of one item" in answer


def test_models_without_a_benchmark_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "alder", "birch"]) == 1
    assert "--on BENCHMARK" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["difference", "compare"])
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert f"example: benchhealth {command} " in capsys.readouterr().out


def test_help_of_check_says_that_results_of_ones_own_are_imported_first(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert "must be imported first: benchhealth import FILE" in " ".join(capsys.readouterr().out.split())
