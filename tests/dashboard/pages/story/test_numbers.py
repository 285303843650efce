"""Every number of every story over the bundled facts, held against the tables it is of, counted here anew.

A number that is in a title, a text, a line of sources or an alternative text must be among those that the tables give
for its frame. The few that are of the writing (of 100, the best ten) are named.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest

from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.story.story import Content
from benchhealth.dashboard.pages.story.story_specs import DECLARED, PICTURE
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.stories.story_list import FRAME, FRAMES, STORIES, STORY, title
from tests.support import readability

Numbers = Mapping[int, set[str]]

WRITTEN = {"100"}
"""What scores are said of."""

NEVER = re.compile(
    r"[\u0370-\u03ff±σ]|\btau\b|interval|Kendall|probit|logit|regression|p-value|significan|standard error|percent|%"
    r"|\[[-\d]|bootstrap|cheat|Bradley|correlat",
    re.IGNORECASE,
)
"""What no story says: no Greek letter, no interval, no method, no accusation."""


@pytest.fixture(scope="module")
def view(bundled_home: Path) -> Iterator[View]:
    generation.use(bundled_home)
    yield generation.current()


@pytest.fixture(scope="module")
def contents(view: View) -> Mapping[str, Content]:
    return {story.key: story.of(view) for story in DECLARED}


def of_100(share: float) -> set[str]:
    """A share of a hundred as it may be written: whole, near an end with one digit."""
    return {f"{share * 100:.0f}", f"{share * 100:.1f}"}


def rise(view: View, benchmark_id: str) -> set[str]:
    """Of the table `frontier`: first and best score, the steps, the days, and the time in between."""
    rows = view.table("frontier").filter((pl.col("benchmark_id") == benchmark_id) & ~pl.col("carried"))
    ordered = sorted(rows.select("dated_on", "score").iter_rows())
    (first_on, first), (last_on, best) = ordered[0], ordered[-1]
    facts = of(view, "benchmark", "benchmark_id", benchmark_id)
    months = round((last_on - first_on).days / (365.25 / 12))
    return {
        *of_100(first), *of_100(best), *of_100(1 - first), *of_100(1 - best), f"{len(ordered)}", f"{months}",
        f"{facts['n_items']:,}", *days(first_on, last_on, facts["known_until"]),
    }  # fmt: skip


def of(view: View, table: str, column: str, value: str) -> dict[str, object]:
    return dict(view.table(table).row(by_predicate=pl.col(column) == value, named=True))


def days(*every: object) -> set[str]:
    return {f"{day.year}" for day in every if isinstance(day, date)}


def second(view: View, twin_id: str) -> set[str]:
    """Of `twin` and `twin_residual`: models, mean loss, pairs that swapped, the furthest fall, who stood out."""
    row = dict(
        view.table("twin").filter((pl.col("twin_id") == twin_id) & (pl.col("scale") == "linear")).row(0, named=True)
    )  # fmt: skip
    models = view.table("twin_residual").filter(pl.col("twin_id") == twin_id)
    scores = [(round(old, 6), round(new, 6)) for old, new in models.select("original", "other").iter_rows()]
    assert len(scores) == row["n_models"]
    expected = {
        f"{len(scores):,}",
        f"{sum(new < old for old, new in scores)}",
        f"{abs(row['gap']):.0f}",
        f"{row['gap']:.1f}",
    }
    expected |= {f"{(1 + row['kendall_tau']) * 50:.0f}", f"{(1 + row['kendall_tau_top']) * 50:.0f}", "50"}
    tested = models.drop_nulls("flagged")
    expected |= {f"{tested['flagged'].sum()}", f"{tested.height}"}
    if len(scores) < 200:
        pairs = list(combinations(scores, 2))
        swapped = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in pairs)
        falls = [
            sum(other[1] > new for other in scores) - sum(other[0] > old for other in scores) for old, new in scores
        ]
        expected |= {f"{len(pairs):,}", f"{swapped:,}", f"{len(pairs) - swapped:,}", f"{max(falls)}"}
    source = view.table("twin_gap").filter(pl.col("twin_id") == twin_id)["source_id"][0]
    until = of(view, "source", "source_id", source)["known_until"]
    return expected | days(until, of(view, "benchmark", "benchmark_id", str(row["original_id"]))["known_until"])


def sizes(view: View, *benchmark_ids: str) -> set[str]:
    rows = [of(view, "benchmark", "benchmark_id", one) for one in benchmark_ids]
    return {*(f"{row['n_items']:,}" for row in rows), *days(*(row["released_on"] for row in rows))}


def answer(view: View, benchmark_id: str, question: str) -> dict[str, object]:
    rows = view.table("answer").filter((pl.col("benchmark_id") == benchmark_id) & (pl.col("question") == question))
    return dict(rows.row(0, named=True))


def _imagenet(view: View) -> Numbers:
    paper = second(view, "imagenet-to-v2-recht")
    apart = view.table("twin_residual").filter(
        (pl.col("twin_id") == "imagenet-to-v2-recht") & (pl.col("untested") == "extrapolated")
    )
    facts = of(view, "benchmark", "benchmark_id", "imagenet")
    return {
        1: {*rise(view, "imagenet"), f"{1 / float(str(facts['floor'])):,.0f}", *of_100(float(str(facts["ceiling"])))},
        2: {*sizes(view, "imagenet", "imagenetv2-mf"), "1,000"},
        3: {*paper, *(f"{value:.0f}" for value in apart.select("original", "other").row(0))},
        4: paper,
        5: second(view, "imagenet-to-v2"),
    }


def _gsm8k(view: View) -> Numbers:
    pair = second(view, "gsm8k-to-gsm1k")
    return {1: rise(view, "gsm8k"), 2: {*sizes(view, "gsm8k", "gsm1k"), "100"}, 3: pair, 4: {*pair, "20"}, 5: pair}


def _lmarena(view: View) -> Numbers:
    cards = view.table("board_card").filter(pl.col("board_id") == "lmarena/lmarena-text").sort("observed_at")
    card = cards.row(-1, named=True)
    leads = view.table("lead").filter(pl.col("board_id") == "lmarena/lmarena-text").drop_nulls("beyond_noise")
    beyond = leads["beyond_noise"].sum()
    looks = view.query("SELECT min(observed_at)::DATE AS day FROM rank WHERE board_id = 'lmarena/lmarena-text'")["day"]
    models, until = f"{card['n_models']}", days(card["observed_at"].date())
    named = view.table("model").filter(pl.col("model_id").is_in([card["first"], card["second"]]))["name"]
    in_names = {number for name in named for number in NUMBER.findall(name)}
    return {
        1: {models, *until},
        2: {
            models,
            f"{card['difference']:.0f}",
            f"{1.96 * card['difference_error']:.0f}",
            f"{card['n_items']:,}",
            *until,
        }
        | in_names,
        3: {f"{card['tied_first']}", models, *until},
        4: {*(f"{card[name]}" for name in ("pairs_apart", "pairs", "neighbours_apart", "neighbours")), *until},
        5: {f"{leads.height}", f"{beyond}", f"{leads.height - beyond}", *until, *days(looks[0])},
    }


def _gpqa(view: View) -> Numbers:
    facts = of(view, "benchmark", "benchmark_id", "gpqa-diamond")
    human, floor = float(str(facts["human"])), float(str(facts["floor"]))
    steps = view.table("frontier").filter((pl.col("benchmark_id") == "gpqa-diamond") & ~pl.col("carried"))
    above = sorted((on, score) for on, score in steps.select("dated_on", "score").iter_rows() if score > human)[0]
    began = min(steps["dated_on"].to_list())
    order, instead = answer(view, "gpqa-diamond", "order"), answer(view, "gpqa-diamond", "instead")
    room, beyond = answer(view, "gpqa-diamond", "room"), answer(view, str(instead["other_id"]), "room")
    rise_numbers = rise(view, "gpqa-diamond") | of_100(human) | of_100(floor)
    return {
        1: {*rise_numbers, f"{1 / floor:.0f}", f"{facts['human_people']}", *days(facts["released_on"])},
        2: rise_numbers,
        3: {*rise_numbers, *of_100(above[1]), f"{round((above[0] - began).days / (365.25 / 12))}", *days(above[0])},
        4: {f"{order['count']}", f"{order['n']}", f"{facts['n_items']}", *days(order["known_until"])},
        5: {*of_100(float(str(room["value"]))), *of_100(float(str(beyond["value"]))), *days(instead["known_until"])},
    }


def _swe_bench(view: View) -> Numbers:
    name = "swe-bench-verified"
    rows = view.table("corroboration").filter(pl.col("benchmark_id") == name)
    first = rows.filter(pl.col("kind") == "first").row(0, named=True)
    every = rows.filter(pl.col("kind") == "condition")
    claimed = every.filter(pl.col("class") == "claimed").sort("score").row(-1, named=True)
    others = every.filter((pl.col("class") == "measured") & (pl.col("measured_by") != first["measured_by"]))
    third = others.sort("score").row(-1, named=True)
    labels, reporters = answer(view, name, "labels"), answer(view, name, "reporters")
    faulty, checked, items = int(str(labels["count"])), int(str(labels["n"])), 500
    gone = view.table("incident").filter((pl.col("benchmark_id") == name) & (pl.col("kind") == "retired"))
    bests = {number for row in (first, claimed, third) for number in of_100(row["score"])}
    audit = {f"{faulty}", f"{checked}", f"{items}", *days(labels["known_until"])}
    return {
        1: rise(view, name),
        2: {*bests, "3", *days(*(row["dated_on"] for row in (first, claimed, third)))},
        3: {*audit, f"{items - checked}", f"{checked - faulty}"},
        4: {*audit, *bests, "3", *of_100((items - faulty) / items), f"{items - faulty}",
            f"{sum(row['score'] > (items - faulty) / items for row in (first, claimed, third))}"},
        5: {f"{reporters['count']}", f"{reporters['n']}", *days(reporters["known_until"], gone["on_date"][0])},
    }  # fmt: skip


NUMBER = re.compile(r"\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?")
EXPECTED: Mapping[str, Callable[[View], Numbers]] = {
    "imagenet": _imagenet,
    "swe-bench-verified": _swe_bench,
    "lmarena": _lmarena,
    "gsm8k": _gsm8k,
    "gpqa-diamond": _gpqa,
}
NAMES = re.compile(r"ImageNetV2|GSM8K|GSM1k")


def test_each_story_has_five_frames_of_the_bundled_facts(contents: Mapping[str, Content]) -> None:
    assert list(contents) == list(STORIES) == list(EXPECTED)
    assert {key: list(one.frames) for key, one in contents.items()} == {
        key: list(range(1, FRAMES + 1)) for key in contents
    }


@pytest.mark.parametrize("key", EXPECTED)
def test_every_number_is_one_of_the_tables(key: str, contents: Mapping[str, Content], view: View) -> None:
    expected = EXPECTED[key](view)
    for place, frame in contents[key].frames.items():
        caption = frame.caption
        for text in (caption.title, caption.text, caption.source, caption.alt):
            for number in NUMBER.findall(NAMES.sub("", text)):
                assert number in expected[place] | WRITTEN, (place, number, text, sorted(expected[place]))
    for number in NUMBER.findall(NAMES.sub("", contents[key].moral)):
        assert number in set().union(*expected.values(), WRITTEN), contents[key].moral


def test_months_that_are_said_are_those_of_the_tables(contents: Mapping[str, Content], view: View) -> None:
    """Years are checked as numbers; here the month that stands before each."""
    passed = view.table("indicator").filter(
        (pl.col("benchmark_id") == "gpqa-diamond") & (pl.col("indicator") == "months_since_human_passed")
    )["on_day"][0]
    assert f"{passed:%b %Y}" in contents["gpqa-diamond"].frames[3].caption.title
    steps = view.table("frontier").filter((pl.col("benchmark_id") == "imagenet") & ~pl.col("carried"))["dated_on"]
    assert f"{steps.min():%b %Y}" in contents["imagenet"].frames[1].caption.source
    gone = view.table("incident").filter(
        (pl.col("benchmark_id") == "swe-bench-verified") & (pl.col("kind") == "retired")
    )["on_date"][0]
    assert f"{gone:%b %Y}" in contents["swe-bench-verified"].frames[5].caption.title


def test_sentences_are_short_and_plain(contents: Mapping[str, Content]) -> None:
    for key, one in contents.items():
        assert len(title(key, one.moral)) <= 70, one.moral
        for frame in one.frames.values():
            caption = frame.caption
            parted = readability.sentences(caption.text)
            assert 1 <= len(parted) <= 3, (key, caption.text)
            for sentence in parted:
                assert len(readability.words(sentence)) <= 20, (key, sentence)
            assert readability.hardest(caption.text) <= readability.HIGHEST_GRADE, (
                key,
                readability.hardest(caption.text),
                caption.text,
            )
            assert len(caption.title) <= 75, caption.title
            for text in (caption.title, caption.text):
                assert not NEVER.search(text), text
            assert caption.alt.endswith("."), caption.alt
            assert re.search(r"\b(19|20)\d\d\b", caption.source), caption.source


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_frame_is_a_chart_with_rows_sources_and_a_sentence(view: View, palette: object) -> None:
    for key, one in ((key, DECLARED[index].of(view)) for index, key in enumerate(STORIES)):
        for number in one.frames:
            chart = PICTURE.of(view, {STORY: key, FRAME: str(number)}, palette)  # type: ignore[arg-type]
            assert chart.title == one.frames[number].caption.title and chart.alt  # type: ignore[union-attr]
            assert chart.rows.height and chart.sources and chart.known_until  # type: ignore[union-attr]
            assert len(chart.figure.to_json()) < 40_000  # type: ignore[union-attr]


def test_what_may_leave_has_the_same_numbers_for_the_same_frames(view: View) -> None:
    """A frame whose facts may not leave is left out of what leaves; the others keep their numbers and words."""
    shared = view.shared()
    for story in DECLARED:
        full, part = story.of(view), story.of(shared)
        assert set(part.frames) <= set(full.frames) and len(part.frames) >= 3, story.key
        for number, frame in part.frames.items():
            assert frame.caption.title == full.frames[number].caption.title
