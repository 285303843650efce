"""Boards of 2026 with their later versions, where they are at hand: what is corrected in place keeps its address."""

import json
from datetime import date

import polars as pl
import pytest

from tests.ingest.sources.payload_rows import payload, resolved
from tests.ingest.sources.test_versions import newest, of, real, versions


def test_a_row_of_mmmu_that_is_relabelled_and_dated_anew_keeps_its_address_wherever_it_stands() -> None:
    board = json.loads(payload("mmmu", "board.json"))
    entries = board["leaderboardData"]
    (corrected,) = (entry for entry in entries if entry["info"]["name"] == "Alder 6 w/ Thinking")
    before = resolved("mmmu", "leaderboard_data.json", json.dumps(board).encode()).results
    entries.insert(0, {"info": {"name": "Gum", "date": "2026-07-01", "type": "proprietary"}, "pro": {"overall": "60"}})
    corrected["info"]["date"], corrected["validation"]["source"] = "2025-02-05", "author"
    after = resolved("mmmu", "leaderboard_data.json", json.dumps(board).encode()).results
    (row,) = (
        before.join(after, on="source_row", suffix="_now")
        .filter(pl.col("reporter") != pl.col("reporter_now"))
        .to_dicts()
    )
    assert (row["reporter"], row["reporter_now"]) == ("third_party", "self")
    assert (row["dated_on"], row["dated_on_now"]) == (date(2026, 2, 5), date(2025, 2, 5))
    assert after.height == before.height + 1


@real
def test_every_version_of_mmmu_is_read_but_for_two_misplaced_cells() -> None:
    read = [resolved("mmmu", version.path, version.body(), version.committed_on) for version in versions("mmmu")]
    assert len(read) == 44
    assert max(facts.rejections.height for facts in read) == 3
    reasons = {row["reason"].split(":")[0] for facts in read for row in facts.rejections.iter_rows(named=True)}
    assert {reason.split(" of ")[0] for reason in reasons} == {"a column that validation does not have", "duplicate"}


@real
def test_mmmu_holds_its_human_lines_and_what_tools_are_worth() -> None:
    facts = newest("mmmu", "leaderboard_data.json")
    people = of(facts, "mmmu").filter(pl.col("kind") == "human")
    assert sorted(people["score_published"]) == [76.2, 82.6, 88.6]
    opus = of(facts, "mmmu-pro").filter(pl.col("model_id") == "claude-opus-4-6")
    assert dict(opus.select("setting", "score_published").iter_rows()) == {"no tools": 73.9, "tools": 77.3}


def test_a_date_of_mmmu_is_that_of_a_publication_and_no_release() -> None:
    results = resolved("mmmu", "leaderboard_data.json", payload("mmmu", "board.json")).results
    dated = results.filter(pl.col("dated_on").is_not_null())
    assert set(dated["benchmark_id"].str.split("/").list.first()) == {"mmmu", "mmmu-pro"}
    assert set(dated["date_basis"]) == {"paper"}


@real
def test_swe_bench_live_counts_each_total_apart() -> None:
    facts = newest("swe-bench-live", "reports-0605.jsonl")
    assert (facts.results.height, facts.rejections.height) == (150, 0)
    java = facts.results.filter(pl.col("benchmark_id").str.contains("/java-"))
    sizes = dict(java.group_by("benchmark_id").agg(pl.col("n_items").unique()).iter_rows())
    assert sizes == {f"swe-bench-live-multilang/java-{n}": [n] for n in (39, 62, 102, 109)}
    listed = of(facts, "swe-bench-live-full").filter(setting="scaffold=OpenHands")
    assert abs(listed["score"].item() * 1319 - 254) < 0.001


@pytest.mark.soak
@real
def test_every_version_of_the_model_cards_is_read() -> None:
    read = {
        version.path: [
            resolved("model-cards", v.path, v.body(), v.committed_on)
            for v in versions("model-cards")
            if v.path == version.path
        ]
        for version in versions("model-cards")
    }
    mentions, scores = read["data/model_cards.yml"], read["data/benchmark_scores.yml"]
    assert (len(mentions), len(scores)) == (7, 3)
    assert [facts.rows_in for facts in mentions] == sorted(facts.rows_in for facts in mentions)
    newest_mentions = mentions[-1]
    assert (newest_mentions.mentions.height, newest_mentions.rejections.height) == (399, 0)
    diamond = newest_mentions.mentions.filter(benchmark_id="gpqa-diamond")
    assert (diamond.height, diamond["mentioned_on"].max()) == (26, date(2026, 8, 5))
    # What was misread is not said any more: the card of Claude 4 mentions MMMLU.
    card = pl.col("document") == "anthropic_claude_4_system_card"
    assert "mmlu" in mentions[0].mentions.filter(card)["benchmark_id"]
    assert "mmlu" not in newest_mentions.mentions.filter(card)["benchmark_id"]
    assert {reason.split(":")[0] for reason in scores[-1].rejections["reason"]} == {"excluded"}


@real
def test_scores_of_makers_are_filed_under_the_edition_that_they_are_of() -> None:
    facts = newest("model-cards", "data/benchmark_scores.yml")
    assert of(facts, "terminal-bench-2").height == 8
    assert of(facts, "terminal-bench-2.1").height == 4
    assert of(facts, "tau2-bench/retail")["score_published"].to_list() == [90.8]
    assert of(facts, "vending-bench-2")["score_published"].to_list() == [4432.12, 5634.41]
