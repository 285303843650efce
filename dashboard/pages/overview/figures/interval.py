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


def strip(found: Finding, palette: Palette) -> str:
    """The strip as HTML: a picture, which has no text, and the ends of the interval below it."""
    low, high = _span(found)

    def across(value: float) -> float:
        return MARGIN + (100 - 2 * MARGIN) * (min(max(value, low), high) - low) / (high - low)

    left, right = across(found.low), 100.0 if found.high is None else across(found.high)
    null, middle = across(found.null), across(found.value)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{HEIGHT}">'
        f'<path d="M0 7h2000" stroke="{palette.line}"/>'
        f'<rect x="{null:.1f}%" y="1" width="1" height="12" fill="{palette.ink3}"/>'
        f'<rect x="{left:.1f}%" y="4.5" width="{right - left:.1f}%" height="5" fill="{palette.accent}" opacity=".45"/>'
        f'<circle cx="{middle:.1f}%" cy="7" r="4.5" fill="{palette.accent}"/></svg>'
    )
    ends = [(left, _written(found, found.low))]
    if found.high is not None:
        both = f"{ends[0][1]} to {_written(found, found.high)}"
        is_wide = right - left >= _NEAR
        ends = [*ends, (right, _written(found, found.high))] if is_wide else [((left + right) / 2, both)]
    ends += [(null, _written(found, found.null))] * all(abs(null - at) >= _NEAR for at, _ in ends)
    texts = "".join(
        f'<span style="left:{min(max(place, _EDGE), 100 - _EDGE):.1f}%">{escape(said)}</span>' for place, said in ends
    )
    said = escape(f"{_written(found, found.value)}, 95% interval from {_written(found, found.low)}", quote=True)
    return (
        f'<div class="interval"><img alt="{said}" src="data:image/svg+xml,{quote(drawing, safe=_PLAIN)}">'
        f"<div aria-hidden=true>{texts}</div></div>"
    )


_PLAIN = " =/:.,;()'%"
_NEAR, _EDGE = 24.0, 9.0
"""Percent of the width: two texts need so much, and the middle of one stays so far from the ends."""


def _span(found: Finding) -> tuple[float, float]:
    """The ends of the axis: all shares, or from the null beyond the numbers."""
    if found.form is Form.PERCENT:
        return 0.0, 1.0
    reach = [found.null, found.low, found.value, *([] if found.high is None else [found.high])]
    low, high = min(reach), max(reach)
    over = (high - low) * (BEYOND - 1)
    return (low if low == found.null else low - over), (high if high == found.null else high + over)


def _written(found: Finding, value: float) -> str:
    if found.form is Form.PERCENT:
        return percent(value)
    if found.form is Form.POINTS:
        return f"{value:.1f}".removesuffix(".0").replace("-", "\u2212")
    return "release" if not value else written(found.form, value)
