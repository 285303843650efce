"""Tiles: fixed questions beside one another, each with its answer in large and what it rests on."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st


class Tile(NamedTuple):
    """A question, its answer and its evidence in markdown; `key` names it among the tiles of its page."""

    key: str
    question: str
    answer: str
    evidence: str


def show(tiles: Sequence[Tile], key: str = "tiles") -> None:
    """Draw them beside one another; on a phone two by two. `key` begins with `tiles` and is one row's of a page."""
    with st.container(key=key):
        for column, tile in zip(st.columns(len(tiles), border=True), tiles, strict=True):
            with column, st.container(key=f"tile_{tile.key}"):
                question = f":small[:gray[{tile.question}]]\n\n" if tile.question else ""
                st.markdown(f"{question}**{tile.answer}**\n\n:small[{tile.evidence}]")
