"""What every page shares: the width, which benchmarks are meant where nobody chose, and the footer."""

from dataclasses import dataclass

import polars as pl
import streamlit as st

from benchhealth.analytics.record.frames import is_whole
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown

WIDTH = 1180
"""Pixels; the widest that a page gets."""


@dataclass(frozen=True)
class Scope:
    """Which benchmarks a page is about: some domains, uncurated ones too, parts too; without more, curated wholes.

    `groups` are the ids of groups of domains.
    """

    groups: tuple[str, ...] = ()
    with_uncurated: bool = False
    with_parts: bool = False

    def keep(self, benchmarks: pl.DataFrame) -> pl.DataFrame:
        """Rows of a frame with `benchmark_id`, `domain_group`, `curated` in scope; a part goes with its whole."""
        wanted = pl.lit(value=True)
        if self.groups:
            wanted &= pl.col("domain_group").is_in(list(self.groups))
        if not self.with_uncurated:
            curated = benchmarks.filter(pl.col("curated").fill_null(value=False))["benchmark_id"]
            wanted &= pl.col("benchmark_id").str.split("/").list.first().is_in(curated.implode())
        if not self.with_parts:
            wanted &= is_whole()
        return benchmarks.filter(wanted)


def as_of(view: View) -> str:
    """The day that the generation's verdicts hold for, or `not known` where it holds none."""
    days = view.table("verdict")["as_of"]
    return day_of(days.max() if len(days) else None)  # type: ignore[arg-type]


def last_seen(view: View) -> str:
    """The newest day on which any source was seen, or `not known` where none was."""
    return day_of(view.table("source")["known_until"].max())  # type: ignore[arg-type]


def data_to(view: View) -> None:
    """The day to which all of this goes, once a page: a small link at the top right, to the sources."""
    with st.container(key="data_to"):
        st.markdown(f":small[:gray[[data to {last_seen(view)}](data)]]")


def footer(view: View) -> None:
    """What is on screen, in small print: generation, day, licences, and how to read an inference."""
    with st.container(key="footer"):
        st.markdown(view.kept("footer", lambda: f":small[:gray[{_of_generation(view)}]]"))


def _of_generation(view: View) -> str:
    every_source = view.table("source")
    sources = every_source.filter(pl.col("last_observed_at").is_not_null())
    licences = ", ".join(markdown(licence) for licence in sources["licence"].drop_nulls().unique().sort()) or "none"
    others = f" (of {every_source.height} known)" if every_source.height > sources.height else ""
    return (
        "Flags and gaps are inferences from published numbers, not accusations. "
        f"Generation `{view.name}`, from {count(sources.height, 'source')}{others}, assessed as of {as_of(view)}. "
        f"Facts under the licences of their sources ({licences}); code under Apache-2.0. "
        "[As JSON](meta.json) · [What changed, as a feed](feed.xml)"
    )
