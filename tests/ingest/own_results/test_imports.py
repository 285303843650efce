"""Results of one's own: read whole with their addresses, or refused whole with the row and the reason."""

import json
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.audit.board import MOST_MODELS
from benchhealth.ingest.own_results import imports
from benchhealth.ingest.own_results.csv_results import COLUMNS
from benchhealth.ingest.own_results.imports import ImportRefused, read_path, store_reading
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store, fact_table
from tests.ingest.sources.payload_rows import PAYLOADS, ROOT
from tests.support.curated_facts import curated
from tests.support.soaking import examples

AT = datetime(2026, 11, 21, 12)
HEADER = "benchmark_id,model,score,unit"
EXCEL = (
    "benchmark_id;model;score;unit;n_items;dated_on;;\r\n"
    "mmlu;Alder 7B;71,5;percent;14042;1.5.2026;;\r\nimport-ours;Alder 7B;0,25;fraction;;;;\r\n"
)
GOOD = f"{HEADER}\nmmlu,Alder 7B,71.5,percent\nimport-ours,Alder 7B,0.25,fraction\n"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return curated()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def bring(path: Path, home: Path, registry: Registry, observed_at: datetime = AT) -> tuple[int, int]:
    """Import; how many files came in and how many were there before."""
    with Store.open(home) as store:
        reading = read_path(path, registry, home=home, observed_at=observed_at)
        if reading.files:
            store_reading(reading, store, home)
    return len(reading.files), reading.unchanged


def everything(home: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in home.rglob("*") if file.is_file()}


def bodies(home: Path) -> set[str]:
    return {file.name for file in (home / "raw").rglob("*") if file.is_file()}


def refused(path: Path, home: Path, registry: Registry) -> str:
    """The message; what was there before must be there still, and nothing else."""
    with Store.open(home):
        pass
    before = everything(home)
    with pytest.raises(ImportRefused) as error:
        bring(path, home, registry)
    assert everything(home) == before
    return str(error.value)


@pytest.fixture(scope="module")
def nothing_there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home without facts, kept open."""
    home = tmp_path_factory.mktemp("nothing")
    with Store.open(home):
        yield home


def complaint(path: Path, home: Path, registry: Registry) -> str:
    """What is said of files that cannot be read as results; reading them writes nothing."""
    with pytest.raises(ImportRefused) as error:
        read_path(path, registry, home=home, observed_at=AT)
    return str(error.value)


def scores(home: Path) -> set[tuple[str, str, float]]:
    return set(fact_table(home, "result").select("benchmark_id", "model_id", "score").iter_rows())


def test_a_table_becomes_results_with_their_address(folder: Path, home: Path, registry: Registry) -> None:
    file = folder / "own.csv"
    file.write_text(GOOD)
    assert bring(file, home, registry) == (1, 0)
    assert scores(home) == {("mmlu", "alder-7b", 0.715), ("import-ours", "alder-7b", 0.25)}
    snapshot = fact_table(home, "snapshot").row(0, named=True)
    assert snapshot["url"] == file.resolve().as_uri()
    assert snapshot["source_id"] == "import"
    assert (snapshot["rows_in"], snapshot["rows_kept"], snapshot["rows_rejected"]) == (2, 2, 0)
    assert fact_table(home, "result")["source_row"].sort().to_list() == ["line 2", "line 3"]
    assert fact_table(home, "source").filter(source_id="import")["redistributable"].to_list() == [False]
    assert {name.removesuffix(".gz") for name in bodies(home)} == {snapshot["sha256"]}


def test_all_columns_are_read(folder: Path, home: Path, registry: Registry) -> None:
    (folder / "own.csv").write_text(
        f"{HEADER},std_error,n_items,dated_on,setting,reporter,lower_is_better\n"
        '"import-errors","Alder 7B (FC)","3.5 ",minutes,0.5,200,2026-05-01,temperature 0,self,true\n'
    )
    bring(folder, home, registry)
    row = fact_table(home, "result").row(0, named=True)
    assert row["setting"] == "temperature 0, fc"
    assert (row["score"], row["std_error"], row["n_items"], row["reporter"]) == (3.5, 0.5, 200, "self")
    assert (str(row["dated_on"]), row["date_basis"]) == ("2026-05-01", "evaluation")
    fact = fact_table(home, "benchmark_fact").row(0, named=True)
    assert (fact["benchmark_id"], fact["name"], fact["unit"]) == ("import-errors", "errors", "minutes")
    assert fact["higher_is_better"] is False


def test_the_page_on_imports_names_the_columns() -> None:
    page = (ROOT / "docs" / "import.md").read_text()
    table = page[page.index("| column | holds |") :].split("\n\n")[0].splitlines()[2:]
    assert [name for line in table for name in line.split("|")[1].strip().split(", ")] == list(COLUMNS)


@pytest.mark.parametrize(("document", "lines"), [("docs/import.md", 2), ("README.md", 1)])
def test_the_example_of_a_document_is_imported(
    document: str, lines: int, folder: Path, nothing_there: Path, registry: Registry
) -> None:
    example = (ROOT / document).read_text().split("```csv\n")[1].split("```")[0]
    (folder / "own.csv").write_text(example)
    assert read_path(folder, registry, home=nothing_there, observed_at=AT).tables["result"].height == lines


def test_the_same_bytes_twice_change_nothing(folder: Path, home: Path, registry: Registry) -> None:
    (folder / "own.csv").write_text(GOOD)
    bring(folder, home, registry)
    before = everything(home)
    (folder / "copy.csv").write_text(GOOD)
    assert bring(folder, home, registry, AT + timedelta(days=1)) == (0, 2)
    assert everything(home) == before


def test_a_changed_file_is_a_newer_version_and_so_is_one_that_is_put_back(
    folder: Path, home: Path, registry: Registry
) -> None:
    file = folder / "own.csv"
    for day, score in enumerate(("71.5", "81.5", "71.5", "71.5", "81.5")):
        file.write_text(f"{HEADER}\nmmlu,Alder 7B,{score},percent\n")
        assert bring(file, home, registry, AT + timedelta(days=day)) == ((1, 0) if day != 3 else (0, 1))
    snapshots = fact_table(home, "snapshot").sort("observed_at")
    assert snapshots["url"].n_unique() == snapshots["board_id"].n_unique() == 1
    assert snapshots["snapshot_id"].n_unique() == snapshots.height == 4
    listed = snapshots.join(fact_table(home, "result"), on="snapshot_id", maintain_order="left")
    assert listed["score_published"].to_list() == [71.5, 81.5, 71.5, 81.5]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\xef\xbb\xbf" + GOOD.encode(), id="byte order mark"),
        pytest.param(GOOD.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(GOOD.rstrip("\n").encode(), id="no last line end"),
        pytest.param(GOOD.replace("\nimport", "\n\n,,,\nimport").encode(), id="blank lines"),
        pytest.param(GOOD.replace("mmlu", '"mmlu"').encode(), id="quotes"),
        pytest.param(GOOD.replace(",", ";").encode(), id="semicolons"),
        pytest.param(GOOD.replace(",", "\t").encode(), id="tabs"),
        pytest.param(EXCEL.encode("utf-8-sig"), id="CSV UTF-8 of a German Excel"),
        pytest.param(EXCEL.replace(";", "\t").encode("utf-16"), id="Unicode text of a German Excel"),
        pytest.param(EXCEL.replace("\r\n", "\r").encode(), id="line ends of a Macintosh"),
        pytest.param((EXCEL + ";;;;;;;\r\n" * 3).encode(), id="empty lines at the end"),
    ],
)
def test_how_a_table_is_written_does_not_matter(body: bytes, folder: Path, home: Path, registry: Registry) -> None:
    (folder / "OWN.CSV").write_bytes(body)
    bring(folder, home, registry)
    assert scores(home) == {("mmlu", "alder-7b", 0.715), ("import-ours", "alder-7b", 0.25)}


def test_more_models_than_can_be_assessed_are_refused(
    folder: Path, home: Path, nothing_there: Path, registry: Registry
) -> None:
    lines = [f"mmlu,Oak {place},71.5,percent" for place in range(MOST_MODELS + 1)]
    (folder / "own.csv").write_text("\n".join([HEADER, *lines]))
    assert "5,001 models are more than are read (5,000)" in complaint(folder, nothing_there, registry)
    assert f"{MOST_MODELS:,} models at most" in (ROOT / "docs" / "import.md").read_text()
    (folder / "own.csv").write_text("\n".join([HEADER, *lines[1:]]))
    assert bring(folder, home, registry) == (1, 0)


def test_unicode_text_of_excel_is_a_table(folder: Path, home: Path, registry: Registry) -> None:
    file = folder / "own.txt"
    file.write_bytes(EXCEL.replace(";", "\t").encode("utf-16"))
    bring(file, home, registry)
    assert scores(home) == {("mmlu", "alder-7b", 0.715), ("import-ours", "alder-7b", 0.25)}


def test_scores_below_one_percent_are_taken_with_their_sign(folder: Path, home: Path, registry: Registry) -> None:
    (folder / "own.csv").write_text(f"{HEADER}\nmmlu,Alder 7B,0.5%,percent\n")
    bring(folder, home, registry)
    assert scores(home) == {("mmlu", "alder-7b", 0.005)}


REFUSED = {
    "empty": (b"", "empty"),
    "blank": (b"\n \n", "empty"),
    "header only": (HEADER.encode(), "no result in it"),
    "not UTF-8": (f"{HEADER}\nmmlu,Al\xe4der,71,percent\n".encode("latin-1"), "not UTF-8"),
    "a web page": (b"<!doctype html><p>benchmark_id", "a web page"),
    "fractions": (f"{HEADER}\nmmlu,A,0.71,percent\nmmlu,B,0,percent\n".encode(), "the unit of fractions is fraction"),
    "a column unknown": (b"benchmark_id,model,score,unit,stderr\nmmlu,A,1,percent,2\n", "columns not known: 'stderr'"),
    "a column missing": (b"benchmark_id,model,score\nmmlu,A,1\n", "columns not found: unit"),
    "a column twice": (b"benchmark_id,model,score,unit,unit\nmmlu,A,1,percent,percent\n", "named twice: unit"),
    "an open quote": (f'{HEADER}\nmmlu,"A,1,percent\n'.encode(), "not a table"),
}
ROWS = {
    "duplicate": ("mmlu,Oak,71.5,percent\nmmlu,oak,71.5,percent", "line 4: duplicate of line 3"),
    "second value": ("mmlu,Oak,71.5,percent\nmmlu,oak,72,percent", "second value for the same key: line 3"),
    "nan": ("mmlu,Oak,NaN,percent", "line 3: no score"),
    "inf": ("mmlu,Oak,inf,percent", "line 3: no score"),
    "an overflow": ("mmlu,Oak,1e999,percent", "too large a number"),
    "no score": ("mmlu,Oak,,percent", "line 3: no score"),
    "above 100": ("mmlu,Oak,100.1,percent", "line 3: outside 0 to 100: '100.1'"),
    "below 0": ("mmlu,Oak,-1,percent", "outside 0 to 100"),
    "a fraction above 1": ("mmlu,Oak,71.5,fraction", "outside 0 to 1: '71.5'"),
    "a decimal comma": ('mmlu,Oak,"71,5",percent', "not a number: '71,5'"),
    "another unit": ("mmlu,Oak,1200,rating", "the row's unit is rating, the benchmark's is percent"),
    "no unit": ("import-new,Oak,71.5,", "unknown unit: ''"),
    "a sign for a unit": ("import-new,Oak,71.5,%", "unknown unit: '%'"),
    "a mistyped unit": ("import-new,Oak,71.5,percnt", "unknown unit: 'percnt'"),
    "two units": ("import-new,Oak,71,percent\nimport-new,Elm,71,minutes", "line 4"),
    "unknown benchmark": ("mmluu,Oak,71.5,percent", "unknown benchmark: 'mmluu'; the id of a new one begins"),
    "a name for an id": ("MMLU,Oak,71.5,percent", "unknown benchmark: 'MMLU' (did you mean mmlu?)"),
    "no benchmark": (",Oak,71.5,percent", "unknown benchmark: ''"),
    "not an id": ("import-My Bench,Oak,71.5,percent", "not a benchmark_id: 'import-My Bench'"),
    "no model": ("mmlu,,71.5,percent", "line 3: no model name"),
    "mixed scripts": ("mmlu,GPT-4\N{CYRILLIC SMALL LETTER O}mni,71.5,percent", "mixes Latin and Cyrillic letters"),
    "too few cells": ("mmlu,Oak,71.5", "line 3: 3 cells under 4 columns"),
    "too many cells": ("mmlu,Oak,71.5,percent,0", "line 3: 5 cells under 4 columns"),
}
FULL_ROWS = {
    "an error below 0": ("mmlu,Oak,71,percent,-1,,,,,", "not a standard error"),
    "no count": ("mmlu,Oak,71,percent,,0,,,,", "not a count: '0'"),
    "half a count": ("mmlu,Oak,71,percent,,1.5,,,,", "not a count: '1.5'"),
    "a day first": ("mmlu,Oak,71,percent,,,01.05.2026,,,", "not a date: '01.05.2026'"),
    "a day to come": ("mmlu,Oak,71,percent,,,2027-05-01,,,", "dated 2027-05-01, after the file itself"),
    "a reporter unknown": ("mmlu,Oak,71,percent,,,,,me,", "reporter 'me' is not one of self, third_party"),
    "a reserved setting": ("mmlu,Oak,71,percent,,,,not a model: human,,", "a setting that begins 'not a model: '"),
    "no direction": ("import-new,Oak,71,percent,,,,,,yes", "lower_is_better is true or false, not 'yes'"),
    "two directions": (
        "import-new,Oak,71,percent,,,,,,true\nimport-new,Elm,71,percent,,,,,,false",
        "another line says that the other way is better",
    ),
    "the wrong direction": ("mmlu,Oak,71,percent,,,,,,true", "of mmlu higher scores are better"),
}


TWINS = {
    "no kind": (
        "import-new,Oak,71,percent,,,mmlu,",
        "line 2: twin_of without a twin_kind, which is one of fresh sample",
    ),
    "no original": ("import-new,Oak,71,percent,,,,fresh sample", "twin_kind without the benchmark_id of the original"),
    "a kind unknown": ("import-new,Oak,71,percent,,,mmlu,copy", "twin_kind 'copy' is not one of fresh sample, "),
    "its own twin": ("mmlu,Oak,71,percent,,,mmlu,fresh sample", "a benchmark is no twin of itself"),
    "an original unknown": (
        "import-new,Oak,71,percent,,,mmluu,fresh sample",
        "line 2: unknown benchmark in twin_of: 'mmluu'",
    ),
    "two kinds": (
        "import-new,Oak,71,percent,,,mmlu,fresh sample\nimport-new,Elm,71,percent,,,mmlu,live split",
        "line 3: another line says that this twin is a fresh sample",
    ),
    "another unit": (
        "import-new,Oak,71,percent,,,lmarena-text,fresh sample",
        "a twin in percent of an original in rating",
    ),
    "labels unknown": ("import-new,Oak,71,percent,,open,,", "labels 'open' are not one of public, hidden"),
    "labels of others": ("mmlu,Oak,71,percent,,private,,", "the labels of mmlu are public here"),
    "two labels": (
        "import-new,Oak,71,percent,,public,,\nimport-new,Elm,71,percent,,hidden,,",
        "line 3: another line says that the labels are public",
    ),
    "no day of release": ("mmlu,Oak,71,percent,spring,,,", "line 2: not a date: 'spring'"),
    "two days of release": (
        "mmlu,Oak,71,percent,2026-05-01,,,\nimport-new,Oak,71,percent,2026-05-02,,,",
        "line 3: contradicts what is said of the same model in line 2",
    ),
}


@pytest.mark.parametrize("name", sorted(TWINS))
def test_a_twin_that_cannot_be_is_refused_with_its_line(
    name: str, folder: Path, nothing_there: Path, registry: Registry
) -> None:
    lines, reason = TWINS[name]
    (folder / "own.csv").write_text(f"{HEADER},released_on,labels,twin_of,twin_kind\n{lines}\n")
    assert reason in complaint(folder, nothing_there, registry)


def test_a_twin_may_come_before_its_original_and_both_files_agree(folder: Path, home: Path, registry: Registry) -> None:
    head = f"{HEADER},released_on,labels,twin_of,twin_kind"
    (folder / "a.csv").write_text(f"{head}\nimport-anew,Oak,61,percent,2026-05,private,import-exam,fresh sample\n")
    (folder / "b.csv").write_text(f"{HEADER}\nimport-exam,Oak,0.71,fraction\n")
    assert bring(folder, home, registry) == (2, 0)
    rows = fact_table(home, "own_fact").select("benchmark_id", "labels", "twin_of", "twin_kind").rows()
    assert sorted(rows, key=str) == [
        ("import-anew", "private", None, None),
        ("import-anew", None, "import-exam", "fresh sample"),
    ]
    assert str(fact_table(home, "model_fact")["released_on"].item()) == "2026-05-01"
    public, loaded = load_apart(home, registry, AT)
    assert loaded is not None
    assert "import-exam" not in public.benchmark["benchmark_id"]
    (pair,) = loaded.twin_pair.filter(original_id="import-exam").iter_rows(named=True)
    assert (pair["twin_id"], pair["other_id"]) == ("import-import-exam-to-import-anew", "import-anew")
    (folder / "b.csv").write_text(f"{head}\nimport-anew,Elm,0.71,fraction,,,import-exam,live split\n")
    assert "b.csv: line 2: another file says that this twin is a fresh sample" in refused(folder, home, registry)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_no_table_is_complaint(name: str, folder: Path, nothing_there: Path, registry: Registry) -> None:
    body, reason = REFUSED[name]
    (folder / "own.csv").write_bytes(body)
    message = complaint(folder, nothing_there, registry)
    assert reason in message
    assert str(folder / "own.csv") in message


@pytest.mark.parametrize("name", sorted(ROWS))
def test_one_bad_line_refuses_the_whole_file(name: str, folder: Path, nothing_there: Path, registry: Registry) -> None:
    lines, reason = ROWS[name]
    (folder / "own.csv").write_text(f"{HEADER}\nmmlu,Alder 7B,71.5,percent\n{lines}\n")
    message = complaint(folder, nothing_there, registry)
    assert reason in message
    assert message.startswith("nothing was imported:")


@pytest.mark.parametrize("name", sorted(FULL_ROWS))
def test_a_bad_cell_of_the_other_columns_refuses_it_too(
    name: str, folder: Path, nothing_there: Path, registry: Registry
) -> None:
    lines, reason = FULL_ROWS[name]
    header = f"{HEADER},std_error,n_items,dated_on,setting,reporter,lower_is_better"
    (folder / "own.csv").write_text(f"{header}\n{lines}\n")
    assert reason in complaint(folder, nothing_there, registry)


def test_one_bad_file_refuses_the_whole_folder_and_every_bad_row_is_named(
    folder: Path, home: Path, registry: Registry
) -> None:
    (folder / "a.csv").write_text(GOOD)
    (folder / "b.csv").write_text(HEADER + "\nnothing,A,1,percent" * 30 + "\n")
    (folder / "c.json").write_text("{")
    message = refused(folder, home, registry)
    assert "b.csv: line 2: unknown benchmark" in message
    assert "b.csv: line 21" in message
    assert "and 11 more" in message


def test_files_of_one_import_agree_on_a_new_benchmark(folder: Path, home: Path, registry: Registry) -> None:
    (folder / "a.csv").write_text(f"{HEADER},lower_is_better\nimport-new,Oak,7,minutes,true\n")
    (folder / "b.csv").write_text(f"{HEADER}\nimport-new,Elm,8,percent\n")
    assert "b.csv: line 2: the row's unit is percent, the benchmark's is minutes" in refused(folder, home, registry)
    (folder / "b.csv").write_text(f"{HEADER},lower_is_better\nimport-new,Elm,8,minutes,false\n")
    assert "b.csv: line 2: of import-new lower scores are better" in refused(folder, home, registry)
    (folder / "b.csv").write_text(f"{HEADER}\nimport-new,Elm,8,minutes\n")
    assert bring(folder, home, registry) == (2, 0)
    (folder / "c.csv").write_text(f"{HEADER}\nimport-new,Ash,9,percent\n")
    assert "the benchmark's is minutes" in refused(folder, home, registry)


def test_only_csv_and_json_files_are_looked_at_and_there_must_be_one(
    folder: Path, nothing_there: Path, registry: Registry
) -> None:
    (folder / "samples.jsonl").write_text("{}")
    (folder / "folder.csv").mkdir()
    assert "no .csv and no .json file" in complaint(folder, nothing_there, registry)
    assert "neither .csv nor .json" in complaint(folder / "samples.jsonl", nothing_there, registry)
    assert "no such file or folder" in complaint(folder / "none.csv", nothing_there, registry)


def test_links_are_followed_to_files_and_not_to_folders(folder: Path, home: Path, registry: Registry) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "real.csv").write_text(GOOD)
    (elsewhere / "unseen.csv").write_text("nonsense")
    (folder / "loop").symlink_to(folder)
    (folder / "far").symlink_to(elsewhere)
    (folder / "link.csv").symlink_to(elsewhere / "real.csv")
    (folder / "same.csv").symlink_to(elsewhere / "real.csv")
    assert bring(folder, home, registry) == (1, 1)
    assert fact_table(home, "snapshot")["url"].to_list() == [(elsewhere / "real.csv").resolve().as_uri()]


def test_what_is_no_readable_file_is_named(
    folder: Path, nothing_there: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "broken.csv").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.csv")
    (folder / "large.csv").write_text(GOOD)
    monkeypatch.setattr(imports, "MOST_BYTES", 10)
    message = complaint(folder, nothing_there, registry)
    for name in ("broken.csv", "pipe.csv"):
        assert f"{folder / name}: not a file that can be read" in message
    assert "large.csv: larger than" in message


def test_a_file_that_changes_while_it_is_read_is_refused(folder: Path, home: Path, registry: Registry) -> None:
    file = folder / "own.csv"
    file.write_text(GOOD)
    with Store.open(home) as store:
        reading = read_path(file, registry, home=home, observed_at=AT)
        file.write_text(GOOD + "\n")
        with pytest.raises(ImportRefused, match="changed while it was read"):
            store_reading(reading, store, home)
    assert fact_table(home, "snapshot").is_empty()
    assert bodies(home) == set()


@pytest.mark.parametrize(("name", "sound"), [("v02.json", [0, 1]), ("v03.json", [0, 1])])
def test_records_of_both_versions_are_imported(
    name: str, sound: list[int], folder: Path, nothing_there: Path, registry: Registry
) -> None:
    record = json.loads((PAYLOADS / "eee" / name).read_text())
    record["evaluation_results"] = [record["evaluation_results"][place] for place in sound]
    (folder / name).write_text(json.dumps(record))
    results = read_path(folder, registry, home=nothing_there, observed_at=AT).tables["result"]
    assert results["source_row"].to_list() == ["/evaluation_results/0", "/evaluation_results/1"]


def test_a_record_names_the_place_of_what_is_wrong(folder: Path, nothing_there: Path, registry: Registry) -> None:
    (folder / "v02.json").write_bytes((PAYLOADS / "eee" / "v02.json").read_bytes())
    assert "v02.json: /evaluation_results/" in complaint(folder, nothing_there, registry)
    (folder / "v02.json").write_text('{"schema_version": "0.3.0"}')
    assert "not an Every Eval Ever record: no evaluation_id" in complaint(folder, nothing_there, registry)


@examples(20, soak=40)
@given(at=st.integers(0, 3000), to=st.binary(max_size=3))
def test_a_damaged_file_is_read_or_refused(
    at: int, to: bytes, tmp_path_factory: pytest.TempPathFactory, nothing_there: Path, registry: Registry
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    files = {"own.csv": GOOD.encode(), "record.json": (PAYLOADS / "eee" / "v03.json").read_bytes()}
    for name, body in files.items():
        place = at % len(body)
        (folder / name).write_bytes(body[:place] + to + body[place + len(to) :])
        try:
            reading = read_path(folder / name, registry, home=nothing_there, observed_at=AT)
        except ImportRefused:
            continue
        assert reading.tables["result"].height > 0
