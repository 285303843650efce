"""Every sentence of every page, verdict and printed report over the bundled facts, held against the rule."""

import importlib
from pathlib import Path

import polars as pl
import pytest

from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.published.deciding.question import Question
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.tree import INFERENCES, Part, Picture, Section
from benchhealth.dashboard.serving.printed.reports import decision_of
from benchhealth.dashboard.words.stories.story_list import STORIES
from benchhealth.warehouse.read import Generation
from tests.support.generalising import NEVER, POPULATION, all_faults, kinds, sentences
from tests.support.page_paragraphs import paragraphs_of_choices

ASKED = {
    "overview": ({}, {"at": "2019-06"}),
    "benchmark": (
        {"benchmark": "gsm8k"},
        {"benchmark": "lmarena-text"},
        {"benchmark": "mmlu-pro", "tab": "Items"},
    ),
    "models": ({}, {"model": "o3-2025-04-16"}, {"model": "o3-2025-04-16", "other": "o1-2024-12-17"}),
    "numbers": ({}, {"benchmark": "gpqa-diamond", "model": "gpt-4o-2024-08-06"}),
    "search": ({"q": "claude"},),
    "decide": ({}, {"domain": "agents"}, {"for": "teach", "domain": "vision", "makers": "1", "since": "any"}),
    "story": ({}, *({"story": key} for key in STORIES)),
    "trust": (
        {"benchmark": "gsm8k", "more": "ladder"},
        {"twin": "imagenet-to-v2", "more": "closer"},
        {"twin": "gsm8k-to-gsm1k", "scale": "probit"},
        *({"more": part} for part in trust.MORE),
    ),
    "field": (
        {},
        {"chart": "lives", "by": "released"},
        {"chart": "advances", "by": "benchmark"},
        {"chart": "pressure", "gap": "self-reports"},
        {"chart": "reports", "reports": "organisation"},
        *({"chart": chart} for options in field.OF_PART.values() for chart in options),
    ),
}
"""Addresses at which a page says what it does not say as it opens."""

PRINTED = ("gsm8k", "imagenet", "lmarena-text", "mmlu", "swe-bench-verified")
NAMES = [page.url_path for page in PAGES if page.url_path != "methods"]
"""The Methods page is definitions: nothing on it is computed, and it names what is never said."""


def _module(name: str) -> str:
    return f"benchhealth.dashboard.pages.{name or 'overview'}.page"


@pytest.mark.parametrize("name", NAMES)
def test_no_page_generalises_without_saying_over_what_and_until_when(name: str, bundled_home: Path) -> None:
    page = importlib.import_module(_module(name))
    for query in ASKED.get(name, ({},)):
        texts = paragraphs_of_choices(page, bundled_home, limit=0, **query)
        assert texts
        assert all_faults(texts) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_no_choice_on_a_page_does(name: str, bundled_home: Path) -> None:
    page = importlib.import_module(_module(name))
    for query in ASKED.get(name, ({},)):
        assert all_faults(paragraphs_of_choices(page, bundled_home, limit=8, **query)) == []


def test_no_reason_does(bundled: Generation) -> None:
    """Reasons stand in rows that have until when their benchmark is known; the number must be in the sentence."""
    rows = bundled.table("verdict")["reasons"].explode().drop_nulls()
    more = bundled.table("indicator").filter(pl.col("status") == "ok")["reason"].drop_nulls()
    gap = bundled.table("twin_gap")
    gaps = pl.concat([gap["sentence"], gap["power_sentence"].rename("sentence")]).rename("reasons")
    wrong = {f"{what}: {text}" for what, pattern in NEVER.items() for text in more if pattern.search(text)}
    for text in pl.concat([rows, gaps]).drop_nulls().unique():
        wrong |= {f"{what}: {text}" for what, pattern in NEVER.items() if pattern.search(text)}
        wrong |= {one for one in sentences(text) if kinds(one) and not POPULATION.search(one)}
    assert sorted(wrong) == []


def test_no_printed_report_does(bundled: Generation) -> None:
    asked = (Question("publish", "code"), Question("fund", "vision", independent=False, budget=100))
    decided = [decision_of(View(bundled), one, "") for one in asked]
    reports = (on_benchmarks(View(bundled), PRINTED), on_field(View(bundled), "code"), *decided)
    texts = [text for report in reports for part in report.parts for text in _texts(part)]
    assert texts
    assert all_faults(texts) == []


def _texts(part: Part) -> list[str]:
    """What a part says, a block at a time: a date in its paragraph, or in the line below the title, is its date."""
    blocks = []
    for block in (*part.front, *part.back):
        if isinstance(block, str):
            blocks.append(block)
        elif isinstance(block, Section):
            paragraphs = [text for text in block.paragraphs if text != INFERENCES]
            blocks.append(" ".join((*paragraphs, *block.points, block.note)))
        elif isinstance(block, Picture):
            blocks.append(f"{block.title}; {block.subtitle} {block.source}")
    return [f"{text} ({part.line})" for text in blocks]
