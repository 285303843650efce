"""How charts and tables are cited and taken: what is offered beside a CSV runs as it stands against a real server."""

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import duckdb
import polars as pl
import pytest
import requests

from benchhealth.dashboard.words.terms.citing import Cited, as_text, citation_forms, latex

CHART, TABLE = "chart/curve.txt?benchmark=exam", "cite/csv/results?benchmark=hard-exam"
CSV = {CHART: "chart/curve.csv?benchmark=exam", TABLE: "csv/results?benchmark=hard-exam"}
offered = pytest.mark.parametrize("asked", [CHART, TABLE])


def parts(server: str, asked: str) -> Mapping[str, str]:
    answer = requests.get(f"{server}/{asked}", timeout=30)
    assert answer.status_code == 200
    parts_of_text = re.split(r"^# (.+)\n", answer.text, flags=re.MULTILINE)[1:]
    return dict(zip(parts_of_text[::2], (one.strip() for one in parts_of_text[1::2]), strict=True))


@offered
def test_what_is_offered_names_the_address_of_this_server(server: str, asked: str) -> None:
    ways_of = parts(server, asked)
    assert list(ways_of) == ["Text", "BibTeX", "pandas", "polars", "R", "SQL (DuckDB)"]
    assert all(f"{server}/{CSV[asked]}" in ways_of[way] for way in list(ways_of)[1:])
    assert "Generation gen-" in ways_of["Text"] and "ata to " in ways_of["Text"]
    assert ways_of["BibTeX"].count("{") == ways_of["BibTeX"].count("}")
    assert re.match(r"@misc\{benchhealth-[\w-]+,\n  author = ", ways_of["BibTeX"])


@offered
@pytest.mark.parametrize("way", ["polars", "pandas"])
def test_the_lines_for_python_read_all_rows(server: str, asked: str, way: str) -> None:
    if find_spec(way) is None:
        pytest.skip(f"{way} is not installed")
    there: dict[str, object] = {}
    exec(parts(server, asked)[way], there)
    expected = pl.read_csv(requests.get(f"{server}/{CSV[asked]}", timeout=30).content, infer_schema_length=None)
    assert len(there["rows"]) == expected.height > 0  # type: ignore[arg-type]
    assert list(there["rows"].columns) == expected.columns  # type: ignore[attr-defined]


@offered
def test_the_line_of_sql_reads_all_rows(server: str, asked: str) -> None:
    package = pytest.importorskip("duckdb_extension_httpfs", reason="DuckDB reads HTTP by this extension")
    file = next(Path(package.__path__[0]).glob(f"extensions/v{duckdb.__version__}/httpfs.duckdb_extension"))
    with duckdb.connect() as connection:
        connection.execute(f"LOAD '{file}'")
        rows = connection.sql(parts(server, asked)["SQL (DuckDB)"]).pl()
    assert rows.height == requests.get(f"{server}/{CSV[asked]}", timeout=30).text.strip().count("\n")


@pytest.mark.parametrize("path", ["cite/readyz", "cite/csv", "cite/https://example.org/x.csv", "cite/chart/map.csv"])
def test_what_is_no_table_cannot_be_cited(server: str, path: str) -> None:
    assert requests.get(f"{server}/{path}", timeout=30).status_code == 404


def test_a_title_is_escaped_for_latex_and_each_way_has_its_name() -> None:
    cited = Cited("Said.", "54% of A_B & {C}", "a/b", "gen-1", None, "https://x.org/p", "https://x.org/p.csv?a=b%27c")
    texts = dict(citation_forms(cited))
    assert r"54\% of A\_B \& \{C\}" in texts["BibTeX"] and "year" not in texts["BibTeX"]
    assert latex("~^\\") == r"\textasciitilde{}\textasciicircum{}\textbackslash{}"
    assert as_text([("A", "b"), ("C", "d")]) == "# A\nb\n\n# C\nd\n"
