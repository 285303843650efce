"""The colours of pages and charts, light and dark: their only home.

One accent: blue is what can be clicked, what is chosen and what still measures. Everything else is ink until a stage
says otherwise. A stage always shows its shape and its words too, so that nobody needs to tell colours apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from benchhealth.analytics.record.tables import STAGES

FONT = '"Source Sans", sans-serif'
"""The face of text in charts: Streamlit ships it and uses it for the page."""

HEADING_FONT = '"Source Serif", serif'
"""The typeface of titles, with what is used where it is missing."""

FACES: Mapping[str, str] = {"Source Sans": "SourceSansVF-Upright.ttf", "Source Serif": "SourceSerifVariable-Roman.ttf"}
"""How the files of both begin, among those that Streamlit ships."""


@dataclass(frozen=True)
class Hue:
    """The colour of a stage: for marks, for small text (higher contrast), and behind text."""

    mark: str
    text: str
    background: str


@dataclass(frozen=True)
class Palette:
    """One theme's colours by their role.

    `series` tell lines of one figure apart where none is the subject: chosen by search, text on paper (contrast 4.5),
    and 25 apart in CIELAB to every reader, with Machado's matrices (2009) for who lacks a kind of cone.
    """

    paper: str
    card: str
    fill: str
    line: str
    grid: str
    ink: str
    ink2: str
    ink3: str
    chosen: str
    stages: Mapping[str, Hue]
    series: tuple[str, ...]
    dark: bool

    @property
    def accent(self) -> str:
        """The colour of links, of what is chosen, and of benchmarks that still measure."""
        return self.stages["discriminating"].mark

    @property
    def watermark(self) -> str:
        """The colour of a large year behind a chart."""
        return "#1E2228" if self.dark else "#EFEBE3"

    @property
    def doubt(self) -> str:
        """The colour of a doubtful date and of a break in a scale."""
        return self.stages["compressing"].text

    def faint(self, colour: str, share: float) -> str:
        """The colour with this opacity, as CSS: what lies behind still shows, as for bands and old knowledge."""
        red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
        return f"rgba({red},{green},{blue},{share:g})"

    def ramp(self, share: float) -> str:
        """The colour of this share, 0 to 1, on the one scale of counts: from fill to accent."""
        ends = [[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (self.line, self.accent)]
        red, green, blue = (round(low + share * (high - low)) for low, high in zip(*ends, strict=True))
        return f"#{red:02x}{green:02x}{blue:02x}"


def _stages(*hues: Hue) -> Mapping[str, Hue]:
    return MappingProxyType(dict(zip(STAGES, hues, strict=True)))


LIGHT = Palette(
    paper="#FBFAF7",
    card="#FFFFFF",
    fill="#F1EEE8",
    line="#DDD8CE",
    grid="#ECE8E0",
    ink="#1B1E23",
    ink2="#535A64",
    ink3="#666C75",
    chosen="#E3EEF7",
    stages=_stages(
        Hue("#7D8189", "#5F646C", "#EDEBE7"),
        Hue("#3E97B8", "#1F6E8C", "#E2EEF3"),
        Hue("#0B5FA3", "#0B5FA3", "#DCE9F4"),
        Hue("#C07A00", "#8A5A00", "#F5E8D0"),
        Hue("#9E2A2B", "#9E2A2B", "#F3DFDC"),
    ),
    series=("#2c67dd", "#ce3b6c", "#847115", "#5a1643", "#a74496", "#503821", "#2121ca", "#101060"),
    dark=False,
)
DARK = Palette(
    paper="#14161A",
    card="#1B1E23",
    fill="#23272E",
    line="#363B44",
    grid="#2A2E35",
    ink="#ECEAE4",
    ink2="#B4B8BF",
    ink3="#969BA4",
    chosen="#1D3245",
    stages=_stages(
        Hue("#9298A1", "#A9AEB6", "#262A30"),
        Hue("#5FD0D6", "#5FD0D6", "#16302F"),
        Hue("#7FBDF5", "#7FBDF5", "#1A2C3D"),
        Hue("#F2B544", "#F2B544", "#3A2E16"),
        Hue("#EE6F5E", "#EE6F5E", "#3A1F1C"),
    ),
    series=("#bbb0f2", "#cc6633", "#8decdd", "#c16794", "#ddec8d", "#936ae7", "#cd9c84", "#9edb24"),
    dark=True,
)
