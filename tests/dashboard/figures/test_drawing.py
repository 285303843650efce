"""What is gathered and set at once is what Plotly draws of the same, one by one."""

import plotly.graph_objects as go

from benchhealth.dashboard.figures.language import Drawing, laid_out, set_layout
from benchhealth.dashboard.figures.palette import LIGHT


def _drawn(figure: go.Figure) -> go.Figure:
    figure.add_shape(type="line", x0=0, x1=1, y0=2, y1=2)
    figure.add_scatter(x=[1, 2], y=[3, 4])
    figure.add_annotation(x=1, y=3, text="first", font={"size": 12})
    figure.layout.annotations[0].yshift = 5
    figure.add_annotation(x=2, y=4, text="second")
    figure.add_shape(type="line", x0=0, x1=1, y0=5, y1=5)
    return figure


def test_what_waits_is_drawn() -> None:
    ours, plotly = _drawn(Drawing()), _drawn(go.Figure())
    assert len(plotly.layout.annotations) == 2
    assert ours.to_json() == plotly.to_json()
    assert ours.to_json() == plotly.to_json()  # a second time, as when it is kept


def test_a_layout_is_updated_as_plotly_does() -> None:
    changes = {"margin": {"r": 9}, "xaxis": {"range": [0, 1], "tickfont": {"size": 9}}, "height": 90}
    ours, plotly = (laid_out(go.Figure(), LIGHT, 400) for _ in range(2))
    set_layout(ours, **changes)
    plotly.update_layout(**changes)
    assert ours.to_plotly_json() == plotly.to_plotly_json()
    assert ours.layout.xaxis.tickfont.color == LIGHT.ink3
