"""Reports by address: two pages on benchmarks, a domain or a decision as HTML or PDF, without what may not leave."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.guard.turns import Turns
from benchhealth.dashboard.pages.decide.page import PANEL
from benchhealth.dashboard.published.deciding.question import DecisionWords, Question, decision_words, question_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.evidence import citing_section
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.report.tree import Block, Part, Report, Section, Table, Tile, of_generation
from benchhealth.dashboard.serving.responses import answered_async, reader
from benchhealth.dashboard.words.desk import ruled_out as why_not
from benchhealth.dashboard.words.numbers import UNKNOWN, percent_interval, score
from benchhealth.dashboard.words.text import count, words_within

ROWS, MODELS = 40, 12
"""The most benchmarks and models that the tables name; what is left out is counted."""


def decision_of(view: View, question: Question, base: str) -> Report:
    """The answer to a question as a report; its page is cited below `base`."""
    answer = decision_words(view, question)
    bare = of_generation(view, f"benchhealth: {answer.title}", ())
    part = Part(
        key="decision",
        title=answer.title,
        stage=None,
        line=answer.subtitle,
        front=_front(answer),
        back=(
            *_others_block(answer),
            *_panel(view, question),
            citing_section(answer.title, base + question.address("decide"), bare.origin),
        ),
    )
    return replace(bare, parts=(part,))


def _front(answer: DecisionWords) -> tuple[Block, ...]:
    """A section for each recommendation; what would be needed where there is none."""
    blocks: list[Block] = [answer.needed] if answer.needed else []
    for card in answer.cards:
        blocks.append(Section(f"{card.name}: {card.about}", paragraphs=(f"Why. {card.why}",)))
        blocks.append(tuple(Tile(name, number, "") for name, number in card.numbers[:3]))
        blocks.append(Section("", points=tuple(f"{name}: {number}" for name, number in card.numbers[3:])))
        blocks.append(Section("Reservation", paragraphs=(card.reservation,), framed=True))
    return tuple(blocks)


def _others_block(answer: DecisionWords) -> tuple[Block, ...]:
    if not answer.others:
        return ()
    rows = tuple((words_within(row.name, 36), row.reason, row.number) for row in answer.others[:ROWS])
    left = f" {count(len(answer.others) - ROWS, 'further benchmark')} on the dashboard." if answer.others[ROWS:] else ""
    return (
        Section(answer.heading, table=Table(why_not.HEAD, rows, (24, 18, 58)), note=f"{why_not.NONE_IS_BAD}{left}"),
    )


def _panel(view: View, question: Question) -> tuple[Block, ...]:
    """The models of the chart as a table, of the same rows."""
    chart = PANEL.of(view, question.params, LIGHT)
    if not isinstance(chart, Chart):
        return ()
    units = dict(view.table("benchmark").select("benchmark_id", "unit").iter_rows())
    cells: dict[str, dict[str, str]] = {}
    for row in chart.rows.iter_rows(named=True):
        score_text = score(row["score"], units[row["benchmark_id"]])
        ends = (
            percent_interval(row["low"], row["high"]) if units[row["benchmark_id"]] in ("percent", "fraction") else ""
        )
        cells.setdefault(row["model"], {})[row["benchmark_id"]] = f"{score_text} ({ends})" if ends else score_text
    ids = list(dict.fromkeys(chart.rows["benchmark_id"]))
    names = {card.benchmark_id: card.name for card in decision_words(view, question).cards}
    rows = tuple(
        (words_within(model, 36), *(scores.get(key, UNKNOWN) for key in ids)) for model, scores in cells.items()
    )
    header = ("Model", *(names[column_id] for column_id in ids))
    widths = (34.0, *[66 / len(ids)] * len(ids))
    return (Section(chart.title, table=Table(header, rows[:MODELS], widths), note=f"{chart.subtitle}"),)


FORMS: Mapping[str, tuple[str, Callable[[Report], bytes]]] = {
    "html": ("text/html; charset=utf-8", page),
    "pdf": ("application/pdf", document),
}
UNCHOSEN = '<p>No benchmark is named. <a href="report">Choose benchmarks or a domain for a report.</a></p>'
"""What is said where nothing is asked for, with the way to the page that makes the addresses of reports."""
UNASKED = '<p>No domain is named. <a href="decide">Ask the desk.</a></p>'
REPORTS_KEPT = 48
"""Reports that are kept of those asked for last: some tens of kilobytes each."""
MOST_WAITING, MOST_OF_ONE, MOST_SECONDS = 8, 4, 30.0
"""Reports that wait to be made, those of one reader among them, and how long: one of twelve takes seconds."""


class ReportRequest(NamedTuple):
    """What a report is made of: generation, form, the address that it cites, and chosen benchmarks or a question."""

    generation: str
    form: str
    base: str
    domain: str
    chosen: tuple[str, ...]
    question: Question | None = None

    @property
    def file(self) -> str:
        """The file name under which the report is saved, such as `benchhealth-mmlu.pdf`."""
        kind = [] if self.question is None else ["decision"]
        stem = "-".join(
            ["benchhealth", *kind, *([self.domain] if self.domain and not self.chosen else self.chosen[:1])]
        )
        name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in stem if letter.isascii())
        return f"{name}.{self.form}"


class Reports:
    """Reports of the generations that are served: each is made once, and one at a time."""

    def __init__(self) -> None:
        self._turns = Turns(MOST_WAITING, MOST_OF_ONE, MOST_SECONDS)
        self._made: OrderedDict[ReportRequest, bytes] = OrderedDict()
        self._begun: dict[ReportRequest, asyncio.Task[bytes]] = {}

    async def get(self, view: View, query: ReportRequest, reader: str) -> bytes:
        """The report, which is being made already where somebody else has asked for it.

        Raises Busy where others are before it for too long, and as `_report_bytes` does.
        """
        if query in self._made:
            self._made.move_to_end(query)
            return self._made[query]
        if query not in self._begun:
            begun = asyncio.create_task(self._make(view, query, reader))
            self._begun[query] = begun
            begun.add_done_callback(lambda _done: self._begun.pop(query))
        return await asyncio.shield(self._begun[query])

    async def _make(self, view: View, query: ReportRequest, reader: str) -> bytes:
        async with self._turns.turn_async(reader):
            body = self._made[query] = await run_in_threadpool(_report_bytes, view, query)
        while len(self._made) > REPORTS_KEPT:
            self._made.popitem(last=False)
        return body


def routes() -> list[Route]:
    """The routes: reports on benchmarks or a domain, and those on decisions."""
    reports = Reports()

    def of(asks: Callable[[View, Request], ReportRequest | Response]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            form = str(request.path_params["form"])
            if form not in FORMS:
                return PlainTextResponse("a report comes as html or pdf\n", status_code=404)

            async def made(view: View) -> Response:
                query = await run_in_threadpool(asks, view, request)
                if isinstance(query, Response):
                    return query
                body = await reports.get(view, query, reader(request))
                headers = {"Content-Disposition": f'inline; filename="{query.file}"'}
                return Response(body, media_type=FORMS[form][0], headers=headers)

            return await answered_async(request, made)

        return answer

    return [Route("/report.{form:str}", of(_report)), Route("/decision.{form:str}", of(_decision))]


def _report(view: View, request: Request) -> ReportRequest | Response:
    """The report that an address asks for, or a note where it names no subject."""
    named, domain = request.query_params.getlist("benchmark"), request.query_params.get("domain", "")
    chosen = tuple(benchmark_id for text in named for benchmark_id in text.split(",") if benchmark_id)
    if not chosen and not domain:
        return HTMLResponse(UNCHOSEN, status_code=400)
    return ReportRequest(view.name, str(request.path_params["form"]), str(request.base_url), domain, chosen)


def _decision(view: View, request: Request) -> ReportRequest | Response:
    """The decision that an address asks for, likewise. Raises ParameterError as `question` does."""
    question = question_of(view.shared(), dict(request.query_params))
    if question is None:
        return HTMLResponse(UNASKED, status_code=400)
    return ReportRequest(
        view.name, str(request.path_params["form"]), str(request.base_url), question.domain, (), question
    )


def _report_bytes(view: View, query: ReportRequest) -> bytes:
    shared = view.shared()
    if query.question is not None:
        return FORMS[query.form][1](decision_of(shared, query.question, query.base))
    is_field = query.domain and not query.chosen
    report = on_field(shared, query.domain, query.base) if is_field else on_benchmarks(shared, query.chosen, query.base)
    return FORMS[query.form][1](report)
