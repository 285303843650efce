"""Every rule against its own arithmetic: the condition, its sentence and its definition say the same."""

import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.tables import FLAGS, STAGES
from benchhealth.analytics.verdict.rule import Comparison, Rule, Unknown
from benchhealth.analytics.verdict.rules import FLAG_RULES, OTHERWISE, REMARKS, RULES, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import USED, WITH_MARGIN, values
from benchhealth.dashboard.words.prose.judged.verdicts import DENIED_MEANING, MEANING, definition, measure_words
from tests.support.soaking import examples
from tests.support.verdicts import LIMITS, indicator_table, judged_all

Numbers = Mapping[str, Any]

INDICATOR = re.compile("headroom|human_margin|resolution_top5|spread_top10")

AWAY = st.sampled_from([-1.0, -0.06, -0.03, -0.02, -0.01, -1e-9, 0.0, 1e-9, 0.01, 0.02, 0.03, 0.06, 1.0])
"""How far from a threshold: at it, within every margin, on it and beyond it, on both sides."""


def near(*thresholds: float) -> st.SearchStrategy[float]:
    return st.builds(lambda limit, away: limit + away, st.sampled_from(thresholds), AWAY)


def around(*thresholds: float) -> st.SearchStrategy[float | None]:
    return st.none() | near(*thresholds)


def with_interval(*thresholds: float) -> st.SearchStrategy[tuple[float, float | None, float | None] | None]:
    return st.none() | st.tuples(near(*thresholds), around(*thresholds), around(*thresholds))


BENCHMARK = st.fixed_dictionaries(
    {
        "headroom": with_interval(0.07, 0.25, 0.5),
        "headroom_of_ceiling": with_interval(0.035, 0.07, 0.125, 0.25, 0.5),
        "human_margin": with_interval(-0.01, 0.0),
        "resolution_top5": around(0.1, 0.3),
        "spread_top10": around(1.0),
        "n_models": st.none() | st.sampled_from([3.0, 4.0, 5.0, 6.0]),
        "age_months": around(1.0, 3.0),
        "months_since_result": around(12.0, 14.0),
        "months_since_look": around(0.0, 2.0),
        "months_since_advance": around(24.0, 26.0),
        "tries_since_advance": st.none() | st.sampled_from([4.0, 5.0, 6.0]),
        "contamination_max_share": around(0.1),
        "twin_gap": with_interval(0.0),
        "twin_flagged_share": around(0.1),
        "maker_premium": with_interval(0.0),
        "turnover_excess_12m": around(1.0),
        "self_reported_share": around(0.5),
        "makers_mentioning_12m": st.none() | st.sampled_from([0.0, 1.0, 2.0]),
    }
)
MEMORY = st.fixed_dictionaries({rule.name: st.sampled_from([True, False, None]) for rule in WITH_MARGIN})


def passes(test: Comparison | Unknown, numbers: Numbers, before: bool | None) -> bool:
    """The test by plain arithmetic; what is not known passes nothing."""
    if isinstance(test, Unknown):
        return numbers[test.column] is None
    value = numbers[test.measure.column]
    if value is None:
        return False
    limit = 0.0 if test.threshold is None else getattr(LIMITS, test.threshold)
    margin = 0.0 if test.margin is None or before is None else getattr(LIMITS, test.margin)
    easier = margin if before else -margin
    return {
        "below": value < limit + easier,
        "at most": value <= limit + easier,
        "above": value > limit - easier,
        "at least": value >= limit - easier,
    }[test.side]


def holds(rule: Rule, numbers: Numbers, before: bool | None) -> bool:
    return all(passes(test, numbers, before) for test in rule.tests)


def stricter(rule: Rule) -> list[Rule]:
    return [other for other in RULES[: RULES.index(rule)] if other.about == rule.about]


def says(reasons: list[str], meaning: str) -> bool:
    """Whether a sentence has this meaning, which stands after a colon and before the note."""
    return any(f": {meaning} (" in f"{reason} (" for reason in reasons)


def counted(reasons: list[str], how: str) -> set[tuple[str, str]]:
    """Of the sentences that count a number as on a side: which number and which side."""
    pairs = [(INDICATOR.search(reason), re.search(f"{how} counted as (.*?) \\(it was", reason)) for reason in reasons]
    return {(key[0], side[1]) for key, side in pairs if key and side}


def sides(rule: Rule) -> list[str]:
    """The sides of its thresholds, such as `below 0.25`."""
    tests = [test for test in rule.tests if isinstance(test, Comparison)]
    return [f"{test.side} {getattr(LIMITS, test.threshold) if test.threshold else 0:g}" for test in tests]


def number_and_side(rule: Rule) -> tuple[str, str]:
    """The number of a rule with a margin and the side of its threshold."""
    (side,), key = sides(rule), INDICATOR.search(definition(rule, LIMITS))
    assert key is not None
    return key[0], side


@examples(15, soak=40)
@given(st.lists(st.tuples(BENCHMARK, MEMORY | st.just({})), min_size=1, max_size=25))
def test_a_verdict_says_a_rule_exactly_where_its_condition_says_so(drawn: list[tuple[Numbers, Numbers]]) -> None:
    table = indicator_table(indicators for indicators, _ in drawn)
    verdicts = judged_all(drawn)
    rows = values(table, LIMITS).rows(named=True)
    for (_, before), numbers, verdict in zip(drawn, rows, verdicts, strict=True):
        held = {rule.name: holds(rule, numbers, before.get(rule.name)) for rule in RULES}
        plain = {rule.name: holds(rule, numbers, None) for rule in RULES}
        reasons = verdict["reasons"]
        first = [rule for rule in RULES if held[rule.name] and not any(held[other.name] for other in stricter(rule))]
        assert {rule.name for rule in RULES if MEANING.get(rule.name) and says(reasons, MEANING.get(rule.name))} == {
            rule.name for rule in first if MEANING.get(rule.name)
        }
        for rule in first:
            (sentence,) = (
                [one for one in reasons if says([one], MEANING.get(rule.name))] if MEANING.get(rule.name) else [""]
            )
            assert all(side in sentence for side in sides(rule))
        assert verdict["flags"] == [name for name in FLAGS if held[name]]
        assert verdict["stage"] == next(
            (
                stage
                for stage, cases in STAGE_RULES
                if any(all(held[rule.name] for rule in case.rules) for case in cases)
            ),
            OTHERWISE,
        )
        for rule in RULES:
            if DENIED_MEANING.get(rule.name):
                none_holds = not any(held[one.name] for one in (rule, *stricter(rule)))
                assert says(reasons, DENIED_MEANING.get(rule.name)) == (none_holds and not plain[rule.name])
            for test in rule.tests:
                if isinstance(test, Unknown):
                    assert any(one.startswith(f"{test.indicator} is not known") for one in reasons) == held[rule.name]
        kept_out = [rule for rule in WITH_MARGIN if plain[rule.name] and not held[rule.name]]
        assert counted(reasons, "not yet") == {number_and_side(rule) for rule in kept_out}
        assert counted(reasons, "still") == {
            number_and_side(rule) for rule in first if rule.has_margin and not plain[rule.name]
        }


def test_no_two_sentences_are_the_same() -> None:
    meanings = [*MEANING.values(), *DENIED_MEANING.values()]
    assert len(set(meanings)) == len(meanings)


def test_the_rules_are_in_order() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert [rule.name for rule in FLAG_RULES] == list(FLAGS)
    assert {OTHERWISE, *(stage for stage, _ in STAGE_RULES)} == set(STAGES)
    used = {rule.name for _, cases in STAGE_RULES for case in cases for rule in case.rules}
    assert used | set(FLAGS) | {rule.name for rule in REMARKS} == set(names)
    subjects = [about for about, _ in groupby(rule.about for rule in RULES)]
    assert len(set(subjects)) == len(subjects)  # those about the same thing stand together


def test_a_rule_with_a_margin_has_one_test_because_one_memory_serves_it() -> None:
    assert {len(rule.tests) for rule in WITH_MARGIN} == {1}


def test_every_threshold_is_used_and_every_indicator_exists() -> None:
    compared = [test for rule in RULES for test in rule.tests if isinstance(test, Comparison)]
    named = {name for test in compared for name in (test.threshold, test.margin) if name is not None}
    assert named | {"highest_chance"} == {field.name for field in fields(Thresholds)}
    cited = {key for rule in RULES for key in re.findall(r"`(\w+)`", definition(rule, LIMITS))}
    assert cited <= {indicator.key for indicator in INDICATORS}
    assert cited | {"headroom_of_ceiling"} == set(USED)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_definition_names_what_is_compared_and_every_number(rule: Rule) -> None:
    text = definition(rule, LIMITS)
    for test in rule.tests:
        if isinstance(test, Comparison):
            for name in filter(None, (test.threshold, test.margin)):
                assert f" {getattr(LIMITS, name):g}" in text
            assert measure_words(test.measure.column).name.format(**vars(LIMITS)) in text
