"""The feed of changes: valid Atom, the same ids for ever, absolute links, and nothing that may not leave."""

from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.happened.changes import changes_by_day
from benchhealth.dashboard.published.happened.months import changes_in, known_day, span_of
from benchhealth.dashboard.serving.feeds.changes import changes_feed, routes
from benchhealth.dashboard.serving.printed import digest
from benchhealth.warehouse.sharing.rules import WITHHELD
from tests.support import asgi_client, board_tables, mixed_generation, small_generation

ATOM = "{http://www.w3.org/2005/Atom}"
get = partial(asgi_client.get, Starlette(routes=routes()))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("changed")
    small_generation.build(made, {"change": board_tables.changed()})
    return made


@pytest.fixture(autouse=True)
def _served(home: Path) -> Iterator[None]:
    generation.use(home)
    yield
    generation.use(home)


def feed(**params: str) -> ElementTree.Element:
    answer = get("/feed.xml", params, Host="dash.example")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    return ElementTree.fromstring(answer.body)


def test_it_has_what_atom_asks_for() -> None:
    root = feed()
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (elements,) = element.findall(f"{ATOM}{name}")
            assert elements.text
        assert all(link.attrib["href"].startswith("http://dash.example/") for link in element.findall(f"{ATOM}link"))
    assert {link.attrib["rel"] for link in root.findall(f"{ATOM}link")} == {"self", "alternate"}
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    (entry,) = [one for one in root.findall(f"{ATOM}entry") if one.findtext(f"{ATOM}updated") == "2025-01-03T00:00:00Z"]
    assert (
        entry.findtext(f"{ATOM}title")
        == "Hard exam: best score of all leaderboards 40% → 41%, within its error: a model holds the best score"
    )


def test_ids_are_the_same_in_the_next_generation_and_of_every_host(home: Path) -> None:
    before = [entry.findtext(f"{ATOM}id") for entry in feed().iter(f"{ATOM}entry")]
    again = ElementTree.fromstring(changes_feed(generation.current().shared(), "https://elsewhere.example/"))
    assert [entry.findtext(f"{ATOM}id") for entry in again.iter(f"{ATOM}entry")] == before
    assert before[0] is not None
    assert before[0].startswith("urn:uuid:")


def test_one_benchmark_has_a_feed_of_its_own() -> None:
    dated = generation.current().shared().table("dated_change")
    for name, editions in (("hard-exam", 1), ("exam", 0)):
        entries = feed(benchmark=name).findall(f"{ATOM}entry")
        assert len(entries) == editions + dated.filter(benchmark_id=name).height
    other = feed(benchmark="exam")
    assert other.findtext(f"{ATOM}id") != feed().findtext(f"{ATOM}id")
    assert get("/feed.xml", {"benchmark": "nope"}).status == 404


def test_it_holds_the_dated_changes_of_the_last_months_and_a_digest_of_each(home: Path) -> None:
    view = generation.current().shared()
    span = span_of("", known_day(view))
    entries = feed().findall(f"{ATOM}entry")
    terms = [entry.find(f"{ATOM}category").attrib["term"] for entry in entries]  # type: ignore[union-attr]
    shown = changes_in(view, span)
    assert shown.total > 0
    for kind in ("stage", "best", "leader", "silent"):
        rows = changes_by_day(view).filter(~pl.col("late").fill_null(value=False), kind=kind)
        within = rows.filter(
            pl.col("on_day").is_between(span.first, span.until, closed="left"),
            pl.col("curated") | pl.col("benchmark_id").is_null(),
        )
        assert terms.count(kind) >= within.height, kind
    digests = [entry for entry, term in zip(entries, terms, strict=True) if term == "digest"]
    assert digests
    for entry in digests:
        link = entry.find(f"{ATOM}link")
        assert link is not None
        address = link.attrib["href"].removeprefix("http://dash.example")
        page = asgi_client.get(
            Starlette(routes=digest.routes()), address.partition("?")[0], {"month": address.partition("=")[2]}
        )
        assert page.status == 200
        assert escape(entry.findtext(f"{ATOM}title") or "") in page.body


def test_a_digest_of_what_is_no_month_is_refused() -> None:
    app = Starlette(routes=digest.routes())
    assert asgi_client.get(app, "/digest.html", {"month": "soon"}).status == 400
    assert "<h1>" in asgi_client.get(app, "/digest.html", {}).body


def test_an_unchanged_generation_is_not_sent_twice() -> None:
    tag = get("/feed.xml").headers["etag"]
    assert tag == f'"{generation.current().name}"'
    assert get("/feed.xml", If_None_Match=tag).status == 304


def test_a_benchmark_has_its_feed_where_sentences_about_it_may_not_leave(tmp_path: Path) -> None:
    mixed_generation.build(tmp_path)
    generation.use(tmp_path)
    withheld = [
        entry
        for entry in feed(benchmark="shut-exam").iter(f"{ATOM}entry")
        if WITHHELD in entry.findtext(f"{ATOM}title", "")
    ]
    assert {entry.find(f"{ATOM}category").attrib["term"] for entry in withheld} == {"stage"}  # type: ignore[union-attr]
    assert {entry.findtext(f"{ATOM}updated") for entry in withheld} == {"2025-01-03T00:00:00Z"}


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_it_tells_nothing_that_may_not_leave(kind: str, tmp_path: Path) -> None:
    mixed_generation.build(tmp_path)
    generation.use(tmp_path)
    body = get("/feed.xml").body
    assert "<entry>" in body
    assert not mixed_generation.told_of(kind, body)
    app = Starlette(routes=digest.routes())
    for month in ("2024-11", "2024-12", "2025-01"):
        assert not mixed_generation.told_of(kind, asgi_client.get(app, "/digest.html", {"month": month}).body)
