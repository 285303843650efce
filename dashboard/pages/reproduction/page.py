"""Reproduction: numbers that others published, computed again from the facts on record."""

from collections.abc import Mapping
from math import floor, log10

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import link, number, sentence, text
from benchhealth.analytics.reproduction.claim import KINDS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.reproduction import figures
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, always
from benchhealth.dashboard.widgets import block, empty, filters, links, tables
from benchhealth.dashboard.widgets.folded import foldable
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.text import count, markdown

ALL_CLAIMS = "all"
"""The choice of a filter that shows all claims."""

RECOMPUTED = KINDS[0]
"""The class that the page's headline counts."""


def areas_of_claims(view: View) -> list[str]:
    """The areas of the claims in order, after the choice of all; empty where there is no claim."""
    named = view.table("reproduction_detail")["area"].unique(maintain_order=True).to_list()
    return [ALL_CLAIMS, *named] if named else []


def classes(view: View, params: Params) -> pl.DataFrame:
    """A row for each class, the one that counts first: `class`, `papers`, `claims`, `computed`, `holds`, `differs`,
    `since_2024`.

    `holds` and `differs` are null where nothing was published or computed to compare with.
    """
    rows = claims(view, {name: value for name, value in params.items() if name == "about"})
    is_judged = pl.col("holds").is_not_null()
    counted = rows.group_by("class").agg(
        papers=pl.col("paper").drop_nulls().n_unique(),
        claims=pl.len(),
        computed=pl.col("computed").is_not_null().sum(),
        holds=pl.when(is_judged.any()).then(pl.col("holds").sum()),
        differs=pl.when(is_judged.any()).then((~pl.col("holds")).sum()),
        since_2024=(pl.col("year") >= 2024).sum(),
    )
    order = pl.DataFrame({"class": list(KINDS)}, schema={"class": pl.String})
    return order.join(counted, on="class", maintain_order="left")


def claims(view: View, params: Params) -> pl.DataFrame:
    """The claims of an area and a class (default: all), those that do not hold first, then those not computed.

    `off` is (computed - published) in tolerances; 0 where both are equal, infinite where they differ and none is
    allowed.
    """
    rows = _every_claim(view)
    for name, column, allowed in (("about", "area", areas_of_claims(view)), ("class", "class", [ALL_CLAIMS, *KINDS])):
        chosen = params.get(name) or ALL_CLAIMS
        if chosen == ALL_CLAIMS:
            continue
        if chosen not in allowed:
            raise ParameterError(f"no claim is of {name} {chosen!r}")
        rows = rows.filter(pl.col(column) == chosen)
    return rows


@always
def _every_claim(view: View) -> pl.DataFrame:
    difference = pl.col("computed") - pl.col("published")
    off = pl.when(difference == 0).then(0.0).otherwise(difference / pl.col("tolerance"))
    worse_first = pl.when(~pl.col("holds")).then(0).when(pl.col("holds").is_null()).then(1).otherwise(2)
    return (
        view.table("reproduction_detail")
        .join(view.table("reproduction"), on="claim_id", maintain_order="left")
        .with_columns(off=off)
        .sort(worse_first, maintain_order=True)
        .select(
            "claim_id", "class", "area", "statement", "published", "computed", "tolerance", "tolerance_reason", "unit",
            "off", "holds", "why", "inputs", "paper", "year", "place", "opened", "source_url",
            "low", "high", "interval", "null_value", "null_reason"
        )
    )  # fmt: skip


CLAIMS = PublishedTable("reproduction", claims)
LEFT_OUT = PublishedTable("reproduction-left-out", lambda view, _params: view.table("left_out"))
CLASSES = PublishedTable("reproduction-classes", classes)


def _chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return figures.chart(claims(view, {**params, "class": RECOMPUTED}), last_known(view), palette)


def _sources(_view: View, _params: Params, chart: Chart) -> list[SourceLine]:
    addresses = chart.rows["source_url"].drop_nulls().unique(maintain_order=True)
    return [SourceLine(str(url).removeprefix("https://"), str(url), None) for url in addresses]


CLAIMED = ChartSpec("reproduction", _chart, ("about",), method="reproduction", sources=_sources)
_HOLDS = {True: "● holds", False: "× differs"}
_NOT_COMPUTED = "? not on record"


CLASS_COLUMNS = (
    GridColumn(text("class", "The class of the claims.", label="Class"), width=130),
    GridColumn(counts("papers", "Papers and other works that printed them.", label="Papers"), width=90),
    GridColumn(counts("claims", "Claims of the class.", label="Claims"), width=90),
    GridColumn(counts("computed", "Claims that could be computed.", label="Computed"), width=100),
    GridColumn(counts("holds", "Claims that ours agree with.", label="Hold"), width=80),
    GridColumn(counts("differs", "Claims that ours do not agree with.", label="Differ"), width=80),
    GridColumn(
        counts("since_2024", "Claims that were printed in 2024 or later.", label="Published since 2024"), width=160
    ),
)
CLAIM_COLUMNS = (
    GridColumn(sentence("statement", "What was printed.", label="Claim"), width=330),
    GridColumn(text("paper", "Where.", label="Paper"), width=210),
    GridColumn(text("place", "Where in it.", label="Table or place"), width=240),
    GridColumn(
        sentence("tolerance_reason", "Why they may differ by that much.", label="Why that tolerance"), width=190
    ),
    GridColumn(counts("inputs", "Results that ours is computed from.", label="From results"), width=92),
    GridColumn(text("opened", "What was read of the paper.", label="What was opened"), width=220),
    GridColumn(text("published", "The number that was printed.", label="Published"), width=82, right_aligned=True),
    GridColumn(text("computed", "The number that we get.", label="Ours"), width=82, right_aligned=True),
    GridColumn(text("interval", "Between what ours lies, and of what.", label="Ours between"), width=150),
    GridColumn(number("tolerance", "By how much they may differ.", label="Tolerance"), format="%.3g", width=78),
    GridColumn(
        sentence("instead", "What no effect, or another method, would give.", label="Else it would be"), width=150
    ),
    GridColumn(text("unit", "What the numbers are in.", label="Unit"), width=120),
    GridColumn(text("holds", "Whether ours agrees.", label="Holds"), width=92),
    GridColumn(link("source_url", "The paper.", label="Source"), width=70),
)


def draw(view: View) -> None:
    """Draw the page."""
    areas = areas_of_claims(view)
    st.title(_title(classes(view, {})), anchor=False)
    if not areas:
        empty.nothing(
            "No claim has been recomputed in this generation.",
            "A claim is a number that somebody else published about these benchmarks; where its inputs are on record, "
            "it is computed again and listed here with ours.",
        )
        return
    st.markdown(
        "A **recomputed** number is one that others printed and that we made again here from many results. "
        "Only these count. A score **looked up** shows that names are read right; what is **ours** nobody else printed."
    )
    params = {"about": filters.pick_one("about", "About", areas)}
    _counts(view, params)
    block.show(view, CLAIMED, params)
    st.header("Every claim", anchor="claims")
    params["class"] = filters.segments("class", "Class", {name: name.capitalize() for name in KINDS}, wide=True)
    st.markdown(_OF_CLASS[params["class"]])
    rows = claims(view, params)
    _all_claims(view, params, rows)
    _reasons(rows)
    _left_out(view)


def _title(of_classes: pl.DataFrame) -> str:
    """How many of the recomputed statistics hold; a question where none was recomputed."""
    n_holding, tried = of_classes.filter(pl.col("class") == "recomputed").select("holds", "computed").sum().row(0)
    if not tried:
        return "Can published numbers be computed again?"
    return f"{n_holding or 0} of {count(tried, 'published statistic')} hold when they are computed again"


_OF_CLASS: Mapping[str, str] = {
    "recomputed": "A statistic printed by others, computed again from many results; the row says from how many.",
    "looked up": "One printed score, found again in the record: it tests that sources and names resolve, nothing more.",
    "ours": "Computed here, published by nobody: there is no number to hold it against.",
    "cited": "Printed by others from a table that is not on record here: nothing can be computed; why is below.",
}


def _counts(view: View, params: Params) -> None:
    rows = classes(view, params)
    with st.container(key="wide_classes"):
        _classes(view, params, rows)
    with st.container(key="narrow_classes"):
        st.markdown(_listed_classes(rows))


def _listed_classes(rows: pl.DataFrame) -> str:
    """For a phone, a line a class: how many claims, and how many hold."""
    lines = []
    for name, papers, claims, computed, holds, differs in rows.select(
        "class", "papers", "claims", "computed", "holds", "differs"
    ).iter_rows():
        outcome = "" if holds is None else f", {computed} computed: {holds} hold, {differs} differ"
        of_papers = f" of {count(papers, 'paper')}" if papers else ""
        lines.append(f"- **{name.capitalize()}**: {count(claims or 0, 'claim')}{of_papers}{outcome}")
    return "\n".join(lines)


def _classes(view: View, params: Params, rows: pl.DataFrame) -> None:
    tables.show(
        view,
        rows.with_columns(pl.col("class").str.head(1).str.to_uppercase() + pl.col("class").str.slice(1)),
        CLASSES,
        params,
        visible_rows=len(KINDS),
        alt="How many claims of each class there are, how many are computed, hold and differ",
        columns=CLASS_COLUMNS,
    )


def _reasons(rows: pl.DataFrame) -> None:
    """Draw in full, as prose, where ours differs, and where it holds but measures a slightly other thing."""
    differs, missing = rows.filter(~pl.col("holds")), rows.filter(pl.col("class") == "cited")
    for anchor, title, group in (
        ("differs", "Where ours differs, and why", differs),
        ("missing", "What is missing", missing),
    ):
        if group.height:
            st.header(title, anchor=anchor)
            st.markdown(_prose(group))
    otherwise = rows.filter("holds", pl.col("why").is_not_null())
    if otherwise.height:
        box = st.expander(
            f"Where ours holds and measures a little else: {count(otherwise.height, 'claim')}",
            key="otherwise",
            on_change="rerun",
        )
        if box.open:
            box.markdown(_prose(otherwise))


def _prose(rows: pl.DataFrame) -> str:
    return "\n".join(_reason(row) for row in rows.iter_rows(named=True))


def _left_out(view: View) -> None:
    """Draw which published numbers are not computed here, and what is missing for each."""
    rows = view.table("left_out")
    if rows.is_empty():
        return
    counted = f"{count(rows.height, 'number')} of {count(rows['paper'].n_unique(), 'paper')}"
    box = st.expander(f"Left out, and why: {counted}", key="left_out_box", on_change="rerun")
    if not box.open:
        return
    with box:
        st.markdown(
            f"{counted} that were considered and not computed: what they rest on is not on record, or no number was "
            f"found that ours could fail to be. {links.csv('All of it as CSV', LEFT_OUT.address({}))}"
        )
        st.markdown(_listed_left_out(rows))


def _listed_left_out(rows: pl.DataFrame) -> str:
    """The statistics that are left out as a list, each with the reason and its source."""
    return "\n".join(
        f"- {markdown(paper)}: {markdown(statistic)}. *{markdown(reason).capitalize()}:* {markdown(why)}. "
        f"[Source](<{url}>)"
        for paper, statistic, reason, why, url in rows.select(
            "paper", "statistic", "reason", "why", "source_url"
        ).iter_rows()
    )


def _reason(row: dict[str, object]) -> str:
    unit = markdown(str(row["unit"]))
    published, ours = (_number(row[name], row["tolerance"]) for name in ("published", "computed"))
    why = str(row["why"] or "no reason is known")
    interval_text = _interval_text(row)
    interval = f", {markdown(interval_text)}" if interval_text else ""
    line = f"- {markdown(str(row['statement']))}: published **{published}**, ours **{ours}** ({unit}{interval}). "
    if row["computed"] is None:
        line = f"- {markdown(str(row['statement']))}. "
    line += f"*Why:* {markdown(why)}."
    return f"{line} [Source](<{row['source_url']}>)" if str(row["source_url"]).startswith("https://") else line


def _number(value: object, tolerance: object) -> str:
    """A number to one digit beyond its tolerance, so that the shown digits decide; in full without a tolerance."""
    if not isinstance(value, float):
        return "unknown"
    if not isinstance(tolerance, float) or tolerance <= 0:
        return f"{value:,.6g}"
    return f"{value:,.{max(0, 1 - floor(log10(tolerance)))}f}"


def _interval_text(row: Mapping[str, object]) -> str | None:
    """Our interval, and what it is an interval of; None where none is given."""
    if not isinstance(row["low"], float):
        return None
    return f"{row['low']:,.3g} to {row['high']:,.3g}: {row['interval']}"


def _alternative_text(row: Mapping[str, object]) -> str | None:
    """The value without an effect, or by another method; None where nothing was published."""
    if not isinstance(row["null_value"], float):
        return None
    return f"{row['null_value']:,.4g}: {row['null_reason']}"


def _outcome_text() -> pl.Expr:
    outcome = pl.col("holds").replace_strict(_HOLDS, default=None, return_dtype=pl.String)
    none = pl.when(pl.col("class") == "ours").then(pl.lit("– nothing printed")).otherwise(pl.lit(_NOT_COMPUTED))
    return pl.coalesce(outcome, none)


def _all_claims(view: View, params: Params, rows: pl.DataFrame) -> None:
    unknown = rows["computed"].null_count()
    if unknown and params["class"] != "cited":
        st.markdown(
            f"{count(unknown, 'claim')} cannot be computed: what they are about is not on record. Sources that may "
            "not be passed on have to be pulled first (`benchhealth ingest`)."
        )
    foldable(
        "claims", f"All {count(rows.height, 'claim')}", lambda: _table(view, params, rows), lambda: _claim_list(rows)
    )


def _claim_list(rows: pl.DataFrame) -> None:
    """Draw the claims for narrow screens, in one line each."""
    lines = [
        f"- {row['judged']}: {markdown(str(row['statement']))}: published "
        f"**{_number(row['published'], row['tolerance'])}**, ours **{_number(row['computed'], row['tolerance'])}** "
        f"({markdown(str(row['unit']))})"
        for row in rows.with_columns(judged=_outcome_text()).iter_rows(named=True)
    ]
    st.markdown("\n".join(lines))


def _table(view: View, params: Params, rows: pl.DataFrame) -> None:
    tables.show(
        view,
        rows.select(
            _outcome_text().alias("holds"),
            *(
                pl.Series(name, [_number(*pair) for pair in rows.select(name, "tolerance").iter_rows()], pl.String)
                for name in ("published", "computed")
            ),
            pl.Series("interval", [_interval_text(row) for row in rows.iter_rows(named=True)], pl.String),
            pl.Series("instead", [_alternative_text(row) for row in rows.iter_rows(named=True)], pl.String),
            "statement",
            *("paper", "place", "tolerance", "tolerance_reason", "unit", "inputs", "opened", "source_url"),
        ),
        CLAIMS,
        params,
        visible_rows=8,
        alt="Published numbers and ours, with paper, place, tolerance and its reason, and whether they hold",
        columns=CLAIM_COLUMNS,
        wrapped=True,
    )


PAGE = PageSpec(
    url_path="reproduction",
    title="Reproduction",
    section="Data",
    draw=draw,
    tables=(CLAIMS, CLASSES, LEFT_OUT),
    charts=(CLAIMED,),
)
