"""Probabilities of tests as sentences say them."""

from benchhealth.dashboard.words.numbers import probability


def p_value(name: str, value: float | None) -> str:
    """A p- or q-value after its name: `p = 0.051`, `q below 0.001`, `p not known`."""
    number = probability(value)
    return f"{name} = {number}" if number[0].isdigit() else f"{name} {number}"
