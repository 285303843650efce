"""One model on each benchmark: how far behind the best other model, on items that it could and could not have seen."""

from collections.abc import Sequence

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.by_benchmark.row_chart import Line, beside_rows, frame, labels
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import OPENS_BENCHMARK, Drawing, on_hover, quiet_line, stage_mark
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.models import distance, ends_text, gap_text, rank_text, why_not_compared
from benchhealth.dashboard.words.numbers import UNKNOWN, day_of, score
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.stages import stage_words
from benchhealth.dashboard.words.text import count, listed, plotly, short

GROUPS = (
    (True, "Could have seen the items", "public before its training ended"),
    (False, "Fresh or private", "released later, or labels withheld"),
    (None, "Not known", "no date, or nothing about the labels"),
)


def title(summary: Facts) -> str:
    """The finding: the median distance with its 95% interval on either kind of benchmark, of how many."""
    texts = [
        f"{gap}{f' ({ends})' if ends else ''} on {number} {kind}"
        for gap, ends, number, kind in (
            (*_gap(summary, "seen"), summary["n_seen"], "it could have seen"),
            (*_gap(summary, "fresh"), summary["n_fresh"], "fresh or private"),
        )
        if gap
    ]
    if texts:
        later = (text.replace("level with the best", "level") for text in texts[1:])
        return f"Median: {', '.join((texts[0], *later))}"
    return f"Where it stands on {count(summary['benchmarks'], 'benchmark')}"


def _gap(summary: Facts, kind: str) -> tuple[str, str]:
    """A median distance and its 95% interval in words, each empty where it is not known."""
    return gap_text(summary[f"{kind}_gap"]), ends_text(summary[f"{kind}_low"], summary[f"{kind}_high"])


def chart(rows: pl.DataFrame, summary: Facts, clock: str, palette: Palette) -> Chart | Nothing:
    """The chart of these rows of `published.models.positions`; `whole` is the model's row of `model_position`."""
    behind = f"behind_{clock}"
    rows = rows.with_columns(
        behind=pl.when(pl.col("unit").is_in(BOUNDED_UNITS)).then(pl.col(behind) * 100),
        behind_error=pl.when(pl.col("unit").is_in(BOUNDED_UNITS)).then(pl.col(f"{behind}_error") * 100),
    )
    lines, placed = _lines(rows)
    drawn = [(height, row) for height, row in placed if row["behind"] is not None]
    figure, reach = Drawing(), _reach([row for _, row in drawn])
    for height, row in drawn:
        _bars(figure, height, row, reach, palette)
    _marks(figure, drawn, clock, palette)
    frame(figure, lines, ("rank could be", "score"), reach, palette)
    _axis(figure, reach)
    undrawn = [(height, row) for height, row in placed if row["behind"] is None]
    for narrow in (False, True):
        texts = [(height, _text_without_mark(row, clock, narrow=narrow)) for height, row in undrawn]
        beside_rows(figure, texts, palette, on_phone=narrow)
    day = latest(rows["known_until"])
    compared_with = "of its day" if clock == "then" else "of today"
    return Chart(
        title=title(summary),
        subtitle=(
            f"Points behind the best other model {compared_with}, on {count(rows.height, 'benchmark')}, with data to "
            f"{day_of(day)} at the latest.{medians(rows, summary, clock)} Colour and shape: stage. "
            "Open: its maker alone reports. Thin line: 95% error."
        ),
        figure=figure,
        rows=_table_rows(rows, clock),
        alt=_alt(summary, [row for _, row in drawn]),
        known_until=day,
    )


def medians(rows: pl.DataFrame, summary: Facts, clock: str) -> str:
    """A sentence on what the medians cover and leave out, and how certain they are; empty where there are none."""
    number = (summary["n_seen"] or 0) + (summary["n_fresh"] or 0)
    if not number:
        return ""
    lacks_interval = any(summary[f"n_{kind}"] and not _gap(summary, kind)[1] for kind in ("seen", "fresh"))
    text = (
        f" Medians{'' if lacks_interval else ', with 95% intervals,'} are over {number} of {{}} benchmarks, and ahead "
        f"counts as 0.{' Too few for an interval of each.' if lacks_interval else ''}"
    )
    withheld = summary["benchmarks"] - rows.height
    if withheld:
        return f"{text.format(summary['benchmarks'])} {withheld} of them may not be passed on, and are not drawn here."
    compared = rows.filter(pl.col(f"behind_{clock}").is_not_null())
    unbounded = compared.filter(~pl.col("unit").is_in(BOUNDED_UNITS).fill_null(value=False))
    unknown = compared.height - unbounded.height - number
    left_out = [f"{rows.height - compared.height} with too few other models"] if rows.height > compared.height else []
    left_out += [f"{unknown} with unknown exposure"] if unknown else []
    if unbounded.height:
        ahead = unbounded.filter(pl.col(f"behind_{clock}") < 0).height
        left_out.append(f"{unbounded.height} in other units (ahead on {ahead or 'none'})")
    left_out_text = f" Left out are {listed(left_out)}." if left_out else ""
    return f"{text.format('these')}{left_out_text}"


def _table_rows(rows: pl.DataFrame, clock: str) -> pl.DataFrame:
    return rows.select(
        "benchmark_id", "name", "stage", "condition", "exposed", "score", "unit", "error", "rank", "rank_low",
        "rank_high", "n_models", f"rival_{clock}", f"best_{clock}", f"behind_{clock}", f"behind_{clock}_error",
        "reporter", "known_until",
    )  # fmt: skip


def _lines(rows: pl.DataFrame) -> tuple[list[Line], list[tuple[int, Facts]]]:
    """The lines from the top, and each row with its height."""
    lines: list[Line] = []
    named = labels(rows["name"].to_list())
    placed: list[tuple[int, Facts]] = []
    for exposed, name, beside in GROUPS:
        of_group = rows.filter(pl.col("exposed").eq_missing(pl.lit(exposed, dtype=pl.Boolean)))
        if of_group.is_empty():
            continue
        lines.append(Line(name, heading=True, beside=beside))
        for row in of_group.sort("behind", "name", nulls_last=True).iter_rows(named=True):
            lines.append(Line(named[row["name"]], rank_text(row), score(row["score"], row["unit"], row["error"])))
            placed.append((len(lines), row))
    return lines, [(len(lines) + 1 - line, row) for line, row in placed]


def _reach(rows: Sequence[Facts]) -> tuple[float, float]:
    """From the furthest ahead to the furthest behind, errors cut where they would stretch it."""
    values = [row["behind"] for row in rows] or [0.0]
    low, high = min(0.0, *values), max(5.0, *values)
    ends = [(row["behind"], Z95 * (row["behind_error"] or 0.0)) for row in rows]
    span = high - low
    low = max(low - span, min([low, *(behind - wide for behind, wide in ends)]))
    high = min(high + span, max([high, *(behind + wide for behind, wide in ends)]))
    edge = 0.04 * (high - low)
    return low - edge, high + edge


def _bars(figure: go.Figure, height: int, row: Facts, reach: tuple[float, float], palette: Palette) -> None:
    colour = palette.stages[row["stage"]].mark
    quiet_line(figure, [0, row["behind"]], [height, height], width=4, color=palette.faint(colour, 0.32))
    if row["behind_error"] is not None:
        wide = Z95 * row["behind_error"]
        ends = [max(reach[0], row["behind"] - wide), min(reach[1], row["behind"] + wide)]
        quiet_line(figure, ends, [height, height], width=1.4, color=palette.faint(colour, 0.75))


def _marks(figure: go.Figure, rows: Sequence[tuple[int, Facts]], clock: str, palette: Palette) -> None:
    marks = [stage_mark(row["stage"], row["age_months"], palette) for _, row in rows]
    maker_alone = [row["reporter"] == "self" for _, row in rows]
    figure.add_scatter(
        x=[row["behind"] for _, row in rows],
        y=[height for height, _ in rows],
        mode="markers",
        marker={
            "size": 10,
            "symbol": [mark["symbol"] for mark in marks],
            "color": [
                palette.paper if is_of_maker else mark["color"]
                for is_of_maker, mark in zip(maker_alone, marks, strict=True)
            ],
            "line": {"color": [palette.stages[row["stage"]].mark for _, row in rows], "width": 1.6},
            "opacity": 1,
        },
        **on_hover((_hover(row, clock) for _, row in rows), OPENS_BENCHMARK, (row["benchmark_id"] for _, row in rows)),
    )


def _axis(figure: go.Figure, reach: tuple[float, float]) -> None:
    low, high = reach
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (high - low) / step <= 4 or step == 50)
    ticks = [value for value in range(-100, 101, step) if low <= value <= high]
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=[str(abs(value)) if value else "best" for value in ticks],
        title={"text": "← ahead · points · behind →", "font": {"size": 12}},
        zeroline=True,
        zerolinewidth=1,
        zerolinecolor=figure.layout.xaxis.tickfont.color,
    )


def _text_without_mark(row: Facts, clock: str, *, narrow: bool) -> str:
    """The text in place of a mark: how far behind in the benchmark's own unit, or why that is not known."""
    value = row[f"behind_{clock}"]
    if value is None:
        return UNKNOWN.lower() if narrow else why_not_compared(row["out_on"], clock)
    if narrow:
        return distance(value, row["unit"], counted=False)
    rival = plotly(row[f"rival_{clock}_name"] or "", 24)
    return f"{distance(value, row['unit'])} {rival}"


def _hover(row: Facts, clock: str) -> str:
    score_text = score(row["score"], row["unit"], row["error"])
    wide = "" if row["behind_error"] is None else f" ± {Z95 * row['behind_error']:.2g}"
    where = "behind" if row["behind"] >= 0 else "ahead of"
    reporter_text = {
        "self": "reported by its maker",
        "others": "measured by others",
        "both": "its maker's and others' results",
        None: "nobody says who measured",
    }
    return (
        f"<b>{plotly(row['name'])}</b> · {stage_words(row['stage'], row['between']).lower()}<br>"
        f"{score_text} · {plotly(row['condition'])}<br>"
        f"{abs(row['behind']):.2g}{wide} points {where} {plotly(row[f'rival_{clock}_name'] or 'the best')}<br>"
        f"{reporter_text[row['reporter']]} · data to {day_of(row['known_until'])}"
    )


def _alt(summary: Facts, rows: Sequence[Facts]) -> str:
    ordered = sorted(rows, key=lambda row: row["behind"])
    ends = [*ordered[:2], *ordered[-1:]] if len(ordered) > 2 else ordered
    named = ", ".join(f"{short(row['name'])} {distance(row['behind'] / 100, row['unit'])}" for row in ends)
    return f"{title(summary)}. {named}."
