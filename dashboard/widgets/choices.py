"""Pills whose state is the address: it holds the ids of what is chosen, not the words shown, which may count.

Streamlit's own binding writes what a pill shows; a link would then break with the next count.
"""

from collections.abc import Mapping

import streamlit as st


def one(key: str, label: str, options: Mapping[str, str], *, default: str | None = None) -> str | None:
    """One of the ids in `options`, or none where nothing is chosen and there is no default."""
    box = f"{key}_box"
    asked = st.query_params.get(key)

    def write_address() -> None:
        picked = st.session_state[box]
        if picked in (None, default):
            st.query_params.pop(key, None)
        else:
            st.query_params[key] = picked

    st.session_state[box] = asked if asked in options else default
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


def several(key: str, label: str, options: Mapping[str, str]) -> list[str]:
    """Those of the ids in `options` that are chosen, in their order; the address parts them by commas."""
    box = f"{key}_box"
    asked = st.query_params.get(key, "").split(",")

    def write_address() -> None:
        picked = st.session_state[box]
        if picked:
            st.query_params[key] = ",".join(picked)
        else:
            st.query_params.pop(key, None)

    st.session_state[box] = [one_id for one_id in options if one_id in asked]
    st.pills(
        label,
        list(options),
        selection_mode="multi",
        key=box,
        format_func=lambda one_id: options[one_id],
        on_change=write_address,
        label_visibility="collapsed",
    )
    return [str(one_id) for one_id in st.session_state[box]]
