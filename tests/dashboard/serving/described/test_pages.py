"""What programs read of a page: a Dataset of schema.org, and what a pasted link shows, as oEmbed."""

import json
from functools import partial
from html import unescape
from pathlib import Path
from re import DOTALL, findall, search
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import polars as pl
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving import charts, document, downloads, replies, share, tables
from benchhealth.dashboard.serving.described import oembed
from benchhealth.dashboard.serving.described.dataset import ABOUT, LONGEST_DESCRIPTION, SHORTEST_DESCRIPTION, TABLES_OF
from benchhealth.dashboard.serving.printed import card
from benchhealth.dashboard.serving.server import TABLES, table_csv
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.warehouse.read import open_current
from tests.support import asgi_client
from tests.support import mixed_generation as mixed
from tests.support.mixed_generation import told_of

BASE = "http://localhost/"
CHARTS = tuple(spec for page in PAGES for spec in page.charts)
APP = Starlette(
    routes=[
        *card.routes(),
        *charts.routes(CHARTS),
        *tables.routes(TABLES),
        Route("/csv/{name}", table_csv),
        *replies.routes(),
        *share.routes(PAGES),
        *oembed.routes(PAGES),
        *document.routes(PAGES),
    ]
)
get = partial(asgi_client.get, APP, Host="localhost")
every_page = pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.url_path)


def serve(home: Path) -> None:
    generation.use(home)
    downloads.use(home)


@pytest.fixture(autouse=True)
def small(small_home: Path) -> Path:
    serve(small_home)
    return small_home


def address(spec: PageSpec) -> str:
    return "/" if spec is PAGES[0] else f"/{spec.url_path}"


def dataset(path: str, **params: str) -> dict[str, Any]:
    scripts = findall(r'<script type="application/ld\+json">(.*?)</script>', get(path, params).body, DOTALL)
    assert len(scripts) == 1
    markup: dict[str, Any] = json.loads(scripts[0])
    return markup


def asked(url: str) -> tuple[str, dict[str, str]]:
    """Path and parameters of an address of this dashboard."""
    assert url.startswith(BASE)
    parts = urlsplit(url)
    return parts.path, dict(parse_qsl(parts.query))


def status(url: str) -> int:
    path, params = asked(url)
    return get(path, params).status


def test_every_page_says_which_tables_it_is_drawn_from() -> None:
    assert set(TABLES_OF) == {spec.url_path for spec in PAGES}
    assert all(set(named) <= set(PUBLISHED) and named for named in TABLES_OF.values())
    assert set(TABLES_OF["data"]) == set(PUBLISHED)


@every_page
def test_every_page_is_a_dataset_with_what_search_engines_demand(spec: PageSpec) -> None:
    """Google's list: a name and a description of 50 to 5,000 letters; each address it names is there."""
    markup = dataset(address(spec))
    assert (markup["@context"], markup["@type"]) == ("https://schema.org", "Dataset")
    assert markup["name"] and SHORTEST_DESCRIPTION <= len(markup["description"]) <= LONGEST_DESCRIPTION
    assert {"creator", "license", "version", "creditText", "dateModified", "distribution"} <= set(markup)
    assert markup["creditText"].startswith("benchhealth: ") and markup["version"] in markup["creditText"]
    assert status(markup["url"]) == 200 and markup["@id"] == markup["url"]
    assert ("isPartOf" in markup) == (spec.url_path != "data")
    assert len(markup["distribution"]) >= len(TABLES_OF[spec.url_path])


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.soak)], ids=["some", "all"])
def test_every_file_of_a_dataset_can_be_had_and_is_what_is_said(step: int) -> None:
    things = {"benchmark": "hard-exam", "models": "model-30"}
    datasets = [dataset("/data"), *(dataset(f"/{page}", **{ABOUT[page][0]: one}) for page, one in things.items())]
    addresses = {one["contentUrl"]: one["encodingFormat"] for markup in datasets for one in markup["distribution"]}
    assert len(addresses) >= len(PUBLISHED) + 5
    for url, kind in list(addresses.items())[::step]:
        path, params = asked(url)
        answer = get(path, params)
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, kind), url


def test_a_dataset_about_a_benchmark_says_its_answers_and_sources() -> None:
    markup = dataset("/benchmark", benchmark="hard-exam")
    reply = json.loads(get("/reply/benchmark.json", {"benchmark": "hard-exam"}).body)
    assert markup["creditText"] == reply["citation"]
    assert markup["temporalCoverage"] == f"../{reply['known_until']}"
    assert {one["name"]: one["value"] for one in markup["variableMeasured"]} == {
        one["question"]: one["tile"] for one in reply["data"]["answers"].values()
    }
    assert markup["isBasedOn"] and all(one["url"].startswith("http") for one in markup["isBasedOn"])
    assert "variableMeasured" not in dataset("/benchmark", benchmark="nothing")


def test_no_page_tells_programs_what_may_not_leave(tmp_path: Path) -> None:
    mixed.build(tmp_path)
    serve(tmp_path)
    bodies = [get(address(spec)).body for spec in PAGES]
    ids = [f"{kind}-exam" for kind in ("common", "open", "alike", "shut", "import")]
    bodies += [get("/benchmark", {"benchmark": one}).body for one in ids]
    bodies += [get("/oembed", {"url": f"{BASE}benchmark?benchmark={one}"}).body for one in ids]
    asked_for = [search(r"ld\+json.*", body) for body in bodies[: -len(ids)]]
    assert all(asked_for)
    assert [word for body in bodies for kind in ("alike", "shut", "import") for word in told_of(kind, body)] == []


def test_a_hostile_name_ends_no_element(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = '"></script><script>alert(1)</script><!--&'
    named = generation.current().shared().table("benchmark").with_columns(name=pl.lit(name))
    opened = open_current(small)
    hostile = View(opened)
    hostile.kept(("table", "benchmark"), lambda: named)
    monkeypatch.setattr(View, "shared", lambda _view: hostile)
    body = get("/benchmark", {"benchmark": "exam"}).body
    assert "<script>alert" not in body and "<!--&" not in body
    assert dataset("/benchmark", benchmark="exam")["name"].startswith('"></script><script>')
    framed = json.loads(get("/oembed", {"url": f"{BASE}benchmark?benchmark=exam"}).body)
    assert "<script" not in framed["html"]
    opened.close()


@every_page
def test_every_page_leads_to_its_oembed(spec: PageSpec) -> None:
    link = search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', get(address(spec)).body)
    assert link is not None
    path, params = asked(unescape(link[1]))
    answer = get(path, params)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "*")
    markup = json.loads(answer.body)
    assert (markup["type"], markup["version"], markup["provider_url"]) == ("link", "1.0", BASE)
    assert markup["title"] and status(markup["thumbnail_url"]) == 200
    assert markup["title"] == dataset(address(spec))["name"]


FRAMED = (
    ("benchmark?benchmark=exam", "embed/card?benchmark=exam"),
    ("benchmark?benchmark=exam&tab=Twins#curve", "embed/curve?benchmark=exam"),
    ("embed/card?benchmark=exam&theme=dark", "embed/card?benchmark=exam"),
    ("embed/curve?benchmark=exam", "embed/curve?benchmark=exam"),
    ("trust?twin=exam-to-fresh#twin", "embed/twin?twin=exam-to-fresh"),
    ("#map", "embed/map"),
)


@pytest.mark.parametrize(("page", "frame"), FRAMED)
def test_a_benchmark_and_a_chart_are_shown_in_a_frame(page: str, frame: str) -> None:
    markup = json.loads(get("/oembed", {"url": BASE + page, "maxwidth": "500", "maxheight": "300"}).body)
    link = search(r'^<iframe src="([^"]+)" width="500" height="300" title="[^"]+" [^<]*></iframe>$', markup["html"])
    assert link is not None and unescape(link[1]) == BASE + frame
    assert (markup["type"], markup["width"], markup["height"]) == ("rich", 500, 300)
    assert status(unescape(link[1])) == 200


def test_nothing_is_larger_than_is_asked_for() -> None:
    embed = json.loads(get("/oembed", {"url": f"{BASE}trust"}).body)
    small = json.loads(get("/oembed", {"url": f"{BASE}trust", "maxwidth": "1199"}).body)
    assert embed["thumbnail_width"] == 1200
    assert small == {name: value for name, value in embed.items() if not name.startswith("thumbnail")}


ELSEWHERE = (
    *("", "trust", "/trust", "//localhost/trust", "javascript:alert(1)", "file:///etc/passwd", "http://[", "http://"),
    *(
        "http://localhost.evil.example/trust",
        "http://evil.example/?http://localhost/trust",
        "http://localhost:81/trust",
    ),
    *(
        "http://localhost@evil.example/",
        f"{BASE}nothing",
        f"{BASE}embed/nothing",
        f"{BASE}embed/card",
        f"{BASE}a/../trust",
    ),
    *(f"{BASE}benchmark?benchmark=nothing", f"{BASE}embed/curve?benchmark=nothing", f"{BASE}trust?" + "a" * 5_000),
    f"{BASE}trust?" + "&".join(f"a{place}=1" for place in range(60)),
)


@pytest.mark.parametrize("url", ELSEWHERE)
def test_what_is_no_page_of_this_dashboard_is_a_404(url: str) -> None:
    assert get("/oembed", {"url": url}).status == 404


@pytest.mark.parametrize("pixels", ["0", "-1", "wide", "1e3", "９", "9" * 40])
def test_a_size_that_is_none_is_said_to_be(pixels: str) -> None:
    assert get("/oembed", {"url": BASE, "maxwidth": pixels}).status == 400


def test_another_form_is_not_spoken_and_what_is_known_is_not_sent_again() -> None:
    assert get("/oembed", {"url": BASE, "format": "xml"}).status == 501
    tag = get("/oembed", {"url": BASE}).headers["etag"]
    assert get("/oembed", {"url": BASE}, If_None_Match=tag).status == 304
