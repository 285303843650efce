"""Filters whose state is the address: whoever opens the link sees the same view.

A key is the name of the query parameter. What is chosen by default is left out of the address; where that may be
another thing in the next generation it is pinned with `links`, so that a link to the view names it.
"""

from collections.abc import Mapping, Sequence
from typing import overload

import streamlit as st

from dashboard.widgets import links
from dashboard.words.text import one_line


def search(key: str, label: str, placeholder: str) -> str:
    """A text to look for, stripped; empty where none is given."""
    found = st.text_input(label, key=key, placeholder=placeholder, type="search", live=True, bind="query-params")
    return (found or "").strip()


def several(key: str, label: str, options: Sequence[str]) -> list[str]:
    """Any number of the options; none chosen means all."""
    return list(st.multiselect(label, list(options), key=key, placeholder="all", bind="query-params"))


@overload
def one(key: str, label: str, options: Sequence[str]) -> str: ...
@overload
def one(key: str, label: str, options: Sequence[str], *, placeholder: str) -> str | None: ...
def one(key: str, label: str, options: Sequence[str], *, placeholder: str | None = None) -> str | None:
    """One of the options; with a placeholder nothing is chosen until the reader does. `options` may not be empty."""
    return named(key, label, {option: option for option in options}, placeholder=placeholder)


@overload
def named(key: str, label: str, options: Mapping[str, str], *, with_ids: bool = True) -> str: ...
@overload
def named(
    key: str,
    label: str,
    options: Mapping[str, str],
    *,
    placeholder: str | None,
    width: int | None = None,
    with_ids: bool = True,
) -> str | None: ...
def named(  # noqa: PLR0913
    key: str,
    label: str,
    options: Mapping[str, str],
    *,
    placeholder: str | None = None,
    width: int | None = None,
    with_ids: bool = True,
) -> str | None:
    """One of the ids in `options`, found by typing a part of its name or of itself; the address holds the id.

    With a placeholder nothing is chosen until the reader does, else the first is. `options` may not be empty.
    Ids that mean nothing to readers are left out of the list.
    A box of a `width` in pixels stands alone: its label is for screen readers.
    The box is not bound to the address by Streamlit, which writes there what an option shows, and which drops what a
    link gives to the next page where a box of this page is bound to the same name.
    """
    box, ids = f"{key}_box", list(options)
    asked = st.query_params.get(key)
    chosen = asked if asked in options else ids[0] if placeholder is None else None

    def write_address() -> None:
        picked = st.session_state[box]
        if picked is None:
            st.query_params.pop(key, None)
        else:
            st.query_params[key] = picked

    st.session_state[box] = chosen
    st.selectbox(
        label,
        ids,
        index=0 if placeholder is None else None,
        key=box,
        format_func=lambda one_id: _shown(one_id, options[one_id]) if with_ids else one_line(options[one_id]),
        placeholder=placeholder,
        on_change=write_address,
        width=width or "stretch",
        label_visibility="visible" if width is None else "collapsed",
    )
    if chosen is not None:
        links.pin(key, chosen)
    return chosen


def _shown(one_id: str, name: str) -> str:
    return one_id if name == one_id else f"{one_line(name)} · {one_id}"


def switch(key: str, label: str, *, value: bool = False, explanation: str | None = None) -> bool:
    """Yes or no."""
    return st.toggle(label, value=value, key=key, help=explanation, bind="query-params")
