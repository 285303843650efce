"""LMArena's boards by several hands: which files are refused, and what the real ones say of one another."""

import json
from datetime import date
from statistics import median

import polars as pl
import pytest

from benchhealth.ingest.rows import PayloadError
from benchhealth.ingest.sources import lmarena_agent, lmarena_early
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import payload, resolved
from tests.ingest.sources.test_versions import real, versions

AGENT = "data/2026-07-10/agent.json"
EARLY = "lmarena_text_leaderboard.csv"
TEXT, STYLE = "data/leaderboard-text.json", "data/leaderboard-text-style-control.json"


@pytest.mark.parametrize(
    ("old", "new", "path", "why"),
    [
        (b'"signals"', b'"score_without_sign"', AGENT, "the scores have lost their signs"),
        (b'"model_count": 3', b'"model_count": 4', AGENT, "3 models where 4 are announced"),
        (b'"leaderboard": "agent"', b'"leaderboard": "text"', AGENT, "the leaderboard is 'text'"),
        (b"", b"", "data/2026-07-10/text.json", "the leaderboard is 'agent', not 'text'"),
        (b'"models": [', b'"models": [7, ', AGENT, "4 models where 3 are announced"),
    ],
)
def test_a_scrape_that_went_wrong_is_refused_as_a_whole(old: bytes, new: bytes, path: str, why: str) -> None:
    with pytest.raises(PayloadError, match=why):
        lmarena_agent.parse(payload("lmarena-agent", "agent.json").replace(old, new), path)


def test_a_name_with_its_maker_and_licence_glued_to_it_is_no_name() -> None:
    glued = payload("lmarena-early", "behind.csv").replace(b"birch-7b", "birch-7b Birch · MIT".encode())
    with pytest.raises(PayloadError, match="glued to the names"):
        lmarena_early.parse(glued, EARLY)


def of_day(key: str, ending: str, day: date) -> Resolved:
    (version,) = (each for each in versions(key) if each.path.endswith(ending) and each.committed_on == day)
    return resolved(key, version.path, version.body(), version.committed_on)


def ratings(facts: Resolved, benchmark: str) -> dict[str, float]:
    rows = facts.results.filter(pl.col("benchmark_id") == benchmark)
    return dict(rows.select("published_name", "score").iter_rows())


def distance(one: dict[str, float], other: dict[str, float]) -> float:
    both = one.keys() & other.keys()
    assert len(both) > 250
    return median(one[name] - other[name] for name in both)


@real
def test_the_crawl_of_early_2026_is_the_style_controlled_board_and_not_the_raw_one() -> None:
    style, raw = "lmarena-text-style-control", "lmarena-text-bt"
    first = ratings(of_day("lmarena-early", EARLY, date(2026, 2, 3)), style)
    last = ratings(of_day("lmarena-early", EARLY, date(2026, 3, 29)), style)
    assert abs(distance(first, ratings(of_day("lmarena-tables", STYLE, date(2025, 12, 17)), style))) < 1
    assert distance(first, ratings(of_day("lmarena-tables", TEXT, date(2025, 12, 11)), raw)) > 30
    daily = (of_day("lmarena-daily", f"/{name}.json", date(2026, 6, 30)) for name in ("text_style_control", "text"))
    assert abs(distance(ratings(next(daily), style), last)) < 1
    assert distance(ratings(next(daily), raw), last) < -30


@real
def test_categories_that_have_one_alias_are_one_category() -> None:
    """The file's own keys and the site's words: the ratings of both agree, those of other categories do not."""
    words = {"hard-6": "hard-prompts", "if": "instruction-following", "long-user": "longer-query"}
    words |= {"hard-english-6": "hard-prompts-english", "multiturn": "multi-turn", "no-tie": "exclude-ties"}
    own_facts = of_day("lmarena-tables", TEXT, date(2025, 12, 11))
    site = of_day("lmarena-daily", "/text.json", date(2026, 6, 30))

    def spread(key: str, word: str) -> float:
        one, other = ratings(own_facts, f"lmarena-text-bt/{key}"), ratings(site, f"lmarena-text-bt/{word}")
        moves = pl.Series([other[name] - one[name] for name in one.keys() & other.keys()])
        return float(moves.std())  # type: ignore[arg-type]

    for key, word in words.items():
        assert spread(key, word) < 3, key
        assert min(spread(key, other) for other in words.values() if other != word) > 8, key


@real
def test_scrapes_of_the_agent_arena_without_signals_are_refused_as_they_lost_the_sign() -> None:
    """What was 16 on 2026-07-05 is -15.3 on 2026-07-20; sizes agree, signs do not."""
    refused, rating_of = {}, {}
    for version in versions("lmarena-agent"):
        try:
            facts = resolved("lmarena-agent", version.path, version.body(), version.committed_on)
        except PayloadError:
            refused[version.committed_on] = json.loads(version.body())["models"]
        else:
            rating_of[version.committed_on] = ratings(facts, "arena-agent")
    assert len(refused) == 9
    before = {entry["model"]: entry["score"] for entry in refused[date(2026, 7, 5)]}
    after = rating_of[date(2026, 7, 20)]
    both = [(before[name], after[name]) for name in before.keys() & after.keys()]
    assert len(both) == 26
    assert all(abs(old - abs(new)) < 6.5 for old, new in both)
    assert sum(new < -2 < old for old, new in both) == 10


@real
def test_one_scrape_of_the_early_board_is_refused() -> None:
    refused = []
    for version in versions("lmarena-early"):
        try:
            facts = resolved("lmarena-early", version.path, version.body(), version.committed_on)
            assert facts.rejections["reason"].str.starts_with("excluded: says nothing that is not already").all()
            assert facts.results.height >= 299
        except PayloadError:
            refused.append(version.committed_on)
    assert refused == [date(2026, 2, 10)]
