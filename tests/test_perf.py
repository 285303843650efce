"""The speed measurements follow the code that they measure."""

import analytics.assess
from perf.work import PARTS


def test_every_measured_part_of_assess_is_called_there() -> None:
    assert [name for name, _ in PARTS if not callable(getattr(analytics.assess, name, None))] == []
