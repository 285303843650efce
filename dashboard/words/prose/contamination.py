"""A sentence for each case of the ladder of contamination evidence, and of the indicators that rest on it."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.words.numbers import fixed, percent
from benchhealth.dashboard.words.prose.template import Sentence
from benchhealth.dashboard.words.text import count, known_at_latest, listed

LEAST_P = 1e-6
"""Rarer than this a chance is not written out: the tails of residuals are not known so far."""

_NUMBER = {rung.key: place for place, rung in enumerate(RUNGS, 1)}


def _labels_since(row: Row) -> str:
    maker = "" if row["names"][0] is None else ", {names[0]}"
    release = ", day of release unknown" if row["on_day"] is None else ", out since {on_day}"
    return f"labels {{kind}}{maker}{release}"


def _end(row: Row) -> str:
    """When the model's training ended, and who says so."""
    if row["names"][0] is None:
        return "released {until_day}, end of training data not stated"
    return "training data to {until_day}, as {names[0]} states"


def _declaration_text(row: Row) -> str:
    models = "one model" if row["value"] == 1 else "{value:i} models"
    split = "split {names[1]}" if row["names"][1] else "split not named"
    return f"declared as training data of {models} ({split}), such as {{names[0]}}"


def _rungs(row: Row) -> str:
    """Each rung that had an answer, with its level."""
    pairs = zip(row["names"][::2], row["names"][1::2], strict=True)
    return "; ".join(f"rung {_NUMBER[rung]} ({rung.replace('_', ' ')}): {level}" for rung, level in pairs)


_BY_FRESH = "{value:by} than benchmarks it cannot have seen predict, by the line through {n} other models"

SENTENCES: Mapping[str, Sentence] = {
    "nothing_of_exposure": "whether the labels are public is not known",
    "nothing_of_report": "no report is on record, which is no proof of absence",
    "nothing_of_cutoff_break": (
        "no items are dated, or too few models with a stated end of training have results on them"
    ),
    "nothing_of_declared_training": "no developer is on record as naming it",
    "nothing_of_twin": "no twin of new items connects models that could be tested",
    "nothing_of_anomaly": "too few models with dates and results on fresh benchmarks",
    "labels_since": _labels_since,
    "labels_withheld": "labels {kind}",
    "out_before_end": lambda row: f"out {{on_day}}, before the model's training ended ({_end(row)})",
    "out_after_end": lambda row: f"out {{on_day}}, after the model's training ended ({_end(row)})",
    "largest_share": (
        "largest of {n} documented shares: {value:%1} of the {names[2]:or test} items, {names[0]}, by {names[1]}"
    ),
    "reports_without_share": "{n} documented without a share, such as {names[0]}: {names[1]}",
    "declared_training": _declaration_text,
    "break_at_end": lambda row: (
        f"{{value:by}} on items from before the end of its training data ({_end(row)}) than {{numbers[0]:i}} models "
        "trained earlier predict"
    ),
    "than_twin_predicts": ("scores {numbers[0]:by} on {other_id} than models with its score here ({kind}, {n} models)"),
    "than_fresh_predict": _BY_FRESH,
    "than_fresh_extrapolate": f"{_BY_FRESH}; an extrapolation, since no other model measured here is like it",
    "model_not_placed": "not tested: fewer than two fresh benchmarks of the stitched scale place the model",
    "no_line_of_models": "not tested: fewer than ten public models have results here and on fresh benchmarks",
    "tested_flagged": f"{{numbers[0]:i}} of {{n}} tested models flagged at a false discovery rate of {FLAGGED_AT:.0%}",
    "nothing_known": "nothing is known that would raise or lower it",
    "by_rungs": _rungs,
    "labels_unknown": "visibility of the labels unknown",
    "labels": "labels: {kind}",
    "documented_reports": "documented reports; none found is no proof of absence",
    "no_documented_share": "no documented share",
    "documented_share": "{names[0]:or subject not named}, by {names[1]:or method not named}",
    "no_rung_tells": "no rung of the ladder of evidence raises or lowers the risk",
    "risk_by_rungs": lambda row: f"risk {{kind}}: {_rungs(row)}",
    "none_testable": "no model could be tested",
}

OTHERWISE: Mapping[str, str] = {
    "twin": "A model made for such tasks; tuning to the first one's format; another prompt on one of the two; chance.",
    "anomaly": "A model made for this kind of task; tuning to its format; a better prompt here than elsewhere; chance.",
    "cutoff_break": "Items after the cutoff may be harder, or of another kind; few items on one side; chance.",
}
"""What explains a model that stands out in each test, if not that items were seen."""


def excess_text(row: Mapping[str, Any]) -> str:
    """By how many points it scores above what is expected: `7.2 points (4.0 to 10.4)`."""
    return f"{fixed(row['value'])} points ({fixed(row['low'])} to {fixed(row['high'])})"


def false_alarm_text(row: Mapping[str, Any]) -> str:
    """How often a model that saw nothing stands out so far, and which share of such findings is expected to be none."""
    alone = f"1 in {1 / row['p_value']:,.0f} by chance" if row["p_value"] > LEAST_P else "rarer than 1 in 1,000,000"
    return f"{alone}; {percent(row['q_value'])} of findings as strong"


def missed_leak_text(row: Mapping[str, Any]) -> str:
    """The leak that the test of this model would have missed."""
    if row["detectable"] is None:
        return "most leaks: that of all items would show in fewer than 4 of 5 cases"
    return f"most leaks of less than {percent(row['detectable'])} of the items"


def standing_out_sentence(tested: pl.DataFrame, rows: pl.DataFrame) -> str:
    """The finding over all tested pairs: how many stand out, how many of them by chance, and what it does not say."""
    data_to = known_at_latest(latest(tested["known_until"]))
    pairs = f"{tested.height:,} tested pairs of a model and a benchmark"
    if tested.is_empty():
        return "No model has been tested on any benchmark of this generation."
    if rows.is_empty():
        return f"None of {pairs} scores higher than expected beyond error{data_to}. That is no proof of clean models."
    verb = "scores" if rows.height == 1 else "score"
    least = f"at most {FLAGGED_AT:.0%} of these are expected to be chance"
    models, n_benchmarks = rows["model_id"].n_unique(), rows["benchmark_id"].n_unique()
    return (
        f"**{rows.height:,} of {pairs} {verb} higher than expected**: {count(models, 'model')} on "
        f"{count(n_benchmarks, 'benchmark')}; {least}{data_to}. *Higher than expected* is all that a row says: it is "
        "about scores, not about anyone's conduct. Who is not in the table was not shown to be clean."
    )


OWN_FILES = """# gsm8k.csv
benchmark_id,model,score,unit,n_items
gsm8k,Alder 7B,71.5,percent,1319
# gsm1k.csv
benchmark_id,model,score,unit,n_items
gsm1k,Alder 7B,56.9,percent,1205"""
"""Two files as a laboratory brings them: one test and its second measurement."""

OWN_COMMANDS = """benchhealth import gsm8k.csv && benchhealth import gsm1k.csv && benchhealth assess
benchhealth check "Alder 7B" --output alder.html"""
"""What is done with the two files, where benchhealth is installed."""


OWN_MODEL = (
    "Bring two files of your model's results: one on a benchmark, one on its second measurement. Nothing is sent "
    "anywhere, and no public number changes. The answer is a page: by how many points your model is off what other "
    "models lead to expect, how often chance does that, what else explains it, and what leak would have been missed. "
    "Unknown is an answer."
)
"""What a laboratory needs to hold its own model against a second measurement, and what it gets."""


def own_pairs(pairs: list[str]) -> str:
    """Which benchmarks have a second measurement with new items, each pair in markdown."""
    if not pairs:
        return "No benchmark here has a second measurement with new items."
    return f"Second measurements with new items: {listed(pairs)}. A fresh set of your own will do too."
