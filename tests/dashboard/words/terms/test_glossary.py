"""The glossary: each term is found first, has one home, and names what tables and charts are headed by."""

import re
from pathlib import Path

import pytest

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.pages.methods.topics import TITLES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.finding.search import search
from benchhealth.dashboard.words.stages import FLAG_WORDS, STAGE_WORDS
from benchhealth.dashboard.words.terms.glossary import EVERYDAY, TERMS, as_dict, as_markdown

ASKED = (
    *("headroom", "twin", "saturated", "condition", "tau", "probit", "gini", "uncurated", "generation", "edition"),
    *("frontier", "tied", "resolved", "premium", "dormant", "stale", "known until", "ceiling", "chance", "churn"),
)
"""What readers looked for, and did not find, before there was a glossary."""


def test_each_name_and_other_word_is_of_one_term_and_the_terms_are_in_order() -> None:
    names = [name.lower() for term in TERMS for name in (term.name, *term.also)]
    assert len(names) == len(set(names))
    assert [term.name for term in TERMS] == sorted((term.name for term in TERMS), key=str.lower)
    assert {term.topic for term in TERMS} - {""} <= set(TITLES)
    assert len({term.anchor for term in TERMS}) == len(TERMS) == len({term.name.lower() for term in TERMS})
    assert {name.lower() for one in as_dict() for name in one["marked"]} == set(names) - EVERYDAY
    assert set(names) >= EVERYDAY


@pytest.mark.parametrize("asked", [*ASKED, *sorted({name for term in TERMS for name in (term.name, *term.also)})])
def test_the_search_finds_a_term_first(small_home: Path, asked: str) -> None:
    generation.use(small_home)
    first, *_ = search(generation.current(), asked)
    assert first.kind == "term"
    name, detail, address = first.rows[0]
    assert asked.lower() in f"{name} {detail}".lower()
    assert re.fullmatch(r"methods\?topic=glossary#[a-z0-9-]+", address)
    assert any(f"### {term.name}" in as_markdown() for term in TERMS if term.address == address)


def test_a_benchmark_goes_before_a_term_that_is_no_match(small_home: Path) -> None:
    generation.use(small_home)
    assert next(iter(search(generation.current(), "exam"))).kind == "benchmark"


SPECIAL = re.compile(
    r"\b(ability|capability|ceiling|chance|churn|condition|contamination|curated|dormant|family|flags?|frontier|gap|gini"
    r"|half-life|hazard|headroom|human (?:line|baseline)|indicator|item|leaderboard|lineage|maker|metric|noise|probit"
    r"|proxy|resolution|robustness|saturat\w+|self-reported|setting|snapshot|stage|stale|tau|tied|tiers?|turnover|twin"
    r"|uncurated|verdict|tie)\b",
    re.IGNORECASE,
)
"""Words of heads of columns, titles of indicators, stages and flags that are not everyday English."""


def test_what_a_head_of_a_column_or_a_flag_says_in_words_of_its_own_is_in_the_glossary() -> None:
    columns = [column for table in TABLES.values() for column in table.columns]
    heads = [*(column.title for column in columns), *(one.title for one in INDICATORS)]
    heads += [*STAGE_WORDS.values(), *FLAG_WORDS.values()]
    special = {word.lower() for head in heads for word in SPECIAL.findall(head)}
    terms = " ".join(f"{term.name} {' '.join(term.also)}" for term in TERMS).lower()
    assert len(special) > 25
    assert sorted(word for word in special if word.rstrip("s")[:6] not in terms) == []
    assert all(column.meaning for column in columns)
    assert all(one.definition for one in INDICATORS)
