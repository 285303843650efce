"""The pages, in the order of the menu. Adding a page: one folder, one line."""

from dashboard.pages.benchmark import page as benchmark
from dashboard.pages.changes import page as changes
from dashboard.pages.compare import page as compare
from dashboard.pages.data import page as data
from dashboard.pages.field import page as field
from dashboard.pages.leaderboards import page as leaderboards
from dashboard.pages.methods import page as methods
from dashboard.pages.models import page as models
from dashboard.pages.overview import page as overview
from dashboard.pages.report import page as report
from dashboard.pages.reproduction import page as reproduction
from dashboard.pages.search import page as search
from dashboard.pages.trust import page as trust
from dashboard.widgets.page import PageSpec

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
    compare.PAGE,
    models.PAGE,
    leaderboards.PAGE,
    trust.PAGE,
    field.PAGE,
    changes.PAGE,
    data.PAGE,
    methods.PAGE,
    reproduction.PAGE,
    report.PAGE,
    search.PAGE,
)
