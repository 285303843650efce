"""The printed report: both formats hold what they must, on two pages, whatever names are in it."""

import dataclasses
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from pypdf import PdfReader

from analytics.verdict.thresholds import RULES_VERSION
from dashboard.published.generation import View
from dashboard.published.results import leaders
from dashboard.words.stages import STAGE_WORDS
from pipeline.errors import UsageError
from pipeline.report import write
from pipeline.report.charts import png, svg
from pipeline.report.content import compose
from pipeline.report.html import page
from pipeline.report.leaders import alike, top_five
from pipeline.report.pdf import PAGES, document
from pipeline.report.tree import INFERENCES, Link, Report, Section, Sheet, Table
from pipeline.settings import Settings
from tests.pipeline.conftest import benchhealth
from tests.support.small_generation import AS_OF, FORMULA, HOSTILE, LINK, build
from warehouse.read import Generation, NoGeneration, open_current

EVERY = ["exam", "exam-fresh", "hard-exam", "silent-exam", "arena", "exam/f1", "strange"]
SCRIPT = "<script>alert(1)</script>"
SHOWN = ["imagenet", "squad-2.0", "gsm8k", "mmlu", "gpqa-diamond", "lmarena-text", "livebench-2025-11-25", "aime-2024"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def view(home: Path) -> Iterator[View]:
    generation = open_current(home)
    yield View(generation)
    generation.close()


@pytest.fixture(scope="module")
def whole(view: View) -> Report:
    return compose(view, EVERY)


@pytest.fixture
def settings(home: Path) -> Settings:
    return Settings(home=home, registry=home, bundle=home, token=None)


class Page(HTMLParser):
    """What a browser would make of a document: its tags, attributes and text."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def pdf_text(pdf: bytes) -> str:
    pages = PdfReader(BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def pages_of_sheets(pdf: bytes) -> list[int]:
    """How many pages each sheet takes, from where the outline says that each begins."""
    reader = PdfReader(BytesIO(pdf))
    starts = [reader.get_destination_page_number(entry) for entry in reader.outline]  # type: ignore[arg-type]
    return [after - start for start, after in zip(starts, [*starts[1:], len(reader.pages)], strict=True)]


def one(report: Report, **changes: object) -> Report:
    """The report on its first benchmark alone, with some of the sheet's contents replaced."""
    return dataclasses.replace(report, cover=None, sheets=(dataclasses.replace(report.sheets[0], **changes),))


def section(sheet: Sheet, title: str) -> Section:
    return next(part for part in sheet.sections if part.title == title)


@pytest.mark.parametrize("suffix", ["html", "pdf"])
def test_the_report_says_stage_sources_and_what_it_rests_on(settings: Settings, tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"health.{suffix}"
    write(settings, benchmark_ids=["exam"], output=output)
    body = output.read_bytes()
    text = pdf_text(body) if suffix == "pdf" else " ".join(Page(body).text.split())
    with closing(open_current(settings.home)) as generation:
        stage = generation.query("SELECT stage FROM verdict WHERE benchmark_id = 'exam'").item()
        title, licence = generation.query("SELECT title, licence FROM source WHERE source_id = 'exams'").row(0)
        name = generation.name
    for said in (
        STAGE_WORDS[stage],
        title,
        licence,
        "2024-12-20",
        name,
        f"rules version {RULES_VERSION}",
        f"as of {AS_OF}",
        INFERENCES,
    ):
        assert said in text


@pytest.mark.parametrize("draw", [page, document])
def test_the_same_generation_gives_the_same_bytes(whole: Report, draw: object) -> None:
    alone = one(whole)
    assert callable(draw)
    assert draw(alone) == draw(alone)


def test_every_benchmark_begins_a_page_and_takes_two_at_most(whole: Report) -> None:
    pdf = document(whole)
    assert len(pages_of_sheets(pdf)) == len(EVERY)
    assert max(pages_of_sheets(pdf)) <= PAGES
    first = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert all(STAGE_WORDS[sheet.stage] in first for sheet in whole.sheets)


def test_the_longest_contents_are_set_smaller_until_they_fit(whole: Report) -> None:
    long = " ".join(["word"] * 60)
    crowded = one(whole, reasons=(long,) * 8, sections=(*whole.sheets[0].sections, Section("More", points=(long,) * 8)))
    assert pages_of_sheets(document(crowded)) == [PAGES]


def test_what_can_never_fit_is_an_error_and_not_a_third_page(whole: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.report.pdf.SIZES", (8.0,))
    endless = one(whole, curve=None, reasons=("word " * 400,) * 12)
    with pytest.raises(ValueError, match="does not fit"):
        document(endless)


def test_pdf_tells_readers_its_language_title_and_pictures(whole: Report) -> None:
    reader = PdfReader(BytesIO(document(one(whole))))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert reader.metadata is not None
    assert reader.metadata.title == whole.title
    assert f"1 / {len(reader.pages)}" in reader.pages[0].extract_text()


def test_one_benchmark_needs_no_cover(view: View) -> None:
    alone = compose(view, ["exam", "exam"])
    assert alone.cover is None
    assert len(alone.sheets) == 1
    assert "Exam" in alone.title


def test_html_runs_nothing_and_loads_nothing(whole: Report) -> None:
    found = Page(page(whole))
    assert not found.tags & {"script", "link", "iframe", "object", "embed"}
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert all(value.startswith("data:image/svg+xml") for name, value in found.attributes if name == "src")
    assert all(value.startswith(("https://", "http://")) for name, value in found.attributes if name == "href")


@pytest.mark.parametrize("name", [SCRIPT, HOSTILE, FORMULA, '" onload="x', "a\u202eb\nc"])
def test_hostile_names_are_shown_as_they_are(whole: Report, name: str) -> None:
    table = Table(("model",), ((name,), (Link(name, LINK),)), widths=(1,))
    report = dataclasses.replace(
        one(
            whole, name=name, reasons=(name,), flags=((name, name),), sections=(Section(name, (name,), (name,), table),)
        ),
        title=name,
    )
    found = Page(page(report))
    assert "script" not in found.tags
    assert not [attribute for attribute, _ in found.attributes if attribute.startswith("on")]
    assert found.text.count(name) >= 6
    visible = " ".join(name.replace("\u202e", " ").split())
    assert visible.replace(" ", "") in pdf_text(document(report)).replace(" ", "")


def test_the_name_of_a_leader_reaches_the_page_whole(whole: Report) -> None:
    hard = dataclasses.replace(whole, cover=None, sheets=(whole.sheets[EVERY.index("hard-exam")],))
    assert HOSTILE in Page(page(hard)).text
    assert HOSTILE.replace(" ", "") in pdf_text(document(hard)).replace(" ", "")


@pytest.mark.parametrize("name", ["Модель", "Ζεύς β", "Modèle é", "◆ ■ ≥ ⚑"])
def test_names_in_other_letters_are_drawn(whole: Report, name: str) -> None:
    assert name in pdf_text(document(one(whole, name=name, curve=None)))


def test_letters_without_a_glyph_are_written_as_their_number(whole: Report) -> None:
    report = one(whole, name="书生 🥇", curve=None)
    assert "[U+4E66][U+751F] [U+1F947]" in pdf_text(document(report))
    assert "书生 🥇" in Page(page(report)).text


@pytest.mark.parametrize("metric", ["$x^2$ rate", "a_b $", "书", None])
def test_a_chart_draws_any_name_of_a_metric(whole: Report, metric: str | None) -> None:
    curve = whole.sheets[0].curve
    assert curve is not None
    strange = dataclasses.replace(curve, facts={**curve.facts, "metric": metric})
    assert svg(strange).startswith(b"<?xml")
    assert png(strange).startswith(b"\x89PNG")


def test_an_unknown_benchmark_is_named_with_those_close_to_it(view: View) -> None:
    with pytest.raises(UsageError, match=r"'exan'.*did you mean.*exam"):
        compose(view, ["exam", "exan"])
    with pytest.raises(UsageError, match="hard-exam"):
        compose(view, ["Hard"])


def test_another_suffix_or_folder_is_refused(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.html or \.pdf"):
        write(settings, benchmark_ids=["exam"], output=tmp_path / "health.docx")
    with pytest.raises(UsageError, match="no folder"):
        write(settings, benchmark_ids=["exam"], output=tmp_path / "nowhere" / "health.pdf")
    assert list(tmp_path.iterdir()) == []


def test_without_a_generation_nothing_is_written(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, registry=tmp_path, bundle=tmp_path, token=None)
    with pytest.raises(NoGeneration):
        write(settings, benchmark_ids=["exam"], output=tmp_path / "health.pdf")
    assert not (tmp_path / "health.pdf").exists()


def test_without_results_everything_is_said_to_be_unknown(whole: Report) -> None:
    silent = whole.sheets[EVERY.index("silent-exam")]
    assert silent.stage == "unknown"
    assert silent.curve is None
    assert section(silent, "Room left").paragraphs[0].startswith("Not known")
    assert section(silent, "What we do not know").points
    assert section(silent, "Sources").table is None


def test_a_part_of_a_benchmark_is_not_ranked(whole: Report) -> None:
    part = whole.sheets[EVERY.index("exam/f1")]
    assert section(part, "Top five").table is None


def test_unknown_indicators_carry_their_reasons(whole: Report, view: View) -> None:
    lacking = view.table("indicator").filter((pl.col("benchmark_id") == "arena") & (pl.col("status") == "insufficient"))
    said = " ".join(section(whole.sheets[EVERY.index("arena")], "What we do not know").points)
    assert lacking.height
    assert all(reason in said for reason in lacking["reason"].unique())


def test_contamination_and_twins_are_told_with_their_address(whole: Report) -> None:
    exam = whole.sheets[0]
    reports = section(exam, "Documented contamination").table
    assert reports is not None
    assert Link(LINK.removeprefix("https://"), LINK) in reports.rows[0]
    assert "12.0%" in reports.rows[0]
    assert "Exam, fresh sample" in section(exam, "Twins").points[0]


def test_places_that_cannot_be_told_apart_are_those_within_the_error_of_their_difference() -> None:
    rows = pl.DataFrame(
        {
            "board_id": ["b"] * 4,
            "place": [1, 2, 3, 4],
            "score": [0.9, 0.88, 0.8, 0.7],
            "error": [0.01, 0.01, 0.01, None],
        }
    )
    said = alike(rows)
    assert "1 and 2" in said
    assert "1 and 3" not in said
    assert "No error is known for 1 of these 4" in said
    assert "none can be compared" in alike(rows.filter(pl.col("place") == 1))


def test_a_rating_shows_the_error_that_its_board_states_now(view: View) -> None:
    facts = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == "arena", named=True)
    assert set(leaders(view, {"board": "arena/arena"})["std_error"]) == {5.0}
    table = top_five(view, facts).table
    assert table is not None
    assert all("± 9.8" in row for row in table.rows)


def test_the_command_says_what_it_cannot_do(home: Path, tmp_path: Path) -> None:
    done = benchhealth(home, "report", "--benchmark", "exan", "--output", str(tmp_path / "x.pdf"))
    assert done.returncode == 1
    assert "did you mean" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.browser
def test_a_browser_prints_the_html_on_as_few_pages(whole: Report, tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    source, printed = tmp_path / "health.html", tmp_path / "health.pdf"
    source.write_bytes(page(whole))
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = [chromium, *options, profile, f"--print-to-pdf={printed}", source.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pages = [" ".join(sheet.extract_text().split()) for sheet in PdfReader(printed).pages]
    assert len(pages) <= 1 + PAGES * len(EVERY)
    assert "Benchmark health" in pages[0]


@pytest.mark.xdist_group("bundle")
def test_real_benchmarks_fit_on_two_pages(bundled: Generation) -> None:
    sizes = pages_of_sheets(document(compose(View(bundled), SHOWN)))
    assert len(sizes) == len(SHOWN)
    assert max(sizes) <= PAGES
