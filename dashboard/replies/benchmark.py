"""Replies of the API about one benchmark: one of its answers, all of them, and who measured its best scores."""

from typing import Any

import polars as pl

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.dashboard.pages.benchmark.card import PLACES, address_of
from benchhealth.dashboard.pages.benchmark.facts import verdict_of
from benchhealth.dashboard.published.answers import answers_of, words_of
from benchhealth.dashboard.published.benchmarks import named_benchmark
from benchhealth.dashboard.published.generation import ParameterError, Params, View, required
from benchhealth.dashboard.replies.reply import MOST_ROWS, Reply, ReplySpec, reply, some
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words import sentences
from benchhealth.dashboard.words.answers.parts import WITHHELD
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.dashboard.words.prose.corroboration import best_sentence, bests_sentence
from benchhealth.dashboard.words.text import one_line

BENCHMARK, QUESTION, MODEL = "benchmark", "question", "model"
BENCHMARK_PARAMETER = {BENCHMARK: "a benchmark, by its id or its whole name"}


def answer(view: View, params: Params) -> Reply:
    """The answer to one question about a benchmark, as its page gives it."""
    facts, question = named_benchmark(view, required(params, BENCHMARK)), required(params, QUESTION)
    if question not in TITLES:
        raise ParameterError(f"no question {question[:40]!r}; there are {', '.join(TITLES)}")
    benchmark_id = facts["benchmark_id"]
    name = one_line(facts["name"] or benchmark_id)
    row, wording = answers_of(view, benchmark_id).get(question), words_of(view, benchmark_id).get(question)
    about = {"benchmark_id": benchmark_id, "benchmark": name, "question": TITLES[question], "key": question}
    if row is None or wording is None:
        page = links.address("benchmark", benchmark=benchmark_id)
        text = f"{TITLES[question]} {WITHHELD.capitalize()}."
        return reply(
            view, "answer", text, {**about, "reply": None}, cites=f"{name}. {text}", known_until=None, page=page
        )
    words = {key: getattr(wording, key) for key in ("reply", "number", "tile", "line", "paragraph", "alt", "spoken")}
    return reply(
        view,
        "answer",
        f"{wording.question} {wording.tile}. {wording.paragraph}",
        {**about, **words, "row": dict(row)},
        cites=f"{name}. {wording.alt}",
        known_until=row["known_until"],
        page=address_of(benchmark_id, row),
        conditions=[_condition_of(row["condition"])],
        sources=provenance.of_benchmarks(view, [benchmark_id]),
    )


def benchmark(view: View, params: Params) -> Reply:
    """What a benchmark is, its stage and flags, and all answers about it."""
    facts = named_benchmark(view, required(params, BENCHMARK))
    benchmark_id = facts["benchmark_id"]
    name, verdict = one_line(facts["name"] or benchmark_id), verdict_of(view, benchmark_id)
    rows, wordings = answers_of(view, benchmark_id), words_of(view, benchmark_id)
    about = "; ".join(f"{label}: {text}" for label, text in sentences.benchmark_facts(facts))
    lines = [
        f"{name}. {about}",
        *(f"{wording.question} {wording.tile}. {wording.line}" for wording in wordings.values()),
    ]
    data: dict[str, Any] = {
        "benchmark": dict(facts),
        "stage": verdict["stage"],
        "flags": verdict["flags"],
        "since": verdict["since"],
        "answers": {
            key: {"question": wording.question, "tile": wording.tile, "line": wording.line}
            for key, wording in wordings.items()
        },
    }
    return reply(
        view,
        "benchmark",
        "\n".join(lines),
        data,
        cites=f"{name}. {wordings['stage'].alt}" if "stage" in wordings else name,
        known_until=verdict["known_until"],
        page=links.address("benchmark", benchmark=benchmark_id),
        conditions=[_condition_of(row["condition"]) for row in rows.values()],
        sources=provenance.of_benchmarks(view, [benchmark_id]),
    )


def corroboration(view: View, params: Params) -> Reply:
    """Who measured the best scores of a benchmark, and what others found of those that their makers report.

    A score has a row for each kind of best that it is (of its condition, of its day, among ten), and one sentence.
    """
    facts = named_benchmark(view, required(params, BENCHMARK))
    benchmark_id, asked_for = facts["benchmark_id"], params.get(MODEL, "")
    names = view.table("model").select("model_id", model=pl.coalesce("name", "model_id"))
    rows = (
        view.table("corroboration")
        .filter(pl.col("benchmark_id") == benchmark_id)
        .join(names, on="model_id", how="left", maintain_order="left")
        .with_columns(pl.coalesce("model", "model_id").alias("model"))
    )
    if asked_for:
        word = one_line(asked_for).casefold()
        rows = rows.filter((pl.col("model_id") == word) | (pl.col("model").str.to_lowercase() == word))
    name, until = one_line(facts["name"] or benchmark_id), verdict_of(view, benchmark_id)["known_until"]
    bests = rows.to_dicts()
    told_once = rows.unique(["model_id", "condition", "score", "class", "reason"], keep="first", maintain_order=True)
    summary = bests_sentence(name, told_once.height, one_line(asked_for), until)
    lines = [best_sentence(row, facts["unit"]) for row in told_once.head(MOST_ROWS).iter_rows(named=True)]
    return reply(
        view,
        "corroboration",
        "\n".join([summary, *lines]),
        {"benchmark_id": benchmark_id, "benchmark": name, **some(bests)},
        cites=summary,
        known_until=until,
        page=f"{links.address('benchmark', benchmark=benchmark_id)}#{PLACES['second'].anchor}",
        conditions=[_condition_of(row["condition"]) for row in bests],
        sources=provenance.of_benchmarks(view, [benchmark_id]),
    )


def _condition_of(condition: str | None) -> str | None:
    """The condition of a score; None where its source states none."""
    return None if condition in (None, UNSTATED) else condition


ANSWER = ReplySpec(
    "answer",
    "The answer to one question about a benchmark, in words and numbers.",
    {**BENCHMARK_PARAMETER, QUESTION: f"one of {', '.join(TITLES)}"},
    answer,
    (BENCHMARK, QUESTION),
)
ABOUT = ReplySpec(
    "benchmark",
    "What a benchmark is, its stage, and all answers about it.",
    BENCHMARK_PARAMETER,
    benchmark,
    (BENCHMARK,),
)
CORROBORATION = ReplySpec(
    "corroboration",
    "Who measured the best scores of a benchmark, and what others found.",
    {**BENCHMARK_PARAMETER, MODEL: "of this model alone, by its id or its name"},
    corroboration,
    (BENCHMARK,),
)
