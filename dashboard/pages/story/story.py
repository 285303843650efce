"""What a story is: a title and frames, each a picture with its words, made of one generation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.drawn import Drawn
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.stories.parts import Caption


@dataclass(frozen=True)
class Frame:
    """One picture: its words, what draws it, the page that holds all its numbers, its topic of Methods, its sources."""

    caption: Caption
    draw: Callable[[Palette], Drawn]
    numbers: str
    method: str
    sources: Sequence[SourceLine]
    until: date | None

    def chart(self, palette: Palette) -> Chart:
        """The picture as a chart with all that makes it citable."""
        drawn = self.draw(palette)
        return Chart(
            title=self.caption.title,
            subtitle=f"{self.caption.text} {self.caption.source[:1].upper()}{self.caption.source[1:]}.",
            figure=drawn.figure,
            rows=drawn.rows,
            alt=self.caption.alt,
            sources=self.sources,
            known_until=self.until,
            method=self.method,
        )


@dataclass(frozen=True)
class Content:
    """A story of one generation: its title, and by their numbers those of its frames whose facts are known."""

    title: str
    frames: Mapping[int, Frame]


@dataclass(frozen=True)
class Story:
    """The declaration of a story: its key in `words.stories.listed.STORIES`, and what makes it of a generation."""

    key: str
    make: Callable[[View], Content]

    def of(self, view: View) -> Content:
        """The content of the story from the tables of a generation; made once for each."""
        return view.kept(("story", self.key), lambda: self.make(view))


def content(title: str, *frames: Frame | None) -> Content:
    """A story with those of its frames that are not None; each keeps its number, by which addresses name it."""
    return Content(title, {number: frame for number, frame in enumerate(frames, 1) if frame is not None})
