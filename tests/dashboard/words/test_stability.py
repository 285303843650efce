"""How a verdict's dependence on the limits is said."""

import pytest

from benchhealth.dashboard.words.indicators import stability_sentence


@pytest.mark.parametrize(
    ("same", "other", "hangs_on", "expected"),
    [
        (1.0, None, [], "the same under all of 200 sets of rules"),
        (0.97, "compressing", [], "under 97% of 200 sets of rules, each limit moved by up to 20%"),
        (0.97, "compressing", [], "the commonest other is running out. No limit changes it alone."),
        (0.5, "saturated", ["narrow_headroom", "spread"], "it is changed by: narrow headroom and spread."),
    ],
)
def test_a_verdict_that_hangs_on_a_limit_says_so(same: float, other: str, hangs_on: list[str], expected: str) -> None:
    assert expected in stability_sentence({"draws": 200, "same": same, "other": other, "hangs_on": hangs_on})
