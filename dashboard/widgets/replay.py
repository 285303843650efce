"""Elements that are made once: what was drawn for one reader is sent as it is to the next.

Making a chart's or a grid's message costs more than all else of a page's run: a figure is checked, copied and written
as JSON, a styled grid goes through pandas cell by cell. The messages are kept by Streamlit's own cache, bounded in
bytes by `server.maxCacheDataSize` (see `serving/options.py`): those asked for last stay.
"""

from collections.abc import Callable, Hashable
from functools import cache

import streamlit as st

from benchhealth.dashboard.published.generation import View


def once(view: View, key: tuple[Hashable, ...], draw: Callable[[], object]) -> None:
    """Draw what `draw` draws; the same `key` in the same generation must mean the same elements, and no widgets."""
    _kept()((view.serial, *key), draw)


@cache
def _kept() -> Callable[[tuple[Hashable, ...], Callable[[], object]], None]:
    """Made when first needed: Streamlit warns of a cache that is older than its server."""

    @st.cache_data(show_spinner=False)
    def drawn(key: tuple[Hashable, ...], _draw: Callable[[], object]) -> None:
        """Streamlit keeps what is drawn in here under the arguments without an underscore."""
        del key
        _draw()

    return drawn
