"""The document of OpenAPI: valid, true of what is answered, and enough to make a client of."""

import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from starlette.applications import Starlette

from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving import charts, downloads, replies
from benchhealth.dashboard.serving.catalogue import addresses
from benchhealth.dashboard.serving.described.openapi import document
from benchhealth.dashboard.serving.described.parameters import UNDESCRIBED, of_chart, of_reply
from tests.dashboard.serving.test_charts import LACKING, SMALL
from tests.support import asgi_client

CHARTS = tuple(spec for page in PAGES for spec in page.charts)
SERVER = "http://localhost:8501"
DRAWN = {**LACKING, **SMALL}
"""What each chart is asked with, as far as the small generation has it."""

THINGS: Mapping[str, str] = {"benchmark": "exam", "model": "model-3", "first": "60", "second": "66"}
get = partial(asgi_client.get, Starlette(routes=[*charts.routes(CHARTS), *replies.routes()]), Host="localhost")


@pytest.fixture(autouse=True)
def home(small_home: Path) -> Path:
    generation.use(small_home)
    downloads.use(small_home)
    return small_home


@cache
def described(*, complete: bool = True) -> dict[str, Any]:
    """The document, as programs read it; not whole: with the charts alone that have parameters of their own."""
    some = [spec for spec in CHARTS if spec.name in ("map", "curve", "two-scores", "turnover", "evidence")]
    read: dict[str, Any] = json.loads(json.dumps(document(addresses(CHARTS if complete else tuple(some)), SERVER)))
    return read


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [(path, one) for path, methods in described()["paths"].items() for one in methods.values()]


def test_the_document_is_valid() -> None:
    validate(described(complete=False))


@pytest.mark.soak
def test_the_whole_document_is_valid() -> None:
    validate(described())


def test_every_operation_has_a_name_of_its_own_errors_and_what_it_answers() -> None:
    names = [one["operationId"] for _, one in operations()]
    assert len(names) == len(set(names)) > 300
    for path, one in operations():
        assert {"200", "400", "401", "421", "503"} <= set(one["responses"]), path
        assert all("schema" in content for content in one["responses"]["200"]["content"].values()), path
        in_path = {part["name"] for part in one.get("parameters", ()) if part["in"] == "path"}
        assert in_path == {piece.split("}")[0] for piece in path.split("{")[1:]}


def test_every_parameter_says_what_may_stand_in_it_and_its_example_does() -> None:
    enumerated = required = 0
    for path, one in operations():
        for part in one.get("parameters", ()):
            assert part["description"] and part["schema"]["type"], (path, part)
            if "example" in part:
                Draft202012Validator(part["schema"]).validate(part["example"])
            enumerated += "enum" in part["schema"]
            required += part["required"] and part["in"] == "query"
    assert enumerated > 30 and required > 100


def test_every_example_is_of_its_form() -> None:
    schemas = described()["components"]["schemas"]
    shown = 0
    for _, one in operations():
        for content in one["responses"]["200"]["content"].values():
            if "example" in content:
                Draft202012Validator(schemas[content["schema"]["$ref"].rsplit("/", 1)[1]]).validate(content["example"])
                shown += 1
    assert shown > len(REPLIES)


@pytest.mark.parametrize("spec", CHARTS, ids=lambda spec: spec.name)
def test_a_chart_is_answered_as_its_parameters_are_described(spec: ChartSpec) -> None:
    """Without one that must be there: 400. With each value of a closed list: no 400; with another: 400, or nothing."""
    answer_schema, given = of_chart(spec), DRAWN.get(spec.name, {})
    assert UNDESCRIBED not in answer_schema.values()
    needed = {name for name, one in answer_schema.items() if one.required}
    assert needed <= set(given) or spec.name == "model-tests", "a test asks with what must be there"
    address = f"/chart/{spec.name}.json"
    for name in needed & set(given):
        answer = get(address, {key: value for key, value in given.items() if key != name})
        assert (answer.status, name in answer.body) == (400, True), (name, answer.body[:200])
    if needed:
        assert get(address, {name: given[name] for name in needed & set(given)}).status in (200, 400, 404)
    elif spec.name != "two-scores":
        assert "is missing" not in get(address).body
    for name, one in answer_schema.items():
        for value in one.schema.get("enum", ()):
            answer = get(address, {**given, name: str(value)})
            assert answer.status != 400 or f"{name} is one of" not in answer.body, (name, value, answer.body[:200])
        if len(one.schema.get("enum", ())) > 1 and spec.name != "lives":
            assert get(address, {**given, name: "none of these"}).status in (400, 404), name


@pytest.mark.parametrize("asked", REPLIES.values(), ids=lambda asked: asked.name)
def test_a_reply_is_answered_as_its_parameters_are_described(asked: Any) -> None:  # noqa: ANN401
    answer_schema, address = of_reply(asked), f"/reply/{asked.name}.json"
    assert {name for name, one in answer_schema.items() if one.required} == set(asked.required)
    given = {
        name: THINGS.get(name) or {"question": "order", "a": "model-3", "b": "model-30", "q": "exam"}[name]
        for name in asked.required or ("benchmark",)
    }
    answer = get(address, given)
    assert answer.status == 200, answer.body
    Draft202012Validator(described()["components"]["schemas"]["Reply"]).validate(json.loads(answer.body))
    for name in asked.required:
        missing = get(address, {key: value for key, value in given.items() if key != name})
        assert (missing.status, missing.body.strip()) == (400, f"the parameter {name} is missing")
    for name, one in answer_schema.items():
        for value in one.schema.get("enum", ()) if name == "question" else ():
            assert get(address, {**given, name: value}).status == 200
