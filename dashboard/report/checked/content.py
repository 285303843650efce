"""The page about one model: every twin that it has, where it falls, and what that can and cannot mean."""

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.labels import Box, Point, placed_labels
from benchhealth.dashboard.figures.language import LABEL, laid_out
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.checked import words
from benchhealth.dashboard.report.checked.found import CheckedModel, named_model
from benchhealth.dashboard.report.still import WIDTH
from benchhealth.dashboard.report.tree import Block, Part, Picture, Report, Section, Table, of_generation
from benchhealth.dashboard.words.numbers import day_of, percent, probability, signed
from benchhealth.dashboard.words.text import count, plotly

MOST_DRAWN = 2
"""Twins that have a chart; the table has all."""

HEIGHT = 262
"""The height of a chart in pixels."""

INFERENCES = (
    "These are inferences from scores, not accusations: a model may score higher than a twin predicts for several "
    "reasons. What is not known is said to be unknown."
)


def on_model(view: View, id_or_name: str) -> Report:
    """What the generation says of the model. Raises ParameterError for one that it does not hold, naming near ones."""
    model = named_model(view, id_or_name)
    title = f"{model.name}: does it score higher than second measurements predict?"
    part = Part(model.model_id, title, None, _line(model), _front(model), _second_page(model), goes_on=True)
    return of_generation(view, title, (part,))


def _line(model: CheckedModel) -> str:
    whose = "Your own results" if model.own else "Public results"
    fresh = sum(row["fresh"] for row in model.twins)
    twins = f"{count(len(model.twins), 'twin result')}, {fresh} of them on twins of new items"
    return f"{whose}: {count(len(model.benchmarks), 'benchmark')}, {twins}"


def _front(model: CheckedModel) -> tuple[Block, ...]:
    fresh = [row for row in model.twins if row["fresh"]]
    sentences = tuple(dict.fromkeys(words.quotable_sentence(model, row) for row in fresh)) or (
        f"Unknown: {model.name} has no result on both sides of a twin of new items.",
    )
    tested = [row for row in fresh if row["q_value"] is not None]
    pictures = [_picture(model, row) for row in tested[:MOST_DRAWN]]
    return (
        Section(
            "In a sentence",
            points=(*sentences, *words.largest(model), *words.anomalies(model)),
            note=INFERENCES,
            framed=True,
        ),
        *pictures,
        _twins(model),
    )


def _second_page(model: CheckedModel) -> tuple[Block, ...]:
    rows = model.rung("anomaly").sort("q_value", "benchmark", nulls_last=True)
    testable = rows.drop_nulls("value")
    missing, of_benchmarks = words.missing_results(model), words.of_the_benchmarks(model)
    blocks: list[Block] = [
        Section(
            "Against benchmarks that it cannot have seen",
            paragraphs=("No benchmark that it may have seen could be held against fresh ones.",) * testable.is_empty(),
            points=words.untested_benchmarks(rows),
            table=_anomalies(testable),
            note=(
                f"Higher than chance explains: corrected p (q) of at most {FLAGGED_AT}, over all pairs of "
                f"{'this model' if model.own else 'public models'}."
            ),
        ),
        *([Section("What is known of the benchmarks", points=of_benchmarks)] if of_benchmarks else []),
        Section("What leak would have shown", points=words.power(model)),
        Section("What cannot be said", points=words.limits(model)),
    ]
    if missing:
        blocks.append(Section("What would tell more", points=missing))
    return tuple(blocks)


def _picture(model: CheckedModel, row: Row) -> Picture:
    rows = twin_pairs.residuals(model.view, {"twin": row["twin_id"]}).drop_nulls(["original", "other"])
    other_rows = rows.filter((pl.col("model_id") != model.model_id) & ~pl.col("beside"))
    return Picture(
        title=f"{row['original']} against {row['other']}{row['in_setting']}",
        subtitle=(
            f"{count(other_rows.height, 'other result')} ({row['kind']}), until {day_of(row['known_until'])}. Dashed: "
            "equal scores. The filled mark is this model; the cross is where it was expected."
        ),
        alt=words.quotable_sentence(model, row),
        source=row["source_url"] or "declared with results of your own",
        figure=_scatter(model.name, row, other_rows.select("other", "original").rows()),
    )


def _scatter(name: str, row: Row, other_points: Sequence[tuple[float, float]]) -> go.Figure:
    """The second side across, the first up, with the model marked; `other_points` are those of all others."""
    own_point, expected = (row["other_score"], row["original_score"]), row["expected"]
    cross = [] if expected is None else [(expected, own_point[1])]
    points = [own_point, *cross, *other_points]
    low, high = (end([value for point in points for value in point]) for end in (min, max))
    pad = (high - low) * 0.06 or 1.0
    low, high = low - pad, high + pad
    figure = laid_out(go.Figure(), LIGHT, HEIGHT)
    figure.update_layout(margin={"t": 22}, xaxis={"range": [low, high]}, yaxis={"range": [low, high]})
    figure.update_xaxes(title={"text": plotly(f"{row['other']} (across)")})
    dashed = {"color": LIGHT.ink3, "width": 1, "dash": "dash"}
    figure.add_scatter(x=[low, high], y=[low, high], mode="lines", line=dashed)
    for spots, marker in (
        (other_points, {"symbol": "circle-open", "size": 5.5, "color": LIGHT.ink3}),
        (cross, {"symbol": "x-thin", "size": 8, "line": {"color": LIGHT.ink, "width": 1.4}}),
        ([own_point], {"size": 10, "color": LIGHT.accent}),
    ):
        figure.add_scatter(x=[x for x, _ in spots], y=[y for _, y in spots], mode="markers", marker=marker)
    wide, tall = WIDTH - 60, HEIGHT - 60
    crowd = [Point((x - low) / (high - low) * wide, (y - low) / (high - low) * tall) for x, y in points]
    for label in placed_labels([replace(crowd[0], text=name), *crowd[1:]], Box(0, 0, wide, tall), LABEL):
        figure.add_annotation(
            x=own_point[0], y=own_point[1], ax=label.x - crowd[0].x, ay=crowd[0].y - label.y, text=plotly(name),
            arrowwidth=0.7, arrowcolor=LIGHT.line if label.leader else "rgba(0,0,0,0)", font={"color": LIGHT.ink},
        )  # fmt: skip
    figure.add_annotation(
        xref="paper", yref="paper", x=0, y=1, xanchor="left", yanchor="bottom", showarrow=False,
        text=plotly(f"{row['original']} (up)"), font={"color": LIGHT.ink3},
    )  # fmt: skip
    return figure


def _twins(model: CheckedModel) -> Section:
    table = Table(
        heads=("Benchmark", "Measured again", "Kind", "Score", "Again", "Expected", "q", "Models", "Until"),
        rows=tuple(
            (
                str(row["original"]),
                f"{row['other']}{row['in_setting']}",
                str(row["kind"]),
                f"{row['original_score']:.1f}",
                f"{row['other_score']:.1f}",
                "" if row["expected"] is None else f"{row['expected']:.1f}",
                "not tested" if row["q_value"] is None else probability(row["q_value"]),
                f"{row['n_models'] or 0:,}",
                day_of(row["known_until"]),
            )
            for row in model.twins
        ),
        widths=(20, 20, 14, 7, 8, 9, 10, 8, 12),
        right=(3, 4, 5, 6, 7),
    )
    note = (
        "Only fresh samples and live splits bear on seen items. A harder variant, another metric or a rerun by others "
        "keeps the items or changes more than them."
    )
    none = () if model.twins else ("It has none: no benchmark that it has results on has a twin with results of it.",)
    return Section("Every twin it has", paragraphs=none, table=table, note=note if model.twins else "")


def _anomalies(rows: pl.DataFrame) -> Table:
    def cells_of(row: Row) -> tuple[str, ...]:
        least = "" if row["detectable"] is None else percent(row["detectable"])
        return (
            str(row["benchmark"]),
            f"{signed(row['value'])} [{signed(row['low'])}, {signed(row['high'])}]",
            "extrapolation" if row["q_value"] is None else probability(row["q_value"]),
            least,
            f"{row['n']:,}",
            day_of(row["until"]),
        )

    return Table(
        heads=("Benchmark", "Points above", "q", "Leak that would show", "Models", "Until"),
        rows=tuple(cells_of(row) for row in rows.iter_rows(named=True)),
        widths=(30, 22, 14, 16, 8, 14),
        right=(1, 2, 3, 4),
    )
