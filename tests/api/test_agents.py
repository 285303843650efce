"""Tools for agents, asked by the SDK's own client: the same answers as the API, within limits, errors with a code."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest
from mcp.client.client import Client
from starlette.applications import Starlette
from starlette.types import Message

import benchhealth as bh
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.api.agents import server
from benchhealth.api.agents.tools import MOST_BYTES, MOST_ROWS, TOOLS, cut_to_size, reply_of_tool
from benchhealth.dashboard.guard.hosts import Hosts
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.words.answers.sentences import TITLES
from tests.api.test_facts import HOSTILE
from tests.support import asgi_client
from tests.support.asgi_client import finished
from tests.support.mixed_generation import told_of
from tests.support.soaking import some

PAGES = "http://pages.example/"
Call = tuple[str, Mapping[str, Any]]


def asked(facts: bh.Facts, *calls: Call) -> list[dict[str, Any]]:
    """What the tools answer to these calls, in one session of the SDK's client in memory."""

    async def session() -> list[dict[str, Any]]:
        async with Client(server.server(facts)) as client:
            replies = []
            for name, arguments in calls:
                result = await client.call_tool(name, dict(arguments))
                (block,) = result.content
                assert json.loads(block.text) == result.structured_content  # type: ignore[union-attr]
                assert result.is_error == ("error" in result.structured_content)
                replies.append(result.structured_content)
            return replies

    return finished(session())


@pytest.fixture(scope="module")
def facts(small_home: Path) -> bh.Facts:
    return bh.open(small_home, address=PAGES)


def test_every_tool_is_listed_and_says_what_it_reads(facts: bh.Facts) -> None:
    async def listed() -> list[Any]:
        async with Client(server.server(facts)) as client:
            return list((await client.list_tools()).tools)

    tools = finished(listed())
    assert {tool.name for tool in tools} == set(TOOLS) == {*REPLIES, "table", "sql"}
    for tool in tools:
        assert tool.annotations.read_only_hint and tool.description.endswith(".")
        assert set(tool.input_schema["required"]) <= set(tool.input_schema["properties"])


@pytest.mark.parametrize("home", some(["small_home", "mixed_home"], plain=["mixed_home"]))
def test_every_answer_is_that_of_the_api(home: str, request: pytest.FixtureRequest) -> None:
    facts = bh.open(request.getfixturevalue(home), address=PAGES)
    ids = facts.benchmarks(curated=False)["benchmark_id"].to_list()
    pairs = [(one, question) for one in ids for question in TITLES]
    replies = asked(facts, *(("answer", {"benchmark": one, "question": question}) for one, question in pairs))
    assert len(replies) >= 40
    for (one, question), reply in zip(pairs, replies, strict=True):
        assert reply == facts.answer(one, question).as_dict()


def test_every_reply_has_until_when_conditions_a_citation_and_its_page(facts: bh.Facts) -> None:
    calls: tuple[Call, ...] = (
        ("search", {"q": "exam"}),
        ("answer", {"benchmark": "exam", "question": "order"}),
        ("benchmark", {"benchmark": "Exam"}),
        ("model", {"model": "model-3"}),
        ("check", {"model": "model-3"}),
        ("compare", {"a": "model-3", "b": "best", "benchmark": "exam"}),
        ("difference", {"benchmark": "exam", "first": 71.2, "second": 72.4, "shots": 5}),
        ("corroboration", {"benchmark": "exam"}),
        ("cite", {"chart": "curve", "benchmark": "exam"}),
        ("table", {"table": "frontier", "where": {"benchmark": "exam"}, "limit": 3}),
        ("sql", {"sql": "SELECT benchmark_id, stage FROM verdict ORDER BY 1", "limit": 2}),
    )
    assert {name for name, _ in calls} == set(TOOLS)
    for (name, _), reply in zip(calls, asked(facts, *calls), strict=True):
        assert "error" not in reply, (name, reply)
        assert reply["text"] and reply["page"].startswith(PAGES) and reply["generation"] == facts.generation
        assert reply["citation"].startswith("benchhealth: ") and reply["citation"].endswith(reply["page"])
        assert reply["known_until"] is None or len(reply["known_until"]) == 10
        assert isinstance(reply["conditions"], list)
        assert name in ("check",) or reply["known_until"] is not None


def test_a_best_score_is_told_and_counted_once(facts: bh.Facts) -> None:
    """It has a row for each kind of best that it is: of its condition, of its day, among ten."""
    reply = facts.corroboration("exam")
    counted, *told = reply.text.splitlines()
    assert len(told) == len(set(told)) < len(reply.data["rows"])
    assert f" {len(told)} best score" in counted


BAD: tuple[Call, ...] = (
    ("answer", {"benchmark": "no-such-exam", "question": "order"}),
    ("answer", {"benchmark": "../../../etc/passwd", "question": "order"}),
    ("answer", {"benchmark": "exam", "question": "'; DROP TABLE verdict; --"}),
    ("answer", {"benchmark": "exam"}),
    ("answer", {"benchmark": ["exam"], "question": "order"}),
    ("answer", {"benchmark": "e" * 100_000, "question": "order"}),
    ("answer", {"benchmark": "exam", "question": "order", "home": "/etc"}),
    ("benchmark", {}),
    ("model", {"model": "nobody"}),
    ("compare", {"a": "model-3", "b": "model-3"}),
    ("difference", {"benchmark": "exam", "first": "NaN", "second": "1e400"}),
    ("difference", {"benchmark": "exam", "first": 120, "second": -3}),
    ("difference", {"benchmark": "exam", "first": 1, "second": 2, "n": 10**30}),
    ("cite", {"chart": "../../document"}),
    ("search", {"q": ""}),
    ("search", {"q": "exam", "each": "9" * 40}),
    ("table", {"table": "../verdict"}),
    ("table", {"table": "result; DROP TABLE result"}),
    ("table", {"table": "verdict", "limit": 10**12}),
    ("table", {"table": "verdict", "limit": -1}),
    ("table", {"table": "verdict", "limit": True}),
    ("table", {"table": "verdict", "start": -5}),
    ("table", {"table": "verdict", "where": {'benchmark_id" OR 1=1 --': "x"}}),
    ("table", {"table": "verdict", "where": {"benchmark": {"$ne": None}}}),
    ("table", {"table": "verdict", "where": "1=1"}),
    ("table", {"table": "verdict", "where": {"p": "text where a number stands"}}),
    ("sql", {"sql": "SELECT 1", "limit": 10**9}),
    ("sql", {"sql": "x" * 100_000}),
    ("no-such-tool", {}),
)


@pytest.fixture(scope="module")
def replies_to_bad(facts: bh.Facts) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The reply to each of BAD, and to a sound call after it, all in one session."""
    sound: Call = ("answer", {"benchmark": "exam", "question": "order"})
    replies = asked(facts, *(call for bad in BAD for call in (bad, sound)))
    return list(zip(replies[::2], replies[1::2], strict=True))


@pytest.mark.parametrize("place", range(len(BAD)), ids=[f"{name} {str(arguments)[:40]}" for name, arguments in BAD])
def test_what_cannot_be_asked_is_an_error_with_a_code_and_changes_nothing(
    place: int, facts: bh.Facts, replies_to_bad: list[tuple[dict[str, Any], dict[str, Any]]]
) -> None:
    refused, sound = replies_to_bad[place]
    assert refused["error"]["code"] in ("invalid", "refused")
    assert 0 < len(refused["error"]["message"]) < 6_000
    assert sound == facts.answer("exam", "order").as_dict()


def test_sql_that_reads_or_writes_anything_else_is_refused(facts: bh.Facts) -> None:
    for replies in asked(facts, *(("sql", {"sql": sql}) for sql in HOSTILE if sql)):
        assert replies["error"]["code"] == "refused"


@pytest.mark.soak
def test_no_reply_is_longer_than_an_agent_can_read(facts: bh.Facts) -> None:
    for name in PUBLISHED:
        reply = reply_of_tool(facts, "table", {"table": name, "limit": MOST_ROWS})
        assert len(orjson.dumps(reply)) <= MOST_BYTES
        n_rows = facts.table(name).height
        if reply["data"]:
            assert len(reply["data"]["rows"]) + reply["data"]["rows_left_out"] == n_rows
    (replies,) = asked(facts, ("sql", {"sql": "SELECT repeat('x', 5000) AS long FROM range(200)", "limit": MOST_ROWS}))
    assert len(orjson.dumps(replies)) <= MOST_BYTES and replies["left_out"] and replies["data"]["rows_left_out"] > 150


def test_what_is_cut_says_so() -> None:
    reply = {"text": "x" * 9_000, "data": {"rows": [{"a": "y" * 900}] * 60, "rows_left_out": 4}, "page": "p"}
    cut = cut_to_size(dict(reply))
    assert len(orjson.dumps(cut)) <= MOST_BYTES and cut["left_out"]
    assert len(cut["data"]["rows"]) + cut["data"]["rows_left_out"] == 64
    assert cut_to_size({"text": "short", "data": {}}) == {"text": "short", "data": {}}
    assert cut_to_size({"text": "", "data": {"one": "z" * 50_000}})["data"] == {}


def said_of_it(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply without what was asked, which it repeats."""
    if reply["asked"] != "search":
        return reply
    return {"generation": reply["generation"], "groups": reply["data"]["groups"], "meant": reply["data"]["meant"]}


def test_nothing_leaves_by_tools_that_may_not(mixed_home: Path) -> None:
    facts = bh.open(mixed_home)
    calls = [("table", {"table": name}) for name in PUBLISHED]
    calls += [("search", {"q": word}) for word in ("birch", "cedar", "dogwood")]
    calls += [("benchmark", {"benchmark": one}) for one in facts.benchmarks(curated=False)["benchmark_id"]]
    replies = [json.dumps(said_of_it(reply)) for reply in asked(facts, *calls)]
    assert len(replies) > 80
    assert [leak for text in replies for kind in ("alike", "shut", "import") for leak in told_of(kind, text)] == []


def over_http(facts: bh.Facts, host: str, origin: str | None = None, path: str = server.PATH) -> int:
    """The status that a POST of a first message is answered with."""
    app: Starlette = server.application(facts, Hosts.of(None, "127.0.0.1"))
    first = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    sent: list[Message] = []

    async def post() -> None:
        body = [{"type": "http.request", "body": json.dumps(first).encode(), "more_body": False}]

        async def receive() -> Message:
            return body.pop() if body else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        headers = {"host": host, "content-type": "application/json", "accept": "application/json, text/event-stream"}
        headers |= {"mcp-protocol-version": "2025-06-18"} | ({"origin": origin} if origin else {})
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        async with app.router.lifespan_context(app):
            await app(scope, receive, send)

    asgi_client.finished(post())
    return int(sent[0]["status"])


def test_over_http_it_stands_behind_the_guard(facts: bh.Facts) -> None:
    assert over_http(facts, "127.0.0.1:8718") == 200
    assert over_http(facts, "rebound.example") == 421
    assert over_http(facts, "127.0.0.1:8718", origin="https://elsewhere.example") == 403
    assert over_http(facts, "127.0.0.1:8718", origin="http://127.0.0.1:8718") == 200
    assert over_http(facts, "127.0.0.1:8718", path="/etc/passwd") == 404
