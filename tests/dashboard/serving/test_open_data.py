"""What can be had by address: tables, answers, badges, reports, and what there is; nothing that may not leave."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import polars as pl
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.guard.turns import RETRY_SECONDS, Turns
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation, questions
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving import badges, catalogue, charts, document, downloads, replies, tables
from benchhealth.dashboard.serving.document import MOVED
from benchhealth.dashboard.serving.downloads import write_parquet
from benchhealth.dashboard.serving.printed import card, reports
from benchhealth.dashboard.serving.responses import WITHHELD, Absent
from benchhealth.dashboard.serving.server import TABLES, table_csv
from benchhealth.dashboard.words.terms.citing import QUOTING
from benchhealth.warehouse.queries.formats import NO_CSV
from benchhealth.warehouse.read import open_current
from tests.support import asgi_client
from tests.support import mixed_generation as mixed
from tests.support.growing_queries import GROWS, wide
from tests.support.mixed_generation import told_of

PATHS = tuple(spec.url_path for spec in PAGES)
CHARTS = tuple(spec for page in PAGES for spec in page.charts)
APP = Starlette(
    routes=[
        *card.routes(),
        *charts.routes(CHARTS),
        *tables.routes(TABLES),
        Route("/csv/{name}", table_csv),
        Route("/csv/{source}/{name}", table_csv),
        *badges.routes(),
        *reports.routes(),
        *replies.routes(),
        *catalogue.routes(PATHS, CHARTS),
        Absent(PATHS),
        Mount("/", PlainTextResponse("Streamlit")),
    ]
)
get = partial(asgi_client.get, APP, Host="localhost")


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("open")
    mixed.build(made)
    generation.use(made)
    downloads.use(made)
    yield made
    generation.use(made)


@pytest.mark.parametrize("form", [pytest.param("csv", marks=pytest.mark.soak), "parquet"])
def test_every_table_is_had_by_address_without_what_may_not_leave(form: str) -> None:
    for name in PUBLISHED:
        answer = get(f"/data/{name}.{form}")
        assert answer.status == 200
        assert answer.headers[WITHHELD.lower()].isdecimal()
        assert answer.headers["etag"]
        assert not any(told_of(kind, answer.body) for kind in ("alike", "shut", "import")), name
    assert get(f"/data/result.{form}", If_None_Match=get("/data/result.csv").headers["etag"]).status == 304


@pytest.mark.parametrize("path", ["/data/lead.csv", "/data/lead.parquet", "/data/alike/lead.csv"])
def test_a_table_that_an_older_generation_lacks_is_not_sent_without_rows(
    home: Path, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    published = tmp_path / "published"
    published.mkdir()
    old = published / "gen-20200101T000000Z-000001.duckdb"
    old.write_bytes((home / "published" / "current.duckdb").read_bytes())
    with duckdb.connect(old) as connection:
        connection.execute('DROP TABLE "lead"')
    (published / "current.duckdb").symlink_to(old.name)
    monkeypatch.setattr(generation, "current", lambda: View(open_current(tmp_path)))
    answer = get(path)
    assert (answer.status, answer.headers["content-type"]) == (404, "text/plain; charset=utf-8")
    assert answer.body.startswith("no table lead: the generation was made before")
    assert get("/data/benchmark.csv").status == 200


@pytest.mark.parametrize("path", ["/data/{}.csv", "/csv/published-{}", "/data/alike/{}.csv", "/csv/alike/published-{}"])
def test_every_csv_of_a_table_leads_to_what_its_columns_mean(path: str) -> None:
    for name in ("result", "verdict"):
        answer = get(path.format(name))
        address, relation, kind = answer.headers["link"].split("; ")
        assert (relation, kind) == ('rel="describedby"', 'type="application/csvm+json"')
        answer_there = get(urljoin(path.format(name), address.strip("<>")))
        assert answer_there.headers["content-type"] == "application/csvm+json"
        described = json.loads(answer_there.body)
        assert urljoin(path.format(name), described["url"]) == path.format(name)
        columns = described["tableSchema"]["columns"]
        assert [column["titles"][0] for column in columns] == answer.body.splitlines()[0].split(",")
        assert all(column["dc:description"] for column in columns)


@pytest.mark.parametrize("path", ["/data/nothing.csv", "/csv/results", "/data/shut/result.csv"])
def test_nothing_is_described_that_is_no_table_of_the_contract_or_has_no_files(path: str) -> None:
    assert get(f"{path}-metadata.json").status == 404


def test_parquet_says_its_columns_itself() -> None:
    assert "link" not in get("/data/verdict.parquet").headers


@pytest.mark.parametrize(
    "path", ["/data/result.csv", "/data/result.parquet", "/data/alike/result.csv", "/csv/published-result"]
)
def test_a_table_that_is_asked_for_in_part_says_where_parts_are_to_be_had(path: str) -> None:
    answer = get(path, {"benchmark": "open-exam"})
    assert answer.status == 400
    assert "/query.csv?sql=SELECT * FROM result WHERE " in answer.body


def test_a_former_table_is_answered_by_what_stays_whatever_its_parameters() -> None:
    assert get("/csv/labels", {"benchmark": "open-exam"}).body == get("/data/benchmark.csv").body


@pytest.mark.parametrize("path", ["/data/nothing.csv", "/data/result.xlsx", "/data/shut/result.csv", "/query.xml"])
def test_what_there_is_not_is_a_404(path: str) -> None:
    assert get(path).status == 404


def test_a_source_with_terms_of_its_own_has_addresses_of_its_own() -> None:
    assert "birch" in get("/data/alike/result.csv").body.lower()


def test_a_language_model_is_told_what_replies_and_what_may_be_repeated() -> None:
    answer_there = get("/llms.txt").body
    assert answer_there.startswith("# benchhealth\n") and all(rule in answer_there for rule in QUOTING)
    addresses = re.findall(r"\]\(http://localhost/(reply/[a-z]+\.json)\)", answer_there)
    assert addresses == [f"reply/{name}.json" for name in REPLIES]
    asked = {"benchmark": "open-exam", "question": "room"}
    assert json.loads(get("/reply/answer.json", asked).body)["page"].startswith("http://localhost/benchmark?")
    tag = get("/reply/answer.json", asked).headers["etag"]
    assert get("/reply/answer.json", asked, If_None_Match=tag).status == 304
    assert get("/reply/nothing.json").status == 404
    assert get("/reply/answer.json").status == 400


def test_parquet_holds_the_rows_in_pieces(tmp_path: Path) -> None:
    rows = pl.DataFrame({"a": range(7), "b": [["x"], [], None, ["y", "z"], None, [], ["w"]]})
    write_parquet([rows.clear(), rows.head(3), rows.tail(4)], tmp_path / "rows.parquet")
    assert pl.read_parquet(tmp_path / "rows.parquet").equals(rows)


def test_a_question_is_answered_by_address_with_what_was_withheld() -> None:
    sql = "SELECT model_id, count(*) AS n FROM result GROUP BY 1 ORDER BY 1"
    answer = get("/query.csv", {"sql": sql})
    assert answer.status == 200
    assert int(answer.headers[WITHHELD.lower()]) > 0
    assert not any(told_of(kind, answer.body) for kind in ("alike", "shut", "import"))
    answer_rows = json.loads(get("/query.json", {"sql": sql}).body)
    assert answer_rows["withheld_rows_of_tables_read"] == {"result": int(answer.headers[WITHHELD.lower()])}
    assert len(answer_rows["rows"]) == len(answer.body.splitlines()) - 1


def test_a_question_that_is_none_is_refused_with_a_sentence() -> None:
    answer = get("/query.csv", {"sql": "FROM whole.result"})
    assert answer.status == 400
    assert answer.body.startswith("Tables go by their own names")
    assert get("/query.csv").status == 400


def test_a_formula_in_an_answer_is_no_formula() -> None:
    body = get("/query.csv", {"sql": "SELECT '=1+1' AS a"}).body
    assert body.splitlines() == ["a", "'=1+1"]
    body = get("/query.csv", {"sql": "SELECT '=1+1'::ENUM('=1+1') AS \"=b\""}).body
    assert body.splitlines() == ["'=b", "'=1+1"]


@pytest.mark.parametrize(
    "column", ["{'a': 1}", "MAP {'a': 1}", "['a']::VARCHAR[1]", "'a'::BLOB", "'101'::BIT", "[['a']]"]
)
def test_what_csv_cannot_hold_is_refused_with_a_sentence(column: str) -> None:
    answer = get("/query.csv", {"sql": f"SELECT {column} AS a"})
    assert (answer.status, answer.body) == (400, f"{NO_CSV}\n")
    assert get("/query.json", {"sql": f"SELECT {column} AS a"}).status == 200


@pytest.mark.parametrize("form", ["csv", "json"])
def test_an_answer_is_as_long_as_its_text(form: str) -> None:
    answer = get(f"/query.{form}", {"sql": wide(GROWS["a dictionary"], 60, 10_000)})
    assert answer.status == 400
    assert answer.body.startswith("The answer is larger than")


def test_an_answer_says_how_long_it_is() -> None:
    for form in ("csv", "json"):
        answer = get(f"/query.{form}", {"sql": "SELECT 'ü' AS a FROM range(3000)"})
        assert int(answer.headers["content-length"]) == len(answer.body.encode())
    assert json.loads(answer.body)["rows"] == [{"a": "ü"}] * 3000
    assert json.loads(get("/query.json", {"sql": "FROM verdict LIMIT 0"}).body)["rows"] == []


def test_who_waits_too_long_for_others_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_TURNS", Turns(most=0, per_reader=0, seconds=1))
    answer = get("/query.json", {"sql": "SELECT 1"})
    assert (answer.status, answer.headers["retry-after"]) == (503, str(RETRY_SECONDS))
    assert answer.headers["access-control-allow-origin"] == "*"


def test_where_a_login_is_demanded_no_cache_of_many_keeps_a_badge() -> None:
    for with_login, caching in ((True, "private, max-age=3600"), (False, "public, max-age=3600")):
        app = Starlette(routes=badges.routes(with_login=with_login))
        assert asgi_client.get(app, "/badge/common-exam.svg").headers["cache-control"] == caching


def test_a_badge_says_stage_and_day_and_can_be_cached() -> None:
    answer = get("/badge/common-exam.svg")
    assert answer.status == 200
    assert "max-age" in answer.headers["cache-control"]
    assert ET.fromstring(answer.body).tag.endswith("svg")
    assert "not enough known<" in answer.body, "no answer to common-exam may leave"
    assert get("/badge/nothing.svg").status == 404
    assert get("/badge/import-exam.svg").status == 404


def test_no_card_is_framed_of_which_nothing_may_leave() -> None:
    assert get("/embed/card", {"benchmark": "common-exam"}).status == 404
    nothing: tuple[dict[str, str], ...] = ({}, {"benchmark": "nothing"}, {"benchmark": "import-exam"})
    assert [get("/embed/card", params).status for params in nothing] == [400, 400, 400]


def test_a_hostile_name_is_text_in_a_badge_and_a_frame(home: Path) -> None:
    opened = open_current(home)
    view = View(opened)
    named = view.published.table("benchmark").with_columns(name=pl.lit('<script>"&'))
    view.kept(("table", "benchmark"), lambda: named)
    drawn, framed = badges.badge(view, "common-exam"), card.card_document(view, "common-exam", LIGHT)
    opened.close()
    assert drawn is not None
    assert "<script" not in drawn + framed
    assert ET.fromstring(drawn) is not None


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_a_report_by_address_tells_nothing_that_may_not_leave(kind: str) -> None:
    answer = get("/report.html", {"benchmark": "common-exam"})
    assert answer.status == 200
    assert not told_of(kind, answer.body)
    other = get("/report.html", {"benchmark": f"{kind}-exam"})
    assert other.status in (200, 400)
    assert other.status == 400 or not told_of("shut", other.body)


def test_a_report_comes_as_pdf_and_an_unknown_one_is_said_to_be() -> None:
    answer = get("/report.pdf", {"benchmark": "common-exam"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body.startswith("%PDF")
    assert "did you mean" in get("/report.pdf", {"benchmark": "common"}).body
    page = get("/report.html", {"benchmark": "<common>"}, accept="text/html")
    assert page.status == 400 and page.headers["content-type"].startswith("text/html")
    assert "no benchmark called '<common>'" in unescape(str(page.body)) and "<common>" not in page.body
    assert 'href="./"' in page.body and page.headers["vary"] == "Accept"
    unchosen = get("/report.pdf")
    assert unchosen.status == 400
    assert 'href="report"' in str(unchosen.body)
    assert get("/report.docx").status == 404


def test_what_there_is_is_described_for_people_and_for_programs() -> None:
    described = json.loads(get("/api/").body)
    assert {entry["path"] for entry in described["addresses"]} >= {"/data/{table}.csv", "/badge/{benchmark}.svg"}
    (name,) = (one for one in described["columns"]["verdict"]["columns"] if one["column"] == "since")
    assert (name["type"], name["format"], name["meaning"][:3]) == ("Date", "day", "The")
    assert described["columns"]["churn"]["key"] == ["board_id", "from_on", "to_on", "k"]
    assert described["indicators"]["age_months"] == {"title": "Age", "unit": "months of 30.44 days"}
    people = get("/api/", Accept="text/html").body
    assert "The earliest day from which the stage holds" in people
    assert all(name in people for name in PUBLISHED)
    document = json.loads(get("/api/openapi.json").body)
    assert document["openapi"].startswith("3.1")
    for spec in CHARTS:
        asked = {part["name"] for part in document["paths"][f"/chart/{spec.name}.csv"]["get"]["parameters"]}
        assert asked == set(spec.params)


def test_search_engines_are_told_of_pages_and_benchmarks() -> None:
    robots = get("/robots.txt").body
    assert "Sitemap: http://localhost/sitemap.xml" in robots
    addresses = [
        element.text for element in ET.fromstring(get("/sitemap.xml").body).iter() if element.tag.endswith("loc")
    ]
    assert "http://localhost/" in addresses
    assert "http://localhost/benchmark?benchmark=common-exam" in addresses
    assert not any("import-exam" in str(address) for address in addresses)


@pytest.mark.parametrize(
    "path", ["/nothing", "/benchmark/nothing", "/data/nothing", "/static/nothing.js", "/index.php"]
)
def test_an_address_of_nothing_is_a_404(path: str) -> None:
    answer = get(path)
    assert answer.status == 404
    assert "Nothing is at this address" in answer.body


@pytest.mark.parametrize("path", ["/", *(f"/{path}" for path in PATHS), "/_stcore/health", "/favicon.png", "/media/x"])
def test_pages_and_files_stay_where_they_are(path: str) -> None:
    assert get(path).body == "Streamlit"


@pytest.mark.parametrize(("asked", "now"), [("overview", ""), *MOVED.items()])
def test_old_addresses_lead_on_with_their_parameters(asked: str, now: str) -> None:
    app = Starlette(routes=document.routes(PAGES))
    answer = asgi_client.get(app, f"/{asked}", {"benchmark": "exam", "twin": "a b"})
    assert (answer.status, answer.headers["location"]) == (307, f"./{now}?benchmark=exam&twin=a+b")
    assert asgi_client.get(app, f"/{asked}").headers["location"] == f"./{now}"
