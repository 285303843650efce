"""Every sentence of every page, verdict and printed report over the bundled facts, held against the rule."""

import importlib
from pathlib import Path

import polars as pl
import pytest

from dashboard.pages import PAGES
from dashboard.published.generation import View
from pipeline.report.content import compose
from pipeline.report.tree import Sheet
from tests.support.generalising import NEVER, POPULATION, all_faults, kinds, sentences
from tests.support.walked import walked
from warehouse.read import Generation

ASKED = {
    "benchmark": ({"benchmark": "gsm8k"}, {"benchmark": "lmarena-text"}),
    "contamination": ({"benchmark": "gsm8k"},),
    "twins": ({"twin": "imagenet-to-v2"}, {"twin": "gsm8k-to-gsm1k", "scale": "probit"}),
    "models": ({}, {"model": "o3-2025-04-16"}, {"model": "o3-2025-04-16", "other": "o1-2024-12-17"}),
    "search": ({"q": "claude"},),
    "aging": ({}, {"by": "released"}),
    "goodhart": ({}, {"by": "benchmark", "gap": "self-reports", "reports": "organisation"}),
}
"""Addresses at which a page says what it does not say as it opens."""

PRINTED = ("gsm8k", "imagenet", "lmarena-text", "mmlu", "swe-bench-verified")
NAMES = [page.url_path for page in PAGES if page.url_path != "methods"]
"""The Methods page is definitions: nothing on it is computed, and it names what is never said."""


def _module(name: str) -> str:
    return f"dashboard.pages.{name or 'overview'}.page"


@pytest.mark.parametrize("name", NAMES)
def test_no_page_generalises_without_saying_over_what_and_until_when(name: str, bundled_home: Path) -> None:
    page = importlib.import_module(_module(name))
    for query in ASKED.get(name, ({},)):
        said = walked(page, bundled_home, limit=0, **query)
        assert said
        assert all_faults(said) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_no_choice_on_a_page_does(name: str, bundled_home: Path) -> None:
    page = importlib.import_module(_module(name))
    for query in ASKED.get(name, ({},)):
        assert all_faults(walked(page, bundled_home, limit=8, **query)) == []


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
    report = compose(View(bundled), PRINTED)
    assert all_faults(text for sheet in report.sheets for text in _texts(sheet)) == []


def _texts(sheet: Sheet) -> list[str]:
    sections = [text for part in sheet.sections for text in (*part.paragraphs, *part.points, part.note)]
    facts = [f"{label}: {said}" for label, said in sheet.facts]
    return [*sections, *facts, *([sheet.curve.finding] if sheet.curve else [])]
