"""Replies about models: one, two beside each other, two scores, and one against every second measurement."""

from typing import Any

import polars as pl

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.pages.models import head
from benchhealth.dashboard.published.boards import difference as scores
from benchhealth.dashboard.published.generation import ParameterError, Params, View, required
from benchhealth.dashboard.published.models import facts_of, pair, positions, summary_of
from benchhealth.dashboard.replies.benchmark import BENCHMARK, BENCHMARK_PARAMETER, MODEL
from benchhealth.dashboard.replies.reply import Reply, ReplySpec, reply, some
from benchhealth.dashboard.report import plain
from benchhealth.dashboard.report.checked.content import on_model
from benchhealth.dashboard.report.checked.found import named_model
from benchhealth.dashboard.report.tree import Section
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words import models as words_of_models
from benchhealth.dashboard.words.boards import difference as words
from benchhealth.dashboard.words.text import known_at_latest

FIRST, SECOND, ON = "a", "b", "benchmark"
CLOCK = "then"
"""A model is held against the best of its day, as its page is at first."""


def model(view: View, params: Params) -> Reply:
    """Where a model stands: on how many benchmarks it was the best of its day, and what is known of each."""
    model = named_model(view, required(params, MODEL))
    facts, summary = facts_of(view, model.model_id), summary_of(view, model.model_id, CLOCK)
    rows = positions(view, model.model_id)
    until = latest(rows["known_until"])
    title = words_of_models.title(facts, summary, CLOCK)
    lead = "" if summary is None else f"{words_of_models.lead(rows, head.fates_of(view, model.model_id), CLOCK)} "
    benchmarks = rows["benchmark_id"].to_list()
    return reply(
        view,
        "model",
        f"{title}. {lead}{words_of_models.model_line(facts)}.",
        {"model": dict(facts), "summary": None if summary is None else dict(summary), **some(rows.to_dicts())},
        cites=title,
        known_until=until,
        page=links.address("models", model=model.model_id),
        conditions=_stated_conditions(rows),
        sources=provenance.of_models(view, [model.model_id], benchmarks),
    )


def check(view: View, params: Params) -> Reply:
    """One model against every second measurement of what it was tested on, as `benchhealth check` prints it."""
    model = named_model(view, required(params, MODEL))
    report = on_model(view, model.model_id)
    (part,) = report.parts
    sentences = [point for block in part.front if isinstance(block, Section) for point in block.points]
    until = max((row["known_until"] for row in model.twins if row["known_until"]), default=None)
    return reply(
        view,
        "check",
        plain.text(report),
        {"model_id": model.model_id, "name": model.name, "said": sentences, **some([dict(row) for row in model.twins])},
        cites=sentences[0],
        known_until=until,
        page=links.address("models", model=model.model_id),
        sources=provenance.of_models(view, [model.model_id], model.benchmarks),
    )


def compare(view: View, params: Params) -> Reply:
    """Two models on one benchmark, else on all that both stand on under one condition."""
    names = [required(params, side) for side in (FIRST, SECOND)]
    if params.get(ON):
        if names[1] != scores.BEST:
            names[1] = named_model(view, names[1]).model_id
        parameters = {
            scores.BENCHMARK: params[ON],
            scores.MODEL: named_model(view, names[0]).model_id,
            scores.OTHER: names[1],
        }
        return _two_scores(view, "compare", parameters)
    first, second = (named_model(view, name) for name in names)
    if first.model_id == second.model_id:
        raise ParameterError("two models are compared, not one with itself")
    rows = pair(view, first.model_id, second.model_id)
    until = latest(rows["known_until"])
    called = first.name, second.name
    title = words_of_models.pair_title(rows, called)
    conclusion = two_models.sentence(rows, called)
    return reply(
        view,
        "compare",
        ". ".join(filter(None, (title, f"{conclusion}{known_at_latest(until)}" if conclusion else ""))) + ".",
        {"a": first.model_id, "b": second.model_id, **some(rows.to_dicts())},
        cites=title,
        known_until=until,
        page=links.address("models", model=first.model_id, other=second.model_id),
        sources=provenance.of_models(view, [first.model_id, second.model_id], rows["benchmark_id"].to_list()),
    )


def difference(view: View, params: Params) -> Reply:
    """The reply on two scores of a benchmark: whether they differ by more than chance."""
    return _two_scores(view, "difference", params)


def _two_scores(view: View, asked_as: str, params: Params) -> Reply:
    comparison = scores.score_pair(view, params)
    settles = comparison.difference.settles
    data: dict[str, Any] = {
        "benchmark_id": comparison.benchmark_id,
        "benchmark": comparison.benchmark,
        "title": words.title(comparison),
        "sentence": words.sentence(comparison),
        "limits": words.limits(comparison),
        "first": vars(comparison.first),
        "second": vars(comparison.second),
        "case": None if comparison.unlike else comparison.difference.case,
        "difference": None if comparison.unlike else comparison.difference.value,
        "intervals": [] if comparison.unlike else [vars(limits) for limits in comparison.difference.intervals],
        "items_to_settle": None if comparison.unlike else settles,
        "item_by_item": comparison.pairs is not None,
        "unlike": [list(limits) for limits in comparison.unlike],
    }
    models = [side.model_id for side in (comparison.first, comparison.second) if side.model_id]
    sources = provenance.of_models(view, models, [comparison.benchmark_id]) if models else ()
    return reply(
        view,
        asked_as,
        words.text(comparison),
        data,
        cites=words.sentence(comparison),
        known_until=comparison.known_until,
        page=f"{links.address('benchmark', **{**params, BENCHMARK: comparison.benchmark_id})}#two-scores",
        conditions=[comparison.condition if comparison.condition != UNSTATED else None],
        sources=sources or provenance.of_benchmarks(view, [comparison.benchmark_id]),
    )


def _stated_conditions(rows: pl.DataFrame) -> list[str]:
    return rows["condition"].drop_nulls().filter(rows["condition"].drop_nulls() != UNSTATED).unique().sort().to_list()


_NAMED_MODEL = "a model, by its id or its name"
MODELS = ReplySpec("model", "Where a model stands, and on what that rests.", {MODEL: _NAMED_MODEL}, model, (MODEL,))
CHECK = ReplySpec(
    "check",
    "A model against every second measurement of what it was tested on.",
    {MODEL: _NAMED_MODEL},
    check,
    (MODEL,),
)
COMPARE = ReplySpec(
    "compare",
    "Whether two models differ, on one benchmark or on all that both stand on.",
    {
        FIRST: _NAMED_MODEL,
        SECOND: "another; or best, the best of the others on the benchmark",
        ON: BENCHMARK_PARAMETER[BENCHMARK],
    },
    compare,
    (FIRST, SECOND),
)
DIFFERENCE = ReplySpec(
    "difference",
    "Whether two scores on a benchmark differ by more than chance.",
    {
        **BENCHMARK_PARAMETER,
        scores.FIRST: "a score as published, in percent where it is a share",
        scores.SECOND: "another",
        scores.ITEMS: "items of both, or of each with a comma; else those of the test",
        scores.SHOTS: "examples in the prompt of both, or of each with a comma",
    },
    difference,
    (BENCHMARK, scores.FIRST, scores.SECOND),
)
