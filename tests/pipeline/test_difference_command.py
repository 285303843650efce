"""The commands `difference` and `compare`, as they are typed."""

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


@pytest.mark.parametrize("command", ["difference", "compare"])
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert f"example: benchhealth {command} " in capsys.readouterr().out
