"""Who still reports a benchmark: by hand, and whatever the mentions are."""

from dataclasses import replace
from datetime import date, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.attention import MAKERS_MENTIONING, SINCE_MENTION, attention
from tests.analytics.saturation.test_headroom import AS_OF
from tests.support.frames import evidence_of, frames, result
from tests.support.reason_sentences import with_sentence
from tests.support.verdicts import judged


def mention(benchmark_id: str, organisation: str, on: date, document: str = "") -> dict[str, object]:
    return {
        "benchmark_id": benchmark_id,
        "document": document or f"{organisation}-{on}",
        "document_kind": "model_card",
        "organisation": organisation,
        "model": "Alder 6",
        "mentioned_on": on,
        "url": "https://example.org/card",
        "source_id": "model-cards",
    }


def mentions(*rows: dict[str, object]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=PUBLISHED["mention"])


def test_a_quarter_counts_makers_and_documents_of_all_that_were_read() -> None:
    table = attention(
        mentions(
            mention("a", "Alder", date(2026, 1, 5)),
            mention("a", "Alder", date(2026, 2, 5)),
            mention("a", "Birch", date(2026, 3, 31)),
            mention("b", "Cedar", date(2026, 3, 1)),
            mention("a", "Cedar", date(2026, 4, 1)),
        )
    )
    assert table.schema == PUBLISHED["attention"]
    first, second, other = table.to_dicts()
    assert first == {
        "benchmark_id": "a",
        "quarter": date(2026, 1, 1),
        "makers": 2,
        "documents": 3,
        "of_makers": 3,
        "of_documents": 4,
        "named": ["Alder", "Birch"],
        "last_mention_on": date(2026, 4, 1),
    }
    assert (second["quarter"], second["named"], second["of_makers"]) == (date(2026, 4, 1), ["Cedar"], 1)
    assert (other["benchmark_id"], other["makers"], other["last_mention_on"]) == ("b", 1, date(2026, 3, 1))


def test_the_indicators_say_who_and_when_and_that_silence_is_weak_evidence() -> None:
    evidence = evidence_of(frames([result("a", "m", 0.5), result("b", "m", 0.5)]), AS_OF)
    mentions_made = mentions(
        mention("a", "Alder", AS_OF - timedelta(days=30)),
        mention("a", "Birch", AS_OF - timedelta(days=364)),
        mention("a", "Cedar", AS_OF - timedelta(days=365)),
        mention("a", "Dogwood", AS_OF + timedelta(days=1)),
    )
    counted = with_sentence(MAKERS_MENTIONING.compute(replace(evidence, mention=mentions_made))).sort("benchmark_id")
    assert counted["value"].to_list() == [2, 0]
    assert counted["n"].to_list() == [2, 2]
    assert counted["reason"].to_list()[0] == "Alder, Birch"
    assert "weak evidence" in counted["reason"].to_list()[1]
    since = with_sentence(SINCE_MENTION.compute(replace(evidence, mention=mentions_made))).sort("benchmark_id")
    assert since["value"].round(2).to_list() == [0.99, None]
    assert since["status"].to_list() == ["ok", "insufficient"]
    assert since["reason"].to_list()[0] == f"last mentioned {AS_OF - timedelta(days=30)} by Alder"


def test_without_documents_nothing_is_said() -> None:
    evidence = evidence_of(frames([result("a", "m", 0.5)]), AS_OF)
    assert MAKERS_MENTIONING.compute(evidence)["status"].to_list() == ["insufficient"]


def test_a_benchmark_that_a_maker_still_mentions_is_not_dormant() -> None:
    old, fresh = {"months_since_result": 20.0}, {"months_since_result": 5.0}
    assert judged(**old, makers_mentioning_12m=0.0)["flags"] == ["dormant"]
    assert judged(**old, makers_mentioning_12m=1.0)["flags"] == []
    assert judged(**fresh, makers_mentioning_12m=0.0)["flags"] == []


def test_where_no_document_is_known_no_mention_is_and_the_reason_says_so() -> None:
    for unknown in ({}, {"makers_mentioning_12m": None}):
        verdict = judged(months_since_result=20.0, **unknown)
        assert verdict["flags"] == ["dormant"]
        (reason,) = [one for one in verdict["reasons"] if "makers_mentioning_12m" in one]
        assert "makers_mentioning_12m is not known and counts as 0, below 1" in reason


days = st.dates(date(2024, 1, 1), date(2026, 8, 31))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["Alder", "Birch"]), days), min_size=1, max_size=12))
def test_no_quarter_mentions_more_than_was_read_and_every_document_is_counted_once(
    mentioned: list[tuple[str, str, date]],
) -> None:
    rows = {
        (benchmark, organisation, on): mention(benchmark, organisation, on) for benchmark, organisation, on in mentioned
    }
    table = attention(mentions(*rows.values()))
    assert (table["makers"] <= table["of_makers"]).all()
    assert (table["documents"] <= table["of_documents"]).all()
    assert table["documents"].sum() == len(rows)
    assert (table["named"].list.len() == table["makers"]).all()
