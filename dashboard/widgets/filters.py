"""Filters whose state is the address: whoever opens the link sees the same view.

A key is the name of the query parameter. What is chosen by default is left out of the address; where that may be
another thing in the next generation it is pinned with `links`, so that a link to the view names it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, overload

import streamlit as st

from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.text import one_line

BETWEEN = "|"
"""What stands between ids of models in an address: some of them have commas."""


def search(key: str, label: str, placeholder: str) -> str:
    """A text to look for, stripped; empty where none is given."""
    text = st.text_input(label, key=key, placeholder=placeholder, type="search", live=True, bind="query-params")
    return (text or "").strip()


@overload
def pick_one(key: str, label: str, options: Sequence[str]) -> str: ...
@overload
def pick_one(key: str, label: str, options: Sequence[str], *, placeholder: str) -> str | None: ...
def pick_one(key: str, label: str, options: Sequence[str], *, placeholder: str | None = None) -> str | None:
    """One of the options; with a placeholder nothing is chosen until the reader does. `options` may not be empty."""
    return id_picker(key, label, {option: option for option in options}, placeholder=placeholder)


@overload
def id_picker(
    key: str, label: str, options: Mapping[str, str], *, with_id: bool = True, usual: str | None = None
) -> str: ...
@overload
def id_picker(
    key: str,
    label: str,
    options: Mapping[str, str],
    *,
    placeholder: str | None,
    width: int | None = None,
    with_id: bool = True,
    usual: str | None = None,
) -> str | None: ...
def id_picker(  # noqa: PLR0913
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
    ids, in_address = list(options), st.query_params.get(key)
    chosen = in_address if in_address in options else (usual or ids[0]) if placeholder is None else None
    st.selectbox(
        label,
        ids,
        index=0 if placeholder is None else None,
        format_func=lambda one_id: _option_text(one_id, options[one_id]) if with_id else one_line(options[one_id]),
        placeholder=placeholder,
        width=width or "stretch",
        label_visibility="visible" if width is None else "collapsed",
        **bound(key, chosen, lambda picked: picked or ""),
    )
    if chosen is not None:
        links.pin(key, chosen)
    return chosen


@lru_cache(8192)
def _option_text(one_id: str, name: str) -> str:
    return one_id if name == one_id else f"{one_line(name)} · {one_id}"


def pills(key: str, label: str, options: Mapping[str, str], *, labelled: bool = False) -> list[str]:
    """Any number of the ids in `options`, each a pill that shows its text; the address holds the ids, with commas.

    Not bound by Streamlit for the reason given at `id_picker`: what a pill shows has a count in it.
    """
    in_address = st.query_params.get(key, "").split(",")
    box = bound(key, [one_id for one_id in options if one_id in in_address], ",".join)
    st.pills(
        label,
        list(options),
        selection_mode="multi",
        format_func=lambda one_id: options[one_id],
        label_visibility="visible" if labelled else "collapsed",
        width="stretch" if labelled else "content",
        **box,
    )
    return list(st.session_state[box["key"]])


def pill(key: str, label: str, options: Mapping[str, str], *, default: str | None = None) -> str | None:
    """One of the ids in `options`, or none where nothing is chosen and there is no default."""
    box = _one_but(key, options, default)
    st.pills(label, list(options), format_func=lambda one_id: options[one_id], label_visibility="collapsed", **box)
    picked = st.session_state[box["key"]]
    return None if picked is None else str(picked)


def segments(  # noqa: PLR0913
    key: str, label: str, options: Mapping[str, str], *, wide: bool = False, usual: str = "", labelled: bool = False
) -> str:
    """One of the ids in `options`, side by side; the address holds the id, and nothing for the `usual` or first one."""
    first, in_address = usual or next(iter(options)), st.query_params.get(key)
    chosen = in_address if in_address is not None and in_address in options else first
    st.segmented_control(
        label,
        list(options),
        format_func=lambda one_id: options[one_id],
        label_visibility="visible" if labelled else "collapsed",
        width="stretch" if wide else "content",
        **bound(key, chosen, lambda picked: "" if (picked or chosen) == first else picked or chosen),
    )
    return chosen


def ids_picker(key: str, label: str, options: Mapping[str, str], most: int) -> list[str]:
    """Up to `most` of the ids in `options`, found by a part of their names; the address holds them with BETWEEN."""
    in_address = st.query_params.get(key, "").split(BETWEEN)
    box = bound(key, [one_id for one_id in dict.fromkeys(in_address) if one_id in options][:most], BETWEEN.join)
    st.multiselect(
        label,
        list(options),
        format_func=lambda one_id: one_line(options[one_id]),
        max_selections=most,
        placeholder=label,
        label_visibility="collapsed",
        **box,
    )
    return list(st.session_state[box["key"]])


def slider(key: str, label: str, options: Mapping[str, str]) -> str:
    """One of many ids in `options`, in their order, by their names; the last where none is asked for."""
    box = _one_but(key, options, list(options)[-1])
    st.select_slider(label, list(options), format_func=lambda one_id: options[one_id], **box)
    return str(st.session_state[box["key"]])


def yes_or_no(key: str, label: str, *, usual: bool = False) -> bool:
    """Yes or no; the address holds `1` for what is not `usual`, as the addresses of charts do."""
    box = bound(key, (st.query_params.get(key) == "1") != usual, lambda is_on: "1" * (bool(is_on) != usual))
    st.toggle(label, **box)
    return bool(st.session_state[box["key"]])


def _one_but(key: str, options: Mapping[str, str], default: str | None) -> dict[str, Any]:
    """The box of one of the ids in `options`, which the address names unless it is the `default`."""
    in_address = st.query_params.get(key)
    selected = in_address if in_address in options else default
    return bound(key, selected, lambda picked: "" if picked in {None, default} else picked)


def bound(key: str, value: object, written: Callable[[Any], str]) -> dict[str, Any]:
    """The `key` and the `on_change` of a box that shows this value, and whose choice the parameter `key` then holds.

    `written` says the choice as the address has it; the parameter is left out where that is empty.
    """
    box = f"{key}_box"
    st.session_state[box] = value

    def write_address() -> None:
        if text := written(st.session_state[box]):
            st.query_params[key] = text
        else:
            st.query_params.pop(key, None)

    return {"key": box, "on_change": write_address}
