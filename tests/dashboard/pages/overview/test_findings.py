"""Findings worth repeating: the rule by which they are taken, and that each is what the published tables say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables.declared import Form
from benchhealth.dashboard.pages.overview.worth import Finding, clearest_findings, worth_repeating
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.field import goodhart
from tests.support.generalising import all_faults


def finding(kind: str, low: float, high: float | None, null: float = 0.0) -> Finding:
    value = low if high is None else (low + high) / 2
    return Finding(kind, f"{kind} {low}", "", value, low, high, null, Form.POINTS, ("field", {}, ""))


def test_of_each_kind_the_narrowest_that_is_clear_of_its_null() -> None:
    wide, narrow, unclear = finding("makers", 0.1, 9.0), finding("makers", -3.0, -1.0), finding("makers", -0.1, 0.1)
    share = finding("noise", 0.4, 0.6, null=0.5)
    assert clearest_findings([wide, share, narrow, unclear]) == [narrow]
    open_above = finding("aging", 46.0, None)
    assert clearest_findings([open_above, wide]) == [open_above, wide]
    assert clearest_findings([unclear, share]) == []


ENDS = st.tuples(st.floats(-50, 50), st.floats(0, 20))


@given(st.lists(st.tuples(st.sampled_from(["aging", "noise", "makers"]), ENDS), max_size=8))
def test_no_kind_comes_twice_and_none_that_its_null_lies_in(drawn: list[tuple[str, tuple[float, float]]]) -> None:
    findings = clearest_findings([finding(kind, low, low + width) for kind, (low, width) in drawn])
    assert len({one.kind for one in findings}) == len(findings) <= 3
    for one in findings:
        assert not one.low <= 0 <= (one.high or 0)
        others = [low + width - low for kind, (low, width) in drawn if kind == one.kind and not low <= 0 <= low + width]
        assert one.width == min(others)


@pytest.fixture
def bundled_view(bundled_home: Path) -> generation.View:
    generation.use(bundled_home)
    return generation.current()


def test_those_of_the_bundled_facts_are_rows_of_published_tables(bundled_view: generation.View) -> None:
    repeated = {one.kind: one for one in worth_repeating(bundled_view)}
    assert 1 <= len(repeated) <= 3 and list(repeated) == [
        kind for kind in ("aging", "noise", "makers") if kind in repeated
    ]
    assert {one.to[0] for one in repeated.values()} == {"field"}, "of one benchmark its own page has the answer"
    overall = goodhart.row(bundled_view, "self_report_premium")
    assert overall is not None
    assert ("makers" in repeated) is not (overall["low"] <= 0 <= overall["high"])
    assert all_faults([f"{one.title}: {one.line}" for one in repeated.values()]) == []
