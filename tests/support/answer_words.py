"""Which numbers of a row of table `answer` its words must hold, worked out apart from the words."""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import day_of, months, percent, points


def own_numbers(row: Row) -> list[str]:
    """As they are written: the value in its unit, a count of how many, and of what would have been missed how much."""
    numbers = []
    if row["missed"] is not None and row["case"] in ("too_weak", "nothing_found"):
        numbers.append(percent(row["missed"]) if row["missed_unit"] == "share" else points(row["missed"] / 100))
    if row["value"] is None:
        return numbers
    return [*numbers, *_of_value(row)]


def _of_value(row: Row) -> list[str]:
    value, question = row["value"], row["question"]
    if question == "order" or row["case"] == "stand_out" or row["case"].startswith("crowded_and"):
        return [f"{row['count'] or 0:,} of {row['n'] or 0:,}"]
    if question == "reporters":
        return ["1 maker" if row["n"] == 1 else f"{row['n']:,} makers"]
    if question == "looked":
        return [day_of(row["on_day"])]
    if question == "labels":
        return [percent(value, error=0.0)] if value else []
    return [_in_unit(value, row["unit"])]


def _in_unit(value: float, unit: str) -> str:
    return {
        "share": percent(value) if value > 0 else "othing",
        "points": points(abs(value) / 100),
        "units": f"{abs(value):.0f} units",
        "times": f"{value:.2g} times",
        "months": months(value),
    }[unit]
