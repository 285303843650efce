"""A client that a public generator makes of the OpenAPI document: it asks a dashboard, and reads what is answered."""

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import benchhealth as bh
from benchhealth.dashboard.serving.catalogue import addresses
from benchhealth.dashboard.serving.described.openapi import document
from tests.api.conftest import CHARTS, serve

pytestmark = pytest.mark.soak

PACKAGE = "made_client"
BINARY = ("application/pdf", "application/vnd.apache.parquet", "application/vnd.apache.arrow.file", "image/png")
OF_APPLICATIONS = tuple(f"application/{form}" for form in ("atom+xml", "feed+json", "csvm+json"))
TEXTS = ("text/csv", "text/plain", "image/svg+xml", *OF_APPLICATIONS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, address: str) -> Iterator[Path]:
    """The package of the client. The generator knows JSON, text and bytes: what each other form is, it is told."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(document(addresses(CHARTS), address)))
    forms = {**dict.fromkeys(BINARY, "application/octet-stream"), **dict.fromkeys(TEXTS, "text/html")}
    settings = {"post_hooks": [], "literal_enums": True, "content_type_overrides": forms}
    (folder / "settings.json").write_text(json.dumps(settings))
    arguments = ["--path", "openapi.json", "--config", "settings.json", "--output-path", PACKAGE, "--meta", "none"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", *arguments, "--fail-on-warning"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def ask(made: Path, small_home: Path, address: str) -> Iterator[Callable[..., Any]]:
    """The whole answer to one operation of the client: status, headers, and what was read of it."""
    serve(small_home)
    with importlib.import_module(f"{PACKAGE}.client").Client(base_url=address.rstrip("/")) as client:

        def asked(operation: str, *path: str, **query: object) -> Any:  # noqa: ANN401
            module = importlib.import_module(f"{PACKAGE}.api.{operation}")
            return module.sync_detailed(*path, client=client, **query)

        yield asked


def test_every_address_has_a_function(made: Path) -> None:
    paths = document(addresses(CHARTS), "")["paths"]
    functions = [path for path in (made / "api").rglob("*.py") if path.stem != "__init__"]
    assert len(functions) == sum(map(len, paths.values())) > 300


def test_replies_are_those_of_the_api(ask: Callable[..., Any], small_home: Path, address: str) -> None:
    facts = bh.open(small_home, address=address)
    for question in ("room", "order", "stage"):
        answer = ask("reply.reply_answer_json", benchmark="exam", question=question)
        assert answer.status_code == 200
        assert answer.parsed.to_dict() == facts.answer("exam", question).as_dict()
    two = ask("reply.reply_difference_json", benchmark="exam", first=71.2, second=72.4, shots="5")
    assert two.parsed.to_dict() == facts.difference("exam", 71.2, 72.4, shots=5).as_dict()
    reply = ask("reply.reply_search_json", q="exam", each=3)
    assert reply.parsed.to_dict() == facts.search("exam", 3).as_dict()


def test_tables_charts_and_sql_are_read(ask: Callable[..., Any], small_home: Path) -> None:
    facts = bh.open(small_home)
    table = ask("data.data_table_parquet", "verdict")
    assert table.content[:4] == b"PAR1"
    chart = ask("chart.chart_curve_json", benchmark="exam")
    assert chart.parsed.chart == "curve" and chart.parsed.generation == facts.generation and chart.parsed.rows
    answer = ask("query.query_json", sql="SELECT count(*) AS n FROM verdict")
    assert [row.to_dict() for row in answer.parsed.rows] == facts.sql("SELECT count(*) AS n FROM verdict").to_dicts()
    assert answer.parsed.cut is False
    meta = ask("meta.meta_json")
    assert meta.parsed.generation == facts.generation


def test_what_there_is_not_is_an_answer_in_words(ask: Callable[..., Any]) -> None:
    missing = ask("reply.reply_answer_json", benchmark="no-such-exam", question="order")
    assert missing.status_code == 400 and "no benchmark" in missing.parsed
    assert ask("query.query_json", sql="DROP TABLE verdict").status_code == 400
