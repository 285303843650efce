import csv
from datetime import date
from pathlib import Path

import pytest

from benchhealth.analytics.record.conditions.recognise import CONDITION
from benchhealth.warehouse import registry as files
from benchhealth.warehouse.registry import Registry, RegistryError, read_registry

Row = dict[str, str]

REPOSITORY = Path(__file__).parents[2]

BENCHMARK: Row = {
    "benchmark_id": "quiz",
    "name": "Quiz, the first",
    "metric": "accuracy",
    "unit": "percent",
    "higher_is_better": "true",
    "released_on": "2021-03",
    "released_precision": "month",
    "released_source": "https://example.org/paper",
    "n_items": "1000",
    "n_items_source": "https://example.org/paper",
    "floor": "0.25",
    "floor_source": "four options",
    "ceiling": "0.97",
    "ceiling_basis": "label errors",
    "ceiling_source": "https://example.org/audit",
    "labels": "public",
    "labels_source": "https://example.org/repo",
}
TWIN: Row = {
    "twin_id": "quiz-to-again",
    "original_id": "quiz",
    "other_id": "quiz-again",
    "kind": "fresh sample",
    "observed_on": "2024-08-22",
    "test": "difference",
    "source_url": "https://example.org",
}
BREAKPOINT: Row = {
    "board_id": "lab/quiz",
    "on_date": "2024-01-04",
    "kind": "scale",
    "note": "columns swapped",
    "source_url": "https://example.org",
}
ALIAS: Row = {"published_name": "Alfa", "model_id": "alpha", "reason": "spelling", "source_url": "https://example.org"}
REPORT: Row = {
    "benchmark_id": "quiz/hard",
    "subject": "corpus",
    "subject_kind": "corpus",
    "split": "test",
    "share": "0.125",
    "method": "n-gram overlap",
    "reference_url": "https://example.org",
}
MODEL: Row = {"model_id": "alpha", "name": "Alpha", "released_on": "2024-05-06", "source_url": "https://example.org"}

SCHEMAS = {
    "benchmark": files.BENCHMARK,
    "twin": files.TWIN_PAIR,
    "breakpoint": files.BREAKPOINT,
    "alias": files.ALIAS,
    "contamination_report": files.CONTAMINATION_REPORT,
    "model": files.MODEL,
}


def write(folder: Path, **rows: list[Row]) -> Path:
    """Registry files of the given rows, over a set that is right as a whole."""
    right = {
        "benchmark": [BENCHMARK, {**BENCHMARK, "benchmark_id": "quiz-again"}],
        "twin": [TWIN],
        "breakpoint": [BREAKPOINT],
        "alias": [ALIAS],
        "contamination_report": [REPORT],
        "model": [MODEL],
    }
    for name, lines in {**right, **rows}.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as opened:
            writer = csv.DictWriter(opened, SCHEMAS[name].names(), restval="")
            writer.writeheader()
            writer.writerows(lines)
    return folder


def test_a_right_registry_is_read(tmp_path: Path) -> None:
    tables = read_registry(write(tmp_path))
    for name, schema in SCHEMAS.items():
        assert getattr(tables, name).schema == schema
    quiz = tables.benchmark.row(0, named=True)
    assert (quiz["name"], quiz["released_on"], quiz["floor"], quiz["n_items"], quiz["human"]) == (
        "Quiz, the first",
        date(2021, 3, 1),
        0.25,
        1000,
        None,
    )
    assert tables.twin["source_id"].to_list() == [None]
    assert tables.aliases() == {(None, "Alfa"): ("alpha", "")}


def test_a_curated_benchmark_of_a_domain_without_a_group_is_refused(tmp_path: Path) -> None:
    folder = write(
        tmp_path, benchmark=[{**BENCHMARK, "domain": "coding"}], twin=[], breakpoint=[], contamination_report=[]
    )
    (folder / "domain.csv").write_text("domain,modality,domain_group,note\ncode,,code,\n")
    with pytest.raises(RegistryError, match="'coding' has no group in domain"):
        read_registry(folder)
    (folder / "word.csv").write_text("kind,spelling,word,note\ndomain,code,code,\ndomain,coding,code,\n")
    assert read_registry(folder).domain["domain_group"].to_list() == ["code"]
    (folder / "domain.csv").write_text("domain,modality,domain_group,note\ncode,,gardening,\n")
    with pytest.raises(RegistryError, match="is not one of knowledge, mathematics"):
        read_registry(folder)


def test_one_benchmark_from_two_sources_is_a_twin_and_from_one_is_not(tmp_path: Path) -> None:
    rerun = {**TWIN, "original_id": "quiz", "other_id": "quiz", "kind": "independent rerun", "source_id": "makers"}
    tables = read_registry(write(tmp_path, twin=[{**rerun, "other_source_id": "lab"}])).twin
    assert tables.select("source_id", "other_source_id").rows() == [("makers", "lab")]
    with pytest.raises(RegistryError, match="twin of itself"):
        read_registry(write(tmp_path, twin=[rerun]))


def test_the_file_of_successors_may_be_missing_and_is_read_where_it_is(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_registry(tmp_path).successor.is_empty()
    (tmp_path / "successor.csv").write_text(
        "benchmark_id,successor_id,why,source_url\nquiz,quiz-again,harder,https://example.org\n",
        encoding="utf-8",
    )
    assert read_registry(tmp_path).successor["why"].to_list() == ["harder"]


REFUSED_HEAD = "source_id,path,version,reason,source_url"


def test_the_file_of_refused_versions_may_be_missing_and_is_read_where_it_is(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_registry(tmp_path).refused.is_empty()
    rows = [f"one,a.csv,{version},cut,https://example.org" for version in ("0e9a236", "2026-05-10T07:03:25")]
    (tmp_path / "refused.csv").write_text("\n".join([REFUSED_HEAD, *rows]), encoding="utf-8")
    assert read_registry(tmp_path).refused["version"].to_list() == ["0e9a236", "2026-05-10T07:03:25"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("one,a.csv,newest,cut,https://example.org", "neither a commit nor an instant"),
        ("one,a.csv,2026-05-10,,https://example.org", "empty"),
        ("one,a.csv,2026-05-10,cut,", "empty"),
    ],
)
def test_a_version_is_refused_by_name_with_a_reason_and_a_source(tmp_path: Path, row: str, why: str) -> None:
    write(tmp_path)
    (tmp_path / "refused.csv").write_text(f"{REFUSED_HEAD}\n{row}\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=why):
        read_registry(tmp_path)


LINEAGE_HEAD = "board_id,lineage_id,from_on,until_on,precedence,note,source_url"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["lab/quiz,lab/quiz,,,hobby,n,u"], "is not one of feed, own, crawl"),
        (["quiz,lab/quiz,,,own,n,u"], "is not <source_id>/<benchmark_id>"),
        (["lab/*,lab/quiz,,,own,n,u"], "has a star where the board has none"),
        (["lab/quiz,lab/*,,,own,n,u"], "has a star where the board has none"),
        (["lab/quiz,lab/quiz,2024-05-02,2024-05-01,own,n,u"], "lies before the first day"),
        (["lab/quiz,lab/quiz,,2024-05-01,own,n,u", "lab/quiz,lab/quiz,2024-05-01,,own,n,u"], "lies within the days"),
        (["lab/quiz,lab/quiz,,,own,n,u", "lab/quiz,lab/quiz,2024-05-01,,own,n,u"], "lies within the days"),
        (["lab/quiz,lab/quiz,,2024-05-01,own,n,u", "lab/quiz,lab/exam,2024-06-01,,own,n,u"], "is another one than"),
        (["lab/quiz,lab/quiz,,,own,n,"], "empty"),
    ],
)
def test_a_lineage_that_contradicts_itself_is_refused(tmp_path: Path, lines: list[str], why: str) -> None:
    (write(tmp_path) / "lineage.csv").write_text("\n".join([LINEAGE_HEAD, *lines]) + "\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=why):
        read_registry(tmp_path)


def test_a_board_may_fall_silent_and_go_on(tmp_path: Path) -> None:
    lines = [LINEAGE_HEAD, "lab/quiz,lab/quiz,,2024-05-01,own,n,u", "lab/quiz,lab/quiz,2024-09-01,,own,n,u"]
    (write(tmp_path) / "lineage.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert read_registry(tmp_path).lineage["from_on"].to_list() == [None, date(2024, 9, 1)]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["a,a,r,u"], "is its own alias"),
        (["a,b,r,u", "b,quiz,r,u"], "is itself an alias"),
        (["a,quiz,r,u", "a,quiz-again,r,u"], "the same key"),
    ],
)
def test_an_alias_of_a_benchmark_leads_straight_to_its_id(tmp_path: Path, lines: list[str], why: str) -> None:
    head = "alias_id,benchmark_id,reason,source_url"
    (write(tmp_path) / "benchmark_alias.csv").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=why):
        read_registry(tmp_path)


CHECK: Row = {
    "benchmark_id": "quiz",
    "covers": "sample",
    "n_checked": "200",
    "share_flawed": "0.1",
    "share_unreachable": "0.04",
    "method": "read again",
    "source_url": "https://example.org",
}


def checked(folder: Path, *rows: Row) -> Registry:
    with (write(folder) / "label_error.csv").open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, files.LABEL_ERROR.names(), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return read_registry(folder)


def test_the_file_of_label_errors_may_be_missing_and_is_read_where_it_is(tmp_path: Path) -> None:
    assert read_registry(write(tmp_path)).label_error.is_empty()
    part = {**CHECK, "covers": "part", "part": "geography", "share_unreachable": "", "n_checked": ""}
    checks = checked(tmp_path, CHECK, part, {**CHECK, "benchmark_id": "quiz/part"}).label_error
    assert checks["share_unreachable"].to_list() == [0.04, None, 0.04]
    assert checks["n_checked"].to_list() == [200, None, 200]


@pytest.mark.parametrize(
    ("change", "column", "why"),
    [
        ({"covers": "some"}, "covers", "not one of"),
        ({"share_flawed": "10"}, "share_flawed", "not a share"),
        ({"share_flawed": "0.01"}, "share_unreachable", "exceeds"),
        ({"n_checked": ""}, "n_checked", "is missing"),
        ({"part": "geography"}, "part", "only where"),
        ({"covers": "part", "share_unreachable": ""}, "part", "only where"),
        ({"covers": "part", "part": "geography"}, "share_unreachable", "bounds no score"),
        ({"benchmark_id": "nowhere"}, "benchmark_id", "not a benchmark"),
        ({"source_url": ""}, "source_url", "empty"),
    ],
)
def test_a_check_that_cannot_be_used_is_refused(tmp_path: Path, change: Row, column: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why) as refused:
        checked(tmp_path, {**CHECK, **change})
    assert (refused.value.file, refused.value.column) == ("label_error.csv", column)


WORD: Row = {
    "benchmark_id": "quiz",
    "condition": "no tools",
    "kind": "help",
    "is_reference": "true",
    "field": "setting",
    "pattern": "^no tools$",
    "note": "the setting says so",
    "source_url": "https://example.org",
}


def worded(folder: Path, *rows: Row) -> Registry:
    with (write(folder) / "condition.csv").open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, CONDITION.names(), restval="")
        writer.writeheader()
        writer.writerows(rows)
    return read_registry(folder)


def test_the_file_of_conditions_may_be_missing_and_is_read_in_its_order(tmp_path: Path) -> None:
    assert read_registry(write(tmp_path)).condition.is_empty()
    of_all = {**WORD, "benchmark_id": "*", "condition": "agent {}", "pattern": "agent=(.*)", "is_reference": "false"}
    usual = {**WORD, "field": "", "pattern": ""}
    conditions = worded(tmp_path, WORD, {**of_all, "source_url": ""}, usual).condition
    assert conditions["condition"].to_list() == ["no tools", "agent {}", "no tools"]


@pytest.mark.parametrize(
    ("change", "column", "why"),
    [
        ({"benchmark_id": "nowhere"}, "benchmark_id", "not a benchmark"),
        ({"benchmark_id": "*"}, "is_reference", "of one benchmark"),
        ({"benchmark_id": "*", "is_reference": "false", "field": "", "pattern": ""}, "pattern", "needs one"),
        ({"condition": "tools, text"}, "condition", "comma"),
        ({"condition": "agent {}", "is_reference": "false"}, "condition", "no group"),
        ({"condition": "excluded"}, "is_reference", "nothing to judge by"),
        ({"condition": "as reported"}, "is_reference", "nothing to judge by"),
        ({"kind": "mood"}, "kind", "one of"),
        ({"field": "score"}, "field", "one of"),
        ({"field": ""}, "pattern", "needs a field"),
        ({"pattern": "(["}, "pattern", "not a regular expression"),
        ({"is_reference": ""}, "is_reference", "empty"),
        ({"note": ""}, "note", "empty"),
        ({"source_url": ""}, "source_url", "empty"),
    ],
)
def test_a_condition_that_cannot_be_used_is_refused(tmp_path: Path, change: Row, column: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why) as refused:
        worded(tmp_path, {**WORD, **change})
    assert (refused.value.file, refused.value.column) == ("condition.csv", column)


def test_a_benchmark_has_one_reference_of_a_kind(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="another reference"):
        worded(tmp_path, WORD, {**WORD, "condition": "tools", "pattern": "tools"})
    assert worded(tmp_path, WORD, {**WORD, "condition": "text", "kind": "subset"}).condition.height == 2


def test_the_file_of_models_may_be_missing(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "model.csv").unlink()
    assert read_registry(tmp_path).model.is_empty()


def test_lower_is_better_turns_floor_and_ceiling_round(tmp_path: Path) -> None:
    lower = {**BENCHMARK, "higher_is_better": "false", "floor": "0.5", "ceiling": "0.01", "benchmark_id": "errors"}
    assert isinstance(
        read_registry(write(tmp_path, benchmark=[lower], twin=[], breakpoint=[], contamination_report=[])), Registry
    )


@pytest.mark.parametrize(
    ("file", "change", "column", "why"),
    [
        (("benchmark", BENCHMARK), {"benchmark_id": "Quiz One"}, "benchmark_id", "not an id"),
        (("benchmark", BENCHMARK), {"name": ""}, "name", "empty"),
        (("benchmark", BENCHMARK), {"higher_is_better": "yes"}, "higher_is_better", "neither"),
        (("benchmark", BENCHMARK), {"released_on": "03/2021"}, "released_on", "ISO"),
        (("benchmark", BENCHMARK), {"released_on": "2021-02-30"}, "released_on", "2021-02-30"),
        (("benchmark", BENCHMARK), {"released_precision": "week"}, "released_precision", "one of"),
        (("benchmark", BENCHMARK), {"released_precision": ""}, "released_precision", "without"),
        (("benchmark", BENCHMARK), {"released_source": ""}, "released_source", "without"),
        (("benchmark", BENCHMARK), {"n_items": "1,000"}, "n_items", "whole number"),
        (("benchmark", BENCHMARK), {"n_items": "0"}, "n_items", "not a size"),
        (("benchmark", BENCHMARK), {"n_items_source": " "}, "n_items_source", "without"),
        (("benchmark", BENCHMARK), {"floor": "a quarter"}, "floor", "not a number"),
        (("benchmark", BENCHMARK), {"floor": "nan"}, "floor", "finite"),
        (("benchmark", BENCHMARK), {"floor": "25"}, "floor", "fraction"),
        (("benchmark", BENCHMARK), {"floor": "0.97"}, "ceiling", "no room"),
        (("benchmark", BENCHMARK), {"floor_source": ""}, "floor_source", "without"),
        (("benchmark", BENCHMARK), {"ceiling_basis": ""}, "ceiling_basis", "without"),
        (("benchmark", BENCHMARK), {"human": "0.9"}, "human_source", "without"),
        (("benchmark", BENCHMARK), {"labels": "secret"}, "labels", "one of"),
        (("benchmark", BENCHMARK), {"labels_source": ""}, "labels_source", "without"),
        (("benchmark", BENCHMARK), {"refresh": "yearly"}, "refresh_source", "without"),
        (("twin", TWIN), {"other_id": "nowhere"}, "other_id", "not a benchmark"),
        (("twin", TWIN), {"other_id": "quiz"}, "other_id", "itself"),
        (("twin", TWIN), {"kind": "cousin"}, "kind", "one of"),
        (("twin", TWIN), {"test": ""}, "test", "empty"),
        (("twin", TWIN), {"source_url": ""}, "source_url", "empty"),
        (("breakpoint", BREAKPOINT), {"board_id": "quiz"}, "board_id", "not <source_id>"),
        (("breakpoint", BREAKPOINT), {"on_date": "2024-1-4"}, "on_date", "ISO"),
        (("breakpoint", BREAKPOINT), {"on_date": ""}, "on_date", "empty"),
        (("breakpoint", BREAKPOINT), {"kind": "mood"}, "kind", "one of"),
        (("alias", ALIAS), {"model_id": ""}, "model_id", "empty"),
        (("alias", ALIAS), {"reason": ""}, "reason", "empty"),
        (("alias", ALIAS), {"source_url": ""}, "source_url", "empty"),
        (("contamination_report", REPORT), {"benchmark_id": "nowhere"}, "benchmark_id", "not a benchmark"),
        (("contamination_report", REPORT), {"share": "12.5"}, "share", "between 0 and 1"),
        (("contamination_report", REPORT), {"reference_url": ""}, "reference_url", "empty"),
        (("model", MODEL), {"source_url": ""}, "source_url", "empty"),
        (("model", MODEL), {"open_weights": "open"}, "open_weights", "neither"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, file: tuple[str, Row], change: Row, column: str, why: str) -> None:
    name, row = file
    last = {"benchmark": {**BENCHMARK, "benchmark_id": "quiz-again"}}.get(name)
    lines = [*([last] if last else []), {**row, **change}]
    write(tmp_path, **{name: lines})
    with pytest.raises(RegistryError, match=why) as caught:
        read_registry(tmp_path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (f"{name}.csv", len(lines) + 1, column)


@pytest.mark.parametrize(
    ("name", "row"),
    [("benchmark", BENCHMARK), ("twin", TWIN), ("breakpoint", BREAKPOINT), ("alias", ALIAS), ("model", MODEL)],
)
def test_a_key_twice_is_named(tmp_path: Path, name: str, row: Row) -> None:
    write(tmp_path, **{name: [row, row]})
    with pytest.raises(RegistryError, match=f"{name}.csv, line 3, .* the same key as line 2"):
        read_registry(tmp_path)


def test_a_pair_is_declared_once_for_the_same_sources_and_day(tmp_path: Path) -> None:
    again = {**TWIN, "twin_id": "quiz-once-more"}
    write(tmp_path, twin=[TWIN, again])
    with pytest.raises(RegistryError, match="line 3, column twin_id: 'quiz-once-more' is the pair of an earlier line"):
        read_registry(tmp_path)
    write(tmp_path, twin=[TWIN, {**again, "observed_on": "2024-08-23"}])
    assert read_registry(tmp_path).twin.height == 2


def test_parts_and_a_sources_own_benchmarks_resolve(tmp_path: Path) -> None:
    own_row = {**BREAKPOINT, "board_id": "lab/lab-extra"}
    parts = {**TWIN, "original_id": "quiz/em", "other_id": "lab-extra", "source_id": "lab"}
    write(tmp_path, breakpoint=[own_row], twin=[parts])
    assert read_registry(tmp_path).twin["other_id"].to_list() == ["lab-extra"]


def test_a_misshapen_file_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    twins = tmp_path / "twin.csv"
    good = twins.read_text()
    for text, why in (
        (good.replace("test,", "tset,", 1), "column test: the column is missing"),
        (good.replace("note,", "note,mood,", 1), "column mood: not a column"),
        (good + "one,two\n", r"^twin\.csv, line 3: 2 cells"),
        (good + '"unclosed', "twin.csv, line 3"),
    ):
        twins.write_text(text)
        with pytest.raises(RegistryError, match=why):
            read_registry(tmp_path)
    twins.write_bytes(b"\xff\xfe")
    with pytest.raises(RegistryError, match=r"twin\.csv"):
        read_registry(tmp_path)
    twins.unlink()
    with pytest.raises(RegistryError, match=r"^twin\.csv: the file is missing$"):
        read_registry(tmp_path)


def test_the_projects_own_registry_is_right() -> None:
    tables = read_registry(REPOSITORY / "data" / "registry")
    assert not tables.benchmark.is_empty()
    assert not tables.twin.is_empty()


@pytest.mark.parametrize(
    ("organisation", "pattern", "column"), [("Nobody", "^a", "organisation"), ("Lab", "([", "pattern")]
)
def test_a_maker_is_of_the_closed_list_and_its_pattern_one(
    tmp_path: Path, organisation: str, pattern: str, column: str
) -> None:
    write(tmp_path)
    (tmp_path / "word.csv").write_text("kind,spelling,word,note\norganisation,Lab,Lab,\n", encoding="utf-8")
    maker = "organisation,pattern,note,source_url\n{},{},served,https://example.org\n"
    (tmp_path / "maker.csv").write_text(maker.format("Lab", "^a"), encoding="utf-8")
    assert read_registry(tmp_path).maker.height == 1
    (tmp_path / "maker.csv").write_text(maker.format(organisation, pattern), encoding="utf-8")
    with pytest.raises(RegistryError) as refused:
        read_registry(tmp_path)
    assert (refused.value.file, refused.value.column) == ("maker.csv", column)
