from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.record.conditions.recognise import CONDITION, EXCLUDED, UNSTATED, with_condition
from benchhealth.analytics.record.conditions.references import references
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.schedule import run
from benchhealth.dashboard.words.prose.tables import with_prose
from tests.support.curated_facts import curated
from tests.support.frames import Row, benchmark, frame, frames, result

AS_OF = date(2026, 6, 1)
Rule = dict[str, Any]


def rule(condition: str, pattern: str | None = None, **more: object) -> Rule:
    return {
        "benchmark_id": "exam",
        "condition": condition,
        "kind": "help",
        "is_reference": False,
        "field": None if pattern is None else "setting",
        "pattern": pattern,
        **more,
    }


NO_TOOLS = rule("no tools", r"\bno tools\b", is_reference=True)
TOOLS = rule("tools", r"\btools\b")


def judged(rows: list[Row], *rules: Rule, benchmarks: list[Row] | None = None) -> Frames:
    """Frames whose results have the condition that these rules give them."""
    plain = frames(rows, benchmarks)
    table = frame("condition", rules)
    rows = plain.result.collect()
    return replace(plain, condition=table, result=with_condition(rows, table).select(rows.columns).lazy())


def conditions(rows: list[Row], *rules: Rule) -> list[str]:
    return judged(rows, *rules).result.collect()["condition"].to_list()


def of(setting: str, benchmark_id: str = "exam", **more: object) -> Row:
    return result(benchmark_id, f"model {setting}", 0.5, setting=setting, **more)


def table(facts: Frames, name: str) -> pl.DataFrame:
    value: pl.DataFrame | pl.LazyFrame = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, (name,))[name]
    return value.lazy().collect()


def five(setting: str, best: float, **more: object) -> list[Row]:
    """Five models of one setting, from the best downwards."""
    return [
        result("exam", f"{setting}-{index}", best - index / 100, setting=setting, n_items=100, **more)
        for index in range(5)
    ]


def test_the_first_rule_that_fits_gives_the_word() -> None:
    rows = [of("no tools"), of("with Tools"), of("high effort"), of("")]
    assert conditions(rows, NO_TOOLS, TOOLS) == ["no tools", "tools", UNSTATED, UNSTATED]


def test_rules_of_a_benchmark_go_before_those_of_all_and_both_before_what_is_usual() -> None:
    of_all = rule("agent {}", r"agent=([^,]+)", benchmark_id="*")
    rows = [of("agent=Mini-SWE, high effort"), of("agent=plain"), of("")]
    own_rule = rule("one agent", "agent=plain")
    assert conditions(rows, of_all, own_rule, rule("no help")) == ["agent mini-swe", "one agent", "no help"]


def test_what_a_benchmark_says_of_unstated_rows_goes_before_what_is_known_of_a_source() -> None:
    board = rule("as run by its board", "^lab$", benchmark_id="*", field="source_id")
    rows = [of(""), of("", "other")]
    assert conditions(rows, board, rule("no help")) == ["no help", "as run by its board"]


def test_words_of_several_kinds_are_joined_in_one_order() -> None:
    attempts = rule("several attempts", r"\bbest of \d", kind="attempts")
    text = rule("text only", r"\btext\b", kind="subset")
    assert conditions([of("text, best of 8, tools")], text, attempts, TOOLS) == ["tools, several attempts, text only"]


def test_a_part_follows_its_whole_in_all_but_the_subset() -> None:
    subset = rule("semi-private", kind="subset", is_reference=True)
    rows = [of("tools"), of("tools", "exam/public")]
    assert conditions(rows, TOOLS, subset) == ["tools, semi-private", "tools"]
    facts = judged([of(""), of("", "exam/public")], rule("no tools", is_reference=True), subset)
    assert references(facts)["condition"].to_list() == ["no tools, semi-private", "no tools"]


def test_a_subset_has_its_own_number_of_items_unless_the_source_states_one() -> None:
    small = rule("small", "small", kind="subset", n_items=500)
    facts = judged([of("small"), of("small too", n_items=499), of("")], small)
    assert facts.result.collect()["n_items"].to_list() == [500, 499, None]


def test_a_silent_row_that_repeats_a_score_has_the_condition_of_that_score() -> None:
    stated = result("exam", "m", 0.971, setting="tools")
    silent = result("exam", "m", 0.97100001, source_row="of a later crawl")
    assert conditions([stated, silent, result("exam", "m", 0.92), result("exam", "n", 0.971)], TOOLS) == [
        *("tools", "tools", UNSTATED, UNSTATED)
    ]
    assert conditions([stated, {**silent, "reporter": "self"}], TOOLS) == ["tools", UNSTATED]
    assert conditions([stated, {**silent, "source_id": "another"}], TOOLS) == ["tools", UNSTATED]


def test_no_row_repeats_another_on_a_board_of_which_something_is_known() -> None:
    any_of_ten = result("exam", "m", 1.0, setting="tools")
    one = result("exam", "m", 1.0)
    own_runs = rule("as run", "^lab$", benchmark_id="*", field="source_id")
    assert conditions([any_of_ten, one], TOOLS, own_runs) == ["tools", "as run"]


def test_a_silent_row_that_repeats_two_things_is_not_guessed() -> None:
    both = [result("exam", "m", 0.9, setting="tools"), result("exam", "m", 0.9, setting="no tools")]
    assert conditions([*both, result("exam", "m", 0.9)], NO_TOOLS, TOOLS) == ["tools", "no tools", UNSTATED]


def test_a_kind_may_be_declared_not_to_count() -> None:
    version = rule("version {}", r"version=([^,]+)", benchmark_id="*", kind="version")
    no_matter = rule(UNSTATED, ".", field="source_id", kind="version")
    rows = [of("version=2"), of("version=2", "other")]
    assert conditions(rows, version, no_matter) == [UNSTATED, "version 2"]


def test_a_pattern_may_look_at_name_and_score_together() -> None:
    wrong = rule(EXCLUDED, r"^lab: o3 = 88(\.0)?$", field="printed")
    rows = [
        result("exam", "o3", 0.88, score_published=88.0, published_name="o3"),
        result("exam", "o3", 0.61, score_published=61.0, published_name="o3"),
        result("exam", "o4", 0.88, score_published=88.0, published_name="o4"),
    ]
    assert conditions(rows, wrong) == [EXCLUDED, UNSTATED, UNSTATED]


def test_other_columns_and_the_order_of_rows_stay() -> None:
    plain = frames([of("tools"), of(""), of("", "other")]).result.collect()
    conditioned_rows = with_condition(plain, frame("condition", [TOOLS]))
    assert conditioned_rows.drop("condition", "n_items").equals(
        plain.drop("condition", "n_items").select(conditioned_rows.drop("condition", "n_items").columns)
    )


def test_without_rules_and_without_rows_nothing_is_stated() -> None:
    empty = pl.DataFrame(schema=CONDITION)
    assert with_condition(frames([of("tools")]).result.collect(), empty)["condition"].to_list() == [UNSTATED]
    assert with_condition(frames().result.collect(), empty).height == 0


def test_effort_is_no_condition() -> None:
    rules = curated().condition
    rows = [of(f"{effort} effort", "some-test") for effort in ("low", "high")] + [of("thinking 32k", "some-test")]
    assert set(with_condition(frames(rows).result.collect(), rules)["condition"]) == {UNSTATED}


@pytest.mark.parametrize(
    ("setting", "condition"),
    [
        ("No tools", "no tools"),
        ("Reasoning Mode (w/o Tool Use)", "no tools"),
        ("Accuracy (without tools)", "no tools"),
        ("Avg 5 runs, no custom tools/prompting", "as reported"),
        ("tools", "tools"),
        ("high effort, tools", "tools"),
        ("OpenAI o3 with thinking mode enabled (Python + browser tools) - Full set", "tools"),
        ("Search agent evaluation", "search"),
        ("Thinking mode with search agent", "search"),
        ("Agent mode, Non-Thinking", "agent"),
        ("scaffold=OpenHands, effort=high", "scaffold openhands"),
        ("scaffold=OpenHands 1.15.0", "scaffold openhands"),
        ("w/o Python", "no tools"),
        ("agent=Codex CLI", "agent codex cli"),
        ("effort=high, subset=text only", "text only"),
        ("Pass@1, Thinking mode, text-only subset", "text only"),
        ("subset=semi-private", "semi-private"),
        ("Cons@64", "several attempts"),
        ("Pass@5", "several attempts"),
        ("5-shot majority@1", UNSTATED),
        ("0-shot, pass@1", UNSTATED),
        ("Avg@64", UNSTATED),
        ("Parallel test-time compute (multiple attempts, internal scoring model selection).", "several attempts"),
        ("Standard benchmark (GPT-4o grader)", "judge gpt-4o"),
        ("user simulator=gpt-4.1", "simulated user gpt-4.1"),
        ("fc tools-2024-04-04", UNSTATED),
        ("5-shot", UNSTATED),
        ("", UNSTATED),
    ],
)
def test_the_words_of_settings_are_recognised_on_any_benchmark(setting: str, condition: str) -> None:
    conditions = with_condition(frames([of(setting, "some-test")]).result.collect(), curated().condition)["condition"]
    assert conditions.to_list() == [condition]


@pytest.mark.parametrize(("of_the_new", "judged_by"), [(5, "graded by 2"), (4, "graded by 1"), (0, "graded by 1")])
def test_of_two_versions_of_the_grader_the_newer_with_a_top_five_counts(of_the_new: int, judged_by: str) -> None:
    rules = [
        rule("graded by 2", r"\bversion=2\b", kind="version", is_reference=True),
        rule("graded by 1", r"\bversion=1\b", kind="version", is_reference=True),
    ]
    of = [("version=1", 6, date(2026, 1, 1)), ("version=2", of_the_new, date(2026, 2, 1))]
    rows = [
        result("exam", f"m{index}", 0.5, setting=setting, observed_on=on)
        for setting, many, on in of
        for index in range(many)
    ]
    for table in (rules, rules[::-1]):
        assert references(judged(rows, *table))["condition"].to_list() == [judged_by]


def test_every_curated_benchmark_has_a_reference_condition() -> None:
    registry = curated()
    wholes = {name.split("/")[0] for name in registry.benchmark["benchmark_id"]}
    assert wholes - set(registry.condition.filter("is_reference")["benchmark_id"]) == set()


def test_a_curator_chooses_however_few_models_there_are() -> None:
    chosen = references(judged([of("no tools"), *five("tools, a", 0.9)], NO_TOOLS, TOOLS)).row(0, named=True)
    assert chosen["condition"] == "no tools"
    assert (chosen["models"], chosen["other"], chosen["other_models"]) == (1, "tools", 5)


def test_unstated_results_stand_in_only_where_no_stated_condition_has_five_models() -> None:
    unstated = five("", 0.9)
    few = references(judged([of("no tools"), *five("tools", 0.5)[:4], *unstated], NO_TOOLS, TOOLS)).row(0, named=True)
    assert (few["condition"], few["other"]) == (UNSTATED, None)
    many = references(judged([of("no tools"), *five("tools", 0.5), *unstated], NO_TOOLS, TOOLS)).row(0, named=True)
    assert (many["condition"], many["other"]) == ("no tools", "tools")
    enough = references(judged([*five("no tools", 0.2), *five("tools", 0.5), *unstated], NO_TOOLS, TOOLS)).row(
        0, named=True
    )
    assert (enough["condition"], enough["other"]) == ("no tools", None)


def test_without_a_curator_the_condition_of_most_models_counts() -> None:
    most = references(judged([*five("tools", 0.5), of("")], TOOLS)).row(0, named=True)
    assert (most["condition"], most["curated"], most["other"]) == ("tools", False, None)
    more = references(judged([*five("tools", 0.5), *five("", 0.4), of("x")], TOOLS)).row(0, named=True)
    assert (more["condition"], more["other"]) == (UNSTATED, "tools")


def test_curve_leaderboard_and_rank_are_about_the_reference_condition() -> None:
    facts = judged([*five("tools", 0.97), *five("no tools", 0.62)], NO_TOOLS, TOOLS)
    assert table(facts, "frontier")["score"].unique().to_list() == [0.62]
    assert table(facts, "leaderboard")["model_id"].to_list() == [f"no tools-{index}" for index in range(5)]
    ranks = table(facts, "rank")
    assert ranks.filter(rank=1)["model_id"].to_list() == ["no tools-0"]
    assert set(ranks["condition"]) == {"no tools"}


def test_a_board_without_results_in_the_reference_condition_is_ranked_in_its_own() -> None:
    elsewhere = five("tools", 0.97, source_id="shop")
    ranks = table(judged([*five("no tools", 0.62), *elsewhere], NO_TOOLS, TOOLS), "rank")
    assert dict(ranks.select("board_id", "condition").unique().rows()) == {"lab/exam": "no tools", "shop/exam": "tools"}


def test_each_condition_has_a_curve_of_its_own() -> None:
    facts = judged([*five("tools", 0.97), *five("no tools", 0.62), of("", "plain")], NO_TOOLS, TOOLS)
    curves = table(facts, "condition_frontier").filter("carried")
    assert curves.select("benchmark_id", "condition", "score").rows() == [
        ("exam", "no tools", 0.62),
        ("exam", "tools", 0.97),
    ]


def test_excluded_rows_are_in_no_curve_and_on_no_board() -> None:
    facts = judged([*five("no tools", 0.62), of("stray")], NO_TOOLS, rule(EXCLUDED, "stray"))
    assert facts.result.collect().filter(condition=EXCLUDED).height == 1
    for name in ("frontier", "condition_frontier", "rank", "leaderboard"):
        assert "model stray" not in table(facts, name)["model_id"].to_list()


def verdict_of(facts: Frames) -> dict[str, Any]:
    import numpy as np

    given = {"frames": facts, "as_of": AS_OF}
    rngs = {name: np.random.default_rng(1) for name in GIVEN if name.endswith("_rng")}
    names = ("verdict", "verdict_reason", "indicator")
    made = run(ENTRIES, {**given, **rngs}, names)
    verdicts = with_prose({**{name: empty(name) for name in DERIVED}, **{name: made[name] for name in names}})[
        "verdict"
    ]
    return verdicts.filter(benchmark_id="exam").row(0, named=True)


def test_the_stage_is_unknown_and_names_the_other_condition_that_alone_has_a_top_five() -> None:
    stated = verdict_of(judged([of("no tools"), *five("tools", 0.97)], NO_TOOLS, TOOLS))
    assert stated["stage"] == "unknown"
    assert "models under no tools: 1; under tools: 5" in stated["reasons"][0]


def test_a_verdict_on_unstated_results_says_so() -> None:
    stated = verdict_of(judged(five("", 0.97), NO_TOOLS, TOOLS))
    assert stated["stage"] == "saturated"
    assert "taken as reported" in stated["reasons"][0]
    verdict_stated = verdict_of(judged(five("no tools", 0.97), NO_TOOLS, TOOLS))
    assert verdict_stated["stage"] == "saturated"
    assert not any("as reported" in reason for reason in verdict_stated["reasons"])


def test_somebody_who_reports_under_another_condition_reports() -> None:
    old = five("no tools", 0.62, dated_on=date(2024, 1, 1), observed_on=date(2024, 1, 1))
    new = five("tools", 0.97, dated_on=date(2026, 5, 1), observed_on=date(2026, 5, 1))
    facts = judged(old + new, NO_TOOLS, TOOLS, benchmarks=[benchmark("exam")])
    newest = table(facts, "reported")["dated_on"].max()
    assert newest == date(2026, 5, 1)
    assert table(facts, "history")["dated_on"].max() == date(2024, 1, 1)
