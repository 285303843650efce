"""Records of Every Eval Ever: what is upgraded validates, what is validated says the same as before."""

import json
from typing import Any

import jsonschema
import pytest

from benchhealth.ingest.formats.eee import parse_record, read_record, upgrade
from benchhealth.ingest.rows import PayloadError
from tests.ingest.sources.payload_rows import PAYLOADS, SHARED
from tests.ingest.sources.test_versions import real, versions

SCHEMA = SHARED / "reference" / "every_eval_ever_0.3" / "eval.schema.json"
with_schema = pytest.mark.skipif(not SCHEMA.exists(), reason="the schema is not here")


def validate(record: dict[str, Any]) -> None:
    jsonschema.validate(record, json.loads(SCHEMA.read_text()))


def payload(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((PAYLOADS / "eee" / name).read_text())
    return record


def read(record: dict[str, Any]) -> list[tuple[str, str]]:
    parsed = parse_record(read_record(json.dumps(record).encode()), lambda evaluation: evaluation.name)
    return [(row.benchmark, row.score) for row in parsed.rows if not row.reject]


@with_schema
def test_a_record_of_0_2_validates_as_0_3_once_it_is_upgraded() -> None:
    record = payload("v02.json")
    # The schema wants a score and a standard error of its own shape: these are the reader's business.
    record["evaluation_results"] = [record["evaluation_results"][place] for place in (0, 2, 3)]
    with pytest.raises(jsonschema.ValidationError):
        validate(record)
    validate(upgrade(record))


@with_schema
@real
def test_every_real_sample_but_the_one_of_no_known_version_validates_once_it_is_upgraded() -> None:
    records = [json.loads(version.body()) for version in versions("eee")]
    supported = [record for record in records if record["schema_version"] == "0.2.0"]
    assert (len(supported), len(records)) == (8, 9)
    for record in supported:
        with pytest.raises(jsonschema.ValidationError):
            validate(record)
        validate(upgrade(record))
        assert read(record) == read(upgrade(record))


def test_upgrading_twice_changes_nothing_more() -> None:
    for name in ("v02.json", "v03.json"):
        once = upgrade(payload(name))
        assert upgrade(once) == once


def test_a_later_version_is_accounted_for_and_not_read() -> None:
    record = payload("v03.json") | {"schema_version": "0.4.0"}
    parsed = parse_record(read_record(json.dumps(record).encode()), lambda evaluation: evaluation.name)
    assert len(parsed.rows) == len(record["evaluation_results"])
    assert {row.reject for row in parsed.rows} == {"schema version '0.4.0': only 0.2 and 0.3 are known"}
    assert parsed.models == []


@pytest.mark.parametrize("lost", ["schema_version", "model_info", "evaluation_results"])
def test_what_is_no_record_is_refused(lost: str) -> None:
    record = payload("v03.json")
    del record[lost]
    with pytest.raises(PayloadError, match=f"no {lost}"):
        read_record(json.dumps(record).encode())


@pytest.mark.parametrize("part", [{"model_info": "x"}, {"evaluation_results": []}, {"source_metadata": None}])
def test_a_record_of_the_wrong_shape_is_refused(part: dict[str, object]) -> None:
    with pytest.raises(PayloadError, match="not an Every Eval Ever record"):
        read_record(json.dumps(payload("v03.json") | part).encode())


def test_a_number_of_the_error_alone_is_read_too() -> None:
    parsed = parse_record(read_record((PAYLOADS / "eee" / "v02.json").read_bytes()), lambda evaluation: evaluation.name)
    assert [row.std_error for row in parsed.rows][:2] == ["", "0.01"]
