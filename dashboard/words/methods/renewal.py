"""What the Methods page says about static and dynamic benchmarks: functions whose docstrings are its texts."""

from collections.abc import Callable

from benchhealth.analytics.renewal.kinds import kind
from benchhealth.analytics.renewal.table import static_dynamic

RENEWAL: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    ("static_dynamic", "Static and dynamic benchmarks side by side", None, static_dynamic),
    ("kinds", "Which benchmark is live, refreshed, private or static", None, kind),
)
"""Anchor, title, formula and function of each method."""
