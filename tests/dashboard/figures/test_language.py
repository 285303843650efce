"""The visual language: what a mark says of a stage and of how old the knowledge is."""

import pytest

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.figures.language import ROOM, SHAPES, Drawing, laid_out, stage_mark
from benchhealth.dashboard.figures.palette import DARK, LIGHT, Palette

both = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


@both
@pytest.mark.parametrize("stage", STAGES)
def test_what_nobody_looked_at_for_six_months_is_grey_in_the_shape_of_its_stage(stage: str, palette: Palette) -> None:
    grey = palette.stages["unknown"].mark
    fresh, aged, old, never = (stage_mark(stage, age, palette) for age in (5.9, 6.1, 18.1, None))
    assert {mark["symbol"] for mark in (fresh, aged, old, never)} == {SHAPES[stage]}
    assert old == never == {"symbol": SHAPES[stage], "color": palette.paper, "line": {"color": grey, "width": 1.3}}
    assert aged["line"] == old["line"]
    if stage != "unknown":
        assert fresh["color"] == palette.stages[stage].mark
        assert aged["color"] == palette.faint(grey, 0.38)


def test_a_chart_of_a_single_row_keeps_the_margin_that_its_heading_is_written_in() -> None:
    low = laid_out(Drawing(), LIGHT, 80)
    assert low.layout.minreducedheight == ROOM < 80 - 24 - 28
