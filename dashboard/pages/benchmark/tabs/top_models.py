"""The top models of a leaderboard of the benchmark, and the group within error of the first."""

from collections.abc import Sequence

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import NO_MODEL
from benchhealth.analytics.statistics.errors import Z95, true_error
from benchhealth.analytics.statistics.float_noise import is_same
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.base import is_bounded, with_error
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.effort import with_effort
from benchhealth.dashboard.figures.language import (
    OPENS_MODEL,
    Drawing,
    laid_out,
    named_rows,
    on_hover,
    quiet_line,
    write,
)
from benchhealth.dashboard.figures.lettering.axes import score_axis
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of, sources_of
from benchhealth.dashboard.pages.benchmark.figures.frame import best_of_models
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import ParameterError, Params, View, one_of, recently
from benchhealth.dashboard.published.models import several_numbers
from benchhealth.dashboard.published.results import (
    boards,
    frontier,
    holder,
    judged_by,
    known_benchmark,
    leaders,
    results,
)
from benchhealth.dashboard.widgets import block, filters, links, provenance
from benchhealth.dashboard.words.boards.first_place import top_title
from benchhealth.dashboard.words.boards.ties import AT_ONCE
from benchhealth.dashboard.words.measurers import differing
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.ranks import how_compared, rank_line, span
from benchhealth.dashboard.words.text import code, count, markdown, one_line, plotly, without_maker

MODELS_SHOWN = 18
MOST_TICKS = 3
"""How many steps of the axis have room on a phone, beside names and ranks."""
ROW_HEIGHT = 22


def top_chart(
    facts: Facts, all_models: pl.DataFrame, matching: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The top of a board, known until the day in `facts`: of all its models those that filters keep, with `error` and
    `organisation`."""
    if matching.is_empty():
        return Nothing(
            "None of these models is listed here.",
            f"0 of {all_models.height:,} match. Take a filter off above.",
        )
    rows = matching.head(MODELS_SHOWN)
    figure, highest = Drawing(), 1.0 if is_bounded(facts["unit"]) else float("inf")
    names = told_apart([without_maker(name) for name in rows["model"]], 32)
    settings = rows["setting"].to_list()
    heights = list(range(rows.height, 0, -1))
    for height, row in zip(heights, rows.iter_rows(named=True), strict=True):
        first = row["rank_low_joint"] == 1
        colour = palette.accent if first else palette.ink3
        if row["error"] is not None:
            ends = [row["score"] - Z95 * row["error"], min(row["score"] + Z95 * row["error"], highest)]
            quiet_line(figure, ends, [height, height], width=5, color=palette.faint(colour, 0.45))
    could = rows["rank_low_joint"].fill_null(0).to_list()
    figure.add_scatter(
        x=rows["score"].to_list(),
        y=heights,
        mode="markers",
        marker={
            "size": 9,
            "color": [palette.accent if low == 1 else palette.paper for low in could],
            "line": {"color": [palette.accent if low == 1 else palette.ink3 for low in could], "width": 1.5},
        },
        **on_hover((_hover(row, facts) for row in rows.iter_rows(named=True)), OPENS_MODEL, rows["model_id"]),
    )
    laid_out(figure, palette, ROW_HEIGHT * rows.height + 58)
    across = _range(rows, facts)
    labelled = [with_effort(plotly(name), setting, palette.ink3) for name, setting in zip(names, settings, strict=True)]
    named_rows(figure, labelled, heights, (0.3, rows.height + 0.7), palette, showgrid=False)
    axis = score_axis(across[0], across[1], facts["unit"], MOST_TICKS)
    figure.update_xaxes(showgrid=True, range=across, tickangle=0, **axis)
    figure.update_layout(margin={"l": 4, "r": 88, "t": 24, "b": 4})
    beside = {"xref": "paper", "xanchor": "left", "xshift": 6}
    write(figure, "rank could be", (1, 1), palette.ink3, 11.5, yref="paper", yanchor="bottom", **beside)
    for height, row in zip(heights, rows.iter_rows(named=True), strict=True):
        low = row["rank_low_joint"]
        text = "not known" if low is None else span(low, row["rank_high_joint"])
        write(figure, text, (1, height), palette.ink2 if low == 1 else palette.ink3, **beside)
    finding, seen_on = top_title(all_models, matching, facts["unit"]), max(rows["observed_at"].to_list())
    chosen_note = "" if matching.height == all_models.height else f"{matching.height:,} chosen among "
    condition_note = f", {all_models['condition'][0]}" if all_models["condition"][0] else ""
    return Chart(
        title=finding,
        subtitle=(
            f"The first {rows.height} of {chosen_note}{count(all_models.height, 'model')} on {day_of(seen_on)}"
            f"{condition_note}: score with its 95% error, and the ranks that the errors allow all at once"
            f"{how_compared(all_models)}. Filled: {AT_ONCE}."
        ),
        figure=figure,
        rows=rows,
        alt=f"{finding} of {all_models.height}: {', '.join(names[:3])} lead.",
        sources=sources,
        known_until=facts["known_until"],
    )


def _range(rows: pl.DataFrame, facts: Facts) -> list[float]:
    """From the lowest to the highest end of an error bar, with a little room."""
    wide = Z95 * pl.col("error").fill_null(0.0)
    low, high = rows.select(
        (pl.col("score") - wide).min().alias("low"), (pl.col("score") + wide).max().alias("high")
    ).row(0)
    pad = (high - low) * 0.03 or 0.01
    return [low - pad, min(high, 1.0) + pad if is_bounded(facts["unit"]) else high + pad]


def _hover(row: Facts, facts: Facts) -> str:
    score_text = with_error(row["score"], facts["unit"], row["error"])
    ranks = "" if row["rank_low"] is None else f"<br>{rank_line(row)}"
    maker = plotly(row["organisation"] or "maker not known")
    return f"<b>{plotly(row['model'])}</b> · {maker}<br>{score_text}{ranks}<br>{day_of(row['observed_at'])}"


BOARD, OPENNESS, MAKER, CONDITION = "board", "weights_of", "maker", "condition"
MAKERS = 40
"""How many makers can be chosen, those with most models."""
WEIGHTS = {"open": "Open weights", "closed": "Closed weights"}


def models_of_board(view: View, params: Params) -> pl.DataFrame:
    """The models of a board, or of all results under another condition, best first, with `error` and who made them.

    Under another condition than the board's nothing is known of the ranks that errors allow.
    """
    key = ("models listed", *(params.get(name) for name in ("benchmark", BOARD, CONDITION)))
    return view.recent(key, lambda: _board_rows(view, params))


def _board_rows(view: View, params: Params) -> pl.DataFrame:
    benchmark_id = known_benchmark(view, params)
    facts, condition = facts_of(view, benchmark_id), params.get(CONDITION)
    board_ids = boards(view, benchmark_id)
    board_id = params.get(BOARD) or (board_ids[0] if board_ids else "")
    if params.get(BOARD) and board_id not in board_ids:
        raise ParameterError(f"no leaderboard {board_id!r} of {benchmark_id}")
    if condition and condition not in conditions_of(view, benchmark_id):
        raise ParameterError(f"no condition {condition!r} of {benchmark_id}")
    if condition and condition != judged_by(view, benchmark_id):
        rows = _ranked_under(view, facts, condition)
    elif board_id:
        rows = leaders(view, {"board": board_id})
    else:
        return pl.DataFrame()
    items = pl.lit(facts["n_items"], dtype=pl.Int64)
    about = view.table("model").select("model_id", "organisation", "open_weights")
    return (
        rows.with_columns(bounded=pl.lit(is_bounded(facts["unit"])), n_items=pl.coalesce("n_items", items))
        .with_columns(error=true_error())
        .drop("bounded")
        .join(about, on="model_id", how="left", maintain_order="left")
    )


def _ranked_under(view: View, facts: Facts, condition: str) -> pl.DataFrame:
    is_ranked = (pl.col("condition") == condition) & pl.col("ranked") & pl.col("stands") & pl.col("score").is_not_null()
    rows = results(view, {"benchmark": facts["benchmark_id"]}).filter(is_ranked)
    higher = facts["higher_is_better"] is not False
    best = best_of_models(rows.with_columns(pl.col("dated_on").fill_null(pl.col("first_observed_at").dt.date())), facts)
    return best.sort("score", "model_id", descending=[higher, False]).select(
        rank=pl.col("score").rank("min", descending=higher).cast(pl.Int64),
        rank_low=pl.lit(None, dtype=pl.Int64),
        rank_high=pl.lit(None, dtype=pl.Int64),
        model="model",
        score="score",
        observed_at="last_observed_at",
        model_id="model_id",
        condition="condition",
        std_error="std_error",
        n_items="n_items",
        setting="setting",
        rank_low_joint=pl.lit(None, dtype=pl.Int64),
        rank_high_joint=pl.lit(None, dtype=pl.Int64),
        paired=pl.lit(0, dtype=pl.Int64),
    )


@recently
def conditions_of(view: View, benchmark_id: str) -> list[str]:
    """The condition that the benchmark is judged by, then all others that have a curve."""
    judged = judged_by(view, benchmark_id)

    curves = view.table("condition_frontier").filter(pl.col("benchmark_id") == benchmark_id)
    with_curve = curves["condition"].unique().sort()
    return [] if judged is None else [judged, *(name for name in with_curve if name != judged)]


def models_of_choice(rows: pl.DataFrame, params: Params) -> pl.DataFrame:
    """The models with open or closed weights and of some makers (parted by commas), where these are given."""
    if params.get(OPENNESS):
        rows = rows.filter(pl.col("open_weights") == (one_of(params, OPENNESS, tuple(WEIGHTS)) == "open"))
    makers = [maker for maker in params.get(MAKER, "").split(",") if maker]
    return rows.filter(_makers().list.set_intersection(makers).list.len() > 0) if makers else rows


def _makers() -> pl.Expr:
    """The makers of a model: some sources name several in one text."""
    organisations = pl.col("organisation").str.split(",").list.eval(pl.element().str.strip_chars())
    return organisations.list.drop_nulls().alias("makers")


def _top(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    facts, models = facts_of(view, benchmark_id), models_of_board(view, params)
    if models.is_empty():
        return Nothing("No leaderboard of models is on record.", "Parts of a benchmark are not ranked.")
    of_condition = results(view, {"benchmark": benchmark_id}).filter(pl.col("condition") == models["condition"][0])
    if not params.get(CONDITION):
        board_id = params.get(BOARD) or boards(view, benchmark_id)[0]
        of_condition = of_condition.filter(pl.col("source_id") == standings.sources(view, board_id)[0])
    looks = view.table("board").filter(
        pl.col("benchmark_id") == benchmark_id, pl.col("source_id").is_in(of_condition["source_id"].implode())
    )
    of_board = {**facts, "known_until": latest(looks["known_until"])}
    return top_chart(of_board, models, models_of_choice(models, params), sources_of(view, of_condition), palette)


TOP = ChartSpec("top", _top, ("benchmark", BOARD, OPENNESS, MAKER, CONDITION), method="rank")


def show(view: View, facts: Facts) -> None:
    """Draw the answer to whether the top models differ beyond error, the filters and the chart."""
    card.draw_answer(view, facts, "order")
    benchmark_id = facts["benchmark_id"]
    params = {"benchmark": benchmark_id, **_filters(view, benchmark_id)}
    if len(params) == 1:
        for line in _unranked_lines(view, benchmark_id):
            st.markdown(line)
    block.show(view, TOP, params)
    key = ("record elsewhere", *sorted(params.items()))
    if sentence := view.recent(key, lambda: record_elsewhere(view, facts, params)):
        st.markdown(f":small[{sentence}]")
    if sentence := view.recent(
        ("several of", *key[1:]),
        lambda: several(view, benchmark_id, models_of_choice(models_of_board(view, params), params)),
    ):
        st.markdown(f":small[{sentence}]")


def several(view: View, benchmark_id: str, rows: pl.DataFrame) -> str:
    """Links to all numbers side by side, for the drawn models that have several: markdown, or empty."""
    if rows.is_empty():
        return ""
    drawn = rows.head(MODELS_SHOWN)
    counted = several_numbers(view).filter(pl.col("benchmark_id") == benchmark_id).select("model_id", "n")
    with_several = drawn.join(counted, on="model_id", how="inner", maintain_order="left")
    linked = [
        f"[{markdown(without_maker(name))}](<{links.address('numbers', benchmark=benchmark_id, model=model_id)}>) ({n})"
        for model_id, name, n in with_several.select("model_id", "model", "n").iter_rows()
    ]
    return f"{differing.of_benchmark(with_several.height, drawn.height)} {' · '.join(linked)}" if linked else ""


def record_elsewhere(view: View, facts: Facts, params: Params) -> str:
    """Which leaderboard has the record of the curve, if this list does not lead with it: a sentence of markdown."""
    benchmark_id, rows = facts["benchmark_id"], models_of_board(view, {**params, OPENNESS: "", MAKER: ""})
    best = frontier(view, {"benchmark": benchmark_id}).filter("carried")
    if rows.is_empty() or best.is_empty() or rows["condition"][0] != judged_by(view, benchmark_id):
        return ""
    top_score, record = rows["score"][0], best.row(0, named=True)
    if is_same(top_score, record["score"]):
        return ""
    name = markdown(without_maker(record["model"] or record["model_id"]))
    best_score = score(record["score"], facts["unit"])
    sentence = f"**The record of the curve is on another list:** best score {best_score}, of {name}"
    board_id = holder(view, benchmark_id)
    if board_id is None:
        return f"{sentence}, which no leaderboard of today holds."
    title = provenance.titles(view).get(board_id.split("/")[0], board_id)
    url = links.address("benchmark", benchmark=benchmark_id, tab="Top models", board=board_id)
    seen_on = day_of(latest(leaders(view, {"board": board_id})["observed_at"]))
    return f"{sentence} ([{markdown(title)}](<{url}>), seen on {seen_on})."


def _filters(view: View, benchmark_id: str) -> dict[str, str]:
    """The filters that the reader set, without the default ones."""
    board_ids, conditions = boards(view, benchmark_id), conditions_of(view, benchmark_id)
    titles = provenance.titles(view)
    params: dict[str, str] = {}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(board_ids) > 1:
            named = {choice: titles.get(choice.split("/")[0], choice) for choice in board_ids}
            board = filters.id_picker(BOARD, "Leaderboard", named, placeholder=None, width=360, with_id=False)
            params |= {BOARD: board} if board and board != board_ids[0] else {}
        if len(conditions) > 1:
            condition = filters.id_picker(
                CONDITION, "Condition", {choice: choice for choice in conditions}, placeholder=None, width=240
            )
            params |= {CONDITION: condition} if condition and condition != conditions[0] else {}
        listed_models = models_of_board(view, {"benchmark": benchmark_id, **params})
        if listed_models.is_empty():
            return params
        if listed_models["open_weights"].null_count() < listed_models.height:
            kind = filters.segments(OPENNESS, "Weights", {"all": "All weights", **WEIGHTS})
            params |= {OPENNESS: kind} if kind in WEIGHTS else {}
        makers = view.recent(("makers of", benchmark_id, *params.items()), lambda: _largest_makers(listed_models))
        if makers:
            with st.popover("Maker"):
                picked = filters.pills(MAKER, "Maker", {maker: one_line(maker) for maker in makers}, labelled=True)
            params |= {MAKER: ",".join(picked)} if picked else {}
    return params


def _largest_makers(models: pl.DataFrame) -> list[str]:
    """The makers with most models of these, by name."""
    counted = models.select(_makers()).explode("makers")["makers"].drop_nulls().value_counts(sort=True)
    return counted.head(MAKERS)["makers"].sort().to_list()


@recently
def _unranked_lines(view: View, benchmark_id: str) -> list[str]:
    """The board's entries that are no models, and the condition that it is ranked under: markdown."""
    lines, board_ids, unit = [], boards(view, benchmark_id), facts_of(view, benchmark_id)["unit"]
    if not board_ids:
        return []
    source_id = board_ids[0].split("/", maxsplit=1)[0]
    rows = results(view, {"benchmark": benchmark_id}).filter(pl.col("source_id") == source_id, ~pl.col("ranked"))
    texts = [
        f"{code(row['setting'].removeprefix(NO_MODEL) + ' ' + row['model'])} {score(row['score'], unit)}"
        for row in rows.unique("model_id", keep="first", maintain_order=True).iter_rows(named=True)
    ]
    if texts:
        seen_on, entries = day_of(latest(rows["last_observed_at"])), count(len(texts), "entry", "entries")
        lines.append(
            f":small[:gray[Listed there on {seen_on} and not ranked, {entries} of no model: {'; '.join(texts[:4])}.]]"
        )
    condition, ranked = judged_by(view, benchmark_id), leaders(view, {"board": board_ids[0]})["condition"]
    if condition is not None and len(ranked) and ranked[0] not in (condition, None):
        lines.append(
            f":small[This board has no result under **{markdown(condition)}**: its models are ranked under "
            f"**{markdown(ranked[0])}**, which is not on the curve.]"
        )
    return lines
