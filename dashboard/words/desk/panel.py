"""The panel of models in words: who was measured by others on every one of the recommended benchmarks."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from benchhealth.dashboard.words.numbers import score
from benchhealth.dashboard.words.text import count, known_at_latest, listed, plotly

WITHOUT_SCORE = "none by others"
"""In place of a score that others measured of a listed model; its maker may have run it."""


def on_benchmarks(labels: Sequence[str]) -> str:
    """On which benchmarks: `on GSO`, `on both`, `on all three`."""
    return {1: f"on {labels[0]}", 2: "on both"}.get(len(labels), f"on all {len(labels)}".replace("all 3", "all three"))


def title(models: int, labels: Sequence[str], least: int) -> str:
    """The finding: how many models are complete, or stand on `least` of the benchmarks or more."""
    where = on_benchmarks(labels) if least == len(labels) else f"on {least} or more of {len(labels)}"
    return f"{count(models, 'listed model was', 'listed models were')} measured by others {where}"


def title_of_chosen(complete: int, chosen: int, labels: Sequence[str]) -> str:
    """The finding about chosen models: how many of them are complete."""
    if chosen == 1:
        return (
            f"The chosen model is {'' if complete else 'not '}listed, and measured by others, {on_benchmarks(labels)}"
        )
    are = "is" if complete == 1 else "are"
    return f"{complete} of {chosen} chosen models {are} listed, and measured by others, {on_benchmarks(labels)}"


def choice(models: int, labels: Sequence[str], least: int) -> str:
    """A choice of models: `complete on all three: 6`, `on 2 or more: 30`."""
    return f"{f'complete {on_benchmarks(labels)}' if least == len(labels) else f'on {least} or more'}: {models}"


def subtitle(  # noqa: PLR0913 - what is drawn
    n_shown: int, models: int, labels: Sequence[str], least: int, until: date | None, *, chosen: int = 0
) -> str:
    """Which models are drawn, under which condition, and that no mean is taken; of `chosen` ones how many cannot be."""
    first = f"The first {n_shown} of {count(models, 'model')} by {labels[0]}. " if n_shown < models else ""
    if chosen:
        first = f"{chosen - models} of the chosen others measured on none. " if models < chosen else ""
    interval = "Score with its 95% interval where its error is known"
    if len(labels) == 1:
        return f"{first}{interval}, in one condition{known_at_latest(until)}."
    every = f"Only models complete {on_benchmarks(labels)}" if least == len(labels) else f"Models on {least} or more"
    drawn = "Chosen models" if chosen else every
    return (
        f"{first}{drawn} ({listed(list(labels))}), one condition a benchmark. {interval}; "
        f"the {len(labels)} benchmarks are never averaged{known_at_latest(until)}."
    )


def alt(title: str, scores: Sequence[tuple[str, str, str]]) -> str:
    """What is seen: the finding, and the scores of the first models."""
    points = "; ".join(f"{model} on {label} {value}" for model, label, value in scores)
    return f"{title}. {points}."


def hover(row: Mapping[str, Any], label: str, unit: str | None) -> str:
    """A mark: the model, its score with the interval, and the condition; escaped for Plotly."""
    ends = "error not known"
    if row["low"] is not None:
        ends = f"95%: {score(row['low'], unit)} to {score(row['high'], unit)}"
    return (
        f"<b>{plotly(row['model'])}</b><br>{plotly(label)}: {score(row['score'], unit)}, {ends}"
        f"<br>measured by others; {plotly(row['condition'] or 'condition not stated')}"
    )


def no_panel(labels: Sequence[str]) -> str:
    """A sentence that says why there is no panel of models."""
    where = on_benchmarks(labels) if len(labels) < 2 else f"on 2 or more of {listed(list(labels))}"
    return f"No listed model was measured by others {where}."


def none_of_chosen(labels: Sequence[str]) -> str:
    """The reason why there is no panel of the chosen models."""
    return f"None of the chosen models is listed, and measured by others, on {listed(list(labels), 'or')}."


CHOOSE = "Choose models"
ADVICE = "Choose a construct that more is known of, or open the models of each benchmark on its own page."
UNCHOSEN = "No benchmark is recommended, so there are no models to compare."
