"""What is wrong with the lettering of a chart in a browser: cut, overlapping, struck through, or ticks that repeat.

Run `python -m tests.support.lettering ORIGIN [NAME...]` for a list over the charts of a served dashboard.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from tests.dashboard.test_every_chart import CHARTS, LACKING, PARAMS

WIDTHS = (1152, 382)
"""Pixels of a window in which an embedded chart is as wide as it is on a page of 1280, and of 390."""

BENCHMARKS = (
    "mmlu", "imagenet", "swe-bench-verified", "hle", "gsm8k", "lmarena-text", "frontiermath", "math", "humaneval",
    "glue", "mmlu-pro", "arc-agi-2",
)  # fmt: skip
TWINS = ("imagenet-to-v2", "imagenet-to-a", "imagenet-to-v2-recht")
STORIES = ("imagenet", "swe-bench-verified", "lmarena-text", "gsm8k", "gpqa-diamond")
EIGHT = "mmlu,gsm8k,gpqa-diamond,hle,imagenet,squad,swe-bench-verified,humaneval"

_FAULTS = r"""() => {
    const plot = document.querySelector(".js-plotly-plot"), faults = [];
    const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const shown = Object.entries(plot._fullLayout).filter(([name, axis]) =>
        /^[xy]axis\d*$/.test(name) && axis.visible && axis.showticklabels);
    for (const [name, axis] of shown) {
        const ticks = (axis._vals || []).map(({ text }) => String(text ?? "").replace(/<[^>]*>/g, "").trim());
        const texts = ticks.filter((text) => text);
        const isAlone = shown.filter(([other]) => other[0] === name[0]).length === 1 && texts.length === 1;
        if (isAlone && axis.type !== "category" && /\d/.test(texts[0])) faults.push(`one number: ${name} ${texts[0]}`);
        const isEqual = texts.some((text, at) => /\d/.test(text) && text === texts[at + 1]);
        if (isEqual) faults.push(`ticks repeat: ${name} ${texts.slice(0, 6).join(" ")}`);
    }
    const tiltOf = (text) => {
        const { a, b } = text.getScreenCTM();
        return Math.abs(Math.atan2(b, a)) > 0.05;
    };
    const frame = plot.querySelector("svg.main-svg").getBoundingClientRect();
    const labels = [...plot.querySelectorAll("svg.main-svg text")].filter(seen).flatMap((text) => {
        const words = text.textContent.trim(), box = text.getBoundingClientRect();
        if (!words || box.width < 1 || parseFloat(getComputedStyle(text).fontSize) > 60) return [];
        return [{ words, box, text, tilt: tiltOf(text) }];
    });
    const short = ({ words }) => words.slice(0, 44);
    for (const label of labels) {
        const { box, tilt } = label;
        const axis = label.text.parentNode.className.baseVal;
        if (tilt && /^[\u2212\d.,% ]+$/.test(label.words)) faults.push(`tilted numbers: ${axis}`);
        const across = Math.max(frame.left - box.left, box.right - frame.right);
        const by = Math.max(across, frame.top - box.top, box.bottom - frame.bottom);
        if (by > 2) faults.push(`cut by ${Math.round(by)}: ${short(label)}`);
    }
    const width = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    labels.forEach((one, at) => labels.slice(at + 1).forEach((other) => {
        if (one.tilt && other.tilt) return;
        if (width(one.box, other.box) > 3 && height(one.box, other.box) > 5)
            faults.push(`overlap: ${short(one)} / ${short(other)}`);
    }));
    const drawn = [...plot.querySelectorAll(".shapelayer path, .scatterlayer path.js-line")].filter(seen);
    const lines = drawn.filter((path) => {
        const { stroke, strokeWidth } = getComputedStyle(path);
        return stroke !== "none" && parseFloat(strokeWidth) >= 1 && !path.closest(".layer-below");
    });
    const under = (label) => label.text.closest(".annotation")?.querySelector("rect.bg");
    for (const line of lines) {
        const whole = line.getBoundingClientRect(), matrix = line.getScreenCTM(), length = line.getTotalLength();
        const near = labels.filter(({ box }) => width(box, whole) >= 0 && height(box, whole) >= 0);
        if (!near.length || length > 20000) continue;
        const struck = new Map();
        for (let along = 0; along <= length; along += 2) {
            const at = line.getPointAtLength(along).matrixTransform(matrix);
            for (const label of near) {
                const { box } = label, inner = box.height * 0.3;
                if (at.x > box.left + 3 && at.x < box.right - 3 && at.y > box.top + inner && at.y < box.bottom - inner)
                    struck.set(label, (struck.get(label) ?? 0) + 1);
            }
        }
        for (const [label, points] of struck) {
            const ground = under(label), filled = ground && parseFloat(getComputedStyle(ground).fillOpacity) > 0.5
                && getComputedStyle(ground).fill !== "none" && !/, 0\)$/.test(getComputedStyle(ground).fill);
            if (points >= 6 && !filled) faults.push(`struck: ${short(label)}`);
        }
    }
    return [...new Set(faults)];
}"""
_FITS = """() => {
    const { width } = document.querySelector(".main-svg").getBoundingClientRect();
    return Math.abs(width - document.querySelector("#chart").clientWidth) < 3;
}"""


def faults_now(page: Page) -> list[str]:
    """What is wrong with the chart that the page shows as it stands."""
    wrong: list[str] = page.evaluate(_FAULTS)
    return wrong


def asked() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each chart of each page, and those that change much with what they are of for several such."""
    yield from ((name, PARAMS.get(name, {})) for name in CHARTS if name not in LACKING)
    yield from ((name, {"benchmark": one}) for one in BENCHMARKS for name in ("curve", "top"))
    yield from (("twin", {"twin": one}) for one in TWINS)
    yield from (("compared", {"benchmarks": EIGHT, **more}) for more in ({}, {"clock": "calendar"}))
    yield ("lives", {"benchmarks": EIGHT})
    yield from (("story", {"story": one, "frame": str(frame)}) for one in STORIES for frame in range(1, 6))


def faults(page: Page, origin: str, wanted: Iterable[tuple[str, Mapping[str, str]]]) -> Iterator[str]:
    """What is wrong with these charts, a line each; a chart that cannot be drawn for what it is asked has none."""
    for name, params in wanted:
        address = f"{origin}/embed/{name}?{urlencode(params)}"
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        page.goto(address)
        if not page.locator("#chart").count():
            continue
        page.wait_for_selector(".js-plotly-plot .main-svg")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function(_FITS)
            yield from (f"{name}?{urlencode(params)} at {width}: {one}" for one in faults_now(page))


if __name__ == "__main__":
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        window = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags).new_page(bypass_csp=True)
        only = [one for one in asked() if one[0] in sys.argv[2:] or not sys.argv[2:]]
        count = 0
        for line in faults(window, sys.argv[1], only):
            count += 1
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write(f"{count} over {len(only)} charts, each at {' and '.join(map(str, WIDTHS))} pixels\n")
