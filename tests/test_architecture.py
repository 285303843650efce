"""Nothing is orphaned: what is declared exists, what exists is declared, and each has what it must come with."""

from importlib import import_module
from pathlib import Path

from ingest import sources
from ingest.catalog import SOURCES
from tests.ingest.sources.payload_rows import PAYLOADS, expectations, is_inline

SOURCE_FOLDER = Path(sources.__path__[0])


def module_names(folder: Path) -> set[str]:
    return {file.stem for file in folder.glob("*.py") if file.stem != "__init__"}


def test_each_source_is_a_module_and_each_module_a_source() -> None:
    keys = [source.key for source in SOURCES]
    assert len(set(keys)) == len(keys)
    assert {key.replace("-", "_") for key in keys} == module_names(SOURCE_FOLDER)
    for source in SOURCES:
        module = import_module(f"ingest.sources.{source.key.replace('-', '_')}")
        assert module.SOURCE is source
        assert source.parse is module.parse


def test_each_source_comes_with_a_payload_and_its_expected_rows() -> None:
    named = {(key, name) for key, name, _, _ in expectations()}
    inline = {(key, name) for key, name in named if is_inline(key, name)}
    present = {
        (file.parent.name, file.name)
        for file in PAYLOADS.glob("*/*")
        if file.is_file() and file.name != "expected.json"
    }
    assert named - inline == present
    assert {key for key, _ in named} == {source.key for source in SOURCES}


def test_each_board_belongs_to_its_source_and_each_source_says_what_it_is() -> None:
    for source in SOURCES:
        assert source.files
        for field in (source.title, source.homepage, source.licence, source.cadence):
            assert field.strip()
        for file in source.files:
            assert file.board_id.startswith(f"{source.key}/"), file
