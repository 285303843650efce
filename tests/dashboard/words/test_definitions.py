import inspect
import re
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from benchhealth import dashboard
from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.models.pair import FALSE_DISCOVERY_RATE
from benchhealth.analytics.record.tables import FLAGS, STAGES
from benchhealth.analytics.verdict.rules import STAGE_RULES
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import USED
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, STAGE_MEANING, stage_label
from benchhealth.dashboard.words.text import markdown

SOURCES = [file for file in Path(dashboard.__file__).parent.rglob("*.py") if file.name != "definitions.py"]


def test_every_indicator_has_a_unit_and_every_formula_an_indicator() -> None:
    keys = {indicator.key for indicator in INDICATORS}
    assert set(definitions.UNITS) == keys
    assert set(definitions.FORMULAS) <= keys


def test_anchors_are_unique() -> None:
    anchors = [method.anchor for method in definitions.METHODS] + [indicator.key for indicator in INDICATORS]
    assert len(set(anchors)) == len(anchors)


def test_every_method_that_a_chart_points_to_is_on_the_page() -> None:
    named = {method for file in SOURCES for method in re.findall(r'method="([\w-]+)"', file.read_text())}
    named |= {method for file in SOURCES for method in re.findall(r"address\('methods'\)\}#([\w-]+)", file.read_text())}
    assert named
    assert named <= definitions.ANCHORS


def test_every_limit_is_listed_with_its_reason() -> None:
    listed = definitions.thresholds()
    assert listed["threshold"].to_list() == [field.name for field in fields(Thresholds)]
    assert listed["reason"].null_count() == 0
    assert listed["reason"].str.len_chars().min() > 20


def test_docstrings_below_fields_are_found_and_missing_ones_are_absent() -> None:
    @dataclass
    class Documented:
        first: int = 1
        """Why it is
        one."""
        second: int = 2

    assert definitions.attribute_docs(Documented) == {"first": "Why it is one."}


def test_a_constant_of_the_code_is_shown_as_its_number() -> None:
    (method,) = (method for method in definitions.METHODS if method.anchor == "told_apart")
    assert f"at most {FALSE_DISCOVERY_RATE}" in definitions.method_text(method).replace("\\", "")


@pytest.mark.parametrize("method", definitions.METHODS, ids=lambda method: method.anchor)
def test_every_method_says_what_it_does(method: definitions.Method) -> None:
    text = definitions.method_text(method)
    assert len(text) > 60
    assert "Raises" not in text
    assert "_SCHEMA" not in text
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text.replace("\\", "")))
    assert named <= {"RBO_EXT"}, "a reader cannot look up what a constant of the code holds"
    held = inspect.unwrap(method.function).__globals__
    constants = {word for word in re.findall(r"\b[A-Z]{3,}\b", text) if word in held}
    names_of_code = re.findall(r"`(?:\w+\.[\w.]+|[A-Z]\w+)`", text)
    assert not constants and not names_of_code, "nor what a module or a class does"


def test_every_stage_and_flag_is_listed_with_its_conditions() -> None:
    stages, flags = definitions.stages_text(), definitions.flags_text()
    for stage in STAGES:
        assert f"**{stage_label(stage)}** ({stage}): {STAGE_MEANING[stage]}. It applies where" in stages
    for flag in FLAGS:
        assert f"{FLAG_WORDS[flag]}** ({markdown(flag)}): {FLAG_MEANING[flag]}. It applies where" in flags
    assert stages.count("\n    - ") == sum(len(cases) for _, cases in STAGE_RULES)


def test_the_text_of_the_rules_names_every_number_of_them_and_leads_to_every_indicator() -> None:
    text = definitions.stages_text() + definitions.flags_text()
    shown = re.sub(r"\]\(.*?\)", "]", text)
    for field in fields(Thresholds):
        number = f"{getattr(Thresholds(), field.name):g}".replace("-", "\u2212")
        assert re.search(rf" {number}(?![\d.]\d)", shown), field.name
    assert set(re.findall(r"methods#(\w+)", text)) <= definitions.ANCHORS
    for key in set(USED) - {"headroom_of_ceiling"}:
        assert f"](methods#{key})" in text
    assert "`" not in text


def test_papers_in_references_are_links() -> None:
    text = definitions.markdown_link("Recht et al. 2019, arXiv:1902.10811; Wilson 1927, doi:10.2307/2276774, or *so*")
    assert "(<https://arxiv.org/abs/1902.10811>)" in text
    assert "(<https://doi.org/10.2307/2276774>)" in text
    assert "\\*so\\*" in text
