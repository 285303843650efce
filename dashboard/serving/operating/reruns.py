"""How long pages take to be drawn again, measured where they are drawn."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec

import streamlit as st
from prometheus_client import CollectorRegistry, Histogram
from streamlit.runtime.scriptrunner import get_script_run_ctx

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.read import UNREADABLE, NoGeneration

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REGISTRY = CollectorRegistry()
"""The counters of this process."""

_RERUNS = Histogram(
    "benchhealth_rerun_seconds",
    "Time in which a page (whole), or the part of it that a filter changes (part), was drawn.",
    ("page", "drawn"),
    buckets=SECONDS,
    registry=REGISTRY,
)

Arguments = ParamSpec("Arguments")
Drawing = Callable[Concatenate[View, Arguments], None]


@contextmanager
def time_drawing(page: str, drawn_part: str = "whole") -> Iterator[None]:
    """Count what is done as one drawing of the page; one that is cut short by the next counts too."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _RERUNS.labels(page, drawn_part).observe(time.perf_counter() - began)


@contextmanager
def begun_anew_where_unreadable(view: View) -> Iterator[None]:
    """Begin the page anew where a block of its generation cannot be read: then another generation is read."""
    try:
        yield
    except UNREADABLE:
        if view.published.is_damaged:
            st.rerun()
        raise


def fragment(page: str) -> Callable[[Callable[Concatenate[View, Arguments], None]], Drawing[Arguments]]:
    """A part of a page that Streamlit draws again by itself, timed when it does.

    Streamlit keeps what a part was drawn with for as long as the browser stays open. So the view is not kept with it,
    or each forgotten window would hold the generation of its day; where another is in service, the page is drawn anew.
    """

    def of(draw: Callable[Concatenate[View, Arguments], None]) -> Drawing[Arguments]:
        @wraps(draw)
        def again(serial: int, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> None:
            view = _in_service(serial)
            context = get_script_run_ctx()
            if context is None or not context.fragment_ids_this_run:
                draw(view, *arguments, **named)
                return
            with time_drawing(page, "part"), begun_anew_where_unreadable(view):
                draw(view, *arguments, **named)

        drawn = st.fragment(again)

        @wraps(draw)
        def first(view: View, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> None:
            drawn(view.serial, *arguments, **named)

        return first

    return of


def _in_service(serial: int) -> View:
    """The view of this number; begins the page anew where it is no longer the one in service."""
    try:
        view = generation.current()
    except NoGeneration:
        st.rerun()
    if view.serial != serial:
        st.rerun()
    return view
