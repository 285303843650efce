"""The chosen benchmark beside the matrix: its twin, what the gap may mean, and what the test could not see."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.dashboard.pages.trust import fresh_samples, matrix_rows
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.benchmarks import known_until
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets.shared import TWIN, twin_row
from benchhealth.dashboard.words.answers.sentences import Words
from benchhealth.dashboard.words.text import count, known, markdown, short

_MEANING = {
    "fresh sample": "Items seen in training would put single models off the line. Tuning by everyone would tilt it; "
    "another mix of items would shift it. None proves a cause.",
    "live split": "The later items are others: a shift of all models may be their difficulty, single models off the "
    "line may have seen the earlier ones. Neither proves a cause.",
    "independent rerun": "The items are the same: a gap is about prompts, effort and who measured, and is no evidence "
    "that items were seen.",
    "equal preparation": "All models were prepared alike: what falls was preparation, not skill. It is no evidence "
    "that items were seen.",
}
_BY_DESIGN = (
    "The second is different by design, so its gap has no one cause; single models off the line are a hint at most, "
    "and no evidence that items were seen."
)


ANSWERED_QUESTIONS = ("seen", "second")
"""The questions that the page answers of a benchmark."""


def question_and_answer(answer: Words) -> str:
    """A question with its answer and its sentence, in markdown."""
    return f"**{markdown(answer.question)}** {markdown(answer.tile)}  \n:small[:gray[{markdown(answer.line)}]]"


@recently
def twins_of(view: View, benchmark_id: str) -> pl.DataFrame:
    """The twins that a benchmark is a side of: that of its answer first, then those of new items and of most models."""
    is_original = pl.col("original_id") == benchmark_id
    fresh_first = pl.col("kind") == fresh_samples.FRESH
    rows = twin_pairs.twins_of(view, benchmark_id).filter(pl.col("n_models") > 0)
    is_answer = pl.col("twin_id").eq_missing(pl.lit(fresh_samples.twin_of(view, benchmark_id), dtype=pl.String))
    return rows.sort(is_answer, is_original, fresh_first, descending=True, maintain_order=True)


def chosen_twin(view: View, benchmark_id: str) -> str | None:
    """The twin of the address where it is one of the benchmark's, else its first."""
    rows = twins_of(view, benchmark_id)["twin_id"].to_list()
    asked_twin = st.query_params.get("twin")
    return asked_twin if asked_twin in rows else (rows[0] if rows else None)


def show(view: View, benchmark_id: str) -> str:
    """Draw both answers about trust, then the chosen twin; returns the twin's longer text as markdown."""
    by_question = words_of(view, benchmark_id)
    st.markdown("\n\n".join(question_and_answer(by_question[key]) for key in ANSWERED_QUESTIONS if key in by_question))
    rows = twins_of(view, benchmark_id)
    if rows.is_empty():
        _without_twin(view, benchmark_id)
        return ""
    twin_id = _twin_box(rows)
    params = {"twin": twin_id, "scale": st.query_params.get("scale", "")}
    if twin_pairs.twins(view, {"scale": params["scale"]}).filter(pl.col("twin_id") == twin_id).is_empty():
        params.pop("scale")
    if block.show(view, TWIN, params) is None:
        return ""
    row = twin_row(view, {"twin": twin_id})
    replications = fresh_samples.replications(view, row)
    is_answer = twin_id == fresh_samples.twin_of(view, benchmark_id)
    if (
        paragraph := fresh_samples.replication_sentence(replications)
        if is_answer
        else fresh_samples.gap(row, replications)
    ):
        st.markdown(markdown(paragraph))
    return _paragraphs(view, row, params)


def _paragraphs(view: View, row: Mapping[str, Any], params: Mapping[str, str]) -> str:
    """Who stands out, what the gap may mean, and what the test could not see, a paragraph each."""
    paragraphs = [
        markdown(fresh_samples.standing_out(row, twin_pairs.residuals(view, params))),
        in_matrix(view, row),
        f"**What it may mean.** {_MEANING.get(row['kind'], _BY_DESIGN)}",
    ]
    if row["detectable"] is not None and row["tested"]:
        paragraphs.append(
            f"**What it could not see:** less than {row['detectable']:.1f} points in one of "
            f"{row['n_models']:,} results{markdown(known(row['known_until']))}. No flag is no proof of a clean model."
        )
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def in_matrix(view: View, row: Mapping[str, Any]) -> str:
    """The matrix's number where it counts more than this twin: each model once, over all twins of new items."""
    if row["kind"] not in SAMPLED:
        return ""
    cell = matrix_rows.cells(view).filter(pl.col("benchmark_id") == row["original_id"], pl.col("kind") == "twin")
    if cell.is_empty() or cell["n"][0] == row["tested"]:
        return ""
    twins = twin_pairs.twins(view, {}).filter(
        pl.col("original_id") == row["original_id"], pl.col("kind").is_in(SAMPLED), pl.col("tested") > 0
    )
    sentence = f"The matrix has {cell['text'][0]}: each model once, over {count(twins.height, 'twin')} of new items"
    return f"{sentence}{markdown(known(row['known_until']))}."


def _twin_box(rows: pl.DataFrame) -> str:
    """The twin, by a box where there are several."""
    first = str(rows["twin_id"][0])
    if rows.height == 1:
        links.pin("twin", first)
        return first
    named = {
        twin_id: f"{short(original)} and {short(other_name)}, {kind} ({n:,})"
        for twin_id, original, other_name, kind, n in rows.select(
            "twin_id", "original", "other", "kind", "n_models"
        ).iter_rows()
    }
    return filters.id_picker("twin", f"Second measurement, {len(named)} to choose from", named)


def _without_twin(view: View, benchmark_id: str) -> None:
    """Draw what is known of a benchmark that shares no model with a second measurement."""
    cells = matrix_rows.cells(view).filter(pl.col("benchmark_id") == benchmark_id)
    lines = [
        f"- **{' '.join(matrix_rows.KINDS[kind])}**: {markdown(reason or matrix_rows.WORDS[strength])}"
        for kind, strength, reason in cells.select("kind", "strength", "reason").iter_rows()
    ]
    if lines:
        st.markdown(f"Found by kind{known(known_until(view, [benchmark_id]))}:\n\n" + "\n".join(lines))
    else:
        empty.nothing(
            "Nobody has tested it.",
            "A fresh sample, a rerun or a documented overlap would say something; none is known.",
        )
