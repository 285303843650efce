"""The pages, in the order of the menu. Adding a page: one file, one line."""

from dashboard.page import PageSpec
from dashboard.pages import benchmark, overview

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
)
