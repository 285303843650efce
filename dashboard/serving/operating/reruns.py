"""How long pages take to be drawn again, measured where they are drawn."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st
from prometheus_client import CollectorRegistry, Histogram
from streamlit.runtime.scriptrunner import get_script_run_ctx

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REGISTRY = CollectorRegistry()
"""What this process counts itself."""

_RERUNS = Histogram(
    "benchhealth_rerun_seconds",
    "Time in which a page (whole), or the part of it that a filter changes (part), was drawn.",
    ("page", "drawn"),
    buckets=SECONDS,
    registry=REGISTRY,
)

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


@contextmanager
def timed(page: str, drawn: str = "whole") -> Iterator[None]:
    """Count what is done as one drawing of the page; one that is cut short by the next counts too."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _RERUNS.labels(page, drawn).observe(time.perf_counter() - began)


def fragment(page: str) -> Callable[[Callable[Arguments, Made]], Callable[Arguments, Made]]:
    """A part of a page that Streamlit draws again by itself, timed when it does."""

    def of(draw: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
        @wraps(draw)
        def drawn(*arguments: Arguments.args, **named: Arguments.kwargs) -> Made:
            context = get_script_run_ctx()
            if context is None or not context.fragment_ids_this_run:
                return draw(*arguments, **named)
            with timed(page, "part"):
                return draw(*arguments, **named)

        return st.fragment(drawn)

    return of
