"""The routes added to Streamlit's, asked over HTTP."""

import json
import re
import socket
import subprocess
import sys
import urllib.request
from email.message import Message
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError

import duckdb
import pytest
from starlette.requests import Request

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.guard.headers import page_policy
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark.page import CURVE
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known
from benchhealth.dashboard.serving.operating.health import readyz
from benchhealth.dashboard.serving.responses import refusal
from benchhealth.dashboard.serving.server import TABLES, draw_first_page, serve
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.warehouse.read import NoGeneration


class Answer(NamedTuple):
    status: int
    headers: Message
    text: str


def get(address: str, **headers: str) -> Answer:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            return Answer(answer.status, answer.headers, answer.read().decode())
    except HTTPError as refused:
        with refused:
            return Answer(refused.code, refused.headers, refused.read().decode())


def test_ready_names_the_generation(server: str) -> None:
    answer = get(f"{server}/readyz")
    assert answer.status == 200
    assert json.loads(answer.text)["generation"]["name"].startswith("gen-")


def test_not_ready_where_nothing_is_published(tmp_path: Path) -> None:
    generation.use(tmp_path)
    answer = readyz(Request({"type": "http", "headers": []}))
    assert answer.status_code == 503


@pytest.mark.parametrize(
    "error",
    [
        NoGeneration("/srv/home/published/current.duckdb is no link"),
        duckdb.IOException("IO Error: Corrupt database file /srv/home/published/gen-1.duckdb"),
        PermissionError(13, "Permission denied", "/srv/home/published/files"),
    ],
)
def test_what_cannot_be_answered_names_no_path_of_this_machine(error: Exception) -> None:
    answer = refusal(error)
    assert answer.status_code == 503
    assert b"/srv/" not in answer.body


def test_the_first_page_is_drawn_before_anybody_asks(tmp_path: Path, small_home: Path) -> None:
    generation.use(tmp_path)
    draw_first_page()  # nothing is published: no fault
    generation.use(small_home)
    draw_first_page()
    first = PAGES[0].charts[0]
    drawn = generation.current().recent(first.key({}, LIGHT), lambda: None)
    assert isinstance(drawn, Chart)


def test_what_all_benchmarks_share_is_read_before_anybody_asks(small_home: Path) -> None:
    generation.use(small_home)
    draw_first_page()
    view = generation.current()
    first = best_known(benchmarks(view))["benchmark_id"][0]
    built: list[str] = []
    view.recent(CURVE.key({"benchmark": first}, LIGHT), lambda: built.append(first))
    assert not built


BEGINS = """
import sys
from pathlib import Path
from benchhealth.dashboard.serving import server

class Begun:
    def __init__(self, **_: object) -> None:
        print("pandas" in sys.modules)
        sys.exit()

server.Thread = Begun
server.serve(Path(sys.argv[1]), 0)
"""


@pytest.mark.soak
def test_no_chart_is_drawn_while_a_library_that_plotly_looks_for_is_being_imported(tmp_path: Path) -> None:
    """Two readers at once of a server that had just begun: one of them met a pandas without its classes."""
    command = [sys.executable, "-c", BEGINS, str(tmp_path)]
    begun = subprocess.run(command, check=True, capture_output=True, text=True)
    assert begun.stdout == "True\n"


def test_a_port_that_is_taken_is_said_before_anything_begins(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(OSError, match="Address already in use; --port"),
    ):
        serve(tmp_path, taken.getsockname()[1])
    assert not caplog.messages


def test_every_rule_of_the_style_sheet_ends_before_the_next_begins() -> None:
    depth, deepest = 0, {"": 0}
    for line in files("benchhealth.dashboard.serving").joinpath("document.css").read_text().splitlines():
        if not depth:
            opened = line
        depth += line.count("{") - line.count("}")
        deepest[opened] = max(deepest.get(opened, 0), depth + line.count("}"))
        assert depth >= 0, line
    assert depth == 0
    assert [rule for rule, deep in deepest.items() if deep > 1 + rule.startswith("@media")] == []


def test_what_draws_charts_is_fetched_with_the_document(server: str) -> None:
    document = get(f"{server}/").text
    scripts = re.findall(r'rel="modulepreload" crossorigin href="\./(static/js/PlotlyChart[^"]+)"', document)
    assert len(scripts) == 1
    assert get(f"{server}/{scripts[0]}").status == 200


def test_meta_describes_every_table_and_source(server: str) -> None:
    described = json.loads(get(f"{server}/meta.json").text)
    assert set(described["tables"]) == set(PUBLISHED)
    assert described["tables"]["benchmark"]["rows"] > 0
    assert {source["source_id"] for source in described["sources"]} == {"exams", "arena"}
    assert described["csv"] == sorted(f"csv/{name}" for name in TABLES)


def test_a_chart_s_numbers_come_as_csv(server: str) -> None:
    answer = get(f"{server}/csv/results?benchmark=hard-exam")
    assert answer.headers["Content-Type"].startswith("text/csv")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    lines = answer.text.splitlines()
    assert len(lines) == 33
    assert any(line.startswith("\"'=HYPERLINK(") for line in lines)


def test_what_the_columns_of_a_csv_mean_is_served_beside_it(server: str) -> None:
    described = json.loads(get(f"{server}/csv/published-verdict-metadata.json").text)
    assert described["tableSchema"]["primaryKey"] == ["benchmark_id"]


def test_an_unchanged_generation_is_not_sent_twice(server: str) -> None:
    tag = get(f"{server}/csv/benchmarks").headers["ETag"]
    for named in (tag, f"W/{tag}", f'"another", {tag}'):  # a proxy that packs marks it as weak
        assert get(f"{server}/csv/benchmarks", **{"If-None-Match": named}).status == 304


@pytest.mark.parametrize(
    ("path", "status"),
    [("/csv/nothing", 404), ("/csv/results", 400), ("/csv/results?benchmark=nope", 400)],
)
def test_what_is_not_there_is_refused_in_words(server: str, path: str, status: int) -> None:
    answer = get(f"{server}{path}")
    assert answer.status == status
    assert answer.headers["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.url_path)
def test_every_page_has_a_document_with_guarded_headers(server: str, spec: PageSpec) -> None:
    answer = get(f"{server}/{spec.url_path}")
    assert answer.status == 200
    assert answer.headers["Content-Security-Policy"] == page_policy()
    assert "navigation.js" in answer.text
