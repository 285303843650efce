"""The feed of changes: valid Atom, the same ids for ever, absolute links, and nothing that may not leave."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.feed import routes, written
from tests.support import asking, board_tables, mixed_generation, small_generation

ATOM = "{http://www.w3.org/2005/Atom}"
get = partial(asking.get, Starlette(routes=routes()))


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
            (found,) = element.findall(f"{ATOM}{name}")
            assert found.text
        assert all(link.attrib["href"].startswith("http://dash.example/") for link in element.findall(f"{ATOM}link"))
    assert {link.attrib["rel"] for link in root.findall(f"{ATOM}link")} == {"self", "alternate"}
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    (entry,) = root.findall(f"{ATOM}entry")
    assert (
        entry.findtext(f"{ATOM}title")
        == "Hard exam: best score 40% → 41%, within its error: a model holds the best score"
    )
    assert entry.findtext(f"{ATOM}updated") == "2025-01-03T00:00:00Z"


def test_ids_are_the_same_in_the_next_generation_and_of_every_host(home: Path) -> None:
    before = [entry.findtext(f"{ATOM}id") for entry in feed().iter(f"{ATOM}entry")]
    again = ElementTree.fromstring(written(generation.current().shared(), "https://elsewhere.example/"))
    assert [entry.findtext(f"{ATOM}id") for entry in again.iter(f"{ATOM}entry")] == before
    assert before[0] is not None
    assert before[0].startswith("urn:uuid:")


def test_one_benchmark_has_a_feed_of_its_own() -> None:
    assert len(feed(benchmark="hard-exam").findall(f"{ATOM}entry")) == 1
    other = feed(benchmark="exam")
    assert not other.findall(f"{ATOM}entry")
    assert other.findtext(f"{ATOM}id") != feed().findtext(f"{ATOM}id")
    assert get("/feed.xml", {"benchmark": "nope"}).status == 404


def test_an_unchanged_generation_is_not_sent_twice() -> None:
    tag = get("/feed.xml").headers["etag"]
    assert tag == f'"{generation.current().name}"'
    assert get("/feed.xml", If_None_Match=tag).status == 304


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_it_tells_nothing_that_may_not_leave(kind: str, tmp_path: Path) -> None:
    mixed_generation.build(tmp_path)
    generation.use(tmp_path)
    body = get("/feed.xml").body
    assert "<entry>" in body
    assert not mixed_generation.told_of(kind, body)
