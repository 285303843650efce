"""Metric names give a direction only where they leave no doubt; columns give a scale by their numbers together."""

import pytest

from benchhealth.ingest.formats.metrics import SHARE, cell_problem, is_cost, metric_of, read_column
from benchhealth.ingest.formats.papers import appearance_date


@pytest.mark.parametrize(
    ("name", "higher", "scale"),
    [
        ("Accuracy (%)", True, SHARE),
        ("F1 (micro)", True, SHARE),
        ("Micro-F1", True, SHARE),
        ("ROUGE-2*", True, SHARE),
        ("Hits-at-10", True, SHARE),
        ("BLEU-4", True, SHARE),
        ("LAS", True, SHARE),
        ("Top 1 Accuracy", True, SHARE),
        ("Top-1 Error Rate", False, SHARE),
        ("Word Error Rate (WER)", False, SHARE),
        ("Test perplexity", False, "perplexity"),
        ("Bit per Character (BPC)", False, "bits"),
        ("FID-50k", False, "distance"),
        ("CIDEr-D", True, "cider"),
        ("ELO rating", True, "rating"),
        ("Score", True, "points"),
    ],
)
def test_a_name_says_its_direction_and_scale(name: str, higher: bool, scale: str) -> None:
    assert metric_of(name) == (higher, scale)


@pytest.mark.parametrize("name", ["", "SemEval 2007", "Dev", "Greenness", "MR", "Interface", "Terse"])
def test_a_name_that_leaves_a_doubt_says_nothing(name: str) -> None:
    assert metric_of(name) is None
    assert read_column(name, ["1"]).reject


@pytest.mark.parametrize("name", ["Number of params", "FLOPS", "Training time (hours)", "% Train Accuracy"])
def test_what_a_model_costs_or_was_trained_on_is_not_a_score(name: str) -> None:
    assert is_cost(name)
    assert read_column(name, ["1"]).reject == "excluded: not a score"


def test_a_column_is_of_percentages_or_fractions_by_its_majority() -> None:
    percentages = read_column("F1", ["0.851", "84.2", "83.4"])
    assert percentages.unit == "percent"
    assert cell_problem(percentages, "0.851")
    assert not cell_problem(percentages, "84.2")
    assert read_column("F1", ["0.7", "0.71", "70"]).unit == "fraction"


def test_a_small_percentage_of_errors_is_ordinary() -> None:
    errors = read_column("Test error", ["5%", "0.25", "0.21"])
    assert errors == ("percent", False, "")
    assert not cell_problem(errors, "0.21")


@pytest.mark.parametrize(
    ("citation", "address", "month"),
    [
        ("Alder (Smith et al., 2018)", "https://arxiv.org/pdf/1711.05568.pdf", "2017-11"),
        ("Alder (Smith et al., 2018)", "https://example.org", "2018-01"),
        ("Alder (Smith, 2018a) + Birch (Jones, 2019)", "", "2019-01"),
        ("GPT-2019", "", ""),
        ("Alder (ensemble)", "https://arxiv.org/abs/9913.00001", ""),
    ],
)
def test_a_paper_is_dated_by_its_address_or_its_citation(citation: str, address: str, month: str) -> None:
    assert appearance_date(citation, address) == month
