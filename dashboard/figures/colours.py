"""The colours of charts.

They are those of Okabe and Ito (Color Universal Design, 2008), which stay distinct under the common forms of colour
blindness. A stage always shows its word and its shape as well.
"""

from collections.abc import Mapping

from analytics.record.tables import STAGES

BLUE, SKY, GREEN, ORANGE, VERMILLION, PURPLE, GREY = (
    "#0072B2",
    "#56B4E9",
    "#009E73",
    "#E69F00",
    "#D55E00",
    "#CC79A7",
    "#8C8C8C",
)
CATEGORICAL = (BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, GREY)

STAGE_COLOUR: Mapping[str, str] = dict(zip(STAGES, (GREY, SKY, GREEN, ORANGE, VERMILLION), strict=True))

CHART_TEXT = {"light": "#3D444D", "dark": "#C9D1D9"}
"""Colour of text in charts by the theme's type: both have a contrast above 7 to their background."""
