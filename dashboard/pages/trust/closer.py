"""One twin in detail: possible causes of its gap, groups of models, time."""

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import link, number, points, text
from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.dashboard.figures.twin import Twin
from benchhealth.dashboard.pages.trust import charts
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, filters, links, tables
from benchhealth.dashboard.widgets.shared import twin_row
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn
from benchhealth.dashboard.words.numbers import fixed
from benchhealth.dashboard.words.text import count, known, listed, markdown

BASES = {
    "items": "its interval from {families} of models and the items themselves",
    "measured": "its interval from {families} of models, widened by what shared items do elsewhere",
    "families": "its interval from {families} of models",
}
"""The phrase for the basis of a slope's interval."""


def mechanisms(row: Twin) -> str:
    """What three mechanisms would look like in the chart, and what this twin shows."""
    n = count(row["n_models"] or 0, "result")
    slope, offset, single = "not known here", "not known here", "not tested here"
    if row["fair_slope"] is not None:
        interval = f"[{row['fair_slope_low']:.2f}, {row['fair_slope_high']:.2f}]"
        noise = "" if row["noise"] is None else ", the noise in the original's scores taken off"
        basis = BASES[row["slope_basis"]].format(families=count(row["families"], "family", "families"))
        slope = f"here {row['fair_slope']:.2f} {interval} on the {row['slope_scale']} scale over {n}{noise}; {basis}"
    if row["gap"] is not None:
        interval = "" if row["gap_low"] is None else f" [{fixed(row['gap_low'], 2)}, {fixed(row['gap_high'], 2)}]"
        offset = f"mean gap here {row['gap']:.2f}{interval} over {n}"
    if row["tested"]:
        single = f"{row['flagged']:,} of {row['tested']:,} flagged here"
    named = ""
    if row["sentence"]:
        paper = "[Recht et al. 2019](<https://arxiv.org/abs/1902.10811>)"
        named = f"**What the gap can be called** (after {paper}): {markdown(row['sentence'])}\n\n"
    return (
        f"{named}**What could lie behind a gap, and how it would look{known(row['known_until'])}:**\n"
        f"- *Tuning to the test set by everyone* would flatten the line: the better a model, the more it loses, slope "
        f"below 1 ({slope}).\n"
        f"- *Another mix of items* would shift or tilt the whole line, and leave the order alone ({offset}).\n"
        f"- *Items seen in training by some* would leave single models below the line ({single}).\n\n"
        "None of the three proves a cause, and they can occur together."
    )


_OF_NEW_ITEMS = (
    "Items seen in training are one cause among several: tuning to the format, another prompt, or luck, which 5% of "
    "the flags are expected to be."
)
_OF_OTHERS = (
    "It is a hint at most: items, marking or preparation differ on purpose, and only a fresh sample or a live split "
    "can show that items were seen."
)


def power(row: Twin) -> str:
    """What the twin could detect, and what a flag means and does not mean."""
    sentence = row["power_sentence"]
    finding = f"**What this twin could show{known(row['known_until'])}.** {markdown(sentence)}\n\n" if sentence else ""
    return (
        f"{finding}*Scores lower on the twin than models with its score* is all that a flag says. "
        f"{_OF_NEW_ITEMS if row['kind'] in SAMPLED else _OF_OTHERS}"
    )


COLUMNS = (
    GridColumn(link("twin", "The two benchmarks.", label="Twin"), link_text=TEXT_AFTER_HASH, pinned=True, width=225),
    GridColumn(text("kind", "In what way the second measures the same.", label="Kind"), width=125),
    GridColumn(counts("n_models", "Results of models that have both.", label="Results on both"), width=115),
    GridColumn(points("gap", "Points, or units of the scale.", label="Gap"), width=65),
    GridColumn(text("gap_interval", "Of the gap: the draw of items and models.", label="95% of gap"), width=105),
    GridColumn(number("slope", "By how much the second rises with the first.", label="Slope"), format="%.2f", width=65),
    GridColumn(text("interval", "Of the slope.", label="95% interval"), width=115),
    GridColumn(number("r2", "The share of the variance that the line explains.", label="R²"), format="%.2f", width=60),
    GridColumn(number("tau", "Kendall's tau of the two orders, -1 to 1.", label="Tau"), format="%.2f", width=55),
    GridColumn(
        number("tau_top", "Kendall's tau among the best on the first.", label="Tau at the top"),
        format="%.2f",
        width=120,
    ),
    GridColumn(counts("flagged", "Results off the line beyond error.", label="Flagged"), width=80),
    GridColumn(text("cause", "What could lie behind the gap.", label="What the gap can be"), width=190),
)


def show(view: View, twin_id: str | None) -> None:
    """Draw the parts of one twin that have rows; for the others, a sentence on why there are none."""
    if twin_id is None:
        st.markdown("The chosen benchmark has no second measurement; choose another above.")
        return
    scale = filters.pick_one("scale", "Scale of the chart above", twin_pairs.SCALES)
    params = {"twin": twin_id}
    on_scale = twin_pairs.twins(view, {"scale": scale}).filter(pl.col("twin_id") == twin_id)
    if on_scale.is_empty():
        st.markdown(f"This twin has no {scale} scale: it is for shares of items alone.")
    row = twin_row(view, params)
    st.markdown(f"Kind of twin: **{markdown(row['kind'] or 'not stated')}**. {_sides(row)}{_note(row)}")
    st.markdown(mechanisms(row))
    st.markdown(power(row))
    st.markdown(links.csv("Every model of this twin as CSV", twin_pairs.RESIDUALS.address(params)))
    if groupings := charts.groupings(view, twin_id):
        block.show(view, charts.GROUPS, {**params, "by": filters.pick_one("by", "Grouped by", groupings)})
    else:
        st.markdown("Neither makers, weights nor families of these models are known, so they are not grouped.")
    if clocks := charts.clocks(view, twin_id):
        block.show(view, charts.AGES, {**params, "clock": filters.pick_one("clock", "Over time, by", clocks)})
    else:
        st.markdown("The models of this twin are of one date or of none that is known, so no gap over time is drawn.")
    if not twin_pairs.robustness(view, params).is_empty():
        st.markdown(links.csv("Effective robustness of every model as CSV", twin_pairs.ROBUSTNESS.address(params)))


def _sides(row: Twin) -> str:
    sides = [
        f"[{markdown(row[side])}]({links.address('benchmark', benchmark=row[side + '_id'])})"
        for side in ("original", "other")
    ]
    return f"Both sides: {listed(sides)}."


def _note(row: Twin) -> str:
    """What the registry notes about the twin, with a link to its source; empty without a note."""
    if not row["note"]:
        return ""
    link = links.outside("reference", row["source_url"])
    return f" The second: {markdown(row['note'])}{f' ({link})' if link else ''}."


def every_twin(view: View) -> None:
    """Draw the table of all twins."""
    scale = filters.pick_one("scale", "Scale", twin_pairs.SCALES)
    rows = twin_pairs.twins(view, {"scale": scale})
    unconnected = rows.filter(pl.col("n_models") == 0).height
    missing = f" For {unconnected:,} of them no model connects the two yet." if unconnected else ""
    st.markdown(f"{count(rows.height, 'twin')} on the {scale} scale. A gap above 0: lower on the second.{missing}")
    opened = [
        f"{links.address('trust', benchmark=original, twin=twin)}#{links.fragment(f'{name} and {other_name}')}"
        for twin, original, name, other_name in rows.select("twin_id", "original_id", "original", "other").iter_rows()
    ]
    tables.grid(
        rows.select(
            pl.Series("twin", opened, dtype=pl.String),
            "kind",
            "n_models",
            "gap",
            "slope",
            gap_interval=tables.intervals_as_text(rows, "gap_low", "gap_high", ".1f"),
            interval=tables.intervals_as_text(rows, "slope_low", "slope_high", ".2f"),
            r2="r2",
            tau="kendall_tau",
            tau_top="kendall_tau_top",
            flagged=pl.when(pl.col("tested") > 0).then(pl.col("flagged")),
            cause="cause",
        ),
        key="twins",
        alt="Every twin with gap, slope, order and flagged models",
        columns=COLUMNS,
    )
    st.markdown(f"{links.csv('Download as CSV', twin_pairs.TWINS.address({'scale': scale}))}, generation {view.name}.")
