"""A decision on two pages: the question, what is recommended with its reservations, why not the others, the models."""

from datetime import date

from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.decide.page import PANEL
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.deciding.question import Question
from benchhealth.dashboard.published.deciding.sentences import DecisionWords, decision_words
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.evidence import citing
from benchhealth.dashboard.report.tree import Block, Part, Report, Section, Table, Tile
from benchhealth.dashboard.words.desk import others as why_not
from benchhealth.dashboard.words.numbers import UNKNOWN, percent_interval, score
from benchhealth.dashboard.words.text import count, words_within

ROWS, MODELS = 40, 12
"""The most benchmarks and models that the tables name; what is left out is counted."""


def decision_of(view: View, asked: Question, base: str) -> Report:
    """The answer to a question as a report; its page is cited below `base`."""
    answer, as_of = decision_words(view, asked), assessed_on(view) or date(1970, 1, 1)
    rules = ", ".join(sorted(view.table("verdict")["rules_version"].drop_nulls().unique()))
    bare = Report(f"benchhealth: {answer.title}", view.name, as_of, rules, ())
    part = Part(
        key="decision",
        title=answer.title,
        stage=None,
        line=answer.subtitle,
        front=_front(answer),
        back=(
            *_others(answer),
            *_panel(view, asked),
            citing(answer.title, base + asked.address("decide"), bare.origin),
        ),
    )
    return Report(bare.title, view.name, as_of, rules, (part,))


def _front(answer: DecisionWords) -> tuple[Block, ...]:
    """A section for each recommendation; what would be needed where there is none."""
    blocks: list[Block] = [answer.needed] if answer.needed else []
    for card in answer.cards:
        blocks.append(Section(f"{card.name}: {card.about}", paragraphs=(f"Why. {card.why}",)))
        blocks.append(tuple(Tile(name, number, "") for name, number in card.numbers[:3]))
        blocks.append(Section("", points=tuple(f"{name}: {number}" for name, number in card.numbers[3:])))
        blocks.append(Section("Reservation", paragraphs=(card.reservation,), framed=True))
    return tuple(blocks)


def _others(answer: DecisionWords) -> tuple[Block, ...]:
    if not answer.others:
        return ()
    rows = tuple(
        (words_within(candidate.name, 36), candidate.reason, candidate.number) for candidate in answer.others[:ROWS]
    )
    left = f" {count(len(answer.others) - ROWS, 'further benchmark')} on the dashboard." if answer.others[ROWS:] else ""
    return (
        Section(answer.heading, table=Table(why_not.HEAD, rows, (24, 18, 58)), note=f"{why_not.NONE_IS_BAD}{left}"),
    )


def _panel(view: View, asked: Question) -> tuple[Block, ...]:
    """The models of the chart as a table, of the same rows."""
    chart = PANEL.of(view, asked.params, LIGHT)
    if not isinstance(chart, Chart):
        return ()
    units = dict(view.table("benchmark").select("benchmark_id", "unit").iter_rows())
    cells: dict[str, dict[str, str]] = {}
    for row in chart.rows.iter_rows(named=True):
        said_ = score(row["score"], units[row["benchmark_id"]])
        ends = (
            percent_interval(row["low"], row["high"]) if units[row["benchmark_id"]] in ("percent", "fraction") else ""
        )
        cells.setdefault(row["model"], {})[row["benchmark_id"]] = f"{said_} ({ends})" if ends else said_
    ids = list(dict.fromkeys(chart.rows["benchmark_id"]))
    names = {card.benchmark_id: card.name for card in decision_words(view, asked).cards}
    rows = tuple(
        (words_within(model, 36), *(scores.get(benchmark_id, UNKNOWN) for benchmark_id in ids))
        for model, scores in cells.items()
    )
    head = ("Model", *(names[benchmark_id] for benchmark_id in ids))
    widths = (34.0, *[66 / len(ids)] * len(ids))
    return (Section(chart.title, table=Table(head, rows[:MODELS], widths), note=f"{chart.subtitle}"),)
