"""The search by address: what it answers, and that it names nothing that may not leave."""

import json
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.replies import MOST_RESULTS, routes
from tests.support import asgi_client
from tests.support import mixed_generation as mixed
from tests.support.mixed_generation import told_of
from tests.support.small_generation import HOSTILE

get = partial(asgi_client.get, Starlette(routes=routes()), "/search.json")


@pytest.fixture(autouse=True)
def _served(small_home: Path) -> None:
    generation.use(small_home)


def test_it_answers_in_groups_with_addresses() -> None:
    answer = get({"q": "exam"})
    reply = json.loads(answer.body)
    assert answer.status == 200 and answer.headers["content-type"] == "application/json"
    assert (reply["query"], reply["generation"]) == ("exam", generation.current().name)
    first = reply["groups"][0]
    assert (first["kind"], first["title"], first["rows"][0]["name"]) == ("benchmark", "Benchmarks", "Exam")
    assert first["rows"][0]["address"] == "benchmark?benchmark=exam"


def test_hostile_names_are_text() -> None:
    groups = json.loads(get({"q": "best model x"}).body)["groups"]
    assert HOSTILE in [row["name"] for group in groups for row in group["rows"]]


@pytest.mark.parametrize("each", ["", "-1", "many", "\u0663", "0", "9" * 30])
def test_any_number_can_be_asked_for(each: str) -> None:
    for group in json.loads(get({"q": "model", "each": each}).body)["groups"]:
        assert len(group["rows"]) <= MOST_RESULTS


def test_nothing_asked_and_an_answer_that_is_known() -> None:
    assert json.loads(get({}).body)["groups"] == []
    tag = get({"q": "exam"}).headers["etag"]
    assert get({"q": "exam"}, If_None_Match=tag).status == 304


@pytest.mark.parametrize("kind", ["shut", "import"])
def test_what_may_not_leave_is_not_named(kind: str, tmp_path: Path) -> None:
    mixed.build(tmp_path)
    generation.use(tmp_path)
    for query in ("exam", mixed.WORDS[kind], f"{kind}", "7b", "board"):
        answer = get({"q": query, "each": "50"})
        reply = json.loads(answer.body)["groups"]
        assert answer.status == 200
        named = json.dumps([row for group in reply if group["kind"] == "model" for row in group["rows"]])
        assert not told_of(kind, named), (query, named)
        if kind == "import":
            assert not told_of(kind, json.dumps(reply)), (query, reply)


def test_without_a_generation_it_says_so(tmp_path: Path) -> None:
    generation.use(tmp_path)
    assert get({"q": "exam"}).status == 503
