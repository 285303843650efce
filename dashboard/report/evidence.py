"""The second page of one benchmark: the evidence, what is not known, and where all of it comes from."""

import polars as pl

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.statistics.errors import Z95, true_error
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.published import standings, twin_pairs
from benchhealth.dashboard.published.results import boards, every_board, frontier, leaders, results
from benchhealth.dashboard.report.case import Case, Facts
from benchhealth.dashboard.report.tree import INFERENCES, Cell, Link, Section, Table
from benchhealth.dashboard.report.words import LISTED_WITHOUT, WITHHELD, best, listed_elsewhere
from benchhealth.dashboard.words.answers.second import MEANS
from benchhealth.dashboard.words.answers.sentences import TITLES, WHY_UNKNOWN
from benchhealth.dashboard.words.boards.ties import AT_ONCE, tied_first_sentence
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import UNKNOWN, correlation, day_of, percent, points, score
from benchhealth.dashboard.words.ranks import span
from benchhealth.dashboard.words.text import count, listed, model_within, shorten, words_within

NAME_LIMIT, TEXT_LIMIT = 44, 90
TOP, TWINS, REPORTS, SOURCES = 5, 5, 4, 6
"""The most lines of each kind that fit; what is left out is counted."""

_INDICATORS = tuple(indicator.key for indicator in INDICATORS)


def sections(case: Case) -> tuple[Section, ...]:
    """The sections of the second page of a report, in their order."""
    return (_answer_section(case), _leaders(case), _twins(case), _reports(case), _unknown(case), _sources(case))


def _answer_section(case: Case) -> Section:
    """A section with one sentence for each answer."""
    points = tuple(f"{wording.question} {wording.line}" for wording in case.answers.values())
    none = () if points else ("The answers rest on results that may not leave, and are not passed on.",)
    return Section("What the answers rest on", paragraphs=none, points=points)


def _leaders(case: Case) -> Section:
    """The first five, with their errors and the ranks that errors allow."""
    title, board_ids = "Who leads", boards(case.view, case.id)
    if not board_ids:
        is_part = "/" in case.id
        sentence = "Parts of a benchmark are not ranked." if is_part else "No leaderboard of models is on record."
        return Section(title, paragraphs=(sentence,))
    ranked = leaders(case.view, {"board": board_ids[0]})
    unit = case.facts["unit"]
    items = pl.coalesce("n_items", pl.lit(case.facts["n_items"], dtype=pl.Int64))
    rows = (
        ranked.head(TOP).with_columns(bounded=pl.lit(is_bounded(unit)), n_items=items).with_columns(error=true_error())
    )
    first = ranked.filter(pl.col("rank_low_joint") == 1)["model"].to_list()
    source = _source_title(case, standings.sources(case.view, board_ids[0])[0])
    sentence = f"{count(ranked.height, 'model')} as {source} listed them on {day_of(rows['observed_at'][0])}; " + (
        f"{tied_first_sentence(len(first), first)}." if first else "who else could be first is not known."
    )
    lines = tuple(
        (
            str(row["rank"]),
            model_within(row["model"], NAME_LIMIT),
            score(row["score"], unit, row["error"]),
            _error(row["error"], unit),
            UNKNOWN.lower() if row["rank_low_joint"] is None else span(row["rank_low_joint"], row["rank_high_joint"]),
        )
        for row in rows.iter_rows(named=True)
    )
    heads = ("Rank", "Model", "Score", "95% error", "Places all at once")
    table = Table(heads, lines, (7, 46, 12, 15, 20), right=(0, 2, 3))
    beside = (LISTED_WITHOUT,) if best(case) == WITHHELD else _record_elsewhere(case, board_ids[0])
    return Section(title, paragraphs=(sentence, *beside), table=table, note=f"From 1: {AT_ONCE}." if first else "")


def _record_elsewhere(case: Case, board_id: str) -> tuple[str, ...]:
    """That the record of the curve is on another list, if this leaderboard does not hold it."""
    record = frontier(case.view, {"benchmark": case.id}).filter("carried")
    if record.is_empty() or every_board(case.view).filter(board_id=board_id)["has_best"].any():
        return ()
    row = record.row(0, named=True)
    return (listed_elsewhere(row["model"] or row["model_id"], row["dated_on"]),)


def _error(error: float | None, unit: str | None) -> str:
    if error is None:
        return UNKNOWN.lower()
    return f"± {points(error * Z95)}" if is_bounded(unit) else f"± {error * Z95:.2g}"


def _source_title(case: Case, source_id: str) -> str:
    rows = case.view.table("source").filter(pl.col("source_id") == source_id)["title"]
    return head_of(rows[0], NAME_LIMIT) if len(rows) and rows[0] else source_id


def _twins(case: Case) -> Section:
    """Second measurements of the same thing, one row each."""
    twins = twin_pairs.twins_of(case.view, case.id)
    title = "Second measurements"
    if twins.is_empty():
        return Section(title, paragraphs=case.line("second"))
    rows = tuple(_twin(case, row) for row in twins.head(TWINS).iter_rows(named=True))
    note = "Order: 1 where both rank models alike, 0 where one says nothing about the other." + _further(
        twins.height, TWINS, "measurement"
    )
    heads = ("Measured again", "How", "Results on both", "Scores there", "Order")
    answer = case.answered.get("second")
    meant = (MEANS["by_design"],) if answer and answer["case"] == "none_known" else ()
    return Section(title, paragraphs=meant, table=Table(heads, rows, (34, 22, 14, 20, 10), right=(2, 4)), note=note)


def _twin(case: Case, row: Facts) -> tuple[Cell, ...]:
    original = row["original_id"] == case.id
    name = row["other"] if original else row["original"]
    gap = row["gap"]
    lower = gap is not None and (gap > 0) == original
    difference = (
        "too few models" if gap is None else f"{points(gap / 100)} {'lower' if lower else 'higher'}{_within_error(row)}"
    )
    kind = row["kind"] if original else f"{row['kind']} (this one)"
    tau = "" if row["kendall_tau"] is None else correlation(row["kendall_tau"])
    return shorten(name, NAME_LIMIT), kind, f"{row['n_models'] or 0:,}", difference, tau


def _within_error(row: Facts) -> str:
    """What the interval of the gap says of it, where one is known."""
    if row["gap_low"] is None:
        return ", error not known"
    return ", within error" if row["gap_low"] <= 0 <= row["gap_high"] else ""


def _reports(case: Case) -> Section:
    """Documented contamination: model, share, method and source."""
    labels = case.facts["labels"]
    visible = f"Its answers are {labels}. " if labels else "Whether its answers are public is not known. "
    reports = (
        case.view.table("contamination_report")
        .filter(pl.col("benchmark_id") == case.id)
        .sort("share", "subject", descending=[True, False], nulls_last=True)
    )
    title = "Items seen in training"
    if reports.is_empty():
        return Section(title, paragraphs=(f"{visible}No report is on record, which is no proof of absence.",))
    rows: list[tuple[Cell, ...]] = [
        (
            shorten(row["subject"], NAME_LIMIT),
            "not stated" if row["share"] is None else percent(row["share"]),
            words_within(row["method"] or "not stated", TEXT_LIMIT),
            address(row["reference_url"]),
        )
        for row in reports.head(REPORTS).iter_rows(named=True)
    ]
    sentence = f"{visible}A report says what was found where.{_further(reports.height, REPORTS, 'report')}"
    return Section(
        title,
        paragraphs=(sentence,),
        table=Table(("In whose data", "Share", "Found by", "Report"), tuple(rows), (20, 9, 32, 39), right=(1,)),
    )


def _unknown(case: Case) -> Section:
    """Which facts nobody states, which questions have no answer and of which kind, and how many indicators no value."""
    missing = [
        label
        for label, key in (("its chance level", "floor"), ("its ceiling", "ceiling"), ("how people score", "human"))
        if case.facts[key] is None
    ]
    questions: dict[str, list[str]] = {}
    for key, row in case.answered.items():
        if row["why_unknown"] is not None:
            questions.setdefault(row["why_unknown"], []).append(f"“{TITLES[key]}”")
    lines = [f"Nobody states {listed(missing)}."] if missing else []
    lines += [f"{listed(questions[why])}: {reason}." for why, reason in WHY_UNKNOWN.items() if why in questions]
    fit = [key for key in _INDICATORS if case.indicators.get(key, {}).get("status") != "not_applicable"]
    without = [key for key in fit if case.indicators.get(key, {}).get("status") != "ok"]
    answered = len(case.answered) - sum(map(len, questions.values()))
    had = (
        f"{answered} of {count(len(case.answered), 'question')} could be answered. Of {count(len(fit), 'indicator')} "
        f"that fit it {len(without)} {'has' if len(without) == 1 else 'have'} no value here; its page says why."
    )
    return Section("What is not known", paragraphs=(had,), points=tuple(lines))


def _sources(case: Case) -> Section:
    """Who published the results, under which licence, and until when each is known: the latest known first."""
    title, all_results = "Sources", results(case.view, {"benchmark": case.id})
    if all_results.is_empty():
        return Section(title, paragraphs=("No source that we follow reports it.",))
    newest = all_results.sort("last_observed_at", maintain_order=True).group_by("source_id", maintain_order=True)
    by_source = newest.agg(pl.col("url").last(), results=pl.len()).join(
        case.view.table("source").select("source_id", "title", "licence", "homepage", "known_until"),
        on="source_id",
        how="left",
    )
    ordered = by_source.sort("known_until", "results", "source_id", descending=[True, True, False], nulls_last=True)
    rows: list[tuple[Cell, ...]] = [
        (
            link(head_of(row["title"] or row["source_id"], NAME_LIMIT), row["homepage"]),
            shorten(row["licence"] or "unknown", 30),
            f"{row['results']:,}",
            day_of(row["known_until"]),
            address(row["url"]),
        )
        for row in ordered.head(SOURCES).iter_rows(named=True)
    ]
    left = _further(ordered.height, SOURCES, "source").strip()
    heads = ("Source", "Licence", "Results", "Data to", "Newest file")
    return Section(title, table=Table(heads, tuple(rows), (25, 14, 9, 13, 39), right=(2,)), note=left)


def citing_section(subject: str, address_of_page: str, origin: str) -> Section:
    """The section on how to cite the page, by its address where it has a whole one, and how to read an inference."""
    printed_address = f" {address_of_page}" if address_of_page.startswith(("https://", "http://")) else ""
    return Section(
        "How to cite",
        paragraphs=(f"benchhealth: {subject}. {origin}.{printed_address}", INFERENCES),
    )


def link(text: str, url: str | None) -> Cell:
    """The text, with the address where it is one that may be opened."""
    return Link(text, url) if (url or "").startswith(("https://", "http://")) and url else text


def address(url: str | None) -> Cell:
    """The whole address, as it can be typed from paper."""
    return link((url or "unknown").removeprefix("https://"), url)


def _further(total: int, n_shown: int, noun: str) -> str:
    return f" {count(total - n_shown, f'further {noun}')} on the dashboard." if total > n_shown else ""
