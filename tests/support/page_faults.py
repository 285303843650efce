"""What of a page in a browser a rule forbids: barriers, headings out of order, too many words, too much height."""

import itertools
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from playwright.sync_api import Page

MOST_WORDS, TALLEST = 90, 3_500
"""Words of a first screen apart from what is excepted, and pixels of a page before anything is opened."""

APART = (
    "header",  # navigation
    '.st-key-data_to, [data-testid="stLinkButton"], [class*="st-key-ways"]',  # the chip of every page, buttons, links
    '[data-testid="stExpander"] summary, [role="tablist"]',
    '[data-testid="stPlotlyChart"], [class*="st-key-chart_"]',  # charts with title and toolbar
    '[class*="st-key-frame_"]',  # frames of a story, which are read one after the other
    '[data-testid="stDataFrame"], table',
    # pills and toolbars
    '[data-testid="stButtonGroup"], [data-testid="stPopover"], [data-testid="stSelectbox"]',
    '[data-testid="stMultiSelect"], [data-testid="stTextInput"], [data-testid="stCheckbox"], .stMarkdownBadge',
)
"""What the rule on words excepts; cards, which have a border, are found by it."""

_WORDS = """apart => {
    const main = document.querySelector('[data-testid="stMain"]'), words = [];
    const isCard = (part) => {
        const style = getComputedStyle(part), { height } = part.getBoundingClientRect();
        return parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderLeftWidth) > 0 && height > 40;
    };
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode, range = document.createRange();
        let part = text.parentElement;
        if (!text.textContent.trim() || !part.checkVisibility() || part.closest(apart)) continue;
        range.selectNodeContents(text);
        const { top, width, height } = range.getBoundingClientRect();
        if (top >= innerHeight || width < 2 || height < 2) continue;
        while (part !== main && !isCard(part)) part = part.parentElement;
        if (part === main) words.push(...text.textContent.trim().split(/\\s+/));
    }
    return words;
}"""
_HEIGHT = "document.querySelector('[data-testid=\"stMain\"]').scrollHeight"
_HEADINGS = (
    "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => one.checkVisibility())"
    ".map((one) => Number(one.tagName[1]))"
)
_BARRIERS = """(() => {
    const isLight = ({ impact }) => impact === "minor" || impact === "moderate";
    const rules = Object.fromEntries(axe._audit.rules.filter(isLight).map(({ id }) => [id, { enabled: false }]));
    return axe.run(document, { resultTypes: ["violations"], selectors: false, rules }).then(({ violations }) =>
        violations.filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" | ")}`));
})()"""
"""What a rule finds has the impact of the rule, so rules of a lighter one need not run."""


class Faults(NamedTuple):
    """What was found on a page as it stands."""

    barriers: list[str]
    headings: list[int]

    def __bool__(self) -> bool:
        return bool(self.barriers) or not in_order(self.headings)


def in_order(levels: list[int]) -> bool:
    """Whether there is one heading of the first level, first, and none skips a level on the way down."""
    steps = itertools.pairwise(levels)
    return levels[:1] == [1] and levels.count(1) == 1 and all(after - before <= 1 for before, after in steps)


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Page) -> Faults:
    """What axe finds that is serious or critical, and the levels of the headings."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return Faults(page.evaluate(_BARRIERS), page.evaluate(_HEADINGS))


def words(page: Page) -> list[str]:
    """The words of the first screen that the rule counts."""
    counted: list[str] = page.evaluate(_WORDS, ", ".join(APART))
    return counted


def height(page: Page) -> int:
    """Pixels from the top of the page to its end."""
    return int(page.evaluate(_HEIGHT))
