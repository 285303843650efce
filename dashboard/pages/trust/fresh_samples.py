"""What fresh samples of old benchmarks say, in text: how much old scores overstate, and which models stand out."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.twin import (
    Twin,
    expectation,
    gap_interval,
    mean_gap_text,
    order_sentence,
    other_named,
    side_name,
)
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.answers import answers_of, answers_to, names
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.answers.sentences import words
from benchhealth.dashboard.words.numbers import signed
from benchhealth.dashboard.words.text import count, known, listed, markdown, without_maker

FRESH = "fresh sample"
FEWEST_MODELS = 10
MODELS_NAMED = 20
"""Models that are named at most; the others are counted."""


def fresh(view: View) -> list[Row]:
    """The answers to `second` that rest on new items drawn alike, as the original; those of most models first."""
    is_answered = pl.col("case").is_in(["agrees", "differs", "new_items_error_unknown"])
    rows = answers_to(view, "second").filter(is_answered, pl.col("kind") == FRESH, pl.col("side") == "first")
    return list(
        rows.filter(pl.col("n") >= FEWEST_MODELS).sort("n", descending=True, maintain_order=True).iter_rows(named=True)
    )


def twin_of(view: View, benchmark_id: str) -> str | None:
    """The twin that the answer to whether a second measurement agrees is about."""
    row = answers_of(view, benchmark_id).get("second")
    return None if row is None else row["twin_id"]


def replications(view: View, row: Twin) -> list[Twin]:
    """The other twins of the same two benchmarks: the same question, answered by other results."""
    same = pl.all_horizontal(pl.col(side) == row[side] for side in ("original_id", "other_id"))
    rows = twin_pairs.twins(view, {}).filter(same & (pl.col("twin_id") != row["twin_id"]) & (pl.col("n_models") > 0))
    return list(rows.iter_rows(named=True))


def gap(row: Twin, other_twins: Sequence[Twin]) -> str:
    """How far scores fall on the second, over how many, in how many sets of results, and whether the order holds."""
    if row["gap"] is None:
        return ""
    pair = (
        f"Scores are {mean_gap_text(row)}{gap_interval(row)} on {other_named(row)} than on {side_name(row['original'])}"
    )
    sentence = f"{pair}, on average over {count(row['n_models'], 'result')}"
    if other_twins:
        sentence += f"; {_other_results(other_twins)}"
    if row["cause"] == "chance":
        sentence += ", no more than another draw of items and models would change"
    order = order_sentence(row)
    order = f"; {order}" if order else ""
    return f"{sentence}{order}{known(row['known_until'])}."


def replication_sentence(other_twins: Sequence[Twin]) -> str:
    """What other results on the same two benchmarks say; empty where there are none."""
    if not other_twins:
        return ""
    sentence = _other_results(other_twins)
    return f"{sentence[:1].upper()}{sentence[1:]}{known(min((twin['known_until'] for twin in other_twins), key=str))}."


def _other_results(other_twins: Sequence[Twin]) -> str:
    gaps = listed([f"{mean_gap_text(twin)} over {count(twin['n_models'], 'result')}" for twin in other_twins])
    return f"other results on the same two say {gaps}"


def standing_out(row: Twin, residuals: pl.DataFrame) -> str:
    """The models that score lower on the second than expected, and by how many points, the furthest first."""
    second = other_named(row)
    if not row["tested"]:
        return f"No model can be tested on {second}: errors, models or a line that fits are missing."
    flagged = residuals.filter(pl.col("flagged") & ~pl.col("beside")).sort(pl.col("residual").abs(), descending=True)
    of_tested = f"{flagged.height:,} of {count(row['tested'], 'tested result')}"
    if flagged.is_empty():
        none = f"None of {count(row['tested'], 'tested result')}"
        return f"{none} scores lower on {second} than {expectation(row)}, error counted in{known(row['known_until'])}."
    furthest = flagged.select("model", "residual").head(MODELS_NAMED).iter_rows()
    names = [f"{without_maker(model)} ({signed(difference, 0)})" for model, difference in furthest]
    rest_text = [f"{flagged.height - MODELS_NAMED} more"] if flagged.height > MODELS_NAMED else []
    verb = "scores" if flagged.height == 1 else "score"
    return (
        f"{of_tested} {verb} lower on {second} than {expectation(row)}, at 5% false discoveries, in points: "
        f"{listed([*names, *rest_text])}{known(row['known_until'])}."
    )


@recently
def fresh_sample_items(view: View, excluded: str | None = None) -> str:
    """One item for each original with a fresh sample, except `excluded`: gap, models that stand out, and a link."""
    items, all_twins = [], twin_pairs.twins(view, {})
    for answered in fresh(view):
        if answered["twin_id"] == excluded:
            continue
        row = all_twins.row(by_predicate=pl.col("twin_id") == answered["twin_id"], named=True)
        sentences = (words(answered, names(view)).line, replication_sentence(replications(view, row)))
        text = " ".join(markdown(sentence) for sentence in sentences if sentence)
        if row["flagged"]:
            text += f" {markdown(standing_out(row, twin_pairs.residuals(view, {'twin': row['twin_id']})))}"
        url = links.address("trust", benchmark=row["original_id"], twin=row["twin_id"])
        items.append(f"- **{markdown(side_name(row['original']))}.** {text} [See it]({url})")
    return "\n".join(items)
