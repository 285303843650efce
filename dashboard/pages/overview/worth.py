"""Findings worth repeating beside the map: a card each, with its estimate, its interval, and where it is from.

The interval is a strip of one line: what lies left and right of the null, and the ends in words.
"""

from collections.abc import Iterator
from html import escape
from math import inf
from typing import NamedTuple
from urllib.parse import quote

import polars as pl
import streamlit as st

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.record.tables.declared import Form
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known, family, last_known
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.widgets import block, links, replay
from benchhealth.dashboard.words.first import findings as words
from benchhealth.dashboard.words.goodhart import reports
from benchhealth.dashboard.words.numbers import fixed, percent, score, written
from benchhealth.dashboard.words.text import count, listed, markdown, shorten

HALF_SHARE = 0.5
"""What a share is compared with: half."""

CALENDAR = "year"


class Finding(NamedTuple):
    """An estimate with its 95% interval, which may be open above; `form` says how its numbers are written.

    `to` is the page, its parameters and the chart that has it.
    """

    kind: str
    title: str
    line: str
    value: float
    low: float
    high: float | None
    null: float
    form: Form
    to: tuple[str, dict[str, str], str]

    @property
    def is_clear(self) -> bool:
        """Whether the interval lies on one side of the null."""
        return self.low > self.null or (self.high is not None and self.high < self.null)

    @property
    def width(self) -> float:
        """The width of the interval; infinite where an end is open."""
        return inf if self.high is None else self.high - self.low


@always
def worth_repeating(view: View) -> list[Finding]:
    """At most one finding of each kind, in the order of the kinds."""
    return clearest_findings([*_aging(view), *_noise(view), *_makers(view)])


def clearest_findings(findings: list[Finding]) -> list[Finding]:
    """The clear finding of each kind with the narrowest interval, the first of equals; kinds in the order given."""
    clear = [finding for finding in findings if finding.is_clear]
    kinds = dict.fromkeys(finding.kind for finding in clear)
    return [
        min((finding for finding in clear if finding.kind == kind), key=lambda finding: finding.width) for kind in kinds
    ]


def _aging(view: View) -> Iterator[Finding]:
    curve = view.table("survival").filter(pl.col("cohort") == OVERALL).sort("months")
    half = half_life(curve)
    if half.months is not None and half.low is not None:
        yield Finding(
            "aging", words.short_half_life(half), words.lasting_line(curve, half, last_known(view)),
            half.months, half.low, half.high, 0.0, Form.MONTHS, ("field", {}, "survival"),
        )  # fmt: skip


def _noise(view: View) -> Iterator[Finding]:
    """The findings on whether a year's new best scores and first places are beyond their errors."""
    steps = goodhart.advances(view, {"by": "year"})
    if steps.height:
        last = steps.row(-1, named=True)
        yield Finding(
            "noise", words.advances_title(last), words.advances_line(last, last_known(view)),
            last["value"], last["low"], last["high"], HALF_SHARE, Form.PERCENT, ("field", {}, "advances"),
        )  # fmt: skip
    boards = view.table("order_census").drop_nulls("share").filter(pl.col("grouping") == CALENDAR)
    if boards.height:
        last = boards.row(-1, named=True)
        yield Finding(
            "noise", words.order_title(last), words.order_line(last, last["seen_until"].date()),
            last["share"], last["low"], last["high"], HALF_SHARE, Form.PERCENT,
            ("field", {"chart": "order"}, "order-census"),
        )  # fmt: skip


def _makers(view: View) -> Iterator[Finding]:
    """What makers report beside what others measure, over all benchmarks: of one, its own page has the answer."""
    overall = goodhart.row(view, "self_report_premium")
    if overall is not None and overall["status"] == "ok":
        title = reports.premium_title(overall, goodhart.premiums(view, {}), "benchmark")
        yield Finding(
            "makers", title, words.makers_line(overall, last_known(view)),
            overall["value"], overall["low"], overall["high"], 0.0, Form.POINTS,
            ("field", {"chart": "self-reports"}, "self-reports"),
        )  # fmt: skip


HEIGHT = 14
MARGIN = 4.0
"""Percent of the width left free at each end."""

AXIS_BEYOND = 1.15
"""How far the axis goes beyond the numbers where their scale has no end."""


def strip(finding: Finding, palette: Palette) -> str:
    """The strip as HTML: a picture without text, and the ends of the interval below it."""
    low, high = _span(finding)

    def across(value: float) -> float:
        return MARGIN + (100 - 2 * MARGIN) * (min(max(value, low), high) - low) / (high - low)

    left, right = across(finding.low), 100.0 if finding.high is None else across(finding.high)
    null, middle = across(finding.null), across(finding.value)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{HEIGHT}">'
        f'<path d="M0 7h2000" stroke="{palette.line}"/>'
        f'<rect x="{null:.1f}%" y="1" width="1" height="12" fill="{palette.ink3}"/>'
        f'<rect x="{left:.1f}%" y="4.5" width="{right - left:.1f}%" height="5" fill="{palette.accent}" opacity=".45"/>'
        f'<circle cx="{middle:.1f}%" cy="7" r="4.5" fill="{palette.accent}"/></svg>'
    )
    ends = [(left, _value(finding, finding.low))]
    if finding.high is not None:
        interval_text = f"{ends[0][1]} to {_value(finding, finding.high)}"
        is_wide = right - left >= _TEXT_GAP
        ends = [*ends, (right, _value(finding, finding.high))] if is_wide else [((left + right) / 2, interval_text)]
    ends += [(null, _value(finding, finding.null))] * all(abs(null - position) >= _TEXT_GAP for position, _ in ends)
    texts = "".join(
        f'<span style="left:{min(max(position, _EDGE_GAP), 100 - _EDGE_GAP):.1f}%">{escape(label)}</span>'
        for position, label in ends
    )
    label = escape(f"{_value(finding, finding.value)}, 95% interval from {_value(finding, finding.low)}", quote=True)
    return (
        f'<div class="interval"><img alt="{label}" src="data:image/svg+xml,{quote(drawing, safe=_PLAIN)}">'
        f"<div aria-hidden=true>{texts}</div></div>"
    )


_PLAIN = " =/:.,;()'%"
_TEXT_GAP, _EDGE_GAP = 24.0, 9.0
"""Percent of the width: two texts need so much, and the middle of one stays so far from the ends."""


def _span(finding: Finding) -> tuple[float, float]:
    """The ends of the axis: all shares, or from the null beyond the numbers."""
    if finding.form is Form.PERCENT:
        return 0.0, 1.0
    reach = [finding.null, finding.low, finding.value, *([] if finding.high is None else [finding.high])]
    low, high = min(reach), max(reach)
    margin = (high - low) * (AXIS_BEYOND - 1)
    return (low if low == finding.null else low - margin), (high if high == finding.null else high + margin)


def _value(finding: Finding, value: float) -> str:
    if finding.form is Form.PERCENT:
        return percent(value)
    if finding.form is Form.POINTS:
        return fixed(value).removesuffix(".0")
    return "release" if not value else written(finding.form, value)


BEST_KNOWN, NAME = 2, 26


def show(view: View) -> None:
    """Draw a card for each finding, and below them the scales that are not on the map."""
    findings = worth_repeating(view)
    if findings:
        st.markdown("## Worth repeating")
    palette = block.palette()
    replay.once(view, ("worth repeating", palette.dark), lambda: _cards(findings))
    if without_ceiling := _without_ceiling(view):
        st.markdown(f":small[{without_ceiling}]")


def _cards(findings: list[Finding]) -> None:
    for finding in findings:
        _card(finding)


def _card(finding: Finding) -> None:
    page, params, chart = finding.to
    url = f"{links.address(page, **params)}{f'#{chart}' if chart else ''}"
    name = page.capitalize() if page == "field" else "The benchmark"
    with st.container(border=True, gap="xxsmall", key=f"card_{finding.kind}"):
        st.subheader(markdown(finding.title), anchor=False)
        st.html(strip(finding, block.palette()))
        st.markdown(f":small[:gray[{markdown(finding.line)}] [{name}](<{url}>)]")


@always
def _without_ceiling(view: View) -> str:
    """How many curated scales have no ceiling, the best known of them with the best on each, and where all are."""
    scaled = pl.col("unit").is_in(["percent", "fraction"])
    rows = benchmarks(view).filter("of_curated", "curated", ~scaled & pl.col("best").is_not_null())
    if rows.is_empty():
        return ""
    first = best_known(rows).unique(family(), keep="first", maintain_order=True).head(BEST_KNOWN)
    named = [
        f"[{markdown(shorten(label.rpartition(' / ')[2], NAME))}]({links.address('benchmark', benchmark=key)}) "
        f"({score(best, unit).replace(' minutes', ' min')})"
        for key, label, best, unit in first.select("benchmark_id", "label", "best", "unit").iter_rows()
    ]
    return (
        f"{count(rows.height, 'scale has', 'scales have')} no ceiling and no place on the map, such as "
        f"{listed(named)}. [See them]({links.address('overview', open='1')})"
    )
