"""How often a source publishes, from the words of its `cadence`."""

from datetime import timedelta

DAYS = {
    "daily": 1,
    "every few days": 3,
    "some times a week": 3,
    "some models a week": 3,
    "weekly": 7,
    "some times a month": 10,
    "some models a month": 10,
    "some times a year": 120,
}
"""`some` is about three: a month of silence is three cadences of what comes some times a month."""


def every(cadence: str) -> timedelta | None:
    """The time between two publications; None for a source that has no such time (`once`, `closed since 2023`)."""
    days = DAYS.get(cadence.split(";", maxsplit=1)[0].strip())
    return None if days is None else timedelta(days=days)
