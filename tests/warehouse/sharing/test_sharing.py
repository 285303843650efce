"""What leaves of a generation with rows of every kind of source in every table, looked for byte by byte."""

import dataclasses
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.frames import RESULT
from benchhealth.analytics.record.sharing import LICENCE_OF_IMPORTS, Terms, terms
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED
from benchhealth.analytics.record.tables.stored import STORED
from benchhealth.analytics.reproduction import COMPUTED, SCORES_OF
from benchhealth.analytics.reproduction.claim import READ, Facts
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.own_results.imports import SOURCE_ROW
from benchhealth.pipeline.export.eee import export as export_records
from benchhealth.pipeline.export.tables import export, write_tables
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import current_path, open_current
from benchhealth.warehouse.sharing.generation import NotShareable, SharedGeneration, UnknownSource
from benchhealth.warehouse.sharing.rules import RULES, WITHHELD
from benchhealth.warehouse.store import fact_table
from tests.support import mixed_generation as mixed
from tests.support.frames import frames
from tests.support.mixed_generation import told_of
from tests.support.soaking import some

REGISTRY = Path(__file__).resolve().parents[3] / "data" / "registry"
ROW_LEVEL = {
    name for name in DERIVED if name not in mixed.POOLED and {"model_id", "first", "group"} & set(PUBLISHED[name])
}
"""Derived tables whose rows are about models."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mixed")
    mixed.build(made)
    return made


@pytest.fixture(scope="module", params=some(["csv", "parquet"], plain=["csv"]))
def exported(request: pytest.FixtureRequest, home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp(request.param)
    export(settings(home), to=to, kind=request.param)
    return to


def settings(home: Path) -> Settings:
    return Settings(home=home, registry=home / "registry", bundle=home, token=None)


def rows(path: Path) -> list[dict[str, object]]:
    frame = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path, infer_schema=False)
    return frame.to_dicts()


def text_of(path: Path) -> str:
    return json.dumps(rows(path), default=str) if path.suffix == ".parquet" else path.read_text()


def test_every_published_table_has_a_rule_and_no_other() -> None:
    assert set(RULES) == set(PUBLISHED)
    for name, rule in RULES.items():
        assert set(rule.cells) | set(rule.texts) <= set(PUBLISHED[name]), name
        assert rule.rests_on, name


@pytest.fixture(scope="module")
def without_rules(home: Path) -> Iterator[SharedGeneration]:
    """A generation of which every row leaves. A view reads no other view, so all rules are left out at once."""
    with pytest.MonkeyPatch.context() as patch:
        every_row = {name: dataclasses.replace(rule, leaves="true") for name, rule in RULES.items()}
        patch.setattr("benchhealth.warehouse.sharing.views.RULES", every_row)
        generation = SharedGeneration(current_path(home))
    yield generation
    generation.close()


@pytest.mark.parametrize(
    "name", sorted(set(PUBLISHED) - set(mixed.POOLED) - {"source", "run", "successor", "kept_out"})
)
def test_without_its_rule_a_table_would_tell(without_rules: SharedGeneration, name: str) -> None:
    """That no rule is idle, and that what is looked for would be found."""
    assert told_of("import", json.dumps(without_rules.table(name).to_dicts(), default=str))


@pytest.mark.parametrize("name", sorted(STORED))
def test_the_key_of_a_table_of_facts_tells_its_rows_apart(home: Path, name: str) -> None:
    assert not fact_table(home, name).select(STORED[name].key).is_duplicated().any()


def test_the_generation_has_rows_of_every_kind_in_every_table(home: Path) -> None:
    opened = open_current(home)
    for name in DERIVED:
        text = json.dumps(opened.table(name).to_dicts(), default=str)
        assert name in mixed.POOLED or all(kind in text or mixed.WORDS[kind] in text for kind in mixed.KINDS), name


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_nothing_of_a_source_that_is_not_open_is_in_the_files_for_all(exported: Path, kind: str) -> None:
    for path in sorted(file for file in exported.iterdir() if file.is_file() and file.suffix != ".md"):
        assert not told_of(kind, text_of(path)), path.name


@pytest.mark.parametrize("kind", ["shut", "import"])
def test_files_of_a_source_s_own_hold_nothing_of_others(exported: Path, kind: str) -> None:
    for path in sorted((exported / "alike").iterdir()):
        text = path.read_text() if path.suffix == ".md" else text_of(path)
        assert not told_of(kind, text), path.name


def test_rows_of_a_share_alike_source_are_in_files_of_its_own_with_its_licence(exported: Path) -> None:
    folder = exported / "alike"
    assert "CC-BY-SA-4.0" in (folder / "README.md").read_text()
    for name in (*ROW_LEVEL, "result", "model", "alias", "snapshot", "rejection", "benchmark", "contamination_report"):
        files = [path for path in folder.iterdir() if path.stem == name]
        assert files, name
        assert "birch" in text_of(files[0]).lower(), name
    assert {path.name for path in exported.iterdir() if path.is_dir()} == {"alike"}


def test_beside_every_csv_lies_what_its_columns_mean(exported: Path) -> None:
    for path in exported.rglob("*.csv"):
        described = json.loads(path.with_name(f"{path.name}-metadata.json").read_text())
        assert described["url"] == path.name
        columns = {column["name"]: column for column in described["tableSchema"]["columns"]}
        assert list(columns) == pl.read_csv(path, n_rows=0).columns
        assert set(described["tableSchema"]["primaryKey"]) <= set(columns)
        for name, kind in PUBLISHED[path.stem].items():
            assert ("separator" in columns[name]) == isinstance(kind, pl.List), name
    assert not list(exported.rglob("*.parquet-metadata.json"))


def test_open_rows_all_leave(exported: Path, home: Path) -> None:
    opened = open_current(home)
    for name in PUBLISHED:
        path = next(file for file in exported.iterdir() if file.stem == name)
        n_left = sum("alder" in json.dumps(row, default=str).lower() for row in rows(path))
        there = sum("alder" in json.dumps(row, default=str).lower() for row in opened.table(name).to_dicts())
        assert n_left >= there > 0 or not there, name


@pytest.mark.parametrize(
    "name", ["verdict", "indicator", "difficulty", "contamination_risk", "churn", "stability", "twin"]
)
def test_what_we_conclude_about_benchmarks_leaves_with_the_source_named(home: Path, name: str) -> None:
    shared = SharedGeneration(current_path(home))
    text = json.dumps(shared.table(name).to_dicts(), default=str)
    assert "shut-exam" in text
    assert "alike-exam" in text
    sources = shared.table("fact_source").filter(id="shut-exam")
    assert sources.select("attribute", "source_id").rows() == [("benchmark_id", "shut")]
    assert "shut" in shared.table("source")["source_id"]


def test_a_sentence_that_names_what_may_not_leave_is_blotted_out_and_the_row_stays(home: Path) -> None:
    verdicts = SharedGeneration(current_path(home)).table("verdict")
    reasons = dict(verdicts.select("benchmark_id", "reasons").iter_rows())
    assert reasons["shut-exam"] == ["headroom 0.5 is above 0.25", WITHHELD]
    assert reasons["open-exam"] == ["headroom 0.5 is above 0.25", "documented for Alder 7B"]


@pytest.mark.parametrize("name", ["change", "dated_change"])
def test_a_change_whose_sentence_is_blotted_out_keeps_its_kind_and_day(home: Path, name: str) -> None:
    shared = SharedGeneration(current_path(home)).table(name).filter(text=WITHHELD)
    assert set(shared["kind"]) == {"stage"}
    assert shared["on_day"].null_count() == 0
    assert shared["names"].null_count() == shared.height


def test_imports_are_not_even_named_among_sources_and_runs(home: Path) -> None:
    shared = SharedGeneration(current_path(home))
    assert shared.table("source")["source_id"].to_list() == ["alike", "open", "shut"]
    details = shared.table("run").select("command", "detail").rows()
    assert details == [
        ("nightly", f"ValueError: {mixed.named('open')}, {mixed.url('open')}"),
        *[("nightly", WITHHELD)] * 2,
    ]


def test_cells_that_only_such_a_source_says_are_empty(home: Path) -> None:
    shared = SharedGeneration(current_path(home))
    oak = shared.table("model").row(by_predicate=pl.col("model_id") == "oak-7b", named=True)
    assert open_current(home).table("model").filter(model_id="oak-7b")["name"].item() == "Oak 7B"
    assert oak["name"] == "Oak alder"
    assert oak["organisation"] is None
    exam = shared.table("benchmark").row(by_predicate=pl.col("benchmark_id") == "shut-exam", named=True)
    assert {name for name, value in exam.items() if value is not None} == {"benchmark_id", "curated", "known_until"}


def test_withheld_rows_are_counted(exported: Path, home: Path) -> None:
    shared = SharedGeneration(current_path(home))
    withheld = {name: shared.withheld(name) for name in PUBLISHED}
    opened = open_current(home)
    assert withheld == {name: opened.table(name).height - shared.table(name).height for name in PUBLISHED}
    assert withheld["result"] == 3 + 4 + 4
    assert f"| result | {shared.count('result')} | {withheld['result']} |" in (exported / "README.md").read_text()


def test_records_of_every_eval_ever_hold_what_may_leave(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchhealth.pipeline.export.eee.read_registry", lambda _folder: mixed.curated())
    monkeypatch.setattr("benchhealth.pipeline.export.eee.now", lambda: datetime(2025, 2, 1))
    export_records(settings(home), to=tmp_path)
    assert {folder.name for folder in tmp_path.iterdir()} == {"open", "alike"}
    texts = {file: file.read_text() for file in tmp_path.rglob("*.json")}
    assert texts
    for file, text in texts.items():
        others = {"shut", "import", "open", "alike"} - {file.relative_to(tmp_path).parts[0], "open"}
        assert not [word for kind in others for word in told_of(kind, text)], file


def test_a_generation_that_does_not_say_whose_word_it_is_is_not_shared(home: Path, tmp_path: Path) -> None:
    import duckdb

    old = tmp_path / "old.duckdb"
    old.write_bytes(current_path(home).read_bytes())
    with duckdb.connect(old) as connection:
        connection.execute("DROP TABLE fact_source")
    with pytest.raises(NotShareable):
        SharedGeneration(old)


def test_an_older_generation_has_what_it_lacks_empty_or_null(home: Path, tmp_path: Path) -> None:
    import duckdb

    published = tmp_path / "published"
    published.mkdir()
    old = published / "gen-old.duckdb"
    old.write_bytes(current_path(home).read_bytes())
    with duckdb.connect(old) as connection:
        connection.execute('DROP TABLE "lead"')
        connection.execute("ALTER TABLE verdict DROP COLUMN since")
    (published / "current.duckdb").symlink_to(old.name)
    for shown in (open_current(tmp_path), SharedGeneration(old)):
        verdicts = shown.query("SELECT benchmark_id, stage, since FROM verdict")
        assert verdicts.height > 0 and verdicts["since"].null_count() == verdicts.height
        assert shown.table("lead").schema == PUBLISHED["lead"] and shown.table("lead").is_empty()
        assert set(shown.table("verdict").columns) == set(PUBLISHED["verdict"])
        assert shown.table("benchmark").height > 0


@pytest.mark.parametrize("kind", some(["csv", "parquet"], plain=["parquet"]))
def test_a_table_that_a_generation_lacks_is_not_exported_as_one_without_rows(
    home: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    import duckdb

    old, to = tmp_path / "gen-old.duckdb", tmp_path / "to"
    old.write_bytes(current_path(home).read_bytes())
    with duckdb.connect(old) as connection:
        connection.execute('DROP TABLE "lead"')
    write_tables(old, to, kind)
    written = {path.stem for path in to.glob(f"*.{kind}")}
    assert written == set(PUBLISHED) - {"lead"}
    readme = (to / "README.md").read_text()
    assert "`lead`" in readme and "| lead |" not in readme and "## lead\n" not in readme
    assert "lead" in caplog.text


@pytest.mark.parametrize("of", ["open", "shut", "import", "nobody"])
def test_only_sources_with_terms_of_their_own_have_files_of_their_own(home: Path, of: str) -> None:
    with pytest.raises(UnknownSource):
        SharedGeneration(current_path(home), of)


def test_the_terms_of_every_source_of_the_catalogue() -> None:
    terms_of = {source.key: terms(source.licence, redistributable=source.redistributable) for source in SOURCES}
    assert {key for key, its in terms_of.items() if its is Terms.OWN_TERMS} == {
        "forecastbench",
        "ito",
        "livecodebench",
        "milestones",
        "mmmu",
        "sota-extractor",
    }
    assert {key for key, its in terms_of.items() if its is Terms.CLOSED} == {
        "arc-prize",
        "eval-card-registry",
        "hf-leaderboards",
        "kagi",
        "lm-contamination",
        "lmarena-early",
        "metr",
        "nyt-connections",
        "swe-bench",
        "swe-bench-live",
        "weirdml",
        "zeroeval",
    }
    assert terms(SOURCE_ROW["licence"].item(), redistributable=False) is Terms.IMPORTED
    assert terms(LICENCE_OF_IMPORTS, redistributable=True) is Terms.IMPORTED


def test_a_claim_that_reads_a_source_which_is_not_open_says_so() -> None:
    """Claims are computed from a record of what they read, so that none can repeat such a score unseen."""
    shut = {
        source.key
        for source in SOURCES
        if terms(source.licence, redistributable=source.redistributable) is not Terms.OPEN
    }
    for claim_id, compute in COMPUTED.items():
        read = _Read()
        try:
            compute(Facts(read, _NoTables(), frames()))  # type: ignore[arg-type]
        except _TableReadError:
            continue
        assert read.keys_asked & shut <= {SCORES_OF.get(claim_id, "")}, claim_id


class _TableReadError(Exception):
    pass


class _NoTables:
    def __getitem__(self, name: str) -> pl.DataFrame:
        raise _TableReadError(name)


class _Read:
    def __init__(self) -> None:
        self.keys_asked: set[str] = set()
        self.nothing = pl.DataFrame(
            schema={**{name: RESULT[name] for name in READ}, "sign": pl.Float64(), "file": pl.String()}
        )

    def __call__(self, source: str, _: str | None) -> pl.DataFrame:
        self.keys_asked.add(source)
        return self.nothing
