"""Filters whose state is the address: whoever opens the link sees the same view.

A key is the name of the query parameter, and options are shown as they are written there.
"""

from collections.abc import Sequence
from typing import overload

import streamlit as st


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
def one(key: str, label: str, options: Sequence[str], *, index: None, placeholder: str) -> str | None: ...
def one(
    key: str, label: str, options: Sequence[str], *, index: int | None = 0, placeholder: str | None = None
) -> str | None:
    """One of the options; with `index` None nothing is chosen until the reader does. `options` may not be empty."""
    return st.selectbox(label, list(options), index=index, key=key, placeholder=placeholder, bind="query-params")


def switch(key: str, label: str, *, value: bool = False, explanation: str | None = None) -> bool:
    """Yes or no."""
    return st.toggle(label, value=value, key=key, help=explanation, bind="query-params")
