"""The pages, in the order of the menu. Adding a page: one folder, one line."""

from dashboard.pages.aging import page as aging
from dashboard.pages.benchmark import page as benchmark
from dashboard.pages.churn import page as churn
from dashboard.pages.compare import page as compare
from dashboard.pages.contamination import page as contamination
from dashboard.pages.data import page as data
from dashboard.pages.goodhart import page as goodhart
from dashboard.pages.methods import page as methods
from dashboard.pages.overview import page as overview
from dashboard.pages.report import page as report
from dashboard.pages.reproduction import page as reproduction
from dashboard.pages.twins import page as twins
from dashboard.widgets.page import PageSpec

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
    compare.PAGE,
    churn.PAGE,
    twins.PAGE,
    contamination.PAGE,
    aging.PAGE,
    goodhart.PAGE,
    data.PAGE,
    methods.PAGE,
    reproduction.PAGE,
    report.PAGE,
)
