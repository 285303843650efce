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
        ["compare", "nobody", "--on", "mmlu"],
    ],
)
def test_what_names_nothing_is_one_line_and_no_traceback(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    assert capsys.readouterr().err.startswith("benchhealth: ")


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
    for first, second in (samples, logs):
        assert main(["compare", str(first), str(second)]) == 0
        lines.append(capsys.readouterr().out.splitlines()[1])
    assert lines[0] == lines[1]
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
