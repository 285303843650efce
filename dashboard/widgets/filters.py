"""Filters whose state is the address: whoever opens the link sees the same view.

A key is the name of the query parameter. What is chosen by default is left out of the address; where that may be
another thing in the next generation it is pinned with `links`, so that a link to the view names it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import overload

import streamlit as st

from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.text import one_line

BETWEEN = "|"
"""What stands between ids of models in an address: some of them have commas."""


def search(key: str, label: str, placeholder: str) -> str:
    """A text to look for, stripped; empty where none is given."""
    text = st.text_input(label, key=key, placeholder=placeholder, type="search", live=True, bind="query-params")
    return (text or "").strip()


def one(key: str, label: str, options: Sequence[str]) -> str:
    """One of the options, of which there is one at least."""
    return named(key, label, {option: option for option in options})


@overload
def named(
    key: str, label: str, options: Mapping[str, str], *, with_id: bool = True, usual: str | None = None
) -> str: ...
@overload
def named(
    key: str,
    label: str,
    options: Mapping[str, str],
    *,
    placeholder: str | None,
    width: int | None = None,
    with_id: bool = True,
    usual: str | None = None,
) -> str | None: ...
def named(  # noqa: PLR0913
    key: str,
    label: str,
    options: Mapping[str, str],
    *,
    placeholder: str | None = None,
    width: int | None = None,
    with_id: bool = True,
    usual: str | None = None,
) -> str | None:
    """One of the ids in `options`, found by typing a part of its name or of itself; the address holds the id.

    With a placeholder nothing is chosen until the reader does, else the `usual` one is, or the first. `options` may
    not be empty.
    A box of a `width` in pixels stands alone: its label is for screen readers. `with_id` shows the id after the name,
    which says nothing to readers where there are no names.
    The box is not bound to the address by Streamlit, which writes there what an option shows, and which drops what a
    link gives to the next page where a box of this page is bound to the same name.
    """
    box, ids = f"{key}_box", list(options)
    asked = st.query_params.get(key)
    chosen = asked if asked in options else (usual or ids[0]) if placeholder is None else None

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
        format_func=lambda one_id: _shown(one_id, options[one_id]) if with_id else one_line(options[one_id]),
        placeholder=placeholder,
        on_change=write_address,
        width=width or "stretch",
        label_visibility="visible" if width is None else "collapsed",
    )
    if chosen is not None:
        links.pin(key, chosen)
    return chosen


@lru_cache(8192)
def _shown(one_id: str, name: str) -> str:
    return one_id if name == one_id else f"{one_line(name)} · {one_id}"


def pills(key: str, label: str, options: Mapping[str, str], *, labelled: bool = False) -> list[str]:
    """Any number of the ids in `options`, each a pill that shows its text; the address holds the ids, with commas.

    Not bound by Streamlit for the reason given at `named`: what a pill shows has a count in it.
    """
    box = f"{key}_box"
    asked = st.query_params.get(key, "").split(",")
    st.session_state[box] = [one_id for one_id in options if one_id in asked]
    st.pills(
        label,
        list(options),
        selection_mode="multi",
        key=box,
        format_func=lambda one_id: options[one_id],
        on_change=lambda: _write(key, ",".join(st.session_state[box])),
        label_visibility="visible" if labelled else "collapsed",
        width="stretch" if labelled else "content",
    )
    return list(st.session_state[box])


def pill(key: str, label: str, options: Mapping[str, str], *, default: str | None = None) -> str | None:
    """One of the ids in `options`, or none where nothing is chosen and there is no default."""
    box = f"{key}_box"
    asked = st.query_params.get(key)
    st.session_state[box] = asked if asked in options else default

    def write_address() -> None:
        picked = st.session_state[box]
        _write(key, "" if picked in (None, default) else picked)

    st.pills(
        label,
        list(options),
        key=box,
        format_func=lambda one_id: options[one_id],
        on_change=write_address,
        label_visibility="collapsed",
    )
    picked = st.session_state[box]
    return None if picked is None else str(picked)


def segments(  # noqa: PLR0913
    key: str, label: str, options: Mapping[str, str], *, wide: bool = False, usual: str = "", labelled: bool = False
) -> str:
    """One of the ids in `options`, side by side; the address holds the id, and nothing for the `usual` or first one."""
    box, first = f"{key}_box", usual or next(iter(options))
    asked = st.query_params.get(key, first)
    st.session_state[box] = chosen = asked if asked in options else first

    def write_address() -> None:
        picked = st.session_state[box] or chosen
        _write(key, "" if picked == first else picked)

    st.segmented_control(
        label,
        list(options),
        key=box,
        format_func=lambda one_id: options[one_id],
        on_change=write_address,
        label_visibility="visible" if labelled else "collapsed",
        width="stretch" if wide else "content",
    )
    return str(chosen)


def chosen(key: str, label: str, options: Mapping[str, str], most: int, placeholder: str) -> list[str]:
    """Up to `most` of the ids in `options`, found by a part of their names; the address holds them with BETWEEN."""
    box, asked = f"{key}_box", st.query_params.get(key, "").split(BETWEEN)
    st.session_state[box] = [one_id for one_id in dict.fromkeys(asked) if one_id in options][:most]
    st.multiselect(
        label,
        list(options),
        key=box,
        format_func=lambda one_id: one_line(options[one_id]),
        max_selections=most,
        placeholder=placeholder,
        on_change=lambda: _write(key, BETWEEN.join(st.session_state[box])),
        label_visibility="collapsed",
    )
    return list(st.session_state[box])


def slider(key: str, label: str, options: Mapping[str, str]) -> str:
    """One of many ids in `options`, in their order, by their names; the last where none is asked for."""
    box, last = f"{key}_box", list(options)[-1]
    asked = st.query_params.get(key, last)
    st.session_state[box] = asked if asked in options else last

    def write_address() -> None:
        picked = st.session_state[box]
        _write(key, "" if picked == last else picked)

    st.select_slider(label, list(options), key=box, format_func=lambda one_id: options[one_id], on_change=write_address)
    return str(st.session_state[box])


def marked(key: str, label: str, *, usual: bool = False) -> bool:
    """Yes or no; the address holds `1` for what is not `usual`, as the addresses of charts do."""
    box = f"{key}_box"
    st.session_state[box] = (st.query_params.get(key) == "1") != usual
    st.toggle(label, key=box, on_change=lambda: _write(key, "1" * (bool(st.session_state[box]) != usual)))
    return bool(st.session_state[box])


def _write(key: str, value: str) -> None:
    if value:
        st.query_params[key] = value
    else:
        st.query_params.pop(key, None)
