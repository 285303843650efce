"""Nothing is orphaned: what is declared exists, what exists is declared, and each has what it must come with."""

import re
from importlib import import_module
from itertools import chain
from pathlib import Path

from benchhealth.analytics import assess, described, graph
from benchhealth.ingest import sources
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.source import BundledFile, Files, FromWeb
from benchhealth.warehouse import curated
from tests.conftest import ROOMS
from tests.ingest.sources.payload_rows import PAYLOADS, expectations, is_inline

SOURCE_FOLDER = Path(sources.__path__[0]).resolve()


def module_names(folder: Path) -> set[str]:
    return {file.stem for file in folder.glob("*.py") if file.stem != "__init__"}


def test_each_source_is_a_module_and_each_module_a_source() -> None:
    keys = [source.key for source in SOURCES]
    assert len(set(keys)) == len(keys)
    assert {key.replace("-", "_") for key in keys} == module_names(SOURCE_FOLDER)
    for source in SOURCES:
        module = import_module(f"benchhealth.ingest.sources.{source.key.replace('-', '_')}")
        assert module.SOURCE is source
        assert source.parse is getattr(module, "parse", None), f"name it `parse` in {module.__name__}"


def test_each_source_comes_with_a_payload_and_its_expected_rows() -> None:
    named = {(key, name) for key, name, _, _ in expectations()}
    inline = {(key, name) for key, name in named if is_inline(key, name)}
    present = {
        (file.parent.name, file.name)
        for file in PAYLOADS.glob("*/*")
        if file.is_file() and file.name != "expected.json"
    }
    assert named - inline == present
    keys = {source.key for source in SOURCES}
    assert {key for key, _ in named} == keys, "a folder of payloads has the key of its source, hyphens included"


def test_each_board_belongs_to_its_source_and_each_source_says_what_it_is() -> None:
    for source in SOURCES:
        assert source.files
        for field in (source.title, source.homepage, source.licence, source.cadence):
            assert field.strip()
        for file in source.files:
            assert file.board_id.startswith(f"{source.key}/"), file


def test_the_licence_of_every_source_that_may_be_passed_on_is_in_the_table_and_of_no_other() -> None:
    text = (Path(__file__).parents[1] / "data" / "README.md").read_text()
    rows = {row[1]: row for row in re.finditer(r"^\| ([a-z0-9-]+) \| (https://\S+) \| (.+) \|$", text, re.MULTILINE)}
    assert sorted(rows) == sorted(source.key for source in SOURCES if source.redistributable)
    for source in SOURCES:
        if source.redistributable:
            _, address, licence = rows[source.key].groups()
            assert source.licence in licence, source.key
            assert address == source.homepage or any(is_published_at(address, file) for file in source.files)


def is_published_at(address: str, file: Files) -> bool:
    if isinstance(file, BundledFile | FromWeb):
        return address in file.url
    return address == f"https://github.com/{file.repo}"


MOST_MODULES = 14
MOST_LINES = 400


def product_modules() -> list[Path]:
    root = Path(__file__).parents[1]
    return sorted(chain.from_iterable((root / name).rglob("*.py") for name in ROOMS))


def test_no_package_is_crowded_and_no_module_is_long() -> None:
    modules = product_modules()
    sizes: dict[Path, int] = {}
    for module in modules:
        sizes[module.parent] = sizes.get(module.parent, 0) + (module.name != "__init__.py")
    crowded = {str(folder): n for folder, n in sizes.items() if n > MOST_MODULES and folder != SOURCE_FOLDER}
    lengths = {str(module): module.read_text().count("\n") for module in modules}
    assert crowded == {}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def test_every_package_says_what_it_is_for() -> None:
    packages = [module for module in product_modules() if module.name == "__init__.py"]
    assert [str(module) for module in packages if not module.read_text().startswith('"""')] == []


def test_an_assessment_knows_no_threads_or_processes() -> None:
    composed = Path(assess.__file__).read_text() + Path(graph.__file__).read_text()
    assert [word for word in ("Future", "Executor", "Thread(", "multiprocessing", "submit(") if word in composed] == []


def test_no_expression_that_a_server_computes_calls_python() -> None:
    """See `dashboard/words/columns.py`: it stopped a server for good. What is curated is read by nights alone."""
    by_nights = Path(curated.__file__).resolve().parent
    calling = re.compile(r"\.(map_elements|map_batches|map_rows|map_groups|rolling_map)\(")
    modules = [module for module in product_modules() if by_nights not in module.parents]
    assert [str(module) for module in modules if calling.search(module.read_text())] == []


def test_the_drawing_of_the_graph_is_current() -> None:
    """`python -m benchhealth.analytics.described --svg > docs/graph.svg` makes it so."""
    assert (Path(__file__).parents[1] / "docs" / "graph.svg").read_text() == described.picture()


def test_the_architecture_page_names_files_that_exist() -> None:
    root = Path(__file__).parents[1]
    page = (root / "ARCHITECTURE.md").read_text()
    named = [name for name in re.findall(r"`([a-z_]+/[a-z_/.]+)`", page) if "<" not in name]
    assert named
    assert [name for name in named if not (root / name).exists() and not (root / "data" / name).exists()] == []
