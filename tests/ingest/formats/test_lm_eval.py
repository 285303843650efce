"""Results of the lm-evaluation-harness: what is a metric, what is a setting, what is a part of what."""

import json
from typing import Any

import pytest

from benchhealth.ingest.formats.bodies import read_json
from benchhealth.ingest.formats.lm_eval import is_lm_eval, parse_lm_eval
from benchhealth.ingest.rows import Parsed, PayloadError

RESULTS: dict[str, Any] = {
    "results": {
        "gsm8k": {
            "alias": "gsm8k",
            "exact_match,strict-match": 0.5,
            "exact_match_stderr,strict-match": 0.0138,
            "exact_match,flexible-extract": 0.53,
            "exact_match_stderr,flexible-extract": "N/A",
        },
        "arc_challenge": {"alias": "arc", "acc,none": 0.41, "acc_stderr,none": 0.01, "acc_norm,none": 0.44},
        "wikitext": {"alias": "wikitext", "word_perplexity,none": 12.5, "word_perplexity_stderr,none": "N/A"},
        "mmlu": {"acc,none": 0.6, "acc_stderr,none": 0.004, "alias": "mmlu"},
        "mmlu_stem": {"acc,none": 0.5, "alias": " - stem"},
        "mmlu_anatomy": {"acc,none": 0.55, "alias": "  - anatomy"},
        "suite": {" ": " ", "alias": "suite"},
    },
    "group_subtasks": {
        "suite": ["gsm8k", "mmlu"],
        "mmlu_stem": ["mmlu_anatomy"],
        "mmlu": ["mmlu_stem"],
    },
    "config": {"model": "hf", "model_args": "pretrained=acme/alder-7b,dtype=bfloat16", "limit": None},
    "n-shot": {"gsm8k": 5, "arc_challenge": 0, "wikitext": 0, "mmlu_anatomy": 0},
    "higher_is_better": {"gsm8k": {"exact_match": True}, "wikitext": {"word_perplexity": False}},
    "n-samples": {
        "gsm8k": {"original": 1319, "effective": 1319},
        "arc_challenge": {"original": 1172, "effective": 100},
    },
    "date": 1772020800.25,
    "model_name": "acme/alder-7b",
}


def parsed(**changed: object) -> Parsed:
    document = read_json(json.dumps(RESULTS | changed).encode())
    assert is_lm_eval(document)
    return parse_lm_eval(document, lambda task: f"import-{task.replace('_', '-')}")


def test_every_metric_of_every_task_is_a_row() -> None:
    shown = [(row.row, row.benchmark, row.score, row.std_error, row.unit, row.reject) for row in parsed().rows]
    assert shown == [
        ("/results/gsm8k/exact_match,strict-match", "import-gsm8k", "0.5", "0.0138", "fraction", ""),
        ("/results/gsm8k/exact_match,flexible-extract", "import-gsm8k", "0.53", "N/A", "fraction", ""),
        ("/results/arc_challenge/acc,none", "import-arc-challenge/acc", "0.41", "0.01", "fraction", ""),
        ("/results/arc_challenge/acc_norm,none", "import-arc-challenge/acc-norm", "0.44", "", "fraction", ""),
        ("/results/wikitext/word_perplexity,none", "import-wikitext", "12.5", "N/A", "word_perplexity", ""),
        ("/results/mmlu/acc,none", "import-mmlu", "0.6", "0.004", "fraction", ""),
        ("/results/mmlu_stem/acc,none", "import-mmlu/mmlu-stem", "0.5", "", "fraction", ""),
        ("/results/mmlu_anatomy/acc,none", "import-mmlu/mmlu-anatomy", "0.55", "", "fraction", ""),
    ]


def test_shots_filter_and_limit_are_the_setting_and_the_date_is_the_run_s() -> None:
    rows = parsed().rows
    assert [row.setting for row in rows] == [
        "5-shot, filter strict-match",
        "5-shot, filter flexible-extract",
        "0-shot, 100 of 1172 items",
        "0-shot, 100 of 1172 items",
        "0-shot",
        "",
        "",
        "0-shot",
    ]
    assert [row.n_items for row in rows] == ["1319", "1319", "100", "100", "", "", "", ""]
    assert {(row.model, row.dated_on, row.date_basis) for row in rows} == {
        ("acme/alder-7b", "2026-02-25", "evaluation")
    }


def test_each_benchmark_knows_its_direction() -> None:
    facts = {fact.benchmark: fact for fact in parsed().benchmarks}
    assert not facts["import-wikitext"].higher_is_better
    assert facts["import-gsm8k"].higher_is_better
    assert (facts["import-wikitext"].metric, facts["import-wikitext"].unit) == ("word_perplexity", "word_perplexity")
    assert facts["import-arc-challenge/acc-norm"].name == "arc_challenge, acc_norm"


def test_an_open_ended_metric_without_a_direction_is_rejected() -> None:
    rejected = {row.row: row.reject for row in parsed(higher_is_better={}).rows if row.reject}
    reason = "no word on which way of word_perplexity is better"
    assert rejected == {"/results/wikitext/word_perplexity,none": reason}


def test_the_older_format_has_no_filters() -> None:
    rows = parsed(results={"boolq": {"acc": 0.7, "acc_stderr": 0.01}}, higher_is_better=None).rows
    assert [(row.row, row.std_error, row.setting) for row in rows] == [("/results/boolq/acc", "0.01", "")]


@pytest.mark.parametrize(
    "arguments", ["pretrained=acme/alder-7b,dtype=auto", "model=acme/alder-7b", {"pretrained": "acme/alder-7b"}]
)
def test_the_model_stands_among_the_arguments_where_it_is_not_named(arguments: object) -> None:
    rows = parsed(model_name=None, config={"model_args": arguments}).rows
    assert {row.model for row in rows} == {"acme/alder-7b"}


@pytest.mark.parametrize("config", [{}, {"model_args": ""}, {"model_args": None}, None, {"model_args": []}])
def test_results_of_no_model_are_refused(config: object) -> None:
    with pytest.raises(PayloadError, match="no model"):
        parsed(model_name="", config=config)


@pytest.mark.parametrize("results", [{}, {"suite": {" ": " ", "alias": "suite"}}])
def test_no_metric_at_all_is_refused(results: dict[str, object]) -> None:
    with pytest.raises(PayloadError, match="no task with a metric"):
        parsed(results=results)


def test_what_is_no_task_is_rejected_where_it_stands() -> None:
    rows = parsed(results=RESULTS["results"] | {"boolq": 0.7, "***": {"acc": 0.5}}).rows
    assert [row.row for row in rows if row.reject] == ["/results/boolq", "/results/***"]


def test_groups_that_contain_each_other_end() -> None:
    rows = parsed(group_subtasks={"mmlu": ["mmlu_stem"], "mmlu_stem": ["mmlu", "mmlu_stem"]}).rows
    assert len(rows) == 8


@pytest.mark.parametrize("document", [[], "x", {"results": []}, {"results": {}}])
def test_other_documents_are_not_the_harness_s(document: object) -> None:
    assert not is_lm_eval(document)
