"""Every surface of a benchmark gives the same reply and number to a question: that of table `answer`.

Over the bundled facts: page with its tabs, printed report as HTML and PDF, Trust, badge, domain reports, Field and map.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.answers.desk.rules import ROLES
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.benchmark import link
from benchhealth.dashboard.pages.benchmark import page as benchmark
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.pages.overview import page as overview
from benchhealth.dashboard.pages.trust import charts, matrix_rows
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.published.answers import answers_of, answers_to, card_of, saturated_of, words_of
from benchhealth.dashboard.published.deciding.question import USUAL, decision_words, question_of
from benchhealth.dashboard.published.domains import groups
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.field import QUESTION_HEADS
from benchhealth.dashboard.report.html import page as html
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.report.tree import Cell, Section
from benchhealth.dashboard.serving.badges import badge
from benchhealth.dashboard.serving.printed.card import card_document
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS, TITLES, Words, words
from benchhealth.dashboard.words.card.cells import ORDER, UNTIL
from benchhealth.dashboard.words.text import short
from benchhealth.warehouse.read import Generation
from tests.support import surfaces
from tests.support.page_paragraphs import paragraphs
from tests.support.rendered_page import markup, rendered
from tests.support.soaking import some

NAMED = (
    "imagenet", "swe-bench-verified", "mmlu-pro", "gpqa-diamond", "glue", "superglue", "mmlu", "gsm8k", "hle",
    "aime-2025", "lmarena-text", "frontiermath",
)  # fmt: skip
PLAIN = ("gsm8k", "lmarena-text")
"""Two that are most unlike one another: with twins and leaks, and a rating. The soak has all."""
KNOWN = re.compile(r"; (data to \w+ \d{4}|until when this is known is not on record)\.$")
UNSAID = re.compile(r"\bNone\b(?! of| that| known)|\bnan\b|  |\binf\b")


@pytest.fixture(scope="module")
def view(bundled: Generation) -> View:
    return View(bundled)


@pytest.fixture
def _all_tabs_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tab is drawn at once, so that a page is drawn once; a reader has one open at a time."""

    def tabs(names: list[str], **_: object) -> list[object]:
        containers = [benchmark.st.container() for _ in names]
        for one in containers:
            one.open = True
        return containers

    monkeypatch.setattr(benchmark.st, "tabs", tabs)


def curated(view: View) -> list[str]:
    return view.table("benchmark").filter("curated")["benchmark_id"].sort().to_list()


class Text(HTMLParser):
    """The text of a document."""

    def __init__(self, document: bytes | str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.feed(document if isinstance(document, str) else document.decode())

    def handle_data(self, data: str) -> None:
        self.said.append(data)


@lru_cache(maxsize=len(PLAIN))
def on_paper(view: View, benchmark_id: str) -> tuple[tuple[str, str], ...]:
    """The report that may leave, in both formats: to set a PDF takes longer than to read it."""
    report = on_benchmarks(view.shared(), [benchmark_id])
    return (
        ("PDF", surfaces.of_pdf(document(report))),
        ("HTML", " ".join(" ".join(Text(html(report)).said).split())),
    )


def on_screen(home: Path, benchmark_id: str) -> Iterator[tuple[str, str]]:
    """The page with all its tabs, and the card of Trust."""
    yield "page", surfaces.plain(markup(rendered(benchmark, home, benchmark=benchmark_id)))
    yield "Trust", surfaces.plain(markup(rendered(trust, home, benchmark=benchmark_id)))


def wrong(view: View, benchmark_id: str, surfaces_of: Iterable[tuple[str, str]]) -> list[str]:
    """What these surfaces say that the table does not, each with its surface."""
    wordings, rows = words_of(view, benchmark_id), answers_of(view, benchmark_id)
    return list(
        dict.fromkeys(
            f"{benchmark_id}, {surface}: {fault}"
            for surface, text in surfaces_of
            for fault in surfaces.faults(text, wordings, rows)
        )
    )


def unasked(view: View, benchmark_id: str, surfaces_of: Iterable[tuple[str, str]]) -> list[str]:
    """The questions that the table answers and a printed report does not ask."""
    return [
        f"{benchmark_id}, {surface}: {TITLES[key]}"
        for surface, text in surfaces_of
        for key in set(answers_of(view, benchmark_id)) - {key for key, _ in surfaces.replies(text)}
    ]


@pytest.mark.parametrize("benchmark_id", some(NAMED, PLAIN))
def test_the_report_gives_the_answers_of_the_table(benchmark_id: str, view: View) -> None:
    shared, surfaces_of = view.shared(), on_paper(view, benchmark_id)
    assert wrong(shared, benchmark_id, surfaces_of) == []
    assert unasked(shared, benchmark_id, surfaces_of) == []


@pytest.mark.usefixtures("_all_tabs_open")
@pytest.mark.parametrize("benchmark_id", some(NAMED, PLAIN))
def test_page_and_trust_give_the_answers_of_the_table(benchmark_id: str, view: View, bundled_home: Path) -> None:
    surfaces_of = list(on_screen(bundled_home, benchmark_id))
    assert wrong(view, benchmark_id, iter(surfaces_of)) == []
    assert surfaces.missing_cells(dict(surfaces_of)["page"], card_of(view, benchmark_id)) == []


@pytest.mark.parametrize("benchmark_id", some(NAMED, PLAIN))
def test_paper_frame_picture_and_badge_have_the_card(benchmark_id: str, view: View) -> None:
    """All nine cells, or three of them in the picture, or stage and day in the badge: in the words of the card."""
    shared = view.shared()
    card, surfaces_of = card_of(shared, benchmark_id), dict(on_paper(view, benchmark_id))
    assert [cell.key for cell in card] == list(ORDER)
    for colours in (LIGHT, DARK):
        surfaces_of[f"frame, dark: {colours.dark}"] = " ".join(Text(card_document(shared, benchmark_id, colours)).said)
    assert [
        (surface, lacking) for surface, text in surfaces_of.items() for lacking in surfaces.missing_cells(text, card)
    ] == []
    picture = link.picture(shared, {"benchmark": benchmark_id})
    assert picture is not None
    lines = {(line.question, line.word, line.below) for line in picture.lines}
    assert len(lines) == 3 and lines <= {(cell.question, cell.word, cell.number) for cell in card}
    of = {cell.key: cell for cell in card}
    drawn_badge = unescape(str(badge(shared, benchmark_id)))
    assert of["stage"].number in drawn_badge
    assert (of[UNTIL].tile in drawn_badge) is (of[UNTIL].kind != "unknown")


@pytest.mark.soak
@pytest.mark.usefixtures("_all_tabs_open")
def test_every_curated_benchmark_has_the_same_answers_everywhere(view: View, bundled_home: Path) -> None:
    faults = []
    for benchmark_id in curated(view):
        faults += wrong(view.shared(), benchmark_id, on_paper(view, benchmark_id))
        faults += wrong(view, benchmark_id, on_screen(bundled_home, benchmark_id))
        faults += _other_stages(view, benchmark_id)
    assert faults == []


def _other_stages(view: View, benchmark_id: str) -> list[str]:
    """What title and badge say of the stage that the answer does not."""
    shared, row = view.shared(), answers_of(view, benchmark_id)["stage"]
    label = str(badge(shared, benchmark_id)).partition("aria-label")[2].partition("<title>")[0]
    texts = (label, on_benchmarks(shared, [benchmark_id]).parts[0].title)
    faults = [fault for text in texts for fault in surfaces.other_stage(text, row)]
    return faults if words_of(view, benchmark_id)["stage"].number in label else [*faults, label]


@pytest.mark.parametrize("benchmark_id", some(NAMED, PLAIN))
def test_titles_and_badges_have_the_stage_of_the_answer(benchmark_id: str, view: View) -> None:
    assert _other_stages(view, benchmark_id) == []


def test_what_may_leave_keeps_the_groups_of_domains_and_the_days_of_the_card(view: View) -> None:
    shared = view.shared()
    assert groups(shared) == groups(view)
    for benchmark_id in NAMED:
        (here,), (there,) = (
            [cell.tile for cell in card_of(one, benchmark_id) if cell.key == UNTIL] for one in (view, shared)
        )
        assert here == there, benchmark_id


@pytest.mark.parametrize("subject", some(["code", "mathematics", "agents"], plain=["code"]))
def test_a_domain_report_says_what_the_desk_says(subject: str, view: View) -> None:
    (section,) = (
        block
        for block in on_field(view.shared(), subject).parts[0].front
        if isinstance(block, Section) and "decision" in block.title
    )
    named = _named_in(view, subject)
    for role in ROLES:
        asked = question_of(view, {"for": role, "domain": subject})
        assert asked is not None
        answer = decision_words(view, asked)
        assert any(point.startswith(answer.title) for point in section.points)
        if role == USUAL:
            lines = dict(point.split(": ", 1) for point in section.points[len(ROLES) :])
            of = {one.benchmark_id: one.reason for one in answer.others}
            assert set(lines) == set(of.values())
            assert all(name in lines[of[key]] for name, key in named.items() if key in of and name in str(section))


def test_answers_to_questions_about_the_same_room_agree(view: View) -> None:
    """None is used up that has room left, nor the other way round."""
    replies = view.query(
        "SELECT benchmark_id, o.case = 'used_up' AS used_up, r.reply = 'no' AS exhausted FROM answer o "
        "JOIN answer r USING (benchmark_id) WHERE o.question = 'outlook' AND r.question = 'room'"
    )
    assert replies["used_up"].sum() > 20
    assert replies.filter(pl.col("used_up") != pl.col("exhausted"))["benchmark_id"].to_list() == []


def test_the_example_for_agents_is_an_answer(view: View) -> None:
    skill = Path("skills/benchhealth/SKILL.md").read_text()
    example = " ".join(skill.partition("## Example")[2].replace(">", "").split())
    name, order = "GPQA Diamond", words_of(view.shared(), "gpqa-diamond")["order"]
    assert example.startswith(f"{name}. {order.alt} [benchhealth")


def test_every_row_can_be_said_in_every_form(view: View) -> None:
    """Also where cells are withheld, which changes neither reply nor number but for a second score beside it."""
    names = dict(view.table("benchmark").select("benchmark_id", "name").iter_rows())
    public_rows = view.query("SELECT * FROM answer ORDER BY ALL")
    withheld = (
        view.shared()
        .query("SELECT * FROM answer ORDER BY ALL")
        .join(public_rows, on=public_rows.columns, how="anti", nulls_equal=True)
    )
    assert public_rows.height == len(TITLES) * public_rows["benchmark_id"].n_unique()
    assert _tiles(withheld, names) == _tiles(
        public_rows.join(withheld, on=["benchmark_id", "question"], how="semi"), names
    )
    wrong = {
        (row["question"], row["case"], words(row, names).alt)
        for rows in (public_rows, withheld)
        for row in rows.iter_rows(named=True)
        if not _is_whole(row, words(row, names))
    }
    assert sorted(wrong) == []


def _tiles(rows: pl.DataFrame, names: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Reply and number of each row by benchmark and question, without the best of one side that stands beside it."""
    return {
        (row["benchmark_id"], row["question"]): words(row, names).tile.split("; ")[0].removesuffix(")")
        for row in rows.iter_rows(named=True)
    }


def _is_whole(row: Row, wording: Words) -> bool:
    """Whether the forms of an answer hold its question, its reply, and until when it is known, and nothing unsaid."""
    every = "\n".join((wording.tile, wording.line, wording.paragraph, wording.alt, wording.spoken))
    return (
        wording.question == TITLES[row["question"]]
        and wording.reply == REPLY_WORDS[row["reply"]]
        and wording.tile.startswith(wording.reply)
        and wording.alt == f"{wording.question} {wording.tile}. {wording.line}"
        and wording.paragraph.startswith(wording.line)
        and wording.question in wording.spoken
        and KNOWN.search(wording.line) is not None
        and UNSAID.search(every) is None
        and surfaces.NEVER.search(every) is None
    )


def test_each_benchmark_stands_on_trust_in_the_list_of_its_answer(view: View) -> None:
    matrix = charts.MATRIX.of(view, {"evidence": ",".join(matrix_rows.STRENGTHS)}, LIGHT)
    assert isinstance(matrix, Chart)
    rows = {row["benchmark_id"]: row for row in answers_to(view, "seen").iter_rows(named=True)}
    under = surfaces.lists_of(matrix.figure, {key: key for key in rows})
    assert set(NAMED) <= set(under)
    assert {
        f"{key}: {heading}, which is {rows[key]['reply']}"
        for key, heading in under.items()
        if not heading.startswith(REPLY_WORDS[rows[key]["reply"]])
    } == set()
    weak = {key for key, heading in under.items() if "would have missed" in heading}
    assert weak == {key for key in under if rows[key]["case"] == "too_weak"}


def test_a_domain_report_has_the_replies_of_each_benchmark(view: View) -> None:
    assert _compared(view, "code") > 10


@pytest.mark.soak
def test_every_domain_report_has(view: View) -> None:
    assert sum(_compared(view, subject) for subject in groups(view)) > 100


def _compared(view: View, subject: str) -> int:
    """How many benchmarks of a domain's report were held against their answers."""
    of, compared = _named_in(view, subject), 0
    for cells in _evidence(view, subject):
        if (benchmark_id := of.get(str(cells[0]))) is None:
            continue
        wordings = words_of(view, benchmark_id)
        printed = dict(zip(QUESTION_HEADS, cells[3 : 3 + len(QUESTION_HEADS)], strict=True))
        assert printed == {
            key: wordings[key].tile if key == "order" else wordings[key].reply for key in QUESTION_HEADS
        }, cells[0]
        compared += 1
    return compared


def _evidence(view: View, subject: str) -> tuple[tuple[Cell, ...], ...]:
    """The rows of the table of evidence of a domain's report."""
    blocks = on_field(view.shared(), subject).parts[0].back
    (section,) = (one for one in blocks if isinstance(one, Section) and one.title == "Evidence")
    assert section.table is not None
    return section.table.rows


def _named_in(view: View, subject: str) -> dict[str, str]:
    """The curated benchmarks of a domain by their names and short names, where only one has it."""
    rows = view.table("benchmark").filter("curated", domain_group=subject)
    named = [
        (label, benchmark_id)
        for benchmark_id, name in rows.select("benchmark_id", "name").iter_rows()
        if "/" not in benchmark_id
        for label in {name, short(name)}
    ]
    times = Counter(label for label, _ in named)
    return {label: benchmark_id for label, benchmark_id in named if times[label] == 1}


FIELD: tuple[Mapping[str, str], ...] = ({}, *({"chart": chart} for chart in field.OF_PART["aging"]))


@pytest.mark.parametrize("query", FIELD, ids=lambda query: query.get("chart", "findings"))
def test_field_counts_the_saturated_as_the_map_does(query: Mapping[str, str], view: View, bundled_home: Path) -> None:
    counted = saturated_of(view)
    texts = [surfaces.plain(text) for text in paragraphs(rendered(field, bundled_home, **query))]
    assert [wrong for text in texts for wrong in surfaces.other_counts(text, counted)] == []
    if not query:
        assert any(
            f"{counted.saturated} of {counted.benchmarks} curated benchmarks are saturated" in text for text in texts
        )


def test_the_map_says_as_many_and_counts_those_of_them_in_use(view: View, bundled_home: Path) -> None:
    app = rendered(overview, bundled_home)
    counted = saturated_of(view)
    text = "\n".join(block.value for block in app.markdown)
    assert f"Of all {counted.benchmarks}, in use or not, {counted.saturated} are saturated" in text
    options = [option for group in app.get("button_group") for option in group.options]
    counts = {int(match.group(1)) for option in options if (match := re.search(r"Saturated\D*(\d+)", str(option)))}
    (in_use,) = counts
    assert f"{in_use} are saturated and" in text and in_use < counted.saturated
