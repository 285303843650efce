"""Text that stands open on a wide screen and behind a line on a phone, where it would be long."""

from collections.abc import Callable

import streamlit as st


def folded(key: str, line: str, draw: Callable[[], object], whole: Callable[[], object] | None = None) -> None:
    """Draw it for a wide screen, and for a phone behind the `line`; document.css shows one of the two.

    On a phone `whole` is drawn where it is given. What `draw` writes alone has a key only where `whole` has another.
    """
    with st.container(key=f"wide_{key}"):
        draw()
    with st.container(key=f"narrow_{key}"):
        box = st.expander(line, key=f"more_{key}", on_change="rerun")
        if box.open:
            with box:
                (whole or draw)()
