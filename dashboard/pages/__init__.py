"""The pages, in the order of the menu. Adding a page: one folder, one line."""

from dashboard.pages.benchmark import page as benchmark
from dashboard.pages.churn import page as churn
from dashboard.pages.compare import page as compare
from dashboard.pages.data import page as data
from dashboard.pages.field import page as field
from dashboard.pages.methods import page as methods
from dashboard.pages.overview import page as overview
from dashboard.pages.reproduction import page as reproduction
from dashboard.pages.trust import page as trust
from dashboard.widgets.page import PageSpec

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
    compare.PAGE,
    churn.PAGE,
    trust.PAGE,
    field.PAGE,
    reproduction.PAGE,
    data.PAGE,
    methods.PAGE,
)
