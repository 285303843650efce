"""The command `audit`, as it is typed: printed, written in four forms, and ten files that are no leaderboard."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchhealth.pipeline.cli import main

GOOD = "question,category,alder,birch\n" + "\n".join(
    f"q{number},c{number % 6},{number % 2},{int(number % 3 > 0)}" for number in range(60)
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_board_is_printed_and_written_and_nothing_is_imported(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.csv"
    file.write_text(GOOD)
    outputs = [tmp_path / f"card.{form}" for form in ("html", "pdf", "md", "json")]
    assert main(["audit", str(file), *(part for one in outputs for part in ("--output", str(one)))]) == 0
    output = capsys.readouterr().out
    assert output.startswith("birch and alder share first place") or output.startswith("birch is first")
    assert "board.csv: 2 models, 60 items" in output
    html, pdf, markdown, body = (one.read_bytes() for one in outputs)
    assert html.startswith(b"<!doctype html>") and pdf.startswith(b"%PDF") and markdown.startswith(b"### ")
    assert json.loads(body)["card"]["n_models"] == 2
    assert not home.exists(), "nothing is kept"


def test_a_folder_of_logs_is_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model, right in (("alder", 1.0), ("birch", 0.0)):
        folder = tmp_path / "runs" / f"maker__{model}"
        folder.mkdir(parents=True)
        rows = [json.dumps({"doc_id": index, "acc": right if index < 30 else 1.0 - index % 2}) for index in range(50)]
        (folder / "samples_arc_2026-01-02T00-00-00.jsonl").write_text("\n".join(rows))
        (folder / "results_2026-01-02T00-00-00.json").write_text(json.dumps({"results": {"arc": {}}, "config": {}}))
    assert main(["audit", str(tmp_path / "runs")]) == 0
    output = capsys.readouterr().out
    assert output.startswith("alder is first by more than its error") and "maker/alder" in output


def cut(file: Path) -> None:
    file.write_bytes(b'{"eval": {"model": "x"')


def large(file: Path) -> None:
    with file.open("wb") as sparse:
        sparse.truncate(2 * 2**30)


BROKEN: dict[str, Callable[[Path], object]] = {
    "cut.json": cut,
    "mixed.jsonl": lambda file: file.write_text(
        "\n".join(
            json.dumps({"model_id": "m", "evaluation_name": name, "sample_id": "1", "evaluation": {"score": 1}})
            for name in ("one", "two")
        )
    ),
    "twice.csv": lambda file: file.write_text("item,alder,birch\nq,1,0\nq,1,0\n"),
    "nan.csv": lambda file: file.write_text("model,q\nalder,nan\nbirch,1\n"),
    "apart.csv": lambda file: file.write_text("model,item,score\nalder,q,1\nbirch,r,1\n"),
    "large.csv": large,
    "binary.csv": lambda file: file.write_bytes(np.random.default_rng(0).bytes(999)),
    "empty.csv": lambda file: file.write_bytes(b""),
    "one.csv": lambda file: file.write_text("model,q1,q2\nalder,1,0\n"),
    "gone.csv": lambda _file: None,
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_leaderboard_is_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    BROKEN[name](tmp_path / name)
    arguments = ["audit", str(tmp_path / name), "--missing", "complete"]
    assert main(arguments) == 1
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith("benchhealth: ") and output.err.count("\n") == 1


def test_all_equal_is_a_board_where_all_are_tied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "equal.csv").write_text("model,q1,q2\nalder,1,1\nbirch,1,1\ncedar,1,1\n")
    assert main(["audit", str(tmp_path / "equal.csv")]) == 0
    assert capsys.readouterr().out.startswith("3 are tied for first")


def test_a_form_that_there_is_not_is_refused(tmp_path: Path) -> None:
    assert main(["audit", str(tmp_path / "x.csv"), "--output", "card.docx"]) == 1


def test_what_is_written_in_markdown_is_text(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("model,q1,q2\n<b>x</b>|[a](b),1,1\nbirch,0,1\n")
    assert main(["audit", str(tmp_path / "b.csv"), "--output", str(tmp_path / "c.md")]) == 0
    assert "<b>" not in (tmp_path / "c.md").read_text()
