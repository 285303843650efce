"""An estimate with its interval as a strip of one line: what lies left and right of the null, and the ends in words."""

from html import escape
from urllib.parse import quote

from benchhealth.analytics.record.tables.declared import Form
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.field.findings import Finding
from benchhealth.dashboard.words.numbers import percent, written

HEIGHT = 14
MARGIN = 4.0
"""Percent of the width left free at each end."""

BEYOND = 1.15
"""How far the axis goes beyond the numbers where their scale has no end."""


def strip(finding: Finding, palette: Palette) -> str:
    """The strip as HTML: a picture, which has no text, and the ends of the interval below it."""
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
    ends = [(left, _written(finding, finding.low))]
    if finding.high is not None:
        both = f"{ends[0][1]} to {_written(finding, finding.high)}"
        is_wide = right - left >= _NEAR
        ends = [*ends, (right, _written(finding, finding.high))] if is_wide else [((left + right) / 2, both)]
    ends += [(null, _written(finding, finding.null))] * all(abs(null - position) >= _NEAR for position, _ in ends)
    texts = "".join(
        f'<span style="left:{min(max(place, _EDGE), 100 - _EDGE):.1f}%">{escape(label)}</span>' for place, label in ends
    )
    label = escape(
        f"{_written(finding, finding.value)}, 95% interval from {_written(finding, finding.low)}", quote=True
    )
    return (
        f'<div class="interval"><img alt="{label}" src="data:image/svg+xml,{quote(drawing, safe=_PLAIN)}">'
        f"<div aria-hidden=true>{texts}</div></div>"
    )


_PLAIN = " =/:.,;()'%"
_NEAR, _EDGE = 24.0, 9.0
"""Percent of the width: two texts need so much, and the middle of one stays so far from the ends."""


def _span(finding: Finding) -> tuple[float, float]:
    """The ends of the axis: all shares, or from the null beyond the numbers."""
    if finding.form is Form.PERCENT:
        return 0.0, 1.0
    reach = [finding.null, finding.low, finding.value, *([] if finding.high is None else [finding.high])]
    low, high = min(reach), max(reach)
    over = (high - low) * (BEYOND - 1)
    return (low if low == finding.null else low - over), (high if high == finding.null else high + over)


def _written(finding: Finding, value: float) -> str:
    if finding.form is Form.PERCENT:
        return percent(value)
    if finding.form is Form.POINTS:
        return f"{value:.1f}".removesuffix(".0").replace("-", "\u2212")
    return "release" if not value else written(finding.form, value)
