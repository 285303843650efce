"""What is open on a wide screen and waits behind a line on a phone, where it would be long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st


def foldable(key: str, line: str, draw: Callable[[], object], on_phone: Callable[[], object] | None = None) -> None:
    """Draw it for a wide screen, and for a phone behind the `line`; document.css shows one of the two.

    On a phone `on_phone` is drawn where it is given; what both draw must have keys that differ.
    """
    with st.container(key=f"wide_{key}"):
        draw()
    with st.container(key=f"narrow_{key}"):
        draw_folded(line, f"more_{key}", on_phone or draw)


def draw_folded(line: str, key: str, draw: Callable[[], object], *, expanded: bool = False) -> None:
    """Draw it in a box behind the line, once that is open: what is closed costs nothing."""
    box = st.expander(line, key=key, expanded=expanded, on_change="rerun")
    if box.open:
        with box:
            draw()


@contextmanager
def collapsible(key: str, line: str, first: str) -> Iterator[None]:
    """What is drawn within is open on a wide screen; a phone shows it once the `line` is followed.

    It is drawn once: navigation.js opens what the address names after #, and `first` is the anchor of its first part.
    """
    with st.container(key=f"narrow_to_{key}"):
        st.markdown(f"[{line}](#{first})")
    with st.container(key=f"later_{key}"):
        yield
