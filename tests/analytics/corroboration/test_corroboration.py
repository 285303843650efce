"""Who measured the best scores: classes, what differs, copies, on rows as they stand in the record and drawn ones."""

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.corroboration.classes import (
    AGREES_WITHIN,
    CLASSES,
    CONFIRMED,
    CONTRADICTED,
    LOWER,
    MEASURED,
    NOT_COMPARABLE,
    compared_pairs,
)
from benchhealth.analytics.corroboration.differing import condition_difference, with_conditions, with_efforts
from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.conditions.recognise import CONDITION
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.sides import SUBMITTED
from benchhealth.analytics.saturation.activity import SELF_REPORTED
from benchhealth.analytics.saturation.headroom import HEADROOM
from benchhealth.analytics.schedule import run
from benchhealth.analytics.statistics.errors import Z95
from tests.support.frames import Row, benchmark, evidence_of, frame, frames, passing_on, result

RULES = pl.DataFrame(
    [
        {"benchmark_id": "*", "condition": "tools", "kind": "help"},
        {"benchmark_id": "*", "condition": "no tools", "kind": "help"},
        {"benchmark_id": "*", "condition": "several attempts", "kind": "attempts"},
    ],
    schema=CONDITION,
)
AS_OF = date(2026, 8, 22)


def table(facts: Frames) -> pl.DataFrame:
    table_rows: pl.DataFrame = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("corroboration",))["corroboration"]
    return table_rows


def reported_by_maker(model_id: str, score: float, setting: str = "", **more: Any) -> Row:  # noqa: ANN401 - what `result` takes
    return result("gpqa", model_id, score, setting=setting, reporter="self", source_id="cards", **more)


def other(model_id: str, score: float, setting: str = "", **more: Any) -> Row:  # noqa: ANN401 - what `result` takes
    return result("gpqa", model_id, score, setting=setting, **more)


def gpqa(*rows: Row, **more: object) -> pl.DataFrame:
    return table(frames(rows, [benchmark("gpqa", n_items=198, floor=0.25, **more)]))


def step(rows: pl.DataFrame) -> Row:
    return rows.filter(pl.col("kind") == "step").row(-1, named=True)


def test_gpt_4o_on_gpqa_diamond_is_contradicted() -> None:
    """70.1 by its maker (a table of 2025, "no thinking no tools"), 49.2 by Epoch AI, neither with any effort."""
    rows = gpqa(
        reported_by_maker(
            "gpt-4o-2024-08-06", 0.701, "GPT-4o - Diamond no thinking no tools", dated_on=date(2024, 8, 6)
        ),
        other("gpt-4o-2024-08-06", 0.492109, dated_on=date(2025, 1, 27)),
        other("o3-mini", 0.4, "high effort"),
    )
    row = step(rows)
    assert row["class"] == CONTRADICTED
    assert row["independent"] == pytest.approx(0.492109)
    assert (row["lag_days"], row["reason"]) == (174, None)
    assert row["low"] > 0.05
    assert row["high"] - row["low"] == pytest.approx(2 * Z95 * np.hypot(0.03254, 0.03553), rel=0.01)


@pytest.mark.parametrize(
    ("setting", "others", "reason"),
    [
        ("0-shot CoT", "5-shot, standard prompt", "shots"),
        ("few-shot", "", "shots_unstated"),
        ("Diamond", "thinking 64k", "effort_unstated"),
        ("", "diff, high effort", "effort_unstated"),
        ("low effort", "high effort", "effort"),
        ("with thinking mode", "diff, high effort", "effort_unstated"),
        ("no thinking", "thinking 16k", "effort"),
        ("scaffold=Terminus 2", "scaffold=Terminus-KIRA", "scaffold"),
    ],
)
def test_what_differs_is_said_and_contradicts_nothing(setting: str, others: str, reason: str) -> None:
    row = step(gpqa(reported_by_maker("m", 0.9, setting), other("m", 0.6, others)))
    assert (row["class"], row["reason"]) == (NOT_COMPARABLE, reason)


@pytest.mark.parametrize(
    ("condition", "others", "reason"),
    [
        ("no tools, several attempts", "no tools", "attempts"),
        ("several attempts", "as reported", "attempts"),
        ("tools", "no tools", "help"),
        ("tools", "as reported", "condition_unstated"),
        ("no tools, of another kind", "no tools", "condition"),
    ],
)
def test_which_condition_differs_is_a_code(condition: str, others: str, reason: str) -> None:
    rows = pl.DataFrame(
        {"benchmark_id": "b", "model_id": "m", "setting": "", "condition": [condition, others], "at": [0, 1]}
    )
    conditioned = with_conditions(rows, RULES)
    one, two = (with_efforts(conditioned, conditioned).filter(pl.col("at") == effort) for effort in (0, 1))
    assert one.join(two, on="model_id", suffix="_by").select(code=condition_difference("_by")).item() == reason


def test_silence_of_a_model_that_is_run_with_several_efforts_is_not_none() -> None:
    """Claude 3.7 Sonnet's 84.8 says nothing; that it has 66.0 without thinking contradicts nothing."""
    rows = [
        reported_by_maker("claude", 0.848, "Diamond"),
        other("claude", 0.66),
        other("claude", 0.785, "thinking 64k"),
    ]
    row = step(gpqa(*rows))
    assert (row["class"], row["reason"], row["independent"]) == (NOT_COMPARABLE, "effort_unstated", 0.785)


@pytest.mark.parametrize(
    ("by", "expected"),
    [(0.82, CONFIRMED), (0.80, LOWER), (0.76, CONTRADICTED)],
)
def test_error_and_points_decide(by: float, expected: str) -> None:
    """Of 1,000 items the 95% error of a difference between 0.85 and about 0.8 is 3.3 points."""
    rows = [result("exam", "m", 0.855, reporter="self"), result("exam", "m", by, source_id="other", setting="x")]
    facts = frames(rows, [benchmark("exam", n_items=1_000)])
    assert step(table(facts))["class"] == expected


def test_where_no_error_is_known_nothing_is_contradicted() -> None:
    rows = [result("exam", "m", 0.9, reporter="self"), result("exam", "m", 0.5, source_id="other")]
    claim = table(frames(rows, [benchmark("exam")])).filter(pl.col("kind") == "step").row(0, named=True)
    assert (claim["class"], claim["reason"]) == (LOWER, "error_unknown")


def test_others_who_were_first_measured_it() -> None:
    rows = [reported_by_maker("m", 0.71, dated_on=date(2025, 3, 1)), other("m", 0.70, dated_on=date(2025, 2, 1))]
    assert step(gpqa(*rows))["class"] == MEASURED


def test_nobody_else_is_claimed_and_others_alone_is_measured() -> None:
    assert step(gpqa(reported_by_maker("m", 0.7)))["class"] == "claimed"
    assert step(gpqa(other("m", 0.7)))["class"] == MEASURED


def test_what_was_handed_in_to_a_list_is_no_makers_claim() -> None:
    """AlpacaEval takes answers from anybody: whoever handed them in need not be the maker of the model."""
    handed_in = result("gpqa", "m", 0.7, reporter="self", source_id=SUBMITTED[0], dated_on=date(2025, 3, 1))
    assert step(gpqa(handed_in))["class"] == "quoted"
    assert step(gpqa(handed_in, other("m", 0.69)))["class"] == CONFIRMED
    facts = frames([handed_in, other("n", 0.6, dated_on=date(2025, 1, 1))], [benchmark("gpqa", n_items=198)])
    sides = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("reporter_frontier",))["reporter_frontier"]
    assert set(sides["reporter"]) == {"third_party"}
    share = SELF_REPORTED.compute(evidence_of(facts, AS_OF)).row(0, named=True)
    assert (share["value"], share["n"]) == (0.0, 1)


def test_a_copy_never_confirms() -> None:
    """A third party whose number is the maker's own to the digit is one number with it."""
    rows = [reported_by_maker("m", 0.713), other("m", 0.713, source_id="llm-stats")]
    facts = frames(rows, [benchmark("gpqa", n_items=198)])
    claim = table(passing_on(facts, "llm-stats", "cards"))
    assert set(claim["class"]) <= {"quoted", "claimed"}
    assert "quoted" in claim["class"]


def test_a_paper_on_anothers_model_neither_measures_nor_confirms() -> None:
    """BoolQ's StableBeluga2 at 89.4 is of the Qwen report, ARC's Qwen2.5-72B at 94.5 of DeepSeek's: on Epoch's hub."""
    alone = frames([other("m", 0.894, source_id="hub")], [benchmark("gpqa", n_items=198)])
    assert step(table(alone))["class"] == MEASURED
    assert step(table(passing_on(alone, "hub")))["class"] == "quoted"
    beside = frames(
        [reported_by_maker("m", 0.886), other("m", 0.87, source_id="hub")], [benchmark("gpqa", n_items=198)]
    )
    assert step(table(beside))["class"] == CONFIRMED
    assert step(table(passing_on(beside, "hub")))["class"] == "claimed"


def test_a_number_that_a_house_measured_stays_so_where_the_row_of_a_list_counts() -> None:
    """HLE's 21.64 of its board is LLM Stats' 21.6, which alone says that no tools were used."""
    rows = [other("m", 0.2164, source_id="hle-board"), other("m", 0.216, "no tools", source_id="llm-stats")]
    row = step(table(passing_on(frames(rows, [benchmark("gpqa", n_items=2500)]), "llm-stats")))
    assert (row["source_id"], row["class"]) == ("llm-stats", MEASURED)


def test_the_house_that_measured_is_named() -> None:
    """GDPval's Claude Opus 4.5 at 60% is on Epoch's hub, and OpenAI measured it."""
    facts = frames([other("m", 0.6, source_id="hub"), reported_by_maker("n", 0.5)], [benchmark("gpqa", n_items=220)])
    rows = [{"board_id": "hub/gpqa", "measured_by": "gdpval", "note": "", "source_url": ""}]
    claim = table(replace(facts, measurer=frame("measurer", rows)))
    measured_by = dict(claim.filter(pl.col("kind") != "step").select("model_id", "measured_by").iter_rows())
    assert measured_by == {"m": "gdpval", "n": None}


def test_a_contradiction_needs_no_day() -> None:
    """GPT-4o on GPQA Diamond: 70.1 printed a year after its release, of another snapshot; Epoch found 49.2."""
    late = {"dated_on": None, "date_basis": None}
    better = [reported_by_maker(f"m{index}", 0.8 + index / 100) for index in range(11)]
    rows = [*better, reported_by_maker("gpt-4o", 0.701, "no thinking no tools", **late), other("gpt-4o", 0.492)]
    claim = table(frames(rows, [benchmark("gpqa", n_items=198)])).filter(pl.col("model_id") == "gpt-4o")
    assert claim.select("kind", "class").rows() == [("undated", CONTRADICTED)]
    unmeasured = frames(rows[:-1], [benchmark("gpqa", n_items=198)])
    assert table(unmeasured).filter(pl.col("model_id") == "gpt-4o").is_empty()


def pairs(**columns: list[object]) -> pl.DataFrame:
    n = len(columns["merit"])
    plain: dict[str, list[object]] = {
        "bounded": [True] * n,
        "dated_on": [date(2025, 1, 1)] * n,
        "dated_on_by": [date(2025, 2, 1)] * n,
        **dict.fromkeys(("differs", "error_by_item", "error_clustered"), [None] * n),
    }
    numbers = dict.fromkeys(("error", "error_by_item", "error_clustered"), pl.Float64)
    return pl.DataFrame(plain | columns, schema_overrides={"differs": pl.String, **numbers})


def test_two_runs_on_the_same_items_are_held_to_the_error_of_their_difference() -> None:
    """Twelve points apart, 8.5 by independent errors: within them; beyond the 2 of the same items, unless subjects say
    more."""
    errors: dict[str, list[object]] = {"merit": [0.8] * 3, "merit_by": [0.68] * 3, "error": [0.06] * 3}
    classes = compared_pairs(
        pairs(**errors, error_by=[0.06] * 3, error_by_item=[None, 0.02, 0.02], error_clustered=[None, None, 0.06])
    )
    assert classes["class"].to_list() == [CONFIRMED, CONTRADICTED, CONFIRMED]
    assert classes["half"].to_list() == pytest.approx([1.959964 * one for one in (0.06 * 2**0.5, 0.02, 0.06)])


def test_every_pair_is_of_one_class_and_open_scales_go_by_the_error_alone() -> None:
    rng = np.random.default_rng(32)
    n = 2_000
    drawn = pairs(
        merit=rng.uniform(0, 1, n).tolist(),
        merit_by=rng.uniform(0, 1, n).tolist(),
        error=[None if one < 0.2 else float(one) / 20 for one in rng.uniform(0, 1, n)],
        error_by=rng.uniform(0, 0.05, n).tolist(),
        bounded=(rng.uniform(size=n) < 0.5).tolist(),
        differs=rng.choice(np.array([None, "effort", "effort_unstated", "help"], dtype=object), n).tolist(),
    )
    classes = compared_pairs(drawn)
    assert classes["class"].null_count() == 0
    assert set(classes["class"]) <= set(CLASSES)
    stated = classes.filter(pl.col("differs").is_in(["effort", "help"]))
    assert set(stated["class"]) == {NOT_COMPARABLE}
    open_ended = classes.filter(~pl.col("bounded"), pl.col("differs").is_null())
    beyond = pl.col("difference") > pl.col("half")
    assert set(open_ended.filter(beyond)["class"]) == {CONTRADICTED}
    assert set(open_ended.filter(~beyond)["class"]) == {CONFIRMED}


def test_what_differs_is_the_same_whichever_comes_first() -> None:
    settings = ["", "5-shot", "0-shot", "high effort", "thinking 64k", "no thinking", "maj@8", "fine-tuned", "few-shot"]
    conditions = ["as reported", "tools", "no tools", "subset"]
    rows = pl.DataFrame(
        [
            {"benchmark_id": "b", "model_id": "m", "condition": condition, "setting": setting}
            for setting in settings
            for condition in conditions
        ]
    )
    conditioned = with_conditions(rows, RULES)
    conditioned = with_efforts(conditioned, conditioned).with_row_index("at")
    both = conditioned.join(conditioned, how="cross", suffix="_by")
    there = both.with_columns(code=condition_difference("_by")).select("at", "at_by", "code")
    back = there.select(at="at_by", at_by="at", back="code")
    joined = there.join(back, on=["at", "at_by"])
    assert joined.filter(pl.col("code").ne_missing(pl.col("back"))).is_empty()


def test_honest_makers_are_seldom_contradicted_and_padded_ones_mostly() -> None:
    """A simulation: two runs of the same model on draws of 500 items, and a maker who adds fifteen points."""
    rng = np.random.default_rng(7)
    n, items = 4_000, 500
    truth = rng.uniform(0.3, 0.7, n)
    by = rng.binomial(items, truth) / items
    fair = rng.binomial(items, truth) / items

    def share(maker: np.ndarray, of: str) -> float:
        errors = [np.sqrt(one * (1 - one) / items).tolist() for one in (maker, by)]
        classes = compared_pairs(pairs(merit=maker.tolist(), merit_by=by.tolist(), error=errors[0], error_by=errors[1]))
        return classes.filter(pl.col("class") == of).height / classes.height

    assert share(fair, CONTRADICTED) < 0.001
    assert share(fair, CONFIRMED) > 0.975
    assert share(np.minimum(fair + 0.15, 0.99), CONTRADICTED) > 0.75
    assert AGREES_WITHIN < 0.05


def test_what_is_confirmed_when_and_who_could_have_tested() -> None:
    """Two claims on one benchmark: one confirmed a month later, one of a model that others measured elsewhere."""
    rows = [
        reported_by_maker("a", 0.5, dated_on=date(2025, 1, 1)),
        other("a", 0.5, "as run by others", dated_on=date(2025, 2, 1)),
        reported_by_maker("b", 0.7, dated_on=date(2025, 3, 1)),
        result("exam", "b", 0.4),
    ]
    facts = frames(rows, [benchmark("gpqa", n_items=198), benchmark("exam")])
    table_rows = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("claim_check",))["claim_check"]
    shares = {row["measure"]: row for row in table_rows.filter(pl.col("subject_kind") == "all").iter_rows(named=True)}
    assert (shares["confirmed_share"]["events"], shares["confirmed_share"]["n"]) == (1, 2)
    assert (shares["testable_share"]["events"], shares["testable_share"]["n"]) == (1, 1)
    assert shares["held_share"]["value"] == 1
    assert shares["lead_months"]["value"] is None
    pooled = table_rows.filter(pl.col("subject_kind") == "year", pl.col("measure") == "confirmed_share")
    assert pooled["subject"].to_list() == ["other"]


def test_the_two_sides_of_a_curve() -> None:
    """Others' best in the condition that counts; makers' also where they state none. Each ends at its last result."""
    rows = [
        *(other(f"m{index}", 0.25 + index / 16, dated_on=date(2025, 1, 1 + index)) for index in range(5)),
        reported_by_maker("x", 0.9, dated_on=date(2025, 6, 1)),
    ]
    facts = frames(rows, [benchmark("gpqa")])
    table_rows = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("reporter_frontier", "by_others"))
    sides, others = table_rows["reporter_frontier"], table_rows["by_others"]
    ends = sides.filter("carried").select("reporter", "score", "dated_on").rows()
    assert ends == [("self", 0.9, date(2025, 6, 1)), ("third_party", 0.5, date(2025, 1, 5))]
    assert others.frontier.filter("carried")["score"].to_list() == [0.5]
    left = HEADROOM.compute(evidence_of(facts, AS_OF)).row(0, named=True)
    assert (left["value"], left["case"]) == (pytest.approx(0.5), "above_chance_by_others")


def test_with_fewer_than_five_models_by_others_all_count() -> None:
    rows = [*(other(f"m{index}", 0.3 + index / 100) for index in range(4)), reported_by_maker("x", 0.9)]
    by_others = run(ENTRIES, {"frames": frames(rows, [benchmark("gpqa")]), "as_of": AS_OF}, ("by_others",))["by_others"]
    assert by_others.frontier.is_empty()
    assert by_others.board.is_empty()


def test_a_row_that_cites_a_page_leads_there_and_not_to_the_collection() -> None:
    rows = [
        {
            **reported_by_maker("a", 0.7, dated_on=date(2025, 2, 1)),
            "source_row": "line 29, https://arxiv.org/abs/1703.06870",
        },
        {**other("b", 0.8, dated_on=date(2025, 3, 1)), "source_row": "line 2, column Score"},
    ]
    facts = frames(rows, [benchmark("gpqa", n_items=198, floor=0.25)])
    addresses = dict(table(facts).select("model_id", "source_url").iter_rows())
    files = dict(facts.snapshot.select("source_id", "url").iter_rows())
    assert addresses == {"a": "https://arxiv.org/abs/1703.06870", "b": files["lab"]}
