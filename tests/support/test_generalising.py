"""The rule about sentences on those that reviewers rejected, on those that replaced them, and on explanations."""

import pytest

from tests.support.generalising import faults, kinds, sentences

REJECTED = {
    "Half of all benchmarks are saturated 33 months (95%: 26 to 113) after release; 46 of those watched are": (
        "without how many",
        "without a date",
    ),
    "Entries gather on few benchmarks: the Gini coefficient is 0.89 (0.85 to 0.93) in 2026, after 0.15 in 2015": (
        "without how many",
        "two years compared",
    ),
    "The gap is smaller for later models: -0.7 [-1.0, -0.3] points a year": ("without how many", "without a date"),
    "Nothing speaks against one ratio at every age (test of proportional hazards, p = 0.051).": (
        "read as evidence",
        "without a date",
    ),
    "Facts checked by hand.": ("called checked",),
    "Higher than expected for 12 of 40 models tested in Nov 2025 (p = 6.6e-208).": ("power of ten",),
    "Gains on the original fade on the twin: an adaptivity gap looks like that. On the linear scale a point more comes "
    "with 1.19 more on the second, which speaks against an adaptivity gap.": ("two readings", "without how many"),
    "54% (44 to 64%) of 370 advances of a running best are smaller than their error": ("without a date",),
    "In 2025 open weights set 17% (9 to 31%) of the new bests, less often than they enter (51%)": ("without how many",),
    "Self-reports lie +1.7 points (95%: -1.5 to 5.0) from third-party scores": ("without how many", "without a date"),
    "Self-reports lie +1.7 points (-1.5 to 5.0) from third-party scores": ("without how many", "without a date"),
    "Aider polyglot: the cheapest of 74 runs went from $186.50 in 2024 to $0.88 in 2025": ("two years compared",),
    "The best score, 88%, as of 2025-11-21": ("`as of`",),
    "Most advances on 20 benchmarks are small": ("without a date",),
}
"""Each with what is wrong with it."""

SAID_NOW = (
    "18 of 54 benchmarks that could be watched (of 2,977 on record) are saturated; by the estimate half of such "
    "benchmarks are 46 months (95%: 26 to 113) after release; data to Aug 2026 at the latest",
    "The gap is smaller for models released later: -0.7 [-1.0, -0.3] points a year, over 35 results of models released "
    "in 2019 to 2024; data to Aug 2024",
    "Whether one ratio holds at every age is not settled: a test does not reject it (test of proportional hazards, "
    "p = 0.051; 18 of 54 benchmarks saturated; data to Aug 2026 at the latest), and with so few deaths it would "
    "miss all but large differences.",
    "On the same pair the correlation among the best quarter moved: 0.96 over 25 models out by 2023, 0.85 over 50 "
    "models out by 2026; data to Jul 2026",
    "Listed there on 18 Aug 2026 and not ranked, 1 entry of no model: `cheating NullModel` 86%.",
    "54% of 370 advances are smaller than their error; data to Aug 2026 at the latest. On 9 of 20 benchmarks most "
    "of them are.",
)
EXPLAINED = (
    "Intervals are 95%, and luck is a cause of flags, which 5% of the flags are expected to be.",
    "It counts as small where it is at most 1.96 standard errors of the difference of the two scores.",
    "The coefficient is 0 where all have as many entries and 1 where one has all.",
    "A level says how much speaks for it.",
    "A ResNet-50 scores 2.98% under attacks: published **2.98**, ours **10.56** (percent).",
    "MATH: compressing under *no tools*, 10% of the scale left; saturated with *MATH-500*, 2% left.",
)


@pytest.mark.parametrize(("text", "wrong"), REJECTED.items(), ids=range(len(REJECTED)))
def test_what_reviewers_rejected_is_found(text: str, wrong: tuple[str, ...]) -> None:
    wrong_found = " | ".join(faults(text))
    for fault in wrong:
        assert fault in wrong_found


@pytest.mark.parametrize("text", SAID_NOW, ids=range(len(SAID_NOW)))
def test_what_replaced_them_passes_although_it_generalises(text: str) -> None:
    assert any(kinds(sentence) for sentence in sentences(text))
    assert faults(text) == []


@pytest.mark.parametrize("text", EXPLAINED, ids=range(len(EXPLAINED)))
def test_explanations_do_not_generalise(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize("lost", ["over 35 results of ", " in 2019 to 2024; data to Aug 2024"])
def test_a_sentence_that_loses_its_number_or_its_date_fails(lost: str) -> None:
    """So that a pattern that matches everything cannot pass for the rule."""
    sentence = SAID_NOW[1]
    assert lost in sentence
    assert faults(sentence.replace(lost, ""))


def test_marks_against_markup_addresses_and_names_in_code_are_not_read() -> None:
    assert faults("54\\% of 370 advances; data to Aug 2026") == []
    assert faults("See [how](methods#x-50%) and `tau = 0.5`.") == []
    assert faults("Between 2023\u2060-\u206007\u2060-\u206001 and 2024-07-01, 50% of 12 models left") == []
