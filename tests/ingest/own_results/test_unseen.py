"""What nobody would see in a name is refused with file, row and reason: nothing is cleaned in silence."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.own_results.imports import ImportRefused, read_path, store_reading
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store
from tests.ingest.names.test_identity import UNSEEN
from tests.ingest.own_results.test_imports import AT, GOOD, HEADER
from tests.ingest.sources.payload_rows import PAYLOADS
from tests.support.curated_facts import curated
from tests.support.soaking import examples

WRITTEN = tuple(mark for mark in UNSEEN if mark != "\ud800")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return curated()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("nothing")
    with Store.open(made):
        yield made


def complaint(path: Path, home: Path, registry: Registry) -> str:
    with pytest.raises(ImportRefused) as error:
        read_path(path, registry, home=home, observed_at=AT)
    return str(error.value)


@examples(20, 200)
@given(
    mark=st.sampled_from(WRITTEN),
    place=st.tuples(
        st.sampled_from(["benchmark_id", "model", "score", "unit", "setting"]),
        st.sampled_from(["before", "within", "after"]),
    ),
)
def test_in_any_cell_of_a_table(
    mark: str, place: tuple[str, str], home: Path, registry: Registry, tmp_path_factory: pytest.TempPathFactory
) -> None:
    column, column_place = place
    cells = {"benchmark_id": "mmlu", "model": "Oak 7B", "score": "61", "unit": "percent", "setting": "5-shot"}
    text = cells[column]
    cells[column] = {"before": mark + text, "within": text[:1] + mark + text[1:], "after": text + mark}[column_place]
    file = tmp_path_factory.mktemp("own") / "own.csv"
    lines = (f"{HEADER},setting", "mmlu,Alder 7B,71.5,percent,", ",".join(cells.values()))
    file.write_bytes("\r\n".join(lines).encode())
    message = complaint(file, home, registry)
    assert f"{file}: line 3: a character in {column} that is not to be seen: U+{ord(mark):04X}" in message
    assert mark not in message


@pytest.mark.parametrize("name", ["Oak\\u202e7B", "Oak\\x1b[31m", '"Oak\n7B"', '"Oak\t7B"'])
def test_escapes_in_writing_and_broken_lines_too(name: str, home: Path, registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(f"{HEADER}\nmmlu,{name},71.5,percent\n")
    assert "line 2: a character in model that is not to be seen: U+" in complaint(tmp_path, home, registry)


@pytest.mark.parametrize("mark", ["\u0000", "\u001b", "\u200b", "\u202e", "\ud800", "\ufeff"])
def test_in_a_record(mark: str, home: Path, registry: Registry, tmp_path: Path) -> None:
    record = json.loads((PAYLOADS / "eee" / "v03.json").read_text())
    record["evaluation_results"] = record["evaluation_results"][:1]
    for field in ("name", "id"):
        if field in record["model_info"]:
            record["model_info"][field] += f"{mark}x"
    (tmp_path / "own.json").write_text(json.dumps(record))
    message = complaint(tmp_path, home, registry)
    assert (
        f"own.json: /evaluation_results/0: a character in the model's name that is not to be seen: U+{ord(mark):04X}"
        in (message)
    )


@pytest.mark.parametrize("mark", ["\u0000", "\u001b", "\u200b", "\u202e", "\ufeff"])
def test_in_a_task_or_a_metric_of_the_harness(mark: str, home: Path, registry: Registry, tmp_path: Path) -> None:
    score = {"acc,none": 0.6, "acc_stderr,none": 0.004}
    for task, named in (
        (f"gsm8k{mark}", score),
        ("gsm8k", {f"acc{mark},none": 0.6}),
        ("gsm8k", {f"acc,no{mark}ne": 0.6}),
    ):
        ways = {task: {key.partition(",")[0]: True for key in named}}
        document = {"results": {task: named}, "config": {}, "model_name": "acme/oak-7b", "higher_is_better": ways}
        (tmp_path / "own.json").write_text(json.dumps(document))
        message = complaint(tmp_path, home, registry)
        assert f"not to be seen: U+{ord(mark):04X}" in message
        assert mark not in message


@pytest.mark.parametrize("mark", ["\u0000", "\u200b", "\u202e"])
def test_in_what_a_record_calls_its_evaluation(mark: str, home: Path, registry: Registry, tmp_path: Path) -> None:
    for place in ("evaluation_name", "metric_name", "evaluation_id"):
        record = json.loads((PAYLOADS / "eee" / "v03.json").read_text())
        record["evaluation_results"] = record["evaluation_results"][:1]
        first = record["evaluation_results"][0]
        holder = {"evaluation_name": first, "evaluation_id": record}.get(place, first["metric_config"])
        holder[place] = f"a{mark}b/{holder.get(place, '')}"
        (tmp_path / "own.json").write_text(json.dumps(record))
        assert f"not to be seen: U+{ord(mark):04X}" in complaint(tmp_path, home, registry), place


def test_the_name_of_a_file_is_no_command_to_the_terminal(home: Path, registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "own\x1b[2J.csv").write_text(GOOD.replace("71.5", "710"))
    message = complaint(tmp_path, home, registry)
    assert "\x1b" not in message
    assert "own\\u001b[2J.csv: line 2" in message
    assert "\x1b" not in complaint(tmp_path / "none\x1b[2J", home, registry)
    (tmp_path / "empty\x1b[2J").mkdir()
    assert "\x1b" not in complaint(tmp_path / "empty\x1b[2J", home, registry)


def test_nor_is_it_where_the_file_changes(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "own\x1b[2J.csv"
    file.write_text(GOOD)
    with Store.open(tmp_path / "home") as store:
        reading = read_path(file, registry, home=tmp_path / "home", observed_at=AT)
        file.write_text(GOOD + "\n")
        with pytest.raises(ImportRefused) as error:
            store_reading(reading, store, tmp_path / "home")
    assert "own\\u001b[2J.csv changed" in str(error.value)
