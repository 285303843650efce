"""The pages, in the order of the menu. Adding a page: one file, one line."""

from dashboard.page import PageSpec
from dashboard.pages import (
    aging,
    benchmark,
    churn,
    contamination,
    goodhart,
    methods,
    overview,
    reproduction,
    sources,
    twins,
)

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
    churn.PAGE,
    twins.PAGE,
    contamination.PAGE,
    aging.PAGE,
    goodhart.PAGE,
    reproduction.PAGE,
    sources.PAGE,
    methods.PAGE,
)
