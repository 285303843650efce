"""What a page is made of."""

from collections.abc import Callable
from dataclasses import dataclass

from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.published.tables import PublishedTable


@dataclass(frozen=True)
class PageSpec:
    """A page: its title and address, the function that draws it, and the tables and charts it can serve.

    Pages with a `section` stand together under that word in the menu; one that is hidden is not in the menu.
    """

    url_path: str
    title: str
    render: Callable[[], None]
    tables: tuple[PublishedTable, ...] = ()
    charts: tuple[ChartSpec, ...] = ()
    section: str = ""
    hidden: bool = False
