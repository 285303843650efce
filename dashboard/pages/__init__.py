"""The pages, in the order of the menu. Adding a page: one folder, one line."""

from benchhealth.dashboard.pages.benchmark import page as benchmark
from benchhealth.dashboard.pages.changes import page as changes
from benchhealth.dashboard.pages.compare import page as compare
from benchhealth.dashboard.pages.data import page as data
from benchhealth.dashboard.pages.decide import page as decide
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.pages.leaderboards import page as leaderboards
from benchhealth.dashboard.pages.methods import page as methods
from benchhealth.dashboard.pages.models import page as models
from benchhealth.dashboard.pages.numbers import page as numbers
from benchhealth.dashboard.pages.overview import page as overview
from benchhealth.dashboard.pages.report import page as report
from benchhealth.dashboard.pages.reproduction import page as reproduction
from benchhealth.dashboard.pages.search import page as search
from benchhealth.dashboard.pages.story import page as story
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.widgets.page import PageSpec

PAGES: tuple[PageSpec, ...] = (
    overview.PAGE,
    benchmark.PAGE,
    compare.PAGE,
    models.PAGE,
    leaderboards.PAGE,
    decide.PAGE,
    trust.PAGE,
    field.PAGE,
    changes.PAGE,
    data.PAGE,
    methods.PAGE,
    reproduction.PAGE,
    report.PAGE,
    search.PAGE,
    numbers.PAGE,
    story.PAGE,
)
