"""Trust: benchmarks by five kinds of evidence that items were seen, their second measurements, and the model's own."""

from collections.abc import Callable, Mapping

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures import moved
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.pages.trust import (
    charts,
    checks,
    chosen_benchmark,
    closer,
    fresh_samples,
    matrix_rows,
    rung_tables,
    standing_out,
    transfer_tables,
)
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.benchmarks import name_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import ids
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.folded import foldable
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.text import code, count, markdown

_ON_A_PHONE = {
    "report": "{} of items documented in training (largest in {})",
    "declared_training": "training declared ({})",
    "twin": "{} stand out on new items",
    "anomaly": "{} beyond what others predict",
    "cutoff_break": "{} break at the cutoff",
    "second": "{} on a second measurement",
}


def draw(view: View) -> None:
    """Draw the page."""
    rows = matrix_rows.benchmarks(view)
    if rows.is_empty():
        st.title("Could scores rest on items seen in training?", anchor=False)
        empty.nothing("No benchmark has been tested here.", "No curated benchmark is on record.")
        _more(view, None)
        return
    chosen = _benchmark_in_address(view, rows)
    picked = st.query_params.get("evidence", "")
    matrix = charts.MATRIX.of(view, {"evidence": picked, "benchmark": chosen or ""}, block.palette())
    full_matrix = matrix if isinstance(matrix, Chart) else charts.MATRIX.of(view, {}, block.palette())
    if isinstance(full_matrix, Chart):
        st.title(markdown(full_matrix.title), anchor=False)
        st.markdown(markdown(full_matrix.subtitle))
    left, right = st.columns([7, 4], gap="medium")
    with left:
        _matrix(view, rows, chosen)
    with right, st.container(border=True):
        benchmark_id = _picker(view, rows, chosen)
        at_length = "" if benchmark_id is None else chosen_benchmark.show(view, benchmark_id)
    with left:
        _draw_fresh_samples(view, None if benchmark_id is None else chosen_benchmark.chosen_twin(view, benchmark_id))
    if at_length:
        foldable("told", "Who stands out, what it may mean, what it could not see", lambda: st.markdown(at_length))
    _more(view, benchmark_id)


def _benchmark_in_address(view: View, rows: pl.DataFrame) -> str | None:
    """The benchmark of the address, or of its twin; where neither is given the one whose twin shows most."""
    requested_id, twin = st.query_params.get("benchmark"), st.query_params.get("twin")
    if requested_id:
        return requested_id
    twins = twin_pairs.twins(view, {})
    if twin:
        originals = twins.filter(pl.col("twin_id") == twin)["original_id"]
        return str(originals[0]) if originals.len() else twin
    hints = matrix_rows.cells(view).filter((pl.col("kind") == "twin") & (pl.col("strength") == matrix_rows.HINT))
    strongest = hints.sort("value", descending=True)["benchmark_id"]
    first = [*strongest, *twins["original_id"].head(1), *rows["benchmark_id"]]
    return str(first[0])


def _matrix(view: View, rows: pl.DataFrame, chosen: str | None) -> None:
    counts = matrix_rows.counts(rows)
    strengths = filters.pills(
        "evidence",
        "Strongest evidence",
        {
            strength: f"{matrix_rows.SHAPES[strength]} {matrix_rows.WORDS[strength]} {counts[strength]}"
            for strength in matrix_rows.STRENGTHS
        },
    )
    params = {"evidence": ",".join(strengths), "benchmark": chosen or ""}
    matrix = charts.MATRIX.of(view, params, block.palette())
    if not isinstance(matrix, Chart):
        empty.nothing(matrix.reason, matrix.advice)
        return
    with st.container(key="wide_list"), st.container(key=f"chart_{charts.MATRIX.name}", gap="xsmall"):
        anchor = f'<div id="{charts.MATRIX.name}"></div>'  # its title is that of the page, which has no anchor
        st.html(anchor + moved.anchors(charts.MATRIX.name))
        block.draw(view, charts.MATRIX, params, matrix)
        block.toolbar(view, charts.MATRIX, params, matrix)
    with st.container(key="narrow_list"):
        st.markdown(view.recent(("narrow list", *params.items()), lambda: _narrow(matrix.rows, rows)))
    if not strengths:
        _draw_folded(rows)


def _narrow(cells: pl.DataFrame, lists: pl.DataFrame) -> str:
    """The matrix for a phone: each benchmark with its evidence, in one text; tests too weak to tell are counted.

    `lists` has the list that each benchmark stands in. Those with evidence or a hint are listed with marks, the
    others by name; all are listed with marks where none has either.
    """
    rows = cells.join(lists.select("benchmark_id", list="strength"), on="benchmark_id", maintain_order="left")
    is_first = pl.col("list").is_in([matrix_rows.EVIDENCE, matrix_rows.HINT])
    first, other_rows = rows.filter(is_first, pl.col("strength") != matrix_rows.WEAK), rows.filter(~is_first)
    if first.is_empty():
        first, other_rows = other_rows, first
    lines = []
    for (benchmark_id, name), of_one in first.group_by("benchmark_id", "benchmark", maintain_order=True):
        marks = " · ".join(
            f"{matrix_rows.SHAPES[strength]}\u00a0{_on_a_phone(kind, number, n)}"
            for kind, strength, number, n in of_one.select("kind", "strength", "number", "n").iter_rows()
        )
        url = links.address("trust", benchmark=str(benchmark_id))
        lines.append(f"[{markdown(str(name))}]({url})  \n:small[:gray[{marks}]]")
    named = [
        f"[{markdown(name)}]({links.address('trust', benchmark=folded_id)})"
        for folded_id, name in other_rows.filter(pl.col("list") == matrix_rows.NOTHING)
        .select("benchmark_id", "benchmark")
        .unique(maintain_order=True)
        .iter_rows()
    ]
    if named:
        lines.append(
            f":small[{matrix_rows.SHAPES[matrix_rows.NOTHING]} {matrix_rows.WORDS[matrix_rows.NOTHING]} found on "
            f"{count(len(named), 'benchmark')}: {' · '.join(named)}]"
        )
    if weak := other_rows.filter(pl.col("list") == matrix_rows.WEAK)["benchmark_id"].n_unique():
        lines.append(f"{weak} more were tested too weakly to tell.")
    return "\n\n".join(lines)


def _on_a_phone(kind: str, number: str, n: int | None) -> str:
    if number == matrix_rows.NOTED:
        return "documented in training, without a share"
    return _ON_A_PHONE[kind].format(markdown(number), count(n or 0, "report"))


def _draw_folded(rows: pl.DataFrame) -> None:
    """The benchmarks without an answer, behind a line: tested too weakly, or by nobody."""
    rows_of = {strength: rows.filter(pl.col("strength") == strength) for strength in matrix_rows.FOLDED}
    weak, nobody = (rows_of[strength].height for strength in matrix_rows.FOLDED)
    details = st.expander(
        f"{weak + nobody:,} more: {weak:,} tested too weakly to say anything, {nobody:,} tested by nobody",
        key="folded",
        on_change="rerun",
    )
    if details.open:
        with details:
            for strength, members in rows_of.items():
                named = [
                    f"[{markdown(name)}]({links.address('trust', benchmark=benchmark_id)})"
                    for benchmark_id, name in members.select("benchmark_id", "label").iter_rows()
                ]
                st.markdown(f"**{matrix_rows.WORDS[strength].capitalize()}:** {' · '.join(named) or 'none'}")


def _picker(view: View, rows: pl.DataFrame, chosen: str | None) -> str | None:
    """The benchmark of the card; of one that does not exist the page says so, and none takes its place."""
    if chosen is not None and chosen not in ids(view):
        asked_for = "twin" if st.query_params.get("twin") == chosen else "benchmark"
        similar_names = suggestions.benchmarks_alike(
            view, chosen, lambda near_id: links.address("trust", benchmark=near_id)
        )
        empty.nothing(
            f"This generation holds no {asked_for} {code(chosen)}.",
            f"It may have been renamed. [Open the page without it]({links.address('trust')}).{similar_names}",
        )
        return None
    options = view.kept("benchmarks with evidence", lambda: _options(view, rows))
    if chosen is not None:
        options = {chosen: options.get(chosen) or name_of(view, chosen), **options}
    return filters.id_picker("benchmark", "Benchmark", options)


def _options(view: View, rows: pl.DataFrame) -> dict[str, str]:
    """The benchmarks by name, then those that only a twin speaks of."""
    options = dict(rows.sort(pl.col("name").str.to_lowercase()).select("benchmark_id", "name").iter_rows())
    twins = twin_pairs.twins(view, {}).filter(pl.col("n_models") > 0)
    options.update(
        (benchmark_id, name)
        for benchmark_id, name in twins.select("original_id", "original").unique(maintain_order=True).iter_rows()
        if benchmark_id not in options
    )
    return options


def _draw_fresh_samples(view: View, shown_twin: str | None) -> None:
    """Draw what fresh samples of old benchmarks say, in text, except `shown_twin`, whose answer is above."""
    if overstated := fresh_samples.fresh_sample_items(view, excluded=shown_twin):
        st.header("How far do scores on other benchmarks overstate?", anchor="overstate")
        foldable("overstate", "What their second measurements say", lambda: st.markdown(overstated))


def _more(view: View, benchmark_id: str | None) -> None:
    """Everything else, one part at a time, computed when it is chosen; at first that of the model in the address."""
    st.header("More evidence", anchor="more")
    titles = {key: title for key, (title, _) in MORE.items()}
    implied = "model" if st.query_params.get("model") else None
    if (section := filters.pill("more", "More evidence", titles, default=implied)) is not None:
        MORE[section][1](view, benchmark_id)


def _closer(view: View, benchmark_id: str | None) -> None:
    closer.show(view, None if benchmark_id is None else chosen_benchmark.chosen_twin(view, benchmark_id))


def _ladder(view: View, benchmark_id: str | None) -> None:
    if benchmark_id is None:
        st.markdown("Choose a benchmark above.")
    else:
        checks.one_benchmark(view, benchmark_id)


MORE: Mapping[str, tuple[str, Callable[[View, str | None], None]]] = {
    "out": ("Models that stand out", lambda view, _: standing_out.show(view)),
    "model": ("One model", lambda view, _: checks.one_model(view)),
    "own": ("My own model", lambda view, _: checks.own_model(view)),
    "closer": ("This twin, closer", _closer),
    "ladder": ("Tests on this benchmark", _ladder),
    "twins": ("All twins", lambda view, _: closer.every_twin(view)),
    "order": ("Does an order carry over?", lambda view, _: checks.order(view)),
    "reports": ("Documented reports", lambda view, _: checks.REPORTS.show(view)),
    "checks": ("Are the tests right?", lambda view, _: checks.checks(view)),
}
"""The sections by their name in the address: title, and the function that draws it for the chosen benchmark."""


PAGE = PageSpec(
    url_path="trust",
    title="Trust",
    draw=draw,
    tables=(
        twin_pairs.TWINS,
        twin_pairs.RESIDUALS,
        twin_pairs.GROUPS,
        twin_pairs.AGES,
        twin_pairs.ROBUSTNESS,
        transfer_tables.TRANSFERS,
        twin_pairs.REPORTS,
        rung_tables.RUNGS_OF,
        rung_tables.EXCESSES,
        rung_tables.RUNGS_OF_MODEL,
        standing_out.STANDING_OUT,
        rung_tables.CALIBRATION,
        rung_tables.LEAKAGE,
    ),
    charts=charts.CHARTS,
)
