"""The cards of what is recommended: a bar of what is left, the numbers, why, and what speaks against it."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED
from benchhealth.dashboard.published.deciding.desk import Row
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.desk.cards import Card
from benchhealth.dashboard.words.numbers import score
from benchhealth.dashboard.words.stages import stage_badge
from benchhealth.dashboard.words.text import markdown


def show(cards: Sequence[Card], rows: Sequence[Row]) -> None:
    """Draw the cards beside one another; `rows` are those that they are made of."""
    for column, (card, row) in zip(st.columns(MOST_RECOMMENDED), zip(cards, rows, strict=True), strict=False):
        with column, st.container(border=True, height="stretch", gap="xsmall", key=f"desk_{row['place']}"):
            to = links.address("benchmark", benchmark=card.benchmark_id)
            badge = stage_badge("unknown" if row["between"] else row["stage"])
            st.markdown(f"**[{markdown(card.name)}]({to})** {badge}")
            st.markdown(f":small[:gray[{markdown(card.about)}]]")
            st.html(_inside(card, row))


def _inside(card: Card, row: Row) -> str:
    """Bar, numbers, why and reservation as HTML; every text is escaped."""
    numbers = "".join(f"<dt>{escape(name)}</dt><dd>{escape(number)}</dd>" for name, number in card.numbers)
    return (
        f'{_bar(card, row)}<dl class="desk-numbers">{numbers}</dl>'
        f"<p><b>Why.</b> {escape(card.why)}</p>"
        f'<p class="desk-reservation"><b>Reservation.</b> {escape(card.reservation)}</p>'
    )


def _bar(card: Card, row: Row) -> str:
    """From chance to the ceiling: how far the best score is, its error, and the room beyond it."""
    if row["room"] is None:
        return ""
    best = _within(1 - row["room"])
    low, high = (best if row[end] is None else _within(1 - row[end]) for end in ("room_high", "room_low"))
    best_text = f"best {score(row['best'], row['unit'])}" if row["best"] is not None else "best"
    return (
        f'<div class="desk-bar" role="img" aria-label="{escape(card.numbers[0][1], quote=True)}">'
        f"{_part('left', best, 100)}{_part('error', low, high)}{_part('best', best, best)}</div>"
        f'<div class="desk-scale"><span>chance</span><span>{escape(best_text)}</span><span>ceiling</span></div>'
    )


def _part(kind: str, start: float, end: float) -> str:
    return f'<i class="{kind}" style="left:{start:.1f}%;width:{max(0.0, end - start):.1f}%"></i>'


def _within(share: float) -> float:
    return 100 * min(1.0, max(0.0, share))
