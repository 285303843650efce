"""The declarations of a page and of the picture that a link to it shows."""

from collections.abc import Callable
from dataclasses import dataclass

from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.figures.picture import Picture
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import Params, PublishedTable, View


@dataclass(frozen=True)
class Shared:
    """What a link to a page shows where it is shared (`dashboard.serving.share`).

    `of` makes the picture from what may leave and from the parameters of the address named `params`, of which the
    first stands in the picture's own address: `/share/benchmark/mmlu.png`. None: what the page shows for anything
    else. It raises ParameterError where the parameters name nothing that there is.
    """

    params: tuple[str, ...]
    of: Callable[[View, Params], Picture | None]


@dataclass(frozen=True)
class PageSpec:
    """A page: its title and address, the function that draws it, and the tables and charts it can serve.

    Pages with a `section` stand together under that word in the menu; one that is hidden is not in the menu.
    """

    url_path: str
    title: str
    draw: Callable[[View], None]
    tables: tuple[PublishedTable, ...] = ()
    charts: tuple[ChartSpec, ...] = ()
    section: str = ""
    hidden: bool = False
    shared: Shared | None = None

    def render(self) -> None:
        """Draw the page of the generation in service."""
        self.draw(generation.current())
