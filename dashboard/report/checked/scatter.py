"""One twin as a still SVG with one model marked: lines, circles and texts alone, which fpdf2 draws too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.checked.found import Row
from benchhealth.dashboard.report.drawing import LETTERS
from benchhealth.dashboard.report.marks import Spot, circle, line, picture, text

WIDTH, HEIGHT = 460.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 18.0, 30.0


@dataclass(frozen=True)
class Scatter:
    """The second side across, the first up; `others` are (first, second) of every other model."""

    name: str
    row: Row
    others: Sequence[tuple[float, float]]

    def svg(self, writable: Callable[[str], str]) -> str:
        """The picture; `writable` is what is done to texts for letters that a font lacks."""
        first, second = float(self.row["original_score"]), float(self.row["other_score"])
        every: list[float] = [first, second, *(value for pair in self.others for value in pair)]
        pad = (max(every) - min(every)) * 0.06 or 1.0
        self_low, self_high = min(every) - pad, max(every) + pad

        def x(value: float) -> float:
            return LEFT + (value - self_low) / (self_high - self_low) * (WIDTH - LEFT - RIGHT)

        def y(value: float) -> float:
            return HEIGHT - BOTTOM - (value - self_low) / (self_high - self_low) * (HEIGHT - TOP - BOTTOM)

        def written(spot: Spot, words: str, anchor: str = "start", colour: str = LIGHT.ink2) -> str:
            return text(spot, writable(words), colour, f' text-anchor="{anchor}"')

        foot, edge = HEIGHT - BOTTOM, LEFT
        marks = [
            line((edge, foot), (WIDTH - RIGHT, foot), LIGHT.line, ""),
            line((edge, foot), (edge, TOP), LIGHT.line, ""),
            line(
                (x(self_low), y(self_low)),
                (x(self_high), y(self_high)),
                LIGHT.ink3,
                'stroke-dasharray="4 3"',
            ),
        ]
        marks += [circle((x(there), y(here)), 2.6, "none", f' stroke="{LIGHT.ink3}"') for here, there in self.others]
        if self.row["expected"] is not None:
            middle = x(self.row["expected"]), y(first)
            marks.append(line((middle[0] - 4, middle[1] - 4), (middle[0] + 4, middle[1] + 4), LIGHT.ink, ""))
            marks.append(line((middle[0] - 4, middle[1] + 4), (middle[0] + 4, middle[1] - 4), LIGHT.ink, ""))
        expected = self.row["expected"]
        right = x(second) > WIDTH * 0.3 and (expected is None or expected > second)
        marks.append(circle((x(second), y(first)), 5, LIGHT.accent))
        place = (x(second) + (-9 if right else 9), y(first) + 3)
        marks.append(written(place, self.name, "end" if right else "start", LIGHT.ink))
        for value in (self_low + pad, self_high - pad):
            marks.append(written((edge - 5, y(value) + 3), f"{value:.0f}", "end"))
            marks.append(written((x(value), foot + 13), f"{value:.0f}", "middle"))
        marks.append(written((edge, TOP - 6), f"{self.row['original']} (up)"))
        marks.append(written((WIDTH - RIGHT, HEIGHT - 4), f"{self.row['other']} (across)", "end"))
        return picture(WIDTH, HEIGHT, marks, LETTERS)
