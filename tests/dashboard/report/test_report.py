"""The printed report: both formats hold what they must, on two pages, whatever names are in it."""

import dataclasses
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from io import BytesIO

import plotly.graph_objects as go
import polars as pl
import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from benchhealth.analytics.verdict.thresholds import RULES_VERSION
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.lettering.axes import round_values
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.benchmark.page import CURVE
from benchhealth.dashboard.published.generation import ParameterError, View, slug
from benchhealth.dashboard.published.results import frontier
from benchhealth.dashboard.report import audited, evidence, words
from benchhealth.dashboard.report.case import case
from benchhealth.dashboard.report.checked import found
from benchhealth.dashboard.report.checked.content import on_model
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.letters import writable
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.report.still import svg
from benchhealth.dashboard.report.tree import INFERENCES, Link, Part, Picture, Report, Section, Table, Tile
from benchhealth.dashboard.words.answers.second import MEANS
from benchhealth.dashboard.words.desk import ruled_out
from benchhealth.dashboard.words.numbers import fixed, signed
from benchhealth.dashboard.words.text import one_line, plotly
from benchhealth.warehouse.read import open_current
from tests.support.browsing import Scheme, opened
from tests.support.small_generation import AS_OF, FORMULA, HOSTILE, LINK, build
from tests.support.soaking import some

EVERY = ["exam", "exam-fresh", "hard-exam", "silent-exam", "arena", "exam/f1", "strange"]
FOOT = 6.5
"""Points of the letters at the foot of a page; no others are smaller where a page may go on."""
ROOM_OF_HEADS = """() => [...document.querySelectorAll('th')].map(head => {
  const words = document.createRange();
  words.selectNodeContents(head);
  const [text, cell] = [words.getBoundingClientRect(), head.getBoundingClientRect()];
  return [head.innerText, Math.min(cell.right - text.right, 3 + text.left - cell.left)];
})"""
"""Pixels between a head and the next column."""
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    home = tmp_path_factory.mktemp("report")
    build(home)
    generation = open_current(home)
    yield View(generation)
    generation.close()


@pytest.fixture(scope="module")
def exam(view: View) -> Report:
    return on_benchmarks(view, ["exam"])


class Page(HTMLParser):
    """What a browser would make of a document: its tags, attributes and text."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def pdf_text(pdf: bytes) -> str:
    pages = PdfReader(BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def with_part(report: Report, **changes: object) -> Report:
    """The report with some of its first part's contents replaced, and no other part."""
    return dataclasses.replace(report, parts=(dataclasses.replace(report.parts[0], **changes),))


def section(part: Part, title: str) -> Section:
    blocks = (*part.front, *part.back)
    return next(block for block in blocks if isinstance(block, Section) and block.title == title)


def picture(report: Report) -> Picture:
    return next(block for block in report.parts[0].front if isinstance(block, Picture))


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_the_report_says_verdict_meaning_and_where_it_is_from(view: View, exam: Report, form: str) -> None:
    text = pdf_text(document(exam)) if form == "pdf" else " ".join(Page(page(exam)).text.split())
    source = view.table("source").row(by_predicate=pl.col("source_id") == "exams", named=True)
    for part in (
        "What this means for a decision",
        "What to ask applicants for",
        "Is there room left?",
        "Do makers report it?",
        "What is not known",
        source["title"],
        source["licence"],
        exam.generation,
        f"rules version {RULES_VERSION}",
        f"as of {AS_OF}",
        "How to cite",
        INFERENCES,
    ):
        assert part in text


def test_a_report_without_a_server_prints_no_address_that_leads_nowhere(view: View) -> None:
    alone, served = (
        on_benchmarks(view, ["exam"], **base).parts[0] for base in ({}, {"base": "https://health.example/"})
    )
    citing = section(alone, "How to cite").paragraphs[0]
    assert "benchmark?" not in citing
    assert section(served, "How to cite").paragraphs[0].startswith(f"{citing} https://health.example/benchmark?")


@pytest.mark.parametrize("made", [page, document])
def test_the_same_generation_gives_the_same_bytes(exam: Report, made: object) -> None:
    assert callable(made)
    assert made(exam) == made(exam)


@pytest.mark.parametrize("benchmark_id", some(EVERY, plain=("exam", "silent-exam")))
def test_one_benchmark_takes_two_pages(view: View, benchmark_id: str) -> None:
    pdf = document(on_benchmarks(view, [benchmark_id, benchmark_id]))
    assert len(PdfReader(BytesIO(pdf)).pages) == 2


def test_several_have_two_pages_on_all_and_two_on_each(view: View) -> None:
    report = on_benchmarks(view, ["hard-exam", "exam"])
    assert [part.key for part in report.parts] == ["field", "hard-exam", "exam"]
    assert len(PdfReader(BytesIO(document(report))).pages) == 6
    assert Page(page(report)).tags.count("h1") == 1


def test_it_says_of_how_many_bests_nobody_says_who_measured(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best may be the maker's, others', or neither side's."""
    bests = pl.DataFrame(
        {
            "score": [0.9, 0.9, 0.9, 0.9],
            "self_score": [0.9, 0.8, None, None],
            "other_score": [None, None, 0.9, None],
            "listed": [True, True, True, False],
        }
    )
    monkeypatch.setattr(View, "rows", lambda _view, _table, **_where: bests)
    exam_case = case(view, "exam")
    assert exam_case.unsaid == 1
    assert "of 1 nobody says who measured the best." in words._measured_by(exam_case)


def test_a_domain_takes_two_pages_and_names_each_benchmark(view: View) -> None:
    report = on_field(view, "science")
    assert len(PdfReader(BytesIO(document(report))).pages) == 2
    assert "Hard exam" in pdf_text(document(report))
    with pytest.raises(ParameterError, match="no domain"):
        on_field(view, "astrology")


def test_letters_shrink_until_a_page_fits_and_no_third_page_is_made(exam: Report) -> None:
    long = Section("More", points=(" ".join(["word"] * 60),) * 8)
    crowded = with_part(exam, back=(*exam.parts[0].back, long))
    assert len(PdfReader(BytesIO(document(crowded))).pages) == 2
    with pytest.raises(ValueError, match="does not fit"):
        document(with_part(exam, front=("word " * 4_000,)))


def twins_table(report: Report) -> Table:
    table = section(report.parts[0], "Every twin it has").table
    assert table is not None
    return table


@pytest.mark.soak
def test_a_model_with_many_twins_has_all_of_them_in_letters_that_can_be_read(view: View) -> None:
    """Forty twins with long names fill more than a page: the list goes on overleaf, under its head again."""
    report = on_model(view, "model-9")
    table = twins_table(report)
    ids = [f"twin-{number:02} (a board with a long name, as published)" for number in range(40)]
    rows = tuple((one, f"{one}, after fine-tuning", *table.rows[0][2:]) for one in ids)
    many = Section("Every twin it has", table=dataclasses.replace(table, rows=rows))
    front = tuple(many if block == section(report.parts[0], many.title) else block for block in report.parts[0].front)
    pages = PdfReader(BytesIO(document(with_part(report, front=front)))).pages
    texts = [" ".join(one.extract_text().split()) for one in pages]
    assert len(pages) > 2
    assert [number for number in range(40) if f"twin-{number:02} " not in " ".join(texts)] == []
    assert [table.heads[1] in text for text in texts] == ["twin-" in text for text in texts]
    sizes: set[float] = set()
    for one in pages:
        one.extract_text(visitor_text=lambda text, _cm, _tm, _font, size: sizes.add(size) if text.strip() else None)
    assert min(sizes) == FOOT


@pytest.mark.soak
def test_a_row_that_is_taller_than_a_page_goes_on_on_the_next(view: View) -> None:
    """All of its words come out, in their order, and what it leads to with them."""
    words_of_it = [f"word-{number:04}" for number in range(900)]
    table = Table(("Model", "What is known"), ((Link("Alder", LINK), " ".join(words_of_it)), ("Birch", "")), (80, 20))
    report = with_part(on_model(view, "model-9"), front=(Section("All", table=table),), back=())
    pdf = document(report)
    assert re.findall(r"word-\d{4}", pdf_text(pdf)) == words_of_it
    assert pdf_text(pdf).count("Alder") == 1 and pdf_text(pdf).count("Birch") == 1
    assert len(PdfReader(BytesIO(pdf)).pages) > 2


def test_heads_of_columns_begin_alike_in_every_report(view: View) -> None:
    """With a capital, but for the signs of statistics and for benchmarks, whose names head columns as they are."""
    reports = [on_benchmarks(view, EVERY), on_field(view, "science"), on_model(view, "model-9")]
    tables = [
        block.table
        for report in reports
        for part in report.parts
        for block in (*part.front, *part.back)
        if isinstance(block, Section) and block.table is not None
    ]
    assert len(tables) > 8
    heads = {head for table in tables for head in table.heads}.union(audited.HEAD, ruled_out.HEAD)
    assert {head for head in heads if head[:1].islower()} == {"q"}


@pytest.mark.parametrize("ids", [EVERY[:1], pytest.param(EVERY, marks=pytest.mark.soak)], ids=["one", "all"])
def test_below_nothing_is_written_with_a_minus_sign(view: View, ids: list[str]) -> None:
    for report in (on_benchmarks(view, ids), on_model(view, "model-9")):
        assert re.findall(r"[\s(\[]-\d[\d.]*", pdf_text(document(report))) == []
    assert signed(-0.04) == "\u22120.0" and signed(2.5) == "+2.5" and fixed(-1.25, 2) == "\u22121.25"


def test_no_word_of_a_tables_head_is_cut(exam: Report) -> None:
    """Nor in a column that is narrower than its head: it takes the room of the others."""
    table = Table(("benchmark", "Expected", "Models"), (("a " * 60, "1", "2"),), widths=(90, 4, 4), right=(1, 2))
    text = pdf_text(document(with_part(exam, front=(Section("All", table=table),))))
    assert "Expected" in text and "Models" in text


def test_every_model_is_found_by_its_id(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the id is longer than names are cut to, or is the name of another one."""
    ids = [f"alder-7b,-single-{'x' * 80}", "alder", "birch", "birch-7b"]
    names = ["Alder 7B, single", "Alder", "Birch 7B", None]
    assert slug(ids[0]) != ids[0]
    monkeypatch.setattr(View, "table", lambda _view, _name: pl.DataFrame({"model_id": ids, "name": names}))
    monkeypatch.setattr(found, "own_models", lambda _view: ())
    assert [found.named_model(view, one).model_id for one in (*ids, "Birch 7B", "ALDER")] == [*ids, "birch-7b", "alder"]


def test_a_tile_without_evidence_and_a_section_without_title_leave_no_gap(exam: Report) -> None:
    """As a decision has them, three beside one another over the whole width."""
    tiles = tuple(Tile(name, "Yes", "") for name in ("Room", "Order", "Measured"))
    html = page(with_part(exam, front=(tiles, Section("", points=("Data to: May 2026",))), back=())).decode()
    assert re.findall(r"<(\w+)[^>]*></\1>", html) == []
    assert "repeat(5" not in html


@pytest.mark.browser
@pytest.mark.parametrize("scheme", some(["light", "dark"], plain=["dark"]))
def test_heads_of_columns_stand_apart(browser: Browser, view: View, scheme: Scheme) -> None:
    """Each head ends before its column does."""
    with opened(browser, 1280, scheme) as (shown, wrong):
        shown.goto("about:blank")  # a page that is used again has the policy of what it showed
        for report in (on_benchmarks(view, ["exam", "hard-exam"]), on_model(view, "model-9")):
            shown.set_content(page(report).decode())
            room = shown.evaluate(ROOM_OF_HEADS)
            assert len(room) > 8
            assert {head: left for head, left in room if left < 3} == {}
        assert not wrong


@pytest.mark.browser
@pytest.mark.parametrize("scheme", some(["light", "dark"], plain=["dark"]))
def test_a_table_on_a_phone_names_each_cell_and_is_no_wider(browser: Browser, view: View, scheme: Scheme) -> None:
    """A row is a paragraph: each cell but the first stands behind the head of its column, and nothing scrolls."""
    with opened(browser, 390, scheme) as (shown, wrong):
        shown.goto("about:blank")
        for report in (on_benchmarks(view, ["exam", "hard-exam"]), on_model(view, "model-9")):
            shown.set_content(page(report).decode())
            heads = shown.locator("thead th:not(:first-child)").all_text_contents()
            named = shown.locator("td:not(:first-child)").evaluate_all(
                "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
            )
            assert len(named) >= 8
            assert {name.strip('"').rstrip() for name in named} == set(heads)
            assert shown.evaluate("document.documentElement.scrollWidth") <= 390
        assert not wrong


@pytest.mark.soak
@pytest.mark.browser
def test_five_tiles_leave_no_empty_place_on_a_phone(browser: Browser, exam: Report) -> None:
    five = tuple(Tile(name, "Yes", "") for name in "ABCDE")
    with opened(browser, 390) as (shown, _):
        shown.goto("about:blank")
        shown.set_content(page(with_part(exam, front=(five,), back=())).decode())
        tiles = [tile.bounding_box() for tile in shown.locator(".tiles > div").all()]
        row = shown.locator(".tiles").bounding_box()
        assert row is not None and len(tiles) == 5
        assert [tile and tile["width"] > 0.9 * row["width"] for tile in tiles] == [False] * 4 + [True]


def test_a_curve_without_the_best_says_so(view: View, exam: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the best score may not leave, the best that is drawn is not the one that the room left is computed from."""
    assert "withheld" not in picture(exam).subtitle
    assert words.LISTED_WITHOUT not in section(exam.parts[0], "Who leads").paragraphs
    monkeypatch.setattr(words, "best", lambda _case: words.WITHHELD)
    monkeypatch.setattr(evidence, "best", lambda _case: words.WITHHELD)
    assert picture(on_benchmarks(view, ["exam"])).subtitle.endswith(words.DRAWN_WITHOUT)
    assert words.LISTED_WITHOUT in section(on_benchmarks(view, ["exam"]).parts[0], "Who leads").paragraphs


def test_a_list_that_lacks_the_best_score_says_so(view: View, exam: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaders_of(report: Report) -> str:
        return " ".join(section(report.parts[0], "Who leads").paragraphs)

    assert "is not on this list" not in leaders_of(exam)
    without = evidence.every_board(view).with_columns(has_best=pl.lit(value=False))
    monkeypatch.setattr(evidence, "every_board", lambda _view: without)
    best = frontier(view, {"benchmark": "exam"}).filter("carried").row(0, named=True)
    record = f" of {best['model']} in {best['dated_on']:%b %Y}"
    assert leaders_of(on_benchmarks(view, ["exam"])).endswith(f"{record}, is not on this list.")


def test_a_variant_beside_no_second_measurement_is_said_to_be_none(view: View) -> None:
    of_exam = case(view, "exam")
    alone = {**of_exam.answered, "second": {**of_exam.answered["second"], "case": "none_known"}}
    for answered, said in ((of_exam.answered, ()), (alone, (MEANS["by_design"],))):
        sections = evidence.sections(dataclasses.replace(of_exam, answered=answered))
        assert next(block for block in sections if block.title == "Second measurements").paragraphs == said


def test_pdf_tells_readers_its_language_title_and_pictures(exam: Report) -> None:
    reader = PdfReader(BytesIO(document(exam)))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert reader.metadata is not None
    assert reader.metadata.title == exam.title
    assert f"1 / {len(reader.pages)}" in reader.pages[0].extract_text()


def test_html_runs_nothing_and_loads_nothing(exam: Report) -> None:
    parsed = Page(page(exam))
    assert not set(parsed.tags) & {"script", "link", "iframe", "object", "embed"}
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]
    assert all(value.startswith("data:image/svg+xml") for name, value in parsed.attributes if name == "src")
    assert all(value.startswith(("https://", "http://")) for name, value in parsed.attributes if name == "href")


@pytest.mark.parametrize("name", [SCRIPT, HOSTILE, FORMULA, '" onload="x', "a\u202eb\nc", "Модель Ζεύς ◆ ⚑"])
def test_hostile_names_are_shown_as_they_are(exam: Report, name: str) -> None:
    table = Table(("model",), ((name,), (Link(name, LINK),)), widths=(1,))
    report = with_part(exam, title=name, line=name, front=(name,), back=(Section(name, (name,), (name,), table),))
    parsed = Page(page(report))
    assert "script" not in parsed.tags
    assert not [attribute for attribute, _ in parsed.attributes if attribute.startswith("on")]
    assert parsed.text.count(name) >= 6
    visible = " ".join(name.replace("\u202e", " ").split())
    assert visible.replace(" ", "") in pdf_text(document(report)).replace(" ", "")


def test_the_name_of_a_leader_reaches_the_page_whole(view: View) -> None:
    report = on_benchmarks(view, ["hard-exam"])
    assert HOSTILE[:24] in Page(page(report)).text


def test_letters_without_a_glyph_are_written_as_their_number(exam: Report) -> None:
    report = with_part(exam, title="书生 🥇")
    assert "[U+4E66][U+751F] [U+1F947]" in pdf_text(document(report))
    assert "书生 🥇" in Page(page(report)).text


def test_the_drawing_is_wellformed_whatever_a_model_is_called(exam: Report) -> None:
    figure = go.Figure(picture(exam).figure)
    for name in (HOSTILE, SCRIPT + "书"):
        figure.add_annotation(x=1, xref="paper", y=0.5, text=plotly(name, 200))
    root = ET.fromstring(svg(figure, writable))
    assert {element.tag.rpartition("}")[2] for element in root} <= {"rect", "line", "text", "circle", "path"}
    assert {HOSTILE, f"{SCRIPT}[U+4E66]"} <= {element.text for element in root}
    assert document(with_part(exam, front=(dataclasses.replace(picture(exam), figure=figure),)))


def test_the_drawing_has_a_mark_for_each_model_and_each_step(view: View, exam: Report) -> None:
    chart = CURVE.of(view, {"benchmark": "exam"}, LIGHT)
    assert isinstance(chart, Chart)
    steps = frontier(view, {"benchmark": "exam"}).filter(~pl.col("carried")).height
    models = chart.rows.filter(what="best of the model").height
    assert svg(picture(exam).figure, one_line).count("<circle") == models + steps


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [(0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]), (880.0, 1540.0, [1000.0, 1200.0, 1400.0]), (5.0, 5.0, [5.0])],
)
def test_axes_have_few_round_values(low: float, high: float, values: list[float]) -> None:
    assert round_values(low, high) == values


def test_an_unknown_benchmark_is_named_with_those_close_to_it(view: View) -> None:
    with pytest.raises(ParameterError, match=r"'exan'.*did you mean.*exam"):
        on_benchmarks(view, ["exam", "exan"])
    with pytest.raises(ParameterError, match="hard-exam"):
        on_benchmarks(view, ["Hard"])
    with pytest.raises(ParameterError, match="at most"):
        on_benchmarks(view, [str(number) for number in range(40)])


def test_without_results_everything_is_said_to_be_unknown(view: View) -> None:
    part = on_benchmarks(view, ["silent-exam"]).parts[0]
    assert "not enough is known" in part.title
    assert not [block for block in part.front if isinstance(block, Picture)]
    assert section(part, "What is not known").points
    assert section(part, "Sources").table is None


def test_contamination_and_twins_are_told_with_their_address(exam: Report) -> None:
    reports = section(exam.parts[0], "Items seen in training").table
    assert reports is not None
    assert Link(LINK.removeprefix("https://"), LINK) in reports.rows[0]
    twins = section(exam.parts[0], "Second measurements").table
    assert twins is not None
    assert twins.rows[0][0] == "Exam, fresh sample"


@pytest.mark.parametrize("stage", ["saturated", "compressing", "discriminating", "emerging", "unknown"])
def test_each_stage_says_what_it_means_for_a_decision(view: View, stage: str) -> None:
    one = case(view, "exam")
    judged = dataclasses.replace(one, verdict={**one.verdict, "stage": stage, "flags": list(words.ASK)})
    meaning = words.meaning_section(judged)
    assert "Exam" in meaning.paragraphs[0]
    assert len(meaning.points) == len(words.ASK)
    assert words.verdict(judged).endswith((".",))
    assert ("would not show progress" in meaning.paragraphs[0]) == (stage == "saturated")


def test_nothing_technical_reaches_a_reader(exam: Report) -> None:
    parsed = Page(page(exam)).text
    body = parsed[parsed.index("</style>") if "</style>" in parsed else 0 :]
    assert "months_since" not in body
    assert "headroom_" not in body


def test_what_was_not_looked_at_lately_is_said_to_be(view: View) -> None:
    one = case(view, "exam")
    old = dataclasses.replace(
        one, verdict={**one.verdict, "known_until": date(2020, 1, 1)}, row={**one.row, "age_months": 50.0}
    )
    assert "What was published later was not seen." in words.verdict(old)
